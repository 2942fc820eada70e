// @ts-check
// Shows the views of a table one after another, about a second apart when another player has moved. Any press shows the present.

import { reduced } from "../base/dom.js";
import { tempo } from "../base/store.js";

const TURN = 1000; // ms between two players at normal speed
const MOST = 30; // views that may wait

/** The last seat that decided in a view's new actions; -1 if none did. @param {Message<"view">} news */
const moverOf = ({ log }) => log.findLast(({ actor }) => actor >= 0)?.actor ?? -1;

export class ViewQueue {
	/** @type {Message<"view">[]} */
	waiting = [];
	timer = 0;
	shownAt = -Infinity;
	mover = -1; // the seat that moved last

	/** @param {(news: Message<"view">, wasSeen: boolean) => void} show whether one could follow it @param {() => void} pressed */
	constructor(show, pressed) {
		this.show = show;
		const press = () => {
			if (!this.waiting.length) return;
			this.flush();
			pressed();
		};
		for (const kind of ["pointerdown", "keydown", "click"]) addEventListener(kind, press, true);
		document.addEventListener("visibilitychange", () => this.flush());
	}

	/** @param {Message<"view">} news */
	take(news) {
		const fresh = Boolean(news.picture) || news.logFrom === undefined;
		if (
			(fresh && !this.waiting.length) ||
			news.picture ||
			news.clock ||
			reduced() ||
			document.hidden ||
			this.waiting.length >= MOST
		) {
			this.flush();
			this.display(news, !news.picture && !reduced() && !document.hidden);
			return;
		}
		this.waiting.push(news);
		this.run();
	}

	run() {
		while (!this.timer && this.waiting.length) {
			const left = this.shownAt + this.wait(this.waiting[0]) - performance.now();
			if (left > 0) {
				this.timer = setTimeout(() => {
					this.timer = 0;
					this.run();
				}, left);
				return;
			}
			this.display(/** @type {Message<"view">} */ (this.waiting.shift()), true);
		}
	}

	/** The time between the view before and this one. @param {Message<"view">} news */
	wait(news) {
		const mover = moverOf(news);
		if (mover < 0 || news.you.includes(mover)) return 0;
		const share = mover === this.mover || news.you.includes(this.mover) ? 0.5 : 1;
		return share * TURN * tempo();
	}

	/** @param {Message<"view">} news @param {boolean} wasSeen */
	display(news, wasSeen) {
		const mover = moverOf(news);
		if (mover >= 0) Object.assign(this, { mover, shownAt: performance.now() });
		this.show(news, wasSeen);
	}

	flush() {
		clearTimeout(this.timer);
		this.timer = 0;
		for (const news of this.waiting.splice(0)) this.display(news, false);
	}
}
