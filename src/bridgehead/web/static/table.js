// @ts-check
// The page of a table: shows the server's view, follows the clicks, and sends the actions.
import { Announcer } from "./announcer.js";
import { Board } from "./board.js";
import { ClickPaths } from "./click_paths.js";
import { Connection } from "./connection.js";
import { $, ask, el, prefs, root, startPage, wake } from "./dom.js";
import { Pace } from "./pace.js";
import { bubble, fillLog, fillSeats, ruleLink } from "./panels.js";
import { forget, remember, tokensOf } from "./saved_tables.js";
import { Since } from "./since.js";
import { merged } from "./view.js";
import { t } from "./words.js";

const { table = "" } = $("main").dataset;
const TABS = /** @type {const} */ (["log", "all", "chat"]);
const FEW = 6; // choices listed at once

export class Table {
	id = table;
	tokens = tokensOf(table).tokens;
	host = tokensOf(table).host;
	paths = new ClickPaths();
	board = new Board(
		$("stage"),
		{ touch: (id, byKey) => this.touch(id, byKey), pull: (id) => this.pull(id), empty: () => this.clear() },
		$("map"),
	);
	pace = new Pace(
		(view) => this.show(view),
		() => this.connection.hold(),
	);
	since = new Since(this);
	/** @type {View} */
	view;
	/** @type {import("./presence.js").Presence | undefined} */
	presence;
	/** @type {import("./action_list.js").ActionList | undefined} */
	actions;
	/** @type {import("./hint.js").Hint | undefined} */
	advice;
	/** @type {import("./proposals.js").Proposals | undefined} */
	proposals;
	/** @type {import("./clock.js").Clock | undefined} */
	clock;
	/** @type {import("./faces.js").Faces | undefined} */
	faces;
	/** @type {Promise<import("./seal.js").Seals> | undefined} */
	seals;
	/** @type {Choice | null} */
	staged = null; // the action that waits for confirmation
	/** @type {Refused | null} */
	no = null;
	asked = "";
	prompted = "";
	spoken = ""; // the prompt that was announced last
	announcer = new Announcer($("spoken"));

	constructor() {
		const later = import("./presence.js").then(({ Presence }) => {
			this.presence = new Presence(this);
			return this.presence;
		});
		const forward = async (/** @type {Message<"people" | "link" | "said" | "point">} */ message) =>
			(await later).receive(message);
		this.connection = new Connection(
			{ t: "hello", p: 1, table, tokens: this.tokens, lang: /** @type {Language} */ (root.lang), host: this.host },
			{
				people: forward,
				link: forward,
				said: forward,
				point: forward,
				bye: (message) => this.disown(message),
				view: (view) => this.pace.take(view),
				ack: ({ k }) => {
					this.presence?.chat.confirm(k);
					this.render();
				},
				rej: (message) => {
					if (this.presence?.chat.refuse(message)) return;
					this.clear();
					this.tell(message);
				},
				why: (message) => {
					this.no = { id: this.asked, show: message.show };
					this.render();
					this.tell(message, this.asked);
				},
				state: (state, text) => {
					$("line").textContent = state === "open" ? "" : text || t(state);
					if (text && this.view) this.end(text);
					if (text) wake();
				},
			},
		);
		this.attach();
	}

	/** The server closed the connection: its reason replaces the prompt, and nothing can be touched. @param {string} text */
	end(text) {
		Object.assign(this.view, { prompt: text, choices: undefined, undo: false, thinking: false });
		this.paths.reset([]);
		this.clear();
	}

	/** @param {Message<"view">} news */
	show(news) {
		const before = this.view;
		this.view = merged(before, news);
		const { log } = this.view;
		if (news.picture) this.board.setPicture(news.picture, news.title);
		const moved = before?.moved !== news.moved;
		const choices = /** @type {Choice[]} */ (this.mine ? news.choices : []); // complete, since `hello` does not say `plain`
		if (moved) {
			this.paths.reset(choices);
			this.forget();
			this.advice?.clear();
		} else this.paths.choices = choices;
		if (moved) this.since.show(this.view);
		this.lay(moved ? news.traces : [], before && (news.since ?? news.v - 1) === before.v);
		fillSeats(this.view);
		this.render();
		this.speak(before);
		this.beside();
		fillLog(this.presence?.log(log) || log);
		this.presence?.look(before, moved);
		if (!before || news.outcome) this.remember();
		this.seal();
		wake();
	}

