// @ts-check
// The page that draws a board, or sets up a position. It shows the game's answer to each stroke, and keeps the drafts before it.
// It knows no rule.

import { $, el, enable, href, later, root, svg } from "../base/dom.js";
import { drawItem } from "../base/draw.js";
import { reasonOf, showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { startPage } from "../base/page.js";
import { ask } from "../base/request.js";
import { Controller } from "../board/controller.js";
import { ClickPaths } from "../board/paths.js";
import { ready } from "../board/viewport.js";

/**
 * @typedef {Answer<"POST /api/games/{game}/edit"> & Partial<Answer<"POST /api/games/{game}/position">>} Sketch
 * @typedef {Sketch["tools"][number]} Tool
 * @typedef {Sketch["problems"][number]} Remark
 */
/** @typedef {Requests["POST /api/games/{game}/edit"]["body"]} Stroke */

const { inTab } = await later(() => import("../base/granted.js"));
const linkCodec = () => later(() => import("../base/link_codec.js"));

const { game = "", positions } = $("main").dataset;
const page = positions ? "position" : "edit";
const own = positions ? await later(() => import("./position_editor.js")) : null;
const MOST = 400; // boards to go back to
const IDLE = 700; // ms after the last stroke until the rules are checked
/** @type {unknown[]} */
const boards = [];
let at = -1; // number of the board that is shown
/** @type {Sketch} */
let now;
let tool = ""; // id
let idle = 0;
/** @type {Promise<unknown>} */
let last = Promise.resolve(); // requests are sent one after another

const held = () => now.tools.find(({ id }) => id === tool);
const isTouch = (/** @type {Tool} */ { kind }) => !kind || kind === "touch";
const queue = (/** @type {() => unknown} */ work) => {
	last = last.then(work).catch((error) => showError($("error"), error));
	return last;
};
/** @param {Stroke} [stroke] */
function look(stroke) {
	const body = { ...(at >= 0 && { board: boards[at] }), tool, ...stroke };
	/** @type {Promise<Sketch>} */
	const answer = positions
		? ask(`/api/games/${game}/position?lang=${root.lang}`, body)
		: ask(`/api/games/${game}/edit?lang=${root.lang}`, body);
	return answer;
}

// The board of this tab, in case the page is loaded again.
const key = `bridgehead.${page}.${game}`;

const restored = () => inTab.read(key);
const store = () => inTab.write(key, JSON.stringify(boards[at])); // without storage, a reload begins again

/** @param {unknown} fresh */
function keep(fresh) {
	if (at >= 0 && JSON.stringify(fresh) === JSON.stringify(boards[at])) return;
	boards.splice(at + 1, Infinity, fresh);
	if (boards.length > MOST) boards.shift();
	at = boards.length - 1;
	store();
}

/** Another board: from a file, from a link, or one to begin with. A bad one leaves everything as it was. @param {Stroke} from */
const bring = (from) =>
	queue(async () => {
		const sketch = await look({ touch: [], tool: "", ...from });
		keep(sketch.board);
		show(sketch);
	});

/** @param {string} name @param {string[]} touch @param {boolean} [byKey] */
const stroke = (name, touch, byKey) =>
	queue(async () => {
		const sketch = await look({ tool: name, touch });
		if (!sketch.no) keep(sketch.board);
		show(name === tool ? sketch : { ...sketch, ...(await look()) }, touch.at(-1), byKey, sketch.no);
	});

const step = (/** @type {number} */ by) =>
	queue(async () => {
		if (!boards[at + by]) return;
		at += by;
		store();
		show(await look());
	});

/** The touches of a stroke: of any things, as many as its tool takes. */
class StrokePaths extends ClickPaths {
	get complete() {
		return this.prefix.length < (held()?.touches ?? 1) ? [] : [{ action: 0, label: "", text: "", path: this.prefix }];
	}

	/** @param {string} id */
	resolve(id) {
		return id;
	}

	/** @param {string} id */
	touch(id) {
		const again = this.prefix.at(-1) === id;
		if (again) this.prefix.length = 0;
		else this.prefix.push(id);
		return again ? "back" : this.complete.length ? "act" : "step";
	}
}

class Editor extends Controller {
	paths = new StrokePaths();
	byKey = false; // was the last touch one of a key?

	get isReady() {
		return Boolean(now);
	}

	lay() {
		this.board.setView({ items: now.items });
	}

	/** @param {string} id */
	touch(id, byKey = false) {
		this.byKey = byKey;
		super.touch(id);
	}

	/** @param {string} id */
	pull(id) {
		this.paths.prefix = [id];
	}

	/** @param {Choice} choice */
	play({ path }) {
		this.paths.prefix = [];
		stroke(tool, path, this.byKey);
	}

	forget() {
		this.refusal = null; // what is wrong stands beside the board
	}

	async askWhy() {}

	/** Points at the things that a sentence is about. @param {string[]} [things] */
	point(things) {
		this.refusal = things ? { id: "", show: things } : null;
		this.render();
	}

	// Things that can be dragged are not marked, since nearly everything can; in a window, a drag moves the window.
	marks() {
		const drags = now.items.filter(({ cls = "", label }) => label && /\b(takes|piece)\b/.test(cls)).map(({ id }) => id);
		return held()?.touches === 2 && !this.board.viewport.active ? { drags: new Set(drags) } : {};
	}
}

const editor = new Editor();
const { board } = editor;

/** @param {Sketch} sketch @param {string} [touched] @param {boolean} [byKey] @param {Remark | null} [no] */
function show(sketch, touched, byKey, no) {
	const field = touched && (board.items.get(touched)?.at || touched);
	const focused = board.root.contains(document.activeElement) ? board.focusId : undefined;
	now = sketch;
	showError($("error"));
	if (!held()) tool = now.tools.find(isTouch)?.id ?? "";
	board.setView({ picture: now.picture, title: $("where").textContent, items: now.items });
	editor.point(no?.show);
	const there = field && (board.standing(field) || field);
	if (byKey || focused) board.focus(there && board.items.has(there) ? there : focused);
	if (touched && !no) $("spoken").textContent = (there && board.items.get(there)?.label) || "";
	tools();
	hint(no);
	settings();
	problems(now.problems);
	$("undo").disabled = at < 1;
	$("redo").disabled = at >= boards.length - 1;
	$("sealed").hidden = !now.sealed;
	if (own) own.show(now);
	if (touched) $("link").hidden = true;
	check();
}

/** @param {Remark | null} [no] */
function hint(no) {
	$("hint").textContent = (no ? no.text : held()?.hint) ?? "";
	$("hint").classList.toggle("no", !!no);
}

// Only setting up a game finds the remaining problems: asked when there was no stroke for a while.
function check() {
	clearTimeout(idle);
	const mine = now;
	if (positions || now.problems.length || at <= 0) return;
	idle = setTimeout(async () => {
		try {
			await ask("/api/check", { game, options: mine.rules });
			const { steps } = await later(() => import("./shelf.js"));
			const found = await steps(game, mine.rules).catch(() => []); // beside the main matter
			if (mine === now) $("steps").replaceChildren(...found);
		} catch (error) {
			if (mine === now) problems([{ text: reasonOf(error), show: [] }]);
		}
	}, IDLE);
}

/** @param {Remark[]} all */
function problems(all) {
	$("steps")?.replaceChildren();
	$("play").disabled = all.length > 0 || now.actor === -2;
	const rows = all.map(({ text, show: things }) => {
		const point = () => {
			editor.point(things);
			board.viewport.show(things[0]);
		};
		return el("li", {}, things.length ? el("button", { class: "btn", onclick: point }, text) : text);
	});
	$("problems").replaceChildren(...(rows.length ? rows : [el("li", {}, t(own ? own.verdict(now) : "lacks_nothing"))]));
}

const icon = (/** @type {Tool} */ { parts, seat }) => {
	const look = { class: "board sign", viewBox: "-24 -24 48 48", "aria-hidden": "true" };
	return parts && svg("svg", look, drawItem({ x: 0, y: 0, parts, seat }));
};

/**
 * Builds the children again only when their data change, so that the focus stays.
 * @template T @param {HTMLElement} host @param {T[]} data @param {(each: T) => Node} build
 */
function once(host, data, build) {
	const text = JSON.stringify(data);
	if (host.dataset.made !== text) host.replaceChildren(...data.map(build));
	host.dataset.made = text;
}

const buttons = () => /** @type {HTMLButtonElement[]} */ ([...$("tools").children]);

function tools() {
	const kits = now.tools.filter(({ kind = "touch" }) => !["number", "text"].includes(kind));
	const kinds = kits.map(({ value, ...kit }) => kit); // a button whose value changes stays, and the focus with it
	once($("tools"), kinds, (each) => {
		const onclick = () => (isTouch(each) ? take(each.id) : stroke(each.id, lot(each)));
		const look = { class: "btn", type: "button", "data-tool": each.id, title: each.hint || each.label, onclick };
		return el("button", look, icon(each), el("span", {}, each.label));
	});
	for (const button of buttons()) {
		const kit = kits.find(({ id }) => id === button.dataset.tool);
		if (kit && isTouch(kit)) button.setAttribute("aria-pressed", String(kit.id === tool));
		else if (kit?.value !== undefined) button.setAttribute("aria-pressed", String(kit.value === 1));
	}
	rove($("tools").querySelector("[aria-pressed=true]"));
}

// A random number for a tool that draws lots.
const lot = (/** @type {Tool} */ { kind }) => (kind === "lot" ? [String(crypto.getRandomValues(new Uint32Array(1))[0])] : []);

/** @param {Element | null} button */
function rove(button) {
	for (const each of buttons()) each.tabIndex = each === button ? 0 : -1;
}

/** @param {string} id */
function take(id) {
	tool = id;
	editor.paths.prefix = [];
	queue(async () => show(await look()));
}

function settings() {
	const all = now.tools.filter(({ kind }) => kind === "number" || kind === "text");
	once($("sizes"), all, ({ id, label, kind, low, high }) => {
		const limits = kind === "number" ? { type: "number", min: low ?? 0, max: high } : { maxlength: high || 40 };
		const field = el("input", { ...limits, "data-tool": id });
		field.onchange = () => stroke(id, [field.value]);
		return el("label", { class: "row" }, el("span", {}, label), field);
	});
	for (const field of $("sizes").querySelectorAll("input"))
		field.value = String(all.find(({ id }) => id === field.dataset.tool)?.value ?? "");
	if ($("starts").length > 1) return;
	$("starts").append(...Object.entries(now.starts).map(([name, label]) => el("option", { value: name }, label)));
	$("starts").value = "";
}

async function saveFile() {
	const { name } = /** @type {{ name?: string }} */ (boards[at]);
	const file = (name || (positions ? `${game}-${page}` : game)).replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "");
	(await later(() => import("../base/download.js"))).download(`${file || game}.json`, JSON.stringify(boards[at]));
}

