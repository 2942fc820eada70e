// @ts-check
// The profile that this browser keeps: its key, and the seats that it takes at tables.

import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";

/** @type {Stored["profile"]} */
const NONE = { key: "", taken: [] };

/** The key of this browser's profile; "" without one. */
export const keyOf = () => load("profile", NONE).key;

/** Bytes in base64 for addresses. @param {ArrayBuffer | Uint8Array} bytes */
export const encoded = (bytes) =>
	btoa(String.fromCharCode(...new Uint8Array(bytes)))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replaceAll("=", "");

/** A new key: 32 random bytes. */
export const freshKey = () => encoded(crypto.getRandomValues(new Uint8Array(32)));

/** Was a change of the key begun whose answer never came? */
export const isChanging = () => !!load("profile", NONE).next;

/** The key that is to take the place of this one. It is kept before the server has it: if the answer is lost, we ask again. */
export function nextKey() {
	const kept = load("profile", NONE);
	const next = kept.next || freshKey();
	save("profile", { ...kept, next });
	return next;
}

/** Keeps a key, or none. @param {string} [key] */
export const keep = (key) => save("profile", key ? { key, taken: [] } : undefined);

/** A random text that stands for this browser, whatever profiles it has: two seats of one browser give no rated game. */
function browserOf() {
	const browser = load("browser", "") || freshKey();
	save("browser", browser);
	return browser;
}

const MOST = 100; // tables whose seats are known to be taken

/** The profile takes the seats of these tokens, once. @param {string} table @param {string[]} tokens */
export async function take(table, tokens) {
	const kept = load("profile", NONE);
	const { key, taken } = kept;
	const mark = `${table} ${tokens.join(" ")}`.slice(0, 80);
	if (!key || !tokens.length || taken.includes(mark)) return;
	try {
		await ask("/api/profile/seats", { key, table, tokens, browser: browserOf() });
		save("profile", { ...kept, taken: [mark, ...taken].slice(0, MOST) });
	} catch {
		// The profile has another key by now, or the table is full of changes: the seat is played by its link, without the profile.
	}
}

/** @param {string} profile @param {string} [more] */
export const pictureOf = (profile, more = "") => `/api/profiles/${profile}/picture${more}`;
