// @ts-check
// The keys of the pages, by what they do: the one list for their handlers and for Settings.

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
};
/** @type {Keys} */
export const REPLAY = { back: ["ArrowLeft"], forward: ["ArrowRight"], first: ["Home"], end: ["End"], play: [" "] };

/**
 * The action of a key. A capital letter that has no action of its own counts as the small one.
 * @param {Keys} keys @param {KeyboardEvent} event
 */
export function actionOf(keys, { key, ctrlKey, altKey, metaKey }) {
	if (ctrlKey || altKey || metaKey) return "";
	const find = (/** @type {string} */ each) => Object.keys(keys).find((action) => keys[action].includes(each));
	return find(key) ?? find(key.toLowerCase()) ?? "";
}
