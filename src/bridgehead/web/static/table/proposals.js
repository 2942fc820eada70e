// @ts-check
// Proposals to the other players: the menu, the bar with the open proposal or its result, and the pause.
/** @import { Table } from "./table.js" */
import { $, el, style } from "../base/dom.js";
import { t } from "../base/i18n.js";

await style("table/presence");

const LATE = 400; // ms after the bar appeared in which a click on it was not meant
const SHOWN = 7000; // ms for which the result of a proposal is shown
const KINDS = /** @type {const} */ (["takeback", "pause", "resume", "draw", "resign"]);
/** @typedef {typeof KINDS[number]} Kind */
/** @typedef {NonNullable<View["ask"]>} Proposal */
/**
 * A message that lacks the version of the view.
 * @typedef {{ t: "ask", what: Kind } | Extract<Unsent, { t: "answer" | "withdraw" }>} Step
 */

export class Proposals {
	/** @type {string | undefined} */
	shown; // the proposal that is shown, with what changes of it
	text = ""; // of the bar; empty when it shows no proposal
	since = 0;
	/** @type {number | undefined} */
	timer;

	/** @param {Table} table */
	constructor(table) {
		this.table = table;
		this.bar = el("section", { class: "asked panel", "aria-label": t("asked"), hidden: "" });
		$("stage").append(this.bar);
		this.items = KINDS.map((kind) => {
			const words = [el("span", {}, t(`ask.${kind}`)), el("small", {}, t(`ask.${kind}.more`))];
			return { kind, button: el("button", { class: "btn", type: "button", onclick: () => this.choose(kind) }, ...words) };
		});
		const resign = () => this.send({ t: "ask", what: "resign" });
		this.yes = el("button", { class: "btn main", type: "button", onclick: resign }, t("resign_yes"));
		this.sure = el("p", { class: "sure", hidden: "" }, el("span", {}, t("resign_sure")), this.yes);
		this.menu = el(
			"dialog",
			{ class: "panel asking", "aria-labelledby": "asking-title" },
			el("h2", { id: "asking-title" }, t("ask_for")),
			el("div", { class: "stack" }, ...this.items.map(({ button }) => button)),
			this.sure,
			el("form", { method: "dialog" }, el("button", { class: "btn" }, t("close"))),
		);
		document.body.append(this.menu);
		$("asking").onclick = () => this.open();
	}

	/** @param {View} view */
	show(view) {
		const { may = [], ask, paused } = view;
		$("asking").disabled = false;
		$("stage").classList.toggle("paused", Boolean(paused));
		for (const { kind, button } of this.items) {
			button.hidden = kind === (paused ? "pause" : "resume");
			button.ariaDisabled = String(!may.includes(kind)); // pressed all the same, the server says why not
		}
		if (!may.includes("resign")) this.sure.hidden = true;
		const now = ask ? `${ask.v} ${ask.text} ${ask.need}` : "";
		const old = this.shown === undefined && !ask?.open;
		if (now !== this.shown && !old) this.tell(ask);
		this.shown = now;
		if (!this.text) this.fill((!view.outcome && paused) || "", this.resume());
	}

	// After a pause the table waits for this button.
	resume() {
		const { paused, may = [] } = this.table.view;
		return paused && may.includes("resume") ? [this.button("ask.resume", { t: "ask", what: "resume" })] : [];
	}

	/** Shows an open proposal with the buttons of its seats, or for a while the result. @param {Proposal | undefined} ask */
	tell(ask) {
		const { you, outcome } = this.table.view;
		clearTimeout(this.timer);
		this.text = ask?.text ?? "";
		if (!ask || (outcome && !ask.open)) {
			this.text = "";
			this.fill("", []); // the prompt says how the game ended
			return;
		}
		this.since = performance.now();
		const mine = ask.open && ask.need.some((seat) => you.includes(seat));
		this.fill(ask.text, this.buttons(ask, mine));
		this.table.say(mine ? `${ask.text} ${t("agree_help")}` : ask.text);
		if (!ask.open)
			this.timer = setTimeout(() => {
				this.text = "";
				this.show(this.table.view);
			}, SHOWN);
	}

	/** @param {Proposal} ask @param {boolean} mine */
	buttons(ask, mine) {
		/** @returns {Step} */
		const answer = (/** @type {boolean} */ yes) => ({ t: "answer", about: ask.v, yes });
		if (!ask.open) return this.resume();
		if (mine) return [this.button("agree", answer(true), "main"), this.button("refuse", answer(false))];
		const own = ask.seats.some((seat) => this.table.view.you.includes(seat));
		return own ? [this.button("withdraw", { t: "withdraw", about: ask.v })] : [];
	}

	/** @param {string} text @param {HTMLElement[]} buttons */
	fill(text, buttons) {
		this.bar.hidden = !text;
		this.bar.replaceChildren(el("p", {}, text), ...(buttons.length ? [el("div", { class: "row" }, ...buttons)] : []));
	}

	/** @param {string} words @param {Step} step */
	button(words, step, more = "") {
		const onclick = () => {
			if (performance.now() - this.since >= LATE || step.t === "ask") this.send(step);
		};
		return el("button", { class: `btn ${more}`, type: "button", onclick }, t(words));
	}

	open() {
		this.sure.hidden = true;
		this.menu.showModal();
	}

	/** @param {Kind} what */
	choose(what) {
		if (what !== "resign" || !this.table.view.may?.includes(what)) {
			this.send({ t: "ask", what });
			return;
		}
		this.sure.hidden = false;
		this.yes.focus();
	}

	/** @param {Step} step */
	send(step) {
		const { table } = this;
		this.menu.close();
		table.connection.queue(() => (step.t === "ask" ? { ...step, v: table.view.v } : step));
	}
}
