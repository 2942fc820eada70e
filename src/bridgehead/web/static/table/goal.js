// @ts-check
// What this seat has to reach, and the rules in short.
import { el, later } from "../base/dom.js";
import { t } from "../base/i18n.js";

/** @param {View} view */
export function showGoal(view) {
	const { goal, game, table, rules } = view;
	if (!goal) return;
	const open = async () => (await later(() => import("./rules_dialog.js"))).showRules(view);
	const more = { class: "btn", href: `/rules/${game}?table=${table}`, target: "_blank" };
	const node = el(
		"dialog",
		{ class: "panel", "aria-labelledby": "goal-title" },
		el(
			"form",
			{ method: "dialog", class: "stack" },
			el("h2", { id: "goal-title" }, t("in_short")),
			el("p", {}, goal.text),
			el("ul", { class: "short-rules" }, ...goal.short.map((each) => el("li", {}, each))),
			el("p", {}, el("button", { class: "btn", type: "button", "aria-haspopup": "dialog", onclick: open }, rules)),
			el("p", { class: "row" }, el("a", more, t("rules")), el("button", { class: "btn main" }, t("close"))),
		),
	);
	node.onclose = () => node.remove();
	document.body.append(node);
	node.showModal();
}
