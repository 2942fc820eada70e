// What the server signs of a game's log at its end: kept in this browser, so that the game cannot be made another one later.
import { ask, load, save } from "./dom.js";

const MOST = 50;

export async function keep(table) {
	if (load("receipts", {})[table]) return;
	try {
		const receipt = await ask(`/api/tables/${table}/receipt`);
		save("receipts", Object.fromEntries([...Object.entries(load("receipts", {})), [table, receipt]].slice(-MOST)));
	} catch { /* asked for again when the table is looked at again */ }
}
