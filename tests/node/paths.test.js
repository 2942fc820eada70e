import assert from "node:assert/strict";
import { test } from "node:test";
import "./setup.js";

const { ClickPaths } = await import("../../src/bridgehead/web/static/board/paths.js");
const items = new Map([
	["p:1", { id: "p:1", at: "f:a" }],
	["p:2", { id: "p:2", at: "f:b" }],
]);
const choice = (action, ...path) => ({ action, path, label: `${action}` });

function pathsOf(...choices) {
	const paths = new ClickPaths();
	paths.reset(choices);
	return paths;
}

test("two touches of the only action from a piece: a step, then the act", () => {
	const paths = pathsOf(choice(1, "p:1", "f:c"), choice(2, "p:1", "f:d"), choice(3, "p:2", "f:d"));
	assert.equal(paths.touch("p:1", items), "step");
	assert.deepEqual([...paths.next().keys()], ["f:c", "f:d"]);
	assert.equal(paths.touch("f:c", items), "act");
	assert.equal(paths.complete[0].action, 1);
});

test("a field means the one thing on it, and a thing its field", () => {
	const paths = pathsOf(choice(1, "p:1", "f:b"), choice(2, "p:1", "f:c"));
	assert.equal(paths.touch("f:a", items), "step");
	assert.deepEqual(paths.prefix, ["p:1"]);
	assert.equal(paths.touch("p:2", items), "act");
	assert.deepEqual(paths.prefix, ["p:1", "f:b"]);
});

test("what cannot be touched is refused, and changes nothing", () => {
	const paths = pathsOf(choice(1, "p:1", "f:c"));
	assert.equal(paths.touch("f:z", items), "no");
	assert.deepEqual(paths.prefix, []);
});

test("the same thing again takes the touch back; another beginning begins again", () => {
	const paths = pathsOf(choice(1, "p:1", "f:c"), choice(2, "p:1", "f:d"), choice(3, "p:2", "f:d"), choice(4, "p:2", "f:e"));
	paths.touch("p:1", items);
	assert.equal(paths.touch("p:1", items), "back");
	assert.deepEqual(paths.prefix, []);
	paths.touch("p:1", items);
	assert.equal(paths.touch("p:2", items), "step");
	assert.deepEqual(paths.prefix, ["p:2"]);
});

test("several actions with the same touches are a question", () => {
	const paths = pathsOf(choice(1, "p:1", "f:c"), choice(2, "p:1", "f:c"));
	paths.touch("p:1", items);
	assert.equal(paths.touch("f:c", items), "choice");
	assert.deepEqual(
		paths.complete.map(({ action }) => action),
		[1, 2],
	);
});

test("an action that is also the beginning of a longer one waits for a second touch", () => {
	const paths = pathsOf(choice(1, "p:1", "f:c"), choice(2, "p:1", "f:c", "f:d"));
	paths.touch("p:1", items);
	assert.equal(paths.touch("f:c", items), "choice");
	assert.equal(paths.touch("f:c", items), "act");
});

test("a target counts its actions, and shows the kind of the one that ends there", () => {
	const paths = pathsOf({ ...choice(1, "f:c", "f:d"), kind: "leap" }, { ...choice(2, "f:c"), kind: "take" }, choice(3, "f:e"));
	assert.deepEqual(paths.next().get("f:c"), { count: 2, kind: "take", last: true });
	assert.deepEqual(paths.next().get("f:e"), { count: 1, kind: "go", last: true });
});

test("the only, the sole and the rare actions", () => {
	const paths = pathsOf(choice(1, "p:1", "f:c"), choice(2, "p:1", "!x"));
	assert.equal(paths.only, null);
	assert.equal(paths.sole, null);
	assert.equal(pathsOf(choice(1, "f:c"), choice(2, "!pass")).sole.action, 1);
	paths.reset([choice(1, "p:1", "f:c"), choice(2, "p:2", "f:c")]);
	paths.touch("p:1", items);
	assert.equal(paths.only.action, 1);
	const rare = pathsOf({ ...choice(1, "f:c"), first: true }, choice(2, "f:c"), choice(3, "f:d"));
	assert.deepEqual(
		rare.rare.map(({ action }) => action),
		[2],
	);
});
