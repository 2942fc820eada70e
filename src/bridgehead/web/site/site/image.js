// @ts-check
// What the first visit keeps, so that later starts of Python are quick.
import { Database } from "./store.js";

const VERSION = "@VERSION@";
const starts = new Database("bridgehead start", "starts");

/**
 * The image of Python's memory, and the files without which it does not start, unpacked: unpacking takes a third of a start.
 * @typedef {{ image: Blob, files: { [path: string]: Blob } }} Kept
 */

/** What was kept, if anything was. @returns {Promise<Kept | undefined>} */
export const keptStart = () => starts.read((store) => store.get(VERSION)).catch(() => undefined);

/** Whether this browser keeps databases. */
export const mayKeepStart = () =>
	starts.opened().then(
		() => true,
		() => false,
	);

/** Keeps an image for later starts. @param {Python} python that was started for one @param {Kept["files"]} files */
export async function keepStart(python, files) {
	const image = new Blob([python.makeMemorySnapshot()]);
	await starts.write((store) => {
		store.clear(); // those of other versions
		store.put({ image, files }, VERSION);
	});
}

/** Removes what does not fit. */
export const dropStart = () => starts.write((store) => store.clear());
