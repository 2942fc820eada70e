// @ts-check
// The page of the lab's reports that this server keeps.
import { $, el, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { startPage } from "../base/page.js";
import { whenShownAgain } from "../base/poll.js";
import { ask } from "../base/request.js";
import { trafficLights } from "./traffic_lights.js";

const when = (/** @type {number} */ made) =>
	new Date(1000 * made).toLocaleString(root.lang, { dateStyle: "medium", timeStyle: "short" });

/** @param {Answer<"GET /api/labs">["reports"][number]} report */
const row = ({ key, title, rules, made, verdict, lights, games }) => {
	const origin = games ? t("lab_made", { n: games.toLocaleString(root.lang), when: when(made) }) : when(made);
	const read = [t("lab_read"), el("span", { class: "hidden" }, `: ${title}`)];
	return el(
		"li",
		{ class: "panel pad stack" },
		el("div", { class: "row" }, el("h2", {}, title), el("span", { class: "quiet" }, origin)),
		el("p", {}, rules[root.lang] || rules.en),
		el("p", { class: "quiet" }, verdict[root.lang] || verdict.en),
		el("details", {}, el("summary", {}, t("lab_questions")), trafficLights(lights)),
		el("p", {}, el("a", { class: "btn main", href: `/lab/${key}?lang=${root.lang}` }, ...read)),
	);
};

async function look() {
	try {
		const { reports } = await ask("/api/labs");
		$("reports").replaceChildren(...reports.map(row));
		$("nothing").hidden = reports.length > 0;
	} catch (error) {
		showError($("error"), error);
	}
}

startPage().then(() => {
	look();
	whenShownAgain(look);
});
