// @ts-check
// Runs a game's module of `bridgehead wasm` in a page, a worker or Node. The module describes itself; no rule is written here.

/** @typedef {keyof typeof ARRAYS} NumberType */
/** @typedef {{ at: number, type: NumberType | Layout, shape?: number[] }} Field */
/** @typedef {{ size: number, fields: { [name: string]: Field } }} Layout */
/** @typedef {{ name: string, what: "record" | "array" | "number", of?: string, dimensions?: number }} Parameter */
/** @typedef {{ takes: Parameter[], gives: number }} Entry */
/**
 * @typedef {{
 *   house_rules: { [name: string]: unknown }, seats: number, actions: number, most_legal: number,
 *   steering: { [name: string]: number },
 * }} Facts
 */
/**
 * @typedef {{
 *   format: number, game: string, title: string, rules: string, bridgehead: string, layout: string, code: string,
 *   reasons: string[], refusals: string[], law: Facts, records: { [name: string]: Layout }, entries: { [name: string]: Entry },
 * }} Description
 */
/** @typedef {{ action: number, visits: number, expected: number[], proven: boolean }} Candidate */

const ARRAYS = {
	bool: Uint8Array,
	int8: Int8Array,
	uint8: Uint8Array,
	int16: Int16Array,
	uint16: Uint16Array,
	int32: Int32Array,
	uint32: Uint32Array,
	int64: BigInt64Array,
	uint64: BigUint64Array,
	float32: Float32Array,
	float64: Float64Array,
};
const FORMAT = 1;
const PAGE = 65536;
const LEAST_PAGES = 16;

/** Records or numbers in the memory of a module. */
export class Block {
	/** @param {Rules} rules @param {number} at @param {NumberType | Layout} type @param {number[]} shape */
	constructor(rules, at, type, shape) {
		this.rules = rules;
		this.at = at;
		this.type = type;
		this.shape = shape;
	}

	/** How many records or numbers. */
	get count() {
		return this.shape.reduce((all, length) => all * length, 1);
	}

	/** Its bytes, as they are now: a view of the memory, valid until the module takes more memory. */
	get bytes() {
		return new Uint8Array(this.rules.memory.buffer, this.at, this.count * sizeOf(this.type));
	}

	/** Its numbers, likewise a view. */
	get numbers() {
		if (typeof this.type !== "string") throw new TypeError("records, not numbers");
		return new ARRAYS[this.type](this.rules.memory.buffer, this.at, this.count);
	}

	/** One of several records. @param {number} index */
	row(index) {
		return new Block(this.rules, this.at + index * sizeOf(this.type), this.type, []);
	}

	/** A field of a record, as a block of its own. @param {string} name */
	field(name) {
		const field = typeof this.type === "string" ? undefined : this.type.fields[name];
		if (!field) throw new RangeError(`no field ${name}`);
		return new Block(this.rules, this.at + field.at, field.type, field.shape ?? []);
	}

	/** The first number of a field, or the one at an index. @param {string} name @param {number} [index] */
	get(name, index = 0) {
		return Number(this.field(name).numbers[index]);
	}

	/** @param {string} name @param {number} value @param {number} [index] */
	set(name, value, index = 0) {
		const numbers = this.field(name).numbers;
		if (numbers instanceof BigInt64Array || numbers instanceof BigUint64Array) numbers[index] = BigInt(value);
		else numbers[index] = value;
	}
}

/** A game's module at work. Its memory is given out in order; `mark` and `release` give the last of it back. */
export class Rules {
	/** @param {Description} about @param {WebAssembly.Exports} exports @param {ArrayBuffer | undefined} law */
	constructor(about, exports, law) {
		if (about.format !== FORMAT) throw new RangeError(`a module of format ${about.format}, not ${FORMAT}`);
		this.about = about;
		this.exports = exports;
		this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
		this.begin = 0; // of the memory to give out, which ends at `end`
		this.next = 0;
		this.end = 0;
		this.facts = about.law;
		this.law = this.make("law");
		if (law) this.use(about.law, new Uint8Array(law));
	}

	/** Play under other house rules of the same layout. @param {Facts} facts @param {Uint8Array} law */
	use(facts, law) {
		this.facts = facts;
		this.law.bytes.set(law);
	}

	/** Zeros: one record or several ("state", "law"), or numbers ("int32"). @param {string} type @param {...number} shape */
	make(type, ...shape) {
		const of = this.about.records[type] ?? /** @type {NumberType} */ (type);
		const size = shape.reduce((all, length) => all * length, sizeOf(of));
		let at = Math.ceil(this.next / 16) * 16;
		if (at + size > this.end) {
			const pages = Math.max(LEAST_PAGES, Math.ceil(size / PAGE));
			const begin = this.memory.grow(pages) * PAGE;
			if (begin !== this.end) at = this.begin = begin; // the module has taken some for arrays of its rules
			this.end = begin + pages * PAGE;
		}
		this.next = at + size;
		const made = new Block(this, at, of, shape);
		made.bytes.fill(0);
		return made;
	}

	/** The end of the memory given out so far, for `release`. */
	mark() {
		return this.next;
	}

	/** Give back what was made since a mark. @param {number} mark */
	release(mark) {
		this.next = Math.max(mark, this.begin);
	}

