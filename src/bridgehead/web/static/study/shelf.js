// @ts-check
// The shelf: own boards and layouts with their versions, in this browser alone; two of them side by side.

import { button, el, href, later, quiet, root } from "../base/dom.js";
import { thumbnail } from "../base/draw.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { chip } from "../base/levels.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";

/** @typedef {Pick<Answer<"POST /api/games/{game}/edit">, "board" | "rules">} Sketch */
/** @typedef {{ version: KeptBoard, number: number }} Numbered */

const MOST = 100; // versions of a game's boards; the oldest go
const gameOf = () => /** @type {HTMLElement} */ (document.getElementById("main")).dataset.game ?? "";
const kept = () => load("boards", {})[gameOf()] ?? [];
/** What a board says of itself. @param {unknown} board @param {string} field */
const fieldOf = (board, field) => String((board && typeof board === "object" && Object(board)[field]) || "");
const nameOf = (/** @type {unknown} */ board) => fieldOf(board, "name") || t("own_board");

/** @param {KeptBoard[]} all */
function store(all) {
	return save("boards", { ...load("boards", {}), [gameOf()]: all.slice(-MOST) });
}

/**
 * How far each seat starts from its goal, as items of a list.
 * @param {string} game @param {{ [name: string]: unknown }} options
 */
export async function steps(game, options) {
	const { seats } = await ask(`/api/steps?lang=${root.lang}`, { game, options });
	const known = seats.filter((each) => each.steps !== null);
	const far = known.map((each) => each.steps ?? 0);
	const even = new Set(far).size < 2;
	const items = known.map((each) =>
		el("li", { class: "row" }, chip(each.seat), t("steps", { n: each.steps ?? 0, name: each.name })),
	);
	return known.length > 1 ? [...items, el("li", {}, t(even ? "steps_even" : "steps_uneven"))] : [];
}

/** Shows the shelf, or hides it. @param {HTMLButtonElement} opener @param {HTMLElement} place @param {() => Sketch} sketch
 * @param {(from: { board: unknown }) => unknown} bring */
export function toggle(opener, place, sketch, bring) {
	place.hidden = !place.hidden;
	opener.setAttribute("aria-expanded", String(!place.hidden));
	if (!place.hidden) show(place, sketch, bring);
}

/** The versions of each board: its name, and its versions with their numbers. @param {KeptBoard[]} all */
function numberVersions(all) {
	/** @type {Map<string, number>} */
	const counts = new Map();
	return all.map((version) => {
		const number = (counts.get(version.name) ?? 0) + 1;
		counts.set(version.name, number);
		return { version, number };
	});
}

/** @param {HTMLElement} place @param {() => Sketch} sketch @param {(from: { board: unknown }) => unknown} bring */
function show(place, sketch, bring) {
	const again = () => show(place, sketch, bring);
	const note = el("input", { maxlength: "200", "aria-label": t("shelf_note"), placeholder: t("shelf_note") });
	const beside = el("div", { class: "stack beside-boards", role: "status" });
	const problem = el("p", { class: "problem", role: "alert", hidden: "" });
	const keep = button(
		t("shelf_keep"),
		() => {
			const { board, rules } = sketch();
			store([...kept(), { name: nameOf(board), made: Date.now(), note: note.value.trim(), board, rules }]);
			again();
		},
		"main",
	);
	/** @type {Numbered[]} */
	let chosen = [];
	const compare = button(t("shelf_compare"), async () => beside.replaceChildren(...(await setBeside(chosen))));
	compare.disabled = true;
	const rows = numberVersions(kept()).map((each) => {
		const { version, number } = each;
		const tick = el("input", { type: "checkbox", "aria-label": t("shelf_pick", { name: version.name, n: number }) });
		tick.onchange = () => {
			chosen = tick.checked ? [...chosen, each] : chosen.filter((other) => other !== each);
			compare.disabled = chosen.length !== 2;
		};
		const when = new Date(version.made).toLocaleString(root.lang, { dateStyle: "medium", timeStyle: "short" });
		const author = fieldOf(version.board, "author") && ` · ${fieldOf(version.board, "author")}`;
		const said = el("span", {}, el("b", {}, t("shelf_version", { name: version.name, n: number })), ` ${when}${author}`);
		const open = button(t("shelf_take"), () => bring({ board: version.board }));
		const drop = button(t("shelf_drop"), () => {
			store(kept().filter((each) => each.made !== version.made));
			again();
		});
		const more = version.note ? [quiet(version.note)] : [];
		return el(
			"li",
			{ class: "stack" },
			el("label", { class: "check" }, tick, said),
			...more,
			el("p", { class: "row" }, open, drop, ...playtesting(version, number, problem, again)),
		);
	});
	const list = el("ul", { class: "stack shelf" }, ...rows.reverse());
	const some = rows.length ? [list, el("p", {}, compare), beside] : [quiet(t("shelf_empty"))];
	place.replaceChildren(el("p", { class: "row" }, note, keep), quiet(t("shelf_help")), problem, ...some);
}

