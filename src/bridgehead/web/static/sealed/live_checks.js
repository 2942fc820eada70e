// @ts-check
// What a page checks of sealed chance while it plays ("What a client checks, in this order", docs/understand/fairness.md). It
// decides what to seal and to reveal, and finds where the server contradicts what was sealed or sent before. It stores nothing.
/** @import { Finding, Known, Proof } from "./checks.js" */
/** @import { Follower } from "./follower.js" */
/** @import { Terms } from "./bgf2.js" */
/** @import { Bytes } from "./sha256.js" */
import { bytes, hex } from "./bgf1.js";
import {
	chain,
	contributors,
	entropy,
	isUnder,
	leadsTo,
	lengthOf,
	opening,
	outcome,
	room,
	rulesHash,
	transcript,
} from "./bgf2.js";
import { History, hasLine, isDue, keyOf, linksOf, termsOfView, wasAsked } from "./dice_log.js";
import { isKey } from "./ed25519.js";
import { follows, holds, isHex, ofEra, ofHead } from "./statements.js";

const PATIENCE = 1000; // ms after which a link that was sent counts as given in time
const HEADS = 300; // rows of the server's list that are kept
const FIRST = 8; // draws in the first view of a connection
const [CHANCE, OVER] = [-1, -2]; // actors besides the seats

/**
 * isDoubted: the decision was taken back while this page was away.
 * @typedef {{ index: number, line: number[], isDoubted: boolean }} Pledge
 */

/** A contradiction. n: of the draw, undefined for the next one; claim: the part of the message that shows it. */
class Cheat extends Error {
	/** @param {string} key @param {{ n?: number, era?: number, claim?: unknown, statements?: Statement[] }} [about] */
	constructor(key, { n, era = 0, claim = null, statements = [] } = {}) {
		super(key);
		this.key = key;
		this.n = n;
		this.era = era;
		this.claim = claim;
		this.statements = statements;
	}
}

/** The page has missed something. It needs the proof to go on; if that does not help, this is a contradiction. */
class Missed extends Cheat {}

/** The first kept value of a table. @param {string} table @returns {SavedSeals} */
export const unsealed = (table) => ({
	kept: {
		protocol: "bgf2 kept",
		table,
		gid: "",
		server: "",
		whole: false,
		eras: [],
		draws: [],
		heads: [],
		alarms: [],
		statements: [],
		claims: [],
	},
	seeds: {},
	sent: {},
	by: {},
	dealt: 0,
	free: -1,
	gap: 0,
	words: 0,
});

export class LiveChecks {
	/** @type {{ [eraAndSeat: string]: Bytes[] }} */
	chains = {};
	/** @type {Set<string>} */
	sent = new Set(); // on this connection
	/** @type {Set<number>} */
	unanswered = new Set(); // eras whose seals were sent on this connection and not yet answered
	/** @type {Map<number, { seats: number[], given: Map<number, number> }>} */
	asked = new Map(); // by index: the contributors that were asked, and when own seats answered
	/**
	 * A link that was given for a draw that is not dealt yet: the draw's index, and the actions before it.
	 * @type {Pledge | null}
	 */
	pledge = null;
	/** @type {number[]} */
	sure = []; // the actions of the last line whose draws were all compared
	/** @type {Map<number, KeptDraw>} */
	proved = new Map(); // draws of a proof that was checked
	/** @type {LogRows} */
	log = [];
	/** @type {number[]} */
	you = []; // the seats of this page in the view before
	isProved = false; // the proof of all that the view shows was just checked
	/** The rules as this page was told them first. @type {Sealed["rules"]} */
	told;
	/** The record by the rules of the game; null while this page has no rules. @type {Follower | null} */
	follower = null;
	/** @type {Map<number, SealedDraw>} */
	unjudged = new Map(); // draws that came before the rules, by index

