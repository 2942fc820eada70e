// @ts-check
// Steps in which one acts at a board: of a tutorial, or puzzles. Board and click paths are those of a table; the server sends
// each step with all its consequences.

import { $, el, later, reduced, root, svg } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { Controller } from "../board/controller.js";
import { EDGE } from "../board/sizes.js";

export const { game = "" } = $("main").dataset;
export const PAUSE = 1100; // ms between two actions that are shown
const LONG = 40; // px, an arrow

export class Lesson extends Controller {
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

	/** @param {Omit<Tutorial, "first">} tutorial */
	constructor(tutorial) {
		super();
		this.tutorial = tutorial;
		this.steps = tutorial.steps;
		this.board.setView(tutorial);
		new ResizeObserver(() => $("main").style.setProperty("--said", `${$("say").offsetHeight}px`)).observe($("say"));
		$("back").onclick = () => this.go(this.at - 1);
		$("help").onclick = () => this.help();
		$("next").onclick = () => this.next();
	}

	get isReady() {
		return Boolean(this.frame);
	}

	get known() {
		return this.step.buttons;
	}

	get rules() {
		return game;
	}

	/** The reason why something cannot be touched. @param {string} query what was touched */
	requestReason(query) {
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
		const on = this.at === at - 1;
		if (step) await this.setOut(step, at, on);
	}

	/** @param {Lesson["step"]} step @param {number} at @param {boolean} on whether the board shows its first frame already */
	async setOut(step, at, on) {
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
			this.showFrame(frame, i > 0 && on);
			if (i) $("happened").append(el("li", {}, frame.sentence));
			this.render();
		}
		this.watching = false;
		this.paths.reset(step.choices || []);
		$("text").textContent = step.text;
		this.render();
		this.board.draw();
		this.centre(step.show.map((id) => this.board.spot(id)).filter((spot) => spot !== null));
		this.board.focusId = undefined;
		if (this.todo) this.board.focus();
		else $(step === this.steps.at(-1) ? "first" : "next").focus();
	}

	/** The steps that may be shown. */
	get all() {
		return Object.values(this.steps);
	}

	/** Gives every sentence the room of the longest: the board stays in its place from step to step. */
	reserve() {
		const told = this.all.flatMap(({ frames, text, right, after }) => [
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

	/** @param {Trace[]} [traces] */
	lay(traces = [], animate = false) {
		this.board.setView({ items: this.frame.items, traces, animate });
	}

	/** @param {Shown} frame @param {boolean} animate */
	showFrame(frame, animate) {
		this.frame = frame;
		this.lay(frame.traces, animate);
		const own = (/** @type {string} */ name, /** @type {number} */ i) =>
			i === this.tutorial.seat ? `${name} (${t("you")})` : name;
		later(() => import("../board/seats.js")).then(({ fillSeats }) =>
			fillSeats({ seats: frame.plates.map((plate, i) => ({ ...plate, name: own(plate.name, i) })), actor: frame.actor }),
		);
	}

	/** @param {string} id @param {boolean} [byKey] @param {boolean} [pulled] */
	touch(id, byKey, pulled) {
		if (this.todo) super.touch(id, byKey, pulled);
	}

	/** A legal action: plays one that the step asks for, and says of any other why not now; false then. @param {Choice} choice */
	play({ action, path }) {
		const { right = {}, wrong = {}, after } = this.step;
		const frame = right[action];
		if (!frame) {
			this.clear();
			this.tell({ text: wrong[action] || this.other() }, path.at(-1));
			return false;
		}
		this.done = true;
		this.paths.reset([]);
		this.forget();
		this.showFrame(frame, true);
		$("happened").replaceChildren();
		$("text").textContent = after || frame.sentence;
		$("praise").textContent = t("learn_right");
		this.render();
		$("next").focus();
		return true;
	}

	/** @param {string[]} touched */
	findReason(touched) {
		return this.requestReason(touched.map((each) => `&touch=${encodeURIComponent(each)}`).join(""));
	}

	/** @param {string[]} [touched] */
	async askWhy(touched) {
		if (this.todo) await super.askWhy(touched);
	}

	// First a hint, then the action itself.
	help() {
		if (!this.todo) return;
		const { step } = this;
		const choice = step.choices?.find(({ action }) => step.right?.[action]);
		if (this.helped === step && choice) this.play(choice);
		else this.hint(choice?.path[0]);
		this.helped = step;
		this.render();
	}

	/** A hint beside the thing that it is about, in the colour of help. @param {string | undefined} id */
	hint(id) {
		this.tell({ text: this.step.hint ?? "" }, id);
		$("why").classList.add("hint");
	}

	/** What a hint points at. */
	get hinted() {
		const choice = this.step.choices?.find(({ action }) => this.step.right?.[action]);
		return this.helped === this.step && choice ? [choice.path[0]] : [];
	}

	forget() {
		super.forget();
		$("why").classList.remove("hint");
		showError($("error"));
	}

	/** What the step points at, until something is touched. */
	get shown() {
		const { watching, done, paths, step, hinted } = this;
		return watching || done || paths.prefix.length ? [] : [...new Set([...step.show, ...hinted])];
	}

	marks() {
		const { board } = this;
		const there = this.shown.filter((id) => board.items.has(id));
		const { viewport } = board;
		const more = () => there.map((id) => pointer(board.touchSpot(id), 1 / viewport.scale, viewport.box[1]));
		return { last: this.frame.last, seen: there, more };
	}

	showChoices() {
		$("praise").hidden = !this.done;
		$("buttons").replaceChildren(...(this.how?.makeButtons(this, this.shown) ?? []));
		this.how?.offerComplete(this);
		$("back").disabled = !this.at;
		$("help").disabled = !this.todo;
		$("help").hidden = $("next").hidden = this.at === this.steps.length - 1 && !this.todo && !this.watching;
		$("next").disabled = this.watching || this.todo || this.at === this.steps.length - 1;
		$("after").hidden = !$("next").hidden;
	}
}

/** What a step says, unseen. @param {Shown[]} frames @param {string} text @param {string} [praise] */
const room = (frames, text, praise) => {
	const lines = frames.map(({ sentence }) => el("li", {}, sentence));
	const parts = [el("ul", { class: "quiet" }, ...lines), praise && el("p", { class: "praise" }, praise), el("p", {}, text)];
	return el("div", { class: "stack room", "aria-hidden": "true" }, ...parts);
};

/**
 * An arrow of one size on every screen: from above, or from below where the board ends above.
 * @param {Spot} spot @param {number} k @param {number} top
 */
function pointer({ x, y, r }, k, top) {
	const scale = Math.max(1, k);
	const side = y - r * 0.8 - LONG * scale < top + EDGE ? -1 : 1; // names of columns may stand there
	const place = `translate(${x} ${y - side * r * 0.8}) scale(${scale} ${side * scale})`;
	return svg("g", { class: "pointer", transform: place }, svg("path", { d: "M0-2L-13-20H-6V-40H6V-20H13Z" }));
}
