// @ts-check
// Pointers on a board: touches, drags, and moving the visible part.
/** @import { Board } from "./board.js" */
/** @import { Finger } from "./viewport.js" */
import { TOUCH } from "./sizes.js";

const SLIP = 8; // px that a pointer may move in a click

/**
 * The thing under a pointer: first what can be touched next; touch areas are at least 44 px wide. soft: a finger, which means the
 * nearest of the things that can be touched next.
 * @param {Board} board @param {Point} point @returns {string | null}
 */
export function pick(board, { x, y }, soft = false) {
	board.draw();
	const { items, targets, fieldIds, viewport } = board;
	let found = null;
	let least = Infinity;
	for (const { id, label, at } of items.values()) {
		if (!label) continue;
		const spot = board.touchSpot(id);
		const away = Math.hypot(x - spot.x, y - spot.y);
		const far = away / Math.max(spot.r, TOUCH / 2 / viewport.scale);
		if (far > 1) continue;
		const lit = targets.has(id) || targets.has(at ?? "");
		const rank = soft && lit ? away / 1e6 - 3 : far - (lit ? 2 : 0) - (fieldIds.has(id) ? 0 : 0.35);
		if (rank < least) [found, least] = [id, rank];
	}
	return found;
}

/** Attaches them. @param {Board} board */
export function listen(board) {
	board.pointers = new Pointers(board);
}

export class Pointers {
	/** @param {Board} board */
	constructor(board) {
		this.board = board;
		this.view = board.viewport;
		const { root, life } = board;
		root.addEventListener("pointerdown", (event) => this.down(event), life);
		root.addEventListener("pointermove", (event) => this.move(event), life);
		root.addEventListener("pointerup", (event) => this.up(event), life);
		root.addEventListener("pointercancel", (event) => this.cancel(event), life);
	}

	/** @param {PointerEvent} event */
	down(event) {
		if (event.button > 0) return;
		const { board, view } = this;
		const soft = event.pointerType === "touch";
		if (soft) this.view.wantTouch();
		const point = this.view.point(event);
		const id = pick(board, point, soft);
		const live = id && [id, board.items.get(id)?.at ?? ""].some((each) => board.targets.has(each) || board.chosen.includes(each));
		const drag =
			(live || board.drags.has(id ?? "")) && !board.fieldIds.has(id ?? "") && !(soft && this.view.tips?.isUnclear(id, point));
		view.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, id, soft, drag, moved: false });
		if (drag || this.view.active) board.root.setPointerCapture(event.pointerId);
	}

	/** @param {PointerEvent} event */
	move(event) {
		const finger = this.view.fingers.get(event.pointerId);
		const { board } = this;
		if (!finger) return;
		const dx = event.clientX - finger.x;
		const dy = event.clientY - finger.y;
		if (!finger.moved && Math.hypot(dx, dy) < SLIP) return;
		if (this.view.touchy && this.view.fingers.size === 2) this.view.tips?.pinch(event, finger);
		else if (finger.drag && finger.id) {
			if (!finger.moved) board.on.pull(finger.id);
			const { x, y } = this.view.point(event);
			board.nodes.get(finger.id)?.setAttribute("transform", `translate(${x} ${y - 6})`);
		} else if (this.view.active)
			this.view.drag({ x: this.view.middle.x - dx / this.view.scale, y: this.view.middle.y - dy / this.view.scale });
		Object.assign(finger, { x: event.clientX, y: event.clientY, moved: true });
	}

	/** @param {PointerEvent} event */
	up(event) {
		const finger = this.cancel(event);
		if (!finger) return;
		const point = this.view.point(event);
		if (!finger.moved) this.tap(finger, point);
		else if (finger.drag) this.drop(finger, point);
		else if (!this.view.fingers.size) this.board.on.look?.();
	}

	/** @param {Finger} finger @param {Point} point */
	tap({ id, soft }, point) {
		const { board } = this;
		if (soft && this.view.tips?.isUnclear(id, point) && this.view.tips.enlarge(point)) return;
		if (soft && this.view.tips?.isCrowd(id, point)) board.on.empty();
		else if (id) board.on.touch(id);
		else if (this.view.held && !this.view.windowed) {
			this.view.held = false;
			board.on.look?.();
		} else board.on.empty();
	}

	/** @param {Finger} finger @param {Point} point */
	drop({ id, soft }, point) {
		const { board } = this;
		const home = board.spot(id);
		const goal = pick(board, point, soft);
		const far = home && Math.hypot(point.x - home.x, point.y - home.y) > home.r;
		if (!goal || goal === id || !far || (soft && this.view.tips?.isUnclear(goal, point))) return;
		board.dragged = true;
		board.on.touch(goal);
	}

	// Puts a dragged thing back where the position has it.
	/** @param {PointerEvent} event */
	cancel(event) {
		const finger = this.view.fingers.get(event.pointerId);
		const home = finger?.drag && this.board.spot(finger.id);
		this.view.fingers.delete(event.pointerId);
		if (finger?.id && home) this.board.nodes.get(finger.id)?.setAttribute("transform", `translate(${home.x} ${home.y})`);
		return finger;
	}
}
