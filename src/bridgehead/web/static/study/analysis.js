// @ts-check
// The analysis of a finished game: win chances, key moments, alternatives, and luck apart from decisions.
/** @import { Replay } from "./replay.js" */

import { $, el, style, svg } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { chip } from "../base/levels.js";
import { closeUp } from "../board/close_up.js";
import { requestAnalysis } from "../board/record.js";

await style("study/analysis");

const WIDTH = 420;
const HEIGHT = matchMedia("(max-width: 899px), (max-height: 559px)").matches ? 250 : 190; // narrow screens show it smaller
const LEFT = 54;
const RIGHT = 30;
const EDGE = 12;
const WIDE = WIDTH - LEFT - RIGHT;
const MOMENTS = 6; // shown first
const DASHES = ["", "9 4", "3 3", "12 3 3 3", "6 6", "1 4"]; // as on the page that `bridgehead analyse` writes
const percent = (/** @type {number} */ chance) => `${Math.round(100 * chance)} %`;
const points = (/** @type {number} */ share) => `${share > 0 ? "+" : ""}${Math.round(100 * share)}`;
const y = (/** @type {number} */ chance) => EDGE + (HEIGHT - 2 * EDGE) * (1 - chance);

/** @import { Study as Finished } from "../board/record.js" */
/** @typedef {NonNullable<Finished["steps"][number]["ways"]>[number]} Way */

/** The heights of the signs at the ends of lines, by side: those of the ends, but apart from one another.
 * @param {number[]} heights @param {number[]} sides */
function apart(heights, sides) {
	/** @type {{ [side: number]: number }} */
	const found = {};
	const order = [...new Set(sides)].sort((a, b) => heights[sides.indexOf(b)] - heights[sides.indexOf(a)]);
	let last = Infinity;
	for (const side of order) {
		last = Math.min(heights[sides.indexOf(side)], last - 12);
		found[side] = last;
	}
	return found;
}

export class Analysis {
	/** @type {Finished | undefined} */
	found;
	ways = el("div", { class: "stack", "aria-live": "polite" });
	cursor = svg("path", { class: "cursor" });

	/** @param {Replay} replay */
	constructor(replay) {
		this.replay = replay;
		this.begin();
	}

	async begin() {
		const bar = el("progress", { max: "1", "aria-label": t("analysis") });
		const status = el("p", { class: "quiet", role: "status" }, t("study_ready"));
		$("study").replaceChildren(status, bar);
		try {
			const found = await requestAnalysis(this.replay.film.record, (done, of) => {
				bar.value = done / of;
				status.textContent = `${t("study_wait")} ${t("study_progress", { done, of })}`;
			});
			this.show(found);
		} catch (error) {
			const why = el("p", { class: "problem", role: "alert" });
			showError(why, error);
			const again = el("button", { class: "btn", onclick: () => this.begin() }, t("study_again"));
			$("study").replaceChildren(why, again);
		}
	}

	/** @param {number} at */
	go(at) {
		this.replay.stop();
		this.replay.go(at);
	}

	/** Shows a key moment on the board, which on a phone has to be brought into sight. @param {number} at */
	open(at) {
		this.go(at);
		$("stage").scrollIntoView({ block: "nearest" });
	}

	/** @param {Finished} found */
	show(found) {
		this.found = found;
		const { words, made } = found;
		const key = this.rows(found);
		$("study").replaceChildren(
			el("p", { class: "quiet" }, words["line.help"]),
			this.chart(found),
			el("h2", {}, words.moments),
			key.length ? el("ol", { class: "moments stack" }, ...key) : el("p", {}, words["moments.none"]),
			el("h2", {}, t("from_here")),
			this.ways,
			el("h2", {}, words.luck),
			this.table(found),
			el("p", { class: "quiet" }, words["luck.help"]),
			el("p", { class: "quiet" }, made),
		);
		this.look(this.replay.at);
	}

	/** The key moments in the order of the game; of many, first those with the largest swings. @param {Finished} found */
	rows({ line, moments }) {
		const swing = (/** @type {number} */ at) =>
			Math.max(...line[at].map((before, seat) => Math.abs(line[at + 1][seat] - before)));
		const least = moments.map(({ at }) => swing(at)).sort((one, other) => other - one)[MOMENTS - 1] ?? 0;
		const drawn = new IntersectionObserver((seen) => {
			for (const { isIntersecting, target } of seen) if (isIntersecting) this.draw(target, drawn);
		});
		const rows = moments.map(({ at, turn, text, why }) => {
			const parts = [el("b", {}, t("jump_to", { n: turn })), el("span", {}, text), el("small", {}, why)];
			const row = { class: "moment", type: "button", value: at, onclick: () => this.open(at) };
			return el("li", { hidden: swing(at) < least }, el("button", row, el("span", {}, ...parts)));
		});
		for (const row of rows) drawn.observe(row);
		const folded = rows.filter((row) => row.hidden);
		const unfold = () => {
			for (const row of folded) row.hidden = false;
			more.remove();
			folded[0].querySelector("button")?.focus({ preventScroll: true });
		};
		const more = el(
			"li",
			{},
			el("button", { class: "btn", type: "button", onclick: unfold }, t("more_choices", { n: folded.length })),
		);
		return folded.length ? [...rows, more] : rows;
	}

