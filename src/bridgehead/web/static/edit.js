// Drawing a board: shows what the game makes of each stroke, and keeps the boards before it. No rule is known here.
import { Board, drawItem } from "./board.js";
import { $, ask, copier, el, problem, root, startPage, svg, wake } from "./dom.js";
import { pack, unpack } from "./packed.js";
import { t } from "./words.js";

const { game } = $("main").dataset, MOST = 400, IDLE = 700;
const board = new Board($("stage"), { touch, pull: (id) => { chosen = [id]; }, empty: () => choose([]) }, $("map"));
const boards = [];
let at = -1, now, tool = "", chosen = [], pictured = "", idle = 0, line = Promise.resolve();

const held = () => now.tools.find(({ id }) => id === tool);
const queue = (work) => (line = line.then(work).catch((error) => problem($("error"), error)));
const look = (wish = {}) => ask(`/api/games/${game}/edit?lang=${root.lang}`, { ...(at >= 0 && { board: boards[at] }), tool, ...wish });

// The board of this tab, should the page be loaded again.
function stored(text) {
	try { return text === undefined ? sessionStorage.getItem(`bridgehead.edit.${game}`) : sessionStorage.setItem(`bridgehead.edit.${game}`, text); } catch { return null; }
}

function keep(fresh) {
	const text = JSON.stringify(fresh);
	if (at >= 0 && text === JSON.stringify(boards[at])) return;
	boards.splice(at + 1, Infinity, fresh);
	if (boards.length > MOST) boards.shift();
	at = boards.length - 1;
	stored(text);
}

// Another board: a file, a link, or one to begin with. A bad one leaves everything as it was.
const bring = (wish) => queue(async () => {
	const told = await look({ touch: [], tool: "", ...wish });
	keep(told.board);
	show(told);
});

const stroke = (name, things, byKey) => queue(async () => {
	const told = await look({ tool: name, touch: things });
	if (!told.no) keep(told.board);
	show(name === tool ? told : { ...told, ...await look() }, things.at(-1), byKey, told.no);
});

const step = (by) => queue(async () => {
	if (!boards[at + by]) return;
	at += by;
	stored(JSON.stringify(boards[at]));
	show(await look());
});

function touch(id, byKey) {
	const needed = held()?.touches ?? 1;
	choose(chosen.at(-1) === id ? [] : [...chosen, id]);
	if (chosen.length < needed) return;
	const things = chosen;
	chosen = [];
	stroke(tool, things, byKey);
}

function choose(things) {
	chosen = things;
	mark();
}

// Marks what was touched first, or what a sentence is about. What can be dragged is not lit: nearly everything can; in a
// window, a drag moves the window.
function mark(no) {
	board.setMarks({ chosen: chosen.filter((id) => board.items.has(id)), no: no && { id: "", show: no } });
	if (held()?.touches === 2 && !board.view.active) board.targets = new Map(now.items.filter(({ cls }) => /\btakes\b/.test(cls)).map(({ id }) => [id, {}]));
}

function show(told, touched, byKey, no) {
	const field = touched && (board.items.get(touched)?.at || touched), onBoard = board.root.contains(document.activeElement) && board.focusId;
	now = told;
	problem($("error"));
	if (!held()) tool = now.tools.find(({ kind }) => !kind || kind === "touch").id;
	const picture = JSON.stringify(now.picture);
	if (picture !== pictured) board.setPicture(now.picture, $("where").textContent);
	pictured = picture;
	board.setItems(now.items);
	mark(no?.show);
	const there = board.standing(field) || field;
	if (byKey || onBoard) board.focus(board.items.has(there) ? there : onBoard);
	if (touched && !no) $("spoken").textContent = board.items.get(there)?.label || "";
	tools();
	hint(no);
	settings();
	problems(now.problems);
	$("undo").disabled = at < 1;
	$("redo").disabled = at >= boards.length - 1;
	$("sealed").hidden = !now.sealed;
	if (touched) $("link").hidden = true;
	check();
}

function hint(no) {
	$("hint").textContent = no ? no.text : held().hint;
	$("hint").classList.toggle("no", !!no);
}

// What only whoever starts the game can find is asked when the hand rests.
function check() {
	clearTimeout(idle);
	$("play").disabled = now.problems.length > 0;
	const mine = now;
	if (!now.problems.length && at > 0) idle = setTimeout(() => ask("/api/check", { game, options: mine.rules }).catch(({ message }) => {
		if (mine === now) problems([{ text: message, show: [] }]);
	}), IDLE);
}

function problems(all) {
	$("play").disabled = all.length > 0;
	$("problems").replaceChildren(...all.map(({ text, show }) => el("li", {}, show.length
		? el("button", { class: "btn", onclick: () => { mark(show); board.view.show(show[0]); } }, text) : text)));
	if (!all.length) $("problems").append(el("li", {}, t("lacks_nothing")));
}

const icon = ({ parts = [], seat }) => svg("svg", { class: "board sign", viewBox: "-24 -24 48 48", "aria-hidden": "true" }, drawItem({ x: 0, y: 0, parts, seat }));

