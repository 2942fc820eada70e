// @ts-check
// Real dice and cards: what they can show, to be tapped, and the correction of what was tapped last.
/** @import { Table } from "./table.js" */
import { drawItem } from "./board.js";
import { $, el, style, svg } from "./dom.js";
import { t } from "./words.js";

await style("faces"); // nothing appears without it

/** @typedef {NonNullable<View["faces"]>[number]} Face */

const SETTLED = 400; // ms until faces that have just appeared can be tapped

export class Faces {
	node = el("section", { class: "faces", id: "faces", "aria-label": t("faces.title") });
	row = ""; // the row that is open on a narrow screen
	since = 0; // when the faces appeared

	/** @param {Table} table */
	constructor(table) {
		this.table = table;
		$("buttons").before(this.node);
	}

	/** @param {View} view */
	show({ v, faces = [], mistyped }) {
		if (this.node.dataset.v === String(v)) return;
		this.node.dataset.v = String(v);
		this.since = performance.now();
		const rows = Map.groupBy(faces, ({ row = "" }) => row);
		if (!rows.has(this.row)) this.row = faces[0]?.row ?? "";
		const correct = () => this.send({ t: "undo", v });
		/** @type {HTMLElement[]} */
		const nodes = [];
		if (faces.length) nodes.push(el("p", { class: "quiet" }, t("faces.ask")));
		if (rows.size > 1) nodes.push(el("div", { class: "suits" }, ...[...rows.keys()].map((name) => this.tab(name))));
		for (const [name, some] of rows) nodes.push(this.line(name, some, v));
		if (mistyped) nodes.push(el("button", { class: "btn correct", type: "button", onclick: correct }, t("faces.correct")));
		this.node.replaceChildren(...nodes);
		this.open(this.row);
	}

	/** @param {string} name @param {Face[]} faces @param {number} v */
	line(name, faces, v) {
		const buttons = faces.map(({ action, label, parts, seat, width = 0, height = 0 }) => {
			const box = { viewBox: `${-width / 2} ${-height / 2} ${width} ${height}`, class: "board", "aria-hidden": "true" };
			const drawn = parts && svg("svg", box, drawItem({ x: 0, y: 0, parts, seat }));
			const look = { class: `btn face ${drawn ? "drawn" : ""}`, type: "button", "aria-label": label };
			return el("button", { ...look, onclick: () => this.send({ t: "act", a: action, v }) }, drawn || label);
		});
		return el("div", { class: "row", role: "group", "aria-label": name || t("faces.title"), "data-row": name }, ...buttons);
	}

	/** @param {string} name */
	tab(name) {
		return el("button", { class: "btn", type: "button", "data-row": name, onclick: () => this.open(name) }, name);
	}

	/** Opens a row of faces on a narrow screen. @param {string} name */
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
