// @ts-check
// The page of a tutorial.
import { $, enable, href, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { startPage } from "../base/page.js";
import { ask } from "../base/request.js";
import { ready } from "../board/viewport.js";
import { isRecommended } from "../people/saved_tables.js";
import { game, Lesson } from "./lesson.js";

// The first game: a person on this page against beginners.
async function play(/** @type {Tutorial} */ tutorial) {
	const { recommended, options, seats, level } = tutorial.first;
	const preset = isRecommended(game) ? recommended : "";
	/** @returns {SeatWish} */
	const occupant = (/** @type {unknown} */ _, /** @type {number} */ i) => (i ? { kind: "computer", level } : { kind: "person" });
	try {
		const wish = { game, preset, options: { ...options, seats }, seats: Array.from({ length: seats }, occupant) };
		const { table, tokens, host } = await ask("/api/tables", wish);
		location.assign(href(`/t/${table}#s=${tokens[0]}&h=${host}`));
	} catch (error) {
		showError($("error"), error);
	}
}

Promise.all([ready(), startPage()]).then(async () => {
	const script = ask(`/api/games/${game}/tutorial?lang=${root.lang}`).finally(() => enable());
	try {
		const tutorial = await script;
		$("first").onclick = () => play(tutorial);
		const first = Number(new URLSearchParams(location.search).get("step")) || 1;
		new Lesson(tutorial).go(Math.max(0, Math.min(tutorial.steps.length, first) - 1));
	} catch (error) {
		showError($("error"), error);
	}
});
