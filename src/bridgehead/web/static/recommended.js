// @ts-check
// The games that this browser plays by the recommended rules, because somebody chose them.
import { load, save } from "./dom.js";

/** Whether somebody has chosen the recommended rules of a game. @param {string} game */
export const isRecommended = (game) => load("recommended", []).includes(game);

/** Remembers whether a game is played by its recommended rules. @param {string} game @param {boolean} chosen */
export function rememberRecommended(game, chosen) {
	const others = load("recommended", []).filter((each) => each !== game);
	save("recommended", chosen ? [...others, game] : others);
}
