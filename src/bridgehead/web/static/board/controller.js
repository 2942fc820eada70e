// @ts-check
// What all pages do on which one acts at a board: choosing by touches, drags and keys, the action that waits for confirmation,
// the marks, and the reason why something cannot be touched. A page says what it shows and what becomes of an action.
import { $, el } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { actionOf, TABLE } from "../base/keys.js";
import { Board } from "./board.js";
import { ClickPaths } from "./paths.js";

export class Controller {
	paths = new ClickPaths();
	/** @type {Choice | null} */
	staged = null; // the action that waits for confirmation
	/** @type {Refused | null} */
	refusal = null;
	asked = {}; // identifies the last question why not

	constructor() {
		this.board = new Board(
			$("stage"),
			{
				touch: (id, byKey) => this.touch(id, byKey),
				pull: (id) => this.pull(id),
				empty: () => this.clear(),
				look: () => this.render(),
			},
			$("map"),
		);
		addEventListener("keydown", (event) => {
			if (this.isReady && !document.querySelector("dialog[open]")) this.key(event);
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

	/** Shows the choices and buttons beside the board. @param {Map<string, Target>} _next what can be touched next */
	showChoices(_next) {}

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

	// What all pages do.

	/** @param {string} id @param {boolean} [_byKey] @param {boolean} [pulled] is it about to be dragged to a place? */
	touch(id, _byKey, pulled) {
		const { staged, paths } = this;
		const last = staged?.path.at(-1);
		this.forget();
		if (staged && [id, this.board.items.get(id)?.at].includes(last)) {
			this.play(staged);
			return;
		}
		if (staged) paths.prefix.pop();
		const before = [...paths.prefix];
		const { sole } = paths;
		const result = paths.touch(id, this.board.items);
		const clear = result === "act" ? paths.complete[0] : result === "choice" ? this.usual : undefined;
		const only = this.previews && result === "step" && !pulled ? paths.only : null;
		if (clear && this.previews && clear === sole) this.stage(clear);
		else if (clear) this.choose(clear);
		else if (only) this.stage(only);
		else this.render();
		if (result === "no") this.askWhy([...before, id]);
		else if (!clear && !only) this.sayChosen();
	}

	/** A drag begins. @param {string} id */
	pull(id) {
		if (this.staged || !this.paths.resolve(id, this.board.items)) this.clear();
		if (!this.board.chosen.includes(id)) this.touch(id, false, true);
	}

	/** A button beside the board is pressed. @param {string} id */
	press(id) {
		if (this.staged || !this.paths.next().has(id)) this.clear();
		this.touch(id);
	}

	/** @param {Choice} choice */
	choose(choice) {
		if (this.staged === choice || !this.isStaged(choice)) this.play(choice);
		else this.stage(choice);
	}

	/** Shows a choice as it would be played. A second touch of its end, or Confirm, plays it. @param {Choice} choice */
	stage(choice) {
		this.staged = choice;
		this.paths.prefix = [...choice.path];
		this.say(t("staged", { what: choice.label }));
		this.render();
		this.board.host.scrollIntoView({ block: "nearest", behavior: "instant" });
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

	/**
	 * Asks why things cannot be touched: by default what was touched, and what has the focus.
	 * @param {string[]} [touched]
	 */
	async askWhy(touched = [...this.paths.prefix, this.board.focusId ?? ""].filter((id, i, all) => id && id !== all[i - 1])) {
		const id = touched.at(-1);
		if (!id || touched.length === this.paths.prefix.length) {
			this.tell({ text: t("why_help") });
			return;
		}
		const asked = {};
		this.asked = asked;
		try {
			const reason = await this.findReason(touched);
			if (asked !== this.asked) return;
			this.refusal = { id, show: reason.show ?? [] };
			this.render();
			this.tell(reason, id);
		} catch (error) {
			if (asked === this.asked) showError(this.problem, error);
		}
	}

	/** Explains something beside a thing. @param {Refusal} refusal @param {string} [id] */
	tell({ text, clause, show = [] }, id = "") {
		this.board.explain(text, this.ruleLink(clause), id, [...show, ...this.board.targets.keys()]);
		this.say(text);
	}

	/** A link to a rule. @param {string} [clause] */
	ruleLink(clause) {
		const to = `/rules/${this.rules}#${clause}`;
		return clause ? el("a", { href: to, target: "_blank" }, t("rule", { clause })) : "";
	}

	render() {
		if (!this.isReady) return;
		const { paths, staged, board, refusal } = this;
		const next = paths.next();
		const chosen = paths.prefix.map((id) => (id.startsWith("f:") && board.standing(id)) || id);
		const [start, ...others] = staged?.path.filter((id) => board.items.has(id)) ?? [];
		const from = others.length ? board.standing(start) || start : undefined;
		board.setMarks({
			targets: staged ? new Map() : next,
			chosen,
			staged: start ? { from, to: others.at(-1) ?? start } : undefined,
			refusal,
			...this.marks(),
		});
		if (staged) board.draw(); // what is about to be done is in sight before it can be confirmed
		this.showChoices(next);
	}

	/** A button for a choice. The second click of a double click was meant for what was there before. @param {Choice} choice */
	offer(choice) {
		const onclick = (/** @type {MouseEvent} */ { detail }) => {
			if (detail < 2) this.choose(choice);
		};
		const pressed = String(this.staged === choice);
		const note = choice.note && el("small", {}, choice.note);
		return el("button", { class: "btn", type: "button", "aria-pressed": pressed, onclick }, el("span", {}, choice.label), note);
	}

	/** The rows of the actions among which one has to choose, since all of them have been touched. */
	offerComplete() {
		const { complete } = this.paths;
		$("choices").replaceChildren(...(complete.length > 1 ? complete.map((each) => el("li", {}, this.offer(each))) : []));
	}

	/**
	 * The buttons for what can be chosen beside the board. They keep their places; one that cannot be pressed now says why.
	 * @param {Map<string, Target>} next what can be touched next @param {string[]} [shown] those that are pointed at
	 */
	makeButtons(next, shown = []) {
		const { paths } = this;
		const known = { ...this.known };
		const first = paths.next([]);
		for (const { path, label } of paths.choices) for (const id of path) if (id.startsWith("!")) known[id] ||= label;
		return Object.entries(known).map(([id, label]) => {
			const off = !next.has(id) && !first.has(id);
			const pressed = String(paths.prefix.includes(id));
			const onclick = () => (off ? this.askWhy([...paths.prefix, id]) : this.press(id));
			const look = { class: shown.includes(id) ? "btn look" : "btn", type: "button", "aria-disabled": off && "true" };
			return el("button", { ...look, "aria-pressed": pressed, onclick }, label);
		});
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		const action = actionOf(TABLE, event);
		const { tagName } = /** @type {Element} */ (event.target);
		if (action === "clear" && !/TEXTAREA/.test(tagName)) {
			if (this.paths.prefix.length) this.say(t("chosen_none"));
			this.clear();
			if (/INPUT/.test(tagName)) this.board.focus(this.board.focusId);
		}
		if (action !== "why" || /INPUT|SELECT|TEXTAREA/.test(tagName)) return;
		event.preventDefault();
		this.askWhy();
	}
}