	/**
	 * level: the one that this browser asked for when it made the table; holder: by what it holds its seats; lost: the rules
	 * failed, which is no contradiction.
	 * @param {SavedSeals} own @param {ServerPin} pin
	 * @param {{
	 *   save(): void, isElsewhere(gid: string): boolean, now(): number, sentence(alarm: Alarm): string, seed(seat: number): string,
	 *   level?: number, holder?(): string, lost?(problem: unknown): void
	 * }} page
	 */
	constructor(own, pin, page) {
		this.own = own;
		this.pin = pin;
		this.page = page;
	}

	get kept() {
		return this.own.kept;
	}

	/** Is there something that the server has to prove in the end? */
	get isOwed() {
		const { free, dealt } = this.own;
		return this.kept.eras.length > 0 || (free >= 0 && dealt > free);
	}

	/** The number of the newest alarm's draw; the page reveals nothing more once there is one. */
	get isAlarmed() {
		return this.kept.alarms.length > 0;
	}

	/**
	 * Checks a view. isFirst: of its connection; isFresh: a whole one, which need not show what happened since the one before;
	 * isProved: the proof was just fetched and checked.
	 * @param {View} view @param {{ isFirst: boolean, isFresh?: boolean, isProved?: boolean }} about
	 * @returns {{ send: Unsent[], isMissing: boolean }} what to send now; isMissing: fetch the proof, `learn` it, and look again;
	 * or `skip`, if there is none yet
	 */
	look(view, { isFirst, isFresh = isFirst, isProved = false }) {
		const nothing = { send: [], isMissing: false };
		this.isProved = isProved;
		if (this.isAlarmed) return nothing;
		if (isFirst) {
			this.sent.clear();
			this.unanswered.clear();
		}
		try {
			return { send: this.steps(view, isFresh), isMissing: false };
		} catch (problem) {
			if (problem instanceof Missed && !isProved) return { send: [], isMissing: true };
			if (!(problem instanceof Cheat)) console.error(problem);
			this.raise(problem instanceof Cheat ? problem : new Cheat("malformed", { claim: view.sealed }));
			return nothing;
		}
	}

	/** The server gives no proof yet: this page goes on, but contributes no more to the eras of now. @param {View} view */
	skip({ log, sealed, you }) {
		const { own, kept } = this;
		own.free = own.dealt = Math.max(own.dealt, chancesIn(log));
		own.gap = Math.max(0, ...sealed.eras.filter(({ transcript }) => transcript).map(({ number }) => number));
		kept.whole = false;
		Object.assign(this, { log, you });
		this.page.save();
	}

	/** This page slept: it learns in one moment that it was asked and that its answer did not come, which is no contradiction. */
	excuse() {
		for (const { given } of this.asked.values()) for (const seat of given.keys()) given.set(seat, this.page.now() + PATIENCE);
	}

	/** @param {Cheat} cheat */
	raise({ key, n, era, claim, statements }) {
		const alarm = { key, n: n ?? this.own.dealt + 1, era, text: "", time: Math.floor(this.page.now() / 1000) };
		alarm.text = this.page.sentence(alarm);
		this.kept.gid ||= "0".repeat(32);
		this.kept.server ||= "0".repeat(64);
		this.kept.alarms.push(alarm);
		this.kept.statements.push(...statements);
		if (claim) this.kept.claims.push(claim);
		this.page.save();
	}

	/** @param {View} view @param {boolean} isFresh @returns {Unsent[]} */
	steps(view, isFresh) {
		const { sealed, you, log, draws = [] } = view;
		const { own, kept } = this;
		const { level = (sealed.level && kept.eras[0]?.level) || sealed.level } = this.page; // level 0 is another game, below
		const isDealt = sealed.level || view.actor === CHANCE || chancesIn(log); // else these house rules may leave nothing to seal
		if (level !== sealed.level && isDealt) throw new Cheat("level", { claim: { level: sealed.level, asked: level } });
		if (!kept.gid && !sealed.gid) return [];
		this.identify(sealed);
		this.rules(sealed);
		this.record(view, isFresh);
		const chances = chancesIn(log);
		if (own.free < 0) {
			own.free = chances;
			kept.whole = !chances;
		}
		for (const era of sealed.eras) if (era.transcript) this.follow(era, view, isFresh);
		for (const draw of draws) this.draw(draw, view, isFresh);
		this.judge(view, draws);
		this.count(view, isFresh);
		// Only now: a log with events that were never dealt must not draw a late link out of this page.
		const send = sealed.eras.flatMap((era) => {
			const pinned = this.pinned(era.number);
			if (!era.transcript) return this.seals(era, you);
			return pinned ? [...this.openings(era, pinned), ...this.contributions(era, pinned, view)] : [];
		});
		Object.assign(this, { log, you });
		own.dealt = Math.max(own.dealt, chances);
		if (draws.length) this.page.save();
		return send;
	}

