// @ts-check
// Stored preferences, and requests, for every page.
import { $, el, fetch } from "./elements.js";
import { t, translate } from "./words.js";

export { $, el, href, svg } from "./elements.js";

export const root = document.documentElement;
export const parseSvg = (/** @type {string} */ text) =>
	document.adoptNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);

/** Loads a style sheet. @param {string} name */
export const style = (name) =>
	new Promise((resolve) => {
		document.head.append(el("link", { rel: "stylesheet", href: `/static/${name}.css`, onload: resolve, onerror: resolve }));
	});

// Where localStorage is forbidden, the page itself remembers.
/** @type {Partial<Stored>} */
const memory = window.site?.memory ?? {};

/** @template {keyof Stored} K @param {K} name @param {Stored[K]} fallback @returns {Stored[K]} */
export function load(name, fallback) {
	try {
		return JSON.parse(localStorage.getItem(`bridgehead.${name}`) ?? "null") ?? memory[name] ?? fallback;
	} catch {
		return memory[name] ?? fallback;
	}
}

/** No value: forget. False: only this page knows it. @template {keyof Stored} K @param {K} name @param {Stored[K]} [value] */
export function save(name, value) {
	memory[name] = value;
	try {
		const key = `bridgehead.${name}`;
		if (value === undefined) localStorage.removeItem(key);
		else localStorage.setItem(key, JSON.stringify(value));
		return true;
	} catch {
		return false;
	}
}

/** @returns {Prefs} */
export const prefs = () => ({
	theme: "system",
	lang: root.lang,
	motion: "system",
	confirm: matchMedia("(pointer: coarse)").matches,
	colours: "usual",
	speed: "normal",
	turn: false,
	chat: true,
	sound: "quiet",
	...load("prefs", {}),
});
// Templates make a part inert until its handlers are attached.
export const wake = (/** @type {"main" | "choose" | "form" | "join" | "profile"} */ id = "main") => {
	$(id).inert = false;
};
export const reduced = () => root.dataset.motion === "reduce";

function settings() {
	const open = async () => (await import("./settings.js")).open();
	for (const opener of document.querySelectorAll("[data-settings]")) Object.assign(opener, { inert: false, onclick: open });
	if (history.state?.settings) open(); // they were open when the language changed
	import("./other_settings.js");
}

/** Loads the symbols that boards and pieces are made of, and their styles. */
export async function drawings() {
	if (document.querySelector(".art")) return;
	const [text] = await Promise.all([ask("/art.svg"), style("pieces")]);
	const art = parseSvg(text);
	art.setAttribute("class", "art");
	document.body.append(art);
}

export async function startPage() {
	translate(document);
	settings();
	if (document.body.dataset.art) await drawings();
}

/** @param {string} url @param {unknown} [body] */
async function request(url, body) {
	const text = typeof body === "string";
	const headers = {
		"accept-language": root.lang,
		...(body !== undefined && { "content-type": text ? "text/plain" : "application/json" }),
	};
	const init = body === undefined ? { headers } : { method: "POST", body: text ? body : JSON.stringify(body), headers };
	const answer = await fetch(url, init).catch(() => {
		throw new Error(t("offline"));
	});
	const data = await (/json/.test(answer.headers.get("content-type") ?? "") ? answer.json() : answer.text());
	if (!answer.ok) throw Object.assign(new Error(data.error || t("failed", { status: answer.status })), { where: data.where });
	return data;
}

/** @type {Ask} */
export const ask = request;
