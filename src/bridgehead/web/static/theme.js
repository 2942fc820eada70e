// @ts-check
// Sets theme, language and motion before the page is drawn, so that nothing flashes. Not a module: a module would run later.
(() => {
	const root = document.documentElement;
	const dark = matchMedia("(prefers-color-scheme: dark)");
	const still = matchMedia("(prefers-reduced-motion: reduce)");
	const PREFS = "bridgehead.prefs";
	/** @returns {Partial<Prefs>} */
	const stored = () => {
		for (const read of [() => localStorage.getItem(PREFS), () => JSON.parse(window.name)[PREFS]]) // as in granted.js
			try {
				return JSON.parse(read() ?? "null") || {};
			} catch {}
		return {};
	};
	const apply = ({ theme = "", motion, colours = "", lang } = stored()) => {
		root.dataset.theme = /^(light|dark)$/.test(theme) ? theme : dark.matches ? "dark" : "light";
		root.dataset.motion = motion === "reduce" || (motion !== "full" && still.matches) ? "reduce" : "full";
		root.dataset.colours = colours;
		const known = (root.dataset.languages ?? "en").split(" ");
		root.lang = [lang ?? "", navigator.language.slice(0, 2)].find((each) => known.includes(each)) || "en";
	};
	window.bridgeheadTheme = apply;
	dark.onchange = still.onchange = () => apply();
	apply();
})();