	// The rules of the game.

	/** Does the server name the same rules as before? @param {Sealed} sealed */
	rules({ rules }) {
		this.told ??= rules;
		if (this.told && (!rules || lawOf(rules) !== lawOf(this.told)))
			throw new Cheat("rules", { claim: { rules, before: this.told } });
	}

	/** Is the record what the rules allow, and does the view say who may do what? @param {View} view @param {boolean} isFresh */
	record({ log, actions, actor, outcome, choices, you }, isFresh) {
		this.byRules((follower) => {
			if (!actions) return;
			const wrong = actions.length === log.length ? follower.follow(actions) : Math.min(actions.length, log.length);
			const at = wrong >= 0 ? wrong : log.findIndex((line, index) => line.actor !== follower.actors[index]);
			if (at >= 0) {
				const claim = { at, action: actions[at], actor: log[at]?.actor };
				throw new Cheat("illegal", { n: chancesIn(log.slice(0, at)) + 1, claim });
			}
			this.keepPledge(log, actions, isFresh);
			const about = { n: chancesIn(log) + 1, claim: { at: log.length, actor, choices } };
			const isEnded = actor === OVER && outcome; // by people
			if (actor !== follower.actor && !isEnded) throw new Cheat("illegal", about);
			if (!choices || !you.includes(actor)) return;
			const offered = new Set(choices.map((choice) => choice.action));
			if (sorted([...offered]).join() !== sorted(follower.legal()).join()) throw new Cheat("choices", about);
		});
	}

	/**
	 * The decision before a draw stays once a link was given for it.
	 * @param {LogRows} log @param {number[]} actions @param {boolean} isFresh
	 */
	keepPledge(log, actions, isFresh) {
		const { pledge } = this;
		if (!pledge || pledge.isDoubted) return;
		const about = { n: pledge.index + 1, claim: { line: pledge.line, actions } };
		if (pledge.line.some((action, at) => action !== actions[at])) {
			pledge.isDoubted = isFresh; // it may have been dealt meanwhile, and taken back: the proof has to tell
			throw isFresh ? new Missed("withdrawn", about) : new Cheat("withdrawn", about);
		}
		if (chancesIn(log) > pledge.index) this.pledge = null;
	}

	/**
	 * Are the weights of the draws those of the rules, and was what was sealed played?
	 * @param {View} view @param {SealedDraw[]} draws
	 */
	judge({ log, actions }, draws) {
		for (const draw of draws) this.unjudged.set(draw.index, draw);
		this.byRules((follower) => {
			if (!actions) return;
			for (const draw of this.unjudged.values()) {
				const { at, index, era, weights, outcome } = draw;
				const about = { n: index + 1, era, claim: { at, weights, outcome, action: actions[at] } };
				const isPlaced = log[at]?.actor === CHANCE && chancesIn(log.slice(0, at)) === index;
				if (!isPlaced && !draws.includes(draw)) continue; // taken back since
				if (!isPlaced || follower.weights(at).join() !== weights.join()) throw new Cheat("weights", about);
				if (follower.legal(at)[outcome] !== actions[at]) throw new Cheat("played", about);
			}
			this.unjudged.clear();
		});
	}

	/**
	 * Ask the rules, if this page has them. Rules that fail in this browser are no contradiction.
	 * @param {(follower: Follower) => void} work
	 */
	byRules(work) {
		if (!this.follower) return;
		try {
			work(this.follower);
		} catch (problem) {
			if (problem instanceof Cheat) throw problem;
			this.follower = null;
			this.page.lost?.(problem);
		}
	}

