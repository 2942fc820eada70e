// @ts-check
// A page takes over the settings that were changed on another page, when it is shown again.
import { prefs, root } from "./dom.js";
import { whenShownAgain } from "./shown_again.js";

let applied = JSON.stringify(prefs()); // those with which the page is drawn
addEventListener("prefs", () => {
	applied = JSON.stringify(prefs());
});
whenShownAgain(() => {
	const { lang } = root;
	if (JSON.stringify(prefs()) === applied) return;
	window.bridgeheadTheme(prefs());
	if (root.lang !== lang) location.reload();
	else dispatchEvent(new Event("prefs"));
});
