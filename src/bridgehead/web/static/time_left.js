// @ts-check
// Long spans of time in words, in their two largest units.
import { t } from "./words.js";

const MINUTE = 60_000; // ms

/** @param {number} ms */
export function inDays(ms) {
	const minutes = Math.max(1, Math.floor(ms / MINUTE));
	const parts = { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 };
	const words = Object.entries(parts).flatMap(([unit, n]) => (n ? [t(n === 1 ? `${unit}_one` : unit, { n })] : []));
	return words.slice(0, 2).join(" ");
}
