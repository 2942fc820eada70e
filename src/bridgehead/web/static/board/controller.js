// @ts-check
// What every page on which one acts has: a board, the paths of the legal actions, what is chosen, and its marks. A page says what
// it shows and what becomes of an action; how one chooses comes later (choosing.js), before the board can be touched.
/** @import * as Choosing from "./choosing.js" */
import { $, later } from "../base/dom.js";
import { Board } from "./board.js";
import { ClickPaths } from "./paths.js";

const choosing = later(() => import("./choosing.js"));

export class Controller {
	paths = new ClickPaths();
	/** @type {Choice | null} */
	staged = null; // the action that waits for confirmation
	/** @type {Refused | null} */
	refusal = null;
	asked = {}; // identifies the last question why not
	/** @type {typeof Choosing | undefined} */
	how; // one chooses

	constructor() {
		const touches = {
			touch: (/** @type {string} */ id, /** @type {boolean | undefined} */ byKey) => this.touch(id, byKey),
			pull: (/** @type {string} */ id) => this.pull(id),
			empty: () => this.clear(),
			look: () => this.render(),
		};
		this.board = new Board($("stage"), touches, $("map"), choosing);
		choosing.then((how) => {
			this.how = how;
			addEventListener("keydown", (event) => this.key(event));
			this.render();
		});
		addEventListener("prefs", () => {
			if (!this.isReady) return;
			this.lay();
			this.render();
		});
	}

	// What a page says of itself.

	/** Is there something to be seen? */
	get isReady() {
		return true;
	}

	/** Shows what is to be seen. @param {Trace[]} [_traces] */
	lay(_traces = [], _animate = false) {}

	/** The marks that do not come from choosing. @returns {Marks} */
	marks() {
		return {};
	}

	/** Shows the choices and buttons beside the board. */
	showChoices() {}

	/** @param {Choice} _choice */
	play(_choice) {}

	/** Does an action wait for a second touch, or for Confirm? @param {Choice} _choice */
	isStaged(_choice) {
		return false;
	}

	/** Is an action shown as it would be played as soon as no other is left? */
	get previews() {
		return false;
	}

	/** Of several actions with the same touches, the one that these mean by themselves. @returns {Choice | undefined} */
	get usual() {
		return undefined;
	}

	/** The buttons that the game has, by id. @returns {{ [id: string]: string } | undefined} */
	get known() {
		return undefined;
	}

	/** The page of the rules: what follows /rules/. */
	get rules() {
		return "";
	}

	/** Why something cannot be touched. @param {string[]} _touched @returns {Promise<Refusal>} */
	async findReason(_touched) {
		return { text: "" };
	}

	/** Where an error of a request is shown. */
	get problem() {
		return $("error");
	}

	/** Announces a text to screen readers. @param {string} _text */
	say(_text) {}

	/** Announces what is chosen. */
	sayChosen() {}

	// What a page may do before, or instead.

	/** @param {string} id @param {boolean} [_byKey] @param {boolean} [pulled] is it about to be dragged to a place? */
	touch(id, _byKey, pulled) {
		this.how?.touch(this, id, pulled);
	}

	/** @param {string} id */
	pull(id) {
		this.how?.pull(this, id);
	}

	/** @param {Choice} choice */
	choose(choice) {
		this.how?.choose(this, choice);
	}

	/** @param {string[]} [touched] */
	askWhy(touched) {
		return this.how?.askWhy(this, touched);
	}

	/** @param {Refusal} refusal @param {string} [id] */
	tell(refusal, id) {
		this.how?.tell(this, refusal, id);
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		this.how?.key(this, event);
	}

	forget() {
		this.asked = {};
		this.staged = this.refusal = null;
		this.board.explain("");
	}

	clear() {
		this.paths.prefix = [];
		this.forget();
		this.render();
	}

	render() {
		if (!this.isReady) return;
		const { paths, staged, board, refusal } = this;
		const chosen = paths.prefix.map((id) => (id.startsWith("f:") && board.standing(id)) || id);
		const [start, ...others] = staged?.path.filter((id) => board.items.has(id)) ?? [];
		const from = others.length ? board.standing(start) || start : undefined;
		board.setMarks({
			targets: staged ? new Map() : paths.next(),
			chosen,
			staged: start || staged?.ghost ? { from, to: others.at(-1) ?? start, ghost: staged?.ghost } : undefined,
			refusal,
			...this.marks(),
		});
		if (staged) board.draw(); // what is about to be done is in sight before it can be confirmed
		this.showChoices();
	}
}
