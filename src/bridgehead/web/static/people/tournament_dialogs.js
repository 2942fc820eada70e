// @ts-check
// What a tournament asks before it does something, and its certificates. Loaded when somebody wants one of them.

import { closer, dialog } from "../base/dialog.js";
import { button, el, quiet, root } from "../base/dom.js";
import { t } from "../base/i18n.js";

/** @typedef {Answer<"GET /api/tournaments/{tournament}">} Cup @typedef {Cup["games"][number]} Game */

/**
 * Asks before something happens.
 * @param {string} title @param {(string | false | undefined)[]} follows @param {string} yes @param {() => void} go
 */
export function confirm(title, follows, yes, go) {
	const agree = () => {
		node.close();
		go();
	};
	const texts = follows.filter(Boolean).map((text) => el("p", {}, text));
	const node = dialog(title, ...texts, el("p", { class: "row" }, closer(), button(yes, agree, "main")));
}

/**
 * The host decides a game, or corrects one that is over.
 * @param {Game} game @param {(entrant: number) => string} nameOf @param {(places: number[]) => void} go
 */
export function decide({ seats, points }, nameOf, go) {
	const over = points.length > 0;
	const choose = (/** @type {number[]} */ places) => () => {
		node.close();
		go(places);
	};
	const item = (/** @type {string} */ text, /** @type {number[]} */ places) => el("li", {}, button(text, choose(places)));
	const wins = seats.map((entrant, i) =>
		item(
			t("cup.wins", { name: nameOf(entrant) }),
			seats.map((_, j) => (i === j ? 1 : 2)),
		),
	);
	const draw = item(
		t("cup.draw"),
		seats.map(() => 1),
	);
	const lost = item(
		t("cup.all_lost"),
		seats.map(() => seats.length),
	);
	const node = dialog(
		t(over ? "cup.correct" : "cup.decide"),
		quiet(t(over ? "cup.correct_help" : "cup.decide_help")),
		el("ul", { class: "stack" }, ...wins, draw, lost),
		seats.length > 2 && placing(seats, nameOf, (places) => choose(places)()),
		el("p", {}, closer()),
	);
}

/**
 * A place for each.
 * @param {number[]} seats @param {(entrant: number) => string} nameOf @param {(places: number[]) => void} go
 */
function placing(seats, nameOf, go) {
	const fields = seats.map((entrant, i) => {
		const options = seats.map((_, n) => el("option", n === i ? { selected: "" } : {}, `${n + 1}`));
		return el("label", { class: "field" }, t("cup.place_of", { name: nameOf(entrant) }), el("select", {}, ...options));
	});
	const form = el("form", { class: "stack" }, ...fields, el("p", {}, el("button", { class: "btn" }, t("cup.decide_places"))));
	form.onsubmit = (event) => {
		event.preventDefault();
		go(fields.map((field) => Number(field.querySelector("select")?.value)));
	};
	return form;
}

/** Prints a sheet for each of the standings. @param {Cup} cup @param {string} about the date and the place */
export function printCertificates(cup, about) {
	const sheets = cup.lines
		.filter(({ entrant }) => !cup.people[entrant].left && cup.people[entrant].name)
		.map(({ place, entrant, points }) =>
			el(
				"section",
				{},
				el("p", {}, t("cup.certificate")),
				el("h2", {}, cup.people[entrant].name),
				el("p", { class: "place" }, t("cup.certificate_place", { n: place })),
				el("p", {}, `${cup.name} · ${cup.title}`),
				el("p", {}, `${t("cup.points")}: ${new Intl.NumberFormat(root.lang, { maximumFractionDigits: 2 }).format(points)}`),
				el("p", {}, about),
			),
		);
	const all = el("div", { class: "certificates" }, ...sheets);
	document.body.append(all);
	root.classList.add("only-certificates");
	addEventListener(
		"afterprint",
		() => {
			root.classList.remove("only-certificates");
			all.remove();
		},
		{ once: true },
	);
	print();
}
