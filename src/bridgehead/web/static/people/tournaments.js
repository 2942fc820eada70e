// @ts-check
// The tournaments of this server, and the form for a new one.

import { $, el, enable, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { levelName } from "../base/levels.js";
import { startPage } from "../base/page.js";
import { keepLooking } from "../base/poll.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";
import { points, redraw, table } from "./lists.js";
import { isRecommended, rememberRecommended } from "./saved_tables.js";

/** @typedef {Answer<"GET /api/tournaments">["tournaments"][number]} Head */
const OWN = 8; // tournaments of this browser that are shown, at most
const AGAIN = 10000; // ms between two requests

const GAIN = 10; // seconds that a bank of time gains with each turn

/** @param {Head} each */
function row({ id, name, title, kind, size, state, entrants, round }) {
	const about = [title, t(`cups.${kind}`), t("cups.at_table", { n: size }), t("cups.entrants", { n: entrants })].join(" · ");
	const now = state === "running" && kind !== "arena" ? t("cup.round", { n: round }) : t(`cups.${state}`);
	return el(
		"li",
		{ class: "panel pad row" },
		el("div", {}, el("strong", {}, name), el("p", { class: "quiet" }, `${about} · ${now}`)),
		el(
			"a",
			{ class: "btn", "data-key": id, href: `/tournament/${id}` },
			t("cups.open_it"),
			el("span", { class: "hidden" }, `: ${name}`),
		),
	);
}

/** @type {Head[] | undefined} */
let mine; // the tournaments of this browser that no list shows, as they were when the page was opened

/** The tournaments that this browser hosts or takes part in, the newest first. */
async function own() {
	if (mine) return mine;
	mine = [];
	for (const id of Object.keys(load("tournaments", {})).slice(-OWN).reverse())
		try {
			mine.push(await ask(`/api/tournaments/${id}?lang=${root.lang}`));
		} catch {
			// deleted, or of another server
		}
	return mine;
}

async function look() {
	try {
		const { tournaments } = await ask(`/api/tournaments?lang=${root.lang}`);
		showError($("error"));
		const listed = new Set(tournaments.map(({ id }) => id));
		const all = [...(await own()).filter(({ id }) => !listed.has(id)), ...tournaments];
		redraw($("list"), ...all.map(row));
		$("nobody").hidden = all.length > 0;
	} catch (error) {
		showError($("error"), error);
	}
}

function sizes() {
	const { least, most } = $("game").selectedOptions[0].dataset;
	const numbers = Array.from({ length: Number(most) - Number(least) + 1 }, (_, i) => Number(least) + i);
	$("size").replaceChildren(...numbers.map((n) => el("option", {}, `${n}`)));
	rules();
	manySeats();
}

/** Places count only where there are more than two. */
function manySeats() {
	labelOf($("places")).hidden = Number($("size").value) < 3;
}

/** Offers the recommended rules beside the original ones, where they were measured for tables of this size. */
function rules() {
	const [game] = $("game").selectedOptions;
	const [, recommended] = $("rules").options;
	recommended.disabled = recommended.hidden = !JSON.parse(game.dataset.recommended ?? "[]").includes(Number($("size").value));
	recommended.selected = isRecommended(game.value) && !recommended.disabled;
	$("rules").options[0].selected = !recommended.selected;
	describeRules();
}

function describeRules() {
	for (const text of /** @type {HTMLElement[]} */ ([...$("rules-help").children]))
		text.hidden = text.dataset.of !== `${$("game").value} ${$("rules").value}`;
}

const labelOf = (/** @type {Element} */ field) => /** @type {HTMLElement} */ (field.closest("label"));

function kinds() {
	const kind = $("kind").value;
	$("kind-help").textContent = t(`cups.help_${kind}`);
	labelOf($("rounds")).hidden = kind === "knock_out" || kind === "arena";
	labelOf($("minutes")).hidden = kind !== "arena";
	labelOf($("seating")).hidden = labelOf($("tables")).hidden = kind !== "arena";
	labelOf($("late")).hidden = kind !== "swiss";
}

/** A whole number, or a sentence that it is none. @param {HTMLInputElement} field */
function numberIn(field) {
	if (labelOf(field).hidden || !field.value.trim()) return 0;
	if (!/^\d{1,4}$/.test(field.value.trim()))
		throw Object.assign(new Error(t("clock.number")), { where: labelOf(field).textContent });
	return Number(field.value);
}

$("form").onsubmit = async (event) => {
	event.preventDefault();
	try {
		const bank = 60 * numberIn($("think"));
		const made = await ask("/api/tournaments", {
			name: $("name").value,
			game: $("game").value,
			preset: $("rules").value,
			size: Number($("size").value),
			kind: /** @type {Requests["POST /api/tournaments"]["body"]["kind"]} */ ($("kind").value),
			rounds: numberIn($("rounds")),
			minutes: numberIn($("minutes")),
			appear: numberIn($("appear")),
			paired: $("paired").checked,
			live: $("live").checked,
			aids: $("aids").checked,
			late: numberIn($("late")),
			limit: numberIn($("limit")),
			at_limit: /** @type {"wait" | "draw" | "lose"} */ ($("at-limit").value),
			places: $("places").checked && Number($("size").value) > 2,
			listed: $("listed").checked,
			where: $("where").value,
			keep: numberIn($("keep")),
			tables: numberIn($("tables")),
			seating: /** @type {"random" | "rating" | "choice"} */ ($("seating").value),
			...(bank && { clock: { bank, increment: GAIN } }),
		});
		if ($("odd").checked) {
			const { levels } = await ask(`/api/tournaments/${made.id}?lang=${root.lang}`);
			const level = levels[Math.min(1, levels.length - 1)];
			await ask(`/api/tournaments/${made.id}/entrants`, { name: levelName(level), level, host: made.host });
		}
		save("tournaments", { ...load("tournaments", {}), [made.id]: { host: made.host, entrant: -1, token: "" } });
		location.assign(`/tournament/${made.id}#h=${made.host}`);
	} catch (error) {
		showError($("error"), error);
		$("error").scrollIntoView({ block: "nearest" });
	}
};

/** Fills a game's rating lists when they are opened. @param {HTMLDetailsElement} details */
async function lists(details) {
	const place = /** @type {HTMLElement} */ (details.querySelector("div"));
	try {
		const { lists: all } = await ask(`/api/games/${details.dataset.ratings}/ratings?lang=${root.lang}`);
		const heads = ["#", t("cup.name"), t("me.count"), t("ratings")];
		const shown = all.map(({ seats, rules, players }) => {
			const rows = players.map((each, i) => [
				`${i + 1}`,
				each.level ? levelName(each.level) : each.name,
				`${each.rated}`,
				points(each),
			]);
			const title = el("p", { class: "quiet" }, `${t("me.seats", { n: seats })} · ${rules}`);
			return el("div", { class: "wide" }, title, table(heads, rows, 2));
		});
		place.replaceChildren(...(shown.length ? shown : [el("p", { class: "quiet" }, t("rating.none"))]));
	} catch (error) {
		showError($("error"), error);
	}
}
for (const details of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("[data-ratings]")))
	details.ontoggle = () => details.open && lists(details);

startPage().then(() => {
	$("game").onchange = sizes;
	$("size").onchange = () => {
		rules();
		manySeats();
	};
	$("rules").onchange = () => {
		rememberRecommended($("game").value, $("rules").value !== "");
		describeRules();
	};
	$("kind").onchange = kinds;
	sizes();
	const wish = new URLSearchParams(location.hash.slice(1));
	if (wish.has("class")) {
		$("seating").value = wish.get("class") || "random";
		$("tables").value = wish.get("tables") ?? "";
		$("name").value = t("class");
		$("kind").value = "arena";
		$("minutes").value = "90";
		$("keep").value = "30";
		$("odd").checked = true;
		$("form").scrollIntoView();
	}
	kinds();
	enable("form");
	keepLooking(look, AGAIN);
});
