// @ts-check
// Starts Python in a worker. The first start keeps an image of Python's memory, so that later ones take a tenth of the time.

const VERSION = "@VERSION@";
const FOLDER = "/bridgehead"; // where Python has its files
const IMAGES = "bridgehead image ";
const home = new URL("../", import.meta.url);
const real = fetch.bind(self);

/** Fetches files of the site and counts what has come. */
class Loading {
	done = 0;
	of = 0;

	/** @param {(done: number, of: number) => void} progress */
	constructor(progress) {
		this.progress = progress;
	}

	/** @param {string} path @returns {Promise<ReadableStream<Uint8Array<ArrayBuffer>>>} */
	async stream(path) {
		const { ok, status, body, headers } = await real(new URL(path, home));
		if (!ok || !body) throw new Error(`${path}: ${status}`);
		this.of += Number(headers.get("content-length"));
		const count = (/** @type {Uint8Array<ArrayBuffer>} */ bytes, /** @type {TransformStreamDefaultController} */ on) => {
			this.done += bytes.length;
			this.progress(this.done, this.of);
			on.enqueue(bytes);
		};
		return body.pipeThrough(new TransformStream({ transform: count }));
	}

	/** @param {string} path */
	async bytes(path) {
		return new Uint8Array(await new Response(await this.stream(path)).arrayBuffer());
	}
}

/** The program of Python, packed by gzip: many static servers do not compress. @param {Loading} loading */
async function program(loading) {
	const plain = (await loading.stream("pyodide/pyodide.asm.wasm.gz")).pipeThrough(new DecompressionStream("gzip"));
	return new Response(plain, { headers: { "content-type": "application/wasm" } });
}

/** The cache of images; undefined where a page may not have one. */
const images = () => self.caches?.open(IMAGES + VERSION).catch(() => undefined);

/** @param {Uint8Array<ArrayBuffer>} image */
async function keep(image) {
	try {
		for (const name of await caches.keys()) if (name.startsWith(IMAGES) && name !== IMAGES + VERSION) await caches.delete(name);
		await (await images())?.put(home, new Response(image));
	} catch {
		/* the next start takes longer */
	}
}

/**
 * Starts Python: from the kept image, or without one if there is none or it does not fit.
 * @param {(done: number, of: number) => void} progress
 */
export async function boot(progress) {
	const kept = await (await images())?.match(home);
	if (!kept) return start(progress);
	try {
		return await start(progress, kept);
	} catch (error) {
		console.warn(error);
		await caches.delete(IMAGES + VERSION);
		return start(progress);
	}
}

/** @param {(done: number, of: number) => void} progress @param {Response} [kept] */
async function start(progress, kept) {
	const loading = new Loading(progress);
	const bundle = loading.bytes("python.zip");
	const path = new URL("pyodide/pyodide.mjs", home).href;
	self.fetch = (input, init) => (String(input).endsWith("pyodide.asm.wasm") ? program(loading) : real(input, init));
	const { loadPyodide } = await import(path);
	const python = await loadPyodide({
		indexURL: new URL("pyodide/", home).href,
		...(kept ? { _loadSnapshot: kept.arrayBuffer() } : { _makeSnapshot: true }),
	});
	self.fetch = real;
	python.unpackArchive(await bundle, "zip", { extractDir: FOLDER });
	if (kept) return python;
	python.runPython(`import sys; sys.path.insert(0, "${FOLDER}"); from bridgehead.site import host; host.prepare()`);
	keep(python.makeMemorySnapshot());
	return python;
}