	async seal() {
		const { view } = this;
		const isFirst = !this.connection.greeted;
		this.seals ||= import("./seal.js").then(({ Seals }) => new Seals(table, this.connection));
		(await this.seals).look(view, isFirst);
	}

	// Proposals, clocks, real dice and cards: loaded when there is something to show.
	beside() {
		const { may, ask, paused, clock, faces, mistyped } = this.view;
		this.back();
		if (this.faces) this.faces.show(this.view);
		else if (faces || mistyped)
			import("./faces.js").then(({ Faces }) => {
				this.faces ||= new Faces(this);
				this.faces.show(this.view);
			});
		if (this.proposals) this.proposals.show(this.view);
		else if (may || ask || paused)
			import("./proposals.js").then(({ Proposals }) => {
				this.proposals ||= new Proposals(this);
				this.proposals.show(this.view);
			});
		if (this.clock) this.clock.show(this.view);
		else if (clock)
			import("./clock.js").then(({ Clock }) => {
				this.clock ||= new Clock(this);
				this.clock.show(this.view);
			});
	}

	// Where computers are the only opponents, nobody has to be asked to take a decision back. On a phone the
	// menu of the table has what else can be asked for.
	back() {
		const { you, seats, may } = this.view;
		const alone = you.length < seats.length && seats.every(({ kind }, i) => kind === "computer" || you.includes(i));
		$("takeback").hidden = !may || !alone;
		$("asking").hidden = !may;
		$("asking").classList.toggle("long", alone);
		$("takeback").disabled = !may?.includes("takeback");
	}

	get mine() {
		return Boolean(this.view.choices) && this.view.you.includes(this.view.actor);
	}

	/** @param {Trace[]} traces @param {boolean} animate */
	lay(traces, animate) {
		if (this.since.showing) return;
		const { you, actor, items } = this.view;
		const seat = you.includes(actor) ? actor : you.length === 1 ? you[0] : Number(this.board.turned);
		this.board.turn(prefs().turn && you.length > 0 && seat === 1);
		this.board.setItems(items, traces, animate);
	}

	/** Saves the tokens of this table, without those that are no longer valid. @param {string[]} [gone] */
	remember(gone) {
		const { title, outcome } = this.view;
		remember(table, { title, tokens: this.tokens, host: this.host, over: !!outcome }, gone);
		if (outcome && this.tokens.length) import("./receipt.js").then(({ keep }) => keep(table));
	}

	/** Forgets invalid tokens, and tries again with those that are left. @param {Message<"bye">} message */
	disown({ stray }) {
		if (!stray) return;
		const left = this.tokens.filter((_, i) => !stray.includes(i));
		forget(this, left, stray.length ? this.host : "");
		if (left.length || stray.length) location.reload(); // without a seat the page becomes a spectator's
	}

	/** @param {string} id @param {boolean} [byKey] @param {boolean} [pulled] is it about to be dragged to a place? */
	touch(id, byKey, pulled) {
		if (!this.view || !this.connection.ready) return;
		this.since.stop();
		const { staged } = this;
		const last = staged?.path.at(-1);
		this.forget();
		if (!this.mine) {
			if (byKey) this.say(this.view.prompt);
			this.render();
			return;
		}
		if (staged && [id, this.board.items.get(id)?.at].includes(last)) {
			this.send(staged);
			return;
		}
		if (staged) this.paths.prefix.pop();
		const before = [...this.paths.prefix];
		const result = this.paths.touch(id, this.board.items);
		const usual = result === "choice" ? this.paths.complete.find(({ first }) => first) : undefined;
		const clear = result === "act" ? this.paths.complete[0] : usual;
		const only = result === "step" && !pulled ? this.paths.only : null;
		if (clear) this.choose(clear);
		else if (only) this.stage(only);
		else this.render();
		if (result === "no") this.ask([...before, id]);
		else if (!clear && !only) this.say(this.chosen());
	}

	/** @param {string} id */
	pull(id) {
		if (this.staged || !this.paths.resolve(id, this.board.items)) this.clear();
		if (!this.board.chosen.includes(id)) this.touch(id, false, true);
	}

	/** @param {string} id */
	press(id) {
		if (this.staged || !this.paths.next().has(id)) this.clear();
		this.touch(id);
	}

