// @ts-check
// Asks a server for something that it owes, until it comes or is refused.

/** why, status: of the last answer that refused it.
 * @typedef {{ answer: string, state: "given" | "refused" | "offline" | "unwanted", why: string, status: number }} Insisted */

const WAITS = [0, 1, 2, 4, 8, 14]; // seconds before each request
const [BUSY, LONGEST] = [30, 10]; // seconds before each request to a busy server, and how many of them

/**
 * A busy server gets more time. One that cannot be reached has refused nothing.
 * @param {() => Promise<string>} ask throws an error with the status of the answer, if there was one
 * @param {{ pause(seconds: number): Promise<unknown>, isWanted(): boolean }} how
 * @returns {Promise<Insisted>}
 */
export async function insist(ask, { pause, isWanted }) {
	const none = { answer: "", why: "", status: 0 };
	for (const [tries, seconds] of [...WAITS, ...Array(LONGEST).fill(BUSY)].entries()) {
		await pause(seconds);
		if (!isWanted()) return { ...none, state: "unwanted" };
		try {
			return { ...none, state: "given", answer: await ask() };
		} catch (problem) {
			const { status = 0, message = "" } = /** @type {{ status?: number, message?: string }} */ (problem);
			Object.assign(none, { why: message, status });
			const isBusy = status === 429 || status >= 502;
			if (tries >= WAITS.length - 1 && !isBusy) return { ...none, state: status ? "refused" : "offline" };
		}
	}
	return { ...none, state: "refused" };
}
