// @ts-check
// Conditional moves on the analysis board: the variations after the present position, kept by the server for one seat.
/** @import { AnalysisBoard } from "./analysis_board.js" */
import { $, el, href, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { tokensOf } from "../people/tokens.js";

/** @typedef {Answer<"POST /api/tables/{table}/plan">} Plan */

/** @param {AnalysisBoard} page @param {string} table */
export async function plans(page, table) {
	const { tokens } = tokensOf(table);
	const [token] = tokens;
	const list = el("ol", { class: "stack" });
	const state = el("p", { role: "status" });
	const wrong = el("p", { class: "problem", role: "alert" });
	const send = async (/** @type {"show" | "keep" | "clear"} */ action) => {
		try {
			const record = action === "keep" ? page.record : "";
			show(await ask(`/api/tables/${table}/plan?lang=${root.lang}`, { token, do: action, record }));
			showError(wrong);
		} catch (error) {
			showError(wrong, error);
		}
	};
	const button = (/** @type {string} */ label, /** @type {"keep" | "clear"} */ action, more = "") =>
		el("button", { class: `btn ${more}`, type: "button", onclick: () => page.queue(() => send(action)) }, label);
	const keep = button(t("plan.keep"), "keep", "main");
	const clear = button(t("plan.clear"), "clear");
	const show = (/** @type {Plan} */ { lines, ended, may }) => {
		state.textContent = ended || t(lines.length ? "plan.kept" : "plan.empty", { n: lines.length });
		list.replaceChildren(...lines.map((line) => el("li", {}, line.join(" "))));
		keep.disabled = !may;
		clear.hidden = !lines.length && !ended;
	};
	wrong.hidden = true;
	const back = el("a", { class: "btn", href: href(`/t/${table}#s=${tokens.join(".")}`) }, t("to_table_back"));
	$("talk").prepend(
		el(
			"section",
			{ class: "stack pad plans", "aria-label": t("plan.title") },
			el("h2", {}, t("plan.title")),
			el("p", { class: "quiet" }, t("plan.help")),
			state,
			list,
			wrong,
			el("p", { class: "row" }, keep, clear, back),
		),
	);
	if (token) await send("show");
	else showError(wrong, { message: t("plan.no_seat") });
}
