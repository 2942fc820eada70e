// @ts-check
// Starts Python in a worker. An image of Python's memory, kept by the first visit, makes later starts take a tenth of the time.

import { dropStart, keepStart, keptStart, mayKeepStart } from "./image.js";
import { unpacking } from "./xz.js";

const FOLDER = "/bridgehead"; // where Python has its files
const EXTENSION = "_core.cpython-314-wasm32-emscripten.so"; // the machine code of msgspec
const home = new URL("../", import.meta.url);
const real = fetch.bind(self);
const PYODIDE = new URL("pyodide/", home).href;

/** Fetches files of the site and counts what has come. What is waited for longest is asked for at once, and first. */
export class Loading {
	done = 0;
	of = 0;
	/** @type {() => void} */
	ended = () => undefined;

	/** What was unpacked, by path. @type {{ [path: string]: Blob }} */
	collected = {};
	kept = keptStart();

	/** @param {(done: number, of: number) => void} [progress] @param {boolean} [collects] does it remember what was unpacked? */
	constructor(progress = () => undefined, collects = false) {
		this.progress = progress;
		this.collects = collects;
		/** @type {Promise<void>} all of Python's program has come */
		this.programmed = new Promise((resolve) => {
			this.ended = resolve;
		});
		this.script = this.makeScript();
		this.program = this.makeProgram();
		this.extension = this.unpacked(`pyodide/${EXTENSION}.xz`).then((body) => new Response(body).arrayBuffer());
		this.pyodide = import(`${PYODIDE}pyodide.mjs`);
		// Each fails where it is awaited.
		for (const each of [this.script, this.program, this.extension, this.pyodide]) each.catch(() => undefined);
	}

	/**
	 * A file that is packed by xz, unpacked: many static servers do not compress, and browsers do so only by gzip.
	 * @param {string} path @param {() => void} [ended] called when all of it has come
	 */
	async unpacked(path, ended) {
		const known = (await this.kept)?.files[path];
		if (!known) return this.fetched(path, ended);
		ended?.();
		return known.stream();
	}

	/** The same, from the site. @param {string} path @param {() => void} [ended] */
	async fetched(path, ended) {
		const { ok, status, body, headers } = await real(new URL(path, home));
		if (!ok || !body) throw new Error(`${path}: ${status}`);
		this.of += Number(headers.get("content-length"));
		const count = (/** @type {Uint8Array<ArrayBuffer>} */ bytes, /** @type {TransformStreamDefaultController} */ on) => {
			this.done += bytes.length;
			this.progress(this.done, this.of);
			on.enqueue(bytes);
		};
		const all = body.pipeThrough(new TransformStream({ transform: count, flush: ended })).pipeThrough(unpacking());
		return this.collects ? all.pipeThrough(this.collecting(path)) : all;
	}

	/** @param {string} path @returns {TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>} */
	collecting(path) {
		/** @type {Uint8Array<ArrayBuffer>[]} */
		const parts = [];
		return new TransformStream({
			transform(bytes, on) {
				parts.push(bytes);
				on.enqueue(bytes);
			},
			flush: () => {
				this.collected[path] = new Blob(parts);
			},
		});
	}

	/** The modules of the standard library that a start needs. @param {() => void} ended called when all of it has come */
	async library(ended) {
		return new Response(await this.unpacked("pyodide/start.zip.xz", ended));
	}

	/**
	 * Files in one: a line with their names and sizes, and what is in them.
	 * @param {string} path @returns {Promise<[string, Uint8Array][]>}
	 */
	async files(path) {
		const bytes = new Uint8Array(await new Response(await this.unpacked(path)).arrayBuffer());
		let end = bytes.indexOf(10);
		const sizes = Object.entries(JSON.parse(new TextDecoder().decode(bytes.subarray(0, end++))));
		return sizes.map(([name, size]) => {
			end += size;
			return [name, bytes.subarray(end - size, end)];
		});
	}

	/** Python's program. */
	async makeProgram() {
		const body = await this.unpacked("pyodide/pyodide.asm.wasm.xz", this.ended);
		return new Response(body, { headers: { "content-type": "application/wasm" } });
	}

	/** The script that goes with it: packed, unless the host's policy forbids modules that a page made. */
	async makeScript() {
		const blob = await new Response(await this.unpacked("pyodide/pyodide.asm.mjs.xz")).blob();
		const url = URL.createObjectURL(new Blob([blob], { type: "text/javascript" }));
		try {
			return await import(url);
		} catch {
			return await import(`${PYODIDE}pyodide.asm.mjs`);
		} finally {
			URL.revokeObjectURL(url);
		}
	}
}

