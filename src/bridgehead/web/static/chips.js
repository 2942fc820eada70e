// @ts-check
// A seat's chip, and the words for a level.
import { el, svg } from "./elements.js";
import { t } from "./words.js";

/** @param {string} seat */
export function chip(seat, letter = seat.toUpperCase()) {
	const use =
		document.getElementById(`shape-${seat}`) && svg("use", { href: `#shape-${seat}`, class: "shape", transform: "scale(7)" });
	return el(
		"span",
		{ class: `chip seat-${seat}`, "aria-hidden": "true" },
		use && svg("svg", { viewBox: "-8 -8 16 16" }, use),
		letter,
	);
}

/** The title of a level; its id where there is no translation. @param {string} level */
export function levelName(level) {
	const key = `level.${level}`;
	const name = t(key);
	return name === key ? level : name;
}
