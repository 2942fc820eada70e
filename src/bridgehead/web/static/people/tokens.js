// @ts-check
// The tokens with which a page comes to a table.
import { load } from "../base/store.js";

/**
 * Tokens of a table's seats and of its host: from the fragment, without what a letter put behind the link; or remembered.
 * @param {string} table
 */
export function tokensOf(table) {
	const given = new URLSearchParams(location.hash.slice(1));
	const s = given.get("s");
	const known = load("tables", {})[table];
	const plain = (/** @type {string} */ text) => text.replace(/[^\w-]/g, "");
	return {
		tokens: s ? s.split(".").map(plain).filter(Boolean) : known?.tokens || [],
		host: plain(given.get("h") || "") || known?.host || "",
	};
}
