// @ts-check
// The page of a table: shows the server's view, follows the clicks, and sends the actions.
/** @import { Seals } from "../verify/seals.js" */
/** @import { ActionList } from "./action_list.js" */
/** @import { CatchUp } from "./catch_up.js" */
/** @import { Hint } from "./hint.js" */
/** @import { Presence } from "./presence.js" */
/** @import { Prompt } from "./prompt.js" */
/** @import { ViewQueue } from "./view_queue.js" */

import { $, enable, later, pause, root } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { startPage } from "../base/page.js";
import { Connection } from "../base/socket.js";
import { load, prefs } from "../base/store.js";
import { Controller } from "../board/controller.js";
import { ready } from "../board/viewport.js";
import { tokensOf } from "../people/tokens.js";
import { merged } from "./view.js";

const { table = "" } = $("main").dataset;
const ROWS = 3; // turns of the others that are seen at once

export class Table extends Controller {
	line = $("line"); // what is said of the connection
	id = table;
	tokens = tokensOf(table).tokens;
	host = tokensOf(table).host;
	/** @type {ViewQueue | undefined} */
	queue;
	/** @type {CatchUp | undefined} */
	catchUp;
	/** @type {Prompt | undefined} */
	prompt;
	/** @type {View} */
	view; // that is shown
	/** @type {View} */
	newest; // that has come
	/** @type {Presence | undefined} */
	presence;
	/** @type {ActionList | undefined} */
	actions;
	/** @type {Hint | undefined} */
	advice;
	/** Parts that have something to show, by name. @type {{ [name: string]: Promise<{ show(view: View): void }> }} */
	parts = {};
	/** @type {Promise<Seals> | undefined} */
	seals;
	seated = false;
	turned = load("tables", {})[table]?.turned; // the board, by a press on this device
	/** Did the game run when this page was opened? */
	sawPlay = false;
	below = () => /** @type {SVGElement[]} */ ([]); // drawn under the pieces
	seats = later(() => import("../board/seats.js")).catch(() => undefined);
	log = later(() => import("../board/log.js"));
	announcer = later(() => import("./announcer.js")).then(({ Announcer }) => new Announcer(this));

