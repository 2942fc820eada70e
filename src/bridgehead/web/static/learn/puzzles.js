// @ts-check
// The page of a game's puzzles. The browser remembers which were solved; one that was missed comes back a few puzzles later.
import { $, enable, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { startPage } from "../base/page.js";
import { whenShownAgain } from "../base/poll.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";
import { ready } from "../board/viewport.js";
import { game, Lesson } from "./lesson.js";

const AGAIN = 3; // puzzles after which a missed one comes back
const DAY = 86_400_000; // ms
const STRIDE = 7919; // a prime: the puzzles of following days differ in strength

/** @typedef {Answer<"GET /api/games/{game}/puzzle">} Puzzle */

class Trainer extends Lesson {
	/** What this browser has solved, and what it has missed, with the puzzles that have to come before it comes back. */
	kept = remembered();
	missed = false; // the puzzle on the board

	/** @param {Puzzle} puzzle the first one */
	constructor(puzzle) {
		const { title, seat, picture } = puzzle;
		super({ game, title, seat, picture, steps: [] });
		this.of = puzzle.of;
		this.level = "";
	}

	/** @param {string} query */
	requestReason(query) {
		return ask(`/api/games/${game}/puzzle/why?lang=${root.lang}&number=${this.at + 1}${query}`);
	}

	/** @param {number} at */
	async go(at) {
		if (at < 0) return;
		try {
			const { step, seat, level } = await fetched(at + 1);
			Object.assign(this, { level, missed: false });
			this.steps[at] = step;
			this.tutorial.seat = seat;
			history.replaceState(null, "", `?puzzle=${at + 1}`);
			await super.go(at);
		} catch (error) {
			showError($("error"), error);
		}
	}

	next() {
		this.go(following(this.kept, this.of, this.at + 1) - 1);
	}

	count() {
		const { solved, helped = [] } = this.kept;
		const counted = t("puzzle_count", { n: this.at + 1, all: this.of, solved: solved.length });
		$("count").textContent = counted + (helped.length ? ` · ${t("puzzle_helped", { n: helped.length })}` : "");
		$("progress").max = this.of;
		$("progress").value = this.kept.solved.length;
		$("level").textContent = this.level ? t("puzzle_level", { level: t(`level.${this.level}`) }) : t("puzzle_hard");
	}

	other() {
		return t("puzzle_other");
	}

	/** @param {Choice} choice */
	play(choice) {
		const isShown = this.helped === this.step; // after the hint, the button shows the action
		const isRight = super.play(choice);
		if (!isRight || isShown) this.note(false);
		else if (!this.missed) this.note(true);
		if (isRight && this.missed) this.noteHelp();
		return isRight;
	}

	help() {
		super.help();
		if (!this.done) this.note(false);
	}

	/** Counts what was solved on another page. */
	recall() {
		this.kept = remembered();
		this.count();
	}

	/** Counts the puzzle as solved with help, unless it was solved without. */
	noteHelp() {
		const { solved, helped = [] } = this.kept;
		this.kept.helped = [...new Set([...helped, this.at + 1])].filter((each) => !solved.includes(each));
		this.store();
	}

	store() {
		save("puzzles", { ...load("puzzles", {}), [game]: this.kept });
		this.count();
	}

	/** @param {boolean} solved */
	note(solved) {
		const number = this.at + 1;
		const { missed } = this.kept;
		this.missed ||= !solved;
		for (const each of Object.keys(missed)) if (solved) missed[each] -= 1;
		delete missed[number];
		const others = this.kept.solved.filter((each) => each !== number);
		if (!solved) missed[number] = AGAIN;
		this.kept.solved = solved ? [...others, number] : others;
		this.kept.helped = this.kept.helped?.filter((each) => each !== number);
		this.store();
	}

	showChoices() {
		super.showChoices();
		$("help").hidden = $("next").hidden = $("next").disabled = false; // a puzzle may be left for later
		$("after").hidden = this.kept.solved.length < this.of;
	}
}

/** @returns {Solved} */
const remembered = () => load("puzzles", {})[game] ?? { solved: [], missed: {} };

/** The next puzzle: a missed one whose time has come, else the next that is not solved. */
function following(/** @type {Solved} */ { solved, missed }, /** @type {number} */ of, /** @type {number} */ now) {
	const due = Object.keys(missed).find((each) => missed[each] <= 0 && Number(each) !== now);
	if (due) return Number(due);
	const done = new Set([...solved, ...Object.keys(missed).map(Number)]);
	for (let i = 0; i < of; i++) {
		const number = ((now + i) % of) + 1;
		if (!done.has(number)) return number;
	}
	return (now % of) + 1;
}

/** @param {number} number @returns {Promise<Puzzle>} */
const fetched = (number) => ask(`/api/games/${game}/puzzle?lang=${root.lang}&number=${number}`);

Promise.all([ready(), startPage()]).then(async () => {
	const query = new URLSearchParams(location.search);
	try {
		const first = await fetched(1);
		const today = ((Math.floor(Date.now() / DAY) * STRIDE) % first.of) + 1;
		const number = query.has("today") ? today : Number(query.get("puzzle")) || following(remembered(), first.of, 0);
		const trainer = new Trainer(first);
		await trainer.go(number - 1);
		whenShownAgain(() => trainer.recall());
	} catch (error) {
		showError($("error"), error);
	} finally {
		enable();
	}
});
