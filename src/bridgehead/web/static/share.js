// @ts-check
// Links to hand on, with QR codes: to a table, to a seat, and the link that holds a whole game.
import { $, ask, copier, el, parseSvg } from "./dom.js";
import { t } from "./words.js";

const MOST = 1500; // characters of a QR code

/**
 * The address at which others reach this server, even if this page was opened by a name that only this device knows.
 * @param {string} [base]
 */
export const origin = (base = $("main").dataset.base) =>
	(/^(localhost|127\.|\[::1)/.test(location.hostname) && base) || location.origin;

/** @param {string} text */
export async function qr(text) {
	const code = parseSvg(await ask("/api/qr", { text }));
	const size = parseFloat(code.getAttribute("width") ?? "");
	if (size) code.setAttribute("viewBox", `0 0 ${size} ${size}`);
	code.setAttribute("class", "qr");
	code.setAttribute("aria-hidden", "true");
	return code;
}

/** @param {string} value @param {string} label */
const fieldOf = (value, label) => el("input", { value, readonly: "", "aria-label": label });

/** A link of this server, to be copied or scanned. @param {string} path @param {string} name */
export async function linkRow(path, name) {
	const url = origin() + path;
	const field = fieldOf(url, t("link_of", { name }));
	return el("div", { class: "row given" }, await qr(url), el("div", { class: "row" }, field, copier(field)));
}

/**
 * An invitation: a link with a mark and a name, in a list.
 * @param {Element | ""} mark @param {string} name @param {string} url
 */
export async function inviteRow(mark, name, url) {
	const field = fieldOf(url, t("link_of", { name }));
	const title = el("p", { class: "row" }, mark, el("strong", {}, name));
	const link = el("p", { class: "row" }, field, copier(field));
	return el("li", { class: "panel row" }, await qr(url), el("div", { class: "stack" }, title, link));
}

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

/** Shows the link that holds a whole game; without a QR code if it is too long for one. @param {string} packed */
export async function share(packed) {
	const url = `${origin()}/replay#g=${packed}`;
	const field = fieldOf(url, t("copy_link"));
	const code = url.length <= MOST && (await qr(url));
	if (code) code.classList.add("dense");
	const row = el("p", { class: "row grows" }, field, copier(field), closer());
	dialog(t("share_title"), el("p", { class: "quiet" }, t("share_help")), code, row);
}
