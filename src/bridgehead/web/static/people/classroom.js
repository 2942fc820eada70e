// @ts-check
// All tables of a server, for its host: small pictures, a message to all, a pause for all, and one table on the wall.

import { $, el, href, later, root } from "../base/dom.js";
import { thumbnail } from "../base/draw.js";
import { reasonOf, showError, withError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { chip, levelName } from "../base/levels.js";
import { startPage } from "../base/page.js";
import { whenShownAgain } from "../base/poll.js";
import { ask } from "../base/request.js";
import { newKey } from "../base/socket.js";
import { load, save } from "../base/store.js";

/** @typedef {Answer<"POST /api/class">} Class @typedef {Class["news"][number]} Shown */
const AGAIN = 2000; // ms between two requests
const WALL = 1000; // ms while a table is on the wall
const about = /** @type {const} */ (`?lang=${root.lang}`);

/** @type {Map<string, Shown & { at: number }>} */
const tables = new Map(); // what is known of each table, and when it was received
/** @type {Class["boards"]} */
const boards = {};
/** @type {Map<string, HTMLElement>} */
const cards = new Map();
/** @type {string[]} */
let order = [];
let asking = 0; // the number of the newest request
/** @type {number | undefined} */
let next;

const given = new URLSearchParams(location.hash.slice(1)).get("key");
if (given) {
	save("host", given);
	history.replaceState(null, "", location.pathname); // the key does not stay in the address bar
}
const keyOf = () => load("host", "");
const onWall = () => new URLSearchParams(location.hash.slice(1)).get("wall") ?? "";

/** @param {Shown & { at: number }} table */
function waited({ waits, at, state }) {
	if (state === "over") return t("class.over");
	const seconds = Math.floor(waits + (Date.now() - at) / 1000);
	const time = seconds < 60 ? t("class.seconds", { n: seconds }) : t("class.minutes", { n: Math.floor(seconds / 60) });
	return state === "running" ? t("class.waits", { time }) : t(`class.${state}`);
}

/** @param {Shown} table */
function people({ seats, actor, state }) {
	const rows = seats.map(({ letter, name, level, here }, i) => {
		const who = level && !name.startsWith(levelName(level)) && name === letter ? levelName(level) : name;
		const gone = !level && !here && el("small", { class: "quiet" }, ` (${t("class.away")})`);
		const acts = i === actor && state !== "over";
		return el("li", {}, chip(letter.toLowerCase(), letter), el("span", acts ? { class: "acts" } : {}, el("bdi", {}, who)), gone);
	});
	return el("ul", { class: "people-here" }, ...rows);
}

/**
 * What a table is called: its number and name in a tournament, and its game.
 * @param {Pick<Shown, "title" | "number" | "name" | "club">} table
 */
const titleOf = ({ title, number, name, club }) =>
	number ? [t("class.table", { n: number }), name, title, club].filter(Boolean).join(" · ") : title;

/** A table that waits for people. @param {Class["empty"][number]} table */
function emptyCard(table) {
	const open = {
		class: "btn bare",
		href: href(`/tournament/${table.tournament}`),
		"aria-label": `${t("cups.open_it")}: ${table.club}`,
	};
	return el(
		"li",
		{ class: "panel ready" },
		el("h2", {}, titleOf(table)),
		el("p", {}, table.waiting.join(", ") || t("class.nobody")),
		el("p", { class: "row" }, el("a", open, t("cups.open_it"))),
	);
}

/** @param {Shown & { at: number }} table */
function card(table) {
	const { items, board, state, prompt, seats, table: id } = table;
	const name = seats.map((each) => each.name).join(", ");
	const small = (/** @type {string} */ text, /** @type {() => void} */ onclick) =>
		el("button", { class: "btn bare", type: "button", "data-key": text, "aria-label": `${text}: ${name}`, onclick }, text);
	const stops =
		state === "held"
			? small(t("class.resume_one"), () => act("resume", id))
			: small(t("class.pause_one"), () => act("pause", id));
	const wall = { class: "btn", type: "button", "aria-label": `${t("class.wall")}: ${name}`, onclick: () => toWall(id) };
	return el(
		"li",
		{ class: `panel ${state}`, "data-table": id },
		el("h2", {}, titleOf(table)),
		thumbnail(boards[board], items),
		people(table),
		el("p", {}, prompt),
		el(
			"p",
			{ class: "row" },
			el("span", { class: "waits quiet" }, waited(table)),
			el("button", wall, t("class.wall")),
			el("a", { class: "btn bare", href: `/t/${id}`, "aria-label": `${t("watch_it")}: ${name}` }, t("watch_it")),
			state !== "over" && stops,
			small(t("class.speak_one"), () => address(id)),
			state !== "over" && small(t("class.seats"), () => arrangeSeats(id)),
		),
	);
}

/** What the host does with the seats of a table. @param {string} id */
async function arrangeSeats(id) {
	const { arrange } = await later(() => import("./class_seats.js"));
	const table = tables.get(id);
	const others = sorted(order.filter((each) => each !== id)).flatMap((each) => tables.get(each) ?? []);
	const k = newKey();
	if (table)
		arrange(table, others, titleOf, (what) =>
			withError($("error"), async () => {
				await ask(`/api/class/act${about}`, { key: keyOf(), k, ...what });
				const did = /** @type {"swap"} */ (what.do);
				$("done").textContent = t(`class.did_${did}`);
				await look();
			}),
		);
}

let only = ""; // the table to which the next message goes, "" for all

/** Addresses the next message to one table, or to all. @param {string} id */
function address(id) {
	only = id;
	const table = tables.get(id);
	const name = table?.seats.map((each) => each.name).join(", ") ?? "";
	$("message").placeholder = id ? t("class.text_one", { who: name }) : t("class.text");
	$("message").setAttribute("aria-label", $("message").placeholder);
	$("to-all").hidden = !id;
	if (id) $("message").focus();
}

/** @param {string} id */
function toWall(id) {
	location.hash = `wall=${id}`;
}

/** Shows the table that the address names, or all. */
function showWall() {
	const table = tables.get(onWall());
	const opens = Boolean(table) && $("wall").hidden;
	const closes = !table && !$("wall").hidden;
	$("wall").hidden = !table;
	/** @type {NodeListOf<HTMLElement>} */
	const rest = document.querySelectorAll("#main > :not(#wall), body > header");
	for (const each of rest) each.inert = Boolean(table);
	if (table) {
		$("wall-title").textContent = titleOf(table);
		$("wall-stop").hidden = table.state !== "held" && table.state !== "paused";
		$("wall-stop").textContent = table.state === "held" ? t("class.wall_held") : t("class.paused");
		$("wall-board").replaceChildren(thumbnail(boards[table.board], table.items));
		$("wall-seats").replaceChildren(people(table));
		if ($("wall-prompt").textContent !== table.prompt) $("wall-prompt").textContent = table.prompt;
	}
	if (opens) $("back").focus();
	if (closes) /** @type {HTMLElement | null} */ ($("tables").querySelector("button"))?.focus();
}

const leaveWall = () => {
	if (!onWall()) return;
	history.pushState(null, "", location.pathname);
	showWall();
};

/** Tables in the order that the host has chosen. @param {string[]} ids */
function sorted(ids) {
	const of = (/** @type {string} */ id) => /** @type {Shown & { at: number }} */ (tables.get(id));
	const since = (/** @type {string} */ id) => (of(id).state === "running" ? of(id).at - 1000 * of(id).waits : Number.MAX_VALUE);
	const number = (/** @type {string} */ id) => of(id).number || Number.MAX_VALUE;
	if ($("order").value === "waits") return [...ids].sort((a, b) => since(a) - since(b));
	return $("order").value === "number" ? [...ids].sort((a, b) => number(a) - number(b)) : ids;
}

let emptyShown = ""; // the empty tables that are drawn
/** @type {HTMLElement[]} */
let emptyCards = [];

/** @param {Class} found */
function show({ order: names, news, boards: more, all, empty }) {
	Object.assign(boards, more);
	order = names;
	for (const id of [...tables.keys()])
		if (!names.includes(id)) {
			tables.delete(id);
			cards.delete(id);
		}
	for (const table of news) {
		const known = { ...table, at: Date.now() };
		tables.set(table.table, known);
		const old = cards.get(table.table);
		const focus = /** @type {HTMLElement | null} */ (document.activeElement);
		const held =
			old?.contains(focus) && focus && (focus.dataset.key ? `[data-key="${CSS.escape(focus.dataset.key)}"]` : focus.tagName);
		cards.set(table.table, card(known));
		if (old?.isConnected) old.replaceWith(/** @type {HTMLElement} */ (cards.get(table.table)));
		if (held) /** @type {HTMLElement | null} */ (cards.get(table.table)?.querySelector(held))?.focus();
	}
	if (emptyShown !== JSON.stringify(empty)) emptyCards = empty.map(emptyCard);
	emptyShown = JSON.stringify(empty);
	const shown = [...sorted(order).map((id) => /** @type {HTMLElement} */ (cards.get(id))), ...emptyCards];
	if (shown.some((each, i) => $("tables").children[i] !== each) || $("tables").children.length !== shown.length)
		$("tables").replaceChildren(...shown);
	const states = order.map((id) => tables.get(id)?.state);
	const held = states.filter((state) => state === "held").length;
	const going = states.filter((state) => state === "running" || state === "paused").length;
	const free = empty.length > 0 && t("class.count_empty", { n: empty.length });
	const counted = [t("class.count", { n: all }), free, all > order.length && t("class.newest", { n: order.length })];
	$("count").textContent = [...counted, held && t("class.count_held", { n: held })].filter(Boolean).join(" · ");
	$("none").hidden = shown.length > 0;
	$("pause").setAttribute("aria-disabled", String(!going));
	$("resume").setAttribute("aria-disabled", String(!held));
	showWall();
	tick();
}

function tick() {
	for (const [id, table] of tables) {
		const text = waited(table);
		const node = cards.get(id)?.querySelector(".waits");
		if (node && node.textContent !== text) node.textContent = text;
	}
}

/** @param {boolean} hidden */
const hideTools = (hidden) => {
	$("tools").hidden = $("newcomers").hidden = $("desk").hidden = hidden;
};

async function look() {
	clearTimeout(next);
	const key = keyOf();
	const number = ++asking;
	$("form").hidden = Boolean(key);
	hideTools(!key);
	if (!key) return;
	try {
		const known = Object.fromEntries([...tables].map(([id, { stamp }]) => [id, stamp]));
		const found = await ask(`/api/class${about}`, { key, known, boards: Object.keys(boards) });
		if (number !== asking) return;
		showError($("error"));
		if (!$("count").textContent) $("newcomers").open = !found.all && !found.empty.length; // a class that has yet to sit down
		show(found);
	} catch (error) {
		if (number !== asking) return;
		showError($("error"), new Error(reasonOf(error))); // without the place: the page has one request
		$("form").hidden = false;
		if (!tables.size) hideTools(true);
	}
	next = setTimeout(look, onWall() ? WALL : AGAIN);
}

/** @param {"pause" | "resume"} what @param {string} [table] one of them */
const act = (what, table = "") =>
	withError($("error"), async () => {
		if (!table && $(what).getAttribute("aria-disabled") === "true") return;
		const { tables: n, failed } = await ask(`/api/class/act${about}`, { key: keyOf(), do: what, ...(table && { table }) });
		const key = failed ? "class.failed" : what === "pause" ? "class.did_pause" : "class.did_resume";
		$("done").textContent = t(key, { n, failed });
		await look();
	});

$("pause").onclick = () => act("pause");
$("resume").onclick = () => act("resume");
$("back").onclick = leaveWall;
$("wall-board").onclick = leaveWall;
$("forget").onclick = () => {
	save("host");
	location.reload();
};
$("form").onsubmit = (event) => {
	event.preventDefault();
	save("host", $("key").value.trim());
	$("key").value = "";
	look();
};
let again = { text: "", k: "", to: "" }; // a message that is sent again keeps its key
$("speak").onsubmit = (event) => {
	event.preventDefault();
	const text = $("message").value.trim();
	if (again.text !== text || again.to !== only) again = { text, k: newKey(), to: only };
	withError($("error"), async () => {
		const { tables: n, failed } = await ask(`/api/class/act${about}`, { key: keyOf(), do: "say", k: again.k, text, table: only });
		$("done").textContent = t(failed ? "class.failed" : "class.did_say", { n, failed });
		$("message").value = "";
		again = { text: "", k: "", to: "" };
		address("");
	});
};
$("desk").ontoggle = () =>
	$("desk").open && withError($("error"), async () => (await later(() => import("./host_desk.js"))).showDesk());
$("to-all").onclick = () => address("");
$("order").onchange = look;
$("seating").onchange = $("ready").oninput = () => {
	$("sit").href = href(`/tournaments#class=${$("seating").value}&tables=${$("ready").value.trim()}`);
};
addEventListener("hashchange", () => {
	showWall();
	look();
});
addEventListener("keydown", ({ key }) => {
	if (key === "Escape") leaveWall();
});
await startPage();
await look();
whenShownAgain(look);
setInterval(tick, 1000);
