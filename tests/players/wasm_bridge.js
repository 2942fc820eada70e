// Runs a game's module for tests: one request a line on standard input, one answer a line on standard output, both JSON.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { load } = await import(process.argv[2]);
const rules = await load(readFileSync(process.argv[3]));
const kept = new Map();

/** Bytes that were sent for a parameter of an entry, as a block of the module. */
function placed(name, index, { shape, data }) {
	const block = rules.make(rules.about.entries[name].takes[index].of, ...shape);
	block.bytes.set(Buffer.from(data, "base64"));
	return block;
}

const REQUESTS = {
	use: ({ facts, law }) => rules.use(facts, Buffer.from(law, "base64")),
	keep: ({ name, index, key, block }) => kept.set(key, placed(name, index, block)) && null,
	/** Call an entry; the blocks come back as the call left them. */
	call: ({ name, given }) => {
		const mark = rules.mark();
		const blocks = given.map((each, index) => {
			if (typeof each === "number") return each;
			return each.kept ? kept.get(each.kept) : placed(name, index, each);
		});
		const found = rules.call(name, ...blocks);
		const data = blocks.map((each, index) => (given[index].data === undefined ? null : Buffer.from(each.bytes).toString("base64")));
		rules.release(mark);
		return { found, data };
	},
	/** Play these actions from the start. At each position: all that the rules say, with the refusals of some other actions. */
	walk: ({ actions, probes }) => {
		const mark = rules.mark();
		const state = rules.start();
		const shown = [...actions, null].map((action, index) => {
			const [actor, legal] = [rules.actor(state), rules.legal(state)];
			const said = {
				actor,
				legal: actor === -2 ? [] : legal,
				weights: actor === -1 ? legal.map((each) => rules.call("weight", state, rules.law, each)[0]) : [],
				refusals: probes[index].map((each) => rules.refusal(state, each)),
				returns: actor === -2 ? rules.returns(state) : [],
				values: Array.from({ length: rules.facts.seats }, (_, seat) => rules.call("value", state, rules.law, seat)[0]),
				bytes: Buffer.from(state.bytes).toString("base64"),
			};
			if (action !== null) rules.apply(state, action);
			return said;
		});
		rules.release(mark);
		return shown;
	},
	think: ({ simulations, seed }) => rules.think(rules.start(), simulations, BigInt(seed)),
};

for await (const line of createInterface({ input: process.stdin })) {
	const { ask, ...given } = JSON.parse(line);
	process.stdout.write(`${JSON.stringify(REQUESTS[ask](given) ?? null)}\n`);
}
