// @ts-check
// The games in this browser, as one file: saved from the start page, and opened there again.
import { download } from "../static/base/download.js";
import { at } from "./page.js";
import { openStore } from "./store.js";

const { el } = await import(new URL("../static/base/dom.js", import.meta.url).href);
const { load, save } = await import(new URL("../static/base/store.js", import.meta.url).href);
const { t } = await import(new URL("../static/base/i18n.js", import.meta.url).href);
const FORMAT = "bridgehead games 1";

/** @typedef {import("./store.js").Row} Row @typedef {{ format: string, rows: Row[], tables: Stored["tables"] }} Saved */

async function saveAll() {
	const rows = await (await openStore()).all();
	download("bridgehead-games.json", JSON.stringify({ format: FORMAT, rows, tables: load("tables", {}) }));
}

/** Adds the games of a file that are not here yet. @param {string} text @returns {Promise<string>} the sentence about them */
async function openAll(text) {
	/** @type {Saved} */
	let found;
	try {
		found = JSON.parse(text);
		if (found.format !== FORMAT || !found.rows.every(([table, number, row]) => table && number >= 0 && row)) throw new Error();
	} catch {
		return t("site.no_games_file");
	}
	const store = await openStore();
	const here = new Set((await store.all()).map(([table]) => table));
	const rows = found.rows.filter(([table]) => !here.has(table));
	await store.keep(JSON.stringify(rows));
	const tables = load("tables", {});
	save("tables", { ...found.tables, ...tables });
	const names = (/** @type {Row[]} */ some) => some.map(([table]) => table).filter((table) => !table.includes(":"));
	const games = (/** @type {Row[]} */ some) => new Set(names(some)).size;
	return t("site.imported", { n: games(rows), here: games(found.rows) - games(rows) });
}

const PAGES = [/\/(replay|(?:new|edit|position)\/\w+)$/, /\/(replay|(?:new|edit|position)-\w+)\.html$/]; // of a server, of a site

/** Where a link to a game or a board leads here; undefined if it is none. @param {string} text */
function here(text) {
	if (!URL.canParse(text)) return undefined;
	const { pathname, search, hash } = new URL(text);
	const page = PAGES.flatMap((form) => pathname.match(form)?.[1] ?? [])[0];
	return page && hash && at(`/${page.replace("-", "/")}${search}${hash}`);
}

const link = el("input", { type: "url", id: "link", autocomplete: "off", required: true });
const problem = el("p", { class: "problem", role: "alert", hidden: true }, t("link_bad"));
const opening = el(
	"form",
	{ class: "row", novalidate: true },
	el("label", { for: "link" }, t("site.link")),
	link,
	el("button", { class: "btn" }, t("site.open")),
);
opening.onsubmit = (/** @type {Event} */ event) => {
	event.preventDefault();
	const page = here(link.value.trim());
	problem.hidden = !!page;
	if (page) location.assign(page);
};

const file = el("input", { type: "file", class: "hidden", accept: ".json,application/json" });
const status = el("p", { role: "status" });
file.onchange = async () => {
	const [chosen] = file.files;
	file.value = "";
	if (chosen) status.textContent = await openAll(await chosen.text()).catch((error) => error.message);
};
const row = el(
	"p",
	{ class: "row" },
	el("button", { class: "btn", type: "button", onclick: saveAll }, t("site.export")),
	el("label", { class: "btn open" }, t("site.import"), file),
);
document
	.querySelector("main.stack")
	?.append(
		el(
			"section",
			{ class: "panel pad stack", "aria-labelledby": "kept-title" },
			el("h2", { id: "kept-title" }, t("site.games")),
			el("p", { class: "quiet" }, t("site.games_help")),
			row,
			status,
			opening,
			problem,
		),
	);
