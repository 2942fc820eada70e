// @ts-check
// The clocks beside the seats. They run on here between views; only the server's figures count.
/** @import { Table } from "./table.js" */
import { $, el, later } from "../base/dom.js";
import { t } from "../base/i18n.js";

const LOW = 20000; // ms
const WARN = [60, 30, 10]; // seconds left at which a person is warned
/** @typedef {NonNullable<View["clock"]>} Clocks */

const two = (/** @type {number} */ n) => String(n).padStart(2, "0");

/** @param {number} ms */
export function figures(ms) {
	const s = Math.ceil(ms / 1000);
	const h = Math.floor(s / 3600);
	const m = Math.floor(s / 60) % 60;
	return h ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

/** @param {number} ms */
export function inWords(ms) {
	const s = Math.ceil(ms / 1000);
	const parts = Object.entries({ hours: Math.floor(s / 3600), minutes: Math.floor(s / 60) % 60, seconds: s % 60 });
	const words = parts.filter(([, n]) => n).map(([unit, n]) => t(n === 1 ? `${unit}_one` : unit, { n }));
	return words.join(" ") || t("seconds", { n: 0 });
}

export class Clock {
	/** @type {Clocks | undefined} */
	clock;
	/** @type {View} */
	view;
	/** @type {(HTMLElement | false)[]} */
	faces = [];
	/** @type {number | null | undefined} */
	running;
	/** @type {number | undefined} */
	moved;
	from = 0; // when the running clock was started
	nudged = 0; // reminders given in this turn
	warned = Infinity; // seconds left at the last warning
	/** @type {import("./correspondence.js").Correspondence | undefined} */
	slow;

	/** @param {Table} table */
	constructor(table) {
		this.table = table;
		setInterval(() => this.tick(), 250);
	}

	/** @param {View} view */
	show(view) {
		const { clock, moved } = view;
		if (this.running !== clock?.running || this.moved !== moved) Object.assign(this, { nudged: 0, warned: Infinity });
		Object.assign(this, { clock, view, moved, running: clock?.running, from: performance.now() - (clock?.elapsed ?? 0) });
		this.faces = view.seats.map(({ kind }, i) => {
			const face = kind === "person" && el("b", { class: "clock", role: "timer" });
			if (face) $("seats").children[i]?.querySelector("strong")?.after(face);
			return face;
		});
		if (clock?.days) this.days(clock);
		this.tick();
	}

	/** Days for each turn. @param {Clocks} clock */
	async days(clock) {
		const { Correspondence } = await later(() => import("./correspondence.js"));
		this.slow ||= new Correspondence(this.table);
		if (clock === this.clock) this.slow.show(this.view, clock, this.faces);
	}

	tick() {
		const { clock, view, faces } = this;
		if (!clock) return;
		const passed = clock.running === null ? 0 : performance.now() - this.from;
		faces.forEach((face, i) => {
			if (!face) return;
			if (clock.days) return;
			const ms = clock.left ? Math.max(0, clock.left[i] - (i === clock.running ? passed : 0)) : 0;
			const text = clock.left ? figures(ms) : this.long(clock, i, passed);
			this.write(face, view.seats[i], text, clock.left ? inWords(ms) : "");
			face.classList.toggle("low", Boolean(clock.left) && ms < LOW);
			if (i === clock.running && clock.left && view.you.includes(i)) this.warn(clock, ms);
		});
		this.nudge(clock, passed);
	}

	/** @param {HTMLElement} face @param {Seat} seat @param {string} text @param {string} words */
	write(face, { name, late }, text, words) {
		if (face.textContent === text) return;
		face.textContent = text;
		face.ariaLabel = late ? t("out_of_time", { name }) : words ? t("time_left", { name, time: words }) : text;
	}

	/**
	 * The time that a seat has been thinking, once that is long.
	 * @param {Clocks} clock @param {number} seat @param {number} passed
	 */
	long({ nudge, running }, seat, passed) {
		const minutes = Math.floor(passed / 60000);
		if (seat !== running || nudge === undefined || passed < nudge * 1000) return "";
		return inWords(minutes ? minutes * 60000 : nudge * 1000);
	}

	/** @param {Clocks} clock @param {number} ms */
	warn({ bank = 0 }, ms) {
		const due = WARN.find((s) => ms <= s * 1000 && ms > (s - 5) * 1000);
		if (due && due < this.warned && due < bank) this.table.say(t("warning", { time: inWords(ms) }));
		if (due) this.warned = Math.min(this.warned, due);
	}

	/** Reminds after every `nudge` seconds; the sounds listen for the event. @param {Clocks} clock @param {number} passed */
	nudge({ nudge, running }, passed) {
		const times = nudge ? Math.floor(passed / (nudge * 1000)) : 0;
		if (!nudge || running === null || times <= this.nudged) return;
		this.nudged = times;
		const { name } = this.view.seats[running];
		const time = inWords(times * nudge * 1000);
		this.table.say(this.view.you.includes(running) ? t("nudge_you", { time }) : t("nudge", { name, time }));
		dispatchEvent(new CustomEvent("sound", { detail: "nudge" }));
	}
}