	/** @param {Choice} choice */
	choose(choice) {
		if (!this.connection.ready) return;
		if (this.staged === choice || !(prefs().confirm || choice.confirm)) {
			this.send(choice);
			return;
		}
		this.stage(choice);
	}

	/** Shows a choice as it would be played. A second touch of its end, or Confirm, plays it. @param {Choice} choice */
	stage(choice) {
		this.staged = choice;
		this.paths.prefix = [...choice.path];
		this.say(t("staged", { what: choice.label }));
		this.render();
	}

	send(choice = this.staged || this.paths.complete[0]) {
		if (!this.connection.ready) return;
		this.connection.submit({ t: "act", a: choice.action, v: this.view.v });
		this.clear();
	}

	undo() {
		if (!this.connection.ready) return;
		this.forget();
		if (this.paths.prefix.pop() === undefined && this.view.undo) this.connection.submit({ t: "undo", v: this.view.v });
		this.render();
	}

	forget() {
		this.staged = this.no = null;
		bubble(this.board, "");
	}

	clear() {
		this.paths.prefix = [];
		this.forget();
		this.render();
	}

	// Asks why things cannot be touched: by default what was touched so far, and the thing that has the focus.
	ask(touched = [...this.paths.prefix, this.board.focusId ?? ""].filter((id, i, all) => id && id !== all[i - 1])) {
		if (!touched.length || touched.length === this.paths.prefix.length) {
			this.tell({ text: t("why_help") });
			return;
		}
		this.asked = touched[touched.length - 1];
		this.connection.why(touched);
	}

	render() {
		const { view, paths, staged, board } = this;
		if (!view) return;
		const next = paths.next();
		const chosen = paths.prefix.map((id) => (id.startsWith("f:") && board.standing(id)) || id);
		const onBoard = staged?.path.filter((id) => board.items.has(id)) || [];
		const from = onBoard.length > 1 ? board.standing(onBoard[0]) || onBoard[0] : undefined;
		const marks = {
			targets: staged ? new Map() : next,
			chosen,
			staged: onBoard.length ? { from, to: onBoard[onBoard.length - 1] } : undefined,
			last: view.last || [],
			turns: this.since.marks,
			no: this.no,
			hint: this.advice?.marks,
		};
		if (!this.since.showing) board.setMarks(marks);
		this.prompt();
		this.buttons(next);
		this.actions?.render();
		$("undo").disabled = !paths.prefix.length && !view.undo;
		$("confirm").disabled = !staged && paths.complete.length !== 1;
		const turn = this.mine && !view.outcome;
		document.title = `${turn ? `● ${t("your_turn")}: ` : ""}${view.title} · Bridgehead`;
		$("icon").href = `/static/favicon${turn ? "-turn" : ""}.svg`;
		const practice = view.sealed.practice && !view.sealed.level ? ` · ${t("practice")}` : "";
		const long = el("span", { class: "long" }, view.rules && `. ${view.rules}`, view.hints && ` · ${t("hints_on")}`);
		$("where").replaceChildren(view.title, practice, long);
		$("advise").hidden = !(view.hints && turn);
	}

	prompt() {
		const { view, paths } = this;
		const { outcome } = view;
		const thinking = view.thinking ? ` ${t(view.preparing ? "preparing" : "thinking")}` : "";
		const prompt = (outcome?.text || view.paused || view.prompt) + thinking;
		if (this.prompted !== prompt) $("say").replaceChildren(prompt, " ", ruleLink(view, outcome?.clause));
		this.prompted = prompt;
		const path = this.mine && paths.matching().find((each) => each.path[0][0] !== "!")?.path;
		const left = path ? path.length - paths.prefix.length : 0;
		$("hint").textContent = left > 0 ? t(paths.prefix.length ? "hint_then" : left > 1 ? "hint_first" : "hint_one") : "";
		const all = paths.matching().filter(({ kind }) => paths.prefix.length || kind !== "button");
		const offered = paths.complete[0] || all.length <= FEW ? all : paths.rare;
		const shown = offered.map((choice) => this.offer(choice));
		$("choices").classList.toggle(
			"wide",
			all.some(({ label }) => label.length > 16),
		);
		$("choices").replaceChildren(...shown.map((each) => el("li", {}, each)));
		$("after").hidden = !outcome;
	}

	/** A button for a choice. The second click of a double click was meant for the view before. @param {Choice} choice */
	offer(choice) {
		const onclick = (/** @type {MouseEvent} */ { detail }) => {
			if (detail < 2) this.choose(choice);
		};
		const pressed = String(this.staged === choice);
		const note = choice.note && el("small", {}, choice.note);
		return el("button", { class: "btn", "aria-pressed": pressed, onclick }, el("span", {}, choice.label), note);
	}

