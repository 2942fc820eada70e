// @ts-check
// The buttons, tabs and keys that only a table has.
/** @import { Table } from "./table.js" */
import { $, later } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { actionOf, TABLE } from "../base/keys.js";
import { ask } from "../base/request.js";
import { selectTab, wireTabs } from "../base/tabs.js";

const TABS = /** @type {const} */ (["log", "all", "chat"]);

/** @param {Table} table @param {typeof TABS[number]} shown */
export function openTab(table, shown) {
	for (const name of TABS) $(name).hidden = name !== shown;
	selectTab($(`tab-${shown}`));
	table.actions?.render();
	table.presence?.chat.draw();
}

/** @param {Table} table */
async function advise(table) {
	if ($("advise").hidden) return;
	table.advice ||= new (await later(() => import("./hint.js"))).Hint(table);
	table.advice.ask();
}

/** @param {Table} table */
function showLast(table) {
	const id = table.view.last?.at(-1);
	table.tell({ text: table.view.log.at(-1)?.text || t("nothing_yet") }, id);
	if (id) table.board.viewport.show(id);
}

/** @param {Table} table */
export function listen(table) {
	/** @type {[keyof Elements, () => void][]} */
	const clicks = [
		["undo", () => table.undo()],
		["confirm", () => table.confirm()],
		["goal-more", async () => (await later(() => import("./goal.js"))).showGoal(table.view)],
		["takeback", () => table.connection.queue(() => ({ t: "ask", what: "takeback", v: table.view.v }))],
		["last", () => showLast(table)],
		["ask", () => table.askWhy()],
		["advise", () => advise(table)],
	];
	for (const [id, act] of clicks) $(id).onclick = act;
	for (const name of TABS) $(`tab-${name}`).onclick = () => openTab(table, name);
	wireTabs($("tabs"));
	$("share").onclick = async () =>
		(await later(() => import("../people/share.js"))).share((await ask(`/api/tables/${table.id}/link`)).link);
	later(() => import("./action_list.js")).then(({ ActionList }) => {
		table.actions = new ActionList(table);
		if (table.view) table.actions.render();
	});
	for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('a[href^="#"]')))
		link.onclick = () => {
			document.getElementById(link.hash.slice(1))?.scrollIntoView();
			return false; // the fragment holds the seat's token
		};
	for (const opener of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-sheet]"))) {
		const part = /** @type {"talk" | "menu"} */ (opener.dataset.sheet);
		const onclick = async () => (await later(() => import("./bottom_sheet.js"))).openSheet(opener, part);
		Object.assign(opener, { inert: false, onclick });
	}
	for (const turner of document.querySelectorAll("[data-turn]"))
		Object.assign(turner, { inert: false, onclick: () => table.turn() });
	attachKeys(table);
}

/** @param {Table} table */
function attachKeys(table) {
	/** @type {{ [action: string]: () => void }} */
	const acts = {
		undo: () => table.undo(),
		asking: () => $("asking").click(),
		takeback: () => {
			if (!$("takeback").hidden) $("takeback").click();
		},
		since: () => (table.catchUp?.showing ? table.catchUp.stop() : $("since-step").click()),
		last: () => showLast(table),
		hint: () => advise(table),
		where: () => table.tell({ text: table.prompt?.text ?? "" }),
		list: () => {
			openTab(table, "all");
			$("list").querySelector("summary")?.focus();
		},
		type: () => {
			openTab(table, "all");
			$("typed").focus();
		},
	};
	addEventListener("keydown", (event) => {
		if (!table.view || document.querySelector("dialog[open]")) return;
		const { tagName } = /** @type {Element} */ (event.target);
		const action = actionOf(TABLE, event);
		if (!acts[action] || /INPUT|SELECT/.test(tagName)) return;
		event.preventDefault();
		acts[action]();
	});
}
