// @ts-check
// The shelf: own boards and layouts with their versions, in this browser alone; two of them side by side.

import { button, el, quiet, root } from "../base/dom.js";
import { thumbnail } from "../base/draw.js";
import { t } from "../base/i18n.js";
import { chip } from "../base/levels.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";

/** @typedef {Pick<Answer<"POST /api/games/{game}/edit">, "board" | "rules">} Sketch */

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
	const beside = el("div", { class: "row beside-boards", role: "status" });
	const keep = button(
		t("shelf_keep"),
		() => {
			const { board, rules } = sketch();
			store([...kept(), { name: nameOf(board), made: Date.now(), note: note.value.trim(), board, rules }]);
			again();
		},
		"main",
	);
	/** @type {KeptBoard[]} */
	let chosen = [];
	const compare = button(t("shelf_compare"), async () => beside.replaceChildren(...(await Promise.all(chosen.map(drawVersion)))));
	compare.disabled = true;
	const rows = numberVersions(kept()).map(({ version, number }) => {
		const tick = el("input", { type: "checkbox", "aria-label": t("shelf_pick", { name: version.name, n: number }) });
		tick.onchange = () => {
			chosen = tick.checked ? [...chosen, version] : chosen.filter((each) => each !== version);
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
			el("p", { class: "row" }, open, drop),
		);
	});
	const list = el("ul", { class: "stack shelf" }, ...rows.reverse());
	const some = rows.length ? [list, el("p", {}, compare), beside] : [quiet(t("shelf_empty"))];
	place.replaceChildren(el("p", { class: "row" }, note, keep), quiet(t("shelf_help")), ...some);
}

/** A version as a drawing, with its steps. @param {KeptBoard} version */
async function drawVersion(version) {
	const game = gameOf();
	const { picture, items, problems } = await ask(`/api/games/${game}/edit?lang=${root.lang}`, { board: version.board });
	const far = problems.length ? problems.map(({ text }) => el("li", {}, text)) : await steps(game, version.rules);
	const when = new Date(version.made).toLocaleString(root.lang, { dateStyle: "medium", timeStyle: "short" });
	const caption = el("figcaption", {}, `${version.name}, ${when}`);
	return el("figure", {}, thumbnail(picture, items), caption, el("ul", { class: "quiet" }, ...far));
}
