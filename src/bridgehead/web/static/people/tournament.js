// @ts-check
// A tournament: entering, the games of each round, the standings, and what the host does. It asks again and again for news.

import { closer, dialog } from "../base/dialog.js";
import { $, el, later, root } from "../base/dom.js";
import { showError, withError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { chip, levelName } from "../base/levels.js";
import { startPage } from "../base/page.js";
import { keepLooking } from "../base/poll.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";
import { keyOf } from "./profile.js";

/** @typedef {Answer<"GET /api/tournaments/{tournament}">} Cup */
const AGAIN = 3000; // ms between two requests
const id = $("main").dataset.tournament ?? "";
const about = /** @type {const} */ (`?lang=${root.lang}`);
/** @type {Cup | null} */
let cup = null;

const given = new URLSearchParams(location.hash.slice(1));
const kept = () => load("tournaments", {})[id] ?? { host: "", entrant: -1, token: "" };
/** @param {Partial<Stored["tournaments"][string]>} news */
const keep = (news) => save("tournaments", { ...load("tournaments", {}), [id]: { ...kept(), ...news } });
if (given.get("h")) keep({ host: given.get("h") ?? "" });

/** The entrants that the host has chosen. @type {Set<number>} */
const chosen = new Set();

/** Shows how many are chosen. */
function choosing() {
	$("removing").hidden = chosen.size === 0;
	$("remove").textContent = t("cup.remove_chosen", { n: chosen.size });
}

/** The box by which the host chooses an entrant. @param {number} entrant @param {string} name */
function box(entrant, name) {
	const field = el("input", { type: "checkbox", "aria-label": t("cup.choose", { name }) });
	field.checked = chosen.has(entrant);
	field.onchange = () => {
		if (field.checked) chosen.add(entrant);
		else chosen.delete(entrant);
		choosing();
	};
	return el("label", { class: "check" }, field);
}

const half = (/** @type {number} */ value) => new Intl.NumberFormat(root.lang, { maximumFractionDigits: 2 }).format(value);
const clockTime = (/** @type {number} */ seconds) =>
	new Intl.DateTimeFormat(root.lang, { timeStyle: "short" }).format(1000 * seconds);
const nameOf = (/** @type {number} */ entrant) => cup?.people[entrant]?.name ?? "";

/** @param {Omit<Requests["POST /api/tournaments/{tournament}"]["body"], "host">} act */
const act = (act) =>
	withError($("error"), async () => show(await ask(`/api/tournaments/${id}${about}`, { host: kept().host, ...act })));

/** @param {Cup} now */
function lines({ lines: all, people, tie_breaks, state }) {
	const breaks = tie_breaks.filter((each) => each !== "lot");
	const heads = ["#", t("cup.name"), t("cup.points"), t("me.count"), ...breaks.map((each) => t(`tie.${each}`))];
	const numbered = (/** @type {number} */ i) => (i === 1 ? {} : { class: i > 3 ? "number breaks" : "number" });
	const rows = all.map(({ place, entrant, points, games, breaks: values }) => {
		const { name, level, profile, left } = people[entrant];
		const more = [level && !name.startsWith(levelName(level)) && levelName(level), left && t("cup.left")]
			.filter(Boolean)
			.join(" · ");
		const face = profile && el("img", { class: "face small", src: `/api/profiles/${profile}/picture`, alt: "" });
		const pick = kept().host && state !== "over" && !left && box(entrant, name);
		const who = el(
			"span",
			{ class: "row" },
			pick && el("span", { class: "screen" }, pick),
			face,
			el("span", {}, name, more && el("small", { class: "quiet" }, ` ${more}`)),
		);
		const leave =
			kept().entrant === entrant &&
			state !== "over" &&
			!left &&
			el(
				"button",
				{ class: "btn bare screen", type: "button", onclick: () => act({ do: "leave", entrant, token: kept().token }) },
				t("cup.leave"),
			);
		const cells = [`${place}`, who, half(points), `${games}`, ...values.map(half)];
		return el(
			"tr",
			kept().entrant === entrant ? { class: "me" } : {},
			...cells.map((cell, i) => el("td", numbered(i), cell)),
			el("td", { class: "screen" }, leave || ""),
		);
	});
	const head = el(
		"tr",
		{},
		...heads.map((text, i) => el("th", { scope: "col", ...numbered(i) }, text)),
		el("td", { class: "screen" }),
	);
	return el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows));
}

