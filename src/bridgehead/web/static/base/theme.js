// @ts-check
// Sets theme, language and motion before the page is drawn, so that nothing flashes. Not a module: a module would run later.
(() => {
	const root = document.documentElement;
	const sent = root.dataset.site ? "" : root.lang; // the language in which a server has sent the page
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
		root.lang = [lang ?? "", sent || navigator.language.slice(0, 2)].find((each) => known.includes(each)) || "en";
		// biome-ignore lint/suspicious/noDocumentCookie: browsers have the Cookie Store API on https only
		if (sent && root.lang !== sent) document.cookie = `lang=${root.lang}; path=/; max-age=31536000; samesite=lax`;
	};
	window.bridgeheadTheme = apply;
	dark.onchange = still.onchange = () => apply();
	apply();
	// A browser that remembers a language and has lost the cookie asks once more for the page.
	const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
	if (sent && root.lang !== sent && visit?.type !== "reload" && document.cookie.includes(`lang=${root.lang}`)) location.reload();
})();
