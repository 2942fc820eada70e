// @ts-check
// The end of a game at its table: what can be done next, and the moments that changed it, with pictures.
/** @import { Study } from "../board/record.js" */
/** @import { Table } from "./table.js" */

import { $, el, later, root, style } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { closeUp } from "../board/close_up.js";
import { Frames, requestAnalysis } from "../board/record.js";
import { openTab } from "./shortcuts.js";

await style("table/end");

const MOMENTS = 3;
// Ends that are not the rules' own.
const EARLY = new Set(["draw agreed", "resigned", "out of time", "did not appear", "closed by the host"]);
const percent = (/** @type {number} */ chance) => Math.round(100 * chance);

export class Ending {
	/** @param {Table} table */
	constructor(table) {
		this.table = table;
		this.begun = false;
		this.next = false; // what to do next is offered
		this.early = false; // nobody played to the end
		this.box = el("div", { class: "stack" });
		const analyse = el("a", { class: "btn bare", href: `/replay/${table.id}?study` }, t("analyse"));
		const head = el("div", { class: "row" }, el("h2", {}, t("moments")), analyse);
		this.panel = el("section", { class: "moments panel", "aria-label": t("moments") }, head, this.box);
		$("talk").before(this.panel);
	}

	/** @param {View} view */
	show(view) {
		const { ending, outcome, you, log } = view;
		const over = Boolean(ending);
		$("main").classList.toggle("over", over);
		$("main").classList.toggle("won", ending?.tone === "won");
		const played = log.length > 0;
		this.panel.hidden = !over || !played;
		if (over && !this.next) this.offerNext(played && !outcome?.winners.length);
		if (!over || !played || this.begun) return;
		if (!$("all").hidden) openTab(this.table, "log");
		this.begun = true;
		this.celebrate(ending?.tone);
		this.early = EARLY.has(outcome?.reason ?? "");
		if (this.early) this.panel.prepend(el("p", { class: "cause" }, outcome?.text));
		const find = () => this.find();
		if (you.length) find();
		else this.box.replaceChildren(el("button", { class: "btn", type: "button", onclick: find }, t("moments_find")));
	}

	/** The winning way, quietly for those who lost; nothing moves where one comes to a game that is over. @param {string} [tone] */
	async celebrate(tone) {
		const moves = this.table.sawPlay && tone !== "lost";
		$("main").classList.toggle("winning", moves && tone === "won");
		(await later(() => import("./winning_way.js"))).showWay(this.table, moves);
	}

	/**
	 * Offers the way back to the tournament, and the recommended rules where games by those of this table often have no winner.
	 * @param {boolean} drawn
	 */
	async offerNext(drawn) {
		this.next = true;
		const { id, view } = this.table;
		const found = await ask(`/api/tables/${id}/likeness?lang=${root.lang}`).catch(() => null);
		if (found?.tournament) {
			$("after").querySelector(".main")?.classList.remove("main");
			const back = { class: "btn main", id: "to-club", href: `/tournament/${found.tournament}` };
			$("after").prepend(el("a", back, t("cup.to", { name: found.club ?? "" })));
		}
		const way = `/new/${view.game}?like=${id}&preset=recommended`;
		if (drawn && found?.again) $("after").prepend(el("a", { class: "btn", id: "again", href: way }, found.again));
	}

	async find() {
		const bar = el("progress", { max: "1", "aria-label": t("analysis") });
		this.box.replaceChildren(el("p", { class: "quiet", role: "status" }, t("moments_wait")), bar);
		try {
			const film = await ask(`/api/tables/${this.table.id}/frames?lang=${root.lang}&piece=first`);
			const found = await requestAnalysis(film.record, (done, of) => {
				bar.value = done / of;
			});
			await this.fill(found, new Frames(film));
		} catch (error) {
			const why = el("p", { class: "quiet" });
			showError(why, error);
			this.box.replaceChildren(why);
		}
	}

	/** The seat from whose side the moments are seen: the own one, else the first winner's. */
	get seat() {
		const { you, outcome } = this.table.view;
		return (you.length === 1 ? you[0] : outcome?.winners[0]) ?? you[0] ?? 0;
	}

	/** @param {Study} found @param {Frames} frames */
	async fill({ line, moments, seats, steps, words }, frames) {
		const { seat } = this;
		const { name } = this.table.view.seats[seat];
		const change = (/** @type {number} */ at) => line[at + 1][seat] - line[at][seat];
		// Where a game ended early, the chance after its last action is that of the end, not of the action.
		const lived = moments.filter(({ at }) => !this.early || at + 2 < line.length);
		const most = lived.toSorted((one, other) => Math.abs(change(other.at)) - Math.abs(change(one.at)));
		const shown = most.slice(0, MOMENTS).sort((one, other) => one.at - other.at);
		const rows = await Promise.all(
			shown.map(async ({ at, turn, text, why }) => {
				const { items, last } = await frames.frame(at + 1);
				const [before, after] = [line[at][seat], line[at + 1][seat]].map(percent);
				const chances = t("moment_chances", { name, before, after });
				const parts = [el("b", {}, t("jump_to", { n: turn })), el("span", {}, text), el("small", {}, why)];
				const words = el("div", {}, ...parts, before !== after && el("small", { class: "share" }, chances));
				const href = `/replay/${this.table.id}?at=${at + 1}`;
				return el("li", {}, el("a", { class: "moment", href }, closeUp(this.table.board.whole, items, last), words));
			}),
		);
		const { luck, lost } = seats[seat];
		const points = { name, luck: `${luck > 0 ? "+" : ""}${percent(luck)}`, lost: percent(lost) };
		const sums = t(steps.some((step) => step.luck) ? "moment_sums" : "moment_lost", points);
		this.box.replaceChildren(
			rows.length ? el("ol", { class: "stack" }, ...rows) : el("p", {}, words["moments.none"]),
			...(rows.length > 0 || !this.early ? [el("p", { class: "quiet" }, sums)] : []),
		);
	}
}
