// @ts-check
// Files that a page gives.

/** Lets the browser save a file. @param {string} name @param {Blob | string} content @param {string} [type] of a text */
export function download(name, content, type = "application/json") {
	const href = URL.createObjectURL(new Blob([content], typeof content === "string" ? { type } : {}));
	Object.assign(document.createElement("a"), { href, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(href), 60_000);
}
