// @ts-check
// The log of a table as chance sees it, and what its eras and draws say: for the live checks and for those of a proof.
/** @import { Dealt, Proof, ProofEra, SeatLink } from "./checks.js" */
/** @import { Head, Terms } from "./bgf2.js" */
import { bytes } from "./bgf1.js";
import { eventKey, lengthOf, RULES } from "./bgf2.js";
import { isHex, isNumber } from "./statements.js";

const [OVER, BACK, FROZEN, ASKED] = [-2, -3, -4, -5]; // entries of the log besides decisions and chance events

/**
 * What a page received of an era, as what its transcript binds; null if a part of it has a wrong shape.
 * @param {string} gid @param {Era} era
 */
export function termsOfView(gid, { number, first, depth, level, rule, rules, root, seats }) {
	const heads = seats.flatMap((seat) => (seat && isNumber(seat[0], 3) && isHex(seat[1], 32) ? [seat] : []));
	const fits =
		[number, first].every((each) => isNumber(each)) && [root, rules].every((each) => isHex(each, 32)) && isHex(gid, 16);
	if (!fits || heads.length !== seats.length || rule !== RULES[level] || level < 1 || !isNumber(depth, 17) || depth < 1)
		return null;
	/** @type {Head[]} */
	const sealed = heads.map(([source, head]) => ({ source, length: lengthOf(level, source), head: bytes(head) }));
	return { gid: bytes(gid), number, first, depth, level, root: bytes(root), rules: bytes(rules), seats: sealed };
}

/** The log of a proof, followed from its beginning. */
export class History {
	/** @type {Dealt[]} */
	dealt = [];
	/** @type {[number, number][]} */
	line = []; // what is played in the end
	count = 0; // of chance events dealt, with those taken back
	frozen = 0;
	closed = 0; // eras that were frozen before the match was over
	closedAt = 0; // number of chance events dealt when the match was last over
	ordered = true;
	/** @type {Map<string, number>} */
	asked = new Map();

	/** @param {number[]} firsts of the eras @param {[number, number][]} log */
	constructor(firsts, log) {
		this.firsts = firsts;
		for (const [actor, value] of log) this.step(actor, value);
	}

	/** The last seat that decided. */
	get last() {
		return this.line.findLast(([actor]) => actor >= 0)?.[0] ?? 0;
	}

	/** The place of the era of an event; -1 if none. @param {number} index */
	eraOf(index) {
		return this.firsts.slice(0, this.frozen).findLastIndex((first) => first <= index);
	}

	/** @param {number} actor @param {number} value */
	step(actor, value) {
		if (actor >= -1) {
			if (actor === -1) this.deal();
			this.line.push([actor, value]);
		} else if (actor === OVER) {
			this.closed = this.frozen;
			this.closedAt = this.count;
		} else if (actor === BACK) this.line.length = Math.min(value, this.line.length);
		else if (actor === FROZEN) {
			this.frozen++;
			this.ordered &&= value === this.frozen && this.firsts[this.frozen - 1] === this.count;
		} else if (actor === ASKED) {
			const id = `${this.eraOf(this.count)}.${value}`;
			if (!this.asked.has(id)) this.asked.set(id, this.last);
		}
	}

	deal() {
		const index = this.line.filter(([actor]) => actor === -1).length;
		const era = this.eraOf(index);
		const e = era < 0 ? index : index - this.firsts[era];
		const again = index < this.count;
		this.ordered &&= again || index < this.closedAt || era >= this.closed || era < 0;
		this.dealt.push({ k: this.dealt.length, index, era, e, last: this.asked.get(`${era}.${e}`) ?? this.last });
		this.count = Math.max(this.count, index + 1);
	}
}

/** k_e; undefined if the proof does not have it. @param {Proof} proof @param {ProofEra} era @param {number} e */
export function keyOf({ gid }, era, e) {
	if (era.secret) return eventKey(bytes(era.secret), bytes(gid), era.number, e);
	const known = era.keys[e];
	return known && bytes(known.key);
}

/** @param {SeatLink[]} links */
export const linksOf = (links) => links.map(([seat, value]) => ({ seat, value: bytes(value) }));

/**
 * Are links and defaults those of the contributors, each once, and the links in their order?
 * @param {number[]} due @param {SeatLink[]} links @param {number[]} defaults
 */
export function isDue(due, links, defaults) {
	const given = links.map(([seat]) => seat);
	const isOrdered = due.filter((seat) => given.includes(seat)).join() === given.join();
	return isOrdered && [...given, ...defaults].sort((a, b) => a - b).join() === [...due].sort((a, b) => a - b).join();
}