/** @param {Cup["games"][number]} game */
function gameRow({ table, seats, points, host, absent, until }) {
	const letters = cup?.letters ?? [];
	const who = seats.map((entrant, i) => {
		const score = points.length ? `: ${half(points[i])}` : "";
		const sign = chip(letters[i].toLowerCase(), letters[i]);
		return el("li", { class: points[i] === 1 ? "won" : "" }, sign, el("span", {}, nameOf(entrant) + score));
	});
	const over = points.length > 0;
	const link = table && el("a", { class: "btn", href: `/${over ? "replay" : "t"}/${table}` }, t(over ? "replay" : "watch_it"));
	const decide =
		kept().host &&
		!over &&
		el("button", { class: "btn screen", type: "button", onclick: () => decision(table, seats) }, t("cup.decide"));
	const by = host && el("small", { class: "quiet" }, t("cup.by_host"));
	const missing = absent.length > 0 && t("cup.absent", { who: absent.map(nameOf).join(", ") });
	const note = missing || (until > 0 && t("cup.wait", { time: clockTime(until) }));
	return el("div", { class: "game-row" }, el("ul", {}, ...who), by, note && el("small", { class: "quiet" }, note), link, decide);
}

/** The host decides a game: who has won, or nobody. @param {string} table @param {number[]} seats */
async function decision(table, seats) {
	const choose = (/** @type {number[]} */ points) => () => {
		node.close();
		act({ do: "decide", table, points });
	};
	const button = (/** @type {string} */ text, /** @type {number[]} */ points) =>
		el("li", {}, el("button", { class: "btn", type: "button", onclick: choose(points) }, text));
	const node = dialog(
		t("cup.decide"),
		el("p", { class: "quiet" }, t("cup.decide_help")),
		el(
			"ul",
			{ class: "stack" },
			...seats.map((entrant, i) =>
				button(
					t("cup.wins", { name: nameOf(entrant) }),
					seats.map((_, j) => Number(i === j)),
				),
			),
			button(
				t("cup.draw"),
				seats.map(() => 1 / seats.length),
			),
		),
		el("p", {}, closer()),
	);
}

/** @param {Cup} now */
function games({ games: all, byes, kind }) {
	/** @type {Map<number, Cup["games"]>} */
	const rounds = new Map();
	for (const game of all) rounds.set(game.round, [...(rounds.get(game.round) ?? []), game]);
	const numbers = [...rounds.keys()].sort((a, b) => b - a);
	if (!numbers.length) return [el("p", { class: "quiet" }, t("cup.no_games"))];
	return numbers.map((number) => {
		const free = (byes[number - 1] ?? []).map(nameOf).join(", ");
		return el(
			"section",
			{},
			kind !== "arena" && el("h3", {}, t("cup.round", { n: number })),
			...(rounds.get(number) ?? []).map(gameRow),
			free && el("p", { class: "quiet" }, t("cup.bye", { who: free })),
		);
	});
}

/** @param {Cup} now */
function stateOf({ state, kind, round, rounds, seconds, entrants }) {
	if (state === "open") return t("cup.waits", { n: entrants });
	if (state === "over") return t("cup.over");
	if (kind === "arena") return t("cup.time_left", { n: Math.ceil(seconds / 60) });
	return rounds ? t("cup.round_of", { n: round, all: rounds }) : t("cup.round", { n: round });
}

/** What they read who play nowhere: that they have a bye, or take part. @param {Cup} now @param {number} entrant */
function waiting({ state, kind, byes, round }, entrant) {
	const name = nameOf(entrant);
	const free = state === "running" && kind !== "arena" && byes[round - 1]?.includes(entrant);
	if (!free) return t("cup.you_are_in", { name });
	return [t("cup.bye_mine", { name }), kind !== "knock_out" && t("cup.bye_won")].filter(Boolean).join(" ");
}

/** Do two with the same points stand beside each other, so that a tie is to be broken? @param {Cup} now */
const tied = ({ lines: all }) => all.some(({ points, games }, i) => i > 0 && games > 0 && points === all[i - 1].points);

