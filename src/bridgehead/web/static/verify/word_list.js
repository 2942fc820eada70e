// @ts-check
// The 2,048 English words of BIP 39, from which the four words of an era are taken.

import { href } from "../base/dom.js";

/** @type {Promise<string[]> | undefined} */
let list;

/** The words; none if they cannot be loaded now. */
export async function wordList() {
	list ??= fetch(href("/static/bip39.txt")).then(async (answer) => (answer.ok ? (await answer.text()).trim().split("\n") : []));
	try {
		return await list;
	} catch {
		list = undefined;
		return [];
	}
}
