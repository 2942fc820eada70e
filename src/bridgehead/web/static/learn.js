// A tutorial: the board and the click paths are those of the table; the steps come from the server, with all that follows from them.
import { Board } from "./board.js";
import { $, ask, el, problem, reduced, root, startPage, svg, wake } from "./dom.js";
import { bubble, fillSeats } from "./panels.js";
import { Paths } from "./paths.js";
import { t } from "./words.js";

const { game } = $("main").dataset;
const PAUSE = 1100; // ms between two actions that are watched

class Lesson {
	constructor(told) {
		Object.assign(this, told, { paths: new Paths() });
		this.board = new Board($("stage"), { touch: (id) => this.touch(id), pull: (id) => { if (!this.board.chosen.includes(id)) this.touch(id); }, empty: () => this.clear() }, $("map"));
		this.board.setPicture(this.picture, this.title);
		$("progress").max = this.steps.length;
		const clicks = { back: () => this.go(this.at - 1), help: () => this.help(), next: () => this.go(this.at + 1), first: () => this.play() };
		for (const [id, act] of Object.entries(clicks)) $(id).onclick = act;
		addEventListener("keydown", (event) => this.key(event));
		addEventListener("prefs", () => { this.lay(this.frame, false); this.render(); });
		this.go(Math.max(0, Math.min(this.steps.length, Number(new URLSearchParams(location.search).get("step")) || 1) - 1));
	}

	get todo() {
		return this.step.right && !this.done && !this.watching;
	}

	// A step: what is watched comes one after another, then the learner is told what to do.
	async go(at) {
		if (!this.steps[at]) return;
		const on = this.at === at - 1, step = this.steps[at];
		const run = Object.assign(this, { at, step, done: false, watching: true }).run = {};
		this.paths.reset([]);
		this.forget();
		$("count").textContent = t("learn_step", { n: at + 1, all: this.steps.length });
		$("progress").value = at + 1;
		$("text").textContent = $("praise").textContent = "";
		$("happened").replaceChildren();
		for (const [i, frame] of step.frames.entries()) {
			if (i && on && !reduced()) await new Promise((resolve) => { setTimeout(resolve, PAUSE); });
			if (run !== this.run) return;
			this.lay(frame, i > 0 && on);
			if (i) $("happened").append(el("li", {}, frame.sentence));
			this.render();
		}
		this.watching = false;
		this.paths.reset(step.choices || []);
		$("text").textContent = step.text;
		this.render();
		this.centre(step.show.map((id) => this.board.spot(id)).filter(Boolean));
		if (this.todo) this.board.focus(this.board.stops().find((id) => this.board.targets.has(id)) || this.board.stops()[0]);
		else $(step === this.steps.at(-1) ? "first" : "next").focus();
	}

	// Where only a part of the board is seen, what the text is about lies in its middle.
	centre(spots) {
		const { view } = this.board, middle = (axis) => spots.reduce((sum, spot) => sum + spot[axis], 0) / spots.length;
		if (view.active && spots.length) view.centre({ x: middle("x"), y: middle("y") });
	}

	lay(frame, animate) {
		this.frame = frame;
		this.board.setItems(frame.items, frame.traces, animate);
		fillSeats({ seats: frame.plates.map((plate, i) => ({ ...plate, name: i === this.seat ? `${plate.name} (${t("you")})` : plate.name })), actor: frame.actor });
	}

	touch(id) {
		if (!this.todo) return;
		this.forget();
		const before = [...this.paths.prefix], what = this.paths.touch(id, this.board.items);
		if (what === "act") this.choose(this.paths.complete[0]);
		else this.render();
		if (what === "no") this.why([...before, id]);
	}

	// A legal action: what is meant is played, of any other it is said why not now.
	choose({ action, path }) {
		const { right, wrong, hint, after } = this.step;
		if (!right[action]) {
			this.clear();
			this.tell(wrong[action] || `${t("learn_other")} ${hint}`, "", path.at(-1));
			return;
		}
		this.done = true;
		this.paths.reset([]);
		this.forget();
		this.lay(right[action], true);
		$("happened").replaceChildren();
		$("text").textContent = after || right[action].sentence;
		$("praise").textContent = t("learn_right");
		this.render();
		$("next").focus();
	}

