// @ts-check
// The movements of what happened, as scenes tell them: a trace says how its piece moves, and the classes of a thing how it comes,
// changes and goes. The position itself changes at once, so nothing waits for a movement; any press ends all of them. Only
// transform and opacity change, and each movement takes at most 390 ms.
/** @import { Board } from "./board.js" */
import { tempo } from "../base/store.js";

const HOP = 210; // ms from field to field
const MOST = 390; // ms of one movement
const WHOLE = 900; // ms of all movements of an action
const QUEUE = 2; // actions that may wait behind one another
const OUT = "cubic-bezier(.2, .8, .2, 1)";
const EVEN = "cubic-bezier(.35, .05, .3, 1)";
const FALL = "cubic-bezier(.5, 0, .9, .6)";

/** @param {Point} place @param {number} offset @param {string} [more] what else happens to it there @returns {Keyframe} */
const at = ({ x, y }, offset, more = "") => ({ transform: `translate(${x}px, ${y}px)${more && ` ${more}`}`, offset });
/** @param {Point} one @param {Point} other @param {number} rise */
const between = (one, other, rise) => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 - rise });
const up = (/** @type {Point} */ { x, y }, /** @type {number} */ by) => ({ x, y: y - by });

/** From field to field in arcs, with a squeeze at the end. @param {Point[]} points */
function hop(points) {
	const n = points.length - 1;
	const rise = Math.min(9, 90 / n);
	const when = (/** @type {number} */ i) => (0.93 * i) / n;
	return points.flatMap((point, i) =>
		i === n
			? [at(point, 0.93, "scale(1.05, .93)"), at(point, 1)]
			: [at(point, when(i)), at(between(point, points[i + 1], rise), when(i + 0.5), "scale(1.06)")],
	);
}

/**
 * Movements from one place to another, by the name that a trace gives.
 * @type {{ [how: string]: (from: Point, to: Point) => Keyframe[] }}
 */
const WAYS = {
	leaps: (from, to) => [at(from, 0), at(between(from, to, 26), 0.5, "scale(1.13)"), at(to, 0.9, "scale(1.07, .9)"), at(to, 1)],
	tips: (from, to) => [at(from, 0), at(up(from, 16), 0.3, "rotate(-14deg)"), at(to, 1, "rotate(0deg)")],
	lifts: (from, to) => [
		at(from, 0),
		at(up(from, 18), 0.3, "scale(1.12)"),
		at(up(to, 18), 0.66, "scale(1.12)"),
		at(to, 0.84),
		at(up(to, 3), 0.92),
		at(to, 1),
	],
	shrinks: (from, to) => [at(from, 0, "scale(1.7)"), at(up(to, 14), 0.55, "scale(1.25)"), at(to, 1)],
	grows: (from, to) => [at(from, 0, "scale(.55)"), at(between(from, to, 26), 0.6, "scale(1.15)"), at(to, 1)],
};

/**
 * How a thing comes, changes or goes, by the class that its scene gives: when, how long (ms), and its frames at its place.
 * along: the ends of what lies between two fields.
 * @type {{ [how: string]: { when: string, time: number, easing: string, frames: (spot: Point, along: Point[]) => Keyframe[] } }}
 */
const CLASSES = {
	rolls: {
		when: "new changed",
		time: 360,
		easing: OUT,
		frames: (spot) => [at({ x: spot.x - 26, y: spot.y - 18 }, 0, "rotate(-300deg)"), at(spot, 1, "rotate(0deg)")],
	},
	bursts: {
		when: "changed",
		time: 390,
		easing: "ease-out",
		frames: (spot) => [
			at(spot, 0, "rotate(0deg) scale(0, 1)"),
			at(spot, 0.35, "rotate(0deg) scale(1.02, 1)"),
			at(up(spot, 7), 0.5, "rotate(-6deg) scale(1.16)"),
			at(spot, 0.72, "rotate(3deg) scale(.97)"),
			at(spot, 1, "rotate(0deg) scale(1)"),
		],
	},
	flips: {
		when: "changed",
		time: 220,
		easing: OUT,
		frames: (spot) => [at(up(spot, 8), 0, "scale(.02, 1.06)"), at(spot, 1, "scale(1)")],
	},
	rises: {
		when: "new sign",
		time: 320,
		easing: OUT,
		frames: (spot) => [at(spot, 0, "scale(1.1, .2)"), at(up(spot, 9), 0.6, "scale(.96, 1.14)"), at(spot, 1, "scale(1)")],
	},
	drops: {
		when: "new",
		time: 380,
		easing: FALL,
		frames: (spot) => [
			{ ...at(up(spot, 44), 0, "scale(.5)"), opacity: 0 },
			{ ...at(spot, 0.4, "scale(.25)"), opacity: 1, easing: "ease-out" },
			at(spot, 0.62, "scale(1.35)"),
			at(spot, 0.82, "scale(.94)"),
			at(spot, 1, "scale(1)"),
		],
	},
	unrolls: {
		when: "new",
		time: 380,
		easing: OUT,
		frames: (spot, [from = spot, to = spot]) => {
			const turn = Math.atan2(to.y - from.y, to.x - from.x);
			const long = (/** @type {string} */ scale) => `rotate(${turn}rad) scale(${scale}) rotate(${-turn}rad)`;
			return [
				{ ...at(from, 0, long(".06, .8")), opacity: 0.4 },
				{ ...at(spot, 0.8, long("1.03, 1")), opacity: 1 },
				at(spot, 1, long("1, 1")),
			];
		},
	},
	falls: {
		when: "gone",
		time: 380,
		easing: FALL,
		frames: (spot) => [
			{ ...at(spot, 0, "scale(1) rotate(0deg)"), opacity: 1 },
			{ ...at(up(spot, -4), 0.3, "scale(1) rotate(1.5deg)"), opacity: 1 },
			{ ...at(up(spot, -26), 1, "scale(.9) rotate(-4deg)"), opacity: 0 },
		],
	},
	fades: {
		when: "gone",
		time: 200,
		easing: OUT,
		frames: (spot) => [
			{ ...at(spot, 0), opacity: 1 },
			{ ...at(spot, 1, "scale(.6)"), opacity: 0 },
		],
	},
};

