// @ts-check
// The menu of a table: how others join, and the host's options.
/** @import { Presence } from "./presence.js" */
import { $, el, later } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { linkRow } from "../people/share.js";

const OTHERS = { "data-needs": "others" }; // not shown where there is no server

/** @param {Presence} presence @returns {Promise<HTMLElement[]>} */
export async function tableMenu(presence) {
	const { people, view } = presence;
	const { table } = view;
	const { code } = people;
	/** @type {HTMLElement[]} */
	const parts = [
		el("h2", { id: "people-title" }, t("table_menu")),
		el(
			"div",
			{ class: "stack", ...OTHERS },
			code && el("p", { class: "row" }, t("code_play"), el("strong", { class: "code" }, code)),
			el("p", { class: "quiet" }, t(code ? "invite_code" : "invite_link", { code })),
			await linkRow(`/t/${table}`, t("watch")),
		),
	];
	parts.push(el("p", {}, el("a", { class: "btn", href: `/position/${view.game}?table=${table}` }, t("set_up_this"))));
	if (view.clock?.days) parts.push(el("p", {}, el("a", { class: "btn", href: "/games" }, t("my.games_off"))));
	if ($("asking").classList.contains("long") && view.may?.length) {
		const open = () => {
			presence.dialog.close();
			$("asking").click();
		};
		parts.push(el("button", { class: "btn", type: "button", onclick: open }, t("ask_for")));
	}
	if (people.watching) parts.push(el("p", { class: "quiet" }, t("watching_n", { n: people.watching })));
	if (people.host || view.outcome) parts.push(...(await later(() => import("./thinking_times.js"))).thinkingTimes(presence));
	if (!people.host) return parts;
	const box = (/** @type {"listed" | "public" | "chat" | "watchers" | "hints"} */ name, /** @type {string} */ label) => {
		const input = el("input", { type: "checkbox" });
		input.onchange = () => presence.send({ t: "house", [name]: input.checked });
		input.checked = people[name];
		return el("label", { class: "check", ...(name !== "hints" && OTHERS) }, input, el("span", {}, label));
	};
	parts.push(
		el("h3", {}, t("you_host")),
		box("listed", t("listed")),
		box("public", t("public")),
		box("chat", t("host_chat")),
		box("watchers", t("host_watchers")),
		box("hints", t("host_hints")),
	);
	if (!people.hooks) return parts;
	const field = el("input", { type: "url", maxlength: "300", value: people.webhook, "aria-label": t("webhook") });
	const form = el("form", { class: "row" }, field, el("button", { class: "btn" }, t("save")));
	form.onsubmit = (event) => {
		event.preventDefault();
		presence.send({ t: "house", webhook: field.value.trim() });
	};
	return [...parts, el("p", { class: "quiet" }, t("webhook")), form];
}
