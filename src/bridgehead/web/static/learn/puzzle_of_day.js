// @ts-check
// The puzzle of the day, which is the same for everybody.

const DAY = 86_400_000; // ms

/** The puzzle of a day, by a lot for each: another puzzle more or less changes few days. */
export function ofDay(/** @type {{ name: string }[]} */ entries) {
	const day = String(Math.floor(Date.now() / DAY));
	const mix = (/** @type {number} */ sum, /** @type {string} */ letter) =>
		Math.imul(sum ^ letter.charCodeAt(0), 0x9e3779b1) >>> 0;
	const lot = (/** @type {string} */ name) =>
		[..."lot", ...name, ...day, ...name].reduce((sum, each) => mix(sum ^ (sum >>> 15), each), 1);
	return entries.reduce((one, other) => (lot(other.name) < lot(one.name) ? other : one)).name;
}
