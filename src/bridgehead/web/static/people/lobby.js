// @ts-check
// The lobby: an opponent to be found, tables with free seats that their hosts have listed, and games to watch.

import { $, el, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { chip, levelName } from "../base/levels.js";
import { startPage } from "../base/page.js";
import { keepLooking } from "../base/poll.js";
import { ask } from "../base/request.js";
import { lookUpWaits } from "./opponent.js";

const AGAIN = 10000; // ms between two requests
/** @typedef {Answer<"GET /api/lobby">["tables"][number]} Listed */

/** @param {Listed["seats"][number]} seat */
function occupant({ letter, name, kind, level, free, left, rating, provisional }) {
	const computer = kind === "computer" && `${t("computer")}, ${levelName(level)}`;
	const who = free ? t("state.free") : computer || (left ? t("state.left") : name === letter ? t("person") : name);
	const points = rating ? `${rating}${provisional ? " ?" : ""}` : "";
	return el("li", { class: "row" }, chip(letter.toLowerCase(), letter), el("span", {}, points ? `${who} (${points})` : who));
}

/**
 * A table with its seats. ways: links to it.
 * @param {Listed} listed @param {(string | boolean)[]} state @param {...(Node | string | undefined)} ways
 */
function card({ title, rules, seats }, state, ...ways) {
	return el(
		"li",
		{ class: "panel pad stack" },
		el("div", { class: "row" }, el("h3", {}, title), el("span", { class: "quiet" }, state.filter(Boolean).join(" · "))),
		el("p", { class: "quiet" }, rules[root.lang] || rules.en),
		el("ul", { class: "row who" }, ...seats.map(occupant)),
		el("p", { class: "row" }, ...ways),
	);
}

/** @param {Listed} listed */
function row(listed) {
	const { table, code, age, begun = false, seats } = listed;
	const minutes = Math.floor(age / 60);
	const free = t("free_seats", { n: seats.filter((seat) => seat.free).length });
	return card(
		listed,
		[free, begun && t("running"), minutes ? t("lobby_age", { n: minutes }) : t("lobby_now")],
		el("a", { class: "btn main", href: `/t/${table}#sit` }, t("take_seat")),
		el("a", { class: "btn", href: `/t/${table}` }, t("watch_it")),
		code && el("strong", { class: "code" }, code),
	);
}

/** A game to watch. @param {Listed} listed */
function watchRow(listed) {
	const { table, title, seats, turn = 1, watching = 0 } = listed;
	const about = el("span", { class: "hidden" }, `: ${title}, ${seats.map(({ name }) => name).join(", ")}`);
	return card(
		listed,
		[t("watch.turn", { n: turn }), t("watching_n", { n: watching })],
		el("a", { class: "btn", href: `/t/${table}` }, t("watch_it"), about),
	);
}

let shown = "";

async function look() {
	try {
		const [{ tables }] = await Promise.all([ask("/api/lobby"), lookUpWaits()]);
		const now = JSON.stringify(tables.map((each) => ({ ...each, age: Math.floor(each.age / 60) })));
		showError($("error"));
		const held = [$("open"), $("watch")].some((list) => list.contains(document.activeElement));
		if (now !== shown && !held) {
			const [free, running] = [tables.filter((each) => !each.public), tables.filter((each) => each.public)];
			$("open").replaceChildren(...free.map(row));
			$("nobody").hidden = free.length > 0;
			$("watch").replaceChildren(...running.map(watchRow));
			$("unwatched").hidden = running.length > 0;
			shown = now;
		}
	} catch (error) {
		showError($("error"), error);
	}
}

startPage().then(() => keepLooking(look, AGAIN));
