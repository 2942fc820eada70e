// @ts-check
// The analysis board: plays any legal action, keeps every try as a variation, and saves comments and drawings in the record.
// It knows no rule: each step is a request, and the answer shows the place.

import { $, enable, later, root, style } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { actionOf, REPLAY } from "../base/keys.js";
import { startPage } from "../base/page.js";
import { ask } from "../base/request.js";
import { Controller } from "../board/controller.js";
import { ready } from "../board/viewport.js";
import { before, fillTree, lineOf, wayTo } from "./tree.js";

const { inTab } = await later(() => import("../base/granted.js"));

/** @typedef {Answer<"POST /api/study">} Place */
/** @typedef {Requests["POST /api/study"]["body"]} Stroke */
/** @typedef {{ record: string, at: string }} Draft */

const styled = style("study/analysis_board");
const STORED = "bridgehead.study";
const MOST = 200; // drafts to go back to

export class AnalysisBoard extends Controller {
	record = "";
	/** @type {Place} */
	place;
	/** @type {import("./tree.js").Tree} */
	tree = [];
	/** @type {Draft[]} */
	past = [];
	/** @type {Draft[]} */
	future = [];
	/** @type {Promise<unknown>} */
	last = Promise.resolve(); // requests are sent one after another
	/** @type {import("./engine_lines.js").EngineLines | undefined} */
	engine;
	/** @type {import("../board/chance_picker.js").ChancePicker | undefined} */
	faces;
	/** @type {import("./book.js").Book | undefined} */
	book;
	/** @type {import("../board/pen.js").Pencil | undefined} */
	pencil;
	/** @type {typeof import("../board/pen.js") | undefined} */
	pen; // until it has come, no arrows are shown or drawn

	constructor() {
		super();
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
		this.board.setView({ picture: place.picture, title: place.title });
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
		const { traces, plates, actor, sentence } = place.frame;
		this.lay(traces, on);
		later(() => import("../board/seats.js")).then(({ fillSeats }) =>
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

	get isReady() {
		return Boolean(this.place);
	}

	get known() {
		return this.place.buttons;
	}

	get rules() {
		return this.place.game;
	}

	get problem() {
		return $("failed");
	}

	/** @param {Trace[]} [traces] */
	lay(traces = [], animate = false) {
		this.board.setView({ items: this.place.frame.items, traces, animate });
	}

	/** @param {string} id @param {boolean} [byKey] @param {boolean} [pulled] */
	touch(id, byKey, pulled) {
		if (!this.pencil?.on) {
			super.touch(id, byKey, pulled);
			return;
		}
		this.pencil.touch(id);
		this.render();
	}

	/** @param {string} id */
	pull(id) {
		if (!this.pencil?.on) super.pull(id);
	}

	/** @param {Choice} choice */
	play({ action }) {
		this.paths.prefix = [];
		return this.stroke({ do: "play", action });
	}

	/** @param {string[]} touch */
	findReason(touch) {
		return ask(`/api/study/why?lang=${root.lang}`, { record: this.record, at: this.place.at, touch });
	}

	forget() {
		super.forget();
		showError($("failed"));
	}

	clear() {
		if (this.pencil) this.pencil.from = "";
		super.clear();
	}

	marks() {
		const { board, pencil, place, pen, engine } = this;
		return {
			...(pencil?.on && { targets: new Map(), chosen: pencil.from ? [pencil.from] : [] }),
			last: place.frame.last,
			hint: engine?.on && !pencil?.on ? engine.advised() : [],
			more: () => pen?.shapeMarks(board, place.shapes) ?? [],
		};
	}

	showChoices() {
		$("buttons").replaceChildren(...((!this.pencil?.on && this.how?.makeButtons(this)) || []));
		this.how?.offerComplete(this);
		$("draw").setAttribute("aria-pressed", String(Boolean(this.pencil?.on)));
		$("engine").setAttribute("aria-pressed", String(Boolean(this.engine?.on)));
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
		const take = () => later(() => import("./take_away.js"));
		$("share").onclick = () => this.queue(async () => (await take()).shareStudy(this));
		$("save").onclick = async () => (await take()).saveStudy(this);
		$("open").onchange = () => this.file($("open"));
		$("file").onchange = () => this.file($("file"));
		$("fork").onclick = () => this.queue(async () => (await take()).forkStudy(this));
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

	/** @param {KeyboardEvent} event */
	key(event) {
		super.key(event);
		const target = /** @type {Element} */ (event.target);
		if (/INPUT|SELECT|TEXTAREA/.test(target.tagName)) return;
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
