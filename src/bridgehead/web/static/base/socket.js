// @ts-check
// The socket to a table. It says within three seconds if nothing comes any more, reconnects, and sends the unconfirmed action
// again with the same key.
import { WebSocket } from "./dom.js";

const LATE = 400; // ms after the turn passed in which a click was meant for the view before
const SOON = 100; // ms from one confirmed message to the next in the queue
const BEAT = 400; // ms between two looks at the line
const [PING, HIDDEN] = [1500, 10_000]; // ms between two pings of a page that is seen, and of one that is not
const SILENT = 2500; // ms without any message after which the page says so
const WAKING = 3000; // ms that an old connection has to answer after a sleep
const [DEAD, GONE] = [15_000, 25_000]; // ms without any message after which a page connects again: one that is seen, and another
const SLEPT = 4000; // ms between two beats after which the device counts as having slept

export const newKey = () => {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

export class Connection {
	tries = 0;
	/** @type {Sent & { k: string } | null} */
	pending = null;
	/** @type {(() => Unsent)[]} */
	waiting = []; // make messages that are sent when no other is pending
	ignoreInputUntil = 0; // no click counts before this time
	later = 0; // ms after which the server asked us to come back
	heard = 0; // when the last message came; also when a connection was begun
	pinged = 0;
	probed = 0; // when an old connection was asked whether it still lives
	beaten = Date.now();
	shown = ""; // the state that the page shows
	greeted = false;
	isOver = false; // the server closed the connection for good
	/** @type {number | undefined} */
	wait;
	/** @type {Line | null} */
	socket = null;
	/** @type {number | undefined} */
	actor;
	/** @type {{ last?: number, mark?: string }} */
	seen = {};
	/** @type {Map<string, { answered: (answer: Received) => void, failed?: () => void }>} */
	asked = new Map();

	/** @param {Extract<Sent, { t: "hello" }>} hello @param {Handlers} on */
	constructor(hello, on) {
		this.hello = hello;
		this.on = on;
		this.connect();
		if (window.site) return; // its worker neither sleeps alone nor gets lost, but may be busy for long
		this.pulse = setInterval(() => this.beat(), BEAT);
		const wake = () => this.wake();
		for (const kind of ["online", "offline", "pageshow"]) addEventListener(kind, wake);
		document.addEventListener("visibilitychange", () => document.hidden || wake());
	}

	connect() {
		clearTimeout(this.wait);
		const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws?table=${this.hello.table}`);
		Object.assign(this, { socket, wait: 0, heard: Date.now(), probed: 0, greeted: false });
		socket.onopen = () => this.send({ ...this.hello, ...this.seen });
		socket.onmessage = ({ data }) => {
			if (socket === this.socket) this.receive(JSON.parse(data));
		};
		socket.onclose = () => {
			if (socket === this.socket) this.lost();
		};
	}

	/** @param {string} state @param {string} [text] */
	show(state, text) {
		if (this.shown === state) return;
		this.shown = state;
		this.on.state(state, text);
	}

	/** No answer will come to what was asked; a pending message is sent again. @param {boolean} [now] connect at once */
	lost(now) {
		this.socket = null;
		const asked = [...this.asked.values()];
		this.asked.clear();
		if (this.isOver) return;
		this.show("lost");
		for (const { failed } of asked) failed?.();
		const wait = now ? 0 : this.later || Math.min(8000, 300 * 2 ** this.tries++) * (0.5 + Math.random() / 2);
		this.wait = setTimeout(() => this.connect(), wait);
		this.later = 0;
	}

	/** Looks at the line, and keeps it busy. */
	beat() {
		const now = Date.now();
		if (now - this.beaten > SLEPT && !document.hidden) this.wake();
		this.beaten = now;
		const { socket, greeted } = this;
		if (!socket) return;
		const silence = now - Math.max(this.heard, this.probed);
		if (this.probed >= this.heard ? silence > WAKING : silence > (document.hidden ? GONE : DEAD)) {
			this.lost(true);
			socket.close();
		} else if (!document.hidden && silence > SILENT) this.show(greeted ? "silent" : "lost");
		if (now - this.pinged >= (document.hidden ? HIDDEN : PING)) this.ping();
	}

	ping() {
		this.pinged = Date.now();
		if (this.greeted) this.send({ t: "ping", n: 1 });
	}

	/** The page is seen again, or the network has changed: connects now, or asks the connection whether it still lives. */
	wake() {
		if (this.wait) this.connect();
		if (!this.greeted) return;
		this.probed = Date.now();
		this.ping();
	}

	/** Connects again, as with tokens that the server does not know of yet. */
	again() {
		this.socket?.close();
	}

	/** Whether there was a line to send it on. @param {Sent} message */
	send(message) {
		if (this.socket?.readyState !== WebSocket.OPEN) return false;
		this.socket.send(JSON.stringify(message));
		return true;
	}

	get ready() {
		return !this.pending && performance.now() >= this.ignoreInputUntil;
	}

	/** Sends a message that is sent again after a reconnection, until it is answered. @param {Unsent} message */
	submit(message) {
		if (this.pending) return;
		this.pending = { ...message, k: newKey() };
		this.send(this.pending);
	}

	/** Submits a message once no other is pending; `make` builds it at that moment. @param {() => Unsent} make */
	queue(make) {
		if (this.pending || this.waiting.length) this.waiting.push(make);
		else this.submit(make());
	}

	/**
	 * Sends a request of the page itself: only `answered` gets the answer, and `failed` is called if none can come any more.
	 * @param {Unsent} message @param {(answer: Received) => void} answered @param {() => void} [failed]
	 */
	ask(message, answered, failed) {
		const k = newKey();
		this.asked.set(k, { answered, failed });
		if (!this.send({ ...message, k }) && failed) setTimeout(() => this.asked.delete(k) && failed(), 0);
	}

	/** @param {Received} message */
	receive(message) {
		this.heard = Date.now();
		if (this.greeted) this.show("open");
		const k = "k" in message ? message.k : "";
		const asked = this.asked.get(k);
		if (asked) {
			asked.answered(message);
			this.asked.delete(k);
			return;
		}
		if (k && k === this.pending?.k) this.confirm();
		const { on } = this;
		if (message.t === "view") this.receiveView(message);
		else if (message.t === "lag")
			this.send(message); // the echo measures the round trip
		else if (message.t === "bye") this.receiveBye(message);
		else if (message.t !== "pong" && message.t !== "why" && message.t !== "hint" && message.t !== "past")
			/** @type {(message: Received) => void} */ (on[message.t])?.(message);
	}

	confirm() {
		this.pending = null;
		const next = () => {
			if (this.pending) return;
			const make = this.waiting.shift();
			if (make) this.submit(make());
		};
		if (this.waiting.length) setTimeout(next, SOON);
	}

	/** The server closes the connection: for good, or until `retry`. @param {Message<"bye">} message */
	receiveBye(message) {
		if (message.retry) {
			this.later = message.retry;
			return;
		}
		clearInterval(this.pulse);
		this.isOver = true;
		this.show("closed", message.text);
		this.on.bye(message);
	}

	/** Ignores presses that were meant for what the page showed before. */
	ignoreInput() {
		this.ignoreInputUntil = performance.now() + LATE;
	}

	/** @param {Message<"view">} view */
	receiveView(view) {
		const { actor, outcome, you } = view;
		if (this.actor !== undefined && this.actor !== actor && (outcome || you.includes(actor))) this.ignoreInput();
		this.actor = actor;
		this.seen = { last: view.v, mark: view.mark };
		this.on.view(view);
		if (this.greeted) return;
		Object.assign(this, { greeted: true, tries: 0 });
		this.show("open");
		if (this.pending) this.send(this.pending);
	}
}
