// @ts-check
// The keyboard shortcuts of a table.
/** @import { Table } from "./table.js" */
import { $ } from "../base/dom.js";
import { t } from "../base/i18n.js";
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
		why: () => table.ask(),
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
		if (action === "clear") {
			if (table.paths.prefix.length) table.say(t("chosen_none"));
			table.clear();
			if (/INPUT/.test(tagName)) table.board.focus(table.board.focusId);
		}
		if (!acts[action] || /INPUT|SELECT/.test(tagName)) return;
		event.preventDefault();
		acts[action]();
	});
}
