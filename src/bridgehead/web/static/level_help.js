// @ts-check
// How strong the computer's levels are, in words.
import { levelName } from "./chips.js";
import { t } from "./words.js";

/** @param {string[]} levels */
export function levelHelp(levels) {
	const all = [...new Set(levels)].map((level) => `${levelName(level)}: ${t(`level_is.${level}`)}.`);
	return all.join(" ");
}
