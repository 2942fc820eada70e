// A link to be given to somebody: to be copied, or scanned.
import { copier, el } from "./dom.js";
import { origin, qr } from "./share.js";
import { t } from "./words.js";

export async function linkRow(path, name) {
	const url = origin() + path, field = el("input", { readonly: "", value: url, "aria-label": t("link_of", { name }) });
	return el("div", { class: "row given" }, await qr(url), el("div", { class: "row" }, field, copier(field)));
}
