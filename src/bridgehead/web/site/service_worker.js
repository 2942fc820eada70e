// @ts-check
// Keeps all files of one version of the site, and answers from them: the site works offline, and never mixes versions.

const VERSION = "@VERSION@";
const KIND = "bridgehead files ";
const NAME = KIND + VERSION;
const home = new URL("./", location.href).href;
const worker = /** @type {ServiceScope} */ (/** @type {unknown} */ (self));

/** @typedef {{ version: string, files: { [path: string]: { sha256: string, bytes: number } } }} Build */

/** A list of files; undefined if there is none. @param {Response | undefined} answer @returns {Promise<Build | undefined>} */
const build = async (answer) => (answer?.ok ? answer.json() : undefined);

/** A file, if it has the hash of the list: the browser refuses any other. @param {string} url @param {string} sha256 */
async function fetched(url, sha256) {
	const hash = btoa(sha256.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16))));
	const file = await fetch(url, { cache: "no-cache", integrity: `sha256-${hash}` });
	if (!file.ok) throw new Error(`${url}: ${file.status}`);
	return file;
}

/** Fetches all files; those that the build before had too are copied. One of another build: the browser tries again later. */
async function install() {
	const list = new URL("files.json", home).href;
	const answer = await fetch(list, { cache: "no-cache" });
	const now = await build(answer.clone());
	if (now?.version !== VERSION) throw new Error("the site is just being replaced");
	const cache = await caches.open(NAME);
	const before = (await caches.keys()).find((name) => name.startsWith(KIND) && name !== NAME);
	const old = before === undefined ? undefined : await caches.open(before);
	const known = (await build(await old?.match(list)))?.files ?? {};
	const files = Object.entries(now.files).map(async ([path, { sha256 }]) => {
		const url = new URL(path, home).href;
		const kept = known[path]?.sha256 === sha256 ? await old?.match(url) : undefined;
		await cache.put(url, kept ?? (await fetched(url, sha256)));
	});
	await Promise.all(files);
	await cache.put(list, answer);
}

/** Removes the files of other versions. Pages of the first visit are answered too: they load some modules when they need them. */
async function begin() {
	for (const name of await caches.keys()) if (name.startsWith(KIND) && name !== NAME) await caches.delete(name);
	await worker.clients.claim();
}

/** @param {Request} request */
async function answer(request) {
	const url = new URL(request.url);
	url.search = url.hash = "";
	if (url.href.endsWith("/")) url.href += "index.html";
	return (await (await caches.open(NAME)).match(url.href)) ?? fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(begin()));
worker.addEventListener("fetch", (event) => {
	const { request } = event;
	if (request.method === "GET" && request.url.startsWith(home)) event.respondWith(answer(request));
});
worker.addEventListener("message", ({ data }) => {
	if (data.take) worker.skipWaiting();
	data.version?.postMessage(VERSION);
});
