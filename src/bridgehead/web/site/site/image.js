// @ts-check
// The image of Python's memory that the first visit keeps.

const VERSION = "@VERSION@";
const IMAGES = "bridgehead image ";
const home = new URL("../", import.meta.url);

/** The cache of images; undefined where a page may not have one. */
const images = async () => self.caches?.open(IMAGES + VERSION).catch(() => undefined);

/** The image, if one was kept. */
export const keptImage = async () => (await images())?.match(home);

/** Keeps an image of Python's memory for later starts. @param {Python} python that was started for one */
export async function keepImage(python) {
	const image = python.makeMemorySnapshot();
	for (const name of await caches.keys()) if (name.startsWith(IMAGES) && name !== IMAGES + VERSION) await caches.delete(name);
	await (await images())?.put(home, new Response(image));
}

/** Removes an image that does not fit. */
export const dropImage = () => caches.delete(IMAGES + VERSION);
