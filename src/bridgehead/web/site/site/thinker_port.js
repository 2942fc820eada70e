// @ts-check
// The second Python, which thinks: started when it is first needed, and left behind when its answer is not wanted.
/** @typedef {{ resolve(text: string): void, reject(error: Error): void }} Asked */

export class Thinker {
	/** @type {MessagePort | Worker | null} */
	port = null;
	/** @type {{ n: number, ask: [string, string] }[]} */
	queue = []; // asked before the worker is there
	/** @type {Map<number, Asked>} */
	asked = new Map();
	count = 0;
	name = ""; // of the shared worker

	/**
	 * page: any page, as shared workers cannot start workers themselves.
	 * @param {() => { postMessage(message: FromWorker): void } | undefined} page
	 */
	constructor(page) {
		this.page = page;
	}

	/** @param {string} name @param {string} json @returns {Promise<string>} */
	ask(name, json) {
		const n = ++this.count;
		return new Promise((resolve, reject) => {
			this.asked.set(n, { resolve, reject });
			this.queue.push({ n, ask: [name, json] });
			if (this.port) this.flush();
			else this.start();
		});
	}

	start() {
		if (self.Worker) this.take(new Worker(new URL("thinker.js", import.meta.url), { type: "module" }));
		else if (!this.name) {
			this.name = `bridgehead thinker ${Math.random()}`;
			this.page()?.postMessage({ thinker: this.name }); // or the next page that comes
		}
	}

	/** @param {MessagePort | Worker} port */
	take(port) {
		this.port = port;
		port.onmessage = ({ data: { n, text, error } }) => {
			const asked = this.asked.get(n);
			this.asked.delete(n);
			if (error) asked?.reject(new Error(error));
			else asked?.resolve(text);
		};
		this.flush();
	}

	flush() {
		for (const each of this.queue) this.port?.postMessage(each);
		this.queue = [];
	}

	/** Ends everything that is being thought about. */
	stop() {
		if (this.port instanceof MessagePort) this.port.postMessage({ end: true });
		else this.port?.terminate();
		this.port = null;
		this.name = "";
		for (const { reject } of this.asked.values()) reject(Object.assign(new Error("stopped"), { name: "AbortError" }));
		this.asked.clear();
		this.queue = [];
	}
}
