// @ts-check
// Errors as a page shows them.

/** @param {unknown} error */
export const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/** Shows an error, with its place if that is part of what somebody typed, or hides it.
 * @param {HTMLElement} node @param {unknown} [error] */
export function showError(node, error) {
	const { where, message } = /** @type {{ where?: string, message?: string }} */ (error || {});
	node.hidden = !error;
	node.textContent = [where?.startsWith("/") ? "" : where, message].filter(Boolean).join(": ");
}

/** Does what a press asks for, and shows the error if it fails.
 * @param {HTMLElement} node where the error is shown @param {() => Promise<unknown>} work */
export async function withError(node, work) {
	showError(node);
	try {
		await work();
	} catch (error) {
		showError(node, error);
		node.scrollIntoView({ block: "nearest" });
	}
}
