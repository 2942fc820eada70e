// @ts-check
// The server's signed receipt of a finished game, kept in this browser: proof against a later change of the log.
import { ask, load, save } from "./dom.js";

const MOST = 50; // receipts

/** @param {string} table */
export async function keep(table) {
	if (load("receipts", {})[table]) return;
	try {
		const receipt = await ask(`/api/tables/${table}/receipt`);
		save("receipts", Object.fromEntries([...Object.entries(load("receipts", {})), [table, receipt]].slice(-MOST)));
	} catch {
		/* the next visit of the table asks again */
	}
}
