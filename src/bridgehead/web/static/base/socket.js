// @ts-check
// The socket to a table. It reconnects, and sends the unconfirmed action again with the same key.
import { WebSocket } from "./dom.js";

const LATE = 400; // ms after the turn passed in which a click was meant for the view before
const RETRY = 100; // ms until a queued message is tried again

export const newKey = () => {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

export class Connection {
	tries = 0;
	/** @type {Sent & { k: string } | null} */
	pending = null;
	ignoreInputUntil = 0; // no click counts before this time
	later = 0; // ms after which the server asked us to come back
	heard = 0;
	greeted = false;
	/** @type {number | undefined} */
	wait;
	/** @type {Line | null} */
	socket = null;
	/** @type {number | undefined} */
	actor;
	/** @type {{ last?: number, mark?: string }} */
	seen = {};
	/** @type {Map<string, (answer: Received) => void>} */
	asked = new Map();

	/** @param {Extract<Sent, { t: "hello" }>} hello @param {Handlers} on */
	constructor(hello, on) {
		this.hello = hello;
		this.on = on;
		this.connect();
		this.pulse = setInterval(() => this.beat(), 10000);
		const retry = () => {
			if (this.wait && !document.hidden) this.connect();
		};
		addEventListener("online", retry);
		import("./poll.js").then(({ whenShownAgain }) => whenShownAgain(retry));
	}

	connect() {
		clearTimeout(this.wait);
		const socket = new WebSocket(`${location.origin.replace("http", "ws")}/ws?table=${this.hello.table}`);
		Object.assign(this, { socket, wait: 0, heard: Date.now(), greeted: false });
		socket.onopen = () => this.send({ ...this.hello, ...this.seen });
		socket.onmessage = ({ data }) => {
			if (socket === this.socket) this.receive(JSON.parse(data));
		};
		socket.onclose = () => {
			if (socket === this.socket) this.lost();
		};
	}

	lost() {
		this.socket = null;
		if (!this.pulse) return;
		this.on.state("lost");
		const wait = this.later || Math.min(8000, 300 * 2 ** this.tries++) * (0.5 + Math.random() / 2);
		this.wait = setTimeout(() => this.connect(), wait);
		this.later = 0;
	}

	beat() {
		const { socket } = this;
		if (!socket) return;
		if (Date.now() - this.heard < 25000) {
			this.send({ t: "ping", n: 1 });
			return;
		}
		this.lost();
		socket.close();
	}

	/** Connects again, as with tokens that the server does not know of yet. */
	again() {
		this.socket?.close();
	}

	/** @param {Sent} message */
	send(message) {
		if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
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
		if (this.pending) setTimeout(() => this.queue(make), RETRY);
		else this.submit(make());
	}

	/** @param {string[]} touch */
	why(touch) {
		this.send({ t: "why", touch, k: newKey() });
	}

	/**
	 * Sends a request of the page itself: only `answered` gets the answer.
	 * @param {Unsent} message @param {(answer: Received) => void} answered
	 */
	ask(message, answered) {
		const k = newKey();
		this.asked.set(k, answered);
		this.send({ ...message, k });
	}

	/** @param {Received} message */
	receive(message) {
		this.heard = Date.now();
		const k = "k" in message ? message.k : "";
		const answered = this.asked.get(k);
		if (answered) {
			answered(message);
			this.asked.delete(k);
			return;
		}
		if (k && k === this.pending?.k) this.pending = null;
		const { on } = this;
		if (message.t === "view") this.receiveView(message);
		else if (message.t === "lag")
			this.send(message); // the echo measures the round trip
		else if (message.t === "bye") this.receiveBye(message);
		else if (message.t !== "pong" && message.t !== "hint" && message.t !== "past")
			/** @type {(message: Received) => void} */ (on[message.t])?.(message);
	}

	/** The server closes the connection: for good, or until `retry`. @param {Message<"bye">} message */
	receiveBye(message) {
		if (message.retry) {
			this.later = message.retry;
			return;
		}
		clearInterval(this.pulse);
		this.pulse = 0;
		this.on.state("closed", message.text);
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
		this.on.state("open");
		if (this.pending) this.send(this.pending);
	}
}