	/** Buttons keep their places; those that cannot be touched now are disabled. @param {Map<string, Target>} next */
	buttons(next) {
		const known = { ...this.view.buttons };
		const first = this.paths.next([]);
		for (const { path, label } of this.paths.choices) for (const id of path) if (id.startsWith("!")) known[id] ||= label;
		const made = Object.entries(known).map(([id, label]) => {
			const disabled = !next.has(id) && !first.has(id);
			const pressed = String(this.paths.prefix.includes(id));
			return el("button", { class: "btn", disabled, "aria-pressed": pressed, onclick: () => this.press(id) }, label);
		});
		$("extra").replaceChildren(...(made.length === 1 ? made : []));
		$("buttons").replaceChildren(...(made.length > 1 ? made : []));
	}

	/** What is chosen, and what can come next, in words. */
	chosen() {
		const { paths, board, view } = this;
		const id = paths.prefix.at(-1);
		if (!id) return t("chosen_none");
		const what = board.items.get(id)?.label || view.buttons?.[id] || this.paths.matching()[0].label;
		const { size } = paths.next();
		if (size) return t(size > 1 ? "chosen" : "chosen_one", { what, n: size });
		return t("chosen_which", { what, choices: paths.complete.map(({ label }) => label).join(", ") });
	}

	/** Announces a text to screen readers. @param {string} text */
	say(text) {
		this.announcer.say(text);
	}

	/**
	 * Announces what is new: the lines since the view before, and the prompt where it asks this page, or a person, for something.
	 * @param {View | undefined} before
	 */
	speak(before) {
		const { log, actor, thinking, outcome, paused, prompt } = this.view;
		const asked = outcome?.text || paused || prompt;
		const isNew = asked !== this.spoken;
		const waits = !thinking && actor !== before?.actor;
		if (!before || isNew) this.spoken = asked;
		if (!before) return; // a screen reader reads a page that has just come
		this.announcer.follow(log.slice(before.log.length), thinking ? actor : undefined);
		if (isNew && (this.mine || outcome || paused || waits)) this.say(asked);
	}

	/** Explains a refusal beside a thing. @param {Refusal} refusal @param {string} [id] */
	tell({ text, clause, show = [] }, id = "") {
		bubble(this.board, text, ruleLink(this.view, clause), id, [...show, ...this.board.targets.keys()]);
		this.say(text);
	}

	/** @param {typeof TABS[number]} shown */
	tab(shown) {
		for (const name of TABS) {
			$(name).hidden = name !== shown;
			$(`tab-${name}`).setAttribute("aria-selected", String(name === shown));
		}
		this.actions?.render();
		this.presence?.chat.draw();
	}

	async advise() {
		if ($("advise").hidden) return;
		this.advice ||= new (await import("./hint.js")).Hint(this);
		this.advice.ask();
	}

	showLast() {
		const id = this.view.last?.at(-1);
		this.tell({ text: this.view.log.at(-1)?.text || t("nothing_yet") }, id);
		if (id) this.board.viewport.show(id);
	}

	attach() {
		/** @type {[keyof Elements, () => void][]} */
		const clicks = [
			["undo", () => this.undo()],
			["confirm", () => this.send()],
			["takeback", () => this.connection.queue(() => ({ t: "ask", what: "takeback", v: this.view.v }))],
			["last", () => this.showLast()],
			["ask", () => this.ask()],
			["advise", () => this.advise()],
		];
		for (const [id, act] of clicks) $(id).onclick = act;
		for (const name of TABS) $(`tab-${name}`).onclick = () => this.tab(name);
		$("share").onclick = async () => (await import("./share.js")).share((await ask(`/api/tables/${table}/link`)).link);
		import("./shortcuts.js").then(({ listen }) => listen(this));
		import("./action_list.js").then(({ ActionList }) => {
			this.actions = new ActionList(this);
			this.render();
		});
		for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a[href^="#"]')))
			link.onclick = () => {
				document.getElementById(link.hash.slice(1))?.scrollIntoView();
				return false; // the fragment holds the seat's token
			};
		addEventListener("prefs", () => {
			this.lay([], false);
			this.render();
		});
	}
}

startPage().then(() => new Table());
