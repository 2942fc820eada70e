// @ts-check
// Checks a proof of sealed chance (docs/understand/fairness.md, "Findings"), by the rules where they are at hand,
// and against what was kept.
/** @import { ProofEra as OldEra, Proof as OldProof, Rows } from "./checks_bgf1.js" */
/** @import { Head, Terms } from "./bgf2.js" */
/** @import { Follower } from "./follower.js" */
/** @import { Bytes } from "./sha256.js" */
import { bytes, hex } from "./bgf1.js";
import {
	contributors,
	entropy,
	isUnder,
	leadsTo,
	lengthOf,
	opening,
	outcome,
	RULES,
	room,
	root,
	rulesHash,
	SERVER,
	transcript,
} from "./bgf2.js";
import * as bgf1 from "./checks_bgf1.js";
import { History, isDue, keyOf, linksOf } from "./dice_log.js";
import { isKey } from "./ed25519.js";
import { follows, holds, isHex, isNumber } from "./statements.js";

/** @typedef {"holds" | "open" | "broken"} Verdict */
/** @typedef {{ [name: string]: string | number }} Params */
/** A finding: its name in the document, its verdict, key and parameters of its sentence, the number of its era (0: of all).
 * @typedef {{ name: string, verdict: Verdict, key: string, params: Params, era: number }} Finding */
/** @typedef {{ weights: number[], outcome: number, name: string }} Draw */
/** @typedef {[number, string]} SeatLink */
/** @typedef {{
 *   number: number, first: number, depth: number, level: number, rule: string, root: string, transcript: string,
 *   signature: string,
 *   rules: { game: string, version: string, sources: string, options: string, salt: string },
 *   seats: { source: number, length: number, head: string }[], listed: Listed | null, opening: string[], secret: string,
 *   answers: { [e: string]: SeatLink[] }, defaults: { [e: string]: number[] },
 *   keys: { [e: string]: { key: string, path: string[] } }
 * }} ProofEra */
/** A proof as its file holds it; bytes are hexadecimal.
 * @typedef {{
 *   protocol: "bgf2", gid: string, server: string, record: string, log: [number, number][], draws: Draw[], eras: ProofEra[],
 *   bgf1: OldEra[]
 * }} Proof */
/** What somebody saw. key: the server's; heads: rows of its list, kept before; rows: of the list as it is now; follower: of the
 * record by the rules, at its first position.
 * @typedef {{ kept?: Kept[], key?: string, heads?: SignedHead[], rows?: Rows, follower?: Follower }} Known */
/** A chance event of the log. k: its place among the draws; index: its number in the match; last: the seat that had decided last
 * when its links were asked for; legal, weights: its outcomes by the rules, if a follower knows them.
 * @typedef {{
 *   k: number, index: number, era: number, e: number, last: number, action: number, legal?: number[], weights?: number[]
 * }} Dealt */

/** The worst verdict. @param {Finding[]} findings */
export function verdictOf(findings) {
	const verdicts = findings.map(({ verdict }) => verdict);
	return /** @type {const} */ (["broken", "open"]).find((each) => verdicts.includes(each)) ?? "holds";
}

/**
 * A proof of either version from its JSON. Throws if it is none, so that the checks below can rely on its shape.
 * @param {string} json @returns {Proof | OldProof}
 */
export function read(json) {
	const proof = JSON.parse(json);
	if (proof.protocol === "bgf1") return bgf1.read(json);
	if (proof.protocol !== "bgf2" || !isProof(proof)) throw new Error("proof");
	return proof;
}

