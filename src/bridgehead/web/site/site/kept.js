// @ts-check
// The games in this browser, as one file: saved from the start page, and opened there again.
import { download } from "./download.js";
import { Store } from "./store.js";

const { el, load, save } = await import(new URL("../static/dom.js", import.meta.url).href);
const { t } = await import(new URL("../static/words.js", import.meta.url).href);
const FORMAT = "bridgehead games 1";

/** @typedef {import("./store.js").Row} Row @typedef {{ format: string, rows: Row[], tables: Stored["tables"] }} Saved */

async function saveAll() {
	const rows = await (await Store.open()).all();
	download("bridgehead-games.json", { format: FORMAT, rows, tables: load("tables", {}) });
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
	const store = await Store.open();
	const here = new Set((await store.all()).map(([table]) => table));
	const rows = found.rows.filter(([table]) => !here.has(table));
	await store.keep(JSON.stringify(rows));
	const tables = load("tables", {});
	save("tables", { ...found.tables, ...tables });
	const names = (/** @type {Row[]} */ some) => some.map(([table]) => table).filter((table) => !table.includes(":"));
	const games = (/** @type {Row[]} */ some) => new Set(names(some)).size;
	return t("site.imported", { n: games(rows), here: games(found.rows) - games(rows) });
}

const file = el("input", { type: "file", class: "hidden", accept: ".json,application/json" });
const said = el("p", { role: "status" });
file.onchange = async () => {
	const [chosen] = file.files;
	file.value = "";
	if (chosen) said.textContent = await openAll(await chosen.text()).catch((error) => error.message);
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
			said,
		),
	);
