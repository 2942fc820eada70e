// Sentences of the pages, from web/languages/LANGUAGE.toml; those of the games come from the server.

const load = async (language) => (await fetch(`/static/words/${language}.json`)).json();
const english = await load("en");
const { lang } = document.documentElement;
const table = lang === "en" ? english : await load(lang);

export function t(key, params = {}) {
	return (table[key] ?? english[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => params[name] ?? whole);
}

// Elements carry their key: data-t for the text, data-tl for the label, data-tp for placeholder and label, data-tt for a part of
// the title; or the sentence itself in every other language: data-say for the text, data-placeholder for the placeholder.
export function translate(page) {
	for (const node of page.querySelectorAll("[data-say], [data-placeholder]")) {
		const { say, placeholder } = node.dataset, sentence = JSON.parse(say || placeholder)[lang];
		if (sentence === undefined) continue;
		if (placeholder) node.placeholder = sentence;
		else node.textContent = sentence;
		node.removeAttribute("lang");
	}
	for (const node of page.querySelectorAll("[data-tt]")) node.textContent = node.textContent.replace(english[node.dataset.tt], t(node.dataset.tt));
	for (const node of page.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
	for (const node of page.querySelectorAll("[data-tl], [data-tp]")) {
		const { tl, tp } = node.dataset;
		node.setAttribute("aria-label", t(tl || tp));
		if (tp) node.placeholder = t(tp);
	}
}
