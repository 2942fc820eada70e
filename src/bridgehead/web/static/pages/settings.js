// @ts-check
// The settings of this device: stored and applied at once, each with a preview.

import { $, el, style, svg } from "../base/dom.js";
import { thumbnail } from "../base/draw.js";
import { t } from "../base/i18n.js";
import { BOARD, isLetter, keysInUse, REPLAY, TABLE } from "../base/keys.js";
import { drawings } from "../base/page.js";
import { sound } from "../base/sound.js";
import { load, prefs, save } from "../base/store.js";
import { Board } from "../board/board.js";

await style("pages/settings");

const SEATS = [..."abcdefg"];
const SOUNDS = ["turn", "wood", "stone", "card", "flame", "capture", "dice", "end"];
const STEP = 74; // between the fields of the demonstration
/** @type {{ [key: string]: string }} */
const ARROWS = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };

/** A pawn as the boards have it. @param {string} seat @param {number} x @returns {Item} */
const pawn = (seat, x) => ({
	id: `p:${seat}`,
	x,
	y: 36,
	seat,
	r: 25,
	parts: [
		{ use: "disc", scale: 0.9 },
		{ use: `shape-${seat}`, cls: "shape", scale: 9 },
	],
});

/** A pawn that goes to and fro as pieces go on this device: with its movement, speed, sound and confirmation. */
class Demonstration {
	at = 0;
	ways = [
		[0, 1, 2, 3],
		[3, 2, 1, 0],
	];

	constructor() {
		const path = "M-18-12a6 6 0 0 1 6-6h24a6 6 0 0 1 6 6v24a6 6 0 0 1-6 6h-24a6 6 0 0 1-6-6z";
		const fields = [0, 1, 2, 3].map((i) => ({ id: `f:${i}`, x: 37 + STEP * i, y: 36, parts: [{ d: path, cls: "well" }] }));
		const ground = [{ id: "way", x: 0, y: 36, parts: [{ d: `M37 0H${37 + 3 * STEP}`, cls: "channel" }] }];
		this.board = new Board($("demo"), { touch() {}, pull() {}, empty() {} }, svg("svg"));
		this.board.root.setAttribute("aria-hidden", "true");
		this.board.setView({ picture: { width: 4 * STEP, height: 72, ground, fields } });
		$("demo-move").onclick = () => (prefs().confirm ? this.wait() : this.go());
		$("demo-confirm").onclick = () => this.go();
		this.lay();
	}

	get way() {
		return this.ways[this.at].map((i) => `f:${i}`);
	}

	wait() {
		this.board.setMarks({ staged: { from: "p:b", to: this.way[3] } });
		$("demo-confirm").disabled = false;
	}

	go() {
		const { way } = this;
		this.at = 1 - this.at;
		this.lay([{ item: "p:b", via: way }]);
		sound.preview("step");
	}

	/** @param {Trace[]} [traces] */
	lay(traces) {
		const [field] = this.way;
		const items = [{ ...pawn("b", this.board.picture.fields[Number(field[2])].x), at: field }];
		this.board.setView({ items, traces, animate: Boolean(traces) });
		this.board.setMarks({});
		$("demo-confirm").disabled = true;
	}
}

/** What stands on a key. @param {string} key */
function cap(key) {
	if (isLetter(key)) return key === key.toLowerCase() ? key.toUpperCase() : t("cap.shift", { key });
	return ARROWS[key] ?? t(`cap.${key}`);
}

/** What all actions with keys do. @type {{ [action: string]: string }} */
const does = {};
const ALL = { ...BOARD, ...REPLAY, ...TABLE };

/** @param {Partial<Prefs>} some */
function keep(some) {
	save("prefs", { ...load("prefs", {}), ...some });
	dispatchEvent(new Event("prefs"));
}

/**
 * Gives an action another key, and says so; a key of another action stays that action's.
 * @param {string} action @param {string} key "" for none
 */
function change(action, key) {
	const now = keysInUse(ALL);
	const other = key && Object.keys(now).find((each) => each !== action && now[each].includes(key));
	if (!other) keep({ keys: { ...prefs().keys, [action]: key } });
	const words = { key: cap(key || "none"), what: does[other || action] };
	$("keys-said").textContent = t(other ? "key_taken" : "key_set", words);
}

