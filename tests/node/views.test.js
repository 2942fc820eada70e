import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { fire, root, Time } from "./setup.js";

const { merged } = await import("../../src/bridgehead/web/static/table/view.js");
const { ViewQueue } = await import("../../src/bridgehead/web/static/table/view_queue.js");

const first = {
	v: 1,
	log: [
		{ n: 1, actor: 0, text: "a" },
		{ n: 1, actor: -1, text: "b" },
	],
	actions: [4, 5],
	picture: { width: 9 },
	goal: "g",
	sealed: "s",
	recent: [],
	items: [
		{ id: "p:1", x: 1 },
		{ id: "p:2", x: 2 },
		{ id: "p:3", x: 3 },
	],
};

test("the first view is complete", () => {
	assert.deepEqual(merged(undefined, first).items, first.items);
});

test("a patch takes away, changes and puts in at its places, and leaves the view before as it was", () => {
	const before = structuredClone(first);
	const patch = {
		gone: ["p:2"],
		put: [
			[0, { id: "p:9", x: 9 }],
			[2, { id: "p:1", x: 8 }],
		],
	};
	const now = merged(before, { v: 2, log: [], logFrom: 2, patch });
	assert.deepEqual(now.items, [
		{ id: "p:9", x: 9 },
		{ id: "p:3", x: 3 },
		{ id: "p:1", x: 8 },
	]);
	assert.deepEqual(before, first);
	assert.deepEqual([now.picture, now.goal, now.sealed, now.recent], [first.picture, "g", "s", first.recent]);
});

test("the log goes on where the server says, also after a takeback", () => {
	const longer = merged(first, { v: 2, logFrom: 2, log: [{ n: 2, actor: 1, text: "c" }], actions: [6] });
	assert.deepEqual(
		longer.log.map(({ text }) => text),
		["a", "b", "c"],
	);
	assert.deepEqual(longer.actions, [4, 5, 6]);
	const taken = merged(longer, { v: 3, logFrom: 1, log: [] });
	assert.deepEqual(
		taken.log.map(({ text }) => text),
		["a"],
	);
	assert.deepEqual(taken.items, first.items);
});

let time;
let shown;
let queue;
const move = (v, actor, more = {}) => ({ v, you: [0], log: [{ n: v, actor, text: "" }], logFrom: v, ...more });

beforeEach(() => {
	time = new Time();
	shown = [];
	queue = new ViewQueue(
		(news) => shown.push(news.v),
		() => shown.push("pressed"),
	);
});
afterEach(() => {
	time.end();
	document.hidden = false;
	root.dataset.motion = "";
});

test("another player's moves are shown a second apart, one's own at once", () => {
	queue.take(move(1, 1));
	queue.take(move(2, 2));
	queue.take(move(3, 0));
	assert.deepEqual(shown, [1]);
	time.pass(950);
	assert.deepEqual(shown, [1]);
	time.pass(100);
	assert.deepEqual(shown, [1, 2, 3]);
});

test("a second action of the same player comes after half the time", () => {
	queue.take(move(1, 1));
	queue.take(move(2, 1));
	time.pass(550);
	assert.deepEqual(shown, [1, 2]);
});

test("a press shows the present, and is told", () => {
	queue.take(move(1, 1));
	queue.take(move(2, 2));
	queue.take(move(3, 1));
	fire("pointerdown");
	assert.deepEqual(shown, [1, 2, 3, "pressed"]);
	time.pass(5000);
	assert.deepEqual(shown, [1, 2, 3, "pressed"]);
});

test("nothing waits on a page that is hidden, without movement, or with clocks", () => {
	queue.take(move(1, 1));
	queue.take(move(2, 2, { clock: {} }));
	root.dataset.motion = "reduce";
	queue.take(move(3, 1));
	root.dataset.motion = "";
	document.hidden = true;
	queue.take(move(4, 2));
	assert.deepEqual(shown, [1, 2, 3, 4]);
});

test("at most thirty views wait", () => {
	for (let v = 1; v <= 32; v++) queue.take(move(v, 1 + (v % 2)));
	assert.equal(shown.length, 32);
});
