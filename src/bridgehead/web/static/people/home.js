// @ts-check
// The home page: small boards, a field for a code or link, and the tables that this browser remembers.

import { $, el, enable, href, later, root } from "../base/dom.js";
import { thumbnail } from "../base/draw.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { startPage } from "../base/page.js";
import { whenShownAgain } from "../base/poll.js";
import { ask } from "../base/request.js";
import { load } from "../base/store.js";
import { isRecommended, rememberRecommended } from "./saved_tables.js";

const FEW = 4; // tables shown at first
const DAY = 86_400_000; // ms
const FIRST = 5; // letters of an id that tell tables apart
const SETTLED = 400; // ms until buttons that have just appeared can be pressed

startPage();
if (location.hash.startsWith("#network=")) later(() => import("./share.js")).then(({ keepSecret }) => keepSecret());

for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-game]"))) {
	const { game = "", options } = card.dataset; // options: the house rules of an own board
	const about = `lang=${root.lang}`;
	const drawing = options
		? ask(`/api/games/${game}/picture?${about}&options=${encodeURIComponent(options)}`)
		: ask(`/api/games/${game}/showpiece?${about}`);
	drawing.then(({ picture, items }) => {
		card.querySelector(".picture")?.append(thumbnail(picture, items));
	});
	opens(card, "[data-computer]", ".ways");
	opens(card, "[data-more]", ".others");
	for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (card.querySelectorAll("[data-level], [data-here]")))
		button.onclick = () => play(card, button);
	for (const box of card.querySelectorAll("input")) box.onchange = () => rememberRecommended(game, box.checked);
}

/** Makes a link of a card open a dialog. @param {HTMLElement} card @param {string} link @param {string} what */
function opens(card, link, what) {
	const node = /** @type {HTMLDialogElement} */ (card.querySelector(what));
	const inside = /** @type {HTMLElement} */ (node.firstElementChild);
	/** @type {HTMLElement} */ (card.querySelector(link)).onclick = (event) => {
		if (event.ctrlKey || event.metaKey || event.shiftKey) return; // the link opens beside this page
		event.preventDefault();
		node.showModal();
		inside.inert = true; // a double click must not choose what has appeared above the button
		setTimeout(() => {
			inside.inert = false;
			/** @type {HTMLElement | null} */ (inside.querySelector(".btn:not(.bare)"))?.focus();
		}, SETTLED);
	};
	node.onclick = ({ target }) => {
		const outside = target === node && !inside.inert;
		if (outside || (target instanceof Element && target.closest("[data-close]"))) node.close();
	};
}

/**
 * Sets up a table, against one level of the computer or for people at this screen, and goes there.
 * @param {HTMLElement} card @param {HTMLButtonElement} button
 */
async function play(card, button) {
	const { game = "", options = "{}" } = card.dataset;
	const { level, here } = button.dataset;
	const count = Number(here ?? card.dataset.seats);
	const box = card.querySelector("input");
	const preset = box?.checked && JSON.parse(box.dataset.seats ?? "[]").includes(count) ? box.value : "";
	const names = load("names", []);
	button.disabled = true;
	try {
		/** @type {SeatWish[]} */
		const seats = [];
		for (let i = 0; i < count; i++) {
			const name = names[i];
			if (level && i) seats.push({ kind: "computer", level });
			else seats.push({ kind: "person", open: false, ...(name && { name }) });
		}
		const made = await ask("/api/tables", { game, preset, options: { ...JSON.parse(options), seats: count }, seats });
		location.assign(href(`/t/${made.table}#s=${made.tokens.filter(Boolean).join(".")}&h=${made.host}`));
	} catch (error) {
		showError(/** @type {HTMLElement} */ (card.querySelector(".problem")), error);
	}
	button.disabled = false;
}

/** The puzzle of the day is one of another game each day. */
function leadToPuzzle() {
	const daily = document.querySelector("#daily");
	if (!(daily instanceof HTMLAnchorElement)) return;
	const games = (daily.dataset.games ?? "").split(" ");
	daily.href = href(`/puzzles/${games[Math.floor(Date.now() / DAY) % games.length]}?today`);
}

$("join").onsubmit = (event) => {
	event.preventDefault();
	const typed = $("code").value.trim();
	const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, ""); // people type small letters and spaces
	location.assign(typed.match(/\/t\/\S+/)?.[0] || `/t/${code || encodeURIComponent(typed)}`);
};
enable("join");

/** @typedef {Answer<"POST /api/mine">["tables"][number]} State */

let all = false;
const running = () =>
	Object.entries(load("tables", {}))
		.filter(([, { over }]) => !over)
		.sort(([, a], [, b]) => b.at - a.at);

/** Lists tables that this browser remembers. @param {[string, SavedTable][]} known @param {Map<string, State>} [states] */
function list(known, states = new Map()) {
	const turn = (/** @type {string} */ id) => Number(!!states.get(id)?.turn);
	const open = known.filter(([id]) => !states.get(id)?.over).sort(([a], [b]) => turn(b) - turn(a));
	const rows = open.slice(0, all ? open.length : FEW).map(([id, { title, tokens, host }]) => {
		const parts = [tokens.length && `s=${tokens.join(".")}`, host && `h=${host}`].filter(Boolean);
		const href = `/t/${id}${parts.length ? `#${parts.join("&")}` : ""}`;
		const link = { class: turn(id) ? "btn turn" : "btn", href, title: states.get(id)?.prompt };
		return el("li", {}, el("a", link, title, el("small", {}, turn(id) ? `● ${t("turn_now")}` : id.slice(0, FIRST))));
	});
	$("tables").hidden = !open.length;
	$("all-tables").hidden = all || open.length <= FEW;
	$("tables")
		.querySelector("ul")
		?.replaceChildren(...rows);
	$("all-tables").onclick = () => {
		all = true;
		list(known, states);
	};
}

/** Lists the tables at once, and again with their states. */
async function listTables() {
	const known = running();
	list(known);
	if (!known.length) return;
	const tables = known.slice(0, 20).map(([table, { tokens }]) => ({ table, tokens }));
	const found = await ask(`/api/mine?lang=${root.lang}`, { tables }).catch(() => undefined);
	if (found) list(known, new Map(found.tables.map((each) => [each.table, each])));
}

/** What is another when the page is shown again. */
function refresh() {
	for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(".game input")))
		box.checked = isRecommended(/** @type {HTMLElement} */ (box.closest("[data-game]")).dataset.game ?? "");
	leadToPuzzle();
	listTables();
}
refresh();
whenShownAgain(refresh);
