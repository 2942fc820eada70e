// @ts-check
// The keys of a board: they move the focus, and touch the thing that has it.
/** @import { Board } from "./board.js" */
import { actionOf, BOARD } from "../base/keys.js";

/** @type {{ [key: string]: [number, number] }} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {Board} board */
export function listen(board) {
	const { root, life } = board;
	board.keys = { listen, stopsOf, stopOf, rove };
	root.addEventListener("keydown", (event) => press(board, event), life);
	root.addEventListener("focusin", (event) => noteFocus(board, board.idOf(event)), life);
	rove(board);
}

/** The stops of the arrow keys: for a field under a piece, the piece. @param {Board} board */
export function stopsOf({ items, targets }) {
	const labelled = [...items.values()].filter(({ label }) => label);
	const covered = new Set(labelled.map(({ at }) => at));
	return labelled.map(({ id }) => id).filter((id) => !covered.has(id) || targets.has(id));
}

/** The one that the Tab key reaches. @param {Board} board */
export function stopOf(board) {
	const stops = stopsOf(board);
	return stops.find((id) => id === board.focusId) || stops.find((id) => board.targets.has(id)) || stops[0];
}

/** Gives the Tab key its stop. @param {Board} board */
export function rove(board) {
	const start = stopOf(board);
	for (const [id, node] of board.nodes) {
		const index = id === start ? "0" : "-1";
		if (node.hasAttribute("tabindex") && node.getAttribute("tabindex") !== index) node.setAttribute("tabindex", index);
	}
}

/** @param {Board} board @param {string | undefined} id */
function noteFocus(board, id) {
	if (!id) return;
	board.focusId = id;
	rove(board);
	board.viewport.show(id);
}

/** @param {Board} board @param {KeyboardEvent} event */
function press(board, event) {
	const here = board.idOf(event);
	const action = actionOf(BOARD, event);
	if (!here) return;
	if (action === "move") arrow(board, here, ...ARROWS[event.key]);
	else if (action === "next" || action === "previous") step(board, here, action === "next" ? 1 : -1);
	else if (action === "touch") board.on.touch(here, true);
	else return;
	event.preventDefault();
	event.stopPropagation();
}

/** @param {Board} board @param {string} here @param {number} dx @param {number} dy */
function arrow(board, here, dx, dy) {
	const from = board.spotOf(here);
	let best = "";
	let least = Infinity;
	for (const id of stopsOf(board)) {
		const { x, y } = board.spotOf(id);
		const along = (x - from.x) * dx + (y - from.y) * dy;
		const aside = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
		if (along >= 6 && aside <= along * 2.2 && along + aside * 2 < least) [best, least] = [id, along + aside * 2];
	}
	if (best) board.focus(best);
}

/** @param {Board} board @param {string} here @param {number} by */
function step(board, here, by) {
	const stops = stopsOf(board);
	const some = stops.filter((id) => board.targets.has(id));
	const ring = some.length ? some : stops;
	const at = ring.indexOf(here);
	board.focus(ring[at < 0 ? 0 : (at + by + ring.length) % ring.length]);
}
