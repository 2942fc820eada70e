// What the pages' modules need of a browser, as little as they can be tested with.
import { mock } from "node:test";

/** An element that has children, a text and attributes. */
export class Node {
	children = [];
	attributes = {};
	dataset = {};
	classes = new Set();
	classList = { toggle: (name, on) => (on ? this.classes.add(name) : this.classes.delete(name)) };
	#text = "";

	constructor(tag) {
		this.tag = tag;
	}

	get textContent() {
		return this.#text + this.children.map((each) => each.textContent ?? each).join("");
	}

	set textContent(text) {
		this.children = [];
		this.#text = text;
	}

	get firstChild() {
		return this.children[0];
	}

	append(...nodes) {
		for (const node of nodes) {
			if (node instanceof Node) node.parent = this;
			this.children.push(node);
		}
	}

	remove() {
		this.parent.children = this.parent.children.filter((each) => each !== this);
	}

	setAttribute(name, value) {
		this.attributes[name] = value;
	}
}

const listeners = new Map();
const heard = (name) => listeners.get(name) ?? [];
/** Calls those who listen for an event of the window or the document. */
export function fire(name, event = {}) {
	for (const listener of heard(name)) listener(event);
}
const addEventListener = (name, listener) => listeners.set(name, [...heard(name), listener]);

const kept = new Map();
export const elements = new Map();
export const root = Object.assign(new Node("html"), { lang: "en" });
const document = {
	documentElement: root,
	hidden: false,
	addEventListener,
	createElement: (tag) => new Node(tag),
	createElementNS: (_, tag) => new Node(tag),
	getElementById(id) {
		if (!elements.has(id)) elements.set(id, new Node(id));
		return elements.get(id);
	},
};
export const words = {
	minutes: "{n} min",
	minutes_one: "1 min",
	seconds: "{n} s",
	seconds_one: "1 s",
	hours: "{n} h",
	hours_one: "1 h",
};
Object.assign(globalThis, {
	window: globalThis,
	document,
	addEventListener,
	dispatchEvent: ({ type }) => fire(type),
	location: { origin: "http://here", href: "http://here/", hash: "" },
	matchMedia: () => ({ matches: false, addEventListener() {} }),
	localStorage: {
		getItem: (name) => kept.get(name) ?? null,
		setItem: (name, text) => kept.set(name, text),
		removeItem: (name) => kept.delete(name),
	},
	fetch: async () => new Response(JSON.stringify(words)),
});

/** A clock that a test moves: timers, Date and performance.now go together. */
export class Time {
	constructor() {
		mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_000_000 });
		this.now = 1_000_000;
		mock.method(performance, "now", () => this.now);
	}

	pass(ms) {
		for (let left = ms; left > 0; left -= 50) {
			this.now += Math.min(50, left);
			mock.timers.tick(Math.min(50, left));
		}
	}

	end() {
		mock.timers.reset();
		mock.restoreAll();
	}
}
