// @ts-check
// BGF1, the protocol of sealed chance (docs/understand/fairness.md), byte for byte as in bridgehead/fairness/bgf1.py.
/** @import { Bytes } from "./sha256.js" */
import { hmac, keyed, sha256 } from "./sha256.js";

export const CHAIN = 1024;

/** A link of a seat's chain. @typedef {{ seat: number, number: number, value: Bytes }} Link */

/** @param {Bytes} bytes */
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
/** @param {string} text @returns {Bytes} */
export const bytes = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
/** @param {string} text */
const ascii = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
/** @param {number} n */
const u8 = (n) => [n];
/** @param {number} n */
export const u32 = (n) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255];
/** @param {ArrayLike<number>} data */
const lp = (data) => join(u32(data.length), data);

/** @param {...ArrayLike<number>} parts @returns {Bytes} */
export function join(...parts) {
	const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) {
		whole.set(part, at);
		at += part.length;
	}
	return whole;
}

// The server's commitment.
/** @param {Bytes} secret @param {Bytes} gid @param {number} e */
export const eventKey = (secret, gid, e) => hmac(secret, join(ascii("bgf1/leaf\0"), gid, u32(e)));
/** @param {number} e @param {Bytes} key */
export const leaf = (e, key) => sha256(join([0], u32(e), key));
/** @param {Bytes} left @param {Bytes} right */
export const node = (left, right) => sha256(join([1], left, right));

/** @param {Bytes} secret @param {Bytes} gid @param {number} depth */
export function root(secret, gid, depth) {
	const mac = keyed(secret);
	const tag = join(ascii("bgf1/leaf\0"), gid);
	let level = Array.from({ length: 2 ** depth }, (_, e) => leaf(e, mac(join(tag, u32(e)))));
	while (level.length > 1) level = Array.from({ length: level.length / 2 }, (_, i) => node(level[2 * i], level[2 * i + 1]));
	return level[0];
}

/** @param {number} e @param {Bytes} key @param {Bytes[]} path */
export function climb(e, key, path) {
	return path.reduce((found, other, level) => ((e >> level) & 1 ? node(other, found) : node(found, other)), leaf(e, key));
}

/** A seat's chain: R_0 (the head) to R_1024. @param {Bytes} seed @param {Bytes} gid @param {number} seat */
export function chain(seed, gid, seat) {
	let value = hmac(seed, join(ascii("bgf1/seat-tip\0"), gid, u8(seat)));
	const links = [value];
	for (let j = CHAIN; j > 0; j--) {
		value = linkBefore(value, gid, seat, j);
		links.push(value);
	}
	return links.reverse();
}

const SEAT = ascii("bgf1/seat\0");
/** @param {Bytes} value @param {Bytes} gid @param {number} seat @param {number} j */
export const linkBefore = (value, gid, seat, j) => sha256(join(SEAT, gid, u8(seat), u32(j), value));

/** @param {Bytes} head @param {Link} link @param {Bytes} gid */
export function isLinkOf(head, { seat, number, value }, gid) {
	let found = value;
	for (let j = number; j > 0; j--) found = linkBefore(found, gid, seat, j);
	return hex(found) === hex(head);
}

/**
 * @param {Bytes} gid @param {Bytes} rules @param {Bytes} top @param {number} depth @param {number} level
 * @param {{ source: number, head: Bytes }[]} seats @param {ArrayLike<number>} [beacon]
 */
export function transcript(gid, rules, top, depth, level, seats, beacon = []) {
	const heads = seats.map(({ source, head }) => join(u8(source), head));
	const numbers = [...u8(depth), ...u8(level), ...u8(seats.length)];
	return sha256(join(ascii("bgf1/transcript\0"), gid, rules, top, numbers, ...heads, lp(beacon)));
}

/** @param {Bytes} agreed @param {Link[]} links @param {ArrayLike<number>} [beacon] */
export function entropy(agreed, links, e = 0, beacon = []) {
	const revealed = links.map(({ seat, number, value }) => join(u8(seat), u32(number), value));
	return sha256(join(ascii("bgf1/entropy\0"), agreed, u32(e), u8(links.length), ...revealed, lp(beacon)));
}

/** @param {Bytes} key @param {Bytes} shared @param {number} e */
export const drawKey = (key, shared, e) => hmac(key, join(ascii("bgf1/event\0"), shared, u32(e)));

// Random numbers of one event for one purpose, read from left to right.
export class Stream {
	block = 0;
	/** @type {bigint[]} */
	left = [];

	/** @param {Bytes} drawn @param {string} label @param {string} [tag] */
	constructor(drawn, label, tag = "bgf1/stream\0") {
		this.mac = keyed(drawn);
		this.label = join(ascii(tag), lp(ascii(label)));
	}

	/** @returns {bigint} */
	word() {
		const next = this.left.shift();
		if (next !== undefined) return next;
		const view = new DataView(this.mac(join(this.label, u32(this.block++))).buffer);
		this.left = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
		return this.word();
	}

	/** @param {number} n */
	below(n) {
		const size = BigInt(n);
		const top = 2n ** 64n - (2n ** 64n % size);
		for (;;) {
			const word = this.word();
			if (word < top) return Number(word % size);
		}
	}

	/** @param {number} faces */
	die(faces) {
		return 1 + this.below(faces);
	}

	/** @param {number} n */
	shuffle(n) {
		const order = Array.from({ length: n }, (_, i) => i);
		for (let i = n - 1; i > 0; i--) {
			const j = this.below(i + 1);
			[order[i], order[j]] = [order[j], order[i]];
		}
		return order;
	}

	/** @param {number[]} weights */
	weighted(weights) {
		let left = this.below(weights.reduce((sum, weight) => sum + weight, 0));
		return weights.findIndex((weight) => {
			left -= weight;
			return left < 0;
		});
	}
}