/** @param {Cup} now */
function show(now) {
	const before = cup && JSON.stringify({ ...cup, seconds: 0 });
	cup = now;
	for (const entrant of chosen) if (now.people[entrant]?.left || now.state === "over") chosen.delete(entrant);
	choosing();
	$("state").textContent = stateOf(now);
	const { host, entrant, token } = kept();
	const mayEnter = now.state === "open" || (now.state === "running" && now.kind === "arena");
	$("enter").hidden = !mayEnter || entrant >= 0;
	$("hosting").hidden = !host || now.state === "over";
	$("bots").hidden = !mayEnter;
	$("start").hidden = now.state !== "open";
	if (before === JSON.stringify({ ...now, seconds: 0 })) return;
	$("title").textContent = now.name;
	$("about").textContent = [
		now.title,
		now.rules,
		t(`cups.${now.kind}`),
		t("cups.at_table", { n: now.size }),
		now.paired && t("cups.paired"),
		now.appear > 0 && t("cup.appear", { n: now.appear }),
		now.aids && t("cups.aids"),
	]
		.filter(Boolean)
		.join(" · ");
	const mine = now.games.find((game) => game.seats.includes(entrant) && !game.points.length && game.table);
	const go = mine && token && el("a", { class: "btn main", href: `/t/${mine.table}#s=${token}` }, t("cup.my_game"));
	const text = entrant >= 0 && !go && waiting(now, entrant);
	$("mine").replaceChildren(...(go ? [go] : text ? [text] : []));
	if (!$("lines").contains(document.activeElement)) $("lines").replaceChildren(lines(now));
	$("lines").classList.toggle("plain", !(now.state === "over" && tied(now)));
	$("ties").replaceChildren(
		...now.tie_breaks.map((each) => el("li", {}, el("strong", {}, t(`tie.${each}`)), `: ${t(`tie.${each}_help`)}`)),
	);
	if (!$("games").contains(document.activeElement)) $("games").replaceChildren(...games(now));
	if ($("level").childElementCount === 0)
		$("level").append(...now.levels.map((level) => el("option", { value: level }, levelName(level))));
}

async function look() {
	if (!document.hidden)
		try {
			show(await ask(`/api/tournaments/${id}${about}`));
		} catch (error) {
			showError($("error"), error);
		}
}

$("enter").onsubmit = (event) => {
	event.preventDefault();
	withError($("error"), async () => {
		const key = /** @type {string} */ (keyOf());
		const made = await ask(`/api/tournaments/${id}/entrants`, { name: $("name").value, ...(key && { key }) });
		keep(made);
		save("names", [$("name").value, ...load("names", []).slice(1)]);
		show(await ask(`/api/tournaments/${id}${about}`));
	});
};
$("bots").onsubmit = (event) => {
	event.preventDefault();
	withError($("error"), async () => {
		const level = $("level").value;
		const count = Number($("count").value);
		if (!(count >= 1 && count <= 64)) throw new Error(t("cup.how_many"));
		for (let i = 0; i < count; i++) {
			const names = new Set(cup?.people.map(({ name }) => name));
			let n = 1;
			while (names.has(`${levelName(level)} ${n}`)) n += 1;
			await ask(`/api/tournaments/${id}/entrants`, { name: `${levelName(level)} ${n}`, level, host: kept().host });
			show(await ask(`/api/tournaments/${id}${about}`));
		}
	});
};
$("start").onclick = () => act({ do: "start" });
$("close").onclick = async () => {
	const yes = () => {
		node.close();
		act({ do: "close" });
	};
	const buttons = el(
		"p",
		{ class: "row" },
		closer(),
		el("button", { class: "btn main", type: "button", onclick: yes }, t("cup.close")),
	);
	const node = dialog(t("cup.close"), el("p", {}, t("cup.close_help")), buttons);
};
$("invite").onclick = () =>
	withError($("error"), async () => {
		const { linkRow } = await later(() => import("./share.js"));
		$("link").replaceChildren(await linkRow(`/tournament/${id}`, t("cup.enter")));
	});
$("remove").onclick = () => act({ do: "leave", entrants: [...chosen] });
$("print").onclick = () => print();

startPage().then(() => {
	$("name").value = load("names", [])[0] ?? "";
	keepLooking(look, AGAIN);
});
