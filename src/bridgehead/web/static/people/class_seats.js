// @ts-check
// What the server's host does with one table of the class: people change places, two tables become one, a table is closed.

import { closer, dialog } from "../base/dialog.js";
import { button, el, quiet } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { levelName } from "../base/levels.js";

/** @typedef {Answer<"POST /api/class">["news"][number]} Shown */
/** @typedef {Omit<Requests["POST /api/class/act"]["body"], "key">} Act */

/** Who has a seat, in words. @param {Shown["seats"][number]} seat */
function nameOf({ letter, name, level, taken }) {
	const who = level && !name.startsWith(levelName(level)) && name === letter ? levelName(level) : name;
	return taken || level ? `${letter}: ${who}` : `${letter}: ${t("class.free_seat")}`;
}

/**
 * Asks what is to be done with a table.
 * @param {Shown} table @param {Shown[]} others @param {(table: Shown) => string} titleOf @param {(act: Act) => void} act
 */
export function arrange(table, others, titleOf, act) {
	const label = (/** @type {Shown} */ each) => `${titleOf(each)}: ${each.seats.map(nameOf).join(", ")}`;
	const open = others.filter(({ begun, state }) => !begun && state !== "over");
	const pick = (/** @type {string} */ text, /** @type {HTMLElement[]} */ options) => {
		const select = el("select", {}, ...options);
		return { select, field: el("label", { class: "row" }, el("span", {}, text), select) };
	};
	const option = (/** @type {string} */ value, /** @type {string} */ text) => el("option", { value }, text);
	const go = (/** @type {Act} */ what) => () => {
		node.close();
		act({ table: table.table, ...what });
	};
	const seats = table.seats.flatMap((seat, i) => (seat.taken ? [option(String(i), nameOf(seat))] : []));
	const who = pick(t("class.who"), seats);
	const places = (/** @type {Shown} */ each) => each.seats.map((seat, i) => option(`${each.table} ${i}`, nameOf(seat)));
	const own = el("optgroup", { label: t("class.this_table") }, ...places(table));
	const groups = [...open.map((each) => el("optgroup", { label: label(each) }, ...places(each))), own];
	const where = pick(t("class.where"), groups);
	const alike = open.filter(({ title }) => title === table.title);
	const into = pick(
		t("class.into"),
		alike.map((each) => option(each.table, label(each))),
	);
	const change = () => {
		const [to, seat] = where.select.value.split(" ");
		go({ do: "swap", seat: Number(who.select.value), to, to_seat: Number(seat) })();
	};
	const merge = () => go({ do: "merge", to: into.select.value })();
	const sure = button(t("class.close_yes"), go({ do: "close" }), "main");
	sure.hidden = true;
	const close = button(t("class.close"), () => {
		close.hidden = true;
		sure.hidden = false;
		sure.focus();
	});
	const moves = table.begun
		? [quiet(t("class.begun"))]
		: [
				seats.length > 0 && who.field,
				seats.length > 0 && where.field,
				seats.length > 0 && el("p", {}, button(t("class.change"), change)),
				seats.length > 0 && alike.length > 0 && into.field,
				seats.length > 0 && alike.length > 0 && el("p", {}, button(t("class.merge"), merge)),
			];
	const node = dialog(label(table), ...moves, quiet(t("class.close_help")), el("p", { class: "row" }, close, sure, closer()));
}
