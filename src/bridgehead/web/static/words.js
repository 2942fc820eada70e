// @ts-check
// Sentences of the pages, from web/languages/LANGUAGE.toml; those of the games come with views.
import { href } from "./elements.js";

/** @param {string} language @returns {Promise<{ [key: string]: string }>} */
const load = async (language) => (await fetch(href(`/static/words/${language}.json`))).json();
const { lang } = document.documentElement;
const first = load("en");
const [english, table] = await Promise.all([first, lang === "en" ? first : load(lang)]);

/** @param {string} key @param {{ [name: string]: string | number }} [params] */
export function t(key, params = {}) {
	return (table[key] ?? english[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
}

// Elements carry their key: data-t for the text, data-tl for the label, data-tp for placeholder and label, data-tt for a part of
// the title; or the sentence itself in every other language: data-say for the text, data-placeholder for the placeholder.
/** @param {Document | Element} page */
export function translate(page) {
	const all = (/** @type {string} */ selector) => /** @type {NodeListOf<HTMLInputElement>} */ (page.querySelectorAll(selector));
	for (const node of all("[data-say], [data-placeholder]")) {
		const { say, placeholder } = node.dataset;
		const sentence = JSON.parse(say || placeholder || "{}")[lang];
		if (sentence === undefined) continue;
		if (placeholder) node.placeholder = sentence;
		else node.textContent = sentence;
		node.removeAttribute("lang");
	}
	for (const node of all("[data-tt]")) {
		const { tt = "" } = node.dataset;
		node.textContent = node.textContent.replace(english[tt], t(tt));
	}
	for (const node of all("[data-t]")) node.textContent = t(node.dataset.t ?? "");
	for (const node of all("[data-tl], [data-tp]")) {
		const { tl, tp } = node.dataset;
		node.setAttribute("aria-label", t(tl || tp || ""));
		if (tp) node.placeholder = t(tp);
	}
}
