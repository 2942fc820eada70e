// @ts-check
// On every page: its sentences, the button that opens the settings, and settings that were changed on another page.
import { later, root } from "../base/dom.js";
import { startPage } from "../base/page.js";
import { prefs } from "../base/store.js";

startPage();

const open = async () => (await later(() => import("./settings.js"))).open();
for (const opener of document.querySelectorAll("[data-settings]")) Object.assign(opener, { inert: false, onclick: open });
if (history.state?.settings) open(); // they were open when the language changed

let applied = JSON.stringify(prefs()); // those with which the page is drawn
addEventListener("prefs", () => {
	applied = JSON.stringify(prefs());
});

function takeOver() {
	const { lang } = root;
	if (JSON.stringify(prefs()) === applied) return;
	window.bridgeheadTheme?.(prefs());
	if (root.lang !== lang) location.reload();
	else dispatchEvent(new Event("prefs"));
}
addEventListener("storage", ({ key }) => key === "bridgehead.prefs" && takeOver());
addEventListener("pageshow", ({ persisted }) => persisted && takeOver());
document.addEventListener("visibilitychange", () => document.hidden || takeOver());
