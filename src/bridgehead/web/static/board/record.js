// @ts-check
// What the server makes of a record: the frames of its replay, and its analysis.

import { root } from "../base/dom.js";
import { ask } from "../base/request.js";

/** @param {Item[]} items @param {Film["frames"][number]["patch"]} patch */
function changed(items, patch) {
	if (!patch) return items;
	const old = new Map(items.map((item) => [item.id, item]));
	const out = new Set([...patch.gone, ...patch.put.map(([, { id }]) => id)]);
	const kept = items.filter(({ id }) => !out.has(id));
	for (const [place, change] of patch.put) kept.splice(place, 0, { .../** @type {Item} */ (old.get(change.id)), ...change });
	return kept;
}

/** The frames of a replay. They come in pieces: each begins with a whole frame, and the others are changes. */
export class Frames {
	/** @type {(Frame | undefined)[]} */
	all = [];
	/** @type {Map<number, Promise<void>>} */
	coming = new Map();
	have = 0; // frames that have come

	/** @param {Film} film the first piece @param {() => void} [grown] called after each further piece */
	constructor(film, grown = () => {}) {
		this.film = film;
		this.grown = grown;
		this.add(film.frames);
	}

	/** @param {Film["frames"]} frames */
	add(frames) {
		/** @type {Frame | undefined} */
		let before;
		for (const { items, patch, plates, ...frame } of frames) {
			before = {
				...frame,
				items: items || changed(before?.items ?? [], patch),
				plates: plates || (before?.plates ?? []),
			};
			this.all[frame.n] = before;
		}
		this.have += frames.length;
	}

	/** Loads the piece with a frame, unless it is there. @param {number} at */
	load(at) {
		const begin = this.film.pieces.findLast((first) => first <= at) ?? 0;
		if (!begin) return Promise.resolve();
		const known = this.coming.get(begin);
		if (known) return known;
		const loaded = ask(`/api/records/${begin}?lang=${root.lang}`, this.film.record).then(({ frames }) => {
			this.add(frames);
			this.grown();
		});
		loaded.catch(() => this.coming.delete(begin)); // the next wish tries again
		this.coming.set(begin, loaded);
		return loaded;
	}

	/** A frame, when its piece is there. @param {number} at @returns {Promise<Frame>} */
	async frame(at) {
		await this.load(at);
		return /** @type {Frame} */ (this.all[at]);
	}

	/** Loads all pieces, one after the other. */
	async rest() {
		for (const begin of this.film.pieces) await this.load(begin);
	}
}

/** A finished analysis has all its fields. @typedef {Required<Answer<"GET /api/analyses/{key}">>} Study */

const AGAIN = 700; // ms between two requests

/**
 * Asks for the analysis of a finished game, and waits for it.
 * @param {string} record @param {(done: number, of: number) => void} progress @returns {Promise<Study>}
 */
export async function requestAnalysis(record, progress) {
	const { key } = await ask("/api/analyses", record);
	for (;;) {
		const found = await ask(`/api/analyses/${key}?lang=${root.lang}`);
		if (found.line) return /** @type {Study} */ (found);
		if (found.done) progress(found.done, found.of);
		await new Promise((wait) => setTimeout(wait, AGAIN));
	}
}
