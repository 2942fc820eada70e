// @ts-check
// Asks the server for the analysis of a finished game, and waits for it.
import { ask, root } from "./dom.js";

/** A finished analysis has all its fields. @typedef {Required<Answer<"GET /api/analyses/{key}">>} Study */

const AGAIN = 700; // ms between two requests

/** @param {string} record @param {(done: number, of: number) => void} progress @returns {Promise<Study>} */
export async function study(record, progress) {
	const { key } = await ask("/api/analyses", record);
	for (;;) {
		const found = await ask(`/api/analyses/${key}?lang=${root.lang}`);
		if (found.line) return /** @type {Study} */ (found);
		if (found.done) progress(found.done, found.of);
		await new Promise((wait) => setTimeout(wait, AGAIN));
	}
}
