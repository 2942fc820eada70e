// @ts-check
// Steps in which one acts at a board: of a tutorial, or puzzles. Board and click paths are those of a table; the server sends
// each step with all its consequences.

import { $, el, later, reduced, root, svg } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { actionOf, TABLE } from "../base/keys.js";
import { ask } from "../base/request.js";
import { Board } from "../board/board.js";
import { ClickPaths } from "../board/paths.js";

export const { game = "" } = $("main").dataset;
const PAUSE = 1100; // ms between two actions that are shown

export class Lesson {
	paths = new ClickPaths();
	seats = later(() => import("../board/seats.js"));
	at = -1; // number of the step
	/** @type {Tutorial["steps"][number]} */
	step;
	/** @type {Shown} */
	frame;
	done = false; // the action of this step
	watching = false; // actions are being shown
	run = {}; // identifies the call of `go` that is under way
	/** @type {object | undefined} */
	helped; // the step whose hint was shown
	/** @type {Refused | null} */
	refusal = null;

	/** @param {Omit<Tutorial, "first">} tutorial */
	constructor(tutorial) {
		this.tutorial = tutorial;
		this.steps = tutorial.steps;
		const touch = (/** @type {string} */ id) => this.touch(id);
		const pull = (/** @type {string} */ id) => {
			if (!this.board.chosen.includes(id)) this.touch(id);
		};
		this.board = new Board(
			$("stage"),
			{ touch, pull, empty: () => this.clear(), look: () => this.frame && this.render() },
			$("map"),
		);
		this.board.setPicture(tutorial.picture, tutorial.title);
		new ResizeObserver(() => $("main").style.setProperty("--said", `${$("say").offsetHeight}px`)).observe($("say"));
		$("back").onclick = () => this.go(this.at - 1);
		$("help").onclick = () => this.help();
		$("next").onclick = () => this.next();
		addEventListener("keydown", (event) => this.key(event));
		addEventListener("prefs", () => {
			this.lay(this.frame, false);
			this.render();
		});
	}

	/** The reason why something cannot be touched. @param {string} query what was touched */
	whyNot(query) {
		return ask(`/api/games/${game}/tutorial/why?lang=${root.lang}&step=${this.at}${query}`);
	}

	next() {
		this.go(this.at + 1);
	}

	count() {
		$("count").textContent = t("learn_step", { n: this.at + 1, all: this.steps.length });
		$("progress").max = this.steps.length;
		$("progress").value = this.at + 1;
	}

	/** The answer to an action that is legal and not meant. */
	other() {
		return `${t("learn_other")} ${this.step.hint}`;
	}

	get todo() {
		return Boolean(this.step.right) && !this.done && !this.watching;
	}

	/** A step: shows its actions one after another, then its task. @param {number} at */
	async go(at) {
		const step = this.steps[at];
		if (!step) return;
		const on = this.at === at - 1;
		const run = {};
		Object.assign(this, { at, step, run, done: false, watching: true });
		this.paths.reset([]);
		this.forget();
		this.count();
		this.reserve();
		$("text").textContent = $("praise").textContent = "";
		$("happened").replaceChildren();
		for (const [i, frame] of step.frames.entries()) {
			if (i && on && !reduced()) await new Promise((resolve) => setTimeout(resolve, PAUSE));
			if (run !== this.run) return;
			this.lay(frame, i > 0 && on);
			if (i) $("happened").append(el("li", {}, frame.sentence));
			this.render();
		}
		this.watching = false;
		this.paths.reset(step.choices || []);
		$("text").textContent = step.text;
		this.render();
		this.centre(step.show.map((id) => this.board.spot(id)).filter((spot) => spot !== null));
		if (this.todo) this.board.focus(this.board.stops().find((id) => this.board.targets.has(id)) || this.board.stops()[0]);
		else $(step === this.steps.at(-1) ? "first" : "next").focus();
	}

	/** Gives every sentence the room of the longest: the board stays in its place from step to step. */
	reserve() {
		const told = Object.values(this.steps).flatMap(({ frames, text, right, after }) => [
			room(frames.slice(1), text),
			...Object.values(right ?? {}).map((frame) => room([], after || frame.sentence, t("learn_right"))),
		]);
		for (const old of document.querySelectorAll(".room")) old.remove();
		$("say").append(...told);
	}

	/** Centres the visible part of the board on what the text is about. @param {Spot[]} spots */
	centre(spots) {
		const { viewport } = this.board;
		const middle = (/** @type {"x" | "y"} */ axis) => spots.reduce((sum, spot) => sum + spot[axis], 0) / spots.length;
		if (viewport.active && spots.length) viewport.centre({ x: middle("x"), y: middle("y") });
	}

	/** @param {Shown} frame @param {boolean} animate */
	lay(frame, animate) {
		this.frame = frame;
		this.board.setItems(frame.items, frame.traces, animate);
		const own = (/** @type {string} */ name, /** @type {number} */ i) =>
			i === this.tutorial.seat ? `${name} (${t("you")})` : name;
		this.seats.then(({ fillSeats }) =>
			fillSeats({ seats: frame.plates.map((plate, i) => ({ ...plate, name: own(plate.name, i) })), actor: frame.actor }),
		);
	}

	/** @param {string} id */
	touch(id) {
		if (!this.todo) return;
		this.forget();
		const before = [...this.paths.prefix];
		const result = this.paths.touch(id, this.board.items);
		if (result === "act") this.choose(this.paths.complete[0]);
		else this.render();
		if (result === "no") this.why([...before, id]);
	}

