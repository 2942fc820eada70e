// @ts-check
// Tabs after the ARIA pattern: one stop of the Tab key; arrow keys, Home and End choose another.

const TABS = "[role=tab]:not([hidden])";

/** Marks the tab that is shown. @param {HTMLElement} shown */
export function selectTab(shown) {
	for (const tab of /** @type {HTMLElement[]} */ ([...(shown.parentElement?.children ?? [])])) {
		tab.setAttribute("aria-selected", String(tab === shown));
		tab.tabIndex = tab === shown ? 0 : -1;
	}
}

/** @param {HTMLElement} list */
export function wireTabs(list) {
	list.onkeydown = (event) => {
		const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll(TABS)]);
		const here = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
		const next = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: -1 }[event.key];
		if (here < 0 || next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
		event.preventDefault();
		event.stopPropagation(); // in a replay, these keys go through the game
		const tab = /** @type {HTMLElement} */ (tabs.at(next % tabs.length));
		tab.click();
		tab.focus();
	};
}
