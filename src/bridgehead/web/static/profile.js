// @ts-check
// The profile that this browser keeps: its key, and the seats that it takes at tables.
import { ask, load, root, save } from "./dom.js";

/** The key of this browser's profile; "" without one. */
export const keyOf = () => load("profile", { key: "", taken: [] }).key;

/** A new key: 32 random bytes, in base64 for addresses. */
export function freshKey() {
	const bytes = crypto.getRandomValues(new Uint8Array(32));
	return btoa(String.fromCharCode(...bytes))
		.replaceAll("+", "-")
		.replaceAll("/", "_")
		.replaceAll("=", "");
}

/** Keeps a key, or none. @param {string} [key] */
export const keep = (key) => save("profile", key ? { key, taken: [] } : undefined);

const MOST = 100; // tables whose seats are known to be taken

/** The profile takes the seats of these tokens, once. @param {string} table @param {string[]} tokens */
export async function take(table, tokens) {
	const { key, taken } = load("profile", { key: "", taken: [] });
	const mark = `${table} ${tokens.join(" ")}`.slice(0, 80);
	if (!key || !tokens.length || taken.includes(mark)) return;
	try {
		await ask("/api/profile/seats", { key, table, tokens });
		save("profile", { key, taken: [mark, ...taken].slice(0, MOST) });
	} catch {
		// The profile has another key by now, or the table is full of changes: the seat is played by its link, without the profile.
	}
}

/** @param {string} profile @param {string} [more] */
export const pictureOf = (profile, more = "") => `/api/profiles/${profile}/picture${more}`;

/** A number in the way of the page's language. @param {number} value */
export const number = (value) => new Intl.NumberFormat(root.lang).format(value);