	// Steps 1 and 2: the server's key, and the game.

	/** @param {Sealed} sealed */
	identify({ server = "", gid = "" }) {
		const { kept, pin } = this;
		const expected = kept.server || pin.key;
		const isRight = isHash(server) && isKey(bytes(server));
		const isShaped = isHex(gid, 16);
		const isNew = !kept.gid;
		const before = { gid: kept.gid, server: expected };
		if (isNew)
			Object.assign(kept, {
				gid: isShaped ? gid : "0".repeat(32),
				server: expected || (isHash(server) ? server : "0".repeat(64)),
			});
		if (!isRight || (expected && expected !== server)) throw new Cheat("key", { claim: { server, before } });
		if (!isShaped || kept.gid !== gid || (isNew && this.page.isElsewhere(gid)))
			throw new Cheat("game", { claim: { gid, before } });
		if (!isNew) return;
		pin.key ||= server;
		this.page.save();
	}

	// Step 3: seal.

	/** The heads of own seats that have not sealed an era. @param {Era} era @param {number[]} you @returns {Unsent[]} */
	seals({ number, level, seats }, you) {
		if (this.pinned(number)) throw new Cheat("era", { era: number, claim: { number, transcript: "" } });
		const due = you.filter((seat) => !seats[seat] && this.isNew(`${number}.${seat}`));
		const heads = due.map((seat) => ({ seat, head: hex(this.chain(number, seat, level)[0]) }));
		if (!heads.length) return [];
		for (const { seat, head } of heads) {
			this.own.sent[`${number}.${seat}`] = head;
			this.own.by[`${number}.${seat}`] = this.page.holder?.() ?? "";
		}
		this.unanswered.add(number);
		this.page.save();
		return [{ t: "seal", gid: this.kept.gid, era: number, heads, source: 0 }];
	}

	/**
	 * The answer to a seal. A seat that another program had sealed before is not own.
	 * @param {Unsent} message @param {Received} answer
	 */
	answered(message, answer) {
		if (message.t !== "seal") return;
		this.unanswered.delete(message.era);
		if (answer.t !== "rej") return;
		for (const { seat } of message.heads) delete this.own.sent[`${message.era}.${seat}`];
		this.page.save();
	}

	// Steps 4 and 5: a frozen era.

	/** @param {number} number */
	pinned(number) {
		return this.kept.eras.find((era) => era.number === number);
	}

	/** @param {Era} era @param {View} view @param {boolean} isFresh */
	follow(era, view, isFresh) {
		const { gid } = this.kept;
		const pinned = this.pinned(era.number);
		if (!pinned && !this.unanswered.has(era.number)) this.check(era, view, isFresh);
		const known = this.pinned(era.number);
		if (!known) return;
		const about = { era: era.number, claim: era };
		if (known.transcript !== era.transcript)
			throw new Cheat("two", { ...about, statements: [...ofEra(gid, known), ...ofEra(gid, era)] });
		if (era.listed && known.listed && era.listed.link !== known.listed.link)
			throw new Cheat("list", { ...about, statements: [...ofEra(gid, known), ...ofEra(gid, era)] });
		if (!era.opening.length || known.opening.length) return;
		this.open(known, era.opening, about);
	}

	/** @param {KeptEra} known @param {string[]} links @param {{ era: number, claim?: unknown }} about */
	open(known, links, about) {
		const terms = this.terms(known);
		const right =
			links.length === terms.seats.length && links.every((link, seat) => isHash(link) && leadsTo(terms, seat, 1, bytes(link)));
		if (!right) throw new Cheat("opening", about);
		known.opening = links;
		this.page.save();
	}