/** The key of an action, which waits for another one when it is pressed. @param {string} action @param {string} usual */
function changeable(action, usual) {
	const face = el("kbd");
	const button = el("button", { type: "button", class: "key", onclick: () => wait(!waits) }, face);
	let waits = false;
	const draw = () => {
		const key = cap((prefs().keys?.[action] ?? usual) || "none");
		face.textContent = waits ? "…" : key;
		button.setAttribute("aria-label", t("key_change", { key, what: does[action] }));
		button.disabled = !prefs().letters;
	};
	const wait = (/** @type {boolean} */ on) => {
		if (on) $("keys-said").textContent = t("key_press", { what: does[action] });
		waits = on;
		draw();
	};
	button.onblur = () => wait(false);
	button.onkeydown = (event) => {
		const { key, ctrlKey, altKey, metaKey } = event;
		const empties = key === "Delete" || key === "Backspace";
		if (!waits || ctrlKey || altKey || metaKey || !(isLetter(key) || empties || key === "Escape")) return;
		event.preventDefault();
		event.stopPropagation();
		if (key === "Escape") $("keys-said").textContent = "";
		else change(action, empties ? "" : key);
		wait(false);
	};
	addEventListener("prefs", draw);
	draw();
	return button;
}

/** The list of a group of keys. @param {string} group @param {import("../base/keys.js").Keys} keys */
function list(group, keys) {
	const rows = Object.entries(keys).map(([action, each]) => {
		does[action] = t(`key.${group}.${action}`);
		const faces = each.map((key) => (isLetter(key) ? changeable(action, key) : el("kbd", {}, cap(key))));
		return el("div", {}, el("dt", {}, ...faces), el("dd", {}, does[action]));
	});
	return el("section", {}, el("h3", {}, t(`keys.${group}`)), el("dl", { class: "keys" }, ...rows));
}

/** @param {HTMLSelectElement | HTMLInputElement} input */
function follow(input) {
	const box = input instanceof HTMLInputElement ? input : null;
	const fill = () => {
		const now = /** @type {{ [name: string]: unknown }} */ (prefs())[input.name];
		if (box) box.checked = Boolean(now);
		else input.value = String(now);
	};
	fill();
	addEventListener("prefs", fill);
	input.onchange = () => {
		save("prefs", { ...load("prefs", {}), [input.name]: box ? box.checked : input.value });
		window.bridgeheadTheme?.(prefs());
		if (input.name === "lang") {
			history.replaceState({ ...history.state, settings: true }, ""); // the page comes again with its settings open
			location.reload();
		} else dispatchEvent(new Event("prefs"));
		if (input.name === "sound") listen("turn");
	};
}

/** @param {string} [name] of a sound to be heard now */
function listen(name) {
	for (const button of $("sounds").querySelectorAll("button")) button.disabled = prefs().sound === "off";
	if (name) sound.preview(name);
}

let isFilled = false; // the dialog
/** @type {Demonstration | undefined} */
let demonstration; // while the dialog is open

export async function open() {
	const dialog = $("settings");
	if (!isFilled) {
		isFilled = true;
		await drawings();
		const pieces = { width: STEP * SEATS.length, height: 72, ground: [], fields: [] };
		const all = SEATS.map((seat, i) => pawn(seat, STEP * (i + 0.5)));
		$("pieces").append(thumbnail(pieces, all));
		const listens = SOUNDS.map((name) =>
			el("button", { class: "btn", type: "button", onclick: () => listen(name) }, t(`sounds.${name}`)),
		);
		$("sounds").append(...listens);
		$("shortcuts").append(list("board", BOARD), list("replay", REPLAY), list("table", TABLE));
		$("keys-usual").onclick = () => {
			keep({ keys: {} });
			$("keys-said").textContent = t("keys_are_usual");
		};
		for (const input of dialog.querySelectorAll("select, input"))
			if (input instanceof HTMLSelectElement || input instanceof HTMLInputElement) follow(input);
		listen();
	}
	if (!demonstration) {
		demonstration = new Demonstration();
		const end = () => {
			demonstration?.board.destroy();
			demonstration = undefined;
		};
		dialog.addEventListener("close", end, { once: true });
	}
	if (history.state?.settings) history.replaceState({ ...history.state, settings: undefined }, "");
	if (!dialog.open) dialog.showModal();
}
