// @ts-check
// A page of a static site: its addresses, and requests and sockets that Python answers in a worker.
import { inBrowser, ownWorker, sharedWorker } from "../static/base/granted.js";
import { answerOf, begin, begunAt, made, viewOf } from "./openings.js";
import { keepInTab, rowsOfTab } from "./store.js";

const root = document.documentElement;
const version = root.dataset.site ?? "";
const home = new URL("..", import.meta.url).href;
const OWN = /^\/(t|replay|verify)\/([^?#]+)\??([^#]*)(.*)/; // pages of a table: it is in the query
const OF_GAME = /^\/(new|rules|learn|edit|position|puzzles)\/([^?#/]+)(.*)/;
const OPTIONS = { type: /** @type {const} */ ("module"), extendedLifetime: true };
const PATIENCE = 1500; // ms that a page has for itself once Python is there
const LONG = 20_000; // ms after which a thinker does not wait for a service worker any more
const SILENT = 20_000; // ms after which a shared worker that says nothing counts as one that cannot start
const PLAIN = /^\/(rules|replay|study|verify|lobby|lab)(?=$|[?#])(.*)/;

/** The address on this site of a path on the server. @param {string} path */
export function at(path) {
	if (path[0] !== "/") return path;
	const [, own, table, query, rest] = path.match(OWN) ?? [];
	if (own) return `${home}${own}.html?table=${table}${query && `&${query}`}${rest}`;
	const [, page, game, more] = path.match(OF_GAME) ?? [];
	if (page) return `${home}${page}-${game}.html${more}`;
	const [, plain, end] = path.match(PLAIN) ?? [];
	return plain ? `${home}${plain}.html${end}` : home + path.slice(1);
}

/** @type {Map<number, (message: FromWorker) => void>} */
const waiting = new Map();
let count = 0;
let isReady = false; // Python is there
let stopped = ""; // the sentence that says why Python cannot come
/** @type {Promise<typeof import("./news.js")> | undefined} one for all lines: imports may end in another order than they began */
let lines;

/** The worker in which Python runs, or the way to it. @type {Worker | MessagePort | undefined} */
let port;
/** What was sent to a worker that has said nothing yet. @type {ToWorker[] | null} */
let unheard = [];

/** @param {ToWorker} message */
function post(message) {
	unheard?.push(message);
	port?.postMessage(message);
}

/** @param {Worker | MessagePort} worker */
function take(worker) {
	port = worker;
	port.onmessage = receive;
	for (const message of unheard ?? []) port.postMessage(message);
}

/** One Python for all pages, where the browser has shared workers. It outlives a change of pages. */
function connect() {
	const url = new URL("python.js", import.meta.url);
	const options = { ...OPTIONS, name: `bridgehead ${version}` };
	const worker = sharedWorker(url, options);
	if (!worker) return connectOwn(url, options);
	const fall = () => {
		if (!unheard) return;
		worker.port.postMessage({ leave: true }); // it may still come
		worker.port.onmessage = null;
		unheard = unheard.filter((message) => !message.leave);
		connectOwn(url, options);
	};
	worker.onerror = fall;
	setTimeout(fall, SILENT);
	worker.port.start();
	take(worker.port);
}

/** A Python of this page alone. @param {URL} url @param {WorkerOptions} options */
function connectOwn(url, options) {
	const worker = ownWorker(url, options);
	if (!worker) return stop("site.failed");
	worker.onerror = () => stop("site.failed");
	addEventListener("pagehide", () => worker.terminate());
	take(worker);
}

/** Python cannot come. @param {string} key */
function stop(key) {
	stopped = key;
	news(key);
}

/** @param {MessageEvent<FromWorker>} event */
function receive({ data }) {
	unheard = null;
	if (data.n) waiting.get(data.n)?.(data);
	else if (data.rows) keepInTab(data.rows);
	else if (data.end !== undefined) think(data.end);
	else if (data.help !== undefined) assist(data.help);
	else news(data.state ?? "", data);
	if (data.done) soon();
	if (data.state === "ready" && !data.n) {
		isReady = true;
		if (!data.lasts) news("site.not_kept");
		setTimeout(later, PATIENCE);
	}
}

/**
 * Sends a message with a number, under which `take` gets every answer.
 * @param {ToWorker} message @param {(message: FromWorker) => void} take
 */
function open(message, take) {
	const n = ++count;
	waiting.set(n, take);
	post({ ...message, n });
	return n;
}

const rows = rowsOfTab();
if (rows) post({ rows: JSON.parse(rows) });
if (typeof WebAssembly === "object") connect();
else stop("site.no_wasm");
addEventListener("pagehide", () => post({ leave: true }));
addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // the worker has forgotten this page

/** Fetches what the next page loads, while Python is on its way. */
function soon() {
	for (const link of document.querySelectorAll("link[data-soon]")) {
		link.removeAttribute("data-soon");
		link.setAttribute("rel", "prefetch");
	}
}

/** The workers in which Python thinks: the page's own at 0, those that help it at others. @type {Map<number, Worker>} */
const thinkers = new Map();
const AT_ONCE = Math.min(2, navigator.hardwareConcurrency); // that an analysis keeps busy
let helping = 0; // the number under which help was asked for, 0 if it is not wanted

/** What can wait until the first move. The thinker comes after the service worker, which then has its files. */
async function later() {
	const { settled } = await import("./offline.js");
	await Promise.race([settled, new Promise((done) => setTimeout(done, LONG))]);
	const { keptStart, mayKeepStart } = await import("./image.js");
	if (table || ((await mayKeepStart()) && !(await keptStart()))) think();
}

/**
 * Starts a worker in which Python thinks, or again. At 0: levels think for a table; other pages have one only until it has kept
 * an image.
 */
function think(place = 0) {
	thinkers.get(place)?.terminate();
	const name = place ? "helper" : table ? "thinker" : "image";
	const thinker = ownWorker(new URL("thinker.js", import.meta.url), { type: "module", name });
	if (!thinker) return; // then Python thinks where the tables are
	thinkers.set(place, thinker);
	const help = place && helping;
	let came = false;
	thinker.onmessage = ({ ports: [given] }) => {
		came = true;
		port?.postMessage({ thinker: given, place, help }, [given]);
	};
	thinker.onerror = ({ message }) => {
		post({ lost: message ?? "", place });
		if (came) think(place); // one that cannot even start would not the next time either
	};
}

/** Starts workers that help with an analysis, or ends them. @param {number} number 0: ends them */
function assist(number) {
	helping = number;
	for (let place = 1; place <= AT_ONCE - (table ? 1 : 0); place++)
		if (number) think(place);
		else thinkers.get(place)?.terminate();
}

/** @param {string} key @param {FromWorker} [more] */
async function news(key, more) {
	lines ||= import("./news.js");
	(await lines).show(key, more);
}

/** What waits for a Python that cannot come: it gets no answer, and the page shows why. @returns {Promise<never>} */
async function refuse() {
	lines ||= import("./news.js");
	(await lines).point(stopped);
	return new Promise(() => {});
}

/** Like `fetch`: Python answers what begins with /api/. @param {string} url @param {RequestInit} [init] */
async function request(url, init = {}) {
	if (!url.startsWith("/api/")) return fetch(at(url), init);
	const { method = "GET", body = "" } = init;
	const known = await prepared(method, url, String(body));
	if (known !== undefined) return new Response(known, { headers: { "content-type": "application/json" } });
	if (stopped) return refuse();
	const sent = /** @type {ToWorker} */ ({ request: [method, url, String(body), root.lang] });
	const { answer } = await new Promise((resolve) => {
		const n = open(sent, (message) => {
			waiting.delete(n);
			resolve(message);
		});
	});
	const [status, type, content] = answer;
	return new Response(content, { status, headers: { "content-type": type } });
}

/** What need not wait for Python. @param {string} method @param {string} url @param {string} body */
async function prepared(method, url, body) {
	if (url === "/api/tables" && !isReady && !stopped) return begin(body);
	return answerOf(method, url, body);
}

/** Like a WebSocket to a table, which is in the worker. */
class Socket {
	static OPEN = WebSocket.OPEN;
	readyState = 0;
	/** @type {() => void} */
	onopen = () => {};
	/** @type {(event: { data: string }) => void} */
	onmessage = () => {};
	/** @type {() => void} */
	onclose = () => {};
	known = false; // the page has the links of its game

	constructor() {
		this.n = open({ open: true }, ({ text, state }) => {
			if (begun && text && JSON.parse(text).t === "view") {
				made(table);
				begun = undefined;
			}
			this.take(text, state);
		});
		if (begun && !isReady) viewOf(table, begun).then((view) => this.show(view));
	}

	/** The first view of a table that Python has still to make. @param {string | undefined} view */
	show(view) {
		if (!view || isReady || this.readyState) return;
		this.take(undefined, "open");
		this.take(view);
	}

	/** @param {string} [text] @param {string} [state] */
	take(text, state) {
		if (state === "open") {
			if (this.readyState) return; // its first view was prepared
			this.readyState = WebSocket.OPEN;
			this.onopen();
		} else if (text === undefined) {
			this.end();
			if (!this.known && table) import("./damaged.js").then(({ look }) => look(table)); // Python closes where it cannot read
		} else {
			this.known ||= named(text);
			this.onmessage({ data: text });
		}
	}

	/** @param {string} text */
	send(text) {
		post({ n: this.n, text });
		if (!isReady && JSON.parse(text).t === "act") news("site.chosen");
	}

	close() {
		post({ n: this.n, close: true });
		this.end();
	}

	end() {
		if (!waiting.delete(this.n)) return;
		this.readyState = WebSocket.CLOSED;
		this.onclose();
	}
}

/** What pages keep by name where the browser keeps nothing: as long as the tab. @type {Partial<Stored>} */
const memory = new Proxy(
	{},
	{
		get: (_, name) => JSON.parse(inBrowser.read(`bridgehead.${String(name)}`) ?? "null") ?? undefined,
		set: (_, name, value) => inBrowser.write(`bridgehead.${String(name)}`, JSON.stringify(value)) || true,
	},
);
if (!inBrowser.lasts) window.bridgeheadTheme?.(memory.prefs ?? {}); // first.js, which comes first, could not know them

window.site = { href: at, fetch: request, WebSocket: Socket, memory: inBrowser.lasts ? undefined : memory };

// What the server would have put into the page is in its address.
const asked = new URLSearchParams(location.search);
const main = document.querySelector("main");
const table = asked.get("table") ?? "";
let begun = table ? begunAt(table) : undefined;
if (begun) post({ begin: [begun.wish, table, begun.tokens, begun.host] });
/** Changes the links of the page. @param {string} links @param {string} path on the server */
const lead = (links, path) => {
	for (const link of document.querySelectorAll(links)) link.setAttribute("href", at(path));
};

/** The first message about a table says which game it is. @param {string} text */
function named(text) {
	const { t, game } = JSON.parse(text);
	if (t !== "view") return false;
	lead('a[data-t="rules"]', `/rules/${game}?table=${table}`);
	lead('a[data-t="new_game"]', `/new/${game}?like=${table}`);
	return true;
}

if (main?.dataset.table === "" && table) {
	main.dataset.table = table;
	lead('a[data-t="replay"]', `/replay/${table}`);
}
if (main?.dataset.mode) {
	main.dataset.mode = asked.get("mode") === "computer" ? "computer" : "here";
	main.dataset.likeTable = asked.get("like") ?? "";
}
if (document.querySelector("body.home")) import("./kept.js");
