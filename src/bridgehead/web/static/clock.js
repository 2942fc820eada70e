// The clocks in the strip of seats. They tick here; only what the server says counts.
import { $, el } from "./dom.js";
import { t } from "./words.js";

const LOW = 20000, WARN = [60, 30, 10]; // ms; seconds at which a person is told

const two = (n) => String(n).padStart(2, "0");

export function figures(ms) {
	const s = Math.ceil(ms / 1000), h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
	return h ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

export function inWords(ms) {
	const s = Math.ceil(ms / 1000), parts = [["hours", Math.floor(s / 3600)], ["minutes", Math.floor(s / 60) % 60], ["seconds", s % 60]];
	return parts.filter(([, n]) => n).map(([unit, n]) => t(n === 1 ? `${unit}_one` : unit, { n })).join(" ") || t("seconds", { n: 0 });
}

export class Clock {
	constructor(table) {
		Object.assign(this, { table, nudged: 0, warned: Infinity });
		setInterval(() => this.tick(), 250);
	}

	show(view) {
		const { clock, v } = view;
		if (this.running !== clock.running || this.moved !== view.moved) Object.assign(this, { nudged: 0, warned: Infinity });
		Object.assign(this, { clock, view, running: clock.running, moved: view.moved, from: performance.now() - clock.elapsed, v });
		this.faces = view.seats.map(({ kind }, i) => {
			const face = kind === "person" && el("b", { class: "clock", role: "timer" });
			if (face) $("seats").children[i]?.querySelector("strong").after(face);
			return face;
		});
		this.tick();
	}

	tick() {
		const { clock, view, faces } = this;
		if (!clock) return;
		const passed = clock.running === null ? 0 : performance.now() - this.from;
		faces.forEach((face, i) => {
			if (!face) return;
			const ms = clock.left ? Math.max(0, clock.left[i] - (i === clock.running ? passed : 0)) : 0;
			this.write(face, view.seats[i], clock.left ? figures(ms) : this.long(i, passed), clock.left ? inWords(ms) : "");
			face.classList.toggle("low", Boolean(clock.left) && ms < LOW);
			if (i === clock.running && clock.left && view.you.includes(i)) this.warn(ms);
		});
		this.nudge(passed);
	}

	write(face, { name, late }, text, words) {
		if (face.textContent === text) return;
		face.textContent = text;
		face.ariaLabel = late ? t("out_of_time", { name }) : words ? t("time_left", { name, time: words }) : text;
	}

	// For how long somebody has been thinking, once that is long.
	long(seat, passed) {
		const { nudge, running } = this.clock, minutes = Math.floor(passed / 60000);
		return seat === running && passed >= nudge * 1000 ? inWords(minutes ? minutes * 60000 : nudge * 1000) : "";
	}

	warn(ms) {
		const due = WARN.find((s) => ms <= s * 1000 && ms > (s - 5) * 1000);
		if (due && due < this.warned && due * 1000 < this.clock.bank * 1000) this.table.say(t("warning", { time: inWords(ms) }));
		if (due) this.warned = Math.min(this.warned, due);
	}

	// A reminder after every so many seconds; whoever makes sounds listens for the event.
	nudge(passed) {
		const { nudge, running } = this.clock, times = nudge ? Math.floor(passed / (nudge * 1000)) : 0;
		if (times <= this.nudged) return;
		this.nudged = times;
		const { name } = this.view.seats[running], time = inWords(times * nudge * 1000);
		this.table.say(this.view.you.includes(running) ? t("nudge_you", { time }) : t("nudge", { name, time }));
		dispatchEvent(new CustomEvent("sound", { detail: "nudge" }));
	}
}
