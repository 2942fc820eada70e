// @ts-check
// Sentences and numbers in the page's language. Sentences are from web/languages/LANGUAGE.toml; games send theirs with views.
import { href, pause } from "./dom.js";

/** The sentences of a language; none if they do not come. @param {string} language */
async function load(language) {
	const path = href(`/static/words/${language}.json`);
	for (const wait of [300, 1500, 0]) {
		try {
			const answer = await fetch(path);
			if (answer.ok) return /** @type {{ [key: string]: string }} */ (await answer.json());
		} catch {
			// the network is away
		}
		if (wait) await pause(wait);
	}
	window.bridgeheadMissing?.(path);
	return {};
}

const { lang } = document.documentElement;
const own = load(lang); // with the English of what this language lacks
const [english, table] = await Promise.all([lang !== "en" && window.site ? load("en") : own, own]);

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
	const isKnown = (/** @type {string} */ key) => key in english || key in table; // else the English of the template stays
	for (const node of all("[data-t]")) if (isKnown(node.dataset.t ?? "")) node.textContent = t(node.dataset.t ?? "");
	for (const node of all("[data-tl], [data-tp]")) {
		const { tl, tp } = node.dataset;
		if (!isKnown(tl || tp || "")) continue;
		node.setAttribute("aria-label", t(tl || tp || ""));
		if (tp) node.placeholder = t(tp);
	}
}

/** A number in the way of the page's language. @param {number} value */
export const number = (value) => new Intl.NumberFormat(lang).format(value);

const MINUTE = 60_000; // ms

/** A long span of time in words, in its two largest units. @param {number} ms */
export function inDays(ms) {
	const minutes = Math.max(1, Math.floor(ms / MINUTE));
	const parts = { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 };
	const words = Object.entries(parts).flatMap(([unit, n]) => (n ? [t(n === 1 ? `${unit}_one` : unit, { n })] : []));
	return words.slice(0, 2).join(" ");
}
