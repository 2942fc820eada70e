// @ts-check
// The rules page of a table: its house rules, and its moves below the clauses that applied them.
import { $, el } from "../base/dom.js";
import { reasonOf, showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { whenShownAgain } from "../base/poll.js";
import { ask } from "../base/request.js";

/** @typedef {Answer<"GET /api/games/{game}/rules">} InForce @typedef {InForce["actions"][number]} Action */

const MOST = 40; // moves that are listed below a clause
const asked = new URLSearchParams(location.search);
const article = document.querySelector("article");
const number = (/** @type {number} */ turn) => `${t("turn_no")} ${turn}`;
const replay = (/** @type {string} */ table, /** @type {number} */ at) => `/replay/${table}?at=${at}`;

/** Parts with a text between them. @param {Node[]} parts @param {string} [text] */
const joined = (parts, text = ", ") => parts.flatMap((part, i) => (i ? [text, part] : [part]));

/** Adds a paragraph above the clauses. @param {Node} node */
const above = (node) => article?.querySelector("section")?.before(node);

/** @param {InForce["rules"]} rules */
function houseRules(rules) {
	const links = rules.map(({ name, title, value }) => el("a", { href: `#option-${name}` }, `${title}: ${value}`));
	above(el("p", { class: "note" }, ...(rules.length ? [t("in_force"), " ", ...joined(links)] : [t("standard_rules")])));
	for (const { name, value } of rules) {
		const option = document.getElementById(`option-${name}`);
		option?.classList.add("differs");
		option?.querySelector("dt .quiet")?.prepend(el("strong", {}, value), " · ");
		for (const link of document.querySelectorAll(`.clause a[href="#option-${name}"]`))
			link.closest(".clause")?.classList.add("differs");
	}
}

/** The move that the address names, with its clauses. @param {string} table @param {Action} action @param {number} at */
function oneMove(table, { turn, text, clauses }, at) {
	const links = clauses.map((clause) => el("a", { href: `#${clause}` }, clause));
	const move = el("a", { href: replay(table, at) }, `${number(turn)}: ${text}`);
	above(el("p", { class: "note" }, move, " · ", t("applied"), " ", ...(links.length ? joined(links) : ["–"])));
	const place = location.hash ? null : document.getElementById(clauses[0] ?? "");
	place?.querySelector("details")?.setAttribute("open", "");
	if (place) location.replace(`#${clauses[0]}`);
}

/** @param {string} table @param {Action[]} actions */
function movesOf(table, actions) {
	const moves = actions.map((action, i) => ({ ...action, at: i + 1 }));
	for (const clause of document.querySelectorAll(".clause")) {
		const found = moves.filter(({ clauses }) => clauses.includes(clause.id));
		const lines = found
			.slice(0, MOST)
			.map(({ turn, text, at }) => el("li", {}, el("a", { href: replay(table, at) }, number(turn)), ` ${text}`));
		const summary = el("summary", {}, `${t("in_this_game")}: ${found.length}`);
		if (found.length) clause.lastElementChild?.append(el("details", {}, summary, el("ol", { class: "quiet" }, ...lines)));
	}
}

async function show() {
	const { table, rules, actions } = await ask(`/api/games/${$("main").dataset.game ?? ""}/rules?${asked}`);
	houseRules(rules);
	movesOf(table, actions);
	const at = Number(asked.get("at"));
	if (actions[at - 1]) oneMove(table, actions[at - 1], at);
}

const paper = /** @type {HTMLButtonElement | null} */ (document.getElementById("print"));
if (paper) {
	paper.onclick = () => print();
	paper.inert = false;
}
if (["of", "table", "options"].some((name) => asked.has(name))) {
	const error = el("p", { class: "problem", role: "alert", hidden: true });
	above(error);
	whenShownAgain((back) => back && location.reload()); // the game went on
	await show().catch((reason) => showError(error, { message: reasonOf(reason) }));
}