	/** A legal action: plays one that the step asks for, and says of any other why not now; false then. @param {Choice} choice */
	choose({ action, path }) {
		const { right = {}, wrong = {}, after } = this.step;
		const frame = right[action];
		if (!frame) {
			this.clear();
			this.tell(wrong[action] || this.other(), "", path.at(-1));
			return false;
		}
		this.done = true;
		this.paths.reset([]);
		this.forget();
		this.lay(frame, true);
		$("happened").replaceChildren();
		$("text").textContent = after || frame.sentence;
		$("praise").textContent = t("learn_right");
		this.render();
		$("next").focus();
		return true;
	}

	/** @param {string[]} touched */
	async why(touched) {
		const { step } = this;
		const id = touched[touched.length - 1];
		const query = touched.map((each) => `&touch=${encodeURIComponent(each)}`).join("");
		try {
			const { text, clause, show } = await this.whyNot(query);
			if (step !== this.step || this.done) return;
			this.refusal = { id, show };
			this.render();
			const link = clause && el("a", { href: `/rules/${game}#${clause}`, target: "_blank" }, t("rule", { clause }));
			this.tell(text, link, id, show);
		} catch (error) {
			showError($("error"), error);
		}
	}

	/** @param {string} text @param {Node | string} [link] @param {string} [id] @param {string[]} [show] */
	tell(text, link, id, show = []) {
		this.board.explain(text, link, id, [...show, ...this.board.targets.keys()]);
	}

	// First a hint, then the action itself.
	help() {
		if (!this.todo) return;
		const { step } = this;
		const choice = step.choices?.find(({ action }) => step.right?.[action]);
		if (this.helped === step && choice) this.choose(choice);
		else this.hint(choice?.path[0]);
		this.helped = step;
		this.render();
	}

	/** A hint beside the thing that it is about, in the colour of help. @param {string | undefined} id */
	hint(id) {
		this.tell(this.step.hint ?? "", "", id);
		$("why").classList.add("hint");
	}

	/** What a hint points at. */
	get hinted() {
		const choice = this.step.choices?.find(({ action }) => this.step.right?.[action]);
		return this.helped === this.step && choice ? [choice.path[0]] : [];
	}

	forget() {
		$("why").classList.remove("hint");
		this.refusal = null;
		this.board.explain("");
		showError($("error"));
	}

	clear() {
		this.paths.prefix = [];
		this.forget();
		this.render();
	}

	render() {
		const { board, paths, step, frame } = this;
		const next = paths.next();
		const chosen = paths.prefix.map((id) => (id.startsWith("f:") && board.standing(id)) || id);
		board.setMarks({ targets: next, chosen, last: frame.last, refusal: this.refusal });
		const shown = this.watching || this.done || paths.prefix.length ? [] : [...new Set([...step.show, ...this.hinted])];
		const there = shown.filter((id) => board.items.has(id));
		board.over.append(...there.map((id) => pointer(board.spotOf(id), 1 / board.viewport.scale)));
		if (there.length) board.seen = there;
		board.viewport.follow();
		$("praise").hidden = !this.done;
		this.buttons(next, shown);
		const all = paths.complete.length > 1 ? paths.complete : [];
		$("choices").replaceChildren(...all.map((choice) => this.offer(choice)));
		$("back").disabled = !this.at;
		$("help").disabled = !this.todo;
		$("help").hidden = $("next").hidden = this.at === this.steps.length - 1 && !this.todo && !this.watching;
		$("next").disabled = this.watching || this.todo || this.at === this.steps.length - 1;
		$("after").hidden = !$("next").hidden;
	}

	/** @param {Choice} choice */
	offer(choice) {
		const words = [el("span", {}, choice.label), choice.note && el("small", {}, choice.note)];
		return el("li", {}, el("button", { class: "btn", onclick: () => this.choose(choice) }, ...words));
	}

	/** @param {Map<string, Target>} next @param {string[]} shown */
	buttons(next, shown) {
		const known = { ...this.step.buttons };
		const first = this.paths.next([]);
		for (const { path, label } of this.paths.choices) for (const id of path) if (id.startsWith("!")) known[id] ||= label;
		const made = Object.entries(known).map(([id, label]) => {
			const onclick = () => {
				if (!next.has(id)) this.clear();
				this.touch(id);
			};
			const look = shown.includes(id) ? "btn look" : "btn";
			const pressed = String(this.paths.prefix.includes(id));
			return el("button", { class: look, disabled: !next.has(id) && !first.has(id), "aria-pressed": pressed, onclick }, label);
		});
		$("buttons").replaceChildren(...made);
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		if (event.ctrlKey || event.altKey || event.metaKey || $("settings").open) return;
		if (event.key === "Escape") this.clear();
		else if (actionOf(TABLE, event) === "why" && this.todo && this.board.focusId)
			this.why([...this.paths.prefix, this.board.focusId]);
	}
}

/** What a step says, unseen. @param {Shown[]} frames @param {string} text @param {string} [praise] */
const room = (frames, text, praise) => {
	const lines = frames.map(({ sentence }) => el("li", {}, sentence));
	const parts = [el("ul", { class: "quiet" }, ...lines), praise && el("p", { class: "praise" }, praise), el("p", {}, text)];
	return el("div", { class: "stack room", "aria-hidden": "true" }, ...parts);
};

/** An arrow from above, of one size on every screen. @param {Spot} spot @param {number} k */
function pointer({ x, y, r }, k) {
	const place = `translate(${x} ${y - r * 0.8}) scale(${Math.max(1, k)})`;
	return svg("g", { class: "pointer", transform: place }, svg("path", { d: "M0-2L-13-20H-6V-40H6V-20H13Z" }));
}
