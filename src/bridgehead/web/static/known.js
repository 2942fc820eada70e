// The tables that this browser knows, with the secrets of their seats and of their hosts.
import { load, save } from "./dom.js";

const KEPT = 60, SEATS = 8; // tables; seats of one, as many as a page may show at once

const goesOn = ({ over, tokens, host }) => !over && Boolean(tokens.length || host);

// What is known of a table stays known, but for what gives nothing any more. Tables that are over, or only watched, go first.
export function remember(table, { tokens, host, ...told }, gone = []) {
	const all = load("tables", {}), before = all[table];
	const held = [...new Set([...tokens, ...(before?.tokens || [])])].filter((token) => !gone.includes(token)).slice(0, SEATS);
	all[table] = { ...before, ...told, tokens: held, host: host || before?.host || "", at: Date.now() };
	save("tables", Object.fromEntries(Object.entries(all).sort(([, a], [, b]) => goesOn(b) - goesOn(a) || b.at - a.at).slice(0, KEPT)));
}
