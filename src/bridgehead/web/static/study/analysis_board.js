// @ts-check
// The analysis board: plays any legal action, keeps every try as a variation, and saves comments and drawings in the record.
// It knows no rule: each step is a request, and the answer shows the place.

import { $, el, enable, href, later, root, style } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { actionOf, REPLAY, TABLE } from "../base/keys.js";
import { startPage } from "../base/page.js";
import { ask } from "../base/request.js";
import { Board } from "../board/board.js";
import { ClickPaths } from "../board/paths.js";
import { ready } from "../board/viewport.js";
import { before, fillTree, lineOf, wayTo } from "./tree.js";

const { inTab } = await later(() => import("../base/granted.js"));

/** @typedef {Answer<"POST /api/study">} Place */
/** @typedef {Requests["POST /api/study"]["body"]} Stroke */
/** @typedef {{ record: string, at: string }} Draft */

const styled = style("study/analysis_board");
const STORED = "bridgehead.study";
const LONGEST = 60000; // characters of a link
const MOST = 200; // drafts to go back to

export class AnalysisBoard {
	paths = new ClickPaths();
	seats = later(() => import("../board/seats.js"));
	record = "";
	/** @type {Place} */
	place;
	/** @type {import("./tree.js").Tree} */
	tree = [];
	/** @type {Draft[]} */
	past = [];
	/** @type {Draft[]} */
	future = [];
	/** @type {{ id: string, show: string[] } | null} */
	refusal = null;
	/** @type {Promise<unknown>} */
	last = Promise.resolve(); // requests are sent one after another
	/** @type {import("./engine_lines.js").EngineLines | undefined} */
	engine;
	/** @type {import("../board/chance_picker.js").ChancePicker | undefined} */
	faces;
	/** @type {import("./book.js").Book | undefined} */
	book;
	board = new Board(
		$("stage"),
		{
			touch: (id) => this.touch(id),
			pull: (id) => this.pull(id),
			empty: () => this.clear(),
			look: () => this.place && this.render(),
		},
		$("map"),
	);
	/** @type {import("../board/pen.js").Pencil | undefined} */
	pencil;
	/** @type {typeof import("../board/pen.js") | undefined} */
	pen; // until it has come, no arrows are shown or drawn

	constructor() {
		later(() => import("../board/pen.js")).then((pen) => {
			this.pen = pen;
			this.pencil = new pen.Pencil(this.board, (touch, colour) => this.stroke({ do: "draw", touch, colour }));
			if (this.place) this.render();
		});
		this.attach();
	}

	/** @param {() => Promise<void>} work */
	queue(work) {
		this.last = this.last.then(work).catch((error) => showError($("failed"), error));
		return this.last;
	}

	/** Opens a record or a link; a bad one leaves everything as it was. @param {string} record @param {string} at */
	async open(record, at) {
		const place = await this.ask({ record, at, fresh: true }).catch((error) => {
			if (at === "last") throw error;
			return this.ask({ record, at: "last", fresh: true }); // the link is older than the study
		});
		this.board.setPicture(/** @type {Picture} */ (place.picture), place.title);
		$("where").textContent = document.title = `${place.title} · ${t("tree.page")}`;
		Object.assign(this, { past: [], future: [] });
		this.engine?.known.clear();
		this.book?.known.clear();
		$("choose").hidden = true;
		$("board").hidden = false;
		this.board.viewport.fit();
		this.show(place, false);
	}

	/** @param {Stroke} stroke @returns {Promise<Place>} */
	ask(stroke) {
		return ask(`/api/study?lang=${root.lang}`, stroke);
	}

	/** An edit at the place that is shown. @param {Partial<Stroke>} edit */
	stroke(edit) {
		return this.queue(async () => {
			const draft = { record: this.record, at: this.place.at };
			const place = await this.ask({ ...draft, ...edit });
			const same = place.record === undefined || place.record === this.record;
			if (!same) {
				this.past.push(draft);
				if (this.past.length > MOST) this.past.shift();
				this.future = [];
			}
			this.show(place);
		});
	}

