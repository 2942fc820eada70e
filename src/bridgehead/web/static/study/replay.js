// @ts-check
// The page that replays a game, frame by frame. A long game comes in pieces.

import { $, el, enable, href, later, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { actionOf, REPLAY } from "../base/keys.js";
import { startPage } from "../base/page.js";
import { whenShownAgain } from "../base/poll.js";
import { ask } from "../base/request.js";
import { load } from "../base/store.js";
import { selectTab, wireTabs } from "../base/tabs.js";
import { Board } from "../board/board.js";
import { clausesOf, fillLog } from "../board/log.js";
import { Frames } from "../board/record.js";
import { ready } from "../board/viewport.js";

export class Replay {
	at = 0;
	wanted = 0; // the frame to show as soon as it is there
	timer = 0;
	side = 0;
	/** @type {(LogRow & { frame: number })[]} */
	lines = [];
	board = new Board($("stage"), { empty() {}, touch() {}, pull() {} }, $("map"));
	/** @type {import("./analysis.js").Analysis | undefined} */
	study;

	/** @param {Film} film */
	constructor(film) {
		const { picture, title, turns, over } = film;
		this.film = film;
		this.frames = new Frames(film, () => this.grow());
		this.end = film.length - 1;
		$("choose").hidden = true;
		$("replay").hidden = false;
		$("where").textContent = document.title = `${title} · ${t("replay")}`;
		this.board.setView({ picture, title });
		$("scrub").max = String(this.end);
		$("count").textContent = t("of_turns", { n: turns.at(-1)?.[0] ?? 0 });
		this.sides();
		$("tab-study").hidden = !over || !this.end;
		this.attach();
		$("replay").inert = false;
		this.grow();
		const asked = new URLSearchParams(location.search);
		this.go(0);
		this.go(Number(asked.get("at")) || 0);
		if (asked.has("study") && !$("tab-study").hidden) this.tab(false);
		this.frames.rest().catch((error) => this.fail(error));
	}

	/** Another piece has come: the log is longer, and the frame that is wanted may be there. */
	grow() {
		const { frames, film } = this;
		this.lines = frames.all.flatMap((frame, n) => [
			...(frame?.sentence && n ? [{ n: frame.turn, text: frame.sentence, frame: n, mark: false }] : []),
			...film.notes
				.filter(({ at }) => frame && at === n)
				.map(({ text }) => ({ n: Math.max(1, frame?.turn ?? 1), text, frame: n, mark: true })),
		]);
		loading(frames.have / film.length);
		if (this.wanted !== this.at) this.go(this.wanted);
		else this.log();
	}

	log() {
		const { table } = $("main").dataset;
		const lines = this.lines.filter((line) => line.frame <= this.at);
		fillLog(lines, table ? (line) => clausesOf(this.film.game, table, line.frame) : undefined);
	}

	/** @param {unknown} error */
	fail(error) {
		loading(1);
		showError($("failed"), error);
	}

	/** @param {number} to */
	go(to) {
		const { names } = this.film;
		const at = Math.max(0, Math.min(this.end, to));
		const frame = this.frames.all[at];
		this.wanted = at;
		if (!frame) {
			this.frames.load(at).catch((error) => this.fail(error));
			return;
		}
		const { items, traces, last, plates, actor, sentence, prompt, turn } = frame;
		this.board.setView({ items, traces, animate: at === this.at + 1, turned: this.side > 0 });
		this.board.setMarks({ last });
		this.at = at;
		later(() => import("../board/seats.js")).then(({ fillSeats }) =>
			fillSeats({ seats: plates.map((plate, i) => ({ ...plate, name: names[i] || plate.name })), actor }),
		);
		this.log();
		const text = (at && sentence) || prompt;
		$("say").textContent = text;
		const { table = "" } = $("main").dataset;
		$("clauses").hidden = !table;
		$("clauses").setAttribute("href", clausesOf(this.film.game, table, at));
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
		this.go(turn < 1 ? 0 : (this.film.turns.find(([number]) => number >= turn)?.[1] ?? this.end));
	}

	/** Shows the log, or the analysis, which starts when it is first shown. @param {boolean} log */
	async tab(log) {
		$("log").hidden = !log;
		$("study").hidden = log;
		selectTab($(log ? "tab-log" : "tab-study"));
		if (!log) this.study ||= new (await later(() => import("./analysis.js"))).Analysis(this);
	}

	// The choice of the side from which the board is seen, for a board that can be turned.
	sides() {
		const { picture, names, plates0 } = this.film;
		const label = (/** @type {Plate} */ plate, /** @type {number} */ i) => t("seen_by", { name: names[i] || plate.name });
		$("side").hidden = !picture.swap;
		$("side").append(...plates0.map((plate, i) => el("option", { value: i }, label(plate, i))));
		const { seat, turned = seat === 1 } = load("tables", {})[$("main").dataset.table ?? ""] ?? {};
		this.side = Number(turned);
		$("side").value = String(this.side);
		$("side").onchange = () => {
			this.side = Number($("side").value);
			this.go(this.at);
		};
	}

	attach() {
		/** @type {["first" | "back" | "forward" | "end", () => number][]} */
		const goals = [
			["first", () => 0],
			["back", () => this.wanted - 1],
			["forward", () => this.wanted + 1],
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
			const frame = await this.frames.frame(this.wanted);
			(await later(() => import("./fork.js"))).fork(this.film, frame);
		};
		$("position").onclick = () =>
			location.assign(href(`/position/${this.film.game}#${new URLSearchParams({ g: this.film.link, at: String(this.wanted) })}`));
		$("to-study").onclick = () => location.assign(href(`/study#at=${this.wanted}&g=${this.film.link}`));
		$("tab-log").onclick = () => this.tab(true);
		$("tab-study").onclick = () => this.tab(false);
		wireTabs($("tabs"));
		$("share").onclick = async () => (await later(() => import("../people/share.js"))).share(this.film.link);
		$("picture").onclick = async () => {
			this.stop();
			(await later(() => import("./take_away.js"))).pictureReplay(this);
		};
		addEventListener("prefs", () => this.go(this.at));
		whenShownAgain((back) => back && !this.film.over && location.reload()); // the game went on
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

/** The part of the replay that has come; without a number: nothing yet. @param {number} [part] */
function loading(part) {
	const bar = $("loading");
	bar.hidden = part !== undefined && part >= 1;
	if (part !== undefined) bar.value = part;
}

/** @param {() => Promise<Film>} load */
async function open(load) {
	try {
		showError($("error"));
		loading();
		new Replay(await load());
	} catch (error) {
		loading(1);
		showError($("error"), error);
		Object.assign($("replay"), { hidden: true, inert: false });
		$("choose").hidden = false;
	}
}

/** @param {string} record */
const send = (record) => open(() => ask(`/api/records?lang=${root.lang}&piece=first`, record));

Promise.all([ready(), startPage()]).then(() => {
	const { table } = $("main").dataset;
	const fragment = new URLSearchParams(location.hash.slice(1));
	const given = fragment.get("g")?.replace(/[^\w-].*$/s, "") || fragment.get("r"); // without what a letter put behind the link
	addEventListener("hashchange", () => location.reload());
	$("file").onchange = async () => {
		const [file] = $("file").files ?? [];
		if (file) send(await file.text());
	};
	enable("choose");
	if (given) send(given);
	else if (table) open(() => ask(`/api/tables/${table}/frames?lang=${root.lang}&piece=first`));
});
