// @ts-check
// The keyboard shortcuts of a table.
/** @import { Table } from "./table.js" */
import { $ } from "./dom.js";

/** @param {Table} table */
export function listen(table) {
	/** @type {{ [key: string]: () => void }} */
	const keys = {
		u: () => table.undo(),
		a: () => $("asking").click(),
		l: () => table.showLast(),
		h: () => table.advise(),
		w: () => table.tell({ text: table.prompted }),
		"?": () => table.ask(),
		m: () => {
			table.tab("all");
			$("list").querySelector("summary")?.focus();
		},
		"/": () => {
			table.tab("all");
			$("typed").focus();
		},
	};
	addEventListener("keydown", (event) => {
		if (!table.view || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
		const { tagName } = /** @type {Element} */ (event.target);
		if (event.key === "Escape") {
			table.clear();
			if (/INPUT/.test(tagName)) table.board.focus(table.board.focusId);
		}
		if (/INPUT|SELECT/.test(tagName)) return;
		const act = keys[event.key.toLowerCase()];
		if (!act) return;
		event.preventDefault();
		act();
	});
}