	/** @param {() => string | undefined} choose the place to go to */
	go(choose) {
		return this.queue(async () => {
			const at = choose();
			if (at && at !== this.place.at) this.show(await this.ask({ record: this.record, at }));
		});
	}

	/** @param {Draft[]} from @param {Draft[]} to */
	swap(from, to) {
		return this.queue(async () => {
			const draft = from.pop();
			if (!draft) return;
			to.push({ record: this.record, at: this.place.at });
			this.show(await this.ask({ ...draft, fresh: true }));
		});
	}

	/** @param {Place} place */
	show(place, animate = true) {
		if (this.pencil && place.at !== this.place?.at) this.pencil.from = ""; // else a second touch may have come before the answer
		const on = animate && this.place && before(place.at) === this.place.at;
		this.place = place;
		this.record = place.record ?? this.record;
		this.tree = place.tree ?? this.tree;
		this.store();
		this.forget();
		this.paths.reset(place.choices ?? []);
		const { items, traces, plates, actor, sentence } = place.frame;
		this.board.setItems(items, traces, on);
		this.seats.then(({ fillSeats }) =>
			fillSeats({ seats: plates.map((plate, i) => ({ ...plate, name: place.names[i] || plate.name })), actor }),
		);
		const done = sentence.replace(/[^.!?]$/, "$&."); // of the last action it says how the game ended, as the prompt does
		$("say").textContent = [done, !done.endsWith(place.prompt) && place.prompt].filter(Boolean).join(" ");
		if (document.activeElement !== $("comment") || !on) $("comment").value = place.comment;
		$("first").disabled = $("back").disabled = place.at === "0";
		$("forward").disabled = $("end").disabled = !place.next.length;
		$("delete").disabled = place.at === "0";
		$("promote").disabled = !place.at.includes(".");
		$("clear").disabled = !place.shapes.length;
		$("fork").disabled = actor === -2;
		$("undo").disabled = !this.past.length;
		$("redo").disabled = !this.future.length;
		fillTree($("tree"), this.tree, place.at, (path) => this.go(() => path));
		this.chance();
		this.engine?.think();
		this.read();
		this.render();
	}

	store() {
		inTab.write(STORED, JSON.stringify({ from: source(), record: this.record, at: this.place.at }));
	}

	/** What chance can bring, to be tapped. */
	async chance() {
		const { place } = this;
		const { faces = [] } = place;
		if (!faces.length && !this.faces) return;
		const { ChancePicker } = await later(() => import("../board/chance_picker.js"));
		const submit = (/** @type {Unsent} */ message) => {
			if (message.t === "act") this.stroke({ do: "play", action: message.a });
		};
		this.faces ||= new ChancePicker({ view: { v: 0 }, connection: { ready: true, submit } });
		if (place === this.place) this.faces.show({ moved: this.tree.length + this.past.length, faces, at: place.at });
	}

	/** @param {string} id */
	touch(id) {
		if (this.pencil?.on) {
			this.pencil.touch(id);
			this.render();
			return;
		}
		this.forget();
		const touched = [...this.paths.prefix, id];
		const result = this.paths.touch(id, this.board.items);
		if (result === "act") this.play(this.paths.complete[0]);
		else this.render();
		if (result === "no") this.why(touched);
	}

	/** @param {string} id */
	pull(id) {
		if (!this.pencil?.on && !this.board.chosen.includes(id)) this.touch(id);
	}

	/** @param {Choice} choice */
	play({ action }) {
		this.paths.prefix = [];
		return this.stroke({ do: "play", action });
	}

	/** The reason why something cannot be touched. @param {string[]} touch */
	async why(touch) {
		const { place } = this;
		const id = touch[touch.length - 1];
		try {
			const asked = { record: this.record, at: place.at, touch };
			const { text, clause, show } = await ask(`/api/study/why?lang=${root.lang}`, asked);
			if (place !== this.place) return;
			this.refusal = { id, show };
			this.render();
			const link = clause && el("a", { href: href(`/rules/${place.game}#${clause}`), target: "_blank" }, t("rule", { clause }));
			this.board.explain(text, link, id, [...show, ...this.board.targets.keys()]);
		} catch (error) {
			showError($("failed"), error);
		}
	}

