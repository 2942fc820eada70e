// @ts-check
// Asks a server for something that it owes, until it comes or is refused.

/** @typedef {{ answer?: unknown, state: "given" | "refused" | "offline" | "unwanted", why: string }} Insisted */

const WAITS = [0, 1, 2, 4, 8, 14]; // seconds before each request
const [BUSY, LONGEST] = [30, 10]; // seconds before each request to a busy server, and how many of them

/**
 * A busy server gets more time. One that cannot be reached has refused nothing.
 * @param {() => Promise<unknown>} ask throws an error with the status of the answer, if there was one
 * @param {{ pause(seconds: number): Promise<unknown>, isWanted(): boolean }} how
 * @returns {Promise<Insisted>}
 */
export async function insist(ask, { pause, isWanted }) {
	let why = "";
	for (const [tries, seconds] of [...WAITS, ...Array(LONGEST).fill(BUSY)].entries()) {
		await pause(seconds);
		if (!isWanted()) return { state: "unwanted", why };
		try {
			return { state: "given", answer: await ask(), why };
		} catch (problem) {
			const { status = 0, message = "" } = /** @type {{ status?: number, message?: string }} */ (problem);
			why = message;
			const isBusy = status === 429 || status >= 502;
			if (tries >= WAITS.length - 1 && !isBusy) return { state: status ? "refused" : "offline", why };
		}
	}
	return { state: "refused", why };
}
