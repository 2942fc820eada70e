// @ts-check
// What the others did since my turn: a line for each of their turns; each can be seen again, step by step. Of turns that were
// seen as they were played the last one is marked on the board; of those that came together all are, as after a reload.
/** @import { Table } from "./table.js" */
import { $, el, reduced, style, svg } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { tempo } from "../base/store.js";

await style("table/catch_up");

/** @typedef {NonNullable<View["recent"]>[number]} Turn @typedef {Message<"past">["actions"]} Actions */

const REST = 700; // ms between two actions that are shown again

export class CatchUp {
	/** @type {Turn[]} */
	turns = [];
	/** @type {Actions} */
	actions = []; // those that are shown again; the first one is what was before them
	at = 0;
	playing = 0; // a timer
	/** @type {(turn: Turn, number: number) => boolean} */
	isMarked = () => true;
	/** What the pointer or the focus is on: a line, a seat, or the button that shows all turns. @type {Element | null} */
	pointed = null;

	/** @param {Table} table */
	constructor(table) {
		this.table = table;
		$("since-step").onclick = () => this.open(this.turns, false);
		$("since-back").onclick = () => this.go(this.at - 1);
		$("since-on").onclick = () => this.go(this.at + 1);
		$("since-close").onclick = () => this.stop();
		const leave = (/** @type {Event} */ { target }) => {
			if (!this.showing || !(target instanceof Element) || target.closest("#since")) return;
			this.stop();
			table.connection.ignoreInput();
		};
		addEventListener("pointerdown", leave, true);
		for (const kind of ["pointerover", "focusin"]) addEventListener(kind, ({ target }) => this.point(target));
	}

	/** Marks the turns of a line or a seat that is pointed at, or was touched. @param {EventTarget | null} target */
	point(target) {
		const now = target instanceof Element ? target.closest("#turns li, #seats li, #since-step") : null;
		if (now === this.pointed) return;
		this.pointed = now;
		if (this.turns.length && !this.showing) this.table.render();
	}

	/** Is the board shown as it was? */
	get showing() {
		return this.actions.length > 0;
	}

	/** The ends of the others' moves, with the colour of their seats. */
	get marks() {
		const { seats } = this.table.view;
		const { id, parentElement } = this.pointed ?? {};
		const at = this.pointed && parentElement ? [...parentElement.children].indexOf(this.pointed) : -1;
		const asked = this.turns.filter(({ seat }, i) => id || at === (parentElement?.id === "turns" ? i : seat));
		const turns = this.pointed && asked.length ? asked : this.turns.filter(this.isMarked);
		return turns.flatMap(({ seat, marks }) => marks.map((ends) => ({ seat: seats[seat].seat, ends })));
	}

	/** @param {View} view @param {boolean} wasSeen did it follow the view before at a pace that can be followed? */
	show({ recent = [], you, seats, actor, log }, wasSeen) {
		this.stop();
		this.turns = recent;
		this.pointed = null;
		const mover = log.findLast((line) => line.actor >= 0)?.actor ?? -1;
		this.isMarked = wasSeen ? (turn, i) => i === recent.length - 1 && turn.seat === mover : () => true;
		const name = you.length !== 1 && seats[actor]?.name;
		const title = name ? t("since_seat", { name }) : t(you.length ? "since_you" : "since_last");
		Object.assign($("since-title"), { textContent: title, hidden: false });
		$("since-step").disabled = !recent.length;
		const empty = el("li", { class: "quiet" }, t(log.some((row) => row.actor >= 0) ? "since_nothing" : "since_begin"));
		$("turns").replaceChildren(...(recent.length ? recent.map((turn) => this.row(turn)) : [empty]));
		this.fit();
	}

	// Newest last. A strip of two lines leaves out the oldest turns.
	fit() {
		const list = $("turns");
		const rows = /** @type {HTMLElement[]} */ ([...list.children]);
		const flows = rows.length > 1 && getComputedStyle(rows[0]).display === "inline";
		for (const row of rows.slice(0, -1)) {
			if (!flows || list.scrollHeight <= list.clientHeight) break;
			row.hidden = true;
		}
		list.scrollTop = list.scrollHeight;
	}

	/** @param {Turn} turn */
	row(turn) {
		const { seat, letter, name } = this.table.view.seats[turn.seat];
		const livery = seat || letter.toLowerCase();
		const use = document.getElementById(`shape-${livery}`);
		const shape = use
			? svg("use", { href: `#${use.id}`, class: "shape", transform: "scale(8)" })
			: svg("text", { class: "shape", y: 5 }, letter);
		const face = svg("circle", { class: "face", r: 11 });
		const sign = svg("svg", { viewBox: "-12 -12 24 24", class: `sign seat-${livery}`, "aria-hidden": "true" }, face, shape);
		const text = el("span", {}, el("strong", {}, name), " ", turn.text);
		const onclick = () => this.open([turn], true);
		return el("li", {}, el("button", { type: "button", class: "again", title: t("since_again"), onclick }, sign, text));
	}

	/** Shows turns again: all actions one after another, or each at a press. @param {Turn[]} turns @param {boolean} plays */
	open(turns, plays) {
		const [first] = turns;
		const last = turns.at(-1);
		if (!first || !last) return;
		this.table.connection.ask(
			{ t: "past", first: first.first, until: last.until },
			(answer) => {
				if (answer.t !== "past" || answer.actions.length < 2) return;
				this.stop();
				this.actions = answer.actions;
				this.at = 0;
				$("since").classList.toggle("stepping", !plays);
				this.draw(false);
				if (plays) this.playing = setTimeout(() => this.play(), REST * tempo());
				else this.go(1);
			},
			() => this.table.tell({ text: t("no_answer") }),
		);
	}

	play() {
		if (this.at === this.actions.length - 1) {
			this.stop();
			return;
		}
		this.at++;
		this.playing = setTimeout(() => this.play(), this.draw(true) + REST * tempo());
	}

	/** @param {number} at */
	go(at) {
		clearTimeout(this.playing);
		const on = at === this.at + 1;
		this.at = Math.max(0, Math.min(this.actions.length - 1, at));
		this.draw(on);
	}

	/** Draws the board as it was. Returns how long its pieces move. @param {boolean} moves */
	draw(moves) {
		const { board } = this.table;
		const { items, traces, last, sentence } = this.actions[this.at];
		board.setView({ items, traces: moves ? traces : [], animate: moves });
		board.setMarks({ last: this.at ? last : [] });
		const wait = board.draw();
		$("stage").classList.add("past");
		if (this.at && last.length) board.viewport.show(last[1] || last[0]);
		const number = t("since_step", { n: this.at, of: this.actions.length - 1 });
		$("since-said").replaceChildren(el("strong", {}, number), " ", sentence || t("since_before"));
		$("since-back").disabled = !this.at;
		$("since-on").disabled = this.at === this.actions.length - 1;
		if (sentence && moves) this.table.say(sentence);
		return reduced() ? 0 : wait;
	}

	/** Shows the present again. */
	stop() {
		clearTimeout(this.playing);
		if (!this.showing) return;
		this.actions = [];
		$("since").classList.remove("stepping");
		$("stage").classList.remove("past");
		this.table.lay();
		this.table.render();
	}
}
