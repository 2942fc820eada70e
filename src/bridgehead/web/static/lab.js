// Reports of the lab that are kept on this server.
import { $, ask, el, problem, root, startPage } from "./dom.js";
import { lights } from "./lights.js";
import { t } from "./words.js";

const when = (made) => new Date(1000 * made).toLocaleString(root.lang, { dateStyle: "medium", timeStyle: "short" });

const row = ({ key, title, rules, made, verdict, lights: found, games }) => el("li", { class: "panel pad stack" },
	el("div", { class: "row" }, el("h2", {}, title), el("span", { class: "quiet" }, games ? t("lab_made", { n: games.toLocaleString(root.lang), when: when(made) }) : when(made))),
	el("p", {}, rules[root.lang] || rules.en), el("p", { class: "quiet", lang: "en" }, verdict),
	el("details", {}, el("summary", {}, t("lab_questions")), lights(found)),
	el("p", {}, el("a", { class: "btn main", href: `/lab/${key}` }, t("lab_read"), el("span", { class: "hidden" }, `: ${title}`))));

startPage().then(async () => {
	try {
		const { reports } = await ask("/api/labs");
		$("reports").replaceChildren(...reports.map(row));
		$("nothing").hidden = reports.length > 0;
	} catch (error) { problem($("error"), error); }
});
