// Movement: 210 ms a hop, 900 ms at most. It only shows: the position is there at once.

const HOP = 210, MOST = 900, QUEUE = 2, RISE = 3;
const at = (x, y, offset) => ({ transform: `translate(${x}px, ${y}px)`, offset });

function run(node, points, delay, duration) {
	const n = points.length - 1;
	const frames = points.flatMap(({ x, y }, i) => (i === n ? [at(x, y, 1)] : [at(x, y, i / n), at((x + points[i + 1].x) / 2, (y + points[i + 1].y) / 2 - RISE, (i + 0.5) / n)]));
	for (const old of node.getAnimations()) old.cancel();
	node.animate(frames, { duration, delay, easing: "cubic-bezier(.3, .1, .2, 1)", fill: "backwards" });
}

// A thing that falls into place, or turns over.
export function enter(node, { x, y }, how) {
	const place = `translate(${x}px, ${y}px)`, drops = how === "drops";
	node.animate([{ transform: `${place} ${drops ? "translateY(-40px)" : "scaleX(0)"}` }, { transform: place }], drops ? 180 : 200);
}

export class Motion {
	ends = []; // when the actions now under way will have been shown

	// First what the traces tell, in order, then whatever else changed its place. Returns how long that takes.
	play(traces, before, board) {
		const now = performance.now(), ways = new Map();
		for (const { item, via } of traces) if (board.items.has(item)) ways.set(item, [...(ways.get(item) || []), ...via]);
		for (const [id, via] of ways) ways.set(id, this.way(id, via, before, board));
		for (const [id, from] of before) {
			const to = board.spot(id);
			if (to && !ways.has(id) && (from.x !== to.x || from.y !== to.y)) ways.set(id, [from, to]);
		}
		const hops = [...ways.values()].reduce((sum, { length }) => sum + length - 1, 0);
		if (!hops) return 0;
		this.ends = this.ends.filter((end) => end > now);
		if (this.ends.length > QUEUE) this.ends = [];
		const hop = Math.min(HOP, MOST / hops);
		let start = Math.max(0, ...this.ends.map((end) => end - now));
		for (const [id, points] of ways) {
			const time = hop * (points.length - 1);
			if (time) run(board.nodes.get(id), points, start, time);
			start += time;
		}
		this.ends.push(now + start);
		return start;
	}

	way(id, via, before, board) {
		const to = board.spot(id), home = board.spot(board.items.get(id).at) || to;
		const over = via.filter((each, i) => each !== via[i - 1] && board.spot(each)).map((each) => board.spot(each)).map(({ x, y }) => ({ x: x + to.x - home.x, y: y + to.y - home.y }));
		return [before.get(id) || over[0] || to, ...over.slice(1, -1), to];
	}
}
