// @ts-check
// The worker of a static site: Python answers the requests and the sockets of its pages.
import { channel, takeLock } from "../static/base/granted.js";
import { boot, Loading } from "./boot.js";
import "./image.js"; // a module of boot.js, asked for with it
import { file, rules } from "./rules.js";
import { Memory, Store } from "./store.js";
import "./xz.js"; // another

const LOCK = "bridgehead"; // whoever has it writes to the store
const others = channel(LOCK); // other workers that want to write
const isShared = "onconnect" in self;
/** @type {Promise<Store | Memory>} */
const store = Store.open().catch(() => new Memory((rows) => spread({ rows })));

/** @typedef {{ postMessage(message: FromWorker, transfer?: Transferable[]): void }} Port */
/** The pages, each with its sockets, and its thinkers at 0 and below. @type {Map<Port, Map<number, InPython>>} */
const pages = new Map();
/** What a page that comes now has to know. @type {FromWorker} */
let state = { state: "site.loading" };

/** @param {FromWorker} news */
function spread(news) {
	for (const port of pages.keys()) port.postMessage(news);
}

/** Also tells pages that come later. @param {FromWorker} news */
function tell(news) {
	state = news;
	spread(news);
}

/** Waits until no other worker writes to the store: one of another version, or one of a browser without shared workers. */
const alone = () =>
	takeLock(LOCK, () => {
		others?.postMessage("give way");
		tell({ state: "site.held" });
	});

let isWanted = false; // another worker wants to write
function giveWay() {
	if (isWanted && !pages.size) self.close(); // it only waits for a page to come back
}
if (others)
	others.onmessage = () => {
		isWanted = true;
		giveWay();
	};

/** What Python has of the browser. */
const browser = {
	rows: async (/** @type {string} */ table) => (await store).rows(table),
	tables: async () => (await store).tables(),
	keep: async (/** @type {string} */ json) => {
		try {
			await (await store).keep(json);
		} catch (error) {
			const { name } = /** @type {DOMException} */ (error);
			if (name !== "ConstraintError") spread({ state: name === "QuotaExceededError" ? "site.full" : "site.not_kept" });
			throw error;
		}
	},
	help: (/** @type {number} */ help) => {
		const known = [...pages.keys()];
		for (const page of help ? known.slice(-1) : known) page.postMessage({ help });
		return known.length > 0;
	},
	rules,
	file,
};

/** @returns {Promise<Host>} */
async function start() {
	let begun = false;
	const progress = (/** @type {number} */ done, /** @type {number} */ of) => begun && tell({ state: "site.loading", done, of });
	const loading = new Loading(progress, !isShared); // without shared workers, the next page starts another one at once
	await alone();
	begun = true;
	tell({ state: "site.loading" });
	const python = await boot(loading);
	const host = python.pyimport("bridgehead.site.host").open_host(browser);
	tell({ state: "ready", lasts: (await store) instanceof Store });
	return host;
}

let starting = start();
starting.catch((error) => {
	console.error(error);
	tell({ state: "site.failed", text: String(error) });
});

/** @param {Port} port @param {ToWorker} message */
async function receive(port, message) {
	const { n = 0, request, place = 0, help = 0 } = message;
	const sockets = pages.get(port) ?? new Map();
	if (message.leave) {
		pages.delete(port);
		for (const each of sockets.values()) each.close();
		giveWay();
		return;
	}
	if (message.rows) {
		const kept = await store;
		if (kept instanceof Memory) kept.add(message.rows);
		return;
	}
	if (message.begin) starting = begin(starting, message.begin); // what the page sends next is for that table
	const host = await starting;
	if (message.thinker) sockets.set(-place, join(host, port, message.thinker, place, help));
	else if (message.lost !== undefined) sockets.get(-place)?.fail?.(message.lost);
	else if (!n) return;
	else if (request) port.postMessage({ n, answer: await answer(host, request) });
	else if (message.open) {
		sockets.set(
			n,
			host.connect((/** @type {string | null} */ text) => port.postMessage({ n, ...(text !== null && { text }) })),
		);
		port.postMessage({ n, state: "open" });
	} else if (message.close) {
		sockets.get(n)?.close();
		sockets.delete(n);
	} else sockets.get(n)?.receive(message.text ?? "");
}

/**
 * Makes a table that a page shows already, before the worker reads anything else.
 * @param {Promise<Host>} started @param {[string, string, string, string]} wish
 */
async function begin(started, wish) {
	const host = await started;
	await host.begin(...wish).catch((error) => console.error(error)); // its page hears that there is no such table
	return host;
}

/**
 * A page's thinker takes part.
 * @param {Host} host @param {Port} page @param {MessagePort} port @param {number} place @param {number} help
 */
function join(host, page, port, place, help) {
	const thinker = host.think(
		(request) => port.postMessage(request),
		() => page.postMessage({ end: place }),
		help,
	);
	port.onmessage = ({ data }) => thinker.receive(data);
	return thinker;
}

/** @param {Host} host @param {[string, string, string, string]} request @returns {Promise<Answered>} */
async function answer(host, request) {
	try {
		const made = await host.request(...request);
		const [status, type, content] = made.toJs();
		made.destroy();
		return [status, type, content];
	} catch (error) {
		console.error(error);
		return [500, "application/json", JSON.stringify({ error: String(error) })];
	}
}

/** @param {Port & { onmessage: unknown }} port */
function connect(port) {
	pages.set(port, new Map());
	port.onmessage = (/** @type {MessageEvent<ToWorker>} */ { data }) => receive(port, data);
	port.postMessage(state);
}

const scope = /** @type {{ onconnect?: unknown }} */ (/** @type {unknown} */ (self));
if (isShared) scope.onconnect = (/** @type {MessageEvent} */ { ports: [port] }) => connect(port);
else connect(/** @type {Port & { onmessage: unknown }} */ (/** @type {unknown} */ (self)));
