// @ts-check
// A playtest: a tester plays a version and answers three questions; its designer sees what testers did and said.

import { $, el, href, later, quiet, root } from "../base/dom.js";
import { showError, withError } from "../base/errors.js";
import { number, t } from "../base/i18n.js";
import { chip, levelName } from "../base/levels.js";
import { startPage } from "../base/page.js";
import { whenShownAgain } from "../base/poll.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";
import { figureText, keyOf, nameFigure, showStudy } from "./figures.js";
import { table } from "./lists.js";
import { remember } from "./saved_tables.js";

/** @typedef {Answer<"GET /api/playtests/{playtest}">} Playtest @typedef {Answer<"POST /api/playtests/{playtest}">} Results */
const GROUPS = /** @type {const} */ (["people", "mixed", "programs"]);
const id = $("main").dataset.playtest ?? "";
const about = /** @type {const} */ (`?lang=${root.lang}`);
const given = new URLSearchParams(location.hash.slice(1));
const host = given.get("h") ?? "";
const findPlayed = () => given.get("t") ?? load("playtests", {})[id] ?? "";
let isGone = false;

/** A table for a tester. @param {"computer" | "invite" | "here"} how */
const start = (how) =>
	withError($("error"), async () => {
		const made = await ask(`/api/playtests/${id}/tables`, { how, level: how === "computer" ? $("level").value : "" });
		const tokens = made.tokens.flatMap((token) => token ?? []);
		remember(made.table, { title: $("title").textContent ?? "", tokens, host: made.host, over: false });
		save("playtests", { ...load("playtests", {}), [id]: made.table });
		location.assign(href(`/t/${made.table}#s=${tokens.join(".")}&h=${made.host}`));
	});

/** The second question: who had the better start? @param {Playtest} playtest */
function askStart({ seats }) {
	const choice = (/** @type {number} */ seat, /** @type {(Node | string)[]} */ ...words) =>
		el(
			"label",
			{ class: "check" },
			el("input", { type: "radio", name: "start", value: `${seat}`, required: "" }),
			el("span", { class: "row" }, ...words),
		);
	const better = seats.map(({ seat, name }, i) => choice(i, chip(seat), t("playtest.better", { name })));
	$("starts").replaceChildren(choice(-1, t("playtest.fair")), ...better);
}

$("questions").onsubmit = (event) => {
	event.preventDefault();
	withError($("error"), async () => {
		const chosen = new FormData($("questions"));
		const answers = { fun: Number(chosen.get("fun")), start: Number(chosen.get("start")), note: $("note").value };
		const played = findPlayed();
		const tokens = load("tables", {})[played]?.tokens ?? [];
		await ask(`/api/playtests/${id}/answers`, { table: played, tokens, ...answers });
		const { [id]: _, ...others } = load("playtests", {});
		save("playtests", others);
		history.replaceState(null, "", location.pathname);
		$("questions").hidden = true;
		$("thanks").hidden = false;
	});
};

/** @param {Results} results */
function showFigures({ figures, games, answers, study }) {
	const isMixed = (/** @type {Results["games"][number]} */ { players }) => players.some(Boolean);
	const mixed = games.filter(isMixed).length;
	const count = { people: games.length - mixed, mixed, programs: study };
	const shown = GROUPS.filter((group) => count[group] || figures[group]?.length);
	const rows = new Map(GROUPS.flatMap((group) => (figures[group] ?? []).map((each) => [keyOf(each), each])));
	const cells = [...rows].map(([key, figure]) => [
		nameFigure(figure),
		...shown.map((group) => {
			const found = figures[group]?.find((each) => keyOf(each) === key);
			return found ? figureText(found) : "–";
		}),
	]);
	const heads = [t("figure"), ...shown.map((group) => t(`playtest.${group}`))];
	const counts = shown.map((group) => number(count[group]));
	$("figures").replaceChildren(table(heads, [[t("playtest.games"), ...counts], ...cells], shown.length));
	if (!games.length && !answers.length) $("said").append(quiet(t("playtest.nothing")));
}

/** An answer, with the game that it is about. @param {Results["answers"][number]} answer @param {Results} results */
function answerRow({ fun, start, note, time, table, people }, { seats, games }) {
	const fair = start < 0 ? t("playtest.fair") : t("playtest.better", { name: seats[start].name });
	const when = new Date(1000 * time).toLocaleDateString(root.lang, { dateStyle: "medium" });
	const group = t(people ? "playtest.people" : "playtest.mixed");
	const over = games.some((game) => game.table === table);
	const game = over ? el("a", { href: `/replay/${table}` }, t("replay")) : "";
	const line = el("small", { class: "quiet" }, `${when} · ${group} `, game);
	return el("li", {}, el("b", {}, `${fun} / 5`), ` · ${fair} `, note && el("q", {}, note), " ", line);
}

/** @param {Results} results */
async function showResults(results) {
	$("said").replaceChildren(...results.said.map((text) => el("p", {}, text)));
	showFigures(results);
	const { lights, report, study, game, options } = results;
	$("study").replaceChildren(...(await showStudy(game, options, report ? { report, lights, games: study } : null)));
	$("answers").replaceChildren(...results.answers.map((each) => answerRow(each, results)).reverse());
	const day = new Intl.DateTimeFormat(root.lang, { dateStyle: "long" }).format(1000 * results.expires);
	$("expires").textContent = results.expires ? t("playtest.expires", { day }) : "";
	const { linkRow } = await later(() => import("./share.js"));
	$("link").replaceChildren(await linkRow(`/playtest/${id}`, t("playtest")));
	$("results").hidden = $("sharing").hidden = false;
	const { download } = await later(() => import("../base/download.js"));
	$("json").onclick = () => download(`playtest-${id}.json`, JSON.stringify(results));
	$("csv").onclick = () =>
		withError($("error"), async () =>
			download(`playtest-${id}.csv`, String(await ask(`/api/playtests/${id}/results.csv${about}`, { host })), "text/csv"),
		);
	$("delete").onclick = () => {
		$("delete").textContent = t("playtest.delete_sure");
		$("delete").onclick = () =>
			withError($("error"), async () => {
				await ask(`/api/playtests/${id}${about}`, { host, do: "delete" });
				isGone = true;
				$("results").replaceChildren(el("p", { role: "status" }, t("playtest.deleted")));
				$("sharing").hidden = true;
			});
	};
}

/** What has changed since: of the designer the results, of a tester the game that was played. */
async function look() {
	if (!host) $("questions").hidden = !findPlayed() || !$("thanks").hidden;
	else if (!isGone) await showResults(await ask(`/api/playtests/${id}${about}`, { host, do: "look" }));
}

startPage().then(async () => {
	try {
		const find = () => ask(`/api/playtests/${id}${about}`);
		const playtest = await find();
		$("about").textContent = [playtest.rules, ...playtest.credits].join(" · ");
		whenShownAgain(() => withError($("error"), () => Promise.all([look(), host || find()])));
		if (host) {
			await look();
			return;
		}
		$("level").replaceChildren(...playtest.levels.map((level) => el("option", { value: level }, levelName(level))));
		$("level").selectedIndex = Math.min(1, playtest.levels.length - 1);
		for (const each of /** @type {NodeListOf<HTMLButtonElement>} */ ($("play").querySelectorAll("[data-how]")))
			each.onclick = () => start(/** @type {"computer"} */ (each.dataset.how));
		askStart(playtest);
		await look();
		$("play").hidden = false;
	} catch (error) {
		showError($("error"), error);
	}
});
