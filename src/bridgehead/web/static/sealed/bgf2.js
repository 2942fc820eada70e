// @ts-check
// BGF2, the protocol of sealed chance, written from its text (docs/understand/fairness.md, "BGF2, to the byte"), without the
// rules of any game. Bytes in, bytes out.
/** @import { Bytes } from "./sha256.js" */
import { climb, hex, join, leaf, node, Stream, u32 } from "./bgf1.js";
import { hmac, keyed, sha256 } from "./sha256.js";

export const SERVER = 1; // the source of a seat that the server sealed: no protection against the server
export const RULES = ["", "bgf2/opening", "bgf2/last-next"]; // by level: the name of the contributors' rule
const LONG = 1025; // links of a seat's chain at level 2

/** A seat's commitment. @typedef {{ source: number, length: number, head: Bytes }} Head */
/** Everything that the transcript of an era binds. @typedef {{
 *   gid: Bytes, number: number, first: number, rules: Bytes, root: Bytes, depth: number, level: number, seats: Head[]
 * }} Terms */

/** @param {string} text @returns {Bytes} */
export const utf8 = (text) => new TextEncoder().encode(text);
/** @param {ArrayLike<number>} data */
const lp = (data) => join(u32(data.length), data);

// The server's keys.
const LEAF = utf8("bgf2/leaf\0");
/** k_e. @param {Bytes} secret @param {Bytes} gid @param {number} number @param {number} e */
export const eventKey = (secret, gid, number, e) => hmac(secret, join(LEAF, gid, u32(number), u32(e)));

/** The root over the keys of all events. @param {Bytes} secret @param {Bytes} gid @param {number} number @param {number} depth */
export function root(secret, gid, number, depth) {
	const mac = keyed(secret);
	const tag = join(LEAF, gid, u32(number));
	let level = Array.from({ length: 2 ** depth }, (_, e) => leaf(e, mac(join(tag, u32(e)))));
	while (level.length > 1) level = Array.from({ length: level.length / 2 }, (_, i) => node(level[2 * i], level[2 * i + 1]));
	return level[0];
}

/**
 * Does the key of an event belong to the root?
 * @param {Terms} terms @param {number} e @param {Bytes} key @param {Bytes[]} path
 */
export const isUnder = ({ root, depth }, e, key, path) =>
	path.length === depth && e >= 0 && e < 2 ** depth && hex(climb(e, key, path)) === hex(root);

// The seats' chains.
/** @param {number} level @param {number} source */
export const lengthOf = (level, source) => (level === 2 && source !== SERVER ? LONG : 1);

const SEAT = utf8("bgf2/seat\0");
/** R_{j-1} from R_j. @param {Bytes} value @param {Bytes} gid @param {number} number @param {number} seat @param {number} j */
const linkBefore = (value, gid, number, seat, j) => sha256(join(SEAT, gid, u32(number), [seat], u32(j), value));

/**
 * R_0 (the head) to R_length.
 * @param {Bytes} seed @param {Bytes} gid @param {number} number @param {number} seat @param {number} length
 */
export function chain(seed, gid, number, seat, length) {
	const links = [hmac(seed, join(utf8("bgf2/seat-tip\0"), gid, u32(number), [seat]))];
	for (let j = length; j > 0; j--) links.push(linkBefore(links[links.length - 1], gid, number, seat, j));
	return links.reverse();
}

// The newest link of each chain that was found to lead to its head: the next one is then one step away.
/** @type {Map<string, { j: number, value: string }>} */
const proved = new Map();

/** Is a value link j of a seat's chain? @param {Terms} terms @param {number} seat @param {number} j @param {Bytes} value */
export function leadsTo({ gid, number, seats }, seat, j, value) {
	const head = seats[seat];
	if (!head || j < 1 || j > head.length) return false;
	const id = [hex(gid), number, seat, hex(head.head)].join();
	const known = proved.get(id);
	const from = known && known.j <= j ? known : { j: 0, value: hex(head.head) };
	let found = value;
	for (let at = j; at > from.j; at--) found = linkBefore(found, gid, number, seat, at);
	if (hex(found) !== from.value) return false;
	proved.set(id, { j, value: hex(value) });
	return true;
}

