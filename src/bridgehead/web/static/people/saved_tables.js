// @ts-check
// What this browser remembers of its tables: tokens of seats and hosts, receipts, the games that it plays by recommended rules.
import { href, later } from "../base/dom.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";

const MOST = 60; // tables
const RECEIPTS = 50;
const SEATS = 8; // of one table, as many as a page may show at once

const isPlayed = (/** @type {SavedTable} */ { over, tokens, host }) => Number(!over && Boolean(tokens.length || host));

/**
 * Merges a table into those remembered, without the tokens that are no longer valid (`gone`). Tables that are over, or only
 * watched, are dropped first.
 * @param {string} table @param {Omit<SavedTable, "at">} known @param {string[]} [gone]
 */
export function remember(table, { tokens, host, level, ...known }, gone = []) {
	const all = load("tables", {});
	const before = all[table];
	const held = [...new Set([...tokens, ...(before?.tokens || [])])].filter((token) => !gone.includes(token)).slice(0, SEATS);
	const kept = { tokens: held, host: host || before?.host || "", level: level ?? before?.level };
	all[table] = { ...before, ...known, ...kept, at: Date.now() };
	const order = Object.entries(all).sort(([, a], [, b]) => isPlayed(b) - isPlayed(a) || b.at - a.at);
	save("tables", Object.fromEntries(order.slice(0, MOST)));
	if (!known.over && held.length && load("profile", { key: "", taken: [] }).key && !window.site)
		later(() => import("./profile.js")).then(({ take }) => take(table, held));
}

/**
 * Goes to the table to which the server's host has moved somebody; false if none of the tokens leads anywhere.
 * @param {string} table @param {string[]} tokens that are no longer valid at this table
 */
export async function followMove(table, tokens) {
	for (const token of tokens) {
		const found = await ask(`/api/tables/${table}/moved`, { token }).catch(() => null);
		if (!found?.table) continue;
		location.replace(href(`/t/${found.table}#s=${token}`));
		return true;
	}
	return false;
}

/**
 * Forgets the tokens of a page that are invalid, and tries again with those that are left; no number: that of its host.
 * @param {{ id: string, tokens: string[], host: string }} page @param {number[]} stray
 */
export async function disown(page, stray) {
	const gone = stray.map((i) => page.tokens[i]);
	const left = page.tokens.filter((_, i) => !stray.includes(i));
	forget(page, left, stray.length ? page.host : "");
	if (await followMove(page.id, gone)) return;
	if (left.length || stray.length) location.reload(); // without a seat the page becomes a spectator's
}

/**
 * Keeps only some tokens of a page, in the browser's memory and in the address.
 * @param {{ id: string, tokens: string[], host: string }} page @param {string[]} left @param {string} host
 */
function forget({ id, tokens, host: old }, left, host) {
	const all = load("tables", {});
	const known = all[id];
	if (known) known.tokens = known.tokens.filter((each) => left.includes(each) || !tokens.includes(each));
	if (known?.host === old) known.host = host;
	save("tables", all);
	const parts = [left.length && `s=${left.join(".")}`, host && `h=${host}`].filter(Boolean);
	history.replaceState(null, "", location.pathname + location.search + (parts.length ? `#${parts.join("&")}` : ""));
}

/**
 * Keeps the server's signed receipt of a finished game: proof against a later change of the log.
 * @param {string} table
 */
export async function keepReceipt(table) {
	if (load("receipts", {})[table]) return;
	try {
		const receipt = await ask(`/api/tables/${table}/receipt`);
		save("receipts", Object.fromEntries([...Object.entries(load("receipts", {})), [table, receipt]].slice(-RECEIPTS)));
	} catch {
		/* the next visit of the table asks again */
	}
}

/** Whether somebody has chosen the recommended rules of a game. @param {string} game */
export const isRecommended = (game) => load("recommended", []).includes(game);

/** Remembers whether a game is played by its recommended rules. @param {string} game @param {boolean} chosen */
export function rememberRecommended(game, chosen) {
	const others = load("recommended", []).filter((each) => each !== game);
	save("recommended", chosen ? [...others, game] : others);
}
