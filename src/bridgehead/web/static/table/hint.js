// @ts-check
// A hint: the best actions with their win chances, marked on the board, and the reason.
/** @import { Table } from "./table.js" */

import { $, el, quiet, style } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { newKey } from "../base/socket.js";

/** @typedef {Message<"hint">["best"][number]} Best */

await style("study/analysis");

const percent = (/** @type {number} */ chance) => Math.round(100 * chance);
/** @param {Best} best @param {number} n */
const describe = ({ label, note, effects }, n) =>
	t("hint_place", { n, label: [label, note, ...effects].filter(Boolean).join(", ") });

/** @param {(string | false)[]} texts */
const sentences = (texts) => texts.flatMap((text) => (text ? [quiet(text)] : []));

export class Hint {
	/** @type {Advised[]} */
	marks = [];
	/** @type {{ v: number } | undefined} */
	asked; // the open request: the version of the view that it is about

	/** @param {Table} table */
	constructor(table) {
		this.table = table;
		this.box = el("section", { class: "advice stack", "aria-label": t("hint_title"), hidden: "" });
		$("people").after(this.box);
	}

	ask() {
		const { v } = this.table.view;
		if (this.asked?.v === v) return;
		const request = { v };
		this.clear();
		this.asked = request;
		const stop = () => {
			this.clear();
			this.table.render();
		};
		this.fill([
			el("p", { class: "quiet" }, t("hint_wait")),
			el("button", { class: "btn", type: "button", onclick: stop }, t("hint_stop")),
		]);
		this.table.say(t("hint_wait"));
		this.table.connection.ask(
			{ t: "hint", v },
			(answer) => {
				if (this.asked === request) this.receive(answer); // else the position has changed, or it was stopped
			},
			() => {
				if (this.asked !== request) return;
				this.asked = undefined;
				stop();
				this.table.tell({ text: t("no_answer") });
			},
		);
	}

	/** @param {Received} answer */
	receive(answer) {
		this.asked = undefined;
		if (answer.t === "hint") {
			this.show(answer);
			return;
		}
		this.clear();
		if (answer.t === "rej") this.table.tell(answer);
	}

	/** @param {Message<"hint">} hint */
	show({ chance, standing, best, why, answer, plan, threat, alike }) {
		const now = t("hint_standing", { standing });
		const reason = alike > 1 ? "" : why; // of actions that are alike, the reason is a number
		const numbers = [t("hint_percent", { percent: percent(chance) }), alike > 1 && why, threat];
		const rows = best.map((each, i) => this.row(each, i + 1));
		const close = () => {
			this.clear();
			this.table.render();
		};
		this.fill([
			el("p", {}, el("strong", {}, now), alike > 1 && el("span", { class: "any" }, t("hint_any"))),
			el("ol", { class: "stack" }, ...rows),
			...sentences([reason, answer, plan]),
			el("details", {}, el("summary", {}, t("hint_numbers")), ...sentences(numbers)),
			el("button", { class: "btn bare close", type: "button", "aria-label": t("hint_close"), onclick: close }, "×"),
		]);
		const ends = Map.groupBy(
			best.flatMap(({ action }, i) => this.places(action, i)),
			({ id, text }) => `${id}${text ? "" : " from"}`,
		);
		this.marks = [...ends.values()].map((same) => {
			const text = same[0].text && same.map((each) => each.text).join("·");
			return { id: same[0].id, text };
		});
		this.table.say([now, ...best.map((each, i) => `${describe(each, i + 1)}.`), reason, answer, plan].join(" "));
		this.table.render();
		this.box.scrollIntoView({ block: "nearest" });
	}

	/** An action as a row with its label, a bar and its win chance. A click chooses it. @param {Best} best @param {number} n */
	row(best, n) {
		const { action, label, note, effects, chance } = best;
		const changes = [note, ...effects].filter(Boolean).join("; ");
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
				el("span", {}, label, changes && el("small", {}, " ", changes)),
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

	// The server stops a search that nobody waits for.
	clear() {
		const { connection } = this.table;
		if (this.asked) connection.send({ t: "hint", v: this.asked.v, stop: true, k: newKey() });
		this.asked = undefined;
		this.marks = [];
		this.fill([]);
	}
}
