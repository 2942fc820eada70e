// @ts-check
// The image of Python's memory that the first visit keeps.
import { Database } from "./store.js";

const VERSION = "@VERSION@";
const images = new Database("bridgehead image", "images");

/** The image, if one was kept. @returns {Promise<Blob | undefined>} */
export const keptImage = () => images.read((store) => store.get(VERSION)).catch(() => undefined);

/** Whether this browser keeps databases, and so an image. */
export const mayKeepImage = () =>
	images.opened().then(
		() => true,
		() => false,
	);

/** Keeps an image of Python's memory for later starts. @param {Python} python that was started for one */
export async function keepImage(python) {
	const image = new Blob([python.makeMemorySnapshot()]);
	await images.write((store) => {
		store.clear(); // those of other versions
		store.put(image, VERSION);
	});
}

/** Removes an image that does not fit. */
export const dropImage = () => images.write((store) => store.clear());
