// The menu of a table: how others come, and what its host decides.
import { el } from "./dom.js";
import { linkRow } from "./links.js";
import { t } from "./words.js";

export async function about(company) {
	const { people, view } = company, { table } = view;
	const parts = [el("h2", { id: "people-title" }, t("table_menu")), el("p", { class: "row" }, t("code_play"), el("strong", { class: "code" }, table)),
		el("p", { class: "quiet" }, t("invite_code", { code: table })), await linkRow(`/t/${table}`, t("watch"))];
	if (people.watching) parts.push(el("p", { class: "quiet" }, t("watching_n", { n: people.watching })));
	if (people.host || view.outcome) parts.push(...(await import("./times.js")).times(company));
	if (!people.host) return parts;
	const box = (name, label) => {
		const input = el("input", { type: "checkbox", onchange: () => company.wish({ t: "house", [name]: input.checked }) });
		input.checked = people[name];
		return el("label", { class: "check" }, input, el("span", {}, label));
	};
	parts.push(el("h3", {}, t("you_host")), box("listed", t("listed")), box("chat", t("host_chat")), box("watchers", t("host_watchers")), box("hints", t("host_hints")));
	if (!people.hooks) return parts;
	const field = el("input", { type: "url", maxlength: "300", value: people.webhook, "aria-label": t("webhook") });
	const form = el("form", { class: "row" }, field, el("button", { class: "btn" }, t("save")));
	form.onsubmit = (event) => { event.preventDefault(); company.wish({ t: "house", webhook: field.value.trim() }); };
	return [...parts, el("p", { class: "quiet" }, t("webhook")), form];
}