	async why(touched) {
		const { step, at } = this, query = touched.map((id) => `&touch=${encodeURIComponent(id)}`).join("");
		try {
			const { text, clause, show } = await ask(`/api/games/${game}/tutorial/why?lang=${root.lang}&step=${at}${query}`);
			if (step !== this.step || this.done) return;
			this.no = { id: touched.at(-1), show };
			this.render();
			this.tell(text, clause && el("a", { href: `/rules/${game}#${clause}`, target: "_blank" }, t("rule", { clause })), touched.at(-1), show);
		} catch (error) { problem($("error"), error); }
	}

	tell(text, link, id, show = []) {
		bubble(this.board, text, link, id, [...show, ...this.board.targets.keys()]);
	}

	// First in words, then by doing it.
	help() {
		if (!this.todo) return;
		const { step } = this, choice = step.choices.find(({ action }) => step.right[action]);
		if (this.helped === step) this.choose(choice);
		else this.tell(step.hint);
		this.helped = step;
	}

	forget() {
		this.no = null;
		bubble(this.board, "");
		problem($("error"));
	}

	clear() {
		this.paths.prefix = [];
		this.forget();
		this.render();
	}

	render() {
		const { board, paths, step, frame } = this, next = paths.next();
		board.setMarks({ targets: next, chosen: paths.prefix.map((id) => (id.startsWith("f:") && board.standing(id)) || id), last: frame.last, no: this.no });
		const shown = this.watching || this.done || paths.prefix.length ? [] : step.show;
		const there = shown.filter((id) => board.items.has(id));
		board.over.append(...there.map((id) => pointer(board.spot(id), 1 / board.view.scale)));
		if (there.length) board.seen = there;
		board.view.follow();
		$("praise").hidden = !this.done;
		this.buttons(next, shown);
		const all = paths.complete.length > 1 ? paths.complete : [];
		$("choices").replaceChildren(...all.map((choice) => el("li", {}, el("button", { class: "btn", onclick: () => this.choose(choice) }, el("span", {}, choice.label), choice.note && el("small", {}, choice.note)))));
		$("back").disabled = !this.at;
		$("help").disabled = !this.todo;
		$("next").disabled = this.watching || Boolean(this.todo) || this.at === this.steps.length - 1;
		$("after").hidden = this.watching || this.at < this.steps.length - 1;
	}

	buttons(next, shown) {
		const known = { ...this.step.buttons }, first = this.paths.next([]);
		for (const { path, label } of this.paths.choices) for (const id of path) if (id.startsWith("!")) known[id] ||= label;
		$("buttons").replaceChildren(...Object.entries(known).map(([id, label]) => el("button", { class: shown.includes(id) ? "btn look" : "btn", disabled: !next.has(id) && !first.has(id),
			"aria-pressed": String(this.paths.prefix.includes(id)), onclick: () => { if (!next.has(id)) this.clear(); this.touch(id); } }, label)));
	}

	key(event) {
		if (event.ctrlKey || event.altKey || event.metaKey || $("settings").open) return;
		if (event.key === "Escape") this.clear();
		else if (event.key === "?" && this.todo && this.board.focusId) this.why([...this.paths.prefix, this.board.focusId]);
	}

	// The first game: this browser against beginners.
	async play() {
		const { options, seats, level } = this.first;
		try {
			const { table, tokens, host } = await ask("/api/tables", { game, options: { ...options, seats }, seats: Array.from({ length: seats }, (_, i) => (i ? { kind: "computer", level } : { kind: "person" })) });
			location.assign(`/t/${table}#s=${tokens[0]}&h=${host}`);
		} catch (error) { problem($("error"), error); }
	}
}

// An arrow from above, of one size on every screen.
function pointer({ x, y, r }, k) {
	return svg("g", { class: "pointer", transform: `translate(${x} ${y - r * 0.8}) scale(${Math.max(1, k)})` }, svg("path", { d: "M0-2L-13-20H-6V-40H6V-20H13Z" }));
}

startPage().then(async () => {
	const script = ask(`/api/games/${game}/tutorial?lang=${root.lang}`).finally(() => wake());
	try { new Lesson(await script); } catch (error) { problem($("error"), error); }
});
