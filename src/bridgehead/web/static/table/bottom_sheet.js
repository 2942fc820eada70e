// @ts-check
// A part of a table's page as a sheet on a phone: closed by its button, Escape, the back gesture, or a touch beside it.
import { closer, dialog } from "../base/dialog.js";
import { $, style } from "../base/dom.js";

const STAYS = "[role=tab], .chat *"; // buttons that do not close a sheet

/** @param {HTMLElement} opener its words are the title @param {"talk" | "menu"} id */
export async function openSheet(opener, id) {
	await style("table/bottom_sheet");
	if (document.querySelector("dialog[open]")) return;
	const part = $(id);
	const place = document.createComment(id);
	part.replaceWith(place);
	const sheet = dialog(opener.textContent ?? "", part, closer());
	sheet.classList.add("bottom");
	const back = () => sheet.close();
	sheet.addEventListener("click", ({ target }) => {
		if (target === sheet) sheet.close();
	});
	// First of all, so that what the press opens lies over the page.
	const press = (/** @type {Event} */ { target }) => {
		const button = target instanceof Element && target.closest("button");
		if (button && !button.matches(STAYS)) sheet.close();
	};
	sheet.addEventListener("click", press, true);
	history.pushState({ ...history.state, sheet: id }, "");
	addEventListener("popstate", back);
	sheet.addEventListener("close", () => {
		removeEventListener("popstate", back);
		place.replaceWith(part);
		opener.focus();
		if (history.state?.sheet) leave();
	});
}

/** Takes the sheet's entry out of the browser's history; the address may have changed since, with the tokens of the page. */
function leave() {
	const { href } = location;
	addEventListener("popstate", () => href !== location.href && history.replaceState(history.state, "", href), { once: true });
	history.back();
}