export class Animator {
	/** @type {number[]} */
	ends = []; // when the animations under way will end

	/** @param {Board} board */
	constructor(board) {
		this.board = board;
		const how = { capture: true, passive: true, signal: board.life.signal };
		for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => this.finish(), how);
	}

	/** Ends what moves, at its place. */
	finish() {
		this.ends = [];
		for (const animation of this.board.root.getAnimations({ subtree: true }))
			if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish(); // a pointer nods without end
		this.board.leaving.replaceChildren();
	}

	/**
	 * Animates a thing that comes, changes or goes, if its classes say how. Returns how long it takes.
	 * @param {Element} node @param {Item} item @param {string} event "new", "changed", "sign" (it has another drawing) or "gone"
	 */
	change(node, item, event, delay = 0) {
		const words = (item.cls ?? "").split(" ");
		const events = event === "sign" ? ["sign", "changed"] : [event];
		const is = (/** @type {string} */ word) => words.includes(word) && events.some((each) => CLASSES[word].when.includes(each));
		const how = CLASSES[Object.keys(CLASSES).find(is) ?? ""];
		if (!how) return 0;
		const ends = (/[^:]+-[^:]+/.exec(item.id)?.[0] ?? "").split("-").flatMap((name) => this.board.spot(`f:${name}`) ?? []);
		const duration = how.time * tempo();
		node.animate(how.frames(this.board.locate(item), ends), {
			duration,
			delay,
			easing: how.easing,
			fill: event === "gone" ? "both" : "backwards",
		});
		return delay + duration;
	}

	/**
	 * Animates the traces in their order; things that go the same way go together. Returns the duration.
	 * @param {Trace[]} traces @param {Map<string, Spot | null>} before
	 */
	play(traces, before) {
		const { board } = this;
		const now = performance.now();
		/** @type {Map<string, { how: string, via: string[] }>} */
		const moves = new Map();
		for (const { item, via, how = "" } of traces)
			if (board.items.has(item)) moves.set(item, { how, via: [...(moves.get(item)?.via ?? []), ...via] });
		const all = [...moves].map(([id, { how, via }]) => ({ id, how, via, points: this.way(id, via, before) }));
		const groups = [...Map.groupBy(all, ({ how, via }) => `${how} ${via}`).values()].filter(([{ points }]) => points[1]);
		if (!groups.length) return 0;
		this.ends = this.ends.filter((end) => end > now);
		if (this.ends.length > QUEUE) this.ends = [];
		const times = groups.map(([{ how, points }]) => (WAYS[how] ? MOST : Math.min(MOST, HOP * (points.length - 1))));
		const share = Math.min(1, WHOLE / times.reduce((sum, time) => sum + time)) * tempo();
		let start = Math.max(0, ...this.ends.map((end) => end - now));
		for (const [i, group] of groups.entries()) {
			for (const { id, how, points } of group) this.go(id, how, points, start, times[i] * share);
			start += times[i] * share;
		}
		this.ends.push(now + start);
		return start;
	}

	/** @param {string} id @param {string} how @param {Point[]} points @param {number} delay @param {number} duration */
	go(id, how, points, delay, duration) {
		const node = this.board.nodes.get(id);
		if (!node) return;
		for (const old of node.getAnimations()) old.cancel();
		const frames = WAYS[how]?.(points[0], /** @type {Point} */ (points.at(-1))) ?? hop(points);
		node.animate(frames, { duration, delay, easing: EVEN, fill: "backwards" });
	}

	/** @param {string} id @param {string[]} via @param {Map<string, Spot | null>} before @returns {Point[]} */
	way(id, via, before) {
		const { board } = this;
		const to = board.spotOf(id);
		const home = board.spot(board.items.get(id)?.at) || to;
		const over = via.flatMap((each, i) => {
			const spot = each !== via[i - 1] && board.spot(each);
			return spot ? [{ x: spot.x + to.x - home.x, y: spot.y + to.y - home.y }] : [];
		});
		return [before.get(id) || over[0] || to, ...over.slice(1, -1), to];
	}
}
