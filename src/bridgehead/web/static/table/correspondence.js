// @ts-check
// A table with days for each turn: the time that is left, who has days off, conditional moves.
/** @import { Table } from "./table.js" */
/** @import { Clocks } from "./clock.js" */
import { $, el, href, root } from "../base/dom.js";
import { inDays, t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { load } from "../base/store.js";

const LOW = 12 * 3_600_000; // ms left that are shown as little
const AGAIN = 60_000; // ms until the time that is left is written again

export class Correspondence {
	/** @type {[View, Clocks, (HTMLElement | false)[]] | undefined} */
	last;
	from = 0; // when the server's figures came
	moved = -1; // the version after which the plan was asked for
	note = el("p", { class: "quiet", role: "status" });
	plan = el("a", { class: "btn bare" }, t("plan.title"));

	/** @param {Table} table */
	constructor(table) {
		this.table = table;
		this.note.hidden = true;
		$("people").before(this.note);
		$("last").after(this.plan);
		setInterval(() => this.last && this.write(), AGAIN);
		this.remind();
	}

	/** @param {View} view @param {Clocks} clock @param {(HTMLElement | false)[]} faces */
	show(view, clock, faces) {
		this.last = [view, clock, faces];
		this.from = performance.now();
		this.plan.hidden = view.you.length !== 1 || Boolean(view.outcome);
		this.plan.href = href(`/study?table=${this.table.id}&plan=${view.v}`);
		this.write();
		if (this.moved !== view.moved) this.ask(view);
	}

	/** The reminders of this browser are for this table too. */
	async remind() {
		const { id: table, tokens } = this.table;
		for (const id of Object.values(load("reminders", {})))
			if (id && tokens.length) await ask(`/api/reminders?lang=${root.lang}`, { id, tables: [{ table, tokens }] }).catch(() => {});
	}

	write() {
		if (!this.last) return;
		const [view, { running, due, off = [] }, faces] = this.last;
		const passed = performance.now() - this.from;
		faces.forEach((face, i) => {
			if (!face) return;
			const away = Math.max(0, (off[i] ?? 0) - passed);
			const ms = i === running && due !== undefined ? Math.max(0, due - passed) : null;
			const time = away ? t("off.away", { time: inDays(away) }) : ms === null ? "" : inDays(ms);
			face.textContent = time;
			face.ariaLabel = away || ms === null ? time : t("time_left", { name: view.seats[i].name, time });
			face.classList.toggle("low", !away && ms !== null && ms < LOW);
			face.classList.toggle("slow", true);
		});
	}

	/** How many conditional moves this page's person has, or how they ended. @param {View} view */
	async ask({ moved, you, outcome }) {
		this.moved = moved;
		const [token] = this.table.tokens;
		if (you.length !== 1 || outcome || !token) return;
		const found = await ask(`/api/tables/${this.table.id}/plan?lang=${root.lang}`, { token }).catch(() => null);
		if (!found || this.moved !== moved) return;
		const state = found.ended || (found.lines.length ? t("plan.kept", { n: found.lines.length }) : "");
		this.note.hidden = !state;
		if (this.note.textContent !== state) this.note.textContent = state;
	}
}
