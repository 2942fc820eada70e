// @ts-check
// Arrows and circles on the board: drawn with the right button, or while drawing is switched on, by drag, touch or keys.
/** @import { Board } from "./board.js" */
import { $, el, svg } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { put, ring, twice } from "./marks.js";
import { pick } from "./pointer.js";

/** @typedef {[string, string, string]} Shape a circle has the same field twice */

/** @type {Colour[]} */
export const COLOURS = ["", "red", "blue", "yellow"];

/** @param {Spot} from @param {Spot} to @param {string} colour */
function arrow(from, to, colour) {
	const long = Math.hypot(to.x - from.x, to.y - from.y) || 1;
	const [x, y] = [(to.x - from.x) / long, (to.y - from.y) / long];
	const start = Math.min(from.r * 0.5, long * 0.2);
	const tip = long - Math.min(to.r * 0.35, long * 0.2);
	const place = `translate(${from.x} ${from.y}) rotate(${(Math.atan2(y, x) * 180) / Math.PI})`;
	return svg(
		"g",
		{ transform: place, "data-shape": "arrow", class: `shape ${colour}` },
		...twice(`M${start} 0H${tip - 14}`, "m-shape", 6),
		svg("path", { class: "m-head", d: `M${tip} 0L${tip - 22} 13V-13Z` }),
	);
}

/** The marks of shapes. @param {Board} board @param {Shape[]} shapes @returns {SVGElement[]} */
export function shapeMarks(board, shapes) {
	const there = shapes.filter((ids) => ids.slice(0, 2).every((id) => board.items.has(id)));
	return there.map(([start, end, colour]) => {
		const spot = board.spotOf(start);
		if (start !== end) return arrow(spot, board.spotOf(end), colour);
		const circle = put(spot.x, spot.y, ...twice(ring(spot.r * 1.05), "m-shape", 5));
		circle.dataset.shape = "circle";
		circle.setAttribute("class", `shape ${colour}`);
		return circle;
	});
}

export class Pencil {
	on = false;
	from = ""; // the field that was touched first
	/** @type {Colour} */
	colour = "";

	/** @param {Board} board @param {(touch: string[], colour: Colour) => void} draw */
	constructor(board, draw) {
		this.board = board;
		this.draw = draw;
		let begun = "";
		board.root.addEventListener("contextmenu", (event) => event.preventDefault());
		board.root.addEventListener("pointerdown", (event) => {
			begun = event.button === 2 || (this.on && !board.viewport.active) ? this.under(event) : "";
		});
		board.root.addEventListener("pointerup", (event) => {
			const end = begun && this.under(event);
			const right = event.button === 2;
			if (end && (right || end !== begun)) {
				this.from = "";
				const held = +event.shiftKey + 2 * +event.altKey;
				draw(end === begun ? [end] : [begun, end], held ? COLOURS[held] : this.colour);
			}
			begun = "";
		});
	}

	/** The field of a thing: itself, or the one on which it stands; "" for anything else. @param {string | null} id */
	field(id) {
		const at = (id && this.board.items.get(id)?.at) || "";
		return id && this.board.fieldIds.has(id) ? id : this.board.fieldIds.has(at) ? at : "";
	}

	/** @param {PointerEvent} event */
	under(event) {
		return this.field(pick(this.board, this.board.viewport.point(event)));
	}

	/** A touch while drawing is on: the first field, then a second one, or the same again for a circle. @param {string} id */
	touch(id) {
		const field = this.field(id);
		if (!field) return;
		const { from } = this;
		this.from = from ? "" : field;
		if (from) this.draw(from === field ? [field] : [from, field], this.colour);
	}
}

/** Buttons for the colour of what is drawn next. @param {Pencil} pencil */
export function palette(pencil) {
	const host = $("palette");
	const buttons = COLOURS.map((colour) => {
		const sample = svg("svg", { viewBox: "0 0 40 12", class: `shape ${colour}`, "aria-hidden": "true" });
		sample.append(...twice("M4 6H36", "m-shape", 5));
		const words = el("span", {}, t(`tree.${colour || "green"}`));
		return el("button", { class: "btn", type: "button", onclick: () => press(colour) }, sample, words);
	});
	const press = (/** @type {Colour} */ colour) => {
		pencil.colour = colour;
		buttons.forEach((each, i) => {
			each.setAttribute("aria-pressed", String(COLOURS[i] === colour));
		});
	};
	host.replaceChildren(...buttons);
	press(pencil.colour);
	host.hidden = !pencil.on;
}
