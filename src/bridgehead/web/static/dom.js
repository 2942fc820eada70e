// Tools for every page.
import { t, translate } from "./words.js";

export const $ = (id) => document.getElementById(id);
export const root = document.documentElement;

function make(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === "function") node[name] = value;
		else if (value !== false && value !== undefined) node.setAttribute(name, value);
	}
	node.append(...children.filter((child) => child || child === 0));
	return node;
}

export const el = (tag, attributes = {}, ...children) => make(document.createElement(tag), attributes, children);
export const svg = (tag, attributes = {}, ...children) => make(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
export const parseSvg = (text) => document.adoptNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);

// localStorage may be forbidden: then the page itself remembers.
const memory = {};

export function load(name, fallback) {
	try { return JSON.parse(localStorage.getItem(`bridgehead.${name}`)) ?? memory[name] ?? fallback; } catch { return memory[name] ?? fallback; }
}

export function save(name, value) {
	memory[name] = value;
	try { localStorage.setItem(`bridgehead.${name}`, JSON.stringify(value)); } catch { /* remembered above */ }
}

export const prefs = () => ({ theme: "system", lang: root.lang, motion: "system", confirm: matchMedia("(pointer: coarse)").matches, turn: false, chat: true, sound: "quiet", ...load("prefs") });
// What the page was made with is wired now.
export const wake = (id = "main") => { $(id).inert = false; };
export const reduced = () => root.dataset.motion === "reduce";

function settings() {
	const dialog = $("settings"), now = prefs();
	for (const opener of document.querySelectorAll("[data-settings]")) Object.assign(opener, { inert: false, onclick: () => dialog.showModal() });
	for (const input of dialog.querySelectorAll("select, input")) {
		const box = input.type === "checkbox";
		input[box ? "checked" : "value"] = now[input.name];
		input.onchange = () => {
			save("prefs", { ...prefs(), [input.name]: box ? input.checked : input.value });
			window.bridgeheadTheme(prefs());
			if (input.name === "lang") location.reload();
			else dispatchEvent(new Event("prefs"));
		};
	}
}

export async function startPage() {
	translate(document);
	settings();
	if (!document.body.dataset.art) return;
	const art = parseSvg(await ask("/art.svg"));
	art.setAttribute("class", "art");
	document.body.append(art);
}

export async function ask(url, body) {
	const text = typeof body === "string";
	const headers = { "accept-language": root.lang, ...(body !== undefined && { "content-type": text ? "text/plain" : "application/json" }) };
	const init = body === undefined ? { headers } : { method: "POST", body: text ? body : JSON.stringify(body), headers };
	let answer;
	try { answer = await fetch(url, init); } catch { throw new Error(t("offline")); }
	const data = await (/json/.test(answer.headers.get("content-type")) ? answer.json() : answer.text());
	if (!answer.ok) throw Object.assign(new Error(data.error || t("failed", { status: answer.status })), { where: data.where });
	return data;
}

// Shows an error with its place, or hides it.
export function problem(node, error) {
	node.hidden = !error;
	node.textContent = error ? [error.where, error.message].filter(Boolean).join(": ") : "";
}

export function copier(field, label = t("copy")) {
	const button = el("button", { class: "btn", type: "button", onclick: () => {
		field.focus();
		field.select();
		if (document.execCommand("copy")) button.textContent = t("copied");
	} }, label);
	return button;
}
