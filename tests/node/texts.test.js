import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { elements, Node, Time } from "./setup.js";

const pages = "../../src/bridgehead/web/static";
const { before, lineOf, wayTo } = await import(`${pages}/study/tree.js`);
const { pack, unpack } = await import(`${pages}/base/link_codec.js`);
const { Announcer } = await import(`${pages}/table/announcer.js`);
const { Clock, figures, inWords } = await import(`${pages}/table/clock.js`);

let time;
afterEach(() => time?.end());

test("the place before another, in the main line and in variations", () => {
	assert.deepEqual(["0", "1", "12", "3.1.1", "3.1.2", "3.2.4.1.1"].map(before), ["", "0", "11", "3", "3.1.1", "3.2.4"]);
});

test("the line and the way to a place", () => {
	const step = (path, text) => ({ path, text });
	const main = { start: "", steps: [step("0", ""), step("1", "a"), step("2", "b")] };
	const other = { start: "1", steps: [step("1.1.1", "x"), step("1.1.2", "y")] };
	assert.equal(lineOf([main, other], "1.1.2"), other);
	assert.equal(lineOf([main, other], "7"), undefined);
	assert.equal(wayTo([main, other], "1.1.2").trim(), "a x y");
	assert.equal(wayTo([main, other], "2").trim(), "a b");
});

test("what is packed comes back, whatever a letter put behind it", async () => {
	for (const data of [{}, [1, "ß\u{1f600}"], { board: Array(2000).fill("stone") }, null]) {
		const text = await pack(data);
		assert.match(text, /^z[\w-]+$/);
		assert.deepEqual(await unpack(`${text}),.`), data);
	}
	assert.deepEqual(await unpack(`j${btoa('{"a":1}').replace(/=+$/, "")}`), { a: 1 });
});

test("a bad, a long or an exploding link is refused", async () => {
	const zeros = new Blob([new Uint8Array(1 << 20)]).stream().pipeThrough(new CompressionStream("deflate"));
	const bomb = Buffer.from(await new Response(zeros).arrayBuffer()).toString("base64url");
	for (const text of ["", "z", "q1234", "z____", "j____", `z${bomb}`])
		await assert.rejects(unpack(text), { message: "link_bad" });
	await assert.rejects(unpack("z".repeat(60_001)), { message: "link_long" });
	await assert.rejects(pack("a".repeat(60_000)), { message: "link_long" });
});

function announcer(table = {}) {
	elements.set("spoken", new Node("div"));
	return new Announcer(table);
}
const spoken = () => elements.get("spoken").children.map((each) => each.textContent);
const line = (n, actor, text) => ({ n, actor, text });

test("each turn is announced whole and in one text", () => {
	const one = announcer();
	one.follow([line(1, 0, "Mine."), line(2, -1, "Blue rolls.")], 1); // seat 1, a computer, goes on
	one.follow([line(2, 1, "Blue walks.")], 1);
	one.follow([line(2, 1, "Blue builds."), line(3, -1, "Red rolls."), line(3, 2, "Red walks.")], 2);
	one.follow([line(4, -1, "I roll.")]);
	one.say("Your turn.");
	assert.deepEqual(spoken(), ["Mine.", "Blue rolls. Blue walks. Blue builds.", "Red rolls. Red walks.", "I roll.", "Your turn."]);
});

test("an unfinished turn is announced after five seconds, and twelve texts stay", () => {
	time = new Time();
	const one = announcer();
	one.follow([line(1, 1, "Blue walks.")], 1);
	time.pass(4900);
	assert.deepEqual(spoken(), []);
	time.pass(200);
	assert.deepEqual(spoken(), ["Blue walks."]);
	for (let i = 0; i < 20; i++) one.say(`${i}`);
	assert.deepEqual(
		spoken(),
		[...Array(12).keys()].map((i) => `${i + 8}`),
	);
});

test("a prompt is announced when it is new and asks this page, and not on a page that has just come", () => {
	const table = { mine: true };
	const one = announcer(table);
	const view = { log: [line(1, 0, "a")], actor: 0, prompt: "Move." };
	one.speak(view, undefined);
	assert.deepEqual(spoken(), []);
	one.speak({ ...view, log: [...view.log, line(2, 1, "b")], prompt: "Again." }, view);
	assert.deepEqual(spoken(), ["b", "Again."]);
	table.mine = false;
	one.speak({ ...view, thinking: true, actor: 1, prompt: "Blue thinks." }, view);
	assert.deepEqual(spoken(), ["b", "Again."]);
	one.speak({ ...view, outcome: { text: "Blue wins." }, ending: { headline: "Over." } }, view);
	assert.equal(spoken().at(-1), "Over. Blue wins.");
});

test("a choice says how it goes on", () => {
	const paths = {
		prefix: ["p:1"],
		next: () =>
			new Map([
				["f:a", {}],
				["f:b", {}],
			]),
		complete: [],
		matching: () => [],
	};
	const table = { paths, board: { items: new Map([["p:1", { label: "Pawn" }]]) }, view: {} };
	const one = announcer(table);
	one.chosen();
	paths.next = () => new Map();
	paths.complete = [{ label: "x" }, { label: "y" }];
	one.chosen();
	paths.prefix = [];
	one.chosen();
	assert.deepEqual(spoken(), ["chosen", "chosen_which", "chosen_none"]);
});

test("times in figures and in words", () => {
	assert.deepEqual([0, 1, 59_001, 60_000, 3_599_999, 3_723_000].map(figures), [
		"0:00",
		"0:01",
		"1:00",
		"1:00",
		"1:00:00",
		"1:02:03",
	]);
	assert.deepEqual([0, 1000, 61_000, 7_320_000].map(inWords), ["0 s", "1 s", "1 min 1 s", "2 h 2 min"]);
});

test("a running clock counts on between views, warns its person once at each mark, and turns low", () => {
	time = new Time();
	const said = [];
	const clock = new Clock({ say: (text) => said.push(text) });
	const face = new Node("b");
	elements.set("seats", { children: [{ querySelector: () => ({ after: () => {} }) }] });
	clock.show({ seats: [{ kind: "person", name: "Ada" }], you: [0], moved: 1, clock: { left: [62_000], running: 0, bank: 600 } });
	clock.faces = [face];
	time.pass(1000);
	assert.equal(face.textContent, "1:01");
	assert.deepEqual([said.length, face.classes.has("low")], [0, false]);
	time.pass(3000);
	assert.deepEqual([said.length, face.textContent], [1, "0:58"]);
	time.pass(45_000);
	assert.deepEqual([said.length, face.classes.has("low")], [2, true], "one more at thirty seconds");
	time.pass(60_000);
	assert.deepEqual([said.length, face.textContent], [3, "0:00"]);
});

test("who thinks long is reminded after each time that the host has set", () => {
	time = new Time();
	const said = [];
	const clock = new Clock({ say: (text) => said.push(text) });
	elements.set("seats", { children: [] });
	clock.show({ seats: [{ kind: "person", name: "Ada" }], you: [0], moved: 1, clock: { nudge: 60, running: 0 } });
	time.pass(59_000);
	assert.deepEqual(said, []);
	time.pass(2000);
	assert.deepEqual(said, ["nudge_you"]);
	time.pass(60_000);
	assert.deepEqual(said, ["nudge_you", "nudge_you"]);
});
