// @ts-check
// Announcements to screen readers: politely, in their order, and in one text all that a seat did in a turn.
/** @import { Table } from "./table.js" */
import { $, el } from "../base/dom.js";
import { t } from "../base/i18n.js";

const LONGEST = 5000; // ms after which an unfinished turn is announced
const KEPT = 12; // texts that stay in the region

export class Announcer {
	/** @type {LogRows} */
	turn = []; // lines of one turn, not announced yet
	/** @type {number | undefined} */
	timer;

	spoken = ""; // the prompt that was announced last
	region = $("spoken"); // a polite live region

	/** @param {Table} table */
	constructor(table) {
		this.table = table;
	}

	/** Announces what is chosen, and what can come next, in words. */
	chosen() {
		const { paths, board, view } = this.table;
		const id = paths.prefix.at(-1);
		if (!id) return this.say(t("chosen_none"));
		const what = board.items.get(id)?.label || view.buttons?.[id] || paths.matching()[0].label;
		const { size } = paths.next();
		if (size) return this.say(t(size > 1 ? "chosen" : "chosen_one", { what, n: size }));
		return this.say(t("chosen_which", { what, choices: paths.complete.map(({ label }) => label).join(", ") }));
	}

	/**
	 * Announces what is new: the lines since the view before, and the prompt where it asks this page, or a person, for something.
	 * @param {View} view @param {View | undefined} before
	 */
	speak(view, before) {
		const { log, actor, thinking, outcome, paused, prompt } = view;
		const asked = outcome ? [view.ending?.headline, outcome.text].filter(Boolean).join(" ") : paused || prompt;
		const isNew = asked !== this.spoken;
		const waits = !thinking && actor !== before?.actor;
		if (!before || isNew) this.spoken = asked;
		if (!before) return; // a screen reader reads a page that has just come
		this.follow(log.slice(before.log.length), thinking ? actor : undefined);
		if (isNew && (this.table.mine || outcome || paused || waits)) this.say(asked);
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
