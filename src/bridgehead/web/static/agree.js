// Asking the others: the menu, the bar with what is asked and what became of it, and the pause.
import { $, el } from "./dom.js";
import { t } from "./words.js";

const LATE = 400; // ms after it appeared in which a button was not meant
const SHOWN = 7000; // ms for which it stands there what became of it

export class Agree {
	constructor(table) {
		this.table = table;
		this.bar = el("section", { class: "asked panel", "aria-label": t("asked"), hidden: "" });
		$("stage").append(this.bar);
		this.things = ["takeback", "pause", "resume", "draw", "resign"].map((what) => [what, el("button", { class: "btn", type: "button", onclick: () => this.ask(what) }, el("span", {}, t(`ask.${what}`)), el("small", {}, t(`ask.${what}.more`)))]);
		this.sure = el("p", { class: "sure", hidden: "" }, el("span", {}, t("resign_sure")), el("button", { class: "btn main", type: "button", onclick: () => this.send({ t: "ask", what: "resign" }) }, t("resign_yes")));
		this.menu = el("dialog", { class: "panel asking", "aria-labelledby": "asking-title" },
			el("h2", { id: "asking-title" }, t("ask_for")), el("div", { class: "stack" }, ...this.things.map(([, button]) => button)), this.sure,
			el("form", { method: "dialog" }, el("button", { class: "btn" }, t("close"))));
		document.body.append(this.menu);
		$("asking").onclick = () => this.open();
	}

	show(view) {
		const { may = [], ask, paused } = view;
		$("asking").disabled = !may.length;
		$("stage").classList.toggle("paused", Boolean(paused));
		for (const [what, button] of this.things) {
			button.hidden = what === (paused ? "pause" : "resume");
			button.disabled = !may.includes(what);
		}
		if (!may.includes("resign")) this.sure.hidden = true;
		const told = ask ? `${ask.v} ${ask.text} ${ask.need}` : "", old = this.told === undefined && !ask?.open;
		if (told !== this.told && !old) this.tell(ask);
		this.told = told;
		if (!this.said) this.fill(view.outcome ? "" : paused, this.resume());
	}

	// After a pause the table waits for this.
	resume() {
		const { paused, may = [] } = this.table.view;
		return paused && may.includes("resume") ? [this.button("ask.resume", { t: "ask", what: "resume" })] : [];
	}

	// What is asked, with the buttons of those whom it concerns; or for a while what became of it.
	tell(ask) {
		const { you } = this.table.view, mine = ask?.open && ask.need.some((seat) => you.includes(seat)), own = ask?.open && ask.seats.some((seat) => you.includes(seat));
		clearTimeout(this.timer);
		this.said = ask?.text;
		if (!ask || (this.table.view.outcome && !ask.open)) { this.said = ""; this.fill("", []); return; } // how the game ended stands above the buttons
		this.since = performance.now();
		const answer = (yes) => ({ t: "answer", about: ask.v, yes });
		this.fill(ask.text, mine ? [this.button("agree", answer(true), "main"), this.button("refuse", answer(false))] : own ? [this.button("withdraw", { t: "withdraw", about: ask.v })] : ask.open ? [] : this.resume());
		this.table.say([ask.text, mine && t("agree_help")].filter(Boolean).join(" "));
		if (!ask.open) this.timer = setTimeout(() => { this.said = ""; this.show(this.table.view); }, SHOWN);
	}

	fill(text, buttons) {
		this.bar.hidden = !text;
		this.bar.replaceChildren(el("p", {}, text), ...(buttons.length ? [el("div", { class: "row" }, ...buttons)] : []));
	}

	button(words, message, more = "") {
		return el("button", { class: `btn ${more}`, type: "button", onclick: () => { if (performance.now() - this.since >= LATE || message.t === "ask") this.send(message); } }, t(words));
	}

	open() {
		this.sure.hidden = true;
		this.menu.showModal();
	}

	ask(what) {
		if (what !== "resign") { this.send({ t: "ask", what }); return; }
		this.sure.hidden = false;
		this.sure.lastElementChild.focus();
	}

	send(message) {
		const { table } = this;
		this.menu.close();
		table.net.wish(() => message.t === "ask" ? { ...message, v: table.view.v } : message);
	}
}
