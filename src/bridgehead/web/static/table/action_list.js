// @ts-check
// The tab with all actions: a list by what they begin with, and a field to type one.
/** @import { Table } from "./table.js" */
import { $, el } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { offer } from "../board/choosing.js";

export class ActionList {
	/** @param {Table} table */
	constructor(table) {
		this.table = table;
		$("typed").oninput = () => this.render();
		$("command").onsubmit = (event) => {
			event.preventDefault();
			this.command();
		};
	}

	render() {
		const { view, board, paths } = this.table;
		const { length } = paths.choices;
		$("tab-all").textContent = t("all_actions") + (length ? ` (${length})` : "");
		if ($("all").hidden) return;
		const all = this.found();
		const name = (/** @type {string} */ id) => view.buttons?.[id] || board.items.get(id)?.label || t("actions");
		const group = (/** @type {[string, Choice[]]} */ [id, choices]) =>
			el(
				"details",
				{ open: all.length < 25 },
				el("summary", {}, `${name(id)} (${choices.length})`),
				el("ul", {}, ...choices.map((choice) => el("li", {}, offer(this.table, choice)))),
			);
		const groups = [...Map.groupBy(all, ({ path }) => path[0])].map(group);
		$("list").replaceChildren(...(groups.length ? groups : [el("p", { class: "quiet" }, t("nothing_to_do"))]));
	}

	// The choices that contain what is typed.
	found() {
		const words = $("typed").value.trim().toLowerCase();
		return this.table.paths.choices.filter(({ text, label }) => `${text} ${label}`.toLowerCase().includes(words));
	}

	command() {
		const words = $("typed").value.trim();
		const near = this.found();
		const exact = near.find(({ text }) => text === words) || (near.length === 1 && near[0]);
		if (!words) return;
		if (exact) {
			$("typed").value = "";
			this.table.choose(exact);
		} else this.table.tell({ text: t(near.length ? "several" : "no_such", { words }) });
	}
}