	constructor() {
		super();
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
				view: (news) => this.receive(news),
				ack: ({ k }) => {
					this.presence?.chat.confirm(k);
					this.render();
				},
				rej: (message) => {
					if (this.presence?.chat.refuse(message)) return;
					this.clear();
					this.tell(message);
				},
				state: (state, text) => {
					this.line.textContent = state === "open" ? "" : text || t(state);
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

	/** A view is sealed as it comes, in the order in which views come; it may be shown later. @param {Message<"view">} news */
	receive(news) {
		this.newest = merged(this.newest, news);
		this.seal(this.newest, !this.connection.greeted);
		if (this.queue) this.queue.take(news);
		else this.show(news);
	}

	/** @param {Message<"view">} news @param {boolean} [wasSeen] could one follow what led to it? */
	show(news, wasSeen = false) {
		const before = this.view;
		this.view = merged(before, news);
		this.board.setView(news.picture ? { picture: news.picture, title: news.title } : {});
		const moved = before?.moved !== news.moved;
		const choices = /** @type {Choice[]} */ (this.mine ? news.choices : []); // complete, since `hello` does not say `plain`
		if (moved) {
			this.paths.reset(choices);
			this.forget();
			this.advice?.clear();
		} else this.paths.choices = choices;
		if (!before) this.room();
		this.sawPlay ||= !news.ending;
		if (moved) this.catchUp?.show(this.view, wasSeen);
		this.lay(moved ? news.traces : [], before && (news.since ?? news.v - 1) === before.v);
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
		const [{ CatchUp }, { ViewQueue }, { Prompt }, { listen }] = await Promise.all([
			later(() => import("./catch_up.js")),
			later(() => import("./view_queue.js")),
			later(() => import("./prompt.js")),
			later(() => import("./shortcuts.js")),
		]);
		this.prompt = new Prompt(this);
		listen(this);
		this.catchUp = new CatchUp(this);
		this.queue = new ViewQueue(
			(view, wasSeen) => this.show(view, wasSeen),
			() => this.connection.ignoreInput(),
		);
		if (!this.view) return;
		this.catchUp.show(this.view, false);
		this.render();
		if (this.seated) enable();
	}

	/** @param {View} view @param {boolean} isFirst of its connection */
	async seal(view, isFirst) {
		this.seals ||= pause(0) // the first board is work enough for one task
			.then(() => later(() => import("../verify/seals.js")))
			.then(({ Seals }) => new Seals(table, this.connection));
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

	/** @param {Trace[]} [traces] */
	lay(traces = [], animate = false) {
		if (this.catchUp?.showing) return;
		this.board.setView({ items: this.view.items, traces, animate, turned: this.turned ?? this.isAbove });
	}

	/** Would the side of whoever plays here lie above? At one screen that is whoever moves, where the settings say so. */
	get isAbove() {
		const { you, actor } = this.view;
		if (you.length === 1) return you[0] === 1;
		return prefs().turn && you.length > 1 && (you.includes(actor) ? actor === 1 : this.board.turned);
	}

	turn() {
		this.catchUp?.stop();
		this.turned = !this.board.turned;
		this.lay();
		this.render();
		this.remember();
	}

	/** Saves the tokens of this table, without invalid ones. @param {string[]} [gone] */
	async remember(gone) {
		const { title, outcome, you } = this.view;
		const { keepReceipt, remember } = await later(() => import("../people/saved_tables.js"));
		const seat = you.length === 1 ? you[0] : undefined;
		remember(table, { title, tokens: this.tokens, host: this.host, over: !!outcome, seat, turned: this.turned }, gone);
		if (outcome && this.tokens.length) keepReceipt(table);
	}

	/** @param {string} id @param {boolean} [byKey] @param {boolean} [pulled] is it about to be dragged to a place? */
	touch(id, byKey, pulled) {
		if (!this.view || !this.connection.ready) return;
		this.catchUp?.stop();
		if (this.mine) {
			super.touch(id, byKey, pulled);
			return;
		}
		this.forget();
		if (byKey) this.say(this.view.prompt);
		this.render();
		if (id.startsWith("p:")) this.askWhy([id]);
	}

	/** @param {Choice} choice */
	choose(choice) {
		if (this.connection.ready) super.choose(choice);
	}

	/** @param {Choice} choice */
	isStaged(choice) {
		return this.paths.choices.length > 1 && (prefs().confirm || Boolean(choice.confirm)); // what one must do is one press
	}

	get previews() {
		return true;
	}

	get usual() {
		return this.paths.complete.find(({ first }) => first);
	}

	get known() {
		return this.view.buttons;
	}

	get rules() {
		return `${this.view.game}?table=${table}`;
	}

	get isReady() {
		return Boolean(this.view);
	}

	sayChosen() {
		this.announcer.then((announcer) => announcer.chosen());
	}

	/** @param {string[]} touch @returns {Promise<Refusal>} */
	findReason(touch) {
		return new Promise((answered) =>
			this.connection.ask(
				{ t: "why", touch },
				(answer) => answered(/** @type {Message<"why">} */ (answer)),
				() => answered({ text: t("no_answer") }),
			),
		);
	}

	confirm() {
		if (this.staged || this.paths.complete.length === 1) this.play();
	}

	play(choice = this.staged || this.paths.complete[0]) {
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

	marks() {
		return { last: this.view.last || [], turns: this.catchUp?.marks, below: this.below, hint: this.advice?.marks };
	}

	render() {
		if (this.catchUp?.showing) this.showChoices();
		else super.render();
	}

	showChoices() {
		this.prompt?.render();
		this.actions?.render();
	}

	/** Announces a text to screen readers. @param {string} text */
	say(text) {
		this.announcer.then((announcer) => announcer.say(text));
	}

	attach() {
		addEventListener("hashchange", () => {
			if (tokensOf(table).tokens.join() !== this.tokens.join()) location.reload(); // the link to a seat
		});
	}
}

Promise.all([ready(), startPage()]).then(() => new Table());
