// @ts-check
// A small picture of the part of a board where something happened, for a list of moments.
import { style, svg } from "../base/dom.js";
import { thumbnail } from "../base/draw.js";
import * as mark from "./marks.js";

await style("board/close_up");

const PART = 0.42; // of the board's width, at least

/** @param {Picture} whole @param {Item[]} items @param {string[]} last */
export function closeUp(whole, items, last) {
	const drawn = thumbnail(whole, items);
	const all = new Map([...whole.fields, ...items].map((item) => [item.id, item]));
	const [from, to] = last.map((id) => all.get(id));
	const spots = [from, to].flatMap((item) => (item ? [item] : []));
	const { width, height } = whole;
	const span = (/** @type {"x" | "y"} */ axis) => {
		const places = spots.map((spot) => spot[axis]);
		return places.length ? [Math.min(...places), Math.max(...places)] : [whole[axis === "x" ? "width" : "height"] / 2];
	};
	const [[left, right = left], [top, bottom = top]] = [span("x"), span("y")];
	const most = Math.min(width, height);
	const side = spots.length ? Math.min(most, Math.max(PART * most, right - left + 140, bottom - top + 140)) : most;
	const within = (/** @type {number} */ middle, /** @type {number} */ size) =>
		Math.max(0, Math.min(size - side, middle - side / 2));
	drawn.setAttribute("viewBox", `${within((left + right) / 2, width)} ${within((top + bottom) / 2, height)} ${side} ${side}`);
	const at = (/** @type {Item} */ { x, y, r = 22 }) => ({ x, y, r });
	drawn.append(
		svg("g", { class: "marks" }, from && from !== to ? mark.origin(at(from)) : false, to ? mark.ended(at(to)) : false),
	);
	return drawn;
}