	/** Step 4: checks a frozen era, and pins it. @param {Era} era @param {View} view @param {boolean} isFresh */
	check(era, { sealed, you, draws = [] }, isFresh) {
		const { kept, own } = this;
		const { number, first, level, listed } = era;
		const about = { era: number, claim: era };
		const terms = termsOfView(kept.gid, era);
		if (!terms || hex(transcript(terms)) !== era.transcript) throw new Cheat("transcript", about);
		const { rules, eras } = sealed;
		if (rules && number === eras.at(-1)?.number && hex(rulesHash(rules, bytes)) !== era.rules) throw new Cheat("rules", about);
		const heads = era.seats.map((seat) => seat ?? /** @type {[number, string]} */ ([-1, ""]));
		const lost = you.some(
			(seat) => own.sent[`${number}.${seat}`] && (heads[seat][1] !== own.sent[`${number}.${seat}`] || heads[seat][0]),
		);
		if (lost) throw new Cheat("seal", about);
		const before = kept.eras.at(-1);
		const after = Math.max(own.dealt, ...draws.map(({ index }) => index + 1));
		const known = this.proved.size ? Math.max(...this.proved.keys()) + 1 : 0;
		if (
			level !== sealed.level ||
			first < own.dealt ||
			number < 1 ||
			(before && (number <= before.number || first < before.first))
		)
			throw new Cheat("era", about);
		if (kept.whole && (first > Math.max(after, known) || number > (before?.number ?? 0) + 1) && !this.isLater(number, first))
			throw isFresh || before ? new Missed("era", about) : new Cheat("era", about);
		if (!holds({ kind: "era", gid: kept.gid, number, value: era.transcript, signature: era.signature }, kept.server))
			throw new Cheat("signature", about);
		if (!listed) return;
		const other = this.pin.heads.find(({ n, link }) => n === listed.n && link !== listed.link);
		if (other) throw new Cheat("list", { ...about, statements: [ofHead(other), ofHead(listed)] });
		if (!follows(kept.gid, number, era.transcript, listed, kept.server)) throw new Cheat("list", about);
		const mine = you.filter((seat) => heads[seat][0] === 0 && this.isMine(number, seat, level, heads[seat][1]));
		kept.eras.push({ ...era, opening: [], asked: null, mine });
		const head = { n: listed.n, link: listed.link, signature: listed.signature };
		kept.heads.push(head);
		if (!this.pin.heads.some(({ n }) => n === head.n))
			this.pin.heads = [...this.pin.heads, head].sort((a, b) => a.n - b.n).slice(-HEADS);
		this.page.save();
	}

	/** Does a proof that was checked contain this era? @param {number} number @param {number} first */
	isLater(number, first) {
		return this.provedEras.some((era) => era.number === number && era.first === first);
	}

	/** @type {{ number: number, first: number }[]} */
	provedEras = [];

	/** Step 4f: the links R_1 that an era waits for. @param {Era} era @param {KeptEra} pinned @returns {Unsent[]} */
	openings({ number, level, unopened }, { mine }) {
		const due = unopened.filter((seat) => mine.includes(seat) && this.isNew(`${number}.${seat}.1`));
		const links = due.map((seat) => ({ seat, value: hex(this.chain(number, seat, level)[1]) }));
		return links.length ? [{ t: "reveal", gid: this.kept.gid, era: number, e: -1, links }] : [];
	}

	// Step 6: level 2.

	/** @param {Era} era @param {KeptEra} pinned @param {View} view @returns {Unsent[]} */
	contributions({ number, level, asked }, pinned, { log, actions }) {
		if (level !== 2 || !asked || number <= this.own.gap) return [];
		const { e, seats, missing } = asked;
		const index = pinned.first + e;
		const terms = this.terms(pinned);
		const about = { n: index + 1, era: number, claim: asked };
		const due = this.asked.get(index)?.seats ?? contributors(terms, lastOf(log, log.length));
		const isDealt = this.kept.draws.some((draw) => draw.index === index);
		const isNext = index === chancesIn(log) && !isDealt && e < room(terms);
		const isChance = !this.follower || !actions || this.follower.actor === CHANCE; // else a decision comes first
		if (!isNext || !isChance || due.join() !== seats.join()) throw new Cheat("asked", about);
		const given = this.asked.get(index)?.given ?? new Map();
		this.asked.set(index, { seats, given });
		const own = missing.filter((seat) => pinned.mine.includes(seat) && seats.includes(seat));
		const links = own
			.filter((seat) => this.isNew(`${number}.${seat}.${e + 2}`))
			.map((seat) => ({ seat, value: hex(this.chain(number, seat, level)[e + 2]) }));
		for (const { seat } of links) if (!given.has(seat)) given.set(seat, this.page.now());
		if (links.length && this.follower && actions) this.pledge = { index, line: [...actions], isDoubted: false };
		return links.length ? [{ t: "reveal", gid: this.kept.gid, era: number, e, links }] : [];
	}

