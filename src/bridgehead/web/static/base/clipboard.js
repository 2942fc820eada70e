// @ts-check
// A button that copies the text of a field.
import { el } from "./dom.js";
import { t } from "./i18n.js";

/** @param {HTMLInputElement | HTMLTextAreaElement} field */
export function copier(field, label = t("copy")) {
	const copy = () => {
		field.focus();
		field.select();
		if (document.execCommand("copy")) button.textContent = t("copied");
	};
	const button = el("button", { class: "btn", type: "button", onclick: copy }, label);
	return button;
}
