// @ts-check
// What fingers and small screens need: a window on the board with a map, two fingers, and what a touch could mean.
/** @import { Finger, Viewport } from "./viewport.js" */
import { style, svg } from "../base/dom.js";
import { EDGE, SMALL, TOUCH } from "./sizes.js";
import { clearing, fanned, fanOut } from "./spread.js";

await style("board/touch");

const MOST = 5; // the greatest enlargement
const NEARLY = 1.2; // a part of the board that is hardly larger would only cut off its frame
const LEAST = 1.61; // the least one: a smaller one is only a touch that does nothing; sizes are rounded to whole pixels

export class Touch {
	/** @param {Viewport} view */
	constructor(view) {
		this.view = view;
		this.board = view.board;
		const { map } = view;
		map.onpointerdown = map.onpointermove = (event) => {
			if (event.buttons) view.drag(view.point(event, map));
		};
	}

	/** Where fingers find small or crowded things. */
	spread() {
		return fanOut(this.board);
	}

	/** The marks of those things. */
	fans() {
		return [...this.board.fans].map(([id, spot]) => fanned(this.board, id, spot));
	}

	/**
	 * The window on these spots: fields are as large as they can be with all spots in sight.
	 * @param {Spot[]} spots @param {boolean} whole all have to be in sight, also where fields become too small for a finger
	 */
	followIn(spots, whole) {
		const { board, view } = this;
		const { middle } = view;
		const most = view.turnScale * view.zoom;
		const least = Math.min(most, Math.max(SMALL / view.step, ...board.lit.map((id) => clearing(board, id))));
		const isSmall = !whole && view.scale < least - 0.001;
		if (!spots.length || (!isSmall && spots.every((spot) => view.inside(spot)))) return;
		const far = (/** @type {Point} */ spot) => Math.hypot(spot.x - middle.x, spot.y - middle.y);
		const near = spots.reduce((a, b) => (far(a) <= far(b) ? a : b));
		const along = (/** @type {"x" | "y"} */ axis) => {
			const all = spots.map((spot) => spot[axis]);
			return { low: Math.min(...all), high: Math.max(...all), near: near[axis] };
		};
		const [x, y] = [along("x"), along("y")];
		const fitting = Math.min(view.width / (x.high - x.low + 2.2 * EDGE), view.height / (y.high - y.low + 2.2 * EDGE));
		const scale = whole || fitting >= least ? Math.max(view.fitScale, Math.min(most, fitting)) : most;
		const at = (
			/** @type {{ low: number, high: number, near: number }} */ { low, high, near: one },
			/** @type {number} */ size,
		) => ((high - low) * scale < size - 2 * EDGE * scale ? (low + high) / 2 : one);
		const isNearlyWhole = whole && scale < NEARLY * view.fitScale;
		view.look(isNearlyWhole ? view.fitScale : scale, { x: at(x, view.width), y: at(y, view.height) });
	}

	/** Shows a place so large that the next touch can mean one thing only; false if that can be no larger. @param {Point} point */
	enlarge(point) {
		const { board, view } = this;
		const reach = (1.5 * TOUCH) / view.scale;
		const near = board.lit.filter((id) => {
			const { x, y } = board.spotOf(id);
			return Math.hypot(x - point.x, y - point.y) < reach;
		});
		const least = LEAST * view.scale;
		if (least > MOST) return false;
		view.held = true;
		view.look(Math.min(MOST, Math.max(least, 1.04 * Math.max(view.turnScale, ...near.map((id) => clearing(board, id))))), point);
		board.on.look?.();
		return true;
	}

	// The whole board, small, with a frame round the visible part.
	drawMap() {
		const { board, view } = this;
		const { map } = view;
		const r = view.step * 0.42;
		const box = (/** @type {string} */ cls, /** @type {Point} */ { x, y }, /** @type {number} */ high) =>
			svg("rect", { class: cls, x: x - r, y: y - high, width: 2 * r, height: 2 * high, rx: r * 0.4 });
		const labelled = [...board.items.values()].filter(
			({ id, label, cls }) => label && (board.fieldIds.has(id) || /piece/.test(cls ?? "")),
		);
		const dots = labelled.map(({ id, seat }) => {
			const spot = board.spotOf(id);
			if (board.fieldIds.has(id)) return box(board.targets.has(id) ? "map-can" : "map-field", spot, r);
			return seat ? svg("circle", { class: `map-pawn seat-${seat}`, cx: spot.x, cy: spot.y, r }) : box("map-bar", spot, r * 0.6);
		});
		view.frame = svg("rect", { class: "map-frame", rx: 10 });
		map.setAttribute("viewBox", `0 0 ${board.picture.width} ${board.picture.height}`);
		map.replaceChildren(...dots, view.frame);
		view.apply();
	}

	/** @param {PointerEvent} event @param {Finger} finger */
	pinch(event, finger) {
		const { view } = this;
		const { middle } = view;
		const other = [...view.fingers.values()].find((each) => each !== finger) ?? finger;
		const far = (/** @type {number} */ x, /** @type {number} */ y) => Math.hypot(x - other.x, y - other.y) || 1;
		const larger = far(event.clientX, event.clientY) / far(finger.x, finger.y);
		const most = Math.max(1.6 * view.turnScale, 4 * view.fitScale);
		const scale = Math.max(view.fitScale, Math.min(most, view.scale * larger));
		Object.assign(other, { moved: true, drag: false });
		finger.drag = false;
		if (view.windowed) view.zoom = scale / view.turnScale;
		view.look(scale, middle);
		view.held = true;
	}

	/** Could a finger there have meant something else than this thing? @param {string | null} id @param {Point} point */
	isUnclear(id, { x, y }) {
		const { board, view } = this;
		const { scale } = view;
		const target = id && [id, board.items.get(id)?.at ?? ""].find((each) => board.targets.has(each));
		if (target) return clearing(board, target) > 1.02 * scale;
		const spots = [...board.fans.keys()].map((each) => board.spotOf(each));
		return spots.some((spot) => Math.hypot(spot.x - x, spot.y - y) < TOUCH / 2 / scale);
	}

	/**
	 * While something is chosen: could a finger there begin again with several other pieces?
	 * @param {string | null} id @param {Point} point
	 */
	isCrowd(id, { x, y }) {
		const { board, view } = this;
		const last = board.chosen.at(-1) ?? "";
		const field = (/** @type {string} */ each) => board.items.get(each)?.at ?? each;
		if (!id || !last || id === last || board.targets.has(field(id)) || board.targets.has(id)) return false;
		if (board.chosen.length > 1 && field(id) === field(last)) return false;
		const near = [...board.items.values()].filter((item) => {
			const spot = board.spotOf(item.id);
			return item.label && !board.fieldIds.has(item.id) && Math.hypot(spot.x - x, spot.y - y) < TOUCH / 2 / view.scale;
		});
		return near.length > 1;
	}
}
