// @ts-check
// Tables of numbers, and ratings in words.
import { el } from "../base/dom.js";
import { number } from "../base/i18n.js";

/** @param {string[]} heads @param {(string | Node)[][]} rows @param {number} numbers columns of numbers, the last ones */
export function table(heads, rows, numbers) {
	const at = (/** @type {number} */ i) => (i >= heads.length - numbers ? { class: "number" } : {});
	return el(
		"table",
		{},
		el("thead", {}, el("tr", {}, ...heads.map((text, i) => el("th", { scope: "col", ...at(i) }, text)))),
		el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell, i) => el("td", at(i), cell))))),
	);
}

/** @param {{ rating: number, spread: number, provisional: boolean }} rating */
export const points = ({ rating, spread, provisional }) => `${number(rating)} ± ${number(spread)}${provisional ? " ?" : ""}`;
