// Links to hand on: a row with its QR code, and a dialog for the link that holds a whole game.
import { $, ask, copier, el, parseSvg } from "./dom.js";
import { t } from "./words.js";

const MOST = 1500; // characters of a code

// Where others reach this server, also when this page was opened by a name that only this device knows.
export const origin = (base = $("main").dataset.base) => (/^(localhost|127\.|\[::1)/.test(location.hostname) && base) || location.origin;

export async function qr(text) {
	const code = parseSvg(await ask("/api/qr", { text })), size = parseFloat(code.getAttribute("width"));
	if (size) code.setAttribute("viewBox", `0 0 ${size} ${size}`);
	code.setAttribute("class", "qr");
	code.setAttribute("aria-hidden", "true");
	return code;
}

export async function linkRow(mark, name, url) {
	const field = el("input", { value: url, readonly: "", "aria-label": t("link_of", { name }) });
	return el("li", { class: "panel row" }, await qr(url),
		el("div", { class: "stack" }, el("p", { class: "row" }, mark, el("strong", {}, name)), el("p", { class: "row" }, field, copier(field))));
}

// A dialog that is gone when it is closed.
export function dialog(title, ...children) {
	const node = el("dialog", { class: "panel sheet-dialog", "aria-labelledby": "dialog-title", onclose: () => node.remove(), onkeydown: (event) => event.stopPropagation() },
		el("div", { class: "stack" }, el("h2", { id: "dialog-title" }, title), ...children));
	document.body.append(node);
	node.showModal();
	return node;
}

export const closer = () => el("button", { class: "btn", type: "button", onclick: ({ target }) => target.closest("dialog").close() }, t("close"));

// packed: the whole game. A link too long for a code is shown without one.
export async function share(packed) {
	const url = `${origin()}/replay#g=${packed}`, field = el("input", { value: url, readonly: "", "aria-label": t("copy_link") });
	const code = url.length <= MOST && await qr(url);
	if (code) code.classList.add("dense");
	dialog(t("share_title"), el("p", { class: "quiet" }, t("share_help")), code || "", el("p", { class: "row grows" }, field, copier(field), closer()));
}