// What is bound before a secret is revealed.
/**
 * @param {{ game: string, version: string, sources: string, options: string, salt: string }} parts sources and salt: hexadecimal
 * @param {(text: string) => Bytes} bytes
 */
export const rulesHash = ({ game, version, sources, options, salt }, bytes) =>
	sha256(join(utf8("bgf2/rules\0"), lp(utf8(game)), lp(utf8(version)), bytes(sources), lp(utf8(options)), lp(bytes(salt))));

/** T. @param {Terms} terms */
export function transcript({ gid, number, first, rules, root, depth, level, seats }) {
	const heads = seats.map(({ source, length, head }) => join([source], u32(length), head));
	const shape = join([depth, level], lp(utf8(RULES[level])), [seats.length]);
	return sha256(join(utf8("bgf2/transcript\0"), gid, u32(number), u32(first), rules, root, shape, ...heads));
}

/** The number of events that an era supplies. @param {Terms} terms */
export function room({ depth, level, seats }) {
	const links = seats.filter(({ source }) => source !== SERVER).map(({ length }) => length - 1);
	return Math.min(2 ** depth, ...(level === 2 ? links : []));
}

/**
 * The seats that contribute to an event, in order. last: the last seat that decided.
 * @param {Terms} terms @param {number} last
 */
export function contributors({ level, seats }, last) {
	const order = seats.map((_, step) => (last + step) % seats.length);
	return level === 1 ? [] : order.filter((seat) => seats[seat].source !== SERVER).slice(0, 2);
}

/** O. @param {Bytes} agreed @param {Bytes[]} links */
export const opening = (agreed, links) => sha256(join(utf8("bgf2/opening\0"), agreed, [links.length], ...links));

/** Four words of O for people to compare. @param {Bytes} opened @param {string[]} list the 2,048 words of BIP 39 */
export function fourWords(opened, list) {
	const bits = Array.from(sha256(join(utf8("bgf2/words\0"), opened)), (byte) => byte.toString(2).padStart(8, "0")).join("");
	return [0, 11, 22, 33].map((at) => list[parseInt(bits.slice(at, at + 11), 2)]);
}

// A draw.
/** E. @param {Bytes} opened @param {number} e @param {{ seat: number, value: Bytes }[]} links */
export function entropy(opened, e, links) {
	const given = links.map(({ seat, value }) => join([seat], value));
	return sha256(join(utf8("bgf2/entropy\0"), opened, u32(e), [links.length], ...given));
}

/** X. @param {Bytes} key @param {Bytes} shared @param {number} e */
export const drawKey = (key, shared, e) => hmac(key, join(utf8("bgf2/event\0"), shared, u32(e)));

/**
 * The index of the outcome among those with these weights; -1 if they are no weights.
 * @param {Bytes} key @param {Bytes} shared @param {number} e @param {number[]} weights
 */
export function outcome(key, shared, e, weights) {
	const sum = weights.reduce((all, weight) => all + weight, 0);
	const isRight = sum >= 1 && sum <= 2 ** 32 && weights.every((weight) => Number.isInteger(weight) && weight >= 0);
	return isRight ? new Stream(drawKey(key, shared, e), "chance", "bgf2/stream\0").weighted(weights) : -1;
}

// What the server signs, and its public list.
/** @param {Bytes} gid @param {number} number @param {Bytes} agreed */
export const eraStatement = (gid, number, agreed) => join(utf8("bgf2/era\0"), gid, u32(number), agreed);
/** @param {number} n @param {Bytes} link */
export const listStatement = (n, link) => join(utf8("bgf2/list\0"), u32(n), link);
/** The name of an era in the list. @param {Bytes} gid @param {number} number */
export const rowOf = (gid, number) => join(gid, u32(number));
/**
 * The link of row n. row: see `rowOf`; value: T.
 * @param {Bytes} before @param {number} n @param {Bytes} row @param {Bytes} value
 */
export const listLink = (before, n, row, value) => sha256(join(utf8("bridgehead sealed\0"), before, u32(n), row, value));
