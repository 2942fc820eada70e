// @ts-check
// The engine's best actions at the place that the analysis board shows.
/** @import { AnalysisBoard } from "./analysis_board.js" */
import { $, el, root, style } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { wayTo } from "./tree.js";

/** @typedef {Answer<"POST /api/study/lines">} Lines */

await style("study/analysis");

const percent = (/** @type {number} */ chance) => Math.round(100 * chance);

export class EngineLines {
	on = false;
	/** @type {Map<string, Promise<Lines>>} */
	known = new Map(); // the engine's answers, by the actions that lead to their place
	/** @type {Lines | null} */
	found = null;

	/** @param {AnalysisBoard} page */
	constructor(page) {
		this.page = page;
	}

	/** The ends of the engine's best actions on the board. @returns {Advised[]} */
	advised() {
		return (this.found?.best ?? []).flatMap(({ action }, i) => {
			const path = this.page.paths.choices.find((each) => each.action === action)?.path ?? [];
			const id = path.findLast((each) => this.page.board.items.has(each));
			return id ? [{ id, text: String(i + 1) }] : [];
		});
	}

	/** The engine's lines at this place, if they are switched on. */
	async think() {
		const { page } = this;
		const { place } = page;
		this.found = null;
		$("lines").hidden = !this.on;
		if (!this.on) return;
		if (place.frame.actor < 0) {
			$("lines").replaceChildren(el("p", { class: "quiet" }, t("tree.no_lines")));
			return;
		}
		$("lines").replaceChildren(el("p", { class: "quiet" }, t("hint_wait")));
		const way = `${root.lang} ${wayTo(page.tree, place.at)}`;
		try {
			if (!this.known.has(way))
				this.known.set(way, ask(`/api/study/lines?lang=${root.lang}`, { record: page.record, at: place.at }));
			const found = await /** @type {Promise<Lines>} */ (this.known.get(way));
			if (place !== page.place || !this.on) return;
			this.found = found;
			this.showLines(found);
			page.render();
		} catch (error) {
			this.known.delete(way);
			if (place !== page.place) return;
			const line = el("p", { class: "problem", role: "alert" });
			showError(line, error);
			$("lines").replaceChildren(line);
		}
	}

	/** @param {Lines} found */
	showLines({ chance, standing, best, why, answer, plan }) {
		const now = t("hint_now", { standing, percent: percent(chance) });
		const rows = best.map(({ action, label, note, effects, chance: each }, i) => {
			const changes = [note, ...effects].filter(Boolean).join("; ");
			const words = el("span", {}, label, changes && el("small", {}, " ", changes));
			const share = el("span", { class: "share" }, `${percent(each)} %`);
			const play = () => this.page.stroke({ do: "play", action });
			return el(
				"li",
				{},
				el("button", { class: "btn", type: "button", onclick: play }, el("b", {}, String(i + 1)), words, share),
			);
		});
		const keep = () => {
			const said = best.map(({ text, chance: each }, i) => `${i + 1}. ${text} ${percent(each)} %`);
			this.page.stroke({ do: "comment", text: [this.page.place.comment, now, ...said].filter(Boolean).join("\n") });
		};
		$("lines").replaceChildren(
			el("p", {}, el("strong", {}, now)),
			el("ol", { class: "stack" }, ...rows),
			...[why, answer, plan].filter(Boolean).map((text) => el("p", { class: "quiet" }, text)),
			el("p", {}, el("button", { class: "btn", type: "button", onclick: keep }, t("tree.keep"))),
		);
	}
}
