// @ts-check
// Announcements to screen readers: politely, in their order, and in one text all that a seat did in a turn.
import { el } from "./elements.js";

const LONGEST = 5000; // ms after which an unfinished turn is announced
const KEPT = 12; // texts that stay in the region

export class Announcer {
	/** @type {LogRows} */
	turn = []; // lines of one turn, not announced yet
	/** @type {number | undefined} */
	timer;

	/** @param {HTMLElement} region a polite live region */
	constructor(region) {
		this.region = region;
	}

	/** Announces a text, after the lines before it. @param {string} text */
	say(text) {
		this.flush();
		this.add(text);
	}

	/**
	 * Announces lines of the log, except those of a turn that a computer goes on with.
	 * @param {LogRows} lines @param {number} [thinking] the seat of that computer
	 */
	follow(lines, thinking) {
		for (const line of lines) {
			if (this.begins(line)) this.flush();
			this.turn.push(line);
		}
		const isOver = this.turn.some(({ actor }) => actor >= 0 && actor !== thinking);
		if (thinking === undefined || isOver) this.flush();
		else this.timer ??= setTimeout(() => this.flush(), LONGEST);
	}

	/** Does another turn begin with this line? What chance does belongs to the turn around it. @param {LogRows[number]} line */
	begins({ n, actor }) {
		const { turn } = this;
		return turn.length > 0 && (turn[0].n !== n || (actor >= 0 && turn.some((each) => each.actor >= 0 && each.actor !== actor)));
	}

	flush() {
		clearTimeout(this.timer);
		this.timer = undefined;
		if (this.turn.length) this.add(this.turn.map(({ text }) => text).join(" "));
		this.turn = [];
	}

	// Each text is an element of its own: a reader speaks what is added, even while it still speaks the text before.
	/** @param {string} text */
	add(text) {
		this.region.append(el("p", {}, text));
		while (this.region.children.length > KEPT) this.region.firstChild?.remove();
	}
}
