// A hint: the best actions with their win chances, marked on the board, and why.
import { $, el } from "./dom.js";
import { t } from "./words.js";

document.head.append(el("link", { rel: "stylesheet", href: "/static/study.css" }));

const percent = (chance) => Math.round(100 * chance);

export class Hint {
	constructor(table) {
		Object.assign(this, { table, marks: [] });
		this.box = el("section", { class: "advice stack", "aria-label": t("hint_title"), hidden: "" });
		$("people").after(this.box);
	}

	ask() {
		const { v } = this.table.view;
		if (this.asked === v) return;
		this.asked = v;
		this.fill([el("p", { class: "quiet" }, t("hint_wait"))]);
		this.table.say(t("hint_wait"));
		this.table.net.whisper({ t: "hint", v }, (answer) => this.hear(answer));
	}

	hear(answer) {
		if (this.asked === undefined) return; // the table has moved on
		this.asked = undefined;
		if (answer.t !== "hint") {
			this.clear();
			this.table.tell(answer);
			return;
		}
		this.show(answer);
	}

	show({ chance, standing, best, why, answer, threat }) {
		const now = t("hint_now", { standing, percent: percent(chance) }), rows = best.map((each, i) => this.row(each, i + 1));
		this.fill([el("p", {}, el("strong", {}, now)), el("ol", { class: "stack" }, ...rows), ...[why, answer, threat].filter(Boolean).map((text) => el("p", { class: "quiet" }, text)),
			el("button", { class: "btn bare", type: "button", "aria-label": t("hint_close"), onclick: () => { this.clear(); this.table.render(); } }, "×")]);
		const ends = Object.groupBy(best.flatMap(({ action }, i) => this.places(action, i)), ({ id, text }) => `${id}${text ? "" : " from"}`);
		this.marks = Object.values(ends).map((same) => ({ id: same[0].id, text: same[0].text && same.map(({ text }) => text).join("·") }));
		this.table.say([now, ...best.map(({ label, note, chance: each }, i) => `${t("hint_place", { n: i + 1, label: [label, note].filter(Boolean).join(", "), percent: percent(each) })}.`), why, answer, threat].join(" "));
		this.table.render();
		this.box.scrollIntoView?.({ block: "nearest" });
	}

	// An action as a row: what it is called, a bar, and its win chance; to press it is to choose it.
	row({ action, label, note, chance }, n) {
		const choice = this.table.paths.choices.find((each) => each.action === action);
		const bar = el("meter", { min: "0", max: "1", value: String(chance), "aria-hidden": "true" });
		return el("li", {}, el("button", { class: "btn", type: "button", "aria-label": t("hint_place", { n, label: [label, note].filter(Boolean).join(", "), percent: percent(chance) }), onclick: () => { if (choice) this.table.choose(choice); } },
			el("b", {}, String(n)), el("span", {}, label, note && el("small", {}, note)), bar, el("span", { class: "share" }, `${percent(chance)} %`)));
	}

	// Where an action begins and ends on the board.
	places(action, i) {
		const { path = [] } = this.table.paths.choices.find((each) => each.action === action) || {}, { board } = this.table;
		const ids = path.filter((id) => board.items.has(id));
		if (!ids.length) return [];
		return [...(i || ids.length < 2 ? [] : [{ id: ids[0] }]), { id: ids.at(-1), text: String(i + 1) }];
	}

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
