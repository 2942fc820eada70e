// A new table: who sits where, which house rules, and for friends the links.
import { still } from "./board.js";
import { $, ask, load, problem, root, save, startPage, wake } from "./dom.js";
import { remember } from "./known.js";
import { chip, levelHelp } from "./panels.js";
import { t, translate } from "./words.js";

const { game, mode, livery, usual } = $("main").dataset;
const rows = [...$("options").children], seats = $("seats").children, files = new Map();
let preset = "", sealed = false, asked;

const field = (row) => row.querySelector(".value");
const count = () => Number($("count").value), letter = (i) => String.fromCharCode(livery.charCodeAt(0) + i);
const standard = ({ dataset }, base = JSON.parse($("presets").querySelector(`[value="${preset}"]`).dataset.preset)) => (dataset.name in base ? base[dataset.name] : JSON.parse(dataset.default));

function inWords(value) {
	if (typeof value === "boolean" || value === null) return t(value === null ? "none" : value ? "yes" : "no");
	return typeof value === "object" ? t("own_board") : value;
}

// A value as its row calls it.
function named(row, now) {
	const told = [...(field(row).options || [])].find((each) => each.value === JSON.stringify(now));
	return told ? told.textContent : inWords(now);
}

// What stands in the row of a house rule.
function value(row) {
	const { tagName, value: typed, dataset } = field(row), words = typed.trim();
	if (files.has(row)) return files.get(row);
	if (tagName === "SELECT") return JSON.parse(typed);
	if (!words) return standard(row);
	if (words === "none" || words === t("none")) return null;
	return /^-?\d+$/.test(words) && !dataset.text ? Number(words) : words;
}

function choices() {
	const changed = rows.map((row) => [row.dataset.name, value(row), standard(row)]).filter(([, now, before]) => JSON.stringify(now) !== JSON.stringify(before));
	return { game, preset, options: { ...Object.fromEntries(changed), seats: count() } };
}

function use(button) {
	fill(button);
	check();
}

function fill(button) {
	preset = button.value;
	files.clear();
	for (const each of $("presets").children) each.setAttribute("aria-pressed", each === button);
	for (const each of $("preset-help").children) each.hidden = each.dataset.of !== preset;
	for (const row of rows) put(row, standard(row));
}

function put(row, now) {
	const control = field(row);
	if (now && typeof now === "object") files.set(row, now);
	control.value = control.tagName === "SELECT" ? JSON.stringify(now) : inWords(now);
}

// House rules that come with the link: a board that was drawn. Whoever lays out what is hidden gets no seat.
async function bring() {
	if (!location.hash.startsWith("#o=")) return null;
	try {
		const { unpack } = await import("./packed.js"), found = await unpack(location.hash.slice(3)), { seats: number, ...rules } = found.rules;
		sealed = found.sealed === true && mode === "invite";
		if (number) $("count").value = number;
		for (const row of rows) if (row.dataset.name in rules) put(row, rules[row.dataset.name]);
		return null;
	} catch (error) { return error; }
}

async function upload(row, file) {
	if (!file) return;
	try {
		files.set(row, JSON.parse(await file.text()));
		field(row).value = file.name;
		check();
	} catch (error) { problem($("error"), { message: t("not_json", { what: error.message }), where: file.name }); }
}

// Asks the server what these rules are, and shows their board.
async function check() {
	const mine = asked = choices();
	sit();
	try {
		const { differences } = await ask("/api/check", mine);
		if (mine !== asked) return;
		problem($("error"));
		const told = rows.filter(({ dataset: { name } }) => name in differences).map((row) => `${row.querySelector("strong").textContent}: ${named(row, differences[row.dataset.name])}`);
		$("differences").textContent = told.length ? t("differs", { what: told.join(", ") }) : t("standard_rules");
		for (const row of rows) row.classList.toggle("differs", row.dataset.name in differences);
		$("start").disabled = false;
		const { picture, items } = await ask(`/api/games/${game}/picture?lang=${root.lang}&options=${encodeURIComponent(JSON.stringify(differences))}`);
		if (mine === asked) $("preview").replaceChildren(still(picture, items));
	} catch (error) {
		if (mine !== asked) return;
		problem($("error"), error);
		$("start").disabled = true;
	}
}

const clone = (id) => {
	const node = $(id).content.firstElementChild.cloneNode(true);
	translate(node);
	return node;
};

function sit() {
	while (seats.length > count()) seats[seats.length - 1].remove();
	while (seats.length < count()) {
		const i = seats.length, row = clone("seat"), [name, who] = row.children;
		name.placeholder = name.ariaLabel = t("name_of", { seat: letter(i).toUpperCase() });
		name.value = ((mode === "here" || !i) && load("names", [])[i]) || "";
		who.ariaLabel = t("who_plays", { seat: letter(i).toUpperCase() });
		if (mode === "computer" && i) who.value = usual;
		who.onchange = strength;
		row.prepend(chip(letter(i)));
		$("seats").append(row);
	}
	strength();
}

