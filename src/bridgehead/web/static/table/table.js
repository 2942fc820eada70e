// @ts-check
// The page of a table: shows the server's view, follows the clicks, and sends the actions.

import { $, el, enable, later, root } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { startPage } from "../base/page.js";
import { ask } from "../base/request.js";
import { Connection } from "../base/socket.js";
import { prefs } from "../base/store.js";
import { selectTab, wireTabs } from "../base/tabs.js";
import { Board } from "../board/board.js";
import { ClickPaths } from "../board/paths.js";
import { ready } from "../board/viewport.js";
import { tokensOf } from "../people/tokens.js";
import { merged } from "./view.js";

const { table = "" } = $("main").dataset;
const TABS = /** @type {const} */ (["log", "all", "chat"]);
const ROWS = 3; // turns of the others that are seen at once

export class Table {
	id = table;
	tokens = tokensOf(table).tokens;
	host = tokensOf(table).host;
	paths = new ClickPaths();
	board = new Board(
		$("stage"),
		{
			touch: (id, byKey) => this.touch(id, byKey),
			pull: (id) => this.pull(id),
			empty: () => this.clear(),
			look: () => this.render(),
		},
		$("map"),
	);
	/** @type {import("./view_queue.js").ViewQueue | undefined} */
	queue;
	/** @type {import("./catch_up.js").CatchUp | undefined} */
	catchUp;
	/** @type {import("./prompt.js").Prompt | undefined} */
	prompt;
	/** @type {View} */
	view;
	/** @type {import("./presence.js").Presence | undefined} */
	presence;
	/** @type {import("./action_list.js").ActionList | undefined} */
	actions;
	/** @type {import("./hint.js").Hint | undefined} */
	advice;
	/** Parts that have something to show, by name. @type {{ [name: string]: Promise<{ show(view: View): void }> }} */
	parts = {};
	/** @type {Promise<import("../verify/seals.js").Seals> | undefined} */
	seals;
	/** @type {Choice | null} */
	staged = null; // the action that waits for confirmation
	/** @type {Refused | null} */
	refusal = null;
	asked = "";
	seated = false;
	seats = later(() => import("../board/seats.js")).catch(() => undefined);
	log = later(() => import("../board/log.js"));
	announcer = later(() => import("./announcer.js")).then(({ Announcer }) => new Announcer(this));

