// BGF1, the dice and card protocol (docs/fairness.md), byte for byte as in bridgehead/fairness/bgf1.py. Bytes are Uint8Array.
import { hmac, keyed, sha256 } from "./sha256.js";

export const CHAIN = 1024;

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const bytes = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
const ascii = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const u8 = (n) => [n];
export const u32 = (n) => [n >>> 24, n >>> 16 & 255, n >>> 8 & 255, n & 255];
const lp = (data) => join(u32(data.length), data);

export function join(...parts) {
	const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
	let at = 0;
	for (const part of parts) { whole.set(part, at); at += part.length; }
	return whole;
}

// The server's commitment.
export const eventKey = (secret, gid, e) => hmac(secret, join(ascii("bgf1/leaf\0"), gid, u32(e)));
export const leaf = (e, key) => sha256(join([0], u32(e), key));
const node = (left, right) => sha256(join([1], left, right));

export function root(secret, gid, depth) {
	const mac = keyed(secret), tag = join(ascii("bgf1/leaf\0"), gid);
	let level = Array.from({ length: 2 ** depth }, (_, e) => leaf(e, mac(join(tag, u32(e)))));
	while (level.length > 1) level = Array.from({ length: level.length / 2 }, (_, i) => node(level[2 * i], level[2 * i + 1]));
	return level[0];
}

export function climb(e, key, path) {
	return path.reduce((found, other, level) => (e >> level & 1 ? node(other, found) : node(found, other)), leaf(e, key));
}

// A seat's chain: R_0 (the head) to R_1024.
export function chain(seed, gid, seat) {
	const links = [hmac(seed, join(ascii("bgf1/seat-tip\0"), gid, u8(seat)))];
	for (let j = CHAIN; j > 0; j--) links.push(linkBefore(links.at(-1), gid, seat, j));
	return links.reverse();
}

const SEAT = ascii("bgf1/seat\0");
export const linkBefore = (value, gid, seat, j) => sha256(join(SEAT, gid, u8(seat), u32(j), value));

export function isLinkOf(head, { seat, number, value }, gid) {
	let found = value;
	for (let j = number; j > 0; j--) found = linkBefore(found, gid, seat, j);
	return hex(found) === hex(head);
}

// seats: [{source, head}]; links: [{seat, number, value}].
export function transcript(gid, rules, top, depth, level, seats, beacon = []) {
	const heads = seats.map(({ source, head }) => join(u8(source), head));
	return sha256(join(ascii("bgf1/transcript\0"), gid, rules, top, u8(depth), u8(level), u8(seats.length), ...heads, lp(beacon)));
}

export function entropy(agreed, links, e = 0, beacon = []) {
	const told = links.map(({ seat, number, value }) => join(u8(seat), u32(number), value));
	return sha256(join(ascii("bgf1/entropy\0"), agreed, u32(e), u8(links.length), ...told, lp(beacon)));
}

export const drawKey = (key, shared, e) => hmac(key, join(ascii("bgf1/event\0"), shared, u32(e)));

// Random numbers of one event for one purpose, read from left to right.
export class Stream {
	constructor(drawn, label) {
		Object.assign(this, { mac: keyed(drawn), label: lp(ascii(label)), block: 0, left: [] });
	}

	word() {
		if (!this.left.length) {
			const view = new DataView(this.mac(join(ascii("bgf1/stream\0"), this.label, u32(this.block++))).buffer);
			this.left = [0, 8, 16, 24].map((at) => view.getBigUint64(at));
		}
		return this.left.shift();
	}

	below(n) {
		const size = BigInt(n), top = 2n ** 64n - 2n ** 64n % size;
		let word;
		do word = this.word(); while (word >= top);
		return Number(word % size);
	}

	die(faces) {
		return 1 + this.below(faces);
	}

	shuffle(n) {
		const order = Array.from({ length: n }, (_, i) => i);
		for (let i = n - 1; i > 0; i--) {
			const j = this.below(i + 1);
			[order[i], order[j]] = [order[j], order[i]];
		}
		return order;
	}

	weighted(weights) {
		let left = this.below(weights.reduce((sum, weight) => sum + weight, 0));
		return weights.findIndex((weight) => (left -= weight) < 0);
	}
}
