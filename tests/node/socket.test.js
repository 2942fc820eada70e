import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { fire, Time } from "./setup.js";

let time;
let sockets;
class Socket {
	static OPEN = 1;
	readyState = 0;
	sent = [];

	constructor() {
		sockets.push(this);
	}

	open() {
		this.readyState = 1;
		this.onopen();
	}

	send(text) {
		this.sent.push(JSON.parse(text));
	}

	give(message) {
		this.onmessage({ data: JSON.stringify(message) });
	}

	close() {
		this.readyState = 3;
		this.onclose?.();
	}
}
globalThis.WebSocket = Socket;
const { Connection } = await import("../../src/bridgehead/web/static/base/socket.js");
const view = { t: "view", v: 1, mark: "m", actor: 0, you: [0] };
const sentBy = (socket, kind) => socket.sent.filter(({ t }) => t === kind);

let states;
let line;
beforeEach(() => {
	time = new Time();
	sockets = [];
	states = [];
	line = new Connection({ t: "hello", table: "T" }, { state: (state) => states.push(state), view() {}, ack() {}, bye() {} });
	sockets[0].open();
	sockets[0].give(view);
});
afterEach(() => {
	clearInterval(line.pulse);
	line.isOver = true;
	time.end();
});

/** Passes time on a line that answers pings, or does not. */
function pass(ms, answers = true) {
	for (let left = ms; left > 0; left -= 100) {
		const socket = sockets.at(-1);
		const pings = sentBy(socket, "ping").length;
		time.pass(100);
		if (answers && sentBy(socket, "ping").length > pings) socket.give({ t: "pong", n: 1 });
	}
}

test("a line that answers is never called silent, and one that freezes is within three seconds", () => {
	pass(20_000);
	assert.deepEqual(states, ["open"]);
	pass(2400, false);
	pass(600, false);
	assert.deepEqual(states, ["open", "silent"]);
	sockets[0].give({ t: "pong", n: 1 });
	assert.deepEqual(states, ["open", "silent", "open"]);
});

test("a dead line is replaced after fifteen seconds, with what was seen last", () => {
	pass(15_600, false);
	assert.equal(sockets.length, 2);
	assert.deepEqual(states, ["open", "silent", "lost"]);
	sockets[1].open();
	assert.deepEqual(sockets[1].sent[0], { t: "hello", table: "T", last: 1, mark: "m" });
	sockets[0].give(view);
	assert.deepEqual(states.at(-1), "lost", "the old line is no longer heard");
	sockets[1].give(view);
	assert.equal(states.at(-1), "open");
});

test("a page that is seen again asks its line at once, and gives it three seconds", () => {
	const pings = sentBy(sockets[0], "ping").length;
	fire("pageshow");
	assert.equal(sentBy(sockets[0], "ping").length, pings + 1);
	pass(3500, false);
	assert.equal(sockets.length, 2);
});

test("a sleep of the device is noticed by the time that passed between two looks", () => {
	pass(2000);
	const pings = sentBy(sockets[0], "ping").length;
	const beat = line.beaten;
	line.beaten = beat - 60_000;
	time.pass(450);
	assert.ok(sentBy(sockets[0], "ping").length > pings);
	pass(3500, false);
	assert.equal(sockets.length, 2);
});

test("a lost line fails what waits for an answer, and sends the unconfirmed action again with its key", () => {
	const ends = [];
	line.ask(
		{ t: "hint", v: 1 },
		() => ends.push("answered"),
		() => ends.push("failed"),
	);
	line.submit({ t: "act", a: 7, v: 1 });
	const [{ k }] = sentBy(sockets[0], "act");
	sockets[0].close();
	assert.deepEqual(ends, ["failed"]);
	line.ask(
		{ t: "hint", v: 1 },
		() => ends.push("answered"),
		() => ends.push("failed too"),
	);
	time.pass(400);
	assert.deepEqual(ends, ["failed", "failed too"], "nor does anything wait for a line that is not there");
	sockets[1].open();
	sockets[1].give(view);
	assert.deepEqual(sentBy(sockets[1], "act"), [{ t: "act", a: 7, v: 1, k }]);
	line.ask(
		{ t: "hint", v: 1 },
		({ t }) => ends.push(t),
		() => ends.push("failed"),
	);
	sockets[1].give({ t: "hint", k: sentBy(sockets[1], "hint")[0].k });
	assert.equal(ends.at(-1), "hint");
});

test("queued messages go out one after another, each made at its moment", () => {
	let v = 1;
	line.submit({ t: "act", a: 1, v });
	for (const what of ["one", "two"]) line.queue(() => ({ t: "ask", what, v: v++ }));
	assert.equal(sentBy(sockets[0], "ask").length, 0);
	const answer = () => sockets[0].give({ t: "ack", k: line.pending.k });
	answer();
	time.pass(200);
	assert.deepEqual(
		sentBy(sockets[0], "ask").map((each) => [each.what, each.v]),
		[["one", 1]],
	);
	time.pass(5000);
	assert.equal(sentBy(sockets[0], "ask").length, 1);
	answer();
	time.pass(200);
	assert.deepEqual(
		sentBy(sockets[0], "ask").map((each) => [each.what, each.v]),
		[
			["one", 1],
			["two", 2],
		],
	);
});

test("presses that were meant for the view before do not count, and a server that closes for good is left", () => {
	sockets[0].give({ ...view, actor: 1 });
	assert.ok(line.ready);
	sockets[0].give({ ...view, actor: 0 });
	assert.ok(!line.ready);
	time.pass(450);
	assert.ok(line.ready);
	sockets[0].give({ t: "bye", text: "Over." });
	sockets[0].close();
	pass(30_000, false);
	assert.deepEqual([states.at(-1), sockets.length], ["closed", 1]);
});

test("a server that asks a page to come back is gone back to at that time", () => {
	sockets[0].give({ t: "bye", text: "Late.", retry: 1000 });
	sockets[0].close();
	time.pass(900);
	assert.deepEqual([states.at(-1), sockets.length], ["lost", 1]);
	time.pass(200);
	assert.equal(sockets.length, 2);
});
