// @ts-check
// The rules of a table: what differs from the rules as written, and what those say.
import { closer, dialog } from "../base/dialog.js";
import { el, root } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";

/** @typedef {Answer<"GET /api/games/{game}/rules">["rules"][number]} Rule */

/** @param {View} view */
export async function showRules({ game, table, rules }) {
	const { rules: changed } = await ask(`/api/games/${game}/rules?table=${table}&lang=${root.lang}`);
	const page = `/rules/${game}?table=${table}`;
	/** @param {Rule} rule */
	const row = ({ title, value, text, written, clause, says }) => {
		const link = clause && el("a", { href: `${page}#${clause}`, target: "_blank" }, clause);
		return el(
			"li",
			{},
			el("strong", {}, title),
			el("p", { class: "quiet" }, text),
			el("p", {}, t("rules.here", { value })),
			el("p", {}, t("rules.written", { value: written })),
			link && el("p", { class: "quiet" }, link, " ", says),
		);
	};
	const shown = changed.filter(({ name }) => name !== "seats").map(row);
	dialog(
		rules,
		shown.length ? el("ul", { class: "stack in-force" }, ...shown) : el("p", {}, t("rules.same")),
		el("p", { class: "row" }, el("a", { class: "btn", href: page, target: "_blank" }, t("rules")), closer()),
	);
}
