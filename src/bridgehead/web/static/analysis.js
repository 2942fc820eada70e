// A game looked at afterwards: win chances, key moments, what else could be done, luck apart from decisions.
import { $, ask, el, problem, root, svg } from "./dom.js";
import { chip } from "./panels.js";
import { t } from "./words.js";

document.head.append(el("link", { rel: "stylesheet", href: "/static/study.css" }));

const AGAIN = 700; // ms from one question to the next
const WIDTH = 420, HEIGHT = 190, LEFT = 38, RIGHT = 38, EDGE = 12;
const DASHES = ["", "9 4", "3 3", "12 3 3 3", "6 6", "1 4"]; // as in the page that bridgehead analyse writes
const percent = (chance) => `${Math.round(100 * chance)} %`;
const points = (share) => `${share > 0 ? "+" : ""}${Math.round(100 * share)}`;

// Where the letters at the ends of lines stand, by side: as high as the lines end, but not over one another.
function apart(heights, sides) {
	const found = {}, order = [...new Set(sides)].sort((a, b) => heights[sides.indexOf(b)] - heights[sides.indexOf(a)]);
	let last = Infinity;
	for (const side of order) last = found[side] = Math.min(heights[sides.indexOf(side)], last - 12);
	return found;
}

export class Analysis {
	constructor(replay) {
		this.replay = replay;
		this.begin();
	}

	async begin() {
		const bar = el("progress", { max: "1", "aria-label": t("analysis") }), said = el("p", { class: "quiet", role: "status" }, t("study_ready"));
		$("study").replaceChildren(said, bar);
		try {
			const { key } = await ask("/api/analyses", this.replay.film.record);
			let told;
			while (!(told = await ask(`/api/analyses/${key}?lang=${root.lang}`)).line) {
				if (told.done) {
					bar.value = told.done / told.of;
					said.textContent = `${t("study_wait")} ${t("study_progress", told)}`;
				}
				await new Promise((wait) => setTimeout(wait, AGAIN));
			}
			this.show(told);
		} catch (error) {
			const why = el("p", { class: "problem", role: "alert" });
			problem(why, error);
			$("study").replaceChildren(why, el("button", { class: "btn", onclick: () => this.begin() }, t("study_again")));
		}
	}

	show(told) {
		this.told = told;
		const { words, moments, seats, made } = told;
		this.ways = el("div", { class: "stack", "aria-live": "polite" });
		const key = moments.map(({ at, turn, text, why }) => el("li", {}, el("button", { class: "btn", type: "button", onclick: () => { this.replay.stop(); this.replay.go(at); } },
			el("b", {}, t("jump_to", { n: turn })), el("span", {}, text), el("small", {}, why))));
		$("study").replaceChildren(el("p", { class: "quiet" }, words["line.help"]), this.chart(), el("h3", {}, t("from_here")), this.ways,
			el("h3", {}, words.moments), moments.length ? el("ol", { class: "moments stack" }, ...key) : el("p", {}, words["moments.none"]),
			el("h3", {}, words.luck), this.table(seats, words), el("p", { class: "quiet" }, words["luck.help"]), el("p", { class: "quiet" }, made));
		this.look(this.replay.at);
	}

	chart() {
		const { line, sides, seats, words } = this.told, last = Math.max(1, line.length - 1), wide = WIDTH - LEFT - RIGHT, high = HEIGHT - 2 * EDGE;
		this.place = (at) => LEFT + wide * at / last;
		const y = (chance) => EDGE + high * (1 - chance);
		const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((part) => [svg("path", { class: "grid", d: `M${LEFT} ${y(part)}h${wide}` }), svg("text", { x: LEFT - 5, y: y(part) + 4, "text-anchor": "end" }, percent(part))]);
		const ends = apart(sides.map((_, seat) => y(line.at(-1)[seat])), sides);
		const drawn = [...new Set(sides)].map((side, i) => {
			const of = seats.filter((_, seat) => sides[seat] === side), seat = sides.indexOf(side), path = line.map((each, at) => `${this.place(at).toFixed(1)},${y(each[seat]).toFixed(1)}`).join(" ");
			const stroke = (cls) => svg("polyline", { class: cls, points: path, "stroke-dasharray": DASHES[i % DASHES.length] || undefined });
			return svg("g", { class: `seat-${of[0].seat}` }, stroke("edge"), stroke("face"), svg("text", { class: "end", x: WIDTH - RIGHT + 5, y: ends[side] + 4 }, of.map(({ letter }) => letter).join("+")));
		});
		this.cursor = svg("path", { class: "cursor" });
		const go = ({ clientX, currentTarget }) => {
			const box = currentTarget.getBoundingClientRect(), at = ((clientX - box.left) / box.width * WIDTH - LEFT) / wide * last;
			this.replay.stop();
			this.replay.go(Math.round(at));
		};
		return svg("svg", { class: "winline", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words.line, onclick: go }, ...grid, ...drawn, this.cursor);
	}

	// What could be done at this place, best first, and what was played.
	look(at) {
		if (!this.told) return;
		const { steps, line, seats } = this.told, step = steps[at], now = line[at];
		this.cursor.setAttribute("d", `M${this.place(at)} ${EDGE}V${HEIGHT - EDGE}`);
		const chances = el("p", { class: "chances" }, ...seats.map(({ seat, letter }, i) => el("span", {}, chip(seat, letter), el("span", { class: "hidden" }, `${letter}: `), percent(now[i]))));
		const way = ({ label, chance, chosen }) => el("li", { class: chosen && "chosen" }, el("span", {}, label, chosen && el("small", {}, t("played"))), el("meter", { min: "0", max: "1", value: String(chance), "aria-hidden": "true" }), el("span", { class: "share" }, percent(chance)));
		this.ways.replaceChildren(chances, step?.ways ? el("ol", { class: "ways" }, ...step.ways.map(way)) : el("p", { class: "quiet" }, t(step ? "study_chance" : "study_end")));
	}

	table(seats, words) {
		const head = el("tr", {}, ...["seat", "luck", "lost", "decisions"].map((key) => el("th", { scope: "col" }, words[`luck.${key}`])));
		const row = ({ seat, letter, name, luck, lost, decisions }) => el("tr", {}, el("th", { scope: "row" }, chip(seat, letter), name), el("td", {}, points(luck)), el("td", {}, points(lost).replace("+", "")), el("td", {}, String(decisions)));
		return el("table", {}, el("thead", {}, head), el("tbody", {}, ...seats.map(row)));
	}
}
