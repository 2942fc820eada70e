// @ts-check
// The page for a new table: its seats, its house rules, and the links for friends.

import { $, el, enable, href, later, root } from "../base/dom.js";
import { thumbnail } from "../base/draw.js";
import { reasonOf, showError } from "../base/errors.js";
import { t, translate } from "../base/i18n.js";
import { chip, levelHelp } from "../base/levels.js";
import { startPage } from "../base/page.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";
import { isRecommended, remember, rememberRecommended } from "./saved_tables.js";

/** House rules as a page sends them. @typedef {Required<Requests["POST /api/check"]["body"]>} Rules */
/**
 * A table that was made, with what its links need.
 * @typedef {Answer<"POST /api/tables"> & { mine: number, names: (string | undefined)[], open: boolean, plates: Plate[] }} Made
 */

const { game = "", mode, usual = "", likeTable } = $("main").dataset;
/** The rules and seats of another table, to begin with. @type {{ rules: { [name: string]: unknown }, seats: string[] } | null} */
let like = JSON.parse($("main").dataset.like ?? "null");
const rows = /** @type {HTMLElement[]} */ ([...$("form").querySelectorAll("[data-name]")]); // one for each house rule
const seats = $("seats").children;
/** Values that no control can show, by row: boards. @type {Map<HTMLElement, object>} */
const files = new Map();
let preset = "";
let sealed = false;
/** @type {Rules} */
let asked;
/** The seats as the table will show them. @type {Plate[]} */
let plates = [];
let own = 0; // the seat of whoever fills in the form, who is not everybody at one screen
let isByLot = false;

const nameOf = (/** @type {HTMLElement} */ row) => row.dataset.name ?? "";
const radiosOf = (/** @type {HTMLElement} */ row) =>
	/** @type {HTMLInputElement[]} */ ([...row.querySelectorAll("[type=radio]")]);
const fieldOf = (/** @type {HTMLElement} */ row) => /** @type {HTMLInputElement | null} */ (row.querySelector(".value"));
const boards = rows.find((row) => row.closest(".boards"));
const count = () => Number($("count").value);
const presets = /** @type {HTMLButtonElement[]} */ ([...$("presets").children]);
const [original] = presets;
const recommended = presets.find((each) => each.dataset.seats); // the numbers of seats for which they were measured

/** The controls of a seat. @param {Element} row */
function seat(row) {
	const [name] = row.getElementsByTagName("input");
	const [kind] = row.getElementsByTagName("select");
	return { name, kind };
}

/** Whether the row holds a board that people drew. @param {HTMLElement} row */
const holdsOwn = (row) =>
	row.dataset.board === "own" &&
	(files.has(row) || (!!fieldOf(row)?.value.trim() && !radiosOf(row).some((each) => each.checked)));
const hasOwn = () => rows.some(holdsOwn);

/** The value of a house rule in the chosen preset, which leaves an own board as it is. @param {HTMLElement} row */
function standard({ dataset: { name = "", default: usually = "null", board } }) {
	const chosen = board && hasOwn() ? "{}" : presets.find((each) => each.value === preset)?.dataset.preset;
	const base = JSON.parse(chosen ?? "{}");
	return name in base ? base[name] : JSON.parse(usually);
}

const nameOfBoard = (/** @type {object} */ board) => ("name" in board ? String(board.name) : "");

/** A value as its row shows it. @param {HTMLElement} row @param {unknown} value */
function shown(row, value) {
	const radio = radiosOf(row).find((each) => each.value === JSON.stringify(value));
	return (
		radio?.labels?.[0].lastElementChild?.textContent ??
		(value && typeof value === "object" ? nameOfBoard(value) || t("own_board") : String(value))
	);
}

/** The value in the row of a house rule. @param {HTMLElement} row */
function value(row) {
	if (files.has(row)) return files.get(row);
	const pressed = radiosOf(row).find((each) => each.checked);
	if (pressed) return JSON.parse(pressed.value);
	const field = fieldOf(row);
	const words = field?.value.trim();
	if (!words) return radiosOf(row).some((each) => each.value === "null") ? null : standard(row);
	return /^-?\d+$/.test(words) && !field?.dataset.text ? Number(words) : words;
}

