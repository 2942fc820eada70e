// @ts-check
// The rules that come with this release: of each game under its standard house rules, by the number of seats.
/** @import { Proof } from "./checks.js" */

import { bytesOf, unpacked } from "../base/bytes.js";
import { header } from "./checks_bgf1.js";
import { followerOf } from "./follower.js";

/** module, laws: compressed; laws: one after another, of the same length.
 * @typedef {{
 *   version: string, module: string, laws: string, rules: { options: string, most: number, start: string }[]
 * }} AtHand */

/**
 * A follower for the record of a proof; undefined if its rules are not among those of rules.json.
 * @param {{ [game: string]: AtHand }} all @param {Proof} proof
 */
export async function rulesAtHand(all, { record, eras: [{ rules }] }) {
	const known = all[rules.game];
	const at = known?.rules.findIndex(({ options }) => options === rules.options) ?? -1;
	if (at < 0 || known.version !== rules.version || header(record, "start")) return undefined;
	const [module, laws] = await Promise.all([unpacked(known.module), unpacked(known.laws)]);
	const size = laws.length / known.rules.length;
	const { most, start } = known.rules[at];
	return followerOf({ module, most, law: laws.slice(at * size, (at + 1) * size), start: bytesOf(start) });
}
