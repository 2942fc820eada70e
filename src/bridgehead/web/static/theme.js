// Loaded before the page is drawn, so that theme, language and motion never flash.
(() => {
	const root = document.documentElement;
	const dark = matchMedia("(prefers-color-scheme: dark)"), still = matchMedia("(prefers-reduced-motion: reduce)");
	const stored = () => {
		try { return JSON.parse(localStorage.getItem("bridgehead.prefs")) || {}; } catch { return {}; }
	};
	const apply = ({ theme, motion, lang } = stored()) => {
		root.dataset.theme = /^(light|dark)$/.test(theme) ? theme : dark.matches ? "dark" : "light";
		root.dataset.motion = motion === "reduce" || (motion !== "full" && still.matches) ? "reduce" : "full";
		const known = root.dataset.languages.split(" ");
		root.lang = [lang, navigator.language.slice(0, 2)].find((each) => known.includes(each)) || "en";
	};
	window.bridgeheadTheme = apply;
	dark.onchange = still.onchange = () => apply();
	apply();
})();
