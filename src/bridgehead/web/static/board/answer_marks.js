// @ts-check
// The marks of actions that wait for confirmation, of refusals and of advice: a touch or an answer comes before them.
/** @import { Board } from "./board.js" */
import { svg } from "../base/dom.js";
import { drawItem } from "../base/draw.js";
import { line, put, ring, twice, words } from "./marks.js";

/** @param {Spot} spot */
export const reason = ({ x, y, r }) => put(x, y, ...twice(ring(r), "m-no", 2), line("m m-no", ring(r - 5), 1.5));

// The end of an advised action with its rank (text), or its start (no text).
/** @param {Spot} spot @param {string | undefined} text @param {number} k */
export function hint({ x, y, r }, text, k) {
	if (!text) return put(x, y, ...twice(ring(r + 3), "m-hinted", 3));
	const aside = r * 0.72;
	const box = { class: "m-hint", x: -7 - 4 * text.length, y: -11, width: 14 + 8 * text.length, height: 22, rx: 11 };
	return put(x + aside, y - aside, svg("g", { transform: `scale(${k})` }, svg("rect", box), words(text, 0.5, "m-text", 15)));
}

/** @param {Spot} spot */
export function refused({ x, y, r }) {
	const k = Math.max(7, r * 0.35);
	return put(x, y, ...twice(`M${-k} ${-k}L${k} ${k}M${k} ${-k}L${-k} ${k}`, "m-no", 4.5));
}

/** @param {Spot} spot */
const pending = ({ x, y, r }) => put(x, y, svg("circle", { class: "m-pend-rim", r }), svg("circle", { class: "m-pend", r }));

/** The board as it would be after an action. @param {Board} board @param {Staged} staged */
export function staged(board, { from, to, ghost }) {
	if (ghost) return [drawItem({ ...ghost, ...board.locate(ghost), cls: `${ghost.cls} ghost` }), pending(board.locate(ghost))];
	const goal = board.spot(to);
	const now = board.spot(from);
	const piece = from && board.items.get(from);
	if (!goal || !now || !piece || from === to) return goal ? [pending(goal)] : [];
	const home = board.spot(piece.at) || now;
	const there = { x: goal.x + now.x - home.x, y: goal.y + now.y - home.y, r: now.r };
	return [pending(there), drawItem({ ...piece, ...there, label: "" })];
}