// Rebuilt only when they change, so that the focus stays.
function once(host, data, build) {
	const text = JSON.stringify(data);
	if (host.dataset.made !== text) host.replaceChildren(...data.map(build));
	host.dataset.made = text;
}

function tools() {
	const kits = now.tools.filter(({ kind = "touch" }) => !["number", "text"].includes(kind));
	once($("tools"), kits, (each) => {
		const press = each.kind && each.kind !== "touch";
		return el("button", { class: "btn", type: "button", "data-tool": each.id, title: each.hint || each.label, onclick: () => (press ? stroke(each.id, lot(each)) : take(each.id)) }, each.parts && icon(each), el("span", {}, each.label));
	});
	for (const button of $("tools").children) {
		const each = kits.find(({ id }) => id === button.dataset.tool);
		if (!each.kind || each.kind === "touch") button.setAttribute("aria-pressed", each.id === tool);
	}
	rove($("tools").querySelector("[aria-pressed=true]"));
}

const lot = ({ kind }) => (kind === "lot" ? [String(crypto.getRandomValues(new Uint32Array(1))[0])] : []);

function rove(button) {
	for (const each of $("tools").children) each.tabIndex = each === button ? 0 : -1;
}

function take(id) {
	tool = id;
	chosen = [];
	queue(async () => show(await look()));
}

function settings() {
	const all = now.tools.filter(({ kind }) => kind === "number" || kind === "text");
	once($("sizes"), all, ({ id, label, kind, value, low, high }) => el("label", { class: "row" }, el("span", {}, label),
		el("input", { value: value ?? "", ...(kind === "number" ? { type: "number", min: low ?? 0, max: high } : { maxlength: 40 }), "data-tool": id, onchange: ({ target }) => stroke(id, [target.value]) })));
	for (const { id, value } of all) $("sizes").querySelector(`[data-tool="${id}"]`).value = value ?? "";
	if ($("starts").length > 1) return;
	$("starts").append(...Object.entries(now.starts).map(([name, label]) => el("option", { value: name }, label)));
	$("starts").value = "";
}

function saveFile() {
	const name = (boards[at].name || game).replace(/[^\p{L}\p{N}_-]+/gu, "-"), url = URL.createObjectURL(new Blob([JSON.stringify(boards[at])], { type: "application/json" }));
	el("a", { href: url, download: `${name}.json` }).click();
	setTimeout(() => URL.revokeObjectURL(url), 10000);
}

async function openFile(input) {
	const [file] = input.files;
	input.value = "";
	if (!file) return;
	try { await bring({ board: JSON.parse(await file.text()) }); } catch (error) { problem($("error"), { message: t("not_json", { what: error.message }), where: file.name }); }
}

async function share() {
	try {
		const text = el("input", { readonly: "", value: `${location.origin}/edit/${game}#b=${await pack(boards[at])}`, "aria-label": t("share_link") });
		$("link").replaceChildren(...(now.sealed ? [el("p", { class: "note" }, t("sealed_link"))] : []), el("p", { class: "row" }, text, copier(text)));
		$("link").hidden = false;
		text.select();
	} catch (error) { problem($("error"), error); }
}

async function fromLink() {
	const text = location.hash.slice(3);
	if (!location.hash.startsWith("#b=")) return false;
	history.replaceState(null, "", location.pathname);
	try {
		const found = await unpack(text);
		await bring({ board: found });
		return at >= 0;
	} catch (error) {
		queue(() => { throw error; });
		return false;
	}
}

async function begin() {
	const mine = stored(), linked = location.hash.startsWith("#b=");
	if (await fromLink()) return;
	const bad = linked && { message: $("error").textContent || t("link_bad") };
	if (mine) await bring({ board: JSON.parse(mine) });
	if (at < 0) await bring({});
	if (bad) queue(() => problem($("error"), bad));
}

startPage().then(() => {
	$("undo").onclick = () => step(-1);
	$("redo").onclick = () => step(1);
	$("save").onclick = saveFile;
	$("share").onclick = share;
	$("open").onchange = ({ target }) => openFile(target);
	$("starts").onchange = ({ target }) => bring({ start: target.value, board: null }).then(() => { target.value = ""; });
	$("play").onclick = async () => location.assign(`/new/${game}?mode=${now.sealed ? "invite" : "here"}#o=${await pack({ rules: now.rules, sealed: now.sealed })}`);
	$("tools").onkeydown = ({ key }) => {
		const all = [...$("tools").children], next = all.indexOf(document.activeElement) + (key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : NaN);
		if (!all[(next + all.length) % all.length]) return;
		rove(all[(next + all.length) % all.length]);
		all[(next + all.length) % all.length].focus();
	};
	addEventListener("keydown", (event) => {
		const key = event.key.toLowerCase();
		if (key === "escape" && chosen.length) choose([]);
		if (!(event.ctrlKey || event.metaKey) || !["z", "y"].includes(key) || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
		event.preventDefault();
		step(key === "y" || event.shiftKey ? 1 : -1);
	});
	addEventListener("hashchange", fromLink);
	addEventListener("prefs", () => { if (now) { board.setItems(now.items); mark(); } });
	wake();
	begin();
});
