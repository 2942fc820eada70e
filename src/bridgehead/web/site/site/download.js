// @ts-check
// Files that a page gives.

/** Lets the browser save a file. @param {string} name @param {unknown} content */
export function download(name, content) {
	const href = URL.createObjectURL(new Blob([JSON.stringify(content)], { type: "application/json" }));
	Object.assign(document.createElement("a"), { href, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
