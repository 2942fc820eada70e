// @ts-check
// The place of the bubble that explains a refusal.
/** @import { Board } from "./board.js" */
import { $, style } from "../base/dom.js";

await style("board/bubble");

let again = () => {};
addEventListener("resize", () => {
	if (!$("why").hidden) again();
});

/**
 * Shows a sentence near the thing that it is about, over no legal target; on a phone at the foot of the board.
 * @param {Board} board @param {string} text @param {Node | string} [link] @param {string} [id] @param {string[]} [avoid]
 */
export function place(board, text, link = "", id = "", avoid = []) {
	again = () => place(board, text, link, id, avoid);
	const node = $("why");
	const { style } = node;
	const matrix = board.root.getScreenCTM() ?? undefined;
	node.hidden = false;
	node.replaceChildren(text, " ", link);
	const host = board.host.getBoundingClientRect();
	const screen = (/** @type {string} */ each) => {
		if (!board.items.has(each)) return null;
		const spot = board.body(each);
		const at = new DOMPoint(spot.x, spot.y).matrixTransform(matrix);
		return { x: at.x - host.left, y: at.y - host.top, r: spot.r * board.viewport.scale };
	};
	const at = host.width < 600 ? null : screen(id);
	node.classList.toggle("docked", !at);
	style.left = style.top = "";
	if (!at) return;
	const w = node.offsetWidth;
	const h = node.offsetHeight;
	const left = Math.max(8, Math.min(host.width - w - 8, at.x - w / 2));
	const hidden = avoid.map(screen).filter((spot) => spot !== null);
	const cost = (/** @type {{ top: number }} */ { top }) =>
		hidden.filter((o) => o.x + o.r > left && o.x - o.r < left + w && o.y + o.r > top && o.y - o.r < top + h).length;
	const [best] = [8, 24, 48, 80, 120, 170]
		.flatMap((gap) => [
			{ gap, top: at.y - at.r - gap - h, below: false },
			{ gap, top: at.y + at.r + gap, below: true },
		])
		.filter(({ top }) => top > 4 && top + h < host.height - 4)
		.sort((a, b) => cost(a) - cost(b) || a.gap - b.gap);
	const { gap, top, below } = best || { gap: 0, top: 8, below: false };
	const tail = Math.max(10, Math.min(w - 10, at.x - left));
	for (const [name, value] of Object.entries({ left, top, "--tail": gap, "--tail-x": tail }))
		style.setProperty(name, `${value}px`);
	node.classList.toggle("below", below);
}
