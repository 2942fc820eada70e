// @ts-check
// What a page does when it is shown again: by "Back", as the browser kept it in memory, or because its tab is seen again.

/** @type {Set<(back: boolean) => unknown>} */
const refreshing = new Set();
/** @type {number | undefined} */
let soon;
let isBack = false;

/** Both events come after "Back", so it waits for the second. @param {boolean} back */
function refresh(back) {
	isBack ||= back;
	clearTimeout(soon);
	soon = setTimeout(() => {
		for (const each of refreshing) each(isBack);
		isBack = false;
	});
}
addEventListener("pageshow", ({ persisted }) => persisted && refresh(true));
document.addEventListener("visibilitychange", () => document.hidden || refresh(false));

/** Calls something each time the page is shown again; with true after "Back". @param {(back: boolean) => unknown} again */
export const whenShownAgain = (again) => refreshing.add(again);

/** Calls something now, whenever so much time has passed since it ended, and when the page is shown again.
 * @param {() => Promise<unknown>} look @param {number} every ms */
export function keepLooking(look, every) {
	/** @type {number | undefined} */
	let next;
	async function again() {
		await look();
		clearTimeout(next);
		next = setTimeout(again, every);
	}
	whenShownAgain(again);
	return again();
}