// What the levels of the computer's seats are like.
function strength() {
	$("levels").textContent = levelHelp([...seats].map(({ children }) => children[2].value).filter((level) => level !== "person"));
}

// Shows the fields that belong to the clock that is chosen.
function clocks() {
	const kind = $("clock-kind").value;
	for (const name of ["nudge", "bank", "increment"]) $(`clock-${name}`).closest("label").hidden = name !== kind && !(name === "increment" && kind === "bank");
	$("clock-help").textContent = t(`clock.help_${kind}`);
}

// What the clock is to be, in seconds.
function clock() {
	const kind = $("clock-kind").value, seconds = (name, unit) => {
		const field = $(`clock-${name}`), label = field.closest("label"), typed = field.value.trim().replace(",", ".");
		if (!label.hidden && !/^(\d*\.?\d*)$/.test(typed)) throw Object.assign(new Error(t("clock.number")), { where: label.textContent.trim() });
		return label.hidden ? {} : { [name]: Math.round(Number(typed) * unit) };
	};
	return kind === "none" ? {} : { clock: { ...seconds("nudge", 60), ...seconds("bank", 60), ...seconds("increment", 1) } };
}

async function start() {
	const first = [...seats].findIndex(({ children }) => children[2].value === "person"), open = !!$("open")?.checked;
	const who = [...seats].map(({ children: [, { value: name }, { value: level }] }, i) => ({ ...(level === "person" ? { kind: level, open: open && (sealed || i !== first) } : { kind: "computer", level }), ...(name.trim() && { name: name.trim() }) }));
	const seed = $("seed").value.trim();
	save("names", who.map(({ name = "" }) => name));
	$("start").disabled = true;
	try {
		const made = await ask("/api/tables", { ...choices(), ...clock(), seats: who, ...(seed && { seed: /^\d+$/.test(seed) ? Number(seed) : seed }), ...($("live")?.checked && { level: 2 }) });
		if (mode === "invite") {
			const mine = sealed ? -1 : made.tokens.findIndex(Boolean), set = { ...made, mine, names: who.map(({ name }) => name), open };
			remember(made.table, { title: $("form").querySelector("h1").textContent, tokens: made.tokens.slice(mine, mine + 1), host: made.host, over: false });
			history.replaceState({ set }, ""); // whoever comes back to this page still needs the links
			await invite(set);
		}
		else location.assign(`/t/${made.table}#s=${made.tokens.filter(Boolean).join(".")}&h=${made.host}`);
	} catch (error) { problem($("error"), error); }
	$("start").disabled = false;
}

// One link a seat; the host keeps the first.
async function invite({ table, tokens, host, base, mine, names, open }) {
	const { linkRow: link, origin } = await import("./share.js");
	const links = tokens.map((token, i) => token && i !== mine && link(chip(letter(i)), names[i] || t("friend"), `${origin(base)}/t/${table}#s=${token}`)).filter(Boolean);
	$("invites").replaceChildren(...await Promise.all([...links, link("", t(open ? "watch_or_sit" : "watch"), `${origin(base)}/t/${table}`)]));
	$("form").hidden = $("preview").hidden = true;
	$("links").hidden = false;
	$("table-code").textContent = table;
	if (mine < 0) $("go").textContent = t("watch_table");
	$("go").href = `/t/${table}#${mine < 0 ? "" : `s=${tokens[mine]}&`}h=${host}`;
}

startPage().then(async () => {
	const usual = JSON.parse($("count").dataset.usual);
	$("count").value = mode === "computer" ? $("count").options[0].value : usual || Math.min(4, $("count").lastElementChild.value);
	$("count").onchange = check;
	for (const button of $("presets").children) button.onclick = () => use(button);
	for (const row of rows) {
		field(row).onchange = () => { files.delete(row); check(); };
		const file = row.querySelector("[type=file]");
		if (file) file.onchange = () => upload(row, file.files[0]);
	}
	$("search").oninput = ({ target }) => { for (const row of rows) row.hidden = !(row.dataset.words + row.textContent.toLowerCase()).includes(target.value.trim().toLowerCase()); };
	$("clock-kind").onchange = clocks;
	clocks();
	$("form").onsubmit = (event) => { event.preventDefault(); start(); };
	if ($("fair")) $("fair").onclick = async ({ target }) => (await import("./fair.js")).study($("fairness"), target, () => asked);
	fill($("presets").firstChild);
	const damaged = await bring(), { set } = history.state || {};
	if (sealed && $("ask-fair")) $("ask-fair").hidden = true;
	if (set) await invite(set);
	wake("form");
	await check();
	if (damaged) problem($("error"), damaged);
});
