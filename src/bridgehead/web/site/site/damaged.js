// @ts-check
// A game whose rows Python cannot read: they can be saved, and removed.
import { download } from "../static/base/download.js";
import { button, show } from "./news.js";
import { openStore } from "./store.js";

const { load, save } = await import(new URL("../static/base/store.js", import.meta.url).href);

/** Offers to save and to remove a table that could not be opened, if this browser has it. @param {string} table */
export async function look(table) {
	const store = await openStore();
	const rows = await store.all(table);
	if (!rows.length) return;
	const remove = async () => {
		await store.remove(table);
		const { [table]: _, ...others } = load("tables", {});
		save("tables", others);
		location.assign(new URL("../", import.meta.url));
	};
	const rest = button("site.save_damaged", () => download(`bridgehead-${table}.json`, JSON.stringify(rows)));
	show("site.damaged", {}, rest, button("site.remove", remove));
}
