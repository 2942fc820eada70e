// @ts-check
// Draws items of a scene as SVG, and small pictures that cannot be touched.
import { svg } from "./dom.js";

export const radius = (/** @type {{ r?: number }} */ item) => item.r ?? 22;

// Drawn words are not read out: labels and sentences say what they mean. A space keeps two lines of one label apart.
/** @param {Part} part */
function drawPart({ use, d, text, cls, x = 0, y = 0, turn = 0, scale = 1 }) {
	const place = { class: cls || false, transform: `translate(${x} ${y}) rotate(${turn}) scale(${scale})` };
	return use
		? svg("use", { href: `#${use}`, ...place })
		: d
			? svg("path", { d, ...place })
			: svg("text", { ...place, "aria-hidden": "true" }, text && text.length > 2 ? `${text} ` : text);
}

/** @param {Omit<Item, "id">} item */
export function drawItem({ x, y, parts = [], seat, cls = "", label, r }) {
	return svg(
		"g",
		{ class: `${cls} ${seat ? `seat-${seat}` : ""}`.trim(), transform: `translate(${x} ${y})` },
		label && svg("circle", { class: "focus", r: radius({ r }) }),
		...parts.map(drawPart),
	);
}

/** @param {Item[]} items */
export const byHeight = (items) => [...items].sort((a, b) => (a.z || 0) - (b.z || 0));

/** @param {Picture} picture @param {Item[]} items */
export function thumbnail({ width, height, ground, fields }, items) {
	const all = [...ground, ...fields, ...byHeight(items)].map((item) => drawItem({ ...item, label: "" }));
	return svg("svg", { class: "board", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...all);
}
