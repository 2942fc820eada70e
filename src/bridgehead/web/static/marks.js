// The marks of the board: told apart by shape first, each with a cream edge. All take {x, y, r}.
import { svg } from "./dom.js";

const put = (x, y, ...children) => svg("g", { transform: `translate(${x} ${y})` }, ...children);
const line = (cls, d, width, more) => svg("path", { class: cls, d, "stroke-width": width, ...more });
const twice = (d, kind, width) => [line("m-under", d, width + 4), line(`m ${kind}`, d, width)];
const ring = (r) => `M${-r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1 ${-r} 0`;
const dot = (r, cls = "m-dot") => svg("circle", { class: cls, r });
const words = (text, y, cls, size) => svg("text", { class: cls, y, "font-size": size }, text);

function arc(r, from, to) {
	const at = (degrees) => `${r * Math.cos(degrees * Math.PI / 180)} ${r * Math.sin(degrees * Math.PI / 180)}`;
	return `M${at(from)}A${r} ${r} 0 0 1 ${at(to)}`;
}

// What can be touched next, by the kind of action it would end. `held`: something stands there already.
// `k`: how much larger than drawn, on a small screen.
export function target(kind, { x, y, r }, held, k) {
	const size = Math.min(13, 5 + r * 0.15), aside = held ? r * 0.72 : 0;
	const [right, down, ...shape] = {
		leap: [-1, 1, dot(size, "m-hollow")],
		warn: [0, 1, svg("path", { class: "warn", d: "M0-15L16 12H-16Z" }), words("!", 3, "warn-text", 15)],
		ask: [0, 0, dot(13), words("?", 0.5, "m-text", 16)],
		safe: [1, -1, dot(12), line("m tick", "M-5.4 .3L-1.5 4.5L6-4.8", 2.4)],
	}[kind] || [-1, 1, dot(held ? size * 0.8 : size)];
	if (kind === "take") return put(x, y, ...twice([0, 90, 180, 270].map((a) => arc(r, a + 14, a + 76)).join(""), "m-go", 4));
	return put(x + right * aside, y + down * aside, svg("g", { transform: `scale(${k})` }, ...shape));
}

export const chosen = ({ x, y, r }) => put(x, y, ...twice(ring(r), "m-go", 4));
export const staged = ({ x, y, r }) => put(x, y, line("m-under", ring(r), 7), line("m m-go", ring(r), 3.5, { "stroke-dasharray": "7 7" }));
export const reason = ({ x, y, r }) => put(x, y, ...twice(ring(r), "m-no", 2), line("m m-no", ring(r - 5), 1.5));

// Where an advised action begins (no text), and where it ends: its place among the best.
export function hint({ x, y, r }, text, k) {
	const aside = r * 0.72;
	return text ? put(x + aside, y - aside, svg("g", { transform: `scale(${k})` }, svg("rect", { class: "m-hint", x: -7 - 4 * text.length, y: -11, width: 14 + 8 * text.length, height: 22, rx: 11 }), words(text, 0.5, "m-text", 15))) : put(x, y, ...twice(ring(r + 3), "m-hinted", 3));
}

export function refused({ x, y, r }) {
	const k = Math.max(7, r * 0.35);
	return put(x, y, ...twice(`M${-k} ${-k}L${k} ${k}M${k} ${-k}L${-k} ${k}`, "m-no", 4.5));
}

// Where the last action began, and where it ended.
export function origin({ x, y, r }) {
	const k = 4 + r * 0.15;
	return put(x, y, ...twice(`M0 ${-k}L${k} 0L0 ${k}L${-k} 0Z`, "m-last", 2));
}

export function ended({ x, y, r }) {
	const corners = [[-1, -1], [-1, 1], [1, -1], [1, 1]].map(([h, v]) => `M${h * r} ${v * r * 0.55}V${v * r}H${h * r * 0.55}`);
	return put(x, y, ...twice(corners.join(""), "m-last", 2.5));
}

// A dotted leap, bent upwards, or to the left when it runs straight up or down.
export function leap(from, to) {
	const dx = to.x - from.x, dy = to.y - from.y, bend = -0.26 * (Math.abs(dx) < 1 ? -Math.sign(dy) : Math.sign(dx));
	return svg("path", { class: "leap", d: `M${from.x} ${from.y}Q${(from.x + to.x) / 2 - dy * bend} ${(from.y + to.y) / 2 + dx * bend} ${to.x} ${to.y}` });
}
