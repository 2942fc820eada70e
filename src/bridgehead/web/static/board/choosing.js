// @ts-check
// How one chooses an action at a board, on every page on which one acts: by touches, drags, buttons and keys.
/** @import { Controller } from "./controller.js" */
import { $, el } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { actionOf, TABLE } from "../base/keys.js";
import { load, prefs, save } from "../base/store.js";

/** @param {Controller} page @param {string} id @param {boolean} [pulled] is it about to be dragged to a place? */
export function touch(page, id, pulled) {
	const { staged, paths, board } = page;
	const last = staged?.path.at(-1);
	page.forget();
	if (staged && [id, board.items.get(id)?.at].includes(last)) {
		page.play(staged);
		return;
	}
	if (staged) paths.prefix.pop();
	const before = [...paths.prefix];
	const { sole } = paths;
	const result = paths.touch(id, board.items);
	const clear = result === "act" ? paths.complete[0] : result === "choice" ? page.usual : undefined;
	const only = page.previews && result === "step" && !pulled ? paths.only : null;
	if (clear && page.previews && clear === sole) stage(page, clear);
	else if (clear) page.choose(clear);
	else if (only) stage(page, only);
	else page.render();
	if (result === "no") page.askWhy([...before, id]);
	else if (!clear && !only) page.sayChosen();
}

/** A drag begins. @param {Controller} page @param {string} id */
export function pull(page, id) {
	if (page.staged || !page.paths.resolve(id, page.board.items)) page.clear();
	if (!page.board.chosen.includes(id)) page.touch(id, false, true);
}

/** A button beside the board is pressed. @param {Controller} page @param {string} id */
export function press(page, id) {
	if (page.staged || !page.paths.next().has(id)) page.clear();
	page.touch(id);
}

/** @param {Controller} page @param {Choice} choice */
export function choose(page, choice) {
	if (page.staged === choice || !page.isStaged(choice)) page.play(choice);
	else stage(page, choice);
}

/**
 * Shows a choice as it would be played. A second touch of its end, or Confirm, plays it.
 * @param {Controller} page @param {Choice} choice
 */
function stage(page, choice) {
	page.staged = choice;
	page.paths.prefix = [...choice.path];
	page.say(t("staged", { what: choice.label }));
	page.render();
	page.board.host.scrollIntoView({ block: "nearest", behavior: "instant" });
}

/**
 * Asks why things cannot be touched: by default what was touched, and what has the focus.
 * @param {Controller} page @param {string[]} [touched]
 */
export async function askWhy(page, touched) {
	const { prefix } = page.paths;
	const things = touched ?? [...prefix, page.board.focusId ?? ""].filter((id, i, all) => id && id !== all[i - 1]);
	const id = things.at(-1);
	if (!id || things.length === prefix.length) {
		page.tell({ text: t("why_help") });
		return;
	}
	const asked = {};
	page.asked = asked;
	try {
		const reason = await page.findReason(things);
		if (asked !== page.asked) return;
		page.refusal = { id, show: reason.show ?? [] };
		page.render();
		page.tell(reason, id);
	} catch (error) {
		if (asked === page.asked) showError(page.problem, error);
	}
}

/** Explains something beside a thing. @param {Controller} page @param {Refusal} refusal @param {string} [id] */
export function tell(page, { text, clause, show = [] }, id = "") {
	page.board.explain(text, ruleLink(page, clause), id, [...show, ...page.board.targets.keys()]);
	page.say(text);
}

/** A link to a rule. @param {Controller} page @param {string} [clause] */
export function ruleLink(page, clause) {
	const to = `/rules/${page.rules}#${clause}`;
	return clause ? el("a", { href: to, target: "_blank" }, t("rule", { clause })) : "";
}

/**
 * A button for a choice. The second click of a double click was meant for what was there before.
 * @param {Controller} page @param {Choice} choice
 */
export function offer(page, choice) {
	const onclick = (/** @type {MouseEvent} */ { detail }) => {
		if (detail < 2) page.choose(choice);
	};
	const pressed = String(page.staged === choice);
	const note = choice.note && el("small", {}, choice.note);
	return el("button", { class: "btn", type: "button", "aria-pressed": pressed, onclick }, el("span", {}, choice.label), note);
}

/** Offers the actions among which one has to choose, since all of them have been touched. @param {Controller} page */
export function offerComplete(page) {
	const { complete } = page.paths;
	$("choices").replaceChildren(...(complete.length > 1 ? complete.map((each) => el("li", {}, offer(page, each))) : []));
}

/**
 * The buttons for what can be chosen beside the board. They keep their places; one that cannot be pressed now says why.
 * @param {Controller} page @param {string[]} [shown] those that are pointed at
 */
export function makeButtons(page, shown = []) {
	const { paths } = page;
	const known = { ...page.known };
	const [next, first] = [paths.next(), paths.next([])];
	for (const { path, label } of paths.choices) for (const id of path) if (id.startsWith("!")) known[id] ||= label;
	return Object.entries(known).map(([id, label]) => {
		const off = !next.has(id) && !first.has(id);
		const pressed = String(paths.prefix.includes(id));
		const onclick = () => (off ? page.askWhy([...paths.prefix, id]) : press(page, id));
		const style = `btn${shown.includes(id) ? " look" : ""}${label.length < 3 ? " brief" : ""}`;
		const look = { class: style, type: "button", "aria-disabled": off && "true" };
		return el("button", { ...look, "aria-pressed": pressed, onclick }, label);
	});
}

/** @param {Controller} page @param {KeyboardEvent} event */
export function key(page, event) {
	const action = actionOf(TABLE, event);
	const { tagName } = /** @type {Element} */ (event.target);
	if (!page.isReady || document.querySelector("dialog[open]")) return;
	if (action === "clear" && !/TEXTAREA/.test(tagName)) {
		if (page.paths.prefix.length) page.say(t("chosen_none"));
		page.clear();
		if (/INPUT/.test(tagName)) page.board.focus(page.board.focusId);
	}
	if (/INPUT|SELECT|TEXTAREA/.test(tagName) || (action !== "why" && action !== "names")) return;
	event.preventDefault();
	if (action === "why") page.askWhy();
	else toggleNames(page);
}

/** Writes the names of places on the board, or takes them away. @param {Controller} page */
function toggleNames(page) {
	const names = !prefs().names;
	save("prefs", { ...load("prefs", {}), names });
	window.bridgeheadTheme?.(prefs());
	dispatchEvent(new Event("prefs"));
	page.say(t(names ? "names_on" : "names_off"));
}