async function openFile() {
	const [file] = $("open").files ?? [];
	$("open").value = "";
	if (!file) return;
	try {
		await bring({ board: JSON.parse(await file.text()) });
	} catch (error) {
		showError($("error"), { message: t("not_json", { what: reasonOf(error) }), where: file.name });
	}
}

async function share() {
	try {
		const { copier } = await later(() => import("../base/clipboard.js"));
		const { pack } = await linkCodec();
		const value = new URL(href(`/${page}/${game}#b=${await pack(boards[at])}`), location.href).href;
		const text = el("input", { readonly: "", value, "aria-label": t("share_link") });
		const warning = now.sealed ? [el("p", { class: "note" }, t("sealed_link"))] : [];
		$("link").replaceChildren(...warning, el("p", { class: "row" }, text, copier(text)));
		$("link").hidden = false;
		text.select();
	} catch (error) {
		showError($("error"), error);
	}
}

async function fromLink() {
	const text = location.hash.slice(3);
	if (!location.hash.startsWith("#b=")) return false;
	history.replaceState(null, "", location.pathname);
	try {
		const found = await (await linkCodec()).unpack(text);
		await bring({ board: found });
		return at >= 0;
	} catch (error) {
		queue(() => {
			throw error;
		});
		return false;
	}
}

