import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { fire } from "./setup.js";

const { FrameTask } = await import("../../src/bridgehead/web/static/base/frame_task.js");

let frames;
let life;
let done;
let task;

beforeEach(() => {
	frames = new Map();
	globalThis.requestAnimationFrame = (work) => frames.set(frames.size + 1, work).size;
	globalThis.cancelAnimationFrame = (frame) => frames.delete(frame);
	document.hidden = false;
	life = new AbortController();
	done = 0;
	task = new FrameTask(() => {
		done += 1;
	}, life.signal);
});
const draw = () => {
	for (const [frame, work] of [...frames]) {
		frames.delete(frame);
		work();
	}
};

test("what is asked for several times is done once, in the next frame", () => {
	for (let i = 0; i < 5; i++) task.ask();
	assert.equal(done, 0);
	draw();
	assert.equal(done, 1);
	draw();
	assert.equal(done, 1);
	task.ask();
	draw();
	assert.equal(done, 2);
});

test("what is done now is not done again in the frame, and nothing is done that nobody asked for", () => {
	task.now();
	assert.equal(done, 0);
	task.ask();
	task.now();
	assert.equal(done, 1);
	draw();
	assert.equal(done, 1);
});

test("a page that is hidden has no frames: its work is done all the same, and still once", async () => {
	task.ask();
	document.hidden = true;
	fire("visibilitychange");
	assert.equal(done, 1);
	task.ask();
	task.ask();
	assert.equal(done, 1);
	await null;
	assert.equal(done, 2);
	assert.equal(frames.size, 0);
});

test("after its end nothing is done", () => {
	task.ask();
	life.abort();
	draw();
	task.now();
	assert.equal(done, 0);
});

test("work that asks again is done again in the frame after it", () => {
	const again = new FrameTask(() => {
		done += 1;
		if (done === 1) again.ask();
	}, life.signal);
	again.ask();
	draw();
	assert.equal(done, 1);
	draw();
	assert.equal(done, 2);
});