/** @returns {Rules} */
function choices() {
	const changed = rows.filter((row) => JSON.stringify(value(row)) !== JSON.stringify(standard(row)));
	return { game, preset, options: { ...Object.fromEntries(changed.map((row) => [nameOf(row), value(row)])), seats: count() } };
}

/** @param {HTMLButtonElement} button */
function fill(button) {
	preset = button.value;
	for (const each of presets) each.setAttribute("aria-pressed", String(each === button));
	for (const each of /** @type {HTMLElement[]} */ ([...$("preset-help").children])) each.hidden = each.dataset.of !== preset;
	const chosen = boards && (files.has(boards) || radiosOf(boards).some((each) => each.checked)) ? boards : undefined;
	const own = hasOwn();
	for (const row of rows) if (row !== chosen && !(own && row.dataset.board)) put(row, standard(row));
}

/** Whether a preset changes nothing but the board. @param {HTMLButtonElement} button */
const changesBoard = ({ dataset }) =>
	Object.keys(JSON.parse(dataset.preset ?? "{}")).every((name) => rows.find((row) => nameOf(row) === name)?.dataset.board);

/** Offers the recommended rules beside the original ones, with a number of seats for which they were measured. */
function offer() {
	$("measured").hidden = !hasOwn();
	if (!recommended) return;
	const measured = JSON.parse(recommended.dataset.seats ?? "[]").includes(count());
	recommended.hidden = hasOwn() ? changesBoard(recommended) : !measured;
	if (recommended.hidden && preset === recommended.value) fill(original);
	$("beside").hidden = recommended.hidden || preset === recommended.value || hasOwn();
}

/** The preset to begin with: of the address, else the one that somebody has chosen before, except for rules that are brought. */
function firstPreset() {
	const named = new URLSearchParams(location.search).get("preset");
	if (named) return presets.find((each) => each.value === named);
	return like || likeTable || location.hash.startsWith("#o=") || !isRecommended(game) ? original : recommended;
}

/** @param {HTMLElement} row @param {unknown} now */
function put(row, now) {
	const radios = radiosOf(row);
	const field = fieldOf(row);
	for (const each of radios) each.checked = each.value === JSON.stringify(now);
	if (now && typeof now === "object") files.set(row, now);
	else files.delete(row);
	const own = row.querySelector(".own");
	own?.classList.toggle("chosen", files.has(row));
	own?.querySelector("span")?.replaceChildren((files.has(row) && nameOfBoard(files.get(row) ?? {})) || t("upload"));
	if (field) field.value = files.has(row) || radios.some((each) => each.checked) ? "" : String(now);
}

/** The next number for the buttons beside a field. @param {HTMLInputElement} field @param {number} by */
function step(field, by) {
	const { steps = "[]", first = "" } = field.dataset;
	/** @type {number[]} */
	const all = JSON.parse(steps);
	if (!field.value.trim()) return first;
	const now = Number(field.value);
	const next = by > 0 ? all.find((each) => each > now) : all.findLast((each) => each < now);
	return String(next ?? now);
}

const most = (/** @type {HTMLInputElement} */ board) => Number(board.labels?.[0].dataset.most);

/** Keeps the number of seats and the board fit for each other; the other one gives way. @param {boolean} byBoard */
function fitBoard(byBoard) {
	const radios = boards ? radiosOf(boards) : [];
	const pressed = radios.find((each) => each.checked);
	if (!boards || !pressed || most(pressed) >= count()) return;
	if (byBoard) $("count").value = String(most(pressed));
	else put(boards, JSON.parse(radios.find((each) => most(each) >= count())?.value ?? "null"));
}

/** Draws each board on its button. */
async function drawBoards() {
	for (const radio of boards ? radiosOf(boards) : []) {
		const rules = { board: JSON.parse(radio.value), seats: Math.min(most(radio), Number($("count").dataset.usual) || 4) };
		const { picture, items } = await ask(`/api/games/${game}/picture?options=${encodeURIComponent(JSON.stringify(rules))}`);
		radio.labels?.[0].querySelector(".sketch")?.append(thumbnail(picture, items));
	}
}

/** Whether two sets of house rules are equal. @param {{ [name: string]: unknown }} one @param {typeof one} other */
const isSame = (one, other) =>
	[...Object.keys(one), ...Object.keys(other)].every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));

