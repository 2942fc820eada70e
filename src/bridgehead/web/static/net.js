// The line to the table: reconnects, and sends the one action not yet confirmed again, with the same key.

const LATE = 400; // ms after the turn passed in which a click was meant for what stood there before
const AGAIN = 100; // ms after which a wish is tried again while something else waits for its answer

const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Net {
	// on: view, why, rej, ack: each takes the message; state: "open", "lost" or "closed", and a sentence.
	constructor(hello, on) {
		Object.assign(this, { hello, on, tries: 0, pending: null, guard: 0, whispered: new Map() });
		this.connect();
		this.pulse = setInterval(() => this.beat(), 10000);
		const retry = () => { if (this.wait && !document.hidden) this.connect(); };
		addEventListener("online", retry);
		document.addEventListener("visibilitychange", retry);
	}

	connect() {
		clearTimeout(this.wait);
		const socket = new WebSocket(`${location.protocol.replace("http", "ws")}//${location.host}/ws?table=${this.hello.table}`);
		Object.assign(this, { socket, wait: 0, heard: Date.now(), greeted: false });
		socket.onopen = () => this.send({ ...this.hello, ...this.seen });
		socket.onmessage = ({ data }) => { if (socket === this.socket) this.receive(JSON.parse(data)); };
		socket.onclose = () => { if (socket === this.socket) this.lost(); };
	}

	lost() {
		this.socket = null;
		if (!this.pulse) return;
		this.on.state("lost");
		this.wait = setTimeout(() => this.connect(), this.later || Math.min(8000, 300 * 2 ** this.tries++) * (0.5 + Math.random() / 2));
		this.later = 0;
	}

	beat() {
		if (!this.socket) return;
		if (Date.now() - this.heard < 25000) { this.send({ t: "ping", n: 1 }); return; }
		const dead = this.socket;
		this.lost();
		dead.close();
	}

	send(message) {
		if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
	}

	get ready() {
		return !this.pending && performance.now() >= this.guard;
	}

	submit(message) {
		if (this.pending) return;
		this.pending = { ...message, k: newKey() };
		this.send(this.pending);
	}

	// Says it once nothing else waits for its answer; `make` gives the message as it is by then.
	wish(make) {
		if (this.pending) setTimeout(() => this.wish(make), AGAIN);
		else this.submit(make());
	}

	why(touch) {
		this.send({ t: "why", touch, k: newKey() });
	}

	// Something the page says by itself: the answer goes to `heard` alone.
	whisper(message, heard) {
		const k = newKey();
		this.whispered.set(k, heard);
		this.send({ ...message, k });
	}

	receive(message) {
		this.heard = Date.now();
		if (this.whispered.has(message.k)) {
			this.whispered.get(message.k)(message);
			this.whispered.delete(message.k);
			return;
		}
		if (message.k && message.k === this.pending?.k) this.pending = null;
		if (message.t === "view") this.receiveView(message);
		else if (message.t === "lag") this.send(message); // so the server knows how long the line is
		else if (message.retry) this.later = message.retry; // the server stops, and says when to come back
		else if (message.t === "bye") {
			clearInterval(this.pulse);
			this.pulse = 0;
			this.on.state("closed", message.text);
			this.on.bye?.(message);
		} else this.on[message.t]?.(message);
	}

	receiveView(view) {
		if (this.actor !== undefined && this.actor !== view.actor && view.you.includes(view.actor)) this.guard = performance.now() + LATE;
		this.actor = view.actor;
		this.seen = { last: view.v, mark: view.mark };
		this.on.view(view);
		if (this.greeted) return;
		Object.assign(this, { greeted: true, tries: 0 });
		this.on.state("open");
		if (this.pending) this.send(this.pending);
	}
}