/** @typedef {Python["FS"]} Files Python's, in memory */

/** @param {Files} fs @param {string} folder @param {[string, Uint8Array][]} files */
function write(fs, folder, files) {
	const made = new Set();
	for (const [file, content] of files) {
		const path = `${folder}/${file}`;
		const inside = path.slice(0, path.lastIndexOf("/"));
		if (!made.has(inside)) fs.mkdirTree(inside);
		made.add(inside);
		fs.writeFile(path, content);
	}
}

/**
 * Loads an extension module of Python before Python runs. Its data and functions then have the same addresses at each start,
 * so an image in which it is imported fits.
 * @param {Program} made @param {string} path @param {Uint8Array} content
 */
function preload(made, path, content) {
	write(made.FS, path.slice(0, path.lastIndexOf("/")), [[path.slice(path.lastIndexOf("/") + 1), content]]);
	made.preloadedWasm[path] = made.loadWebAssemblyModule(content, { nodelete: true }, path, {});
}

/**
 * The bytes of an image, in a buffer of this script alone: `transfer` gives back its memory at once, unlike that of
 * `arrayBuffer`.
 * @param {Blob} blob
 */
async function inMemory(blob) {
	const bytes = new Uint8Array(blob.size);
	let at = 0;
	const write = (/** @type {Uint8Array} */ piece) => {
		bytes.set(piece, at);
		at += piece.length;
	};
	await blob.stream().pipeTo(new WritableStream({ write }));
	return bytes.buffer;
}

/**
 * Starts Python: from the kept image, or without one if there is none or it does not fit.
 * @param {Loading} loading if it collects, and there is no image, one is kept
 */
export async function boot(loading) {
	const found = await loading.kept;
	if (found)
		try {
			return await start(loading, inMemory(found.image));
		} catch (error) {
			console.warn(error);
			await dropStart();
			return startWithout(new Loading(loading.progress, loading.collects));
		}
	return startWithout(loading);
}

/** @param {Loading} loading */
async function startWithout(loading) {
	const keeps = loading.collects && (await mayKeepStart());
	const python = await start(loading, undefined, keeps);
	if (keeps) {
		python.runPython("from bridgehead.site import host; host.prepare()");
		kept = keepStart(python, loading.collected).catch((error) => console.warn(error)); // then starts take longer
	}
	return python;
}

/** The image that this worker makes is kept. @type {Promise<void>} */
export let kept = Promise.resolve();

/** @param {Loading} loading @param {Promise<ArrayBuffer>} [image] @param {boolean} [forImage] */
async function start(loading, image, forImage = false) {
	/** @type {() => void} */
	let ended = () => undefined;
	/** @type {Promise<void>} */
	const begun = new Promise((resolve) => {
		ended = resolve;
	});
	// One after the other: the program is compiled while the library comes, and Python starts while its own modules come.
	const library = (image ? Promise.resolve() : loading.programmed).then(() => loading.library(ended));
	const sources = (image ? Promise.resolve() : begun).then(() => loading.files("python.xz"));
	for (const each of [library, sources]) each.catch(() => undefined); // it fails where it is awaited
	self.fetch = async (input, init) => {
		if (String(input).endsWith("pyodide.asm.wasm")) return loading.program;
		if (String(input).endsWith("python_stdlib.zip")) return library;
		return real(input, init);
	};
	const { loadPyodide } = await loading.pyodide;
	const snapshot = await image;
	const size = snapshot?.byteLength ?? 0;
	/** @type {Python} */
	const python = await loadPyodide({
		...(snapshot ? { _loadSnapshot: snapshot } : { _makeSnapshot: forImage }),
		indexURL: PYODIDE,
		env: { PYTHONDONTWRITEBYTECODE: "1" },
		createPyodideModule: async (/** @type {{ preRun: ((made: Program) => void)[] }} */ settings) => {
			const { default: create } = await loading.script;
			const extension = new Uint8Array(await loading.extension);
			settings.preRun.push((made) => preload(made, `${FOLDER}/msgspec/${EXTENSION}`, extension));
			const made = await create(settings);
			if (made.HEAP8.length < size) made.growMemory(size); // Pyodide 314 does not: its issue 6254
			return made;
		},
	});
	snapshot?.transfer?.(0); // gives back 38 MB, which Pyodide would keep
	self.fetch = real;
	write(python.FS, FOLDER, await sources);
	python.runPython(snapshot ? "import random; random.seed()" : `import sys; sys.path.insert(0, "${FOLDER}")`);
	if (!snapshot) python.pyimport("bridgehead.site.library").complete(`${PYODIDE}library.zip.xz`);
	return python;
}
