// @ts-check
// The keyboard shortcuts that only a table has.
/** @import { Table } from "./table.js" */
import { $ } from "../base/dom.js";
import { actionOf, TABLE } from "../base/keys.js";

/** @param {Table} table */
export function listen(table) {
	/** @type {{ [action: string]: () => void }} */
	const acts = {
		undo: () => table.undo(),
		asking: () => $("asking").click(),
		takeback: () => {
			if (!$("takeback").hidden) $("takeback").click();
		},
		since: () => (table.catchUp?.showing ? table.catchUp.stop() : $("since-step").click()),
		last: () => table.showLast(),
		hint: () => table.advise(),
		where: () => table.tell({ text: table.prompt?.text ?? "" }),
		list: () => {
			table.tab("all");
			$("list").querySelector("summary")?.focus();
		},
		type: () => {
			table.tab("all");
			$("typed").focus();
		},
	};
	addEventListener("keydown", (event) => {
		if (!table.view || document.querySelector("dialog[open]")) return;
		const { tagName } = /** @type {Element} */ (event.target);
		const action = actionOf(TABLE, event);
		if (!acts[action] || /INPUT|SELECT/.test(tagName)) return;
		event.preventDefault();
		acts[action]();
	});
}
