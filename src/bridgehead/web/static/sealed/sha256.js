// @ts-check
// SHA-256 and HMAC in plain JavaScript, since pages on plain http have no crypto.subtle. Bytes in, bytes out.

/** @typedef {Uint8Array<ArrayBuffer>} Bytes */

const primes = [2];
for (let n = 3; primes.length < 64; n += 2) if (primes.every((p) => n % p)) primes.push(n);
const fraction = (/** @type {number} */ x) => ((x - Math.floor(x)) * 2 ** 32) >>> 0;
const ROUND = Uint32Array.from(primes, (p) => fraction(Math.cbrt(p)));
const START = Uint32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p)));
const words = new Uint32Array(64);

/** @param {Uint32Array} state @param {DataView} view @param {number} at */
function compress(state, view, at) {
	const w = words;
	for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
	for (let i = 16; i < 64; i++) {
		const x = w[i - 15];
		const y = w[i - 2];
		const low = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
		const high = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
		w[i] = w[i - 16] + w[i - 7] + low + high;
	}
	let a = state[0];
	let b = state[1];
	let c = state[2];
	let d = state[3];
	let e = state[4];
	let f = state[5];
	let g = state[6];
	let h = state[7];
	for (let i = 0; i < 64; i++) {
		const mixed = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
		const one = (h + mixed + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]) | 0;
		const turned = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
		const two = (turned + ((a & b) ^ (a & c) ^ (b & c))) | 0;
		h = g;
		g = f;
		f = e;
		e = (d + one) | 0;
		d = c;
		c = b;
		b = a;
		a = (one + two) | 0;
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
	state[4] += e;
	state[5] += f;
	state[6] += g;
	state[7] += h;
}

/**
 * Continues from a state after `before` bytes, a multiple of 64.
 * @param {Uint32Array} state @param {number} before @param {Bytes} data @returns {Bytes}
 */
function finish(state, before, data) {
	const padded = new Uint8Array((data.length + 72) & ~63);
	const view = new DataView(padded.buffer);
	const length = before + data.length;
	padded.set(data);
	padded[data.length] = 128;
	view.setUint32(padded.length - 8, Math.floor(length / 2 ** 29));
	view.setUint32(padded.length - 4, (length << 3) >>> 0);
	for (let at = 0; at < padded.length; at += 64) compress(state, view, at);
	const out = new Uint8Array(32);
	const written = new DataView(out.buffer);
	state.forEach((word, i) => {
		written.setUint32(4 * i, word);
	});
	return out;
}

/** @param {Bytes} data */
export const sha256 = (data) => finish(START.slice(), 0, data);

/** HMAC with one key, for many messages. @param {Bytes} key */
export function keyed(key) {
	const short = key.length > 64 ? sha256(key) : key;
	const after = (/** @type {number} */ byte) => {
		const block = new Uint8Array(64).fill(byte);
		const state = START.slice();
		short.forEach((each, i) => {
			block[i] ^= each;
		});
		compress(state, new DataView(block.buffer), 0);
		return state;
	};
	const inner = after(0x36);
	const outer = after(0x5c);
	return (/** @type {Bytes} */ data) => finish(outer.slice(), 64, finish(inner.slice(), 64, data));
}

/** @param {Bytes} key @param {Bytes} data */
export const hmac = (key, data) => keyed(key)(data);
