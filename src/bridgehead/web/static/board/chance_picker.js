// @ts-check
// Real dice and cards: what they can show, to be tapped, and the correction of what was tapped last.
/** @import { Table } from "../table/table.js" */

import { $, el, style, svg } from "../base/dom.js";
import { drawItem } from "../base/draw.js";
import { t } from "../base/i18n.js";

await style("board/chance_picker"); // nothing appears without it

/** @typedef {NonNullable<View["faces"]>[number]} Face */
/**
 * Where the faces are shown: a table, or a study.
 * @typedef {{ view: { v: number }, connection: Pick<Table["connection"], "ready" | "submit"> }} Host
 */

const SETTLED = 400; // ms until faces that have just appeared can be tapped

export class ChancePicker {
	node = el("section", { class: "faces", id: "faces", "aria-label": t("faces.title") });
	row = ""; // the row that is open
	since = 0; // when the faces appeared

	/** @param {Host} table */
	constructor(table) {
		this.table = table;
		$("buttons").before(this.node);
	}

	/** @param {Pick<View, "moved" | "faces" | "mistyped"> & { at?: string }} view at: the place in a study */
	show({ moved, faces = [], mistyped, at }) {
		const look = [moved, faces.length, mistyped, at].join();
		if (this.node.dataset.look === look) return; // only people came or went
		this.node.dataset.look = look;
		this.since = performance.now();
		const rows = Map.groupBy(faces, ({ row = "" }) => row);
		if (!rows.has(this.row)) this.row = faces[0]?.row ?? "";
		const correct = () => this.send({ t: "undo", v: this.table.view.v });
		/** @type {HTMLElement[]} */
		const nodes = [];
		const ask = faces.length > 0 && el("p", { class: "quiet" }, t("faces.ask"));
		const button = mistyped && el("button", { class: "btn", type: "button", onclick: correct }, t("faces.correct"));
		if (ask || button) nodes.push(el("div", { class: "head" }, ask, button));
		if (rows.size > 1) nodes.push(el("div", { class: "suits" }, ...[...rows.keys()].map((name) => this.tab(name))));
		for (const [name, some] of rows) nodes.push(this.line(name, some));
		this.node.replaceChildren(...nodes);
		this.node.classList.toggle("asks", faces.length > 0);
		this.open(this.row);
	}

	/** @param {string} name @param {Face[]} faces */
	line(name, faces) {
		const buttons = faces.map(({ action, label, parts, seat, width = 0, height = 0 }) => {
			const box = { viewBox: `${-width / 2} ${-height / 2} ${width} ${height}`, class: "board", "aria-hidden": "true" };
			const drawn = parts && svg("svg", box, drawItem({ x: 0, y: 0, parts, seat }));
			const look = { class: `btn face ${drawn ? "drawn" : ""}`, type: "button", "aria-label": label };
			return el("button", { ...look, onclick: () => this.send({ t: "act", a: action, v: this.table.view.v }) }, drawn || label);
		});
		return el("div", { class: "row", role: "group", "aria-label": name || t("faces.title"), "data-row": name }, ...buttons);
	}

	/** @param {string} name */
	tab(name) {
		return el("button", { class: "btn", type: "button", "data-row": name, onclick: () => this.open(name) }, name);
	}

	/** Opens a row of faces and closes the others. @param {string} name */
	open(name) {
		this.row = name;
		for (const each of /** @type {NodeListOf<HTMLElement>} */ (this.node.querySelectorAll("[data-row]"))) {
			const isOpen = each.dataset.row === name;
			if (each instanceof HTMLButtonElement) each.ariaPressed = String(isOpen);
			else each.classList.toggle("open", isOpen);
		}
	}

	/** @param {Unsent} message */
	send(message) {
		if (this.table.connection.ready && performance.now() - this.since > SETTLED) this.table.connection.submit(message);
	}
}
