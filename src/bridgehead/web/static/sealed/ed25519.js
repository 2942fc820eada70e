// @ts-check
// Ed25519 signatures (RFC 8032), verified in plain JavaScript: pages on plain http have no crypto.subtle. No secret is used here,
// so the time that a step takes gives nothing away. Keys of small order and second encodings are refused.
/** @import { Bytes } from "./sha256.js" */

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n; // of the base point
const mod = (/** @type {bigint} */ a, m = P) => ((a % m) + m) % m;

/** @param {bigint} base @param {bigint} exponent @param {bigint} m */
function power(base, exponent, m = P) {
	let result = 1n;
	let square = mod(base, m);
	for (let left = exponent; left; left >>= 1n) {
		if (left & 1n) result = (result * square) % m;
		square = (square * square) % m;
	}
	return result;
}

const inverse = (/** @type {bigint} */ a) => power(a, P - 2n);
const D = mod(-121665n * inverse(121666n));
const ROOT = power(2n, (P - 1n) / 4n); // of -1

/** A point in extended coordinates: x = X/Z, y = Y/Z, xy = T/Z. @typedef {[bigint, bigint, bigint, bigint]} Point */
/** @type {Point} */
const ZERO = [0n, 1n, 1n, 0n];

/** @param {Point} p @param {Point} q @returns {Point} */
function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
	const a = mod((y1 - x1) * (y2 - x2));
	const b = mod((y1 + x1) * (y2 + x2));
	const c = mod(2n * t1 * D * t2);
	const d = mod(2n * z1 * z2);
	const [e, f, g, h] = [b - a, d - c, d + c, b + a];
	return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

/** @param {bigint} n @param {Point} point */
function times(n, point) {
	let result = ZERO;
	let doubled = point;
	for (let left = n; left; left >>= 1n) {
		if (left & 1n) result = add(result, doubled);
		doubled = add(doubled, doubled);
	}
	return result;
}

const number = (/** @type {Bytes} */ bytes) => bytes.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

/**
 * The point that 32 bytes stand for; null for no point, and for a second encoding of one.
 * @param {Bytes} bytes @returns {Point | null}
 */
function decoded(bytes) {
	const sign = BigInt(bytes[31] >> 7);
	const y = number(bytes) & ((1n << 255n) - 1n);
	if (bytes.length !== 32 || y >= P) return null;
	const u = mod(y * y - 1n);
	const v = mod(D * y * y + 1n);
	let x = mod(u * v ** 3n * power(u * v ** 7n, (P - 5n) / 8n));
	if (mod(v * x * x) === mod(-u)) x = mod(x * ROOT);
	if (mod(v * x * x) !== u || (x === 0n && sign)) return null;
	if ((x & 1n) !== sign) x = P - x;
	return [x, y, 1n, mod(x * y)];
}

/** @param {Point} point */
function encoded([x, y, z]) {
	const one = inverse(z);
	const value = mod(y * one) | ((mod(x * one) & 1n) << 255n);
	return Uint8Array.from({ length: 32 }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
}

const same = (/** @type {Bytes} */ a, /** @type {Bytes} */ b) => a.length === b.length && a.every((byte, i) => byte === b[i]);
const BASE = /** @type {Point} */ (decoded(Uint8Array.from({ length: 32 }, (_, i) => (i ? 0x66 : 0x58))));

/** Is it a public key that can be trusted: a canonical encoding of a point that is not of small order? @param {Bytes} key */
export function isKey(key) {
	const point = decoded(key);
	return point !== null && !same(encoded(times(8n, point)), encoded(ZERO));
}

/** Is it the key's signature of the message? @param {Bytes} key @param {Bytes} message @param {Bytes} signature */
export function isSigned(key, message, signature) {
	const point = decoded(key);
	if (!point || signature.length !== 64 || !isKey(key)) return false;
	const [r, s] = [signature.slice(0, 32), number(signature.slice(32))];
	if (s >= ORDER) return false;
	const k = number(sha512(Uint8Array.from([...r, ...key, ...message]))) % ORDER;
	const [x, y, z, t] = times(k, point);
	return same(encoded(add(times(s, BASE), [mod(-x), y, z, mod(-t)])), r);
}

// SHA-512: as SHA-256, with words of 64 bits and 80 rounds. Its constants are roots of the first primes, as fractions.
const WORD = 2n ** 64n;
const primes = [2n];
for (let n = 3n; primes.length < 80; n += 2n) if (primes.every((p) => n % p)) primes.push(n);

/** The first 64 bits of the fraction of a root. @param {bigint} prime @param {bigint} degree */
function fraction(prime, degree) {
	const target = prime << (64n * degree);
	let root = 0n;
	for (let bit = 1n << 72n; bit; bit >>= 1n) if ((root + bit) ** degree <= target) root += bit;
	return root % WORD;
}

const ROUND = primes.map((prime) => fraction(prime, 3n));
const START = primes.slice(0, 8).map((prime) => fraction(prime, 2n));
const turned = (/** @type {bigint} */ x, /** @type {number[]} */ ...by) =>
	by.reduce((mixed, n) => mixed ^ (((x >> BigInt(n)) | (x << BigInt(64 - n))) % WORD), 0n);

/** @param {Bytes} data @returns {Bytes} */
export function sha512(data) {
	const padded = new Uint8Array((data.length + 144) & ~127);
	const view = new DataView(padded.buffer);
	padded.set(data);
	padded[data.length] = 128;
	view.setUint32(padded.length - 4, data.length * 8);
	const state = [...START];
	for (let at = 0; at < padded.length; at += 128) {
		const w = Array.from({ length: 16 }, (_, i) => view.getBigUint64(at + 8 * i));
		for (let i = 16; i < 80; i++) {
			const [x, y] = [w[i - 15], w[i - 2]];
			w.push((w[i - 16] + w[i - 7] + (turned(x, 1, 8) ^ (x >> 7n)) + (turned(y, 19, 61) ^ (y >> 6n))) % WORD);
		}
		let [a, b, c, d, e, f, g, h] = state;
		for (let i = 0; i < 80; i++) {
			const one = h + turned(e, 14, 18, 41) + ((e & f) ^ ((WORD - 1n - e) & g)) + ROUND[i] + w[i];
			const two = turned(a, 28, 34, 39) + ((a & b) ^ (a & c) ^ (b & c));
			[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) % WORD, c, b, a, (one + two) % WORD];
		}
		for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = (state[i] + word) % WORD;
	}
	const out = new Uint8Array(64);
	for (const [i, word] of state.entries()) new DataView(out.buffer).setBigUint64(8 * i, word);
	return out;
}
