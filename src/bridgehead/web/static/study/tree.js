// @ts-check
// The tree of a study: the main line, and variations beside the action to which they are an alternative.
import { el } from "../base/dom.js";
import { t } from "../base/i18n.js";

/** @typedef {NonNullable<Answer<"POST /api/study">["tree"]>} Tree */
/** @typedef {Tree[number]["steps"][number]} Step */

/** The place before the last action; "" at the first position. @param {string} path */
export function before(path) {
	const parts = path.split(".").map(Number);
	const count = parts[parts.length - 1];
	if (parts.length > 1 && count === 1) return parts.slice(0, -2).join(".");
	return count ? [...parts.slice(0, -1), count - 1].join(".") : "";
}

/** The line on which a place lies. @param {Tree} tree @param {string} path */
export const lineOf = (tree, path) => tree.find(({ steps }) => steps.some((step) => step.path === path));

/** The actions that lead to a place, in notation. @param {Tree} tree @param {string} path */
export function wayTo(tree, path) {
	const steps = new Map(tree.flatMap((line) => line.steps).map((step) => [step.path, step]));
	const texts = [];
	for (let at = path; at; at = before(at)) texts.unshift(steps.get(at)?.text);
	return texts.join(" ");
}

/**
 * Fills a region with the tree. at: the place that is shown; go: called with the place of an action that is chosen.
 * @param {HTMLElement} host @param {Tree} tree @param {string} at @param {(path: string) => void} go
 */
export function fillTree(host, tree, at, go) {
	const beginning = Map.groupBy(
		tree.filter(({ start }) => start),
		({ start }) => start,
	);

	/** @param {string} start */
	const variations = (start) => (beginning.get(start) ?? []).map((line) => drawn(line));

	/** @param {Step} step @param {boolean} numbered */
	function action({ path, turn, text, comment, shapes }, numbered) {
		const mark = shapes ? " ◦" : "";
		const button = el(
			"button",
			{ type: "button", "data-path": path, "aria-current": path === at && "true", onclick: () => go(path) },
			(text || t("first")) + mark,
		);
		const named = el("span", { class: "step" }, numbered && el("span", { class: "no" }, `${turn}.`), button);
		return [named, comment && el("span", { class: "remark" }, comment)];
	}

	/** @param {Tree[number]} line @returns {HTMLElement} */
	function drawn({ start, steps }) {
		const parts = steps.flatMap((step, i) => [
			...action(step, Boolean(step.turn) && (!i || steps[i - 1].turn !== step.turn)),
			...(start && !i ? [] : variations(before(step.path))),
		]);
		const last = steps[steps.length - 1].path;
		const named = start ? { role: "group", "aria-label": t("tree.variation") } : {};
		return el("div", { class: "line", ...named }, ...parts, ...variations(last));
	}

	const held = document.activeElement instanceof HTMLElement && host.contains(document.activeElement);
	host.replaceChildren(drawn(tree[0]));
	const now = host.querySelector("[aria-current]");
	if (now instanceof HTMLElement) {
		const { top, bottom } = now.getBoundingClientRect();
		const box = host.getBoundingClientRect();
		if (top < box.top || bottom > box.bottom) host.scrollTop += top - box.top - host.clientHeight / 2;
		if (held) now.focus({ preventScroll: true });
	}
}
