// @ts-check
// The service worker of a static site: the pages work offline, and an update is offered.
import { cacheNames, deleteCache, serviceWorkers } from "../static/base/granted.js";
import { button, show } from "./news.js";

const version = document.documentElement.dataset.site;
const home = new URL("../", import.meta.url);
const PATIENCE = 2000; // ms in which a new version comes if the browser loads nothing of the old one any more
let asked = false; // this page asked for the new version

/** The version of a service worker. @param {ServiceWorker} worker @returns {Promise<string | undefined>} */
const versionOf = (worker) =>
	new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = ({ data }) => resolve(data);
		worker.postMessage({ version: port2 }, [port2]);
	});

/** @param {ServiceWorkerRegistration} registration */
function offer({ waiting }) {
	if (!waiting) return;
	const now = button("site.update_now", () => {
		asked = true;
		now.disabled = true;
		waiting.postMessage({ take: true });
		setTimeout(() => show("site.updating"), PATIENCE);
	});
	show("site.update", {}, now);
}

/** Stored files of another version than this page: they are fetched again. @param {ServiceWorkerRegistration} registration */
async function begin(registration) {
	await registration.unregister();
	for (const name of await cacheNames()) await deleteCache(name);
	location.reload();
}

/** Whether the page and the stored files are of one version; else offers to begin again.
 * @param {ServiceWorkerContainer} container @param {ServiceWorkerRegistration} registration */
async function check({ controller }, registration) {
	if (!controller || (await versionOf(controller)) === version) return true;
	show(
		"site.mixed",
		{},
		button("site.reload", () => begin(registration)),
	);
	return false;
}

async function start() {
	const serviceWorker = serviceWorkers();
	if (!serviceWorker) return; // such a page has no network of its own: it works online
	const { controller } = serviceWorker;
	const registration = await serviceWorker.register(new URL("service_worker.js", home), { updateViaCache: "none" });
	serviceWorker.addEventListener("controllerchange", () => {
		if (asked) location.reload();
		else if (controller)
			show(
				"site.updated",
				{},
				button("site.reload", () => location.reload()),
			);
		else check(serviceWorker, registration);
	});
	if (await check(serviceWorker, registration)) offer(registration);
	registration.addEventListener("updatefound", () => {
		const { installing } = registration;
		installing?.addEventListener("statechange", () => {
			if (installing.state === "installed" && serviceWorker.controller) offer(registration);
		});
	});
	await serviceWorker.ready;
}

/** All files are kept, or cannot be. */
export const settled = start().catch((error) => console.warn(error));
