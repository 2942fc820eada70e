// @ts-check
// The marks on the board. Each kind has its own shape and a cream edge, and can be read without colours.
import { svg } from "../base/dom.js";

/** @param {number} x @param {number} y @param {...SVGElement} children */
export const put = (x, y, ...children) => svg("g", { transform: `translate(${x} ${y})` }, ...children);
/** @param {string} cls @param {string} d @param {number} width @param {{ [name: string]: string }} [more] */
export const line = (cls, d, width, more) => svg("path", { class: cls, d, "stroke-width": width, ...more });
/** @param {string} d @param {string} kind @param {number} width */
export const twice = (d, kind, width) => [line("m-under", d, width + 4), line(`m ${kind}`, d, width)];
/** @param {number} r */
export const ring = (r) => `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0`;
/** @param {string} text @param {number} y @param {string} cls @param {number} size */
export const words = (text, y, cls, size) => svg("text", { class: cls, y, "font-size": size }, text);

/** @param {number} r @param {number} from @param {number} to */
function arc(r, from, to) {
	const at = (/** @type {number} */ degrees) =>
		`${r * Math.cos((degrees * Math.PI) / 180)} ${r * Math.sin((degrees * Math.PI) / 180)}`;
	return `M${at(from)}A${r} ${r} 0 0 1 ${at(to)}`;
}

/** A glass pearl: where something can go. @param {number} r @param {...SVGElement} sign */
const pearl = (r, ...sign) => [
	svg("circle", { class: "m-pearl-cast", cx: 1.5, cy: 3, r: r + 2 }),
	svg("circle", { class: "m-pearl", r }),
	...(sign.length ? sign : [svg("ellipse", { class: "m-pearl-lit", cx: -0.27 * r, cy: -0.36 * r, rx: 0.36 * r, ry: 0.24 * r })]),
];

/** @param {string} kind @param {number} size */
function sign(kind, size) {
	if (kind === "leap")
		return [svg("circle", { class: "m-open", r: size - 2 }), svg("circle", { class: "m-open-in", r: size - 2 })];
	if (kind === "warn") return [svg("path", { class: "m-warn", d: "M0-15L16 12H-16Z" }), words("!", 8.5, "m-warn-text", 18)];
	if (kind === "ask") return pearl(13, words("?", 0.5, "m-text", 17));
	if (kind === "safe") return pearl(12, svg("path", { class: "m-tick", d: "M-5.4 .3L-1.5 4.5L6-4.8" }));
	return pearl(size);
}

// A field that can be touched next, by the kind of action it would end. held: something stands there already.
// k: enlargement on a small screen.
/** @param {string} kind @param {Spot} spot @param {boolean} held @param {number} k */
export function target(kind, { x, y, r }, held, k) {
	if (kind === "take") {
		const d = [0, 90, 180, 270].map((a) => arc(r, a + 16, a + 74)).join("");
		return put(x, y, svg("path", { class: "m-take-rim", d }), svg("path", { class: "m-take", d }));
	}
	const aside = held ? r * 0.62 : 0;
	return put(x - aside, y + aside, svg("g", { transform: `scale(${k})` }, ...sign(kind, Math.min(13, 6 + r * 0.18))));
}

/** Lamplight under a piece that can be touched, or is chosen. stands: it is drawn from the side, so the ring lies at its foot.
 * @param {Spot} spot @param {boolean} stands */
export function light({ x, y, r }, stands) {
	const [down, rx, flat] = stands ? [0.5 * r, 1.2 * r, 0.5] : [2, 1.1 * r, 0.94];
	const ring = (/** @type {string} */ cls, k = 1) => svg("ellipse", { class: cls, rx: k * rx, ry: k * rx * flat });
	return put(x, y + down, ring("m-light", 1.55), ring("m-ring-rim"), ring("m-ring"));
}

/** @param {Spot} spot */
export const chosen = (spot) => light(spot, false);
const livery = (/** @type {string} */ seat, /** @type {SVGElement[]} */ ...parts) =>
	svg("g", { class: seat ? `seat-${seat}` : "seat-none" }, ...parts);

// The start of an action: a print of dots. Its end: a pool of the seat's colour with a ring.
/** @param {Spot} spot */
export const origin = ({ x, y, r }, seat = "") =>
	put(x, y, livery(seat, ...["m-from-under", "m-from-edge", "m-from"].map((cls) => svg("circle", { class: cls, r: 0.62 * r }))));
/** @param {Spot} spot */
export const ended = ({ x, y, r }, seat = "") =>
	put(
		x,
		y,
		livery(seat, ...["m-seat-pool", "m-seat-under", "m-seat-edge", "m-seat-line"].map((cls) => svg("circle", { class: cls, r }))),
	);

// A dotted curve, bent upwards, or to the left when it runs straight up or down.
/** @param {Spot} from @param {Spot} to */
export function leap(from, to) {
	const dx = to.x - from.x;
	const dy = to.y - from.y;
	const bend = -0.26 * (Math.abs(dx) < 1 ? -Math.sign(dy) : Math.sign(dx));
	const middle = `${(from.x + to.x) / 2 - dy * bend} ${(from.y + to.y) / 2 + dx * bend}`;
	return svg("path", { class: "leap", d: `M${from.x} ${from.y}Q${middle} ${to.x} ${to.y}` });
}
