// @ts-check
// The sentence above the board, and the choices and buttons beside it.
/** @import { Table } from "./table.js" */
import { $, el, href, later } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { makeButtons, offer, ruleLink } from "../board/choosing.js";

const FEW = 6; // choices listed at once
const TWO_ROWS = 98; // px
const SLOW = 700; // ms after which a draw that nobody has to decide is worth a sentence

/** A button that cannot be pressed now is not seen; its place stays its own. @param {keyof Elements} id @param {boolean} can */
const offerNow = (id, can) => {
	$(id).ariaDisabled = String(!can);
};

export class Prompt {
	text = "";
	unfolded = ""; // the question whose choices are all listed
	kept = 0; // px for choices on a phone, also when there are none, so that nothing below moves
	/** @type {number | undefined} */
	slow; // shows a prompt later

	/** @param {Table} table */
	constructor(table) {
		this.table = table;
	}

	render() {
		const { view, paths, staged } = this.table;
		const { outcome } = view;
		const prompt = outcome?.text || view.paused || staged?.confirm || view.prompt;
		const draws = view.actor === -1 && !outcome && !view.paused && !view.faces; // chance answers by itself, as a rule at once
		clearTimeout(this.slow);
		if (draws && this.text) this.slow = setTimeout(() => this.pose(prompt), SLOW);
		else this.pose(prompt);
		const path = this.table.mine && paths.matching().find((each) => each.path[0][0] !== "!")?.path;
		const left = path ? path.length - paths.prefix.length : 0;
		const how = left > 0 ? t(paths.prefix.length ? "hint_then" : left > 1 ? "hint_first" : "hint_one") : "";
		const isBack = paths.prefix.length > 0 || view.undo;
		offerNow("undo", isBack);
		offerNow("confirm", Boolean(staged) || paths.complete.length === 1);
		$("hint").textContent = view.thinking ? t(view.preparing ? "preparing" : "thinking") : how;
		$("goal").hidden = !view.goal || !!outcome;
		if (view.goal) $("goal-text").textContent = view.goal.text;
		this.choices();
		this.buttons();
		$("after").hidden = !outcome;
		this.title();
		this.takeback(isBack);
		// A button that goes with what it offered leaves the keyboard on the board.
		if (document.activeElement?.matches(".actions [aria-disabled=true]")) this.table.board.focus();
	}

	/** The title of the tab, its icon, and what stands in the bar. */
	title() {
		const { view, mine } = this.table;
		const turn = mine && !view.outcome;
		$("main").classList.toggle("watching", !view.you.length);
		const whose = view.you.length > 1 ? view.seats[view.actor]?.name : t("your_turn");
		document.title = `${turn ? `● ${whose}: ` : ""}${view.title} · Bridgehead`;
		$("icon").href = href(`/static/favicon${turn ? "-turn" : ""}.svg`);
		const practice = view.sealed.practice && !view.sealed.level ? ` · ${t("practice")}` : "";
		const open = () => later(() => import("./rules_dialog.js")).then(({ showRules }) => showRules(view));
		const rules = { class: "long named", type: "button", "aria-haspopup": "dialog", onclick: open };
		$("where").replaceChildren(
			view.title,
			practice,
			view.rules && el("span", { class: "long" }, ". "),
			view.rules && el("button", rules, view.rules),
		);
		$("advise").hidden = !(view.hints && turn);
		for (const turner of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-turn]")))
			turner.hidden = !this.table.board.whole.swap;
	}

	/**
	 * Against computers only, nobody has to agree to a takeback. A phone has the rest in the table's menu.
	 * @param {boolean} isBack a step of the own turn can be undone first
	 */
	takeback(isBack) {
		const { you, seats, may } = this.table.view;
		const alone = you.length < seats.length && seats.every(({ kind }, i) => kind === "computer" || you.includes(i));
		$("takeback").hidden = !may || !alone;
		$("asking").hidden = !may;
		$("asking").classList.toggle("long", alone);
		offerNow("takeback", Boolean(may?.includes("takeback")) && !isBack);
	}

	/** Replaces the sentence above the board. @param {string} prompt */
	pose(prompt) {
		const { view } = this.table;
		const { ending, outcome } = view;
		const link = ruleLink(this.table, outcome?.clause);
		const sentence = ending ? [el("strong", {}, ending.headline), " ", el("span", {}, prompt, " ", link)] : [prompt, " ", link];
		if (this.text !== prompt) $("say").replaceChildren(...sentence);
		this.text = prompt;
	}

	// The choices: all, or as many as have room, and "3 more".
	choices() {
		const { view, paths } = this.table;
		const all = paths.matching().filter(({ kind }) => paths.prefix.length || kind !== "button");
		const list = $("choices");
		const question = `${view.moved} ${paths.prefix}`;
		const open = this.unfolded === question;
		list.classList.toggle("open", open);
		list.classList.toggle(
			"wide",
			all.some(({ label }) => label.length > 16),
		);
		const more = el("button", { class: "btn bare", onclick: () => this.unfold(question) }, "");
		const few = Boolean(paths.complete[0]) || all.length <= FEW;
		const { rare } = paths;
		// A first touch on the board says more than a long list.
		const listed = few || rare.length || paths.prefix.length ? [...rare, ...all.filter((each) => !rare.includes(each))] : [];
		let shown = few || open ? all : listed.slice(0, rare.length || FEW - 1);
		const fill = () => {
			const rest = Math.max(0, listed.length - shown.length);
			more.textContent = t("more_choices", { n: rest });
			const rows = shown.map((choice) => el("li", {}, offer(this.table, choice)));
			list.replaceChildren(...rows, ...(rest ? [el("li", {}, more)] : []));
		};
		fill();
		while (!open && shown.length > 1 && list.scrollHeight > list.clientHeight + 1) {
			shown = shown.slice(0, -1);
			fill();
		}
		this.kept = view.outcome ? 0 : Math.max(this.kept, Math.min(list.scrollHeight, TWO_ROWS));
		list.style.cssText = this.kept ? `--kept:${this.kept}px` : "";
	}

	/** @param {string} question */
	unfold(question) {
		this.unfolded = question;
		this.choices();
		/** @type {HTMLElement | null} */ ($("choices").querySelector("button"))?.focus();
	}

	buttons() {
		const made = makeButtons(this.table);
		$("extra").replaceChildren(...(made.length === 1 ? made : []));
		$("buttons").replaceChildren(...(made.length > 1 ? made : []));
	}
}
