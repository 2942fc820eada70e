// @ts-check
// Errors as a page shows them.

/** @param {unknown} error */
export const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/** Shows an error with its place, or hides it. @param {HTMLElement} node @param {unknown} [error] */
export function problem(node, error) {
	const { where, message } = /** @type {{ where?: string, message?: string }} */ (error || {});
	node.hidden = !error;
	node.textContent = [where, message].filter(Boolean).join(": ");
}
