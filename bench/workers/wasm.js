// Runs calls of a game's module for bench/wasm.py: one task a line on standard input, its processor time and results on standard output.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { load } = await import(process.argv[2]);
const rules = await load(readFileSync(process.argv[3]));

for await (const line of createInterface({ input: process.stdin })) {
	const { blocks, calls } = JSON.parse(line);
	const mark = rules.mark();
	const placed = blocks.map(({ of, shape, data }) => {
		const block = rules.make(of, ...shape);
		block.bytes.set(Buffer.from(data, "base64"));
		return block;
	});
	const ready = calls.map(({ entry, given }) => [entry, ...given.map((each) => (typeof each === "number" ? each : placed[each.block]))]);
	const begun = process.cpuUsage();
	const found = ready.map(([entry, ...given]) => rules.call(entry, ...given));
	const { user, system } = process.cpuUsage(begun);
	rules.release(mark);
	process.stdout.write(`${JSON.stringify([(user + system) / 1e6, found])}\n`);
}
