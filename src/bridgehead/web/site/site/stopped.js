// @ts-check
// Says on the page why its modules do not run: no browser runs them from a folder (file:), and old ones know none. Not a module.
addEventListener("load", () => {
	if (window.site) return;
	const { lang } = document.documentElement;
	const why = location.protocol === "file:" ? "folder" : "failed";
	const line = document.querySelector(`.stopped [data-why=${why}]:lang(${lang})`);
	line?.removeAttribute("hidden");
	line?.classList.add("problem");
});
