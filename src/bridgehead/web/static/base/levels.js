// @ts-check
// A seat's chip, and the words for the computer's levels.
import { el, svg } from "./dom.js";
import { t } from "./i18n.js";

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

/** How strong levels are, in words. @param {string[]} levels */
export function levelHelp(levels) {
	const all = [...new Set(levels)].map((level) => `${levelName(level)}: ${t(`level_is.${level}`)}.`);
	return all.join(" ");
}
