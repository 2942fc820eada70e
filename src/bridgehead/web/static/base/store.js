// @ts-check
// What this browser remembers, and the preferences among it.
import { root } from "./dom.js";

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
	letters: true,
	keys: {},
	...load("prefs", {}),
});

/** @type {{ [speed: string]: number }} */
const TEMPOS = { slow: 2, fast: 0.4 };

/** The share of the normal time that things take. */
export const tempo = () => TEMPOS[prefs().speed] ?? 1;