	/** Never give back what was made so far. */
	keep() {
		this.begin = this.next;
	}

	/** Call an entry. A block is passed as its parameter asks. @param {string} name @param {...(Block | number)} given */
	call(name, ...given) {
		const entry = this.about.entries[name];
		if (!entry) throw new RangeError(`this module has no ${name}`);
		if (entry.takes.length !== given.length) throw new RangeError(`${name} takes ${entry.takes.length} arguments`);
		const plain = given.flatMap((each, index) => {
			if (typeof each === "number") return [each];
			const what = entry.takes[index]?.what;
			return what === "array" ? [each.at, ...(each.shape.length ? each.shape : [1])] : [each.at];
		});
		const mark = this.mark();
		const several = entry.gives > 1 ? this.make("float64", entry.gives) : undefined;
		const found = /** @type {(...given: number[]) => number} */ (this.exports[name])(...plain, ...(several ? [several.at] : []));
		this.release(mark);
		return several ? Array.from(several.numbers, Number) : entry.gives ? [found] : [];
	}

	/** The first position. */
	start() {
		const state = this.make("state");
		this.call("setup", state, this.law);
		return state;
	}

	/** The seat to act; -1: chance, -2: the game is over. @param {Block} state */
	actor(state) {
		return this.call("actor", state, this.law)[0];
	}

	/** The legal actions; when chance acts, its outcomes. @param {Block} state */
	legal(state) {
		const mark = this.mark();
		const out = this.make("int32", this.facts.most_legal);
		const found = Array.from(out.numbers.subarray(0, this.call("legal", state, this.law, out)[0]), Number);
		this.release(mark);
		return found;
	}

	/** Play a legal action. @param {Block} state @param {number} action */
	apply(state, action) {
		this.call("apply", state, this.law, action);
	}

	/** Why an action is refused; "OK" when it is legal. @param {Block} state @param {number} action */
	refusal(state, action) {
		return this.about.refusals[this.call("refusal", state, this.law, action)[0]];
	}

	/** Let chance act until a seat has to. @param {Block} state @param {Block} rng one uint64 */
	dealOn(state, rng) {
		const mark = this.mark();
		this.call("deal_on", state, this.law, this.make("int32", this.facts.most_legal), rng);
		this.release(mark);
	}

	/** The result of each seat, at the end of the game: 1 won, -1 lost, 0 neither. @param {Block} state */
	returns(state) {
		const mark = this.mark();
		const out = this.make("float64", this.facts.seats);
		this.call("returns", state, this.law, out);
		const found = Array.from(out.numbers, Number);
		this.release(mark);
		return found;
	}

	/**
	 * Search a position in which a seat is to act: its legal actions, the most visited first.
	 * @param {Block} state @param {number} simulations @param {bigint} seed @param {number} [room] for nodes of the tree
	 */
	think(state, simulations, seed, room = 60 * simulations + 1000) {
		const mark = this.mark();
		const [nodes, used, rng] = [this.make("node", room), this.make("int64", 1), this.make("uint64", 1)];
		const settings = this.make("settings");
		nodes.row(0).set("actor", this.actor(state));
		used.numbers[0] = 1n;
		rng.numbers[0] = seed;
		for (const [name, value] of Object.entries(this.facts.steering)) settings.set(name, value);
		const out = this.make("int32", this.facts.most_legal);
		const scratch = this.make("state", 2);
		const result = this.make("float64", this.facts.seats);
		const root = new Block(this, state.at, state.type, [1]);
		this.call("search", nodes, used, root, this.law, settings, simulations, rng, out, scratch, result);
		const found = this.candidates(nodes);
		this.release(mark);
		return found.sort((one, other) => other.visits - one.visits);
	}

	/** The actions at the root of a search, in the order of the legal ones. @param {Block} nodes */
	candidates(nodes) {
		const [first, count] = [nodes.row(0).get("first"), nodes.row(0).get("children")];
		return Array.from({ length: count }, (_, index) => this.candidate(nodes.row(first + index)));
	}

	/** An action as a search sees it. @param {Block} node @returns {Candidate} */
	candidate(node) {
		const [visits, proven] = [node.get("visits"), node.get("proven") === 1];
		const [sums, divisor] = proven ? ["result", 1] : ["total", Math.max(1, visits)];
		const expected = Array.from({ length: this.facts.seats }, (_, seat) => node.get(sums, seat) / divisor);
		return { action: node.get("action"), visits, expected, proven };
	}
}

/** @param {NumberType | Layout} type @returns {number} */
function sizeOf(type) {
	return typeof type === "string" ? ARRAYS[type].BYTES_PER_ELEMENT : type.size;
}

/** Load a module. @param {BufferSource} bytes */
export async function load(bytes) {
	const module = await WebAssembly.compile(bytes);
	const [text] = WebAssembly.Module.customSections(module, "bridgehead");
	if (!text) throw new TypeError("not a module of `bridgehead wasm`");
	const math = /** @type {WebAssembly.ModuleImports} */ (/** @type {unknown} */ (Math));
	const { exports } = await WebAssembly.instantiate(module, { env: math });
	const [law] = WebAssembly.Module.customSections(module, "bridgehead.law");
	return new Rules(JSON.parse(new TextDecoder().decode(text)), exports, law);
}
