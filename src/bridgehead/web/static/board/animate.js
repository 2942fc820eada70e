// @ts-check
// Animation of moves: 210 ms for each hop, 900 ms at most. The position itself changes at once. Only what somebody moved moves:
// the server's traces; everything else takes its new place at once.
/** @import { Board } from "./board.js" */
import { tempo } from "../base/store.js";

const HOP = 210; // ms
const MOST = 900; // ms
const QUEUE = 2; // actions that may wait behind one another
const RISE = 3;
/** @param {number} x @param {number} y @param {number} offset */
const at = (x, y, offset) => ({ transform: `translate(${x}px, ${y}px)`, offset });

/** @param {Element} node @param {Point[]} points @param {number} delay @param {number} duration */
function run(node, points, delay, duration) {
	const n = points.length - 1;
	const frames = points.flatMap(({ x, y }, i) =>
		i === n ? [at(x, y, 1)] : [at(x, y, i / n), at((x + points[i + 1].x) / 2, (y + points[i + 1].y) / 2 - RISE, (i + 0.5) / n)],
	);
	for (const old of node.getAnimations()) old.cancel();
	node.animate(frames, { duration, delay, easing: "cubic-bezier(.3, .1, .2, 1)", fill: "backwards" });
}

/** @type {{ [how: string]: { from: string, time: number } }} */
const ENTRANCES = {
	drops: { from: "translateY(-40px)", time: 180 },
	flips: { from: "scaleX(0)", time: 200 },
	rolls: { from: "translate(-26px, -18px) rotate(-300deg)", time: 360 },
};

export class Animator {
	/** @type {number[]} */
	ends = []; // when the animations under way will end

	/**
	 * A new thing falls into place ("drops"); a changed one turns over ("flips") or rolls.
	 * @param {Element} node @param {Point} spot @param {string} how
	 */
	enter(node, { x, y }, how) {
		const place = `translate(${x}px, ${y}px)`;
		const { from, time } = ENTRANCES[how];
		node.animate([{ transform: `${place} ${from}` }, { transform: place }], { duration: time * tempo(), easing: "ease-out" });
	}

	/**
	 * Animate the traces in their order; things that go the same way go together. Returns the duration.
	 * @param {Trace[]} traces @param {Map<string, Spot | null>} before @param {Board} board
	 */
	play(traces, before, board) {
		const now = performance.now();
		/** @type {Map<string, string[]>} */
		const vias = new Map();
		for (const { item, via } of traces) if (board.items.has(item)) vias.set(item, [...(vias.get(item) || []), ...via]);
		/** @type {Map<string, Point[]>} */
		const ways = new Map();
		for (const [id, via] of vias) ways.set(id, this.way(id, via, before, board));
		const groups = [...Map.groupBy(ways.keys(), (id) => vias.get(id)?.join() ?? "").values()];
		const hopsOf = (/** @type {string[]} */ [id]) => (ways.get(id)?.length ?? 1) - 1;
		const hops = groups.reduce((sum, group) => sum + hopsOf(group), 0);
		if (!hops) return 0;
		this.ends = this.ends.filter((end) => end > now);
		if (this.ends.length > QUEUE) this.ends = [];
		const hop = Math.min(HOP, MOST / hops) * tempo();
		let start = Math.max(0, ...this.ends.map((end) => end - now));
		for (const group of groups) {
			const time = hop * hopsOf(group);
			for (const id of group) {
				const node = board.nodes.get(id);
				if (time && node) run(node, /** @type {Point[]} */ (ways.get(id)), start, time);
			}
			start += time;
		}
		this.ends.push(now + start);
		return start;
	}

	/** @param {string} id @param {string[]} via @param {Map<string, Spot | null>} before @param {Board} board @returns {Point[]} */
	way(id, via, before, board) {
		const to = board.spotOf(id);
		const home = board.spot(board.items.get(id)?.at) || to;
		const over = via.flatMap((each, i) => {
			const spot = each !== via[i - 1] && board.spot(each);
			return spot ? [{ x: spot.x + to.x - home.x, y: spot.y + to.y - home.y }] : [];
		});
		return [before.get(id) || over[0] || to, ...over.slice(1, -1), to];
	}
}