async function begin() {
	const mine = restored();
	const linked = location.hash.startsWith("#b=");
	if (await fromLink()) return;
	const given = await own?.given().catch((error) => {
		queue(() => {
			throw error;
		});
	});
	if (given) await bring({ board: given });
	if (at >= 0) return;
	const bad = linked && { message: $("error").textContent || t("link_bad") };
	if (mine) await bring({ board: JSON.parse(mine) });
	if (at < 0) await bring({});
	if (bad) queue(() => showError($("error"), bad));
}

async function play() {
	if (own) {
		own.play(game, now);
		return;
	}
	const rules = await (await linkCodec()).pack({ rules: now.rules, sealed: now.sealed });
	location.assign(href(`/new/${game}?mode=${now.sealed ? "invite" : "here"}#o=${rules}`));
}

Promise.all([ready(), startPage()]).then(() => {
	$("undo").onclick = () => step(-1);
	$("redo").onclick = () => step(1);
	$("save").onclick = saveFile;
	$("share").onclick = share;
	if (own) $("picture").onclick = async () => (await later(() => import("./picture.js"))).pictures({ ...now, name: game });
	else {
		const shelf = async () => (await later(() => import("./shelf.js"))).toggle($("shelf-open"), $("shelf"), () => now, bring);
		$("shelf-open").onclick = shelf;
	}
	if (!own)
		$("print").onclick = async () => (await later(() => import("./printing.js"))).toggle($("print"), $("printing"), () => now);
	$("open").onchange = openFile;
	$("starts").onchange = async () => {
		await bring({ start: $("starts").value, ...(!positions && { board: null }) });
		$("starts").value = "";
	};
	$("play").onclick = play;
	own?.attach((position) => bring({ board: { rules: now.rules, position } }));
	$("tools").onkeydown = (event) => {
		const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
		const all = buttons();
		const here = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
		const next = by && all[(here + by + all.length) % all.length];
		if (!next) return;
		rove(next);
		next.focus();
	};
	addEventListener("keydown", (event) => {
		const name = event.key.toLowerCase();
		if (!(event.ctrlKey || event.metaKey) || !["z", "y"].includes(name)) return;
		if (event.target instanceof Element && /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
		event.preventDefault();
		step(name === "y" || event.shiftKey ? 1 : -1);
	});
	addEventListener("hashchange", fromLink);
	begin().finally(enable); // what is pressed needs the first board
});
