// Calls of a game's module, as bench/wasm.py describes them: for Node (wasm.js) and for a page.

/** Place the blocks in the module's memory. Returns a function that does all calls, and one that gives the memory back. */
export function placed(rules, { blocks, calls }) {
	const mark = rules.mark();
	const made = blocks.map(({ of, shape, data }) => {
		const block = rules.make(of, ...shape);
		block.bytes.set(Uint8Array.from(atob(data), (each) => each.charCodeAt(0)));
		return block;
	});
	const ready = calls.map(({ entry, given }) => [entry, ...given.map((each) => (typeof each === "number" ? each : made[each.block]))]);
	return { run: () => ready.map(([entry, ...given]) => rules.call(entry, ...given)), release: () => rules.release(mark) };
}