	forget() {
		this.refusal = null;
		this.board.explain("");
		showError($("failed"));
	}

	clear() {
		this.paths.prefix = [];
		if (this.pencil) this.pencil.from = "";
		this.forget();
		this.render();
	}

	render() {
		const { board, paths, pencil, place } = this;
		const next = pencil?.on ? new Map() : paths.next();
		const chosen = paths.prefix.map((id) => (id.startsWith("f:") && board.standing(id)) || id);
		const hint = this.engine?.on && !pencil?.on ? this.engine.advised() : [];
		board.setMarks({
			targets: next,
			chosen: pencil?.from ? [pencil.from] : chosen,
			last: place.frame.last,
			refusal: this.refusal,
			hint,
		});
		this.pen?.drawShapes(board, place.shapes);
		this.buttons(next);
		const all = paths.complete.length > 1 ? paths.complete : [];
		$("choices").replaceChildren(...all.map((choice) => this.offer(choice)));
		$("draw").setAttribute("aria-pressed", String(Boolean(pencil?.on)));
		$("engine").setAttribute("aria-pressed", String(Boolean(this.engine?.on)));
	}

	/** @param {Choice} choice */
	offer(choice) {
		const words = [el("span", {}, choice.label), choice.note && el("small", {}, choice.note)];
		return el("li", {}, el("button", { class: "btn", type: "button", onclick: () => this.play(choice) }, ...words));
	}

	/** @param {Map<string, Target>} next */
	buttons(next) {
		const known = { ...this.place.buttons };
		const first = this.paths.next([]);
		for (const { path, label } of this.paths.choices) for (const id of path) if (id.startsWith("!")) known[id] ||= label;
		const made = Object.entries(known).map(([id, label]) => {
			const onclick = () => {
				if (!next.has(id)) this.clear();
				this.touch(id);
			};
			const pressed = String(this.paths.prefix.includes(id));
			const off = this.pencil?.on || (!next.has(id) && !first.has(id));
			return el("button", { class: "btn", type: "button", disabled: off, "aria-pressed": pressed, onclick }, label);
		});
		$("buttons").replaceChildren(...made);
	}

	/** Opens the book, or closes it. */
	async turnPages() {
		if (!this.book) {
			await style("study/analysis");
			const { Book } = await later(() => import("./book.js"));
			this.book = new Book($("pages"), (action) => this.stroke({ do: "play", action }));
		}
		const closed = $("pages").toggleAttribute("hidden");
		$("book").setAttribute("aria-pressed", String(!closed));
		this.read();
		if (!closed) $("pages").scrollIntoView({ block: "nearest" });
	}

	/** Shows what the book says of this place, if it is open. */
	read() {
		if (!$("pages").hidden) this.book?.show(this.record, this.place.at, wayTo(this.tree, this.place.at));
	}

	attach() {
		$("first").onclick = () => this.go(() => "0");
		$("back").onclick = () => this.go(() => before(this.place.at));
		$("forward").onclick = () => this.go(() => this.place.next[0]);
		$("end").onclick = () => this.go(() => lineOf(this.tree, this.place.at)?.steps.at(-1)?.path);
		$("draw").onclick = () => {
			const { pen, pencil } = this;
			if (!pen || !pencil) return;
			pencil.on = !pencil.on;
			pen.palette(pencil);
			this.clear();
			$("say").textContent = pencil.on ? t("tree.draw_help") : this.place.prompt;
		};
		$("engine").onclick = async () => {
			const { EngineLines } = await later(() => import("./engine_lines.js"));
			this.engine ||= new EngineLines(this);
			this.engine.on = !this.engine.on;
			this.engine.think();
			this.render();
		};
		$("book").onclick = () => this.queue(() => this.turnPages());
		$("comment").onchange = () => this.stroke({ do: "comment", text: $("comment").value });
		$("promote").onclick = () => this.stroke({ do: "promote" });
		$("delete").onclick = () => this.stroke({ do: "delete" });
		$("clear").onclick = () => this.stroke({ do: "clear" });
		$("undo").onclick = () => this.swap(this.past, this.future);
		$("redo").onclick = () => this.swap(this.future, this.past);
		$("share").onclick = () => this.queue(() => this.share());
		$("save").onclick = () => this.save();
		$("open").onchange = () => this.file($("open"));
		$("file").onchange = () => this.file($("file"));
		$("fork").onclick = () => this.queue(() => this.fork());
		addEventListener("prefs", () => {
			if (!this.place) return;
			this.board.setItems(this.place.frame.items);
			this.render();
		});
		addEventListener("keydown", (event) => this.key(event));
	}

