// Runs calls of a game's module for bench/wasm.py: one task a line on standard input, its processor time and results on standard output.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { load } = await import(process.argv[2]);
const { placed } = await import(process.argv[3]);
const rules = await load(readFileSync(process.argv[4]));

for await (const line of createInterface({ input: process.stdin })) {
	const { run, release } = placed(rules, JSON.parse(line));
	const begun = process.cpuUsage();
	const found = run();
	const { user, system } = process.cpuUsage(begun);
	release();
	process.stdout.write(`${JSON.stringify([(user + system) / 1e6, found])}\n`);
}
