// @ts-check
// The visible part of the board. Where fields would be too small it is a window that follows the game.
/** @import { Board } from "./board.js" */
import { later } from "../base/dom.js";
import { compact, EDGE, SMALL, TALL, TOUCH } from "./sizes.js";

const coarse = matchMedia("(pointer: coarse)");
/** @typedef {Point & { id: string | null, soft: boolean, drag: boolean, moved: boolean }} Finger soft: not a mouse or a pen */

const isTouchy = () => coarse.matches || compact.matches;
/** @type {typeof import("./touch.js").Touch | undefined} */
let Touch;

async function learnTouch() {
	({ Touch } = await later(() => import("./touch.js")));
}

/** A page that fingers may touch waits for this before it shows its board. */
export async function ready() {
	if (isTouchy()) await learnTouch().catch(() => {}); // the page says it; the board can be used without
}

export class Viewport {
	/** @type {Map<number, Finger>} */
	fingers = new Map();
	box = [0, 0, 1, 1];
	step = 0; // distance of the closest fields, in units of the picture
	width = 0; // the board's size; reading it anew computes all styles
	height = 0;
	fitScale = 1; // scale at which the whole picture is visible
	turnScale = 1; // scale at which a turn begins
	zoom = 1; // a person's own enlargement of a window
	windowed = false;
	held = false; // the person chose this part: it stays until other things can be touched
	opened = false; // was there anything to follow?
	aims = "";
	/** @type {SVGRectElement | undefined} */
	frame;
	/** @type {import("./touch.js").Touch | undefined} */
	own;

	/** @param {Board} board @param {SVGSVGElement} map */
	constructor(board, map) {
		this.board = board;
		this.map = map;
		const { root, host } = board;
		this.sizes = new ResizeObserver(() => {
			if (root.clientWidth === this.width && root.clientHeight === this.height) return;
			this.fit();
			board.on.look?.();
		});
		this.sizes.observe(host);
	}

	destroy() {
		this.sizes.disconnect();
		this.map.onpointerdown = this.map.onpointermove = null;
	}

	// What fingers and small screens need, as soon as it has come.
	get tips() {
		if (Touch) this.own ||= new Touch(this);
		return this.own;
	}

	// Fingers touch this board, or could.
	get touchy() {
		return isTouchy();
	}

	// A part of the board is out of sight.
	get active() {
		const { width, height } = this.board.picture;
		return this.box[2] < width - 1 || this.box[3] < height - 1;
	}

	// Pixels per unit of the picture.
	get scale() {
		return Math.min(this.width / this.box[2], this.height / this.box[3]) || 1;
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
		const { picture, whole, host, root, narrow } = this.board;
		root.classList.toggle("touchy", this.touchy);
		if (!picture || !host.clientWidth) return;
		[this.width, this.height] = [root.clientWidth, root.clientHeight];
		if (whole.upright && narrow !== compact.matches) {
			this.board.usePicture(whole);
			return;
		}
		if (this.touchy && !Touch) this.catchUp();
		const { width, height } = picture;
		this.step ||= this.measure();
		this.fitScale = Math.min(this.width / width, this.height / height);
		this.windowed = this.touchy && this.fitScale * this.step < (height > TALL * width ? TOUCH : SMALL);
		this.turnScale = this.windowed ? Math.max(TOUCH / this.step, this.width / width) : this.fitScale;
		host.parentElement?.classList.toggle("windowed", this.windowed);
		this.map.toggleAttribute("hidden", !this.windowed);
		this.held = false;
		this.look(this.turnScale * this.zoom, this.middle);
		this.follow();
	}

	/** A finger has touched the board. */
	wantTouch() {
		if (!Touch) learnTouch();
	}

	// The screen has become small.
	async catchUp() {
		await learnTouch();
		this.fit();
		this.board.on.look?.();
	}

	apply() {
		const { root, dock, picture } = this.board;
		const [x, y, width, height] = this.box;
		root.setAttribute("viewBox", this.box.join(" "));
		root.classList.toggle("pan", this.active);
		dock.setAttribute("transform", `translate(${x} ${y}) scale(${width / picture.width})`);
		for (const [name, value] of Object.entries({ x, y, width, height })) this.frame?.setAttribute(name, String(value));
	}

	/** Shows a part of the board at a scale. @param {number} scale @param {Point} point */
	look(scale, point) {
		const { picture } = this.board;
		const part = scale > this.fitScale * 1.01;
		const w = part ? Math.min(picture.width, this.width / scale) : picture.width;
		const h = part ? Math.min(picture.height, this.height / scale) : picture.height;
		this.box = [0, 0, w, h];
		this.centre(point);
	}

	/** @param {Point} point */
	centre({ x, y }) {
		const { width, height } = this.board.picture;
		const [, , w, h] = this.box;
		this.box = [Math.max(0, Math.min(width - w, x - w / 2)), Math.max(0, Math.min(height - h, y - h / 2)), w, h];
		this.apply();
	}

	/** The person moves the visible part. @param {Point} point */
	drag(point) {
		this.centre(point);
		this.held = true;
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
		const { board } = this;
		const aims = board.seen.join();
		if (aims !== this.aims) this.held = false;
		this.aims = aims;
		if (this.windowed) this.tips?.drawMap();
		if (this.held || !this.width) return;
		const { staged } = board.marks;
		this.opened ||= board.seen.length > 0;
		const pieces = () => [...board.items.values()].flatMap(({ id, cls }) => (/\bpiece\b/.test(cls ?? "") ? [id] : []));
		const seen = this.opened ? board.seen : pieces(); // before anybody has moved: where they set out from
		const spots = seen.map((id) => board.spot(id)).filter((spot) => spot !== null);
		if (staged?.ghost) spots.push(board.locate(staged.ghost));
		if (this.windowed) this.tips?.followIn(spots, !!staged || !this.opened);
		else if (this.active) this.look(this.fitScale, this.middle);
	}

	/** @param {string} id */
	show(id) {
		const spot = this.board.spot(id);
		if (this.active && spot && !this.inside(spot)) this.centre(spot);
	}

	/** @param {MouseEvent} event */
	point(event, root = this.board.root) {
		return new DOMPoint(event.clientX, event.clientY).matrixTransform(root.getScreenCTM()?.inverse());
	}
}