/**
 * The button that makes a playtest of a version, or the link to what its testers say. A static site has no testers.
 * @param {KeptBoard} version @param {number} n @param {HTMLElement} problem @param {() => void} again
 */
function playtesting({ made, name, rules, playtest }, n, problem, again) {
	if (window.site) return [];
	if (playtest) return [el("a", { class: "btn", href: href(`/playtest/${playtest.id}#h=${playtest.host}`) }, t("shelf_results"))];
	const begin = async () => {
		try {
			const created = await ask("/api/playtests", { game: gameOf(), options: rules });
			store(kept().map((each) => (each.made === made ? { ...each, playtest: created } : each)));
			again();
		} catch (error) {
			showError(problem, error);
		}
	};
	const make = button(t("shelf_playtest"), begin);
	make.ariaLabel = t("shelf_playtest_of", { name, n });
	return [make];
}

/** Two versions: drawings, steps, the lights of their last studies, and what surely differs. @param {Numbered[]} chosen */
async function setBeside(chosen) {
	const studies = await Promise.all(chosen.map(({ version }) => findStudy(version)));
	const drawn = await Promise.all(chosen.map((version, i) => drawVersion(version, studies[i])));
	const [one, other] = studies.map((report) => report?.figures ?? []);
	const boards = el("div", { class: "row" }, ...drawn);
	if (!one.length || !other.length) return [boards];
	const { figureText, keyOf, nameFigure, surelyDiffer } = await later(() => import("../people/figures.js"));
	const rows = one.flatMap((figure) => {
		const same = other.find((each) => keyOf(each) === keyOf(figure));
		if (!same) return [];
		const verdict = t(surelyDiffer(figure, same) ? "shelf_surely" : "shelf_perhaps");
		return [el("li", {}, nameFigure(figure), `${figureText(figure)} → ${figureText(same)}: `, el("b", {}, verdict))];
	});
	return [boards, el("h3", {}, t("shelf_differences")), el("ul", { class: "stack differences" }, ...rows)];
}

/** The last study of a version, if this server has one. @param {KeptBoard} version */
async function findStudy({ rules }) {
	if (window.site) return null;
	return (await ask("/api/labs/find", { game: gameOf(), options: rules }).catch(() => ({ report: null }))).report;
}

/** A version as a drawing, with its steps and the lights of its study.
 * @param {Numbered} numbered @param {Awaited<ReturnType<typeof findStudy>>} report */
async function drawVersion({ version, number }, report) {
	const game = gameOf();
	const { picture, items, problems } = await ask(`/api/games/${game}/edit?lang=${root.lang}`, { board: version.board });
	const far = problems.length ? problems.map(({ text }) => el("li", {}, text)) : await steps(game, version.rules);
	const when = new Date(version.made).toLocaleString(root.lang, { dateStyle: "medium", timeStyle: "short" });
	const caption = el("figcaption", {}, el("b", {}, t("shelf_version", { name: version.name, n: number })), ` ${when}`);
	const starts = el("ul", { class: "quiet" }, ...far);
	const study = report && { ...report, report: `/lab/${report.key}`, games: report.games ?? 0 };
	const shown = window.site
		? []
		: await (await later(() => import("../people/figures.js"))).showStudy(game, version.rules, study);
	return el("figure", {}, thumbnail(picture, items), caption, starts, ...shown);
}