	// Step 7: a draw.

	/** @param {SealedDraw} draw @param {View} view @param {boolean} isFresh */
	draw(draw, { log, you }, isFresh) {
		const { own, kept } = this;
		const { at, index, era: number, e, key, path, links, defaults, weights, name } = draw;
		const about = { n: index + 1, era: number, claim: draw };
		const proved = this.proved.get(index);
		if (index > own.dealt && index >= own.free && !proved) throw new Missed("missing", about);
		const pinned = this.pinned(number);
		if (!pinned) {
			if (index < own.free && !proved) return; // dealt before this page came
			if (!isSame(draw, proved) || draw.outcome !== proved?.outcome) throw new Missed("era", about);
			this.keep(draw);
			return;
		}
		const later = kept.eras.some((era) => era.number > number && era.first <= index);
		const terms = this.terms(pinned);
		if (later || index < pinned.first || e !== index - pinned.first || e >= room(terms)) throw new Cheat("era", about);
		const isShaped = isHash(key) && path.every(isHash) && links.every(([, value]) => isHash(value));
		if (!isShaped || !isUnder(terms, e, bytes(key), path.map(bytes))) throw new Cheat("root", about);
		const before = kept.draws.find((each) => each.index === index);
		const text = JSON.stringify([key, links, defaults]);
		if (before && JSON.stringify([before.key, before.links, before.defaults]) !== text) throw new Cheat("changed", about);
		const asked = this.asked.get(index);
		const isPlaced = log[at]?.actor === CHANCE && chancesIn(log.slice(0, at)) === index;
		if (links.some(([seat, value]) => !leadsTo(terms, seat, e + 2, bytes(value)))) throw new Cheat("link", about);
		const due = asked?.seats ?? contributors(terms, lastOf(log, at));
		if (!before && !isSame(draw, proved) && !isDue(due, links, defaults))
			throw asked || (isPlaced && !isFresh) ? new Cheat("contributors", about) : new Missed("contributors", about);
		const late = defaults.find((seat) => (asked?.given.get(seat) ?? Number.POSITIVE_INFINITY) < this.page.now() - PATIENCE);
		if (!before && late !== undefined && pinned.mine.includes(late)) throw new Cheat("default", about);
		const isHere = (/** @type {number} */ seat) => pinned.mine.includes(seat) && you.includes(seat) && this.you.includes(seat);
		const unasked = !before && !asked && !isFresh && !isSame(draw, proved) ? defaults.filter(isHere) : [];
		// A seat that changed hands since it sealed is left out at once.
		const isHolder = unasked.some((seat) => own.by[`${number}.${seat}`] === (this.page.holder?.() ?? ""));
		if (unasked.length) throw isHolder && kept.whole ? new Cheat("unasked", about) : new Missed("unasked", about);
		if (!pinned.opening.length) throw new Missed("opening", about);
		const opened = opening(bytes(pinned.transcript), pinned.opening.map(bytes));
		const shared = entropy(opened, e, linksOf(links));
		if (outcome(bytes(key), shared, e, weights) !== draw.outcome || typeof name !== "string") throw new Cheat("draw", about);
		this.keep(draw);
		own.dealt = Math.max(own.dealt, index + 1);
	}

