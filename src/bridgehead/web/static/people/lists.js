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

/**
 * Draws a part of a page again. The focus stays at the control with the same key, or at the part itself if there is none.
 * @param {HTMLElement} place @param {...Node} nodes
 */
export function redraw(place, ...nodes) {
	const held = place.contains(document.activeElement) && document.activeElement;
	place.replaceChildren(...nodes);
	if (!held || !(held instanceof HTMLElement)) return;
	const again = /** @type {HTMLElement | null} */ (place.querySelector(`[data-key="${CSS.escape(held.dataset.key ?? "")}"]`));
	if (!again) place.tabIndex = -1;
	if (again && held instanceof HTMLInputElement && held.type === "text") again.replaceWith(held); // half typed
	(held.isConnected ? held : (again ?? place)).focus({ preventScroll: true });
}
