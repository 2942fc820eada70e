// @ts-check
// The page of the lab's reports that this server keeps, and of the studies that still play.
import { $, button, el, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { startPage } from "../base/page.js";
import { whenShownAgain } from "../base/poll.js";
import { ask } from "../base/request.js";
import { trafficLights } from "./traffic_lights.js";

const AGAIN = 2000; // ms between two requests for a study's progress
const MOST = 3; // steps beyond a short study
const MINUTE = 60_000;

const when = (/** @type {number} */ made) =>
	new Date(1000 * made).toLocaleString(root.lang, { dateStyle: "medium", timeStyle: "short" });

/** @typedef {Answer<"GET /api/labs">} Reports */

/** @param {Reports["reports"][number]} report */
const row = ({ key, title, rules, made, verdict, lights, games, favoured, longer = -1 }) => {
	const origin = games ? t("lab_made", { n: games.toLocaleString(root.lang), when: when(made) }) : when(made);
	const read = [t("lab_read"), el("span", { class: "hidden" }, `: ${title}`)];
	const more = async () => {
		try {
			await ask("/api/labs/more", { key });
			await look();
		} catch (error) {
			showError($("error"), error);
		}
	};
	const goes = longer >= 0 && longer < MOST;
	return el(
		"li",
		{ class: "panel pad stack", "data-report": key },
		el("div", { class: "row" }, el("h2", {}, title), el("span", { class: "quiet" }, origin)),
		el("p", {}, rules[root.lang] || rules.en),
		el("p", { class: "quiet" }, verdict[root.lang] || verdict.en),
		el("details", {}, el("summary", {}, t("lab_questions")), trafficLights(lights, false, favoured)),
		el(
			"p",
			{ class: "row" },
			el("a", { class: "btn main", href: `/lab/${key}?lang=${root.lang}` }, ...read),
			...(goes ? [button(t("lab_more"), more)] : []),
		),
	);
};

/** A study in progress, with its bar and how long it may still take. @param {NonNullable<Reports["going"]>[number]} study */
function going({ key, title, rules }) {
	const bar = el("progress", { max: "1", "aria-label": title });
	const status = el("p", { class: "quiet", role: "status" }, t("fair_ready"));
	const lights = el("div", {});
	const item = el(
		"li",
		{ class: "panel pad stack" },
		el("h2", {}, title),
		el("p", {}, rules[root.lang] || rules.en),
		bar,
		status,
	);
	item.append(lights);
	follow(key, bar, status, lights).catch((error) => showError($("error"), error));
	return item;
}

/** @param {string} key @param {HTMLProgressElement} bar @param {HTMLElement} status @param {HTMLElement} lights */
async function follow(key, bar, status, lights) {
	const begun = Date.now();
	let first = -1;
	for (let now = await ask(`/api/labs/${key}`); now.state !== "done"; now = await ask(`/api/labs/${key}`)) {
		if (!bar.isConnected) return;
		if (first < 0 && now.done) first = now.done;
		const pace = now.done > first && first >= 0 ? (Date.now() - begun) / (now.done - first) : 0;
		const left = Math.max(1, Math.round((pace * (now.of - now.done)) / MINUTE));
		if (now.of) bar.value = now.done / now.of;
		const text = pace
			? t("lab_left", { done: now.done.toLocaleString(root.lang), of: now.of.toLocaleString(root.lang), n: left })
			: "";
		status.textContent = now.state === "waiting" ? t("fair_queue", { n: now.before }) : text || t("fair_ready");
		if (now.lights.length) lights.replaceChildren(trafficLights(now.lights, true, now.favoured));
		await new Promise((wait) => setTimeout(wait, AGAIN));
	}
	await look();
}

async function look() {
	try {
		const { reports, going: studies = [] } = await ask("/api/labs");
		$("reports").replaceChildren(...studies.map(going), ...reports.map(row));
		$("nothing").hidden = reports.length + studies.length > 0;
	} catch (error) {
		showError($("error"), error);
	}
}

/** Leads to "play more games" of the report that the address names, or to the report itself. */
function lead() {
	const chosen = document.querySelector(`[data-report="${CSS.escape(location.hash.slice(1))}"]`);
	/** @type {HTMLElement | null | undefined} */
	(chosen?.querySelector("button") ?? chosen?.querySelector("a"))?.focus();
	chosen?.scrollIntoView({ block: "center" });
}

startPage().then(() => {
	look().then(lead);
	whenShownAgain(look);
});