	/** @param {SealedDraw | KeptDraw} draw */
	keep({ index, era, e, key, links, defaults, weights, outcome, name }) {
		const draws = this.kept.draws.filter((each) => each.index !== index);
		this.kept.draws = [...draws, { index, era, e, key, links, defaults, weights, outcome, name }].sort(
			(a, b) => a.index - b.index,
		);
	}

	// Step 8: no chance event without its draw, in the view or in the proof.

	/** @param {View} view @param {boolean} isFresh */
	count({ log, actions = [], draws = [] }, isFresh) {
		const { own, kept } = this;
		if (!kept.eras.length && !kept.whole) {
			own.free = chancesIn(log);
			return;
		}
		const rows = log.flatMap(({ actor }, at) => (actor === CHANCE ? [at] : []));
		let common = 0;
		while (common < this.log.length && common < log.length && isSameRow(log[common], this.log[common])) common++;
		let sure = 0;
		while (sure < this.sure.length && this.sure[sure] === actions[sure]) sure++;
		for (const [index, at] of rows.entries()) {
			if (index < own.free) continue;
			const isShown = draws.some((draw) => draw.at === at && draw.index === index);
			const isKnown = this.proved.has(index) || kept.draws.some((draw) => draw.index === index);
			const isDue = isFresh ? index >= rows.length - FIRST : at >= common;
			if (isShown || (isKnown && !isDue && (at < sure || this.wasPlayed(index, at))) || (this.isProved && this.proved.has(index)))
				continue;
			throw new Missed("missing", { n: index + 1, claim: { at, index, draws: draws.length } });
		}
		this.sure = actions;
	}

	/**
	 * Does the line that is shown now have a draw as it was kept? Without the rules this page cannot say.
	 * @param {number} index @param {number} at
	 */
	wasPlayed(index, at) {
		const draw = this.kept.draws.find((each) => each.index === index);
		let isSame = true;
		this.byRules((follower) => {
			if (draw)
				isSame = follower.weights(at).join() === draw.weights.join() && follower.legal(at)[draw.outcome] === follower.actions[at];
		});
		return isSame;
	}

	// Step 9, and what was missed: the proof.

	/**
	 * Checks a proof with everything that was kept, and learns from it what this page has missed. False: it raised an alarm.
	 * isOver: the game is over, so its secrets have to be in it.
	 * @param {string} json @param {typeof import("./checks.js")} checks loaded when there is a proof to check
	 */
	learn(json, { check, read }, isOver = false) {
		const { kept } = this;
		const about = { claim: { proof: json.slice(0, 200) } };
		/** @type {Finding[]} */
		let findings = [];
		/** @type {Proof | undefined} */
		let proof;
		try {
			const file = read(json);
			if (file.protocol === "bgf2") proof = /** @type {Proof} */ (file);
			/** @type {Known} */
			const known = { kept: [kept], key: kept.server, heads: this.pin.heads, follower: this.follower?.again() };
			findings = [...check(file, known)];
		} catch {
			/* no proof: an alarm */
		}
		const wrong = findings.find(({ verdict }) => verdict === "broken");
		if (!proof || wrong) {
			this.raise(new Cheat("proof", { ...about, n: Number(wrong?.params.n) || undefined, era: wrong?.era }));
			return false;
		}
		this.take(proof);
		const { pledge } = this;
		const isOfLine = !this.follower || hasLine(proof, this.follower.actions);
		const isKept = !pledge || wasAsked(proof, pledge.index, pledge.line);
		const secretless = isOver && proof.eras.find(({ secret }) => !secret);
		if (!isKept) this.raise(new Cheat("withdrawn", { ...about, n: pledge.index + 1 }));
		else if (!isOfLine) this.raise(new Cheat("proof", { claim: { line: this.follower?.actions } }));
		else if (secretless) this.raise(new Cheat("proof", { ...about, n: secretless.first + 1, era: secretless.number }));
		else if (pledge?.isDoubted) this.pledge = null;
		return !this.isAlarmed;
	}

	/**
	 * The server refused a proof that it owes, or gave one of another record.
	 * @param {string} why @param {"missing" | "proof"} [key]
	 */
	refuse(why, key = "missing") {
		if (!this.isAlarmed) this.raise(new Cheat(key, { claim: { refused: why } }));
	}

