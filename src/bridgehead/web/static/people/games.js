// @ts-check
// My games: what this browser has seats in, those that wait for its person first, and days off.
import { $, el, later, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { inDays, t } from "../base/i18n.js";
import { startPage } from "../base/page.js";
import { keepLooking } from "../base/poll.js";
import { ask } from "../base/request.js";
import { load } from "../base/store.js";

const AT_ONCE = 20; // tables of one request
const AGAIN = 60_000; // ms between two looks
const LOW = 12 * 3_600_000; // ms left that are shown as little
const FINISHED = 10; // games that are over, at most

/** @typedef {Answer<"POST /api/mine">["tables"][number]} Game */

const saved = () =>
	Object.entries(load("tables", {}))
		.filter(([, { tokens }]) => tokens.length)
		.sort(([, a], [, b]) => b.at - a.at);

/** Asks for the tables in portions. @template T @param {(tables: Asked[]) => Promise<T>} send @returns {Promise<T[]>} */
async function inPortions(send) {
	const all = saved().map(([table, { tokens }]) => ({ table, tokens }));
	const answers = [];
	for (let i = 0; i < all.length; i += AT_ONCE) answers.push(await send(all.slice(i, i + AT_ONCE)));
	return answers;
}
/** @typedef {{ table: string, tokens: string[] }} Asked */

/** By the time that is left; games without days last. @param {Game} a @param {Game} b */
const sooner = (a, b) => (a.due ?? Infinity) - (b.due ?? Infinity) || 0;

/** @param {Game} game */
function row(game) {
	const { table, title, names = [], prompt, turn, over, due, off = 0, back } = game;
	const tokens = load("tables", {})[table]?.tokens ?? [];
	const time = due === undefined || over ? "" : t(turn ? "my.left" : "my.left_other", { time: inDays(due) });
	const away = off ? t("off.until", { time: inDays(off) }) : "";
	const label = t(turn ? "my.play" : over ? "my.look" : "my.open");
	const about = names.length ? t("my.against", { names: names.join(", ") }) : "";
	return el(
		"li",
		{ class: turn ? "panel yours" : "panel" },
		el("p", {}, el("strong", {}, title), about && ` ${about}`),
		el("p", { class: "quiet" }, back ? t("my.back") : prompt),
		(time || away) && el("p", { class: turn && due !== undefined && due < LOW ? "low" : "quiet" }, away || time),
		el(
			"a",
			{ class: turn ? "btn main" : "btn", href: `/t/${table}#s=${tokens.join(".")}` },
			label,
			el("span", { class: "hidden" }, `: ${title} ${about}`),
		),
	);
}

let shown = "";
/** The running games with days for each turn. @type {Game[]} */
let byDays = [];

async function look() {
	try {
		const found = await inPortions((tables) => ask(`/api/mine?lang=${root.lang}`, { tables }));
		showError($("error"));
		show(found.flatMap(({ tables }) => tables));
	} catch (error) {
		showError($("error"), error);
	}
}

/** @param {Game[]} games */
function show(games) {
	const running = games.filter(({ over }) => !over);
	/** @type {["mine" | "others" | "ended", "my-turns" | "my-waiting" | "my-over", Game[]][]} */
	const parts = [
		["mine", "my-turns", running.filter(({ turn }) => turn).sort(sooner)],
		["others", "my-waiting", running.filter(({ turn }) => !turn).sort(sooner)],
		["ended", "my-over", games.filter(({ over }) => over).slice(0, FINISHED)],
	];
	const now = JSON.stringify(parts.map(([, , part]) => part.map((each) => ({ ...each, due: each.due && inDays(each.due) }))));
	byDays = running.filter(({ days }) => days);
	if (now !== shown && !$("main").querySelector("li :focus")) {
		shown = now;
		for (const [section, list, part] of parts) {
			$(section).hidden = !part.length;
			$(list).replaceChildren(...part.map(row));
		}
		$("nobody").hidden = games.length > 0;
	}
	daysOff();
	const yours = parts[0][2].length;
	document.title = `${yours ? `● ${yours} · ` : ""}${t("my.games")} · Bridgehead`;
}

function daysOff() {
	$("off").hidden = !byDays.length;
	const away = Math.max(0, ...byDays.map(({ off = 0 }) => off));
	const stock = Math.min(...byDays.map(({ stock: left = 0 }) => left));
	$("off-now").textContent = away ? t("off.until", { time: inDays(away) }) : t("off.stock", { n: stock });
	$("off-back").hidden = !away;
}

/** Days off in all games with days; 0: back, in those where there are some. @param {number} days */
async function holiday(days) {
	const meant = new Set(byDays.filter(({ off }) => days || off).map(({ table }) => table));
	try {
		const answers = await inPortions((tables) => {
			const asked = tables.filter(({ table }) => meant.has(table));
			return ask(`/api/holidays?lang=${root.lang}`, { tables: asked, days });
		});
		const refused = answers.flatMap(({ tables }) => tables).filter((each) => each.problem);
		const titles = load("tables", {});
		const problems = refused.map((each) => `${titles[each.table]?.title ?? each.table}: ${each.problem}`);
		showError($("off-error"), problems.length ? { message: problems.join(" ") } : undefined);
	} catch (error) {
		showError($("off-error"), error);
	}
	await look();
}

startPage().then(async () => {
	$("off-form").onsubmit = (event) => {
		event.preventDefault();
		const typed = $("off-days").value.trim();
		const days = /^\d+$/.test(typed) ? Number(typed) : 0;
		if (days < 1 || days > 28) showError($("off-error"), { message: t("off.number") });
		else holiday(days);
	};
	$("off-back").onclick = () => holiday(0);
	await keepLooking(look, AGAIN);
	if (byDays.length)
		later(() => import("./reminders.js"))
			.then(({ reminders }) => reminders(inPortions))
			.catch(() => {});
});
