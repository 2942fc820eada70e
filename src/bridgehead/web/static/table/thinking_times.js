// @ts-check
// The thinking times of each seat, in the table's menu: for the host, and for everybody once the game is over.
/** @import { Presence, Times } from "./presence.js" */

import { el, root, style } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";

await style("study/analysis");

/** @param {number} value @param {number} digits */
const number = (value, digits) =>
	value.toLocaleString(root.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** @param {number | null} seconds */
function span(seconds) {
	if (seconds === null) return "–";
	if (seconds < 9.95) return `${number(seconds, 1)} s`;
	if (seconds < 119.5) return `${number(seconds, 0)} s`;
	return seconds < 7170 ? `${number(seconds / 60, 0)} min` : `${number(seconds / 3600, 0)} h`;
}

/**
 * A button, and the place for the figures. The open menu keeps them, as they were when they were asked for.
 * @param {Presence} presence
 */
export function thinkingTimes(presence) {
	const { open, table, view } = presence;
	const place = el("div", { class: "study times stack", "aria-live": "polite" });
	const show = (/** @type {Times} */ times) => {
		const head = ["seat", "decisions", "half", "most"].map((key) => el("th", { scope: "col" }, t(`times_${key}`)));
		const rows = times.map(({ decisions, half, most }, i) => {
			const cells = [String(decisions), span(half), span(most)].map((text) => el("td", {}, text));
			return el("tr", {}, el("th", { scope: "row" }, presence.chip(i), presence.view.seats[i].name), ...cells);
		});
		place.replaceChildren(
			el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows)),
			el("p", { class: "quiet" }, t("times_help")),
		);
	};
	const load = async () => {
		try {
			const { seats } = await ask(`/api/tables/${view.table}/times`, { host: table.host || "" });
			if (open) open.times = seats;
			if (place.isConnected) show(seats);
			else presence.fill(); // the menu was drawn again meanwhile
		} catch (error) {
			const why = el("p", { class: "problem" });
			showError(why, error);
			place.replaceChildren(why);
		}
	};
	if (open?.times) show(open.times);
	return [el("button", { class: "btn", type: "button", onclick: load }, t("times")), place];
}
