// @ts-check
// The profiles that this browser's profile has blocked, and reports to the host.

import { dialog } from "../base/dialog.js";
import { el } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { save } from "../base/store.js";
import { keyOf } from "./profile.js";

/** @typedef {Requests["POST /api/tables/{table}/complaints"]["body"]["reason"]} Reason */
/** @type {Reason[]} */
const REASONS = ["chat", "name", "stalling", "cheating", "other"];

/**
 * Blocks a profile, or ends that; without one it only asks. Returns all blocked ones.
 * @param {string} [profile] @param {boolean} [block]
 */
export async function changeBlocks(profile = "", block = true) {
	const { blocks } = await ask("/api/profile/blocks", { key: keyOf(), profile, blocked: block });
	save(
		"blocked",
		blocks.map(({ id }) => id),
	);
	return blocks;
}

/**
 * The form that reports the person of a seat to the host.
 * @param {string} table @param {string[]} tokens @param {number} about @param {string} name
 */
export function report(table, tokens, about, name) {
	const error = el("p", { class: "problem", role: "alert", hidden: true });
	const reason = el(
		"select",
		{ "aria-label": t("report_why") },
		...REASONS.map((each) => el("option", { value: each }, t(`report.${each}`))),
	);
	const text = el("input", {
		maxlength: "300",
		autocomplete: "off",
		"aria-label": t("report_text"),
		placeholder: t("report_text"),
	});
	const form = el("form", { class: "stack" }, reason, text, el("p", { class: "quiet" }, t("report_help")), error);
	const close = () => el("button", { class: "btn", type: "button", onclick: () => node.close() }, t("close"));
	form.append(el("p", { class: "row" }, close(), el("button", { class: "btn main" }, t("report_send"))));
	const node = dialog(t("report", { name }), form);
	form.onsubmit = async (event) => {
		event.preventDefault();
		try {
			const wish = { tokens, about, reason: /** @type {Reason} */ (reason.value), text: text.value.trim() };
			const { lines } = await ask(`/api/tables/${table}/complaints`, wish);
			const done = close();
			form.replaceChildren(el("p", { role: "status" }, t("report_sent", { n: lines })), done);
			done.focus();
		} catch (failure) {
			showError(error, failure);
		}
	};
}
