// @ts-check
// The keys of the pages, by what they do: the one list for their handlers and for Settings.

import { prefs } from "./store.js";

/** @typedef {{ [action: string]: string[] }} Keys */
/** @type {Keys} */
export const BOARD = {
	move: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"],
	next: ["n"],
	previous: ["p"],
	touch: ["Enter", " "],
	point: ["P"],
};
/** @type {Keys} */
export const TABLE = {
	clear: ["Escape"],
	undo: ["u"],
	where: ["w"],
	last: ["l"],
	why: ["?"],
	list: ["m"],
	type: ["/"],
	hint: ["h"],
	asking: ["a"],
	takeback: ["t"],
	since: ["s"],
	names: ["N"],
};
/** @type {Keys} */
export const REPLAY = { back: ["ArrowLeft"], forward: ["ArrowRight"], first: ["Home"], end: ["End"], play: [" "] };

/** Whether a key is a letter, a digit or a sign, which can be switched off and changed (WCAG 2.1.4). @param {string} key */
export const isLetter = (key) => key.length === 1 && key !== " ";

/** The keys in use: those of the list, or what somebody has chosen in their place. @param {Keys} keys @returns {Keys} */
export function keysInUse(keys) {
	const { letters, keys: own } = prefs();
	const inUse = (/** @type {string} */ action) =>
		keys[action].map((key) => (isLetter(key) ? (own?.[action] ?? key) : key)).filter((key) => key && (letters || !isLetter(key)));
	return Object.fromEntries(Object.keys(keys).map((action) => [action, inUse(action)]));
}

/**
 * The action of a key. A capital letter that has no action of its own counts as the small one.
 * @param {Keys} keys @param {KeyboardEvent} event
 */
export function actionOf(keys, { key, ctrlKey, altKey, metaKey }) {
	if (ctrlKey || altKey || metaKey) return "";
	const now = keysInUse(keys);
	const find = (/** @type {string} */ each) => Object.keys(now).find((action) => now[action].includes(each));
	return find(key) ?? find(key.toLowerCase()) ?? "";
}