const ERA = "answers,defaults,depth,first,keys,level,listed,number,opening,root,rule,rules,seats,secret,signature,transcript";
const RULES_OF_ERA = "game,options,salt,sources,version";
const isPlain = (/** @type {unknown} */ value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** Has it exactly these fields? @param {object} value @param {string} names sorted */
const has = (value, names) => isPlain(value) && Object.keys(value).sort().join() === names;

/** @param {Proof} proof */
function isProof(proof) {
	const isPair = (/** @type {unknown[]} */ pair) => Array.isArray(pair) && pair.length === 2;
	const isLink = (/** @type {SeatLink} */ link) => isPair(link) && isNumber(link[0], 255) && isHex(link[1], 32);
	const isEvent = (/** @type {string} */ e) => /^(0|[1-9]\d{0,4})$/.test(e);
	const events = (/** @type {object} */ table) => isPlain(table) && Object.keys(table).every(isEvent);
	const isEra = (/** @type {ProofEra} */ era) =>
		has(era, ERA) &&
		has(era.rules, RULES_OF_ERA) &&
		era.seats.every((seat) => has(seat, "head,length,source")) &&
		isNumber(era.number) &&
		isNumber(era.first) &&
		isNumber(era.depth, 17) &&
		era.depth > 0 &&
		[1, 2].includes(era.level) &&
		typeof era.rule === "string" &&
		[era.root, era.transcript, era.rules.sources].every((each) => isHex(each, 32)) &&
		isHex(era.rules.salt, 16) &&
		[era.rules.game, era.rules.version, era.rules.options].every((each) => typeof each === "string") &&
		era.seats.length > 0 &&
		era.seats.length < 256 &&
		era.seats.every((seat) => isNumber(seat.source, 3) && isNumber(seat.length, 1026) && isHex(seat.head, 32)) &&
		(era.signature === "" || isHex(era.signature, 64)) &&
		(era.listed === null || isRow(era.listed)) &&
		era.opening.every((each) => each === "" || isHex(each, 32)) &&
		(era.secret === "" || isHex(era.secret, 32)) &&
		[era.answers, era.defaults, era.keys].every(events) &&
		Object.values(era.answers).every((all) => all.every(isLink)) &&
		Object.values(era.defaults).every((all) => all.every((seat) => isNumber(seat, 255))) &&
		Object.values(era.keys).every(
			(each) => has(each, "key,path") && isHex(each.key, 32) && each.path.every((other) => isHex(other, 32)),
		);
	const isRow = (/** @type {Listed} */ row) =>
		has(row, "before,link,n,signature") &&
		isNumber(row.n) &&
		isHex(row.before, 32) &&
		isHex(row.link, 32) &&
		isHex(row.signature, 64);
	const isDraw = (/** @type {Draw} */ draw) =>
		has(draw, "name,outcome,weights") &&
		draw.weights.every((weight) => isNumber(weight, 2 ** 53)) &&
		isNumber(draw.outcome) &&
		typeof draw.name === "string";
	return (
		has(proof, "bgf1,draws,eras,gid,log,protocol,record,server") &&
		isHex(proof.gid, 16) &&
		(proof.server === "" || isHex(proof.server, 32)) &&
		typeof proof.record === "string" &&
		/^\ufeff?\s*bridgehead record 1\s*[\r\n]/.test(proof.record) &&
		proof.log.every((entry) => isPair(entry) && isNumber(entry[0] + 5, 260) && isNumber(entry[1], 2 ** 53)) &&
		proof.draws.every(isDraw) &&
		proof.eras.length > 0 &&
		proof.eras.every(isEra) &&
		proof.bgf1.every(bgf1.isEra)
	);
}

/** What the transcript of an era binds. @param {Proof} proof @param {ProofEra} era @returns {Terms} */
function termsOf({ gid }, { number, first, depth, level, root, rules, seats }) {
	const heads = seats.map(({ source, length, head }) => ({ source, length, head: bytes(head) }));
	return { gid: bytes(gid), number, first, depth, level, root: bytes(root), rules: rulesHash(rules, bytes), seats: heads };
}

/** All findings about a proof. @param {Proof | OldProof} proof @param {Known} [known] @returns {Generator<Finding>} */
export function* check(proof, known = {}) {
	if (proof.protocol === "bgf1") yield* bgf1.check(/** @type {OldProof} */ (proof), known.rows);
	else yield* new Check(/** @type {Proof} */ (proof), known).findings();
}

/** @param {string} name @param {Verdict} verdict @param {string} [key] @param {Params} [params] @returns {Finding} */
const finding = (name, verdict, key = name, params = {}) => ({ name, verdict, key: `v_${key}`, params, era: 0 });
/** @param {string} name @param {boolean} isRight @param {string} [key] @param {Params} [params] */
const judged = (name, isRight, key = name, params = {}) =>
	finding(name, isRight ? "holds" : "broken", isRight ? key : `${key}_not`, params);

class Check {
	/** @param {Proof} proof @param {Known} known */
	constructor(proof, known) {
		this.proof = proof;
		this.known = known;
		this.terms = proof.eras.map((era) => termsOf(proof, era));
		const firsts = proof.eras.map(({ first }) => first);
		this.history = new History(firsts, proof.log, known.follower);
	}

	/** @returns {Generator<Finding>} */
	*findings() {
		const { proof, history, terms } = this;
		const isNumbered = proof.eras.every(({ number }, at) => number === at + 1) && history.frozen === proof.eras.length;
		const fits = history.dealt.every(({ era, e }) => era < 0 || e < room(terms[era]));
		const isOfOneLevel = new Set(proof.eras.map(({ level }) => level)).size === 1;
		yield judged("order", isNumbered && isOfOneLevel && history.ordered && fits);
		yield* this.before();
		yield judged("log", history.played && this.leadsToRecord(), "record");
		yield this.byRules();
		for (const [at, era] of proof.eras.entries())
			for (const each of this.ofEra(at, era)) yield { ...each, era: proof.eras.length > 1 ? era.number : 0 };
		yield* this.left();
		yield* this.seen();
	}

	/** @returns {Generator<Finding>} */
	*before() {
		const { eras, draws, record } = this.proof;
		const old = this.proof.bgf1;
		const [{ first }] = eras;
		if (!old.length && first) yield finding("before", "open", "before", { n: first });
		if (!old.length) return;
		yield finding("bgf1", "open", "mixed");
		const ends = [...old.slice(1).map((era) => era.first), first];
		const last = [...this.history.dealt].reverse();
		for (const [i, era] of old.entries()) {
			const indexes = Array.from({ length: Math.max(0, ends[i] - era.first) }, (_, e) => era.first + e);
			const part = indexes.flatMap((index) => {
				const draw = draws[last.find((each) => each.index === index)?.k ?? -1];
				return draw ? [{ weights: draw.weights, index: draw.outcome, name: draw.name }] : [];
			});
			for (const each of bgf1.ofEra(era, part, record, "")) yield each;
		}
	}

	/** Does the log lead to the record, which is notation? Its length and the names of its chance events can be compared here. */
	leadsToRecord() {
		const { draws, record } = this.proof;
		const { line, dealt } = this.history;
		const isFollowed = Boolean(this.known.follower); // then `draws` misses what is missing
		const actions = bgf1.actionsOf(record);
		const names = [...dealt].reverse();
		let chances = 0;
		const same = line.every(([actor], at) => {
			if (actor !== -1) return true;
			const index = chances++;
			const draw = draws[names.find((each) => each.index === index)?.k ?? -1];
			return draw ? actions[at] === draw.name : isFollowed;
		});
		return same && actions.length === line.length && (isFollowed || draws.length === dealt.length);
	}

	/** Are the draws those of the rules: their weights, and the outcome that was played? */
	byRules() {
		if (!this.known.follower) return finding("draws", "open", "rules_none");
		const { draws } = this.proof;
		const isRight = this.history.dealt.every(({ k, action, legal, weights }) => {
			const draw = draws[k];
			return draw && weights?.join() === draw.weights.join() && legal?.[draw.outcome] === action;
		});
		return judged("draws", isRight && this.history.played && draws.length === this.history.dealt.length, "rules");
	}

	/** @param {number} at @param {ProofEra} era @returns {Generator<Finding>} */
	*ofEra(at, era) {
		const terms = this.terms[at];
		const { gid, server, record } = this.proof;
		const { rules, seats, listed } = era;
		const parts = { game: rules.game, rules: rules.version, options: rules.options };
		const same = Object.entries(parts).every(([name, value]) => bgf1.header(record, name) === value);
		const lengths = seats.every(({ source, length }) => length === lengthOf(era.level, source));
		const isFull = seats.length === JSON.parse(bgf1.header(record, "seats") || "[]").length;
		const isAgreed = era.rule === RULES[era.level] && hex(transcript(terms)) === era.transcript;
		yield judged("transcript", same && lengths && isFull && isAgreed);
		yield this.signed(era);
		if (!listed || !server) yield finding("listed", "open", "listed_none");
		else {
			const kept = [...(this.known.heads ?? []), ...(this.known.kept ?? []).flatMap(({ heads }) => heads)];
			const isOne = [...kept, ...(this.known.rows ?? [])].every(({ n, link }) => n !== listed.n || link === listed.link);
			yield judged("listed", isOne && follows(gid, era.number, era.transcript, listed, server), "listed", { n: listed.n });
		}
		const isWrong = (/** @type {string} */ value, /** @type {number} */ seat) => value && !leadsTo(terms, seat, 1, bytes(value));
		const wrong = era.opening.length !== seats.length || era.opening.some(isWrong);
		const isWhole = era.opening.length === seats.length && era.opening.every(Boolean);
		yield wrong || isWhole ? judged("opening", !wrong, "links") : finding("opening", "open", "opening_none");
		yield* this.keys(era, terms);
		const dealt = this.history.dealt.filter((each) => each.era === at);
		const given = [...Object.entries(era.answers), ...Object.entries(era.defaults)].filter(([, links]) => links.length);
		const isAsked = given.every(([e]) => this.history.wasAsked(at, Number(e)));
		yield judged("contributors", isAsked && dealt.every((each) => isContributed(era, terms, each)));
		yield* this.draws(era, dealt, isWhole);
		yield* lateIn(era, dealt);
		const by = seats.map(({ source }) => source).join();
		const isOwn = seats.some(({ source }) => source !== SERVER);
		yield finding("own", isOwn ? "holds" : "open", isOwn ? "sealed" : "sealed_server", { by });
	}

	/** @param {ProofEra} era */
	signed(era) {
		const { gid, server } = this.proof;
		const given = [this.known.key, ...(this.known.kept ?? []).map((kept) => kept.server)].filter(Boolean);
		if (given.some((key) => key !== server)) return finding("signed", "broken", "signed_other");
		if (server && !isKey(bytes(server))) return finding("signed", "broken", "signed_key");
		if (!server || !era.signature) return finding("signed", "open", "signed_none");
		const statement = { kind: /** @type {const} */ ("era"), gid, number: era.number, value: era.transcript };
		return judged("signed", holds({ ...statement, signature: era.signature }, server), "signed", { key: server.slice(0, 16) });
	}

	/** @param {ProofEra} era @param {Terms} terms @returns {Generator<Finding>} */
	*keys(era, terms) {
		const fits = Object.entries(era.keys).every(([e, { key, path }]) => isUnder(terms, Number(e), bytes(key), path.map(bytes)));
		const secret = era.secret && bytes(era.secret);
		const isRoot = !secret || hex(root(secret, terms.gid, terms.number, terms.depth)) === era.root;
		if (!fits || !isRoot) yield finding("keys", "broken", "keys_not");
		else yield secret ? finding("keys", "holds", "keys") : finding("keys", "open", "no_secret");
	}

	/**
	 * Does each outcome follow from what was sealed?
	 * @param {ProofEra} era @param {Dealt[]} dealt @param {boolean} isOpen @returns {Generator<Finding>}
	 */
	*draws(era, dealt, isOpen) {
		const opened = isOpen ? opening(bytes(era.transcript), era.opening.map(bytes)) : null;
		let right = 0;
		for (const each of dealt) {
			const { index, e } = each;
			const key = keyOf(this.proof, era, e);
			const links = era.level === 1 ? [] : era.answers[e];
			const draw = this.drawOf(each);
			if (!opened || !key || !links || !draw) continue;
			const shared = entropy(opened, e, linksOf(links));
			if (outcome(key, shared, e, draw.weights) !== draw.outcome) {
				yield finding("follow", "broken", "draw", { n: index + 1, name: draw.name ?? "" });
				return;
			}
			right++;
		}
		yield finding("follow", "holds", "draws", { n: right, of: dealt.length });
		if (right < dealt.length) yield finding("follow", "open", "missing", { n: dealt.length - right });
	}

	/** Eras that were left early. @returns {Generator<Finding>} */
	*left() {
		const { eras } = this.proof;
		for (const [at, { level, first, number }] of eras.entries()) {
			const after = eras[at + 1];
			if (!after) continue;
			const isLeft = level === 2 ? this.history.wasLeft(at) : after.first < first + room(this.terms[at]);
			if (after.first === first) yield finding("given_up", "open", "given_up", { n: number });
			else if (isLeft && !this.history.afterEnd[at + 1]) yield finding("replaced", "open", "replaced", { n: number });
		}
	}

	/** A draw as the rules have it, with its name in the proof; without rules, as the proof has it.
	 * @param {Dealt} dealt @returns {{ weights: number[], outcome: number, name?: string } | undefined} */
	drawOf({ k, action, legal, weights }) {
		const draw = this.proof.draws[k];
		return legal && weights ? { weights, outcome: legal.indexOf(action), name: draw?.name } : draw;
	}

	/** What somebody saw, against the proof. @returns {Generator<Finding>} */
	*seen() {
		const { eras, gid, server } = this.proof;
		/** @type {Set<string>} */
		const saw = new Set();
		let differs = false;
		for (const kept of this.known.kept ?? []) {
			/** @type {(key: string, params?: Params) => Finding} */
			const broken = (key, params) => {
				differs = true;
				return finding("seen", "broken", key, params);
			};
			if (kept.gid !== gid) {
				yield broken("seen_game");
				continue;
			}
			differs ||= kept.server !== server; // which `signed` names
			for (const { number, transcript, mine } of kept.eras) {
				if (mine.length) saw.add(transcript); // who sealed nothing in an era cannot vouch for it
				if (eras.find((era) => era.number === number)?.transcript !== transcript) yield broken("seen_era", { n: number });
			}
			for (const draw of kept.draws) if (!this.contains(draw)) yield broken("seen_draw", { n: draw.index + 1, name: draw.name });
			for (const { text } of kept.alarms) yield broken("seen_alarm", { text });
		}
		const used = eras.filter((_, at) => this.history.dealt.some(({ era }) => era === at));
		if (differs) return;
		if (used.length && used.every((era) => saw.has(era.transcript))) yield finding("seen", "holds");
		else yield finding("seen", "open", "seen_none");
	}

	/** Does the proof contain a draw that somebody saw? @param {KeptDraw} kept */
	contains(kept) {
		const same = (/** @type {unknown} */ a, /** @type {unknown} */ b) => JSON.stringify(a) === JSON.stringify(b);
		return this.history.dealt.some((each) => {
			const { index, e } = each;
			const era = this.proof.eras[each.era];
			if (!era || index !== kept.index || era.number !== kept.era || e !== kept.e) return false;
			const { weights, outcome, name = kept.name } = this.drawOf(each) ?? {};
			if (!same([weights, outcome, name], [kept.weights, kept.outcome, kept.name])) return false;
			return same(era.answers[e] ?? [], kept.links) && same(era.defaults[e] ?? [], kept.defaults);
		});
	}
}

/**
 * The contributions of an event; missing ones are another finding.
 * @param {ProofEra} era @param {Terms} terms @param {Dealt} dealt
 */
function isContributed(era, terms, { e, last }) {
	const links = era.level === 1 ? [] : era.answers[e];
	const defaults = era.defaults[e] ?? [];
	if (!links) return !defaults.length;
	const isRight = links.every(([seat, value]) => leadsTo(terms, seat, e + 2, bytes(value)));
	return isRight && isDue(contributors(terms, last), links, defaults);
}

/**
 * Draws for which a seat did not answer, or none could be asked.
 * @param {ProofEra} era @param {Dealt[]} dealt @returns {Generator<Finding>}
 */
function* lateIn(era, dealt) {
	const events = [...new Set(dealt.map(({ e }) => e))];
	const late = events.flatMap((e) => era.defaults[e] ?? []);
	const seats = [...new Set(late)].sort((a, b) => a - b).map((seat) => seat + 1);
	if (late.length) yield finding("defaults", "open", "late", { n: late.length, names: seats.join(", ") });
	const alone = era.level === 2 ? events.filter((e) => !era.answers[e]?.length).length : 0;
	if (alone) yield finding("defaults", "open", "alone", { n: alone });
}