	/** Draws the picture of a key moment once it comes into sight. @param {Element} row @param {IntersectionObserver} observer */
	draw(row, observer) {
		observer.unobserve(row);
		const button = /** @type {HTMLButtonElement} */ (row.firstElementChild);
		const put = (/** @type {Frame} */ { items, last }) => button.prepend(closeUp(this.replay.film.picture, items, last));
		this.replay.frames.frame(Number(button.value) + 1).then(put, () => {}); // the replay reports what does not come
	}

	/** The number of the last action of the chart. @param {Finished} found */
	last({ line }) {
		return Math.max(1, line.length - 1);
	}

	/** @param {Finished} found @param {number} at */
	place(found, at) {
		return LEFT + (WIDE * at) / this.last(found);
	}

	/** @param {Finished} found */
	chart(found) {
		const { line, sides, seats, words } = found;
		const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => [
			svg("path", { class: "grid", d: `M${LEFT} ${y(part)}h${WIDE}` }),
			svg("text", { x: LEFT - 5, y: y(part) + 4, "text-anchor": "end" }, percent(part)),
		]);
		const end = line[line.length - 1];
		const ends = apart(
			sides.map((_, seat) => y(end[seat])),
			sides,
		);
		const drawn = [...new Set(sides)].map((side, i) => {
			const of = seats.filter((_, seat) => sides[seat] === side);
			const seat = sides.indexOf(side);
			const path = line.map((each, at) => `${this.place(found, at).toFixed(1)},${y(each[seat]).toFixed(1)}`).join(" ");
			const dashes = DASHES[i % DASHES.length] || undefined;
			const stroke = (/** @type {string} */ cls) => svg("polyline", { class: cls, points: path, "stroke-dasharray": dashes });
			const signs = of.map(({ seat }, n) => {
				const transform = `translate(${WIDTH - RIGHT + 10 + 13 * n} ${ends[side]}) scale(5)`;
				return svg("use", { href: `#shape-${seat}`, class: "end", transform });
			});
			return svg("g", { class: `seat-${of[0].seat}` }, stroke("edge"), stroke("face"), ...signs);
		});
		/** @type {On<MouseEvent, Element>} */
		const onclick = ({ clientX, currentTarget }) => {
			const box = currentTarget.getBoundingClientRect();
			const at = ((((clientX - box.left) / box.width) * WIDTH - LEFT) / WIDE) * this.last(found);
			this.go(Math.round(at));
		};
		const look = { class: "winline", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words.line, onclick };
		return svg("svg", look, ...grid, ...drawn, this.cursor);
	}

	/** Shows the alternatives at one place of the game, best first, and the action that was played. @param {number} at */
	look(at) {
		if (!this.found) return;
		const { steps, line, seats } = this.found;
		this.cursor.setAttribute("d", `M${this.place(this.found, at)} ${EDGE}V${HEIGHT - EDGE}`);
		const chances = seats.map(({ seat, name }, i) =>
			el("span", {}, chip(seat, ""), `${name} `, el("b", {}, percent(line[at][i]))),
		);
		const way = (/** @type {Way} */ { label, chance, chosen }) =>
			el(
				"li",
				{ class: chosen && "chosen" },
				el("span", {}, label, chosen && el("small", {}, t("played"))),
				el("meter", { min: "0", max: "1", value: String(chance), "aria-hidden": "true" }),
				el("span", { class: "share" }, percent(chance)),
			);
		const ways = steps[at]?.ways;
		const help = t(steps[at] ? "study_chance" : "study_end");
		this.ways.replaceChildren(
			el("p", { class: "chances" }, ...chances),
			ways ? el("ol", { class: "ways" }, ...ways.map(way)) : el("p", { class: "quiet" }, help),
		);
	}

	/** @param {Finished} found */
	table({ seats, words }) {
		const keys = ["seat", "luck", "lost", "decisions"];
		const head = el("tr", {}, ...keys.map((key) => el("th", { scope: "col" }, words[`luck.${key}`])));
		const rows = seats.map(({ seat, name, luck, lost, decisions }) => {
			const cells = [points(luck), points(lost).replace("+", ""), String(decisions)].map((text) => el("td", {}, text));
			return el("tr", {}, el("th", { scope: "row" }, chip(seat, ""), name), ...cells);
		});
		return el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows));
	}
}
