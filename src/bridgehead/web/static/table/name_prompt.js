// @ts-check
// Asks a guest for a name: a field with a suggestion, beside the board.
/** @import { Presence } from "./presence.js" */
import { el } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { load, save } from "../base/store.js";

/** The question, which blocks nothing. @param {Presence} presence @param {number} seat @param {() => void} close */
export function askName(presence, seat, close) {
	const value = load("names", [])[0] || t("guest_name", { letter: presence.view.seats[seat].colour });
	const field = el("input", { maxlength: "24", autocomplete: "off", "aria-label": t("your_name"), value });
	const answer = (/** @type {string} */ name) => {
		close();
		if (!name) return;
		save("names", Object.assign(load("names", []), [name]));
		presence.send({ t: "seat", seat, do: "name", name });
	};
	const later = el("button", { class: "btn bare", type: "button", onclick: () => answer("") }, t("name_later"));
	const form = el("form", { class: "row naming" }, field, el("button", { class: "btn main" }, t("name_me")), later);
	form.onsubmit = (event) => {
		event.preventDefault();
		answer(field.value.trim());
	};
	return [el("p", {}, t("name_ask")), form];
}
