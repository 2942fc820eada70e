// @ts-check
// Unpacks xz while it comes, which browsers cannot. The WebAssembly is that of the npm package `xz-decompress` (xz-embedded).

/** What its memory says of a stream, each in four bytes. */
const SIZE = 0; // of each of both buffers
const INPUT = 1;
const READ = 2;
const GIVEN = 3;
const OUTPUT = 4;
const WRITTEN = 5;
/**
 * @typedef {{
 *   memory: WebAssembly.Memory, create_context(): number, supply_input(at: number, size: number): void,
 *   get_next_output(at: number): number,
 * }} Program
 */

const program = fetch(new URL("xz.wasm", import.meta.url)).then(async (answer) =>
	WebAssembly.compile(await answer.arrayBuffer()),
);
program.catch(() => undefined); // it fails where it is awaited

/**
 * A stream that unpacks. Its memory ends with it.
 * @returns {TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>}
 */
export function unpacking() {
	/** @type {Program} */
	let made;
	let at = 0;
	let ended = false;
	/** A number of the stream; the memory may have grown. @param {number} which */
	const number = (which) => new Uint32Array(made.memory.buffer, at)[which];

	/** @param {Uint8Array} input @param {TransformStreamDefaultController<Uint8Array<ArrayBuffer>>} on */
	function unpack(input, on) {
		new Uint8Array(made.memory.buffer, number(INPUT)).set(input);
		made.supply_input(at, input.length);
		let isFull = false;
		do {
			const state = made.get_next_output(at);
			if (state > 1) throw new Error(`xz: error ${state}`);
			ended = state === 1;
			const size = number(WRITTEN);
			isFull = size === number(SIZE);
			on.enqueue(new Uint8Array(made.memory.buffer, number(OUTPUT), size).slice());
			new Uint32Array(made.memory.buffer, at)[WRITTEN] = 0;
		} while (!ended && (isFull || number(READ) < number(GIVEN)));
	}

	return new TransformStream({
		async start() {
			made = /** @type {Program} */ (/** @type {unknown} */ ((await WebAssembly.instantiate(await program)).exports));
			at = made.create_context();
		},
		transform(bytes, on) {
			const size = number(SIZE);
			for (let begin = 0; begin < bytes.length && !ended; begin += size) unpack(bytes.subarray(begin, begin + size), on);
		},
		flush(on) {
			unpack(new Uint8Array(), on); // only now it knows that no other stream follows
			if (!ended) throw new Error("xz: a part is missing");
		},
	});
}
