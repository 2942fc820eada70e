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
/** @param {number} r */
const dot = (r, cls = "m-dot") => svg("circle", { class: cls, r });
/** @param {string} text @param {number} y @param {string} cls @param {number} size */
export const words = (text, y, cls, size) => svg("text", { class: cls, y, "font-size": size }, text);

/** @param {number} r @param {number} from @param {number} to */
function arc(r, from, to) {
	const at = (/** @type {number} */ degrees) =>
		`${r * Math.cos((degrees * Math.PI) / 180)} ${r * Math.sin((degrees * Math.PI) / 180)}`;
	return `M${at(from)}A${r} ${r} 0 0 1 ${at(to)}`;
}

/**
 * Where the sign of a target stands (right, down: -1 to 1) and what it is made of.
 * @param {string} kind @param {number} size @param {boolean} held
 */
function sign(kind, size, held) {
	if (kind === "leap") return { right: -1, down: 1, shape: [dot(size, "m-hollow")] };
	if (kind === "warn")
		return { right: 0, down: 1, shape: [svg("path", { class: "warn", d: "M0-15L16 12H-16Z" }), words("!", 3, "warn-text", 15)] };
	if (kind === "ask") return { right: 0, down: 0, shape: [dot(13), words("?", 0.5, "m-text", 16)] };
	if (kind === "safe") return { right: 1, down: -1, shape: [dot(12), line("m tick", "M-5.4 .3L-1.5 4.5L6-4.8", 2.4)] };
	return { right: -1, down: 1, shape: [dot(held ? size * 0.8 : size)] };
}

// A field or piece that can be touched next, by the kind of action it would end. held: something stands there already.
// k: enlargement on a small screen.
/** @param {string} kind @param {Spot} spot @param {boolean} held @param {number} k */
export function target(kind, { x, y, r }, held, k) {
	if (kind === "take") return put(x, y, ...twice([0, 90, 180, 270].map((a) => arc(r, a + 14, a + 76)).join(""), "m-go", 4));
	const aside = held ? r * 0.72 : 0;
	const { right, down, shape } = sign(kind, Math.min(13, 5 + r * 0.15), held);
	return put(x + right * aside, y + down * aside, svg("g", { transform: `scale(${k})` }, ...shape));
}

/** @param {Spot} spot */
export const chosen = ({ x, y, r }) => put(x, y, ...twice(ring(r), "m-go", 4));
/** A line in a seat's colour, with its dark edge; in ink where no seat is named. @param {string} d @param {string} seat */
const coloured = (d, seat) =>
	seat
		? [line("m-under", d, 8), svg("g", { class: `seat-${seat}` }, line("m m-edge", d, 5), line("m m-seat", d, 3))]
		: twice(d, "m-last", 2.5);

// The start of an action, and its end.
/** @param {Spot} spot */
export function origin({ x, y, r }, seat = "") {
	const k = 4 + r * 0.15;
	return put(x, y, ...coloured(`M0 ${-k}L${k} 0L0 ${k}L${-k} 0Z`, seat));
}

/** @param {Spot} spot */
export function ended({ x, y, r }, seat = "") {
	const corner = (/** @type {number} */ h, /** @type {number} */ v) => `M${h * r} ${v * r * 0.55}V${v * r}H${h * r * 0.55}`;
	return put(x, y, ...coloured(corner(-1, -1) + corner(-1, 1) + corner(1, -1) + corner(1, 1), seat));
}

// A dotted curve, bent upwards, or to the left when it runs straight up or down.
/** @param {Spot} from @param {Spot} to */
export function leap(from, to) {
	const dx = to.x - from.x;
	const dy = to.y - from.y;
	const bend = -0.26 * (Math.abs(dx) < 1 ? -Math.sign(dy) : Math.sign(dx));
	const middle = `${(from.x + to.x) / 2 - dy * bend} ${(from.y + to.y) / 2 + dx * bend}`;
	return svg("path", { class: "leap", d: `M${from.x} ${from.y}Q${middle} ${to.x} ${to.y}` });
}
