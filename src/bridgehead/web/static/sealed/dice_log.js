// @ts-check
// The log of a table as chance sees it, and what its eras and draws say: for the live checks and for those of a proof.
/** @import { Dealt, Proof, ProofEra, SeatLink } from "./checks.js" */
/** @import { Head, Terms } from "./bgf2.js" */
/** @import { Follower } from "./follower.js" */
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

/** The log of a proof, followed from its beginning; with a follower, by the rules, as far as they allow it. */
export class History {
	/** @type {Dealt[]} */
	dealt = [];
	/** @type {[number, number][]} */
	line = []; // what is played in the end
	count = 0; // of chance events dealt, with those taken back
	frozen = 0;
	closed = 0; // eras that were frozen before the match was over
	closedAt = 0; // number of chance events dealt when the match was last over
	/** @type {boolean[]} */
	afterEnd = []; // for each era: was it frozen because the match had been over?
	ordered = true;
	played = true; // by the rules, if there is a follower
	/** @type {Map<string, number>} */
	asked = new Map();
	waits = false; // for a draw whose links were asked for

	/** @param {number[]} firsts of the eras @param {[number, number][]} log @param {Follower} [follower] at the first position */
	constructor(firsts, log, follower) {
		this.firsts = firsts;
		this.follower = follower;
		for (const [actor, value] of log) {
			this.step(actor, value);
			if (!this.played) return;
		}
	}

	/** The last seat that decided. */
	get last() {
		return this.line.findLast(([actor]) => actor >= 0)?.[0] ?? 0;
	}

	/** The place of the era of an event; -1 if none. @param {number} index */
	eraOf(index) {
		return this.firsts.slice(0, this.frozen).findLastIndex((first) => first <= index);
	}

	/** The number of the next chance event of the line. */
	get next() {
		return this.line.filter(([actor]) => actor === -1).length;
	}

	/** @param {number} actor @param {number} value */
	step(actor, value) {
		this.ordered &&= !this.waits || (actor < 0 && actor !== BACK); // nothing is decided while the server may know the draw
		this.waits = actor === ASKED;
		if (actor >= -1) this.play(actor, value);
		else if (actor === OVER) {
			this.closed = this.frozen;
			this.closedAt = this.count;
		} else if (actor === BACK) {
			this.line.length = Math.min(value, this.line.length);
			this.follower?.rewind(this.line.length);
		} else if (actor === FROZEN) {
			this.afterEnd.push(this.frozen > 0 && this.closed === this.frozen);
			this.frozen++;
			this.ordered &&= value === this.frozen && this.firsts[this.frozen - 1] === this.count;
		} else if (actor === ASKED) {
			const era = this.eraOf(this.next);
			const isChance = !this.follower || this.follower.actor === -1; // else a decision comes first
			this.ordered &&= isChance && era >= 0 && this.next === this.firsts[era] + value;
			const id = `${era}.${value}`;
			if (!this.asked.has(id)) this.asked.set(id, this.last);
		}
	}

	/** @param {number} actor @param {number} value */
	play(actor, value) {
		const { follower } = this;
		const due = follower?.actor ?? actor;
		this.ordered &&= due === actor;
		const dealt = actor === -1 ? this.dealing() : null;
		if (dealt) {
			dealt.legal = follower?.legal();
			dealt.weights = follower?.weights(follower.actions.length);
		}
		this.played = !follower || follower.play(value);
		if (!this.played) return;
		this.line.push([due, value]);
		if (!dealt) return;
		this.dealt.push({ ...dealt, action: value });
		this.count = Math.max(this.count, dealt.index + 1);
	}

	/** The chance event that is dealt now. @returns {Dealt} */
	dealing() {
		const index = this.next;
		const era = this.eraOf(index);
		const e = era < 0 ? index : index - this.firsts[era];
		const again = index < this.count;
		this.ordered &&= again || index < this.closedAt || era >= this.closed || era < 0;
		const last = this.asked.get(`${era}.${e}`) ?? this.last;
		return { k: this.dealt.length, index, era, e, last, action: -1 };
	}

	/** Were links asked for an event that was never dealt from this era? @param {number} era */
	wasLeft(era) {
		const dealt = new Set(this.dealt.map((each) => `${each.era}.${each.e}`));
		return [...this.asked.keys()].some((id) => id.startsWith(`${era}.`) && !dealt.has(id));
	}

	/** Did the log say that the links of an event were asked for? @param {number} era @param {number} e */
	wasAsked(era, e) {
		return this.asked.has(`${era}.${e}`);
	}
}

/**
 * Each entry of the log of a proof, with the line of actions after it.
 * @param {Proof} proof @returns {Generator<[number, number, number[]]>}
 */
function* linesOf({ log }) {
	/** @type {number[]} */
	const line = [];
	for (const [actor, value] of log) {
		if (actor >= -1) line.push(value);
		else if (actor === BACK) line.length = Math.min(value, line.length);
		yield [actor, value, line];
	}
}

/** Was this line of actions played at some time, as a proof says? @param {Proof} proof @param {number[]} wanted */
export function hasLine(proof, wanted) {
	for (const [, , line] of linesOf(proof)) if (line.length === wanted.length && line.join() === wanted.join()) return true;
	return !wanted.length;
}

/**
 * Does a proof say that the links of a chance event were asked for after this line of actions?
 * @param {Proof} proof @param {number} index @param {number[]} wanted
 */
export function wasAsked(proof, index, wanted) {
	let first = 0;
	for (const [actor, value, line] of linesOf(proof)) {
		if (actor === FROZEN) first = proof.eras.find(({ number }) => number === value)?.first ?? first;
		if (actor === ASKED && first + value === index && line.join() === wanted.join()) return true;
	}
	return false;
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
