// @ts-check
// A tournament: entering, the games of each round, the standings, and what the host does. It asks again and again for news.

import { $, el, href, later, root } from "../base/dom.js";
import { showError, withError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { chip, levelName } from "../base/levels.js";
import { startPage } from "../base/page.js";
import { keepLooking } from "../base/poll.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";
import { redraw } from "./lists.js";
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

/** The dialogs of this page. */
const asking = () => later(() => import("./tournament_dialogs.js"));

/** Shows how many are chosen, and what the host may do with them. */
function choosing() {
	const people = [...chosen].map((entrant) => cup?.people[entrant]);
	const [running, n] = [cup?.state === "running", chosen.size];
	$("removing").hidden = n === 0;
	$("remove").hidden = cup?.state === "over" || people.every((each) => each?.left);
	$("bring").hidden = !people.length || !people.every((each) => each?.back);
	$("erase").hidden = Boolean(running) && !people.every((each) => each?.left);
	$("remove").textContent = t("cup.remove_chosen", { n });
	$("bring").textContent = t("cup.bring_back", { n });
	$("erase").textContent = t("cup.forget", { n });
}

/** The box by which the host chooses an entrant. @param {number} entrant @param {string} name */
function box(entrant, name) {
	const field = el("input", { type: "checkbox", "data-key": `box-${entrant}`, "aria-label": t("cup.choose", { name }) });
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
const nameOf = (/** @type {number} */ entrant) => cup?.people[entrant]?.name || t("cup.nameless");
const namesOf = (/** @type {number[]} */ entrants) => entrants.map(nameOf).join(", ");
const day = (/** @type {number} */ seconds) => new Intl.DateTimeFormat(root.lang, { dateStyle: "long" }).format(1000 * seconds);
const whenAndWhere = (/** @type {Cup} */ { began, where }) => [day(began), where].filter(Boolean).join(" · ");

/** What a table of the room is called. @param {number} n */
const tableName = (n) => [n, cup?.table_names[n - 1]].filter(Boolean).join(" · ");

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
		const pick = kept().host && name && box(entrant, name);
		const who = el(
			"span",
			{ class: "row" },
			pick && el("span", { class: "screen" }, pick),
			face,
			el("span", {}, nameOf(entrant), more && el("small", { class: "quiet" }, ` ${more}`)),
		);
		const leave =
			kept().entrant === entrant &&
			state !== "over" &&
			!left &&
			el(
				"button",
				{ class: "btn bare screen", type: "button", "data-key": "leave", onclick: () => askToLeave(entrant) },
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

const plays = (/** @type {number} */ entrant) => cup?.games.some((game) => !game.points.length && game.seats.includes(entrant));

/** @param {number} entrant */
async function askToLeave(entrant) {
	const { confirm } = await asking();
	const follows = [Boolean(plays(entrant)) && t("cup.leave_game"), t("cup.leave_follows")];
	confirm(t("cup.leave_title"), follows, t("cup.leave"), () => act({ do: "leave", entrant, token: kept().token }));
}

/** What is to be read beside a game. @param {Cup["games"][number]} game */
function noteOf({ absent, until, left, timeout, limit, points }) {
	if (left.length) return t("cup.forfeit", { who: namesOf(left) });
	if (absent.length) return t("cup.absent", { who: namesOf(absent) });
	if (timeout) return t("cup.timeout");
	if (points.length) return "";
	if (until > 0) return t("cup.wait", { time: clockTime(until) });
	if (limit > 0 && limit < Date.now() / 1000) return t("cup.limit_up");
	return limit > 0 ? t("cup.limit_at", { time: clockTime(limit) }) : "";
}

/** @param {Cup["games"][number]} game */
function gameRow(game) {
	const { table, seats, points, host, left, number } = game;
	const letters = cup?.letters ?? [];
	const who = seats.map((entrant, i) => {
		const score = points.length ? `: ${half(points[i])}` : "";
		const sign = chip(letters[i].toLowerCase(), letters[i]);
		return el("li", { class: points[i] === 1 ? "won" : "" }, sign, el("span", {}, nameOf(entrant) + score));
	});
	const over = points.length > 0;
	const link =
		table &&
		el(
			"a",
			{ class: "btn", "data-key": `see-${table}`, href: `/${over ? "replay" : "t"}/${table}` },
			t(over ? "replay" : "watch_it"),
		);
	const decide =
		kept().host &&
		table &&
		(!over || game.round === cup?.round || cup?.kind !== "knock_out") &&
		el(
			"button",
			{ class: "btn screen", type: "button", "data-key": `decide-${table}`, onclick: () => decision(game) },
			t(over ? "cup.correct" : "cup.decide"),
		);
	const by = host && !left.length && el("small", { class: "quiet" }, t("cup.by_host"));
	const note = noteOf(game);
	const at = number > 0 && !over && el("strong", {}, t("class.table", { n: tableName(number) }));
	return el(
		"div",
		{ class: "game-row" },
		at,
		el("ul", {}, ...who),
		by,
		note && el("small", { class: "quiet" }, note),
		link,
		decide,
	);
}

/** @param {Cup["games"][number]} game */
async function decision(game) {
	const { decide } = await asking();
	const what = game.points.length ? "correct" : "decide";
	decide(game, nameOf, (places) => act({ do: what, table: game.table, places }));
}

/** @param {Cup["log"][number]} line */
function logLine({ time, do: what, who, points, before }) {
	const result = (/** @type {number[]} */ all) => who.map((entrant, i) => `${nameOf(entrant)} ${half(all[i])}`).join(", ");
	const key = /** @type {"late"} */ (what);
	const text = t(`cup.log_${key}`, { who: namesOf(who), result: points.length ? result(points) : "" });
	const was = before.length ? ` ${t("cup.log_before", { result: result(before) })}` : "";
	return el("li", {}, `${clockTime(time)} · ${text}${was}`);
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

/** What they read who have left. @param {Cup} now @param {number} entrant */
function outside({ people }, entrant) {
	const { by, back } = people[entrant];
	const text = t(by === "host" ? "cup.you_removed" : by === "absent" ? "cup.you_missed" : "cup.you_left", {
		name: nameOf(entrant),
	});
	const mayReturn = back && (by === "self" || by === "");
	const again = { class: "btn main", type: "button", onclick: () => act({ do: "return", entrant, token: kept().token }) };
	return [
		el("span", {}, [text, mayReturn && t("cup.until_draw")].filter(Boolean).join(" ")),
		mayReturn && el("button", again, t("cup.back")),
	];
}

/** What they read who play nowhere: that they have a bye, or take part. @param {Cup} now @param {number} entrant */
function waiting({ state, kind, byes, round }, entrant) {
	const name = nameOf(entrant);
	const free = state === "running" && kind !== "arena" && byes[round - 1]?.includes(entrant);
	if (!free) return t("cup.you_are_in", { name });
	return [t("cup.bye_mine", { name }), kind !== "knock_out" && t("cup.bye_won")].filter(Boolean).join(" ");
}

/** With whom somebody waits, and with whom they may play instead. @param {Cup} now @param {number} entrant */
function choices({ seating, waiting: all, size, state }, entrant) {
	if (seating !== "choice" || state === "over") return [];
	const mine = all.find((place) => place.includes(entrant));
	const others = mine?.filter((each) => each !== entrant) ?? [];
	const sit = (/** @type {string} */ text, /** @type {number[]} */ entrants) => {
		const go = () => act({ do: "choose", entrant, entrants, token: kept().token });
		return el("button", { class: "btn", type: "button", "data-key": `sit-${entrants[0] ?? ""}`, onclick: go }, text);
	};
	const says = !mine ? t("cup.choose_place") : others.length ? t("cup.sits_with", { who: namesOf(others) }) : t("cup.sits_alone");
	return [
		el("span", {}, says),
		...all
			.filter((each) => each !== mine && each.length < size)
			.map((each) => sit(t("cup.sit_with", { who: namesOf(each) }), each)),
		(!mine || others.length > 0) && sit(t("cup.sit_alone"), []),
	];
}

/** A table of the room: who is there, and its name, which the host may type. @param {Cup} now @param {number} n */
function roomRow({ games: all, waiting: groups, waiting_at: places, table_names: names, seating, size, people }, n) {
	const { host, entrant, token } = kept();
	const game = all.find(({ number, points }) => number === n && !points.length);
	const there = groups[places.indexOf(n)] ?? [];
	const who = namesOf(game?.seats ?? there) || t("class.nobody");
	const plain = t("class.table", { n });
	const name = el("input", { "data-key": `name-${n}`, maxlength: "32", "aria-label": t("cup.table_name", { n }) });
	name.value = names[n - 1];
	name.placeholder = t("cups.name");
	name.onblur = () => name.value.trim() !== cup?.table_names[n - 1] && act({ do: "name", number: n, name: name.value });
	name.onkeydown = ({ key }) => key === "Enter" && name.blur();
	const free = seating === "choice" && !game && there.length < size && !there.includes(entrant);
	const mine = people[entrant] && !people[entrant].left && !plays(entrant);
	const sit = () => act({ do: "choose", entrant, number: n, token });
	const button = { class: "btn", type: "button", "data-key": `place-${n}`, "aria-label": `${t("cup.sit_here")}: ${plain}` };
	return el(
		"li",
		{ class: "room-row" },
		el("strong", {}, host ? plain : t("class.table", { n: tableName(n) })),
		host && name,
		el("span", game || there.length ? {} : { class: "quiet" }, who),
		free && mine && el("button", { ...button, onclick: sit }, t("cup.sit_here")),
	);
}

/** Do two with the same points stand beside each other, so that a tie is to be broken? @param {Cup} now */
const tied = ({ lines: all }) => all.some(({ points, games }, i) => i > 0 && games > 0 && points === all[i - 1].points);

/** @param {Cup} now */
function show(now) {
	const old = cup;
	const before = cup && JSON.stringify({ ...cup, seconds: 0 });
	cup = now;
	for (const entrant of chosen) if (!now.people[entrant]?.name) chosen.delete(entrant);
	choosing();
	$("state").textContent = stateOf(now);
	const { host, entrant, token } = kept();
	$("enter").hidden = !now.enters || entrant >= 0;
	$("hosting").hidden = !host;
	$("bots").hidden = !now.enters;
	$("start").hidden = now.state !== "open";
	$("close").hidden = $("invite").hidden = now.state === "over";
	$("delete").hidden = now.state === "running";
	$("entry").hidden = !now.code || entrant >= 0;
	$("code").textContent = now.code;
	$("waits").hidden = !now.waits;
	$("waits-text").textContent = now.waits ? t("cup.waits_draw", { time: clockTime(now.waits) }) : "";
	$("draw").hidden = !host;
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
		now.limit > 0 && t("cup.limit_about", { n: now.limit }),
		now.late > 0 && t("cup.late_about", { n: now.late }),
		now.places && t("cups.places"),
	]
		.filter(Boolean)
		.join(" · ");
	$("when").textContent = whenAndWhere(now);
	$("expires").textContent = now.expires ? t("cup.expires", { date: day(now.expires) }) : "";
	const mine = now.games.find((game) => game.seats.includes(entrant) && !game.points.length && game.table);
	const place = mine?.number ? t("cup.my_table", { n: tableName(mine.number) }) : t("cup.my_game");
	const go = mine && token && el("a", { class: "btn main", href: `/t/${mine.table}#s=${token}` }, place);
	const waited = old && now.kind === "arena" && !old.games.some(({ table }) => table === mine?.table);
	if (go && waited) go.click(); // whoever waits on this page is led to the table
	const isOut = now.people[entrant]?.left;
	const free = () => [el("span", {}, waiting(now, entrant)), ...choices(now, entrant)];
	const shown = go ? [go] : entrant < 0 ? [] : isOut ? outside(now, entrant) : free();
	redraw($("mine"), ...shown.flatMap((each) => each || []));
	redraw($("lines"), lines(now));
	$("lines").classList.toggle("plain", !(now.state === "over" && tied(now)));
	$("ties").replaceChildren(
		...now.tie_breaks.map((each) => el("li", {}, el("strong", {}, t(`tie.${each}`)), `: ${t(`tie.${each}_help`)}`)),
	);
	redraw($("games"), ...games(now));
	$("room").hidden = !now.tables || now.kind !== "arena";
	redraw($("room-tables"), ...Array.from({ length: now.tables }, (_, i) => roomRow(now, i + 1)));
	$("log").replaceChildren(...now.log.toReversed().map(logLine));
	$("log-part").hidden = now.log.length === 0;
	if ($("level").childElementCount === 0)
		$("level").append(...now.levels.map((level) => el("option", { value: level }, levelName(level))));
}

let lost = false; // the last look failed, and the page says so

async function look() {
	if (!document.hidden)
		try {
			show(await ask(`/api/tournaments/${id}${about}`));
			if (lost) showError($("error"));
			lost = false;
		} catch (error) {
			lost = true;
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
$("draw").onclick = () => act({ do: "draw" });
$("close").onclick = async () => {
	const { confirm } = await asking();
	confirm(t("cup.close"), [t("cup.close_help")], t("cup.close"), () => act({ do: "close" }));
};
$("delete").onclick = async () => {
	const { confirm } = await asking();
	confirm(t("cup.delete"), [t("cup.delete_help")], t("cup.delete"), () =>
		withError($("error"), async () => {
			await ask(`/api/tournaments/${id}${about}`, { host: kept().host, do: "delete" });
			const { [id]: _, ...others } = load("tournaments", {});
			save("tournaments", others);
			location.assign(href("/tournaments"));
		}),
	);
};
$("invite").onclick = () =>
	withError($("error"), async () => {
		const { linkRow } = await later(() => import("./share.js"));
		$("link").replaceChildren(await linkRow(`/tournament/${id}`, t("cup.enter")));
	});
$("remove").onclick = async () => {
	const { confirm } = await asking();
	const entrants = [...chosen].filter((entrant) => !cup?.people[entrant].left);
	const follows = [entrants.some(plays) && t("cup.remove_game"), t("cup.remove_follows")];
	confirm(t("cup.remove_title", { who: namesOf(entrants) }), follows, t("cup.remove"), () => {
		chosen.clear();
		act({ do: "leave", entrants });
	});
};
$("bring").onclick = () => {
	act({ do: "return", entrants: [...chosen] });
	chosen.clear();
};
$("erase").onclick = async () => {
	const { confirm } = await asking();
	confirm(t("cup.forget", { n: chosen.size }), [namesOf([...chosen]), t("cup.forget_help")], t("cup.forget_yes"), () =>
		act({ do: "forget", entrants: [...chosen] }),
	);
};
$("certificates").onclick = async () => {
	const { printCertificates } = await asking();
	if (cup) printCertificates(cup, whenAndWhere(cup));
};
$("print").onclick = () => print();

startPage().then(() => {
	$("name").value = load("names", [])[0] ?? "";
	keepLooking(look, AGAIN);
});
