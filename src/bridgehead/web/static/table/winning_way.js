// @ts-check
// The winning way: drawn under the pieces from where the piece began to where it won. Once, where one saw the game end, the piece
// hops along it in 1.5 s and the way appears behind it; a press ends that, and afterwards all is still.
/** @import { Table } from "./table.js" */
import { pause, reduced, svg } from "../base/dom.js";
import { tempo } from "../base/store.js";

const WIN = 1500; // ms
const WIDE = 30; // between a piece and the middle of its field, in units of the picture

/** @param {Spot[]} spots @param {string} seat */
function draw(spots, seat) {
	const leg = (/** @type {Spot} */ { x, y }, /** @type {number} */ i) => {
		const d = `M${x} ${y}L${spots[i + 1].x} ${spots[i + 1].y}`;
		const layers = ["won-rim", "won-light", "won-line"].map((cls) => svg("path", { class: cls, d }));
		return svg("g", { class: `won-leg ${seat && `seat-${seat}`}` }, ...layers);
	};
	return spots.slice(0, -1).map(leg);
}

/** @param {Table} table @param {boolean} moves may things move? */
export async function showWay(table, moves) {
	const { board, view } = table;
	const { way = [], piece = "" } = view.ending ?? {};
	const seat = board.items.get(piece)?.seat ?? "";
	/** The way ends at the piece itself where its field is wide, as a bank is. */
	const spots = () => {
		const [found, end] = [way.flatMap((id) => board.spot(id) ?? []), board.spot(piece)];
		const last = found.at(-1);
		return end && last && Math.hypot(end.x - last.x, end.y - last.y) > WIDE ? [...found.slice(0, -1), end] : found;
	};
	if (spots().length < 2) return;
	table.below = () => (table.view.ending ? draw(spots(), seat) : []);
	const { animator } = board;
	const calm = !moves || !animator || reduced();
	if (!calm) await pause(Math.max(0, ...animator.ends.map((end) => end - performance.now())));
	table.render();
	board.draw();
	if (calm) return;
	const legs = [...board.under.querySelectorAll(".won-leg")];
	const time = WIN * tempo();
	const [end, last] = [board.spotOf(piece), /** @type {Spot} */ (spots().at(-1))];
	const on = spots().map(({ x, y }) => ({ x: x + end.x - last.x, y: y + end.y - last.y })); // as the piece stands on its field
	animator.go(piece, "", on, 0, time);
	for (const [i, leg] of legs.entries()) {
		const delay = (0.93 * time * i) / legs.length;
		leg.animate([{ opacity: 0 }, { opacity: 1 }], { duration: (0.9 * time) / legs.length, delay, fill: "backwards" });
	}
}