	/** @param {Proof} proof */
	take(proof) {
		const history = historyOf(proof);
		this.provedEras = proof.eras;
		this.own.dealt = Math.max(this.own.dealt, history.count);
		for (const { k, index, era: at, e } of history.dealt) {
			const era = proof.eras[at];
			const key = era && keyOf(proof, era, e);
			if (!key) continue;
			const { weights, outcome, name } = proof.draws[k];
			const links = era.answers[e] ?? [];
			const defaults = era.defaults[e] ?? [];
			const draw = { index, era: era.number, e, key: hex(key), links, defaults, weights, outcome, name };
			this.proved.set(index, draw);
			if (!this.kept.draws.some((each) => each.index === index) && index >= this.own.free) this.keep(draw);
		}
		for (const era of proof.eras) {
			const pinned = this.pinned(era.number);
			if (pinned && !pinned.opening.length && era.opening.every(Boolean)) pinned.opening = era.opening;
		}
		this.page.save();
	}

	// Own seats.

	/** @param {KeptEra} era @returns {Terms} */
	terms(era) {
		const terms = termsOfView(this.kept.gid, era);
		if (!terms) throw new Cheat("transcript", { era: era.number });
		return terms;
	}

	/**
	 * Is a head the one that this page makes of its seed?
	 * @param {number} number @param {number} seat @param {number} level @param {string} head
	 */
	isMine(number, seat, level, head) {
		return Boolean(this.own.seeds[seat]) && hex(this.chain(number, seat, level)[0]) === head;
	}

	/** @param {number} number @param {number} seat @param {number} level */
	chain(number, seat, level) {
		this.own.seeds[seat] ||= this.page.seed(seat);
		const id = `${number}.${seat}`;
		this.chains[id] ||= chain(bytes(this.own.seeds[seat]), bytes(this.kept.gid), number, seat, lengthOf(level, 0));
		return this.chains[id];
	}

	/** @param {string} id */
	isNew(id) {
		const isNew = !this.sent.has(id);
		this.sent.add(id);
		return isNew;
	}

	/** The links of an era's opening that lead to its four words, as O; null while one is missing. */
	get opened() {
		const era = this.kept.eras.findLast((each) => each.opening.length);
		return era ? { number: era.number, value: opening(bytes(era.transcript), era.opening.map(bytes)) } : null;
	}
}

/** Is a proof, as JSON, one of these actions? @param {string} json @param {number[]} actions */
export function isOf(json, actions) {
	const { line } = historyOf(JSON.parse(json));
	return line.map(([, action]) => action).join() === actions.join();
}

/** @param {Pick<Proof, "eras" | "log">} proof */
const historyOf = ({ eras, log }) =>
	new History(
		eras.map(({ first }) => first),
		log,
	);
/** @param {LogRows} log */
const chancesIn = (log) => log.filter(({ actor }) => actor === CHANCE).length;
/**
 * What may not change while a game lasts; the sources may, when the server is upgraded.
 * @param {NonNullable<Sealed["rules"]>} rules
 */
const lawOf = ({ game, version, options, salt }) => [game, version, options, salt].join("\n");
const sorted = (/** @type {number[]} */ numbers) => [...numbers].sort((a, b) => a - b);
const isHash = (/** @type {unknown} */ value) => isHex(value, 32);
/** @param {LogRows[number]} a @param {LogRows[number]} b */
const isSameRow = (a, b) => a.actor === b.actor && a.text === b.text && a.n === b.n;
/** The seat that decided last before a line of the log. @param {LogRows} log @param {number} at */
const lastOf = (log, at) => log.slice(0, at).findLast(({ actor }) => actor >= 0)?.actor ?? 0;
/** @param {SealedDraw} a @param {KeptDraw | undefined} b */
const isSame = (a, b) =>
	b !== undefined && JSON.stringify([a.key, a.links, a.defaults]) === JSON.stringify([b.key, b.links, b.defaults]);
