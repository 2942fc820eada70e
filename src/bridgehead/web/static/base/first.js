// @ts-check
// Runs before the page is drawn. Sets theme, language and motion, so that nothing flashes; and where a part of the page does not
// load, loads the page again or says so. Not a module: modules run later, or not at all.
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
	const apply = ({ theme = "", motion, colours = "", names, lang } = stored()) => {
		root.dataset.theme = /^(light|dark)$/.test(theme) ? theme : dark.matches ? "dark" : "light";
		root.dataset.motion = motion === "reduce" || (motion !== "full" && still.matches) ? "reduce" : "full";
		root.dataset.colours = colours;
		root.dataset.names = names ? "on" : "";
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

	// A browser remembers a module that did not load: only a new page asks for it again.
	const TRIES = "bridgehead.tries"; // how often this tab was loaded again, and when
	const FORGOTTEN = 60_000; // ms
	const WAITS = [500, 2000]; // ms until something is asked for again
	/** @type {Set<string>} */
	const missing = new Set();

	/** @param {string} url */
	function say(url) {
		missing.add(new URL(url, location.href).pathname);
		const box = document.getElementById("missing");
		if (root.dataset.site && !window.site) return; // stopped.js says it
		if (!box) {
			document.addEventListener("DOMContentLoaded", () => say(url), { once: true });
			return;
		}
		for (const line of box.querySelectorAll("p")) line.hidden = !sent && line.lang !== root.lang;
		for (const button of box.querySelectorAll("button")) button.onclick = () => location.reload();
		/** @type {HTMLElement} */ (box.querySelector("code")).textContent = [...missing].join(", ");
		box.hidden = false;
	}

	/** Counts one more try. False after the last one, when something may be typed, and where this tab can remember nothing. */
	function mayTry() {
		if (navigator.userActivation?.hasBeenActive) return false;
		try {
			const { n = 0, at = 0 } = JSON.parse(sessionStorage.getItem(TRIES) ?? "{}");
			const tries = Date.now() - at < FORGOTTEN ? n : 0;
			sessionStorage.setItem(TRIES, JSON.stringify({ n: tries + 1, at: Date.now() }));
			return tries < WAITS.length;
		} catch {
			return false;
		}
	}

	let trying = false;
	const report = (/** @type {string} */ url) => {
		if (location.protocol === "file:" || trying) return;
		trying = mayTry();
		if (!trying) say(url);
		else
			setTimeout(async () => {
				const answer = await fetch(url, { cache: "reload" }).catch(() => null);
				if (answer?.ok) location.reload();
				else say(url);
				trying = false;
			}, WAITS[0]);
	};
	window.bridgeheadMissing = report;

	/** A script needs a new page; a style sheet is asked for by another address. @param {Event} event */
	function lack({ target }) {
		if (target instanceof HTMLScriptElement) report(target.src);
		if (!(target instanceof HTMLLinkElement) || target.rel !== "stylesheet") return;
		const url = new URL(target.href);
		const n = Number(url.searchParams.get("again"));
		const next = /** @type {HTMLLinkElement} */ (target.cloneNode());
		url.searchParams.set("again", String(n + 1));
		next.href = url.href;
		if (n < WAITS.length) setTimeout(() => target.replaceWith(next), WAITS[n]);
		else say(url.href);
	}
	addEventListener("error", lack, true);
})();
