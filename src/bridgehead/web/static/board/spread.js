// @ts-check
// Spreads pieces that are too small to be read, or too close for a finger: each gets a free place near its own, as large as a
// fingertip.
/** @import { Board } from "./board.js" */
import { svg } from "../base/dom.js";
import { drawItem } from "../base/draw.js";
import { TOUCH } from "./sizes.js";

const MOST = 6; // pieces in one fan
const APART = TOUCH + 2; // px
const PIECE = 0.45; // a piece that cannot be touched next may be this part of a touch area away from one that can
const RINGS = [30, 38, 46, 56, 68]; // px, the radii that are tried
const TINY = 12; // px, the radius of a piece that can hardly be read
const TURNS = 12; // directions that are tried
const LONG = 1.5; // a piece that reaches so many times beyond its touch area would cover others if it were drawn as large
const far = (/** @type {Point} */ a, /** @type {Point} */ b) => Math.hypot(a.x - b.x, a.y - b.y);

/** @param {Board} board @param {string} id */
function isLong(board, id) {
	const { width = 0, height = 0 } = board.nodes.get(id)?.getBBox() ?? {};
	return Math.hypot(width, height) > LONG * 2 * Math.SQRT2 * board.spotOf(id).r;
}

/**
 * The scale at which a finger can mean only this thing that can be touched next, or a piece beside it; of a long thing, which
 * reaches between pieces, only this one of those that can be touched.
 * @param {Board} board @param {string} id
 */
export function clearing(board, id) {
	const here = board.touchSpot(id);
	const long = isLong(board, id);
	let scale = 0;
	for (const { id: other, label, at = "" } of board.items.values()) {
		const lit = board.targets.has(other);
		if (!label || other === id || (!lit && (long || board.fieldIds.has(other) || board.targets.has(at)))) continue;
		const { x, y } = board.touchSpot(other);
		scale = Math.max(scale, (lit ? TOUCH : TOUCH * PIECE) / Math.max(1, Math.hypot(x - here.x, y - here.y)));
	}
	return scale;
}

/** @param {Board} board @param {string[]} ids */
function groups(board, ids) {
	const reach = APART / board.viewport.scale;
	/** @type {string[][]} */
	const found = [];
	for (const id of ids) {
		const near = found.filter((group) => group.some((other) => far(board.spotOf(id), board.spotOf(other)) < reach));
		const rest = found.filter((group) => !near.includes(group));
		found.splice(0, found.length, ...rest, [...near.flat(), id]);
	}
	return found;
}

/** The places of a group on a ring around it, in the order of the directions in which its members stand. @param {Spot[]} spots */
function* rings(spots, scale = 1) {
	const mean = (/** @type {"x" | "y"} */ axis) => spots.reduce((sum, spot) => sum + spot[axis], 0) / spots.length;
	const middle = { x: mean("x"), y: mean("y") };
	const angle = ({ x = 0, y = 0 }) => Math.atan2(y - middle.y, x - middle.x);
	if (spots.length === 1) yield [{ ...middle, r: TOUCH / 2 / scale }];
	const order = spots.map((_, i) => i).sort((a, b) => angle(spots[a]) - angle(spots[b]));
	for (const ring of RINGS) {
		if (spots.length > 1 && 2 * ring * Math.sin(Math.PI / spots.length) < APART) continue;
		for (let turn = 0; turn < TURNS; turn++) {
			const start = spots.length > 1 ? angle(spots[order[0]]) : -Math.PI / 2;
			const at = (/** @type {number} */ i) => start + 2 * Math.PI * (order.indexOf(i) / spots.length + turn / TURNS);
			const along = (/** @type {number} */ i) => ({
				x: middle.x + (ring / scale) * Math.cos(at(i)),
				y: middle.y + (ring / scale) * Math.sin(at(i)),
			});
			yield spots.map((_, i) => ({ ...along(i), r: TOUCH / 2 / scale }));
		}
	}
}

/** Where fingers find these pieces. Long ones, and those without a free place, are left where they are. @param {Board} board */
export function fanOut(board) {
	const { viewport, targets, items, fieldIds } = board;
	const { scale, box } = viewport;
	/** @type {Map<string, Spot>} */
	const found = new Map();
	const isSmall = (/** @type {string} */ id) => clearing(board, id) > 1.02 * scale || board.spotOf(id).r * scale < TINY;
	const crowded = board.lit.filter((id) => !fieldIds.has(id) && isSmall(id) && !isLong(board, id));
	const others = [...items.values()].filter(({ id, label }) => label && !crowded.includes(id));
	const isFree = (/** @type {Spot} */ spot, /** @type {string[]} */ group) => {
		const [left, top, width, height] = box;
		const { x, y, r } = spot;
		if (x - r < left || x + r > left + width || y - r < top || y + r > top + height) return false;
		if ([...found.values()].some((each) => far(each, spot) < APART / scale)) return false;
		if (crowded.some((id) => !group.includes(id) && !found.has(id) && far(board.spotOf(id), spot) < APART / scale)) return false;
		return others.every(({ id, at = "" }) => {
			const lit = targets.has(id);
			if (!lit && (fieldIds.has(id) || targets.has(at))) return true;
			return far(board.spotOf(id), spot) >= (lit ? APART : TOUCH / 2) / scale;
		});
	};
	for (const group of groups(board, crowded)) {
		if (group.length > MOST) continue;
		for (const places of rings(
			group.map((id) => board.spotOf(id)),
			scale,
		)) {
			if (!places.every((spot) => isFree(spot, group))) continue;
			for (const [i, id] of group.entries()) found.set(id, places[i]);
			break;
		}
	}
	return found;
}

/** A thing drawn again, large and beside the others. @param {Board} board @param {string} id @param {Spot} spot */
export function fanned(board, id, { x, y, r }) {
	const item = /** @type {Item} */ (board.items.get(id));
	const from = board.spotOf(id);
	const scale = (0.9 * r) / from.r;
	const over = Math.max(0, -(board.nodes.get(id)?.getBBox().y ?? 0) * scale - r); // a tip beyond the ring could leave the board
	const large = svg("g", { transform: `translate(${x} ${y + over}) scale(${scale})` });
	large.append(drawItem({ ...item, x: 0, y: 0, label: "" }));
	return svg(
		"g",
		{ "data-fan": id },
		svg("path", { class: "fan-line", d: `M${from.x} ${from.y}L${x} ${y}`, "stroke-width": r / 6 }),
		svg("circle", { class: "fan", cx: x, cy: y, r, "stroke-width": r / 11 }),
		large,
	);
}
