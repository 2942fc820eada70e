// @ts-check
// Does what a press asks for, and shows the error if it fails.
import { problem } from "./problem.js";

/** @param {HTMLElement} node where the error is shown @param {() => Promise<unknown>} work */
export async function trying(node, work) {
	problem(node);
	try {
		await work();
	} catch (error) {
		problem(node, error);
		node.scrollIntoView({ block: "nearest" });
	}
}