// House rules from the link: a board that was drawn. Whoever laid out its hidden cards gets no seat. Returns the error, if any.
async function bring() {
	if (likeTable) like = await ask(`/api/tables/${likeTable}/likeness`);
	if (like) {
		$("count").value = String(like.seats.length);
		const { seats: _, ...rules } = like.rules;
		const same = presets.find((each) => each.value && isSame(JSON.parse(each.dataset.preset ?? "{}"), rules));
		if (same) fill(same);
		for (const row of rows) if (nameOf(row) in like.rules) put(row, like.rules[nameOf(row)]);
	}
	if (!location.hash.startsWith("#o=")) return null;
	try {
		const { unpack } = await later(() => import("../base/link_codec.js"));
		const found = await unpack(location.hash.slice(3));
		const { seats: number, ...rules } = found.rules;
		sealed = found.sealed === true && mode === "invite";
		if (number) $("count").value = number;
		for (const row of rows) if (nameOf(row) in rules) put(row, rules[nameOf(row)]);
		return null;
	} catch (error) {
		return error;
	}
}

/** @param {HTMLElement} row @param {File | undefined} file */
async function upload(row, file) {
	if (!file) return;
	try {
		put(row, JSON.parse(await file.text()));
		check();
	} catch (error) {
		showError($("error"), { message: t("not_json", { what: reasonOf(error) }), where: file.name });
	}
}

// Asks the server what these rules are, and shows their board.
async function check() {
	offer();
	const mine = choices();
	if ($("undecided")) $("undecided").hidden = preset !== "" || Object.keys(mine.options).length > 1;
	asked = mine;
	sit();
	try {
		const { differences } = await ask("/api/check", mine);
		if (mine !== asked) return;
		showError($("error"));
		const changed = rows.filter((row) => nameOf(row) in differences);
		const sentences = changed.map(
			(row) => `${row.querySelector("strong")?.textContent}: ${shown(row, differences[nameOf(row)])}`,
		);
		$("differences").textContent = changed.length ? t("differs", { what: sentences.join(", ") }) : t("standard_rules");
		for (const row of rows) row.classList.toggle("differs", changed.includes(row));
		if (Object.keys(mine.options).some((name) => $("options").querySelector(`[data-name="${name}"]`)))
			$("options-all").open = true;
		$("start").disabled = false;
		const options = encodeURIComponent(JSON.stringify(differences));
		const first = await ask(`/api/games/${game}/picture?lang=${root.lang}&options=${options}`);
		if (mine !== asked) return;
		$("preview").replaceChildren(thumbnail(first.picture, first.items));
		$("board-notes").textContent = (first.notes ?? []).join(" ");
		$("board-notes").hidden = !first.notes?.length;
		plates = first.plates ?? [];
		mark();
	} catch (error) {
		if (mine !== asked) return;
		showError($("error"), error);
		$("options-all").open = true;
		$("start").disabled = true;
	}
}

/** Takes a seat: what was entered for it changes places with what was entered for the seat before. @param {number} to */
function take(to) {
	const [one, other] = [seat(seats[own]), seat(seats[to])];
	for (const field of /** @type {const} */ (["name", "kind"]))
		[one[field].value, other[field].value] = [other[field].value, one[field].value];
	own = to;
	mark();
}

// The colours to choose from, or the lot.
function offerColours() {
	const group = $("own");
	if (!group) return;
	group.hidden = sealed;
	const choice = (/** @type {number} */ at, /** @type {Node | string} */ sign, /** @type {string} */ words) => {
		const pressed = () => {
			isByLot = at < 0;
			if (at >= 0) take(at);
		};
		const checked = isByLot ? at < 0 : at === own;
		const input = el("input", { type: "radio", name: "own", value: at, checked, onchange: pressed });
		return el("label", { class: "btn" }, input, sign, el("span", {}, words));
	};
	const colours = [...seats].map((_, i) => choice(i, sign(plates[i]), plates[i]?.name ?? String(i + 1)));
	const held = group.contains(document.activeElement);
	group.replaceChildren($("own-title"), ...colours, choice(-1, "", t("by_lot")));
	if (held) /** @type {HTMLElement | null} */ (group.querySelector(":checked"))?.focus();
}

