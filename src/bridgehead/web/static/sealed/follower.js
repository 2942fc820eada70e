// @ts-check
// Follows the record of a game by its rules: WebAssembly that the same Python source gives. No rule is written here.
/** @import { Facts, Rules } from "../wasm/wasm_rules.js" */
import { load } from "../wasm/wasm_rules.js";

/** What following takes, as bytes. most: legal actions of a position, at most.
 * @typedef {{ module: BufferSource, most: number, law: Uint8Array, start: Uint8Array }} Given */

const [CHANCE, OVER] = [-1, -2]; // actors besides the seats

/** A follower at the first position. Throws where this browser cannot run the rules. @param {Given} given */
export async function followerOf({ module, most, law, start }) {
	const rules = await load(module);
	/** @type {Facts} */
	const facts = { ...rules.about.law, most_legal: most };
	if (law.length !== rules.law.bytes.length) throw new TypeError("a law of another layout");
	rules.use(facts, law);
	return new Follower(rules, start);
}

export class Follower {
	/** The states before each action, and the present one. @type {Uint8Array[]} */
	states;
	/** @type {number[]} */
	actors;
	/** @type {number[]} */
	actions = [];

	/** @param {Rules} rules @param {Uint8Array} start the bytes of the first position */
	constructor(rules, start) {
		this.rules = rules;
		this.state = rules.make("state");
		rules.keep();
		if (start.length !== this.state.bytes.length) throw new TypeError("a state of another layout");
		this.state.bytes.set(start);
		this.states = [start];
		this.actors = [rules.actor(this.state)];
	}

	/** Another one at the first position. */
	again() {
		return new Follower(this.rules, this.states[0]);
	}

	/** The actor to act now: a seat, CHANCE or OVER. */
	get actor() {
		return this.actors[this.actions.length];
	}

	/** The legal actions before an action; when chance acts, its outcomes. @param {number} [at] by default now */
	legal(at = this.actions.length) {
		this.state.bytes.set(this.states[at]);
		return this.actors[at] === OVER ? [] : this.rules.legal(this.state);
	}

	/** The weights of the outcomes before a chance action; empty before others. @param {number} at */
	weights(at) {
		if (this.actors[at] !== CHANCE) return [];
		return this.legal(at).map((outcome) => this.rules.call("weight", this.state, this.rules.law, outcome)[0]);
	}

	/** Play an action. False: it is not legal, and nothing has changed. @param {number} action */
	play(action) {
		if (!this.legal().includes(action)) return false;
		this.rules.apply(this.state, action);
		this.actions.push(action);
		this.states.push(this.state.bytes.slice());
		this.actors.push(this.rules.actor(this.state));
		return true;
	}

	/** Take back all but the first actions. @param {number} length */
	rewind(length) {
		this.actions.length = Math.min(length, this.actions.length);
		this.states.length = this.actors.length = this.actions.length + 1;
	}

	/**
	 * Follow a record as it is now: it has grown, or some of it was taken back.
	 * Returns the place of the first action that is not legal, -1 if all are.
	 * @param {number[]} actions
	 */
	follow(actions) {
		let same = 0;
		while (same < this.actions.length && this.actions[same] === actions[same]) same++;
		this.rewind(same);
		for (let at = same; at < actions.length; at++) if (!this.play(actions[at])) return at;
		return -1;
	}
}
