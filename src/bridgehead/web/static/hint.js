// @ts-check
// A hint: the best actions with their win chances, marked on the board, and the reason.
/** @import { Table } from "./table.js" */
import { $, el, style } from "./dom.js";
import { t } from "./words.js";

/** @typedef {Message<"hint">["best"][number]} Best */

await style("analysis");

const percent = (/** @type {number} */ chance) => Math.round(100 * chance);
/** @param {Best} best @param {number} n */
const describe = ({ label, note, chance }, n) =>
	t("hint_place", { n, label: [label, note].filter(Boolean).join(", "), percent: percent(chance) });

export class Hint {
	/** @type {Advised[]} */
	marks = [];
	/** @type {number | undefined} */
	asked; // version of the view that the open request is about

	/** @param {Table} table */
	constructor(table) {
		this.table = table;
		this.box = el("section", { class: "advice stack", "aria-label": t("hint_title"), hidden: "" });
		$("people").after(this.box);
	}

	ask() {
		const { v } = this.table.view;
		if (this.asked === v) return;
		this.asked = v;
		this.fill([el("p", { class: "quiet" }, t("hint_wait"))]);
		this.table.say(t("hint_wait"));
		this.table.connection.ask({ t: "hint", v }, (answer) => this.receive(answer));
	}

	/** @param {Received} answer */
	receive(answer) {
		if (this.asked === undefined) return; // the position has changed
		this.asked = undefined;
		if (answer.t === "hint") {
			this.show(answer);
			return;
		}
		this.clear();
		if (answer.t === "rej") this.table.tell(answer);
	}

	/** @param {Message<"hint">} hint */
	show({ chance, standing, best, why, answer, threat }) {
		const now = t("hint_now", { standing, percent: percent(chance) });
		const rows = best.map((each, i) => this.row(each, i + 1));
		const close = () => {
			this.clear();
			this.table.render();
		};
		this.fill([
			el("p", {}, el("strong", {}, now)),
			el("ol", { class: "stack" }, ...rows),
			...[why, answer, threat].filter(Boolean).map((text) => el("p", { class: "quiet" }, text)),
			el("button", { class: "btn bare", type: "button", "aria-label": t("hint_close"), onclick: close }, "×"),
		]);
		const ends = Map.groupBy(
			best.flatMap(({ action }, i) => this.places(action, i)),
			({ id, text }) => `${id}${text ? "" : " from"}`,
		);
		this.marks = [...ends.values()].map((same) => {
			const text = same[0].text && same.map((each) => each.text).join("·");
			return { id: same[0].id, text };
		});
		this.table.say([now, ...best.map((each, i) => `${describe(each, i + 1)}.`), why, answer, threat].join(" "));
		this.table.render();
		this.box.scrollIntoView({ block: "nearest" });
	}

	/** An action as a row with its label, a bar and its win chance. A click chooses it. @param {Best} best @param {number} n */
	row(best, n) {
		const { action, label, note, chance } = best;
		const choice = this.table.paths.choices.find((each) => each.action === action);
		const choose = () => {
			if (choice) this.table.choose(choice);
		};
		const bar = el("meter", { min: "0", max: "1", value: String(chance), "aria-hidden": "true" });
		return el(
			"li",
			{},
			el(
				"button",
				{ class: "btn", type: "button", onclick: choose },
				el("b", {}, String(n)),
				" ",
				el("span", {}, label, note && el("small", {}, " ", note)),
				" ",
				bar,
				el("span", { class: "share" }, `${percent(chance)} %`),
			),
		);
	}

	/** The start and the end of an action on the board. @param {number} action @param {number} i @returns {Advised[]} */
	places(action, i) {
		const { path = [] } = this.table.paths.choices.find((each) => each.action === action) || {};
		const ids = path.filter((id) => this.table.board.items.has(id));
		if (!ids.length) return [];
		return [...(i || ids.length < 2 ? [] : [{ id: ids[0] }]), { id: ids[ids.length - 1], text: String(i + 1) }];
	}

	/** @param {HTMLElement[]} parts */
	fill(parts) {
		this.box.hidden = !parts.length;
		this.box.replaceChildren(...parts);
	}

	clear() {
		this.asked = undefined;
		this.marks = [];
		this.fill([]);
	}
}
