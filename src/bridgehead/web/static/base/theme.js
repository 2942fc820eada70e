// @ts-check
// Sets theme, language and motion before the page is drawn, so that nothing flashes. Not a module: a module would run later.
(() => {
	const root = document.documentElement;
	const dark = matchMedia("(prefers-color-scheme: dark)");
	const still = matchMedia("(prefers-reduced-motion: reduce)");
	/** @returns {Partial<Prefs>} */
	const stored = () => {
		try {
			return JSON.parse(localStorage.getItem("bridgehead.prefs") ?? "null") || {};
		} catch {
			return {};
		}
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
