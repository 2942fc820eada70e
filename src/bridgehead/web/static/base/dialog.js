// @ts-check
// Dialogs that a script makes.
import { el } from "./dom.js";
import { t } from "./i18n.js";

/** A dialog that is removed when it is closed. @param {string} title @param {...Child} children @returns {HTMLDialogElement} */
export function dialog(title, ...children) {
	/** @type {HTMLDialogElement} */
	const node = el(
		"dialog",
		{
			class: "panel sheet-dialog",
			"aria-labelledby": "dialog-title",
			onclose: () => node.remove(),
			onkeydown: (event) => event.stopPropagation(),
		},
		el("div", { class: "stack" }, el("h2", { id: "dialog-title" }, title), ...children),
	);
	document.body.append(node);
	node.showModal();
	return node;
}

export const closer = () =>
	el(
		"button",
		{ class: "btn", type: "button", onclick: ({ currentTarget }) => currentTarget.closest("dialog")?.close() },
		t("close"),
	);