function sit() {
	if (own >= count()) take(0);
	while (seats.length > count()) seats[seats.length - 1].remove();
	while (seats.length < count()) {
		const i = seats.length;
		const row = /** @type {Element} */ ($("seat").content.firstElementChild?.cloneNode(true));
		translate(row);
		const { name, kind } = seat(row);
		name.value = ((mode === "here" || i === own) && load("names", [])[mode === "here" ? i : 0]) || "";
		if (mode === "computer" && i !== own) kind.value = usual;
		if (like?.seats[i]) kind.value = like.seats[i];
		kind.onchange = strength;
		row.prepend(chip("", ""));
		$("seats").append(row);
	}
	mark();
	strength();
}

/** @param {Plate | undefined} plate */
const sign = (plate) => chip(plate?.seat || "", plate?.letter);

// Gives the seats the colours and letters that they will have at the table.
function mark() {
	for (const [i, row] of [...seats].entries()) {
		const { name, kind } = seat(row);
		const known = { seat: plates[i]?.name ?? String(i + 1) };
		row.querySelector(".chip")?.replaceWith(sign(plates[i]));
		name.placeholder = name.ariaLabel = i === own && mode !== "here" ? t("your_name") : t("name_of", known);
		kind.ariaLabel = t("who_plays", known);
	}
	offerColours();
}

// Describes the levels of the computer's seats.
function strength() {
	const levels = [...seats].map((row) => seat(row).kind.value).filter((level) => level !== "person");
	$("levels").textContent = levelHelp(levels);
}

const labelOf = (/** @type {HTMLInputElement | HTMLSelectElement} */ field) =>
	/** @type {HTMLLabelElement} */ (field.closest("label"));

// Shows the fields of the chosen clock.
function clocks() {
	const kind = $("clock-kind").value;
	labelOf($("clock-nudge")).hidden = kind !== "nudge";
	labelOf($("clock-bank")).hidden = labelOf($("clock-increment")).hidden = kind !== "bank";
	const late = $("clock-late");
	if (late) late.hidden = kind !== "bank";
	labelOf($("clock-days")).hidden = kind !== "days";
	$("clock-help").textContent = t(`clock.help_${kind}`);
}

// The clock as the server wants it: in seconds, or in days.
function clock() {
	const seconds = (/** @type {"nudge" | "bank" | "increment" | "days"} */ name, /** @type {number} */ unit) => {
		const field = $(`clock-${name}`);
		const label = labelOf(field);
		const typed = field.value.trim().replace(",", ".");
		if (label.hidden) return {};
		if (!/^(\d*\.?\d*)$/.test(typed)) throw Object.assign(new Error(t("clock.number")), { where: label.textContent.trim() });
		return { [name]: Math.round(Number(typed) * unit) };
	};
	if ($("clock-kind").value === "none") return {};
	const stand = $("clock-kind").value === "bank" && !!$("clock-stand")?.checked;
	return {
		clock: {
			...(stand && { stand_in: true }),
			...seconds("nudge", 60),
			...seconds("bank", 60),
			...seconds("increment", 1),
			...seconds("days", 1),
		},
	};
}

async function start() {
	if (isByLot) take(Math.floor(Math.random() * count()));
	const controls = [...seats].map(seat);
	const isPerson = (/** @type {{ kind: HTMLSelectElement }} */ { kind }) => kind.value === "person";
	const first = isPerson(controls[own]) ? own : controls.findIndex(isPerson);
	const open = !!$("open")?.checked;
	const people = controls.map(({ name, kind }, i) => {
		/** @type {SeatWish} */
		const occupant =
			kind.value === "person"
				? { kind: "person", open: open && (sealed || i !== first) }
				: { kind: "computer", level: kind.value };
		return { ...occupant, ...(name.value.trim() && { name: name.value.trim() }) };
	});
	const seed = $("seed").value.trim();
	const live = $("live");
	const isSealed = live && !seed && !$("real")?.checked && !window.site;
	const names = people.map(({ name = "" }) => name);
	if (mode !== "here") [names[0], names[own]] = [names[own], names[0]];
	save("names", names);
	$("start").disabled = true;
	try {
		const made = await ask("/api/tables", {
			...choices(),
			...clock(),
			seats: people,
			...(seed && { seed: /^\d+$/.test(seed) ? Number(seed) : seed }),
			...($("public").checked && { public: true }),
			...(live?.checked && { level: 2 }),
			...($("real")?.checked && { typed: true }),
		});
		const title = $("form").querySelector("h1")?.textContent ?? "";
		const mine = sealed ? -1 : first;
		const held = made.tokens.filter((token, i) => token && (mode !== "invite" || i === mine));
		const level = isSealed ? (live.checked ? 2 : 1) : undefined; // which the table's page holds the server to
		remember(made.table, { title, tokens: held.map(String), host: made.host, over: false, level });
		if (mode === "invite") {
			const set = { ...made, mine, names: people.map(({ name }) => name), open, plates };
			history.replaceState({ set }, ""); // the links must still be here when somebody comes back to this page
			await invite(set);
		} else location.assign(href(`/t/${made.table}#s=${made.tokens.filter(Boolean).join(".")}&h=${made.host}`));
	} catch (error) {
		showError($("error"), error);
		$("options-all").open = true;
	}
	$("start").disabled = false;
}

