// @ts-check
// The page that replays a game, frame by frame.
import { Board } from "./board.js";
import { $, ask, el, problem, root, startPage, wake } from "./dom.js";
import { actionOf, REPLAY } from "./keys.js";
import { fillLog, fillSeats } from "./panels.js";
import { t } from "./words.js";

export class Replay {
	at = 0;
	timer = 0;
	side = 0;
	board = new Board($("stage"), { empty() {}, touch() {}, pull() {} }, $("map"));
	/** @type {import("./analysis.js").Analysis | undefined} */
	study;

	/** @param {Film} film */
	constructor(film) {
		const { frames, notes, picture, title } = film;
		this.film = film;
		this.end = frames.length - 1;
		$("choose").hidden = true;
		$("replay").hidden = false;
		$("where").textContent = document.title = `${title} · ${t("replay")}`;
		this.board.setPicture(picture, title);
		$("scrub").max = String(this.end);
		$("count").textContent = t("of_turns", { n: frames[this.end].turn });
		this.lines = frames.flatMap(({ turn, sentence }, frame) => [
			...(sentence && frame ? [{ n: turn, text: sentence, frame, mark: false }] : []),
			...notes.filter(({ at }) => at === frame).map(({ text }) => ({ n: Math.max(1, turn), text, frame, mark: true })),
		]);
		this.sides();
		$("tab-study").hidden = frames[this.end].actor !== -2 || !this.end;
		this.attach();
		this.go(Number(new URLSearchParams(location.search).get("at")) || 0);
	}

	/** @param {number} to */
	go(to) {
		const { frames, names } = this.film;
		const at = Math.max(0, Math.min(this.end, to));
		const frame = frames[at];
		const { items, traces, last, plates, actor, sentence, prompt, turn } = frame;
		this.board.turn(this.side > 0);
		this.board.setItems(items, traces, at === this.at + 1);
		this.board.setMarks({ last });
		this.at = at;
		fillSeats({ seats: plates.map((plate, i) => ({ ...plate, name: names[i] || plate.name })), actor });
		fillLog(this.lines.filter((line) => line.frame <= at));
		const text = (at && sentence) || prompt;
		$("say").textContent = text;
		$("scrub").value = String(at);
		$("scrub").setAttribute("aria-valuetext", `${t("turn_no")} ${turn}: ${text}`);
		$("jump").value = String(turn);
		$("first").disabled = $("back").disabled = at === 0;
		$("forward").disabled = $("end").disabled = at === this.end;
		$("fork").disabled = actor === -2;
		this.study?.look(at);
		if (at === this.end) this.stop();
	}

	play() {
		if (this.timer) {
			this.stop();
			return;
		}
		if (this.at === this.end) this.go(0);
		$("play").textContent = t("pause");
		const tick = () => {
			this.timer = setTimeout(tick, Number($("speed").value));
			this.go(this.at + 1);
		};
		this.timer = setTimeout(tick, 250);
	}

	stop() {
		clearTimeout(this.timer);
		this.timer = 0;
		$("play").textContent = t("play");
	}

	/** @param {number} turn */
	turn(turn) {
		const found = this.film.frames.findIndex((frame) => frame.turn >= turn);
		this.go(found < 0 ? this.end : found);
	}

	/** Shows the log, or the analysis, which starts when it is first shown. @param {boolean} log */
	async tab(log) {
		$("log").hidden = !log;
		$("study").hidden = log;
		$("tab-log").setAttribute("aria-selected", String(log));
		$("tab-study").setAttribute("aria-selected", String(!log));
		if (!log) this.study ||= new (await import("./analysis.js")).Analysis(this);
	}

	// The choice of the side from which the board is seen, for a board that can be turned.
	sides() {
		const { picture, names, plates0 } = this.film;
		const label = (/** @type {Plate} */ plate, /** @type {number} */ i) => t("seen_by", { name: names[i] || plate.name });
		$("side").hidden = !picture.swap;
		$("side").append(...plates0.map((plate, i) => el("option", { value: i }, label(plate, i))));
		$("side").onchange = () => {
			this.side = Number($("side").value);
			this.go(this.at);
		};
	}

	attach() {
		/** @type {["first" | "back" | "forward" | "end", () => number][]} */
		const goals = [
			["first", () => 0],
			["back", () => this.at - 1],
			["forward", () => this.at + 1],
			["end", () => this.end],
		];
		for (const [id, goal] of goals)
			$(id).onclick = () => {
				this.stop();
				this.go(goal());
			};
		$("play").onclick = () => this.play();
		$("scrub").oninput = () => {
			this.stop();
			this.go(Number($("scrub").value));
		};
		$("jump").onchange = () => {
			this.stop();
			this.turn(Number($("jump").value));
		};
		$("log").onclick = ({ target }) => {
			const row = [...$("log").children].findIndex((each) => target instanceof Node && each.contains(target));
			this.stop();
			if (row >= 0) this.go(this.lines[row].frame);
		};
		$("download").href = URL.createObjectURL(new Blob([this.film.record], { type: "text/plain" }));
		$("download").download = `${this.film.game}.txt`;
		$("fork").onclick = async () => {
			this.stop();
			(await import("./fork.js")).fork(this.film, this.at);
		};
		$("tab-log").onclick = () => this.tab(true);
		$("tab-study").onclick = () => this.tab(false);
		$("share").onclick = async () => (await import("./share.js")).share(this.film.link);
		addEventListener("prefs", () => this.go(this.at));
		addEventListener("keydown", (event) => this.key(event));
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		const key = /** @type {"back" | "forward" | "first" | "end" | "play" | ""} */ (actionOf(REPLAY, event));
		const target = /** @type {Element} */ (event.target);
		if (!key || /INPUT|SELECT/.test(target.tagName) || target.closest("[data-id]")) return;
		if (key === "play" && target.tagName === "BUTTON") return;
		event.preventDefault();
		$(key).click();
	}
}

/** @param {() => Promise<Film>} load */
async function open(load) {
	try {
		problem($("error"));
		new Replay(await load());
	} catch (error) {
		problem($("error"), error);
	}
}

/** @param {string} record */
const send = (record) => open(() => ask(`/api/records?lang=${root.lang}`, record));

startPage().then(() => {
	const { table } = $("main").dataset;
	const fragment = new URLSearchParams(location.hash.slice(1));
	const given = fragment.get("g")?.replace(/[^\w-].*$/s, "") || fragment.get("r"); // without what a letter put behind the link
	addEventListener("hashchange", () => location.reload());
	$("file").onchange = async () => {
		const [file] = $("file").files ?? [];
		if (file) send(await file.text());
	};
	wake("choose");
	if (given) send(given);
	else if (table) open(() => ask(`/api/tables/${table}/frames?lang=${root.lang}`));
});