	links() {
		return ask("/api/study/links", { record: this.record, at: this.place.at });
	}

	async share() {
		const { link } = await this.links();
		if (link.length > LONGEST) throw new Error(t("link_long"));
		(await later(() => import("../people/share.js"))).share(link, `/study#at=${this.place.at}&g=`);
	}

	async save() {
		const { download } = await later(() => import("../base/download.js"));
		download(`${this.place.game}-study.txt`, this.record, "text/plain");
	}

	/** @param {HTMLInputElement} input */
	async file(input) {
		const [file] = input.files ?? [];
		input.value = "";
		if (!file) return;
		const shown = $("board").hidden ? $("error") : $("failed");
		try {
			showError(shown);
			await this.open(await file.text(), "0");
		} catch (error) {
			showError(shown, error);
		}
	}

	async fork() {
		const { way, actions } = await this.links();
		const { game, title, names, frame, turn, prompt } = this.place;
		const film = { game, title, names, link: way };
		const { plates, actor, sentence } = frame;
		(await later(() => import("./fork.js"))).fork(film, { n: actions, plates: [...plates], actor, turn, sentence, prompt });
	}

	/** @param {KeyboardEvent} event */
	key(event) {
		const target = /** @type {Element} */ (event.target);
		if (!this.place || document.querySelector("dialog[open]") || /INPUT|SELECT|TEXTAREA/.test(target.tagName)) return;
		if (event.key === "Escape") this.clear();
		if (actionOf(TABLE, event) === "why" && this.board.focusId) this.why([...this.paths.prefix, this.board.focusId]);
		const key = actionOf(REPLAY, event);
		if (!key || key === "play" || target.closest("[data-id]")) return;
		event.preventDefault();
		$(/** @type {"back" | "forward" | "first" | "end"} */ (key)).click();
	}
}

/** What the address names: kept with the draft, so that another address opens what it names. */
const source = () => location.search + location.hash;

/** @returns {(Draft & { from: string }) | null} */
function stored() {
	try {
		return JSON.parse(inTab.read(STORED) ?? "null");
	} catch {
		return null;
	}
}

/** The record that the address names, or the one of this tab. @returns {Promise<Draft | null>} */
async function given() {
	const fragment = new URLSearchParams(location.hash.slice(1));
	const query = new URLSearchParams(location.search);
	const kept = stored();
	const [table, game] = [query.get("table"), query.get("game")];
	const named = fragment.get("g") || table || game;
	if (kept && (kept.from === source() || !named)) return kept;
	const link = fragment.get("g")?.replace(/[^\w-].*$/s, "");
	if (link) return { record: link, at: fragment.get("at") ?? "last" };
	if (table) return { record: (await ask(`/api/tables/${table}/link`)).link, at: fragment.get("at") ?? "last" };
	if (!game) return null;
	return { record: (await ask(`/api/games/${game}/position?lang=${root.lang}`, {})).link ?? "", at: "0" };
}

/** Nothing to open: asks for a record or a game. */
async function choose() {
	await style("base/sheet");
	$("choose").hidden = false;
}

Promise.all([ready(), startPage(), styled]).then(async () => {
	const page = new AnalysisBoard();
	addEventListener("hashchange", () => location.reload());
	try {
		const draft = await given();
		if (draft) await page.open(draft.record, draft.at);
		else await choose();
	} catch (error) {
		await choose();
		showError($("error"), error);
	}
	const query = new URLSearchParams(location.search);
	const table = query.get("table");
	if (table && query.has("plan") && page.place) (await later(() => import("./conditional_moves.js"))).plans(page, table);
	enable("choose");
});
