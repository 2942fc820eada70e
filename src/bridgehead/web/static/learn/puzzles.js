// @ts-check
// The page of a game's puzzles. The browser remembers by name which were solved; one that was missed comes back a few puzzles
// later, or when all missed ones are asked for again.
import { $, el, enable, later, reduced, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { startPage } from "../base/page.js";
import { whenShownAgain } from "../base/poll.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";
import { ready } from "../board/viewport.js";
import { game, Lesson, PAUSE } from "./lesson.js";

const AGAIN = 3; // puzzles after which a missed one comes back
const MISSED = "missed"; // in place of an idea
const SEVERAL = "several"; // too: puzzles of more than one action

/** @typedef {Answer<"GET /api/games/{game}/puzzle">} Puzzle */
/** @typedef {Answer<"GET /api/games/{game}/puzzles">["puzzles"][number]} Entry */

class Trainer extends Lesson {
	missed = false; // the puzzle on the board
	/** @type {Puzzle["more"]} its further steps */
	more = [];

	/** @param {Puzzle} puzzle the first one @param {Entry[]} entries */
	constructor(puzzle, entries) {
		const { title, seat, picture } = puzzle;
		super({ game, title, seat, picture, steps: [] });
		this.entries = entries;
		/** What this browser has solved, and what it has missed, with the puzzles that have to come before it comes back. */
		this.kept = readProgress(entries);
		$("idea").onchange = () => this.next();
	}

	get entry() {
		return /** @type {Entry} */ (this.entries[this.at]);
	}

	/** Which of the puzzle's actions is to be found, from 0. */
	get stage() {
		return this.more.indexOf(this.step) + 1;
	}

	get isLast() {
		return this.stage === this.more.length;
	}

	get all() {
		return [...super.all, ...this.more];
	}

	/** @param {string} query */
	requestReason(query) {
		return ask(`/api/games/${game}/puzzle/why?lang=${root.lang}&name=${this.entry.name}&stage=${this.stage}${query}`);
	}

	/** @param {number} at @param {Puzzle} [puzzle] if it has come already */
	async go(at, puzzle) {
		const entry = this.entries[at];
		if (!entry) return;
		try {
			const { step, seat, more } = puzzle ?? (await fetched(`name=${entry.name}`));
			this.missed = false;
			this.more = more;
			this.steps[at] = step;
			this.tutorial.seat = seat;
			history.replaceState(null, "", `?puzzle=${entry.name}`);
			await super.go(at);
		} catch (error) {
			showError($("error"), error);
		}
	}

	next() {
		const wanted = $("idea").value;
		const { missed, helped = [] } = this.kept;
		const again = new Set([...Object.keys(missed), ...helped]);
		const among = this.entries.filter(({ name, ideas, actions }) =>
			wanted === MISSED ? again.has(name) : wanted === SEVERAL ? actions > 1 : !wanted || ideas.includes(wanted),
		);
		const name = following(this.kept, among, this.entries, this.at, wanted === MISSED);
		this.go(this.entries.findIndex((each) => each.name === name));
	}

	count() {
		const { solved, helped = [] } = this.kept;
		const counted = t("puzzle_count", { n: this.at + 1, all: this.entries.length, solved: solved.length });
		$("count").textContent = counted + (helped.length ? ` · ${t("puzzle_helped", { n: helped.length })}` : "");
		$("progress").max = this.entries.length;
		$("progress").value = this.kept.solved.length;
		this.grade();
		this.offerIdeas();
	}

	/** Who finds the puzzle and by which rules it holds; what it is about, once it is solved. */
	grade() {
		const { level, rules, ideas, actions } = this.entry;
		const told = this.stage ? [t("puzzle_action", { n: this.stage + 1, all: actions })] : [];
		told.push(level ? t("puzzle_level", { level: t(`level.${level}`) }) : t("puzzle_hard"));
		if (rules.length) told.push(rules.map((each) => t(`puzzle_rules.${each}`)).join(", "));
		if (this.done && ideas.length) told.push(ideas.map((each) => t(`idea.${each}`)).join(", "));
		$("level").textContent = told.join(" · ");
	}

	/** The ideas of the game and what was missed, each with what is left. */
	offerIdeas() {
		const { solved, missed, helped = [] } = this.kept;
		const left = this.entries.filter(({ name }) => !solved.includes(name));
		const ideas = [...new Set(this.entries.flatMap((each) => each.ideas))].sort();
		const again = new Set([...Object.keys(missed), ...helped]).size;
		const counts = [
			["", t("idea.all"), left.length],
			...ideas.map((idea) => [idea, t(`idea.${idea}`), left.filter((each) => each.ideas.includes(idea)).length]),
			[SEVERAL, t("idea.several"), left.filter(({ actions }) => actions > 1).length],
			[MISSED, t("idea.missed"), again],
		];
		const chosen = $("idea").value;
		const list = counts.map(([value, name, n]) => el("option", { value, disabled: !n && value !== chosen }, `${name} (${n})`));
		$("idea").replaceChildren(...list);
		$("idea").value = chosen;
	}

	other() {
		return t("puzzle_other");
	}

	/** @param {Choice} choice */
	play(choice) {
		const isShown = this.helped === this.step; // after the hint, the button shows the action
		const isRight = super.play(choice);
		if (!isRight || isShown) this.note(false);
		if (!isRight) return false;
		if (!this.isLast) this.continueLine();
		else if (this.missed) this.noteHelp();
		else this.note(true);
		return true;
	}

	/** The next action of the puzzle, after what others reply. */
	continueLine() {
		const { run, at, stage, more } = this;
		const show = () => run === this.run && this.setOut(/** @type {Puzzle["step"]} */ (more[stage]), at, true);
		setTimeout(show, reduced() ? 0 : PAUSE);
	}

	help() {
		super.help();
		if (!this.done) this.note(false);
	}

	/** Counts what was solved on another page. */
	recall() {
		this.kept = readProgress(this.entries);
		this.count();
	}

	/** Counts the puzzle as solved with help, unless it was solved without. */
	noteHelp() {
		const { solved, helped = [] } = this.kept;
		this.kept.helped = [...new Set([...helped, this.entry.name])].filter((each) => !solved.includes(each));
		this.store();
	}

	store() {
		save("puzzles", { ...load("puzzles", {}), [game]: this.kept });
		this.count();
	}

	/** @param {boolean} solved */
	note(solved) {
		const { name } = this.entry;
		const { missed } = this.kept;
		this.missed ||= !solved;
		for (const each of Object.keys(missed)) if (solved) missed[each] -= 1;
		delete missed[name];
		const others = this.kept.solved.filter((each) => each !== name);
		if (!solved) missed[name] = AGAIN;
		this.kept.solved = solved ? [...others, name] : others;
		this.kept.helped = this.kept.helped?.filter((each) => each !== name);
		this.store();
	}

	showChoices() {
		super.showChoices();
		$("help").hidden = $("next").hidden = $("next").disabled = false; // a puzzle may be left for later
		$("after").hidden = this.kept.solved.length < this.entries.length;
	}
}

/** What the browser has kept, by name; numbers of version 0.2.0 are read, and those of puzzles that are gone are forgotten. */
function readProgress(/** @type {Entry[]} */ entries) {
	const { solved, helped = [], missed } = load("puzzles", {})[game] ?? { solved: [], missed: {} };
	/** @type {Map<string, string>} */
	const names = new Map();
	for (const { name, number } of entries) names.set(name, name).set(String(number), name);
	const named = (/** @type {(string | number)[]} */ kept) => kept.flatMap((each) => names.get(String(each)) ?? []);
	const back = Object.entries(missed).flatMap(([each, after]) => (names.has(each) ? [[names.get(each), after]] : []));
	/** @type {{ solved: string[], helped: string[], missed: { [name: string]: number } }} */
	const kept = { solved: [...new Set(named(solved))], helped: named(helped), missed: Object.fromEntries(back) };
	return kept;
}

/**
 * The name of the next puzzle: a missed one whose time has come, else the next of those wanted that is not done.
 * @param {ReturnType<typeof readProgress>} kept @param {Entry[]} among @param {Entry[]} entries
 * @param {number} at @param {boolean} again
 */
function following({ solved, missed }, among, entries, at, again) {
	const now = entries[at]?.name;
	const due = among.find(({ name }) => (missed[name] ?? 1) <= 0 && name !== now);
	if (due) return due.name;
	const place = new Map(entries.map(({ name }, i) => [name, (i - at - 1 + entries.length) % entries.length]));
	const order = [...among].sort((one, other) => (place.get(one.name) ?? 0) - (place.get(other.name) ?? 0));
	const done = new Set([...solved, ...Object.keys(missed)]);
	return (order.find(({ name }) => again || !done.has(name)) ?? order[0])?.name;
}

/** @param {string} asked @returns {Promise<Puzzle>} */
const fetched = (asked) => ask(`/api/games/${game}/puzzle?lang=${root.lang}&${asked}`);

Promise.all([ready(), startPage()]).then(async () => {
	const query = new URLSearchParams(location.search);
	const asked = query.get("puzzle") ?? "";
	try {
		/** @type {Answer<"GET /api/games/{game}/puzzles">} */
		const { puzzles } = await ask(`/api/games/${game}/puzzles`);
		const name = query.has("today")
			? (await later(() => import("./puzzle_of_day.js"))).ofDay(puzzles)
			: asked || following(readProgress(puzzles), puzzles, puzzles, -1, false);
		const first = await fetched(`${/^\d+$/.test(name ?? "") ? "number" : "name"}=${encodeURIComponent(name ?? "")}`);
		const trainer = new Trainer(first, puzzles);
		await trainer.go(first.number - 1, first);
		if (first.is_next) $("happened").append(el("li", {}, t("puzzle_gone", { n: asked })));
		whenShownAgain(() => trainer.recall());
	} catch (error) {
		showError($("error"), error);
	} finally {
		enable();
	}
});
