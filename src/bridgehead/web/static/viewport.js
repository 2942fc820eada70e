// @ts-check
// The visible part of the board (all of it, or on a phone a window that follows the game), and the pointers on it.
/** @import { Board } from "./board.js" */
import { svg } from "./dom.js";

const TOUCH = 44; // px, the least width of a touch area
const SLIP = 8; // px that a pointer may move in a click
const EDGE = 20;
/** @typedef {Point & { id: string | null, drag: boolean, moved: boolean }} Finger */

export class Viewport {
	/** @type {Map<number, Finger>} */
	fingers = new Map();
	zoom = 1;
	box = [0, 0, 1, 1];
	step = 0; // distance of the closest fields, in units of the picture
	active = false;
	/** @type {SVGRectElement | undefined} */
	frame;

	/** @param {Board} board @param {SVGSVGElement} map */
	constructor(board, map) {
		this.board = board;
		this.map = map;
		const { root, host } = board;
		root.addEventListener("pointerdown", (event) => this.down(event));
		root.addEventListener("pointermove", (event) => this.move(event));
		root.addEventListener("pointerup", (event) => this.up(event));
		root.addEventListener("pointercancel", (event) => this.cancel(event));
		map.onpointerdown = map.onpointermove = (event) => {
			if (event.buttons) this.centre(this.point(event, map));
		};
		new ResizeObserver(() => this.fit()).observe(host);
	}

	// Pixels per unit of the picture.
	get scale() {
		return Math.min(this.board.root.clientWidth / this.box[2], this.board.root.clientHeight / this.box[3]) || 1;
	}

	// The distance of the two closest fields.
	measure() {
		const fields = this.board.picture.fields.filter(({ label }) => label);
		let least = Infinity;
		for (let i = 0; i < fields.length; i++)
			for (let j = 0; j < i; j++)
				least = Math.min(least, Math.hypot(fields[i].x - fields[j].x, fields[i].y - fields[j].y) || Infinity);
		return least;
	}

	fit() {
		const { picture, whole, host, root, narrow: was } = this.board;
		const narrow = host.clientWidth < 600;
		if (!picture || !host.clientWidth) return;
		if (whole.upright && was !== narrow) {
			this.board.setPicture(whole);
			dispatchEvent(new Event("prefs"));
			return;
		}
		const { width, height } = picture;
		this.step ||= this.measure();
		this.active = narrow && (picture.window || (host.clientWidth / width) * this.step < TOUCH - 4);
		root.classList.toggle("pan", this.active);
		this.map.toggleAttribute("hidden", !this.active);
		const unit = Math.min(this.step / TOUCH, width / host.clientWidth) / this.zoom;
		this.box = this.active
			? [...this.box.slice(0, 2), Math.min(width, root.clientWidth * unit), Math.min(height, root.clientHeight * unit)]
			: [0, 0, width, height];
		this.apply();
		this.follow();
	}

	apply() {
		const [x, y, width, height] = this.box;
		this.board.root.setAttribute("viewBox", this.box.join(" "));
		for (const [name, value] of Object.entries({ x, y, width, height })) this.frame?.setAttribute(name, String(value));
	}

	/** @param {Point} point */
	centre({ x, y }) {
		const { width, height } = this.board.picture;
		const [, , w, h] = this.box;
		this.box = [Math.max(0, Math.min(width - w, x - w / 2)), Math.max(0, Math.min(height - h, y - h / 2)), w, h];
		this.apply();
	}

	get middle() {
		const [x, y, w, h] = this.box;
		return { x: x + w / 2, y: y + h / 2 };
	}

	/** @param {Point} spot */
	inside(spot) {
		return Math.abs(spot.x - this.middle.x) < this.box[2] / 2 - EDGE && Math.abs(spot.y - this.middle.y) < this.box[3] / 2 - EDGE;
	}

	// Keeps the relevant spots in sight: all of them if they fit, else the nearest.
	follow() {
		if (!this.active) return;
		this.drawMap();
		const { board, middle, box } = this;
		const spots = board.seen.map((id) => board.spot(id)).filter((spot) => spot !== null);
		if (!spots.length || spots.every((spot) => this.inside(spot))) return;
		const far = (/** @type {Point} */ spot) => Math.hypot(spot.x - middle.x, spot.y - middle.y);
		const near = spots.reduce((a, b) => (far(a) <= far(b) ? a : b));
		const along = (/** @type {"x" | "y"} */ axis, /** @type {number} */ size) => {
			const all = spots.map((spot) => spot[axis]);
			const low = Math.min(...all);
			const high = Math.max(...all);
			return high - low < size - 2 * EDGE ? (low + high) / 2 : near[axis];
		};
		this.centre({ x: along("x", box[2]), y: along("y", box[3]) });
	}