/** Shows one link for each seat; the host keeps the first. @param {Made} made */
async function invite({ table, code, tokens, host, mine, names, open, plates: signs }) {
	const { inviteRows } = await later(() => import("./share.js"));
	const path = `/t/${table}`;
	const links = tokens.flatMap((token, i) =>
		token && i !== mine ? [{ mark: sign(signs[i]), name: names[i] || t("friend"), path: `${path}#s=${token}` }] : [],
	);
	const watch = /** @type {const} */ ({ mark: "", name: t(open ? "watch_or_sit" : "watch"), path });
	$("invites").replaceChildren(await inviteRows([...links, watch]));
	$("form").hidden = $("preview").hidden = true;
	$("links").hidden = false;
	$("table-code").textContent = code;
	if (mine < 0) $("go").textContent = t("watch_table");
	$("go").href = `/t/${table}#${mine < 0 ? "" : `s=${tokens[mine]}&`}h=${host}`;
}

startPage().then(async () => {
	const { options } = $("count");
	const most = Math.min(4, Number(options[options.length - 1].value));
	const seatsUsual = JSON.parse($("count").dataset.usual ?? "0");
	$("count").value = mode === "computer" ? options[0].value : String(seatsUsual || most);
	$("count").onchange = () => {
		fitBoard(false);
		check();
	};
	for (const button of presets)
		button.onclick = () => {
			fill(button);
			rememberRecommended(game, button === recommended);
			check();
		};
	for (const row of rows) {
		const field = fieldOf(row);
		for (const radio of radiosOf(row))
			radio.onchange = () => {
				put(row, JSON.parse(radio.value));
				if (row === boards) fitBoard(true);
				check();
			};
		if (field) {
			field.onchange = () => {
				for (const radio of radiosOf(row)) radio.checked = false;
				put(row, value(row));
				check();
			};
			for (const button of /** @type {NodeListOf<HTMLElement>} */ (row.querySelectorAll("[data-by]")))
				button.onclick = () => {
					field.value = step(field, Number(button.dataset.by));
					field.dispatchEvent(new Event("change"));
				};
		}
		const file = row.querySelector("[type=file]");
		if (file instanceof HTMLInputElement) file.onchange = () => upload(row, file.files?.[0]);
	}
	$("search").oninput = () => {
		const words = $("search").value.trim().toLowerCase();
		for (const row of rows) row.hidden = !((row.dataset.words ?? "") + row.textContent.toLowerCase()).includes(words);
	};
	$("clock-kind").onchange = clocks;
	clocks();
	const real = $("real");
	if (real)
		real.onchange = () => {
			if (real.checked) Object.assign($("live"), { checked: false });
			$("live").disabled = $("seed").disabled = real.checked;
			if (real.checked) $("seed").value = "";
		};
	$("form").onsubmit = (event) => {
		event.preventDefault();
		start();
	};
	const fair = $("fair");
	if (fair) fair.onclick = async () => (await later(() => import("../lab/report.js"))).report($("fairness"), fair, () => asked);
	const mend = $("mend");
	if (mend) mend.onclick = async () => (await later(() => import("../lab/tune.js"))).tune($("mending"), mend, () => asked);
	fill(firstPreset() ?? original);
	const damaged = await bring();
	const { set } = history.state || {};
	if (sealed && $("ask-fair")) $("ask-fair").hidden = $("ask-mend").hidden = true;
	if (set) await invite(set);
	enable("form");
	await check();
	if (damaged) showError($("error"), damaged);
	drawBoards();
});