	constructor() {
		const presence = later(() => import("./presence.js")).then(({ Presence }) => {
			this.presence = new Presence(this);
			return this.presence;
		});
		const forward = async (/** @type {Message<"people" | "link" | "said" | "point">} */ message) =>
			(await presence).receive(message);
		this.connection = new Connection(
			{ t: "hello", p: 1, table, tokens: this.tokens, lang: /** @type {Language} */ (root.lang), host: this.host },
			{
				people: forward,
				link: forward,
				said: forward,
				point: forward,
				bye: async ({ stray }) => stray && (await later(() => import("../people/saved_tables.js"))).disown(this, stray),
				view: (view) => (this.queue ? this.queue.take(view) : this.show(view)),
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
					this.refusal = { id: this.asked, show: message.show };
					this.render();
					this.tell(message, this.asked);
				},
				state: (state, text) => {
					$("line").textContent = state === "open" ? "" : text || t(state);
					if (text && this.view) this.end(text);
					if (text) enable();
				},
			},
		);
		this.attach();
		this.later();
	}

	/** The connection is closed for good: its reason replaces the prompt. @param {string} text */
	end(text) {
		Object.assign(this.view, { prompt: text, choices: undefined, undo: false, thinking: false });
		this.paths.reset([]);
		this.clear();
	}

	/** @param {Message<"view">} news */
	show(news) {
		const before = this.view;
		this.view = merged(before, news);
		if (news.picture) this.board.setPicture(news.picture, news.title);
		const moved = before?.moved !== news.moved;
		const choices = /** @type {Choice[]} */ (this.mine ? news.choices : []); // complete, since `hello` does not say `plain`
		if (moved) {
			this.paths.reset(choices);
			this.forget();
			this.advice?.clear();
		} else this.paths.choices = choices;
		if (!before) this.room();
		if (moved) this.catchUp?.show(this.view);
		this.lay(moved ? news.traces : [], before && (news.since ?? news.v - 1) === before.v);
		const isFirst = !this.connection.greeted;
		const beside = () => {
			const now = this.view;
			this.render();
			// For sentences that say "you".
			if (before && String(before.you) !== String(news.you)) this.connection.send(this.connection.hello);
			this.announcer.then((announcer) => announcer.speak(now, before));
			const lines = this.presence?.log(now.log) || now.log;
			this.log.then(({ tableLog }) => tableLog(lines, now));
			this.seats.then((seats) => {
				seats?.fillSeats(now);
				this.presence?.look(before, moved);
				this.beside(); // clocks are in them
				this.seated = true;
				if (this.catchUp) enable(); // nothing moves afterwards
			});
			if (!before || news.outcome) this.remember();
			this.seal(isFirst);
		};
		if (before) beside();
		else setTimeout(beside); // the first board is work enough for one task
	}

	room() {
		const { you, seats } = this.view;
		const others = seats.length - (you.length === 1 ? 1 : 2);
		$("since").hidden = seats.length < 2;
		$("since").style.setProperty("--rows", String(Math.min(ROWS, Math.max(1, others))));
	}

	async later() {
		const [{ CatchUp }, { ViewQueue }, { Prompt }] = await Promise.all([
			later(() => import("./catch_up.js")),
			later(() => import("./view_queue.js")),
			later(() => import("./prompt.js")),
		]);
		this.prompt = new Prompt(this);
		this.catchUp = new CatchUp(this);
		this.queue = new ViewQueue(
			(view) => this.show(view),
			() => this.connection.ignoreInput(),
		);
		if (!this.view) return;
		this.catchUp.show(this.view);
		this.render();
		if (this.seated) enable();
	}

	/** @param {boolean} isFirst */
	async seal(isFirst) {
		const { view } = this;
		this.seals ||= later(() => import("../verify/seals.js")).then(({ Seals }) => new Seals(table, this.connection));
		(await this.seals).look(view, isFirst);
	}

	beside() {
		const { may, ask, paused, clock, faces, mistyped, ending } = this.view;
		this.part("ending", ending, async () => new (await later(() => import("./end.js"))).Ending(this));
		this.part(
			"faces",
			faces || mistyped,
			async () => new (await later(() => import("../board/chance_picker.js"))).ChancePicker(this),
		);
		this.part("proposals", may || ask || paused, async () => new (await later(() => import("./proposals.js"))).Proposals(this));
		this.part("clock", clock, async () => new (await later(() => import("./clock.js"))).Clock(this));
	}

	/** @param {string} name @param {unknown} needed @param {() => Promise<{ show(view: View): void }>} make */
	async part(name, needed, make) {
		const { parts } = this;
		if (needed) parts[name] ||= make();
		(await parts[name])?.show(this.view);
	}

	get mine() {
		return Boolean(this.view.choices) && this.view.you.includes(this.view.actor);
	}

	/** @param {Trace[]} traces @param {boolean} animate */
	lay(traces, animate) {
		if (this.catchUp?.showing) return;
		const { you, actor, items } = this.view;
		const seat = you.includes(actor) ? actor : you.length === 1 ? you[0] : Number(this.board.turned);
		this.board.turn(prefs().turn && you.length > 0 && seat === 1);
		this.board.setItems(items, traces, animate);
	}

	/** Saves the tokens of this table, without invalid ones. @param {string[]} [gone] */
	async remember(gone) {
		const { title, outcome } = this.view;
		const { keepReceipt, remember } = await later(() => import("../people/saved_tables.js"));
		remember(table, { title, tokens: this.tokens, host: this.host, over: !!outcome }, gone);
		if (outcome && this.tokens.length) keepReceipt(table);
	}

	/** @param {string} id @param {boolean} [byKey] @param {boolean} [pulled] is it about to be dragged to a place? */
	touch(id, byKey, pulled) {
		if (!this.view || !this.connection.ready) return;
		this.catchUp?.stop();
		const { staged } = this;
		const last = staged?.path.at(-1);
		this.forget();
		if (!this.mine) {
			if (byKey) this.say(this.view.prompt);
			this.render();
			if (id.startsWith("p:")) this.ask([id]);
			return;
		}
		if (staged && [id, this.board.items.get(id)?.at].includes(last)) {
			this.send(staged);
			return;
		}
		if (staged) this.paths.prefix.pop();
		const before = [...this.paths.prefix];
		const { sole } = this.paths;
		const result = this.paths.touch(id, this.board.items);
		const usual = result === "choice" ? this.paths.complete.find(({ first }) => first) : undefined;
		const clear = result === "act" ? this.paths.complete[0] : usual;
		const only = result === "step" && !pulled ? this.paths.only : null;
		if (clear && clear === sole) this.stage(clear);
		else if (clear) this.choose(clear);
		else if (only) this.stage(only);
		else this.render();
		if (result === "no") this.ask([...before, id]);
		else if (!clear && !only) this.announcer.then((announcer) => announcer.chosen());
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

	confirm() {
		if (this.staged || this.paths.complete.length === 1) this.send();
		else this.tell({ text: this.mine ? t("confirm_none") : this.view.prompt });
	}

	send(choice = this.staged || this.paths.complete[0]) {
		if (!this.connection.ready || !choice) return;
		this.connection.submit({ t: "act", a: choice.action, v: this.view.v });
		this.clear();
	}

	undo() {
		if (!this.connection.ready) return;
		this.forget();
		const touched = this.paths.prefix.pop();
		if (touched === undefined && this.view.undo) this.connection.submit({ t: "undo", v: this.view.v });
		this.render();
		if (touched === undefined && !this.view.undo) this.tell({ text: t("undo_none") });
	}

	forget() {
		this.staged = this.refusal = null;
		this.board.explain("");
	}

	clear() {
		this.paths.prefix = [];
		this.forget();
		this.render();
	}

	// Asks why things cannot be touched: by default what was touched, and what has the focus.
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
			turns: this.catchUp?.marks,
			refusal: this.refusal,
			hint: this.advice?.marks,
		};
		if (!this.catchUp?.showing) board.setMarks(marks);
		this.prompt?.render(next);
		this.actions?.render();
	}

	/** Announces a text to screen readers. @param {string} text */
	say(text) {
		this.announcer.then((announcer) => announcer.say(text));
	}

	/** A link to a rule of this table. @param {string} [clause] */
	ruleLink(clause) {
		const { game } = this.view;
		return clause ? el("a", { href: `/rules/${game}?table=${table}#${clause}`, target: "_blank" }, t("rule", { clause })) : "";
	}

	/** Explains a refusal beside a thing. @param {Refusal} refusal @param {string} [id] */
	tell({ text, clause, show = [] }, id = "") {
		this.board.explain(text, this.ruleLink(clause), id, [...show, ...this.board.targets.keys()]);
		this.say(text);
	}

	/** @param {typeof TABS[number]} shown */
	tab(shown) {
		for (const name of TABS) $(name).hidden = name !== shown;
		selectTab($(`tab-${shown}`));
		this.actions?.render();
		this.presence?.chat.draw();
	}

	async advise() {
		if ($("advise").hidden) return;
		this.advice ||= new (await later(() => import("./hint.js"))).Hint(this);
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
			["confirm", () => this.confirm()],
			["goal-more", async () => (await later(() => import("./goal.js"))).showGoal(this.view)],
			["takeback", () => this.connection.queue(() => ({ t: "ask", what: "takeback", v: this.view.v }))],
			["last", () => this.showLast()],
			["ask", () => this.ask()],
			["advise", () => this.advise()],
		];
		for (const [id, act] of clicks) $(id).onclick = act;
		for (const name of TABS) $(`tab-${name}`).onclick = () => this.tab(name);
		wireTabs($("tabs"));
		$("share").onclick = async () =>
			(await later(() => import("../people/share.js"))).share((await ask(`/api/tables/${table}/link`)).link);
		later(() => import("./shortcuts.js")).then(({ listen }) => listen(this));
		later(() => import("./action_list.js")).then(({ ActionList }) => {
			this.actions = new ActionList(this);
			if (this.view) this.actions.render();
		});
		for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a[href^="#"]')))
			link.onclick = () => {
				document.getElementById(link.hash.slice(1))?.scrollIntoView();
				return false; // the fragment holds the seat's token
			};
		addEventListener("hashchange", () => {
			if (tokensOf(table).tokens.join() !== this.tokens.join()) location.reload(); // the link to a seat
		});
		addEventListener("prefs", () => {
			this.lay([], false);
			this.render();
		});
	}
}

Promise.all([ready(), startPage()]).then(() => new Table());
