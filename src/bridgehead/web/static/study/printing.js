// @ts-check
// A drawn board on paper: how it shall be printed, and the file.

import { el, fetch, root } from "../base/dom.js";
import { download } from "../base/download.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";

/** @typedef {Pick<Answer<"POST /api/games/{game}/edit">, "board" | "rules">} Sketch */

const PAPERS = ["a4", "a3", "letter", "whole"];
const SCALES = ["1", "0", "0.5", "0.75", "1.25"]; // 0: as large as saves pages
const PARTS = ["board", "pieces", "rules", "box"];

/** @param {string} key @param {string[]} values @param {(value: string) => string} name */
function choice(key, values, name) {
	const field = el("select", {}, ...values.map((value) => el("option", { value }, name(value))));
	return { field, row: el("label", { class: "row" }, el("span", {}, t(`print.${key}`)), field) };
}

/** @param {string} key @param {string} value @param {{ [name: string]: string }} more */
function line(key, value, more) {
	const field = el("input", { value, ...more });
	return { field, row: el("label", { class: "row" }, el("span", {}, t(`print.${key}`)), field) };
}

/** @param {string} key @param {boolean} checked */
function tick(key, checked) {
	const field = el("input", { type: "checkbox", value: key });
	field.checked = checked;
	return { field, row: el("label", { class: "check" }, field, el("span", {}, t(`print.${key}`))) };
}

const percent = (/** @type {string} */ scale) => `${Number(scale) * 100} %`;

/** Shows the form, or hides it. @param {HTMLButtonElement} button @param {HTMLElement} place @param {() => Sketch} sketch */
export function toggle(button, place, sketch) {
	place.hidden = !place.hidden;
	button.setAttribute("aria-expanded", String(!place.hidden));
	if (!place.hidden) form(place, sketch);
}

/** @param {HTMLElement} place @param {() => Sketch} sketch */
function form(place, sketch) {
	/** @type {{ name?: string; author?: string }} */
	const drawn = Object(sketch().board);
	const { name = "", author: drawnBy = "" } = drawn;
	const paper = choice("paper", PAPERS, (value) => t(`print.paper.${value}`));
	const scale = choice("scale", SCALES, (value) => (value === "0" ? t("print.fit") : percent(value)));
	const bleed = line("bleed", "3", { type: "number", min: "0", max: "10" });
	const title = line("title", name, { maxlength: "60" });
	const author = line("author", drawnBy, { maxlength: "60" });
	const words = el("textarea", { rows: "5", maxlength: "8000" });
	const parts = PARTS.map((part) => tick(part, part !== "box"));
	const pictures = tick("pictures", false);
	const error = el("p", { class: "problem", role: "alert", hidden: "" });
	const status = el("p", { class: "quiet", role: "status" });
	const go = el("button", { type: "button", class: "btn main" }, t("print.go"));
	const show = () => {
		bleed.field.value = paper.field.value === "whole" ? "3" : "0"; // at home nobody cuts it off
	};
	paper.field.onchange = show;
	go.onclick = async () => {
		go.disabled = true;
		status.textContent = t("print.making");
		showError(error);
		const wanted = parts.filter(({ field }) => field.checked).map(({ field }) => field.value);
		const how = {
			paper: paper.field.value,
			scale: Number(scale.field.value),
			bleed: Number(bleed.field.value),
			title: title.field.value,
			author: author.field.value,
			words: words.value,
			parts: wanted,
		};
		try {
			await make(sketch(), how, pictures.field.checked, title.field.value);
			status.textContent = t("print.made");
		} catch (reason) {
			status.textContent = "";
			showError(error, reason);
		}
		go.disabled = false;
	};
	show();
	const own = el("label", { class: "stack" }, el("span", {}, t("print.words")), words);
	const ticks = [...parts, pictures].map(({ row }) => row);
	const rows = [paper, scale, bleed, title, author].map(({ row }) => row);
	place.replaceChildren(...rows, own, ...ticks, el("p", {}, go), status, error);
}

/** @param {Sketch} sketch @param {object} how @param {boolean} pictures @param {string} title */
async function make({ rules }, how, pictures, title) {
	const main = /** @type {HTMLElement} */ (document.getElementById("main"));
	const { game = "" } = main.dataset;
	const body = JSON.stringify({ game, options: rules, how, pictures });
	const headers = { "content-type": "application/json", "accept-language": root.lang };
	const answer = await fetch(`/api/prints?lang=${root.lang}`, { method: "POST", body, headers });
	if (!answer.ok) {
		const { error, where } = await answer.json();
		throw Object.assign(new Error(error), { where });
	}
	const name = (title || game).replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^-+|-+$/g, "") || game;
	download(`${name}.${pictures ? "zip" : "pdf"}`, await answer.blob());
}
