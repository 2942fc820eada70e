// @ts-check
// What the editor of positions has beside that of boards: the text, the prompt, and playing on from here.
import { copier } from "../base/clipboard.js";
import { $ } from "../base/dom.js";
import { ask } from "../base/request.js";
import { fork } from "./fork.js";

/** @typedef {Partial<Answer<"POST /api/games/{game}/position">>} Position */

const text = $("position-text");

/** The sentence for a position that can occur. @param {Position} now */
export const verdict = ({ actor }) => (actor === -2 ? "occurs_over" : "occurs");

/** @param {Position} now */
export function show({ board, plain = "", prompt = "" }) {
	const { position = "" } = /** @type {{ position?: string }} */ (board);
	text.value = position;
	$("plain").textContent = plain;
	$("prompt").textContent = prompt;
}

/** @param {(position: string) => void} bring takes the text that somebody has typed or pasted */
export function attach(bring) {
	text.onchange = () => bring(text.value.replace(/\s+/g, " ").trim());
	$("text-copy").append(copier(text));
}

/** The position of a record: of the table or the link that the address names. */
export async function given() {
	const fragment = new URLSearchParams(location.hash.slice(1));
	const table = new URLSearchParams(location.search).get("table");
	const record = fragment.get("g") || (table && (await ask(`/api/tables/${table}/link`)).link);
	if (!record) return null;
	const { rules, position } = await ask(`/api/positions/${fragment.get("at") || "last"}`, record);
	return { rules, position };
}

/** @param {string} game @param {Position} now */
export function play(game, { title = "", link = "", plates = [], actor = 0, turn = 0, prompt = "" }) {
	fork({ game, title, link, names: [] }, { n: 0, plates, actor, turn, sentence: "", prompt });
}
