// @ts-check
// What every page begins with: its sentences, and the drawings of its boards.
import { href, parseSvg, root, style } from "./dom.js";
import { translate } from "./i18n.js";
import { ask } from "./request.js";

const WORLDS = ["barricade", "burning_bridges", "forty_bridges", "front_lines"]; // games with a style sheet of their own

/** Loads the symbols that boards and pieces are made of, and their styles: those of the page's game, or of all. */
export async function drawings() {
	if (document.querySelector(".art")) return;
	const { art: game = "all" } = document.body.dataset;
	const file = /** @type {"/art.svg"} */ (root.dataset.static ? href(`/static/art/${game}.svg`) : "/art.svg");
	const sheets = ["materials", ...WORLDS.filter((name) => [name, "all"].includes(game))].map((name) => `games/${name}`);
	const [text] = await Promise.all([ask(file), ...sheets.map(style)]);
	const art = parseSvg(text);
	art.setAttribute("class", "art");
	document.body.append(art);
}

async function start() {
	translate(document);
	if (!document.body.dataset.art) return;
	await drawings().catch(() => window.bridgeheadMissing?.("/art.svg")); // a board can be used without them
}

/** @type {Promise<void> | undefined} */
let started;

/** Translates the page, and loads the drawings of a board: once. */
export const startPage = () => {
	started ||= start();
	return started;
};
