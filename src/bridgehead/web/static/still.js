// @ts-check
// Small pictures that cannot be touched.
import { byHeight, drawItem } from "./drawing.js";
import { svg } from "./elements.js";

/** @param {Picture} picture @param {Item[]} items */
export function still({ width, height, ground, fields }, items) {
	const all = [...ground, ...fields, ...byHeight(items)].map((item) => drawItem({ ...item, label: "" }));
	return svg("svg", { class: "board", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...all);
}
