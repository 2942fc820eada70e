// @ts-check
// Starts Python in a worker. An image of Python's memory, kept by the first visit, makes later starts take a tenth of the time.

const VERSION = "@VERSION@";
const FOLDER = "/bridgehead"; // where Python has its files
const IMAGES = "bridgehead image ";
const home = new URL("../", import.meta.url);
const real = fetch.bind(self);
const PYODIDE = new URL("pyodide/", home).href;

/** Fetches files of the site and counts what has come. */
class Loading {
	done = 0;
	of = 0;

	/** @param {(done: number, of: number) => void} progress */
	constructor(progress) {
		this.progress = progress;
	}

	/** A file that is packed by gzip, unpacked: many static servers do not compress. @param {string} path */
	async unpacked(path) {
		const { ok, status, body, headers } = await real(new URL(path, home));
		if (!ok || !body) throw new Error(`${path}: ${status}`);
		this.of += Number(headers.get("content-length"));
		const count = (/** @type {Uint8Array<ArrayBuffer>} */ bytes, /** @type {TransformStreamDefaultController} */ on) => {
			this.done += bytes.length;
			this.progress(this.done, this.of);
			on.enqueue(bytes);
		};
		return body.pipeThrough(new TransformStream({ transform: count })).pipeThrough(new DecompressionStream("gzip"));
	}

	/** @param {string} path @returns {Promise<{ [file: string]: string }>} */
	async files(path) {
		return new Response(await this.unpacked(path)).json();
	}

	/** Python's program. */
	async program() {
		return new Response(await this.unpacked("pyodide/pyodide.asm.wasm.gz"), { headers: { "content-type": "application/wasm" } });
	}

	/** The script that goes with it: packed, unless the host's policy forbids modules that a page made. */
	async script() {
		const blob = await new Response(await this.unpacked("pyodide/pyodide.asm.mjs.gz")).blob();
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

/** @param {Files} fs @param {string} folder @param {{ [file: string]: string }} files */
function write(fs, folder, files) {
	const made = new Set();
	for (const [file, text] of Object.entries(files)) {
		const path = `${folder}/${file}`;
		const inside = path.slice(0, path.lastIndexOf("/"));
		if (!made.has(inside)) fs.mkdirTree(inside);
		made.add(inside);
		fs.writeFile(path, text);
	}
}

/** The cache of images; undefined where a page may not have one. */
const images = async () => self.caches?.open(IMAGES + VERSION).catch(() => undefined);

/** Keeps an image of Python's memory for later starts. @param {Python} python that was started for one */
export async function keepImage(python) {
	const image = python.makeMemorySnapshot();
	for (const name of await caches.keys()) if (name.startsWith(IMAGES) && name !== IMAGES + VERSION) await caches.delete(name);
	await (await images())?.put(home, new Response(image));
}

/** Is there an image of Python's memory? */
export const hasImage = async () => Boolean(await (await images())?.match(home));

/**
 * Starts Python: from the kept image, or without one if there is none or it does not fit.
 * @param {(done: number, of: number) => void} [progress] @param {boolean} [forImage] for `keepImage`, if there is none
 */
export async function boot(progress = () => undefined, forImage = false) {
	const kept = await (await images())?.match(home);
	try {
		if (kept) return await start(new Loading(progress), { _loadSnapshot: await kept.arrayBuffer() });
	} catch (error) {
		console.warn(error);
		await caches.delete(IMAGES + VERSION);
	}
	return start(new Loading(progress), { _makeSnapshot: forImage });
}

/** @param {Loading} loading @param {{ _loadSnapshot?: ArrayBuffer, _makeSnapshot?: boolean }} how */
async function start(loading, how) {
	const script = loading.script();
	const sources = loading.files("python.json.gz");
	sources.catch(() => undefined); // it fails where it is awaited
	self.fetch = async (input, init) => {
		if (String(input).endsWith("pyodide.asm.wasm")) return loading.program();
		if (String(input).endsWith("python_stdlib.zip")) return new Response(await loading.unpacked("pyodide/library.zip.gz"));
		return real(input, init);
	};
	const { loadPyodide } = await import(`${PYODIDE}pyodide.mjs`);
	const image = how._loadSnapshot?.byteLength ?? 0;
	/** @type {Python} */
	const python = await loadPyodide({
		...how,
		indexURL: PYODIDE,
		env: { PYTHONDONTWRITEBYTECODE: "1" },
		createPyodideModule: async (/** @type {unknown} */ settings) => {
			const { default: create } = await script;
			const made = await create(settings);
			if (made.HEAP8.length < image) made.growMemory(image); // Pyodide 314 does not: its issue 6254
			return made;
		},
	});
	delete python._api.config._loadSnapshot; // 38 MB, which Pyodide would keep
	self.fetch = real;
	write(python.FS, FOLDER, await sources);
	python.runPython(image ? "import random; random.seed()" : `import sys; sys.path.insert(0, "${FOLDER}")`);
	return python;
}
