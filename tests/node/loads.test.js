import assert from "node:assert/strict";
import { test } from "node:test";
import "./setup.js";

const { later } = await import("../../src/bridgehead/web/static/base/dom.js");
const { inDays, t } = await import("../../src/bridgehead/web/static/base/i18n.js");
const failure = new TypeError("Importing a module script failed."); // as Safari says it, without an address

/** A load that fails so many times; its calls are counted. */
function failing(times, error = failure) {
	const load = async () => {
		load.calls++;
		if (load.calls > times) return "module";
		throw error;
	};
	load.calls = 0;
	return load;
}

test("a module that fails once or twice is asked for again, and nothing is missed", async () => {
	const missed = [];
	globalThis.bridgeheadMissing = (url) => missed.push(url);
	for (const times of [0, 1, 2]) {
		const load = failing(times);
		assert.equal(await later(load), "module");
		assert.equal(load.calls, times + 1);
	}
	assert.deepEqual(missed, []);
});

test("a module that fails for ever is missed once, and its error goes on", async () => {
	const missed = [];
	globalThis.bridgeheadMissing = (url) => missed.push(url);
	await assert.rejects(later(failing(9)), failure);
	assert.deepEqual(missed, [""]);
	delete globalThis.bridgeheadMissing;
	await assert.rejects(later(failing(9)), failure, "also without the script that says it");
});

test("a module that came and has a fault of its own is not asked for again", async () => {
	const load = failing(9, new TypeError("x is undefined"));
	await assert.rejects(later(load), /x is undefined/);
	assert.equal(load.calls, 1);
});

test("sentences have their values, and a key without a sentence stays", () => {
	assert.equal(t("minutes", { n: 3 }), "3 min");
	assert.equal(t("no_such_key"), "no_such_key");
	assert.equal(t("minutes"), "{n} min");
});

test("a long span has its two largest units", () => {
	const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
	assert.deepEqual([0, MINUTE, HOUR + 2 * MINUTE, 3 * HOUR].map(inDays), ["1 min", "1 min", "1 h 2 min", "3 h"]);
	assert.equal(inDays(2 * DAY + HOUR + MINUTE), "days 1 h");
});
