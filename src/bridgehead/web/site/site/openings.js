// @ts-check
// What was answered when the site was built: the boards of the first pages, and the first view of a game's table. A page shows
// them before Python is there, and Python makes the table that it shows.
import { inBrowser } from "../static/base/granted.js";

const { lang } = document.documentElement;
const BEGUN = "bridgehead.begun"; // tables that a page shows and Python has still to make
const { body } = document;
const { game, mode } = document.querySelector("main")?.dataset ?? {};

/**
 * A table as a page makes it. wish: the body of the request; tokens: of its seats, with dots between them.
 * @typedef {{ game: string, wish: string, tokens: string, host: string }} Begun
 * @typedef {{ wish: string, tokens: boolean[], view: { [name: string]: unknown } }} Opening
 * @typedef {{ answers: { [request: string]: string }, tables?: Opening[], letters?: string, length?: number }} Prepared
 */

/** @param {string} name @returns {Promise<Prepared | undefined>} */
async function load(name) {
	const answer = await fetch(new URL(`../first/${name}-${lang}.json.z`, import.meta.url));
	if (!answer.ok || !answer.body) return undefined;
	return new Response(answer.body.pipeThrough(new DecompressionStream("deflate"))).json();
}

const name = body.classList.contains("home") ? "home" : mode && game && `new-${game}`;
const prepared = name ? load(name).catch(() => undefined) : undefined;

/** The prepared answer to a request. @param {string} method @param {string} url @param {string} sent */
export const answerOf = async (method, url, sent) => (await prepared)?.answers[`${method} ${url} ${sent}`];

/** @returns {{ [table: string]: Begun }} */
const all = () => JSON.parse(inBrowser.read(BEGUN) ?? "{}");

/** @param {{ [table: string]: Begun }} tables */
const keep = (tables) => inBrowser.write(BEGUN, JSON.stringify(tables));

const token = () => {
	const bytes = String.fromCharCode(...crypto.getRandomValues(new Uint8Array(24)));
	return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_");
};

/**
 * The answer to the wish for a table whose first view is prepared: Python makes the table later, under the same id.
 * @param {string} wish the body of the request
 */
export async function begin(wish) {
	const { tables = [], letters = "", length = 0 } = (await prepared) ?? { answers: {} };
	const found = tables.find((each) => each.wish === wish);
	if (!found) return undefined;
	const table = Array.from(crypto.getRandomValues(new Uint32Array(length)), (number) => letters[number % letters.length]).join(
		"",
	);
	const tokens = found.tokens.map((isPerson) => (isPerson ? token() : null));
	const host = token();
	const begun = { game: game ?? "", wish, tokens: tokens.map((each) => each ?? "").join("."), host };
	if (!keep({ ...all(), [table]: begun })) return undefined; // the next page could not know of it
	return JSON.stringify({ table, code: "", tokens, host, watch: `/t/${table}`, base: "" });
}

/** A table that Python has still to make. @param {string} table @returns {Begun | undefined} */
export const begunAt = (table) => all()[table];

/** Python has made a table. @param {string} table */
export function made(table) {
	const { [table]: _, ...others } = all();
	keep(others); // else Python is asked again, and finds it
}

/** The first view of such a table, as its socket would give it. @param {string} table @param {Begun} begun */
export async function viewOf(table, { game, wish }) {
	const found = (await load(`new-${game}`))?.tables?.find((each) => each.wish === wish);
	return found && JSON.stringify({ ...found.view, table });
}
