// @ts-check
// The book of the host at a place of the analysis board: what was played there, how it went, and in which games.

import { el, href, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";

/** @typedef {Answer<"POST /api/book">} BookPage */

const LEVELS = ["wanderer", "scout", "guide", "ranger", "engineer", "captain", "strategist", "master"];
const percent = (/** @type {number} */ part, /** @type {number} */ all) => Math.round((100 * part) / all);
const who = (/** @type {string} */ player) => t(player === "person" ? player : `level.${player}`);

export class Book {
	/** @type {Map<string, Promise<BookPage>>} */
	known = new Map();
	players = "";
	/** @type {{ record: string, at: string, way: string }} */
	place;

	/** @param {HTMLElement} host @param {(action: number) => unknown} play */
	constructor(host, play) {
		this.host = host;
		this.play = play;
		const option = (/** @type {string} */ value, /** @type {string} */ text) => el("option", { value }, text);
		this.who = el(
			"select",
			{ "aria-label": t("book.who") },
			option("", t("book.all")),
			option("person", t("book.people")),
			...LEVELS.map((level) => option(level, t("book.level", { level: who(level) }))),
		);
		this.who.onchange = () => {
			this.players = this.who.value;
			this.show(this.place.record, this.place.at, this.place.way);
		};
		this.shown = el("div", { class: "stack", "aria-live": "polite" });
		host.replaceChildren(el("p", {}, this.who), this.shown);
	}

	/** @param {string} record @param {string} at @param {string} way the actions that lead there */
	async show(record, at, way) {
		const place = { record, at, way };
		this.place = place;
		const key = `${root.lang} ${this.players} ${way}`;
		try {
			const asked = { record, at, players: this.players };
			if (!this.known.has(key)) this.known.set(key, ask(`/api/book?lang=${root.lang}`, asked));
			const page = await /** @type {Promise<BookPage>} */ (this.known.get(key));
			if (place === this.place) this.fill(page);
		} catch (error) {
			this.known.delete(key);
			if (place !== this.place) return;
			const line = el("p", { class: "problem", role: "alert" });
			showError(line, error);
			this.shown.replaceChildren(line);
		}
	}

	/** @param {BookPage} page */
	fill({ count, decided, moves, games }) {
		const quiet = (/** @type {string} */ text) => el("p", { class: "quiet" }, text);
		if (!decided) return this.shown.replaceChildren(quiet(t("book.no_decision")));
		if (!count) return this.shown.replaceChildren(quiet(t(window.site ? "book.empty_here" : "book.empty")));
		const all = moves.reduce((sum, each) => sum + each.count, 0);
		const rows = moves.map((each) => {
			const by = [each.people && t("book.by_people", { n: each.people }), each.best && t("book.best", { level: who(each.best) })];
			const words = el("span", {}, each.label, " ", el("small", {}, by.filter(Boolean).join(", ")));
			const share = t("book.share", { n: each.count, percent: percent(each.count, all) });
			const won = t("book.won", { percent: percent(each.won, each.count) });
			const drawn = each.drawn ? t("book.drawn", { percent: percent(each.drawn, each.count) }) : "";
			const counts = el("span", { class: "share" }, [share, won, drawn].filter(Boolean).join(" · "));
			const onclick = () => this.play(each.action);
			return el("li", {}, el("button", { class: "btn", type: "button", title: each.text, onclick }, words, counts));
		});
		const found = games.map((each) => {
			const to = each.table ? `/study?table=${each.table}#at=${each.at}` : `/study#at=${each.at}&g=${each.link}`;
			const players = each.players.map(who).join(", ");
			return el("li", {}, el("a", { href: href(to), target: "_blank" }, players), " ", el("small", {}, each.result));
		});
		const title = t(window.site ? "book.games_here" : "book.games");
		const list = found.length ? [el("h2", {}, title), el("ul", { class: "found" }, ...found)] : [];
		this.shown.replaceChildren(quiet(t("book.count", { n: count })), el("ol", { class: "stack" }, ...rows), ...list);
	}
}