	/** @param {string} id */
	show(id) {
		const spot = this.board.spot(id);
		if (this.active && spot && !this.inside(spot)) this.centre(spot);
	}

	// The whole board, small, with a frame round the visible part.
	drawMap() {
		const { board, map } = this;
		const r = this.step * 0.42;
		const box = (/** @type {string} */ cls, /** @type {Point} */ { x, y }, /** @type {number} */ high) =>
			svg("rect", { class: cls, x: x - r, y: y - high, width: 2 * r, height: 2 * high, rx: r * 0.4 });
		const labelled = [...board.items.values()].filter(({ label }) => label);
		const dots = labelled.map(({ id, seat }) => {
			const spot = board.spotOf(id);
			if (board.fieldIds.has(id)) return box(board.targets.has(id) ? "map-can" : "map-field", spot, r);
			return seat ? svg("circle", { class: `map-pawn seat-${seat}`, cx: spot.x, cy: spot.y, r }) : box("map-bar", spot, r * 0.6);
		});
		this.frame = svg("rect", { class: "map-frame", rx: 10 });
		map.setAttribute("viewBox", `0 0 ${board.picture.width} ${board.picture.height}`);
		map.replaceChildren(...dots, this.frame);
		this.apply();
	}

	/** @param {MouseEvent} event */
	point(event, root = this.board.root) {
		return new DOMPoint(event.clientX, event.clientY).matrixTransform(root.getScreenCTM()?.inverse());
	}

	/** @param {PointerEvent} event */
	down(event) {
		if (event.button > 0) return;
		const { board, fingers } = this;
		const id = board.pick(this.point(event));
		const live = id && [id, board.items.get(id)?.at ?? ""].some((each) => board.targets.has(each) || board.chosen.includes(each));
		const drag = Boolean(live) && !board.fieldIds.has(id ?? "");
		fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, id, drag, moved: false });
		if (drag || this.active) board.root.setPointerCapture(event.pointerId);
	}

	/** @param {PointerEvent} event */
	move(event) {
		const finger = this.fingers.get(event.pointerId);
		const { board } = this;
		if (!finger) return;
		const dx = event.clientX - finger.x;
		const dy = event.clientY - finger.y;
		if (!finger.moved && Math.hypot(dx, dy) < SLIP) return;
		if (this.active && this.fingers.size === 2) this.pinch(event, finger);
		else if (finger.drag && finger.id) {
			if (!finger.moved) board.on.pull(finger.id);
			const { x, y } = this.point(event);
			board.nodes.get(finger.id)?.setAttribute("transform", `translate(${x} ${y - 6})`);
		} else if (this.active) this.centre({ x: this.middle.x - dx / this.scale, y: this.middle.y - dy / this.scale });
		Object.assign(finger, { x: event.clientX, y: event.clientY, moved: true });
	}

	/** @param {PointerEvent} event @param {Finger} finger */
	pinch(event, finger) {
		const { middle } = this;
		const other = [...this.fingers.values()].find((each) => each !== finger) ?? finger;
		const far = (/** @type {number} */ x, /** @type {number} */ y) => Math.hypot(x - other.x, y - other.y) || 1;
		this.zoom = Math.max(0.35, Math.min(1.6, (this.zoom * far(event.clientX, event.clientY)) / far(finger.x, finger.y)));
		Object.assign(other, { moved: true, drag: false });
		finger.drag = false;
		this.fit();
		this.centre(middle);
	}

	/** @param {PointerEvent} event */
	up(event) {
		const finger = this.cancel(event);
		const { board } = this;
		if (!finger) return;
		if (!finger.moved) {
			if (finger.id) board.on.touch(finger.id);
			else board.on.empty();
		} else if (finger.drag) {
			const at = this.point(event);
			const home = board.spot(finger.id);
			const goal = board.pick(at);
			if (goal && goal !== finger.id && home && Math.hypot(at.x - home.x, at.y - home.y) > home.r) {
				board.dragged = true;
				board.on.touch(goal);
			}
		}
	}

	// Puts a dragged thing back where the position has it.
	/** @param {PointerEvent} event */
	cancel(event) {
		const finger = this.fingers.get(event.pointerId);
		const home = finger?.drag && this.board.spot(finger.id);
		this.fingers.delete(event.pointerId);
		if (finger?.id && home) this.board.nodes.get(finger.id)?.setAttribute("transform", `translate(${home.x} ${home.y})`);
		return finger;
	}
}
