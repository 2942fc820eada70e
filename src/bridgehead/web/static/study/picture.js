// @ts-check
// Pictures and films to keep: a position as SVG or PNG, drawn here; a film of some turns, which the server makes.

import { closer, dialog } from "../base/dialog.js";
import { el, fetch, root, style, svg } from "../base/dom.js";
import { download } from "../base/download.js";
import { thumbnail } from "../base/draw.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";

await style("study/picture");

const EDGE = 30; // units around the board
const WIDTH = 1200; // pixels of a PNG
// What a style sheet may say about a drawing. Another program does not have our style sheets.
const LOOKS = [
	"fill",
	"fill-opacity",
	"fill-rule",
	"stroke",
	"stroke-width",
	"stroke-dasharray",
	"stroke-linecap",
	"stroke-linejoin",
	"stop-color",
	"stop-opacity",
	"paint-order",
	"opacity",
	"display",
	"font-family",
	"font-size",
	"font-weight",
	"letter-spacing",
	"text-anchor",
	"dominant-baseline",
];

const USUAL = new Set(["opacity:1", "display:inline"]); // of what no element inherits

/** A position as an SVG that needs nothing else. @param {Picture} picture @param {Item[]} items */
export function drawn(picture, items) {
	const { width, height } = picture;
	const board = thumbnail(picture, items);
	const size = { x: -EDGE, y: -EDGE, width: width + 2 * EDGE, height: height + 2 * EDGE };
	const colour = getComputedStyle(root).getPropertyValue("--table");
	board.setAttribute("viewBox", `${size.x} ${size.y} ${size.width} ${size.height}`);
	board.setAttribute("width", `${size.width}`);
	board.setAttribute("height", `${size.height}`);
	board.prepend(svg("rect", { ...size, fill: colour }));
	const [, ...things] = board.children;
	for (const use of board.querySelectorAll("use")) {
		const symbol = document.querySelector(`.art [id="${use.getAttribute("href")?.slice(1)}"]`);
		const group = svg("g", { class: use.getAttribute("class") ?? "", transform: use.getAttribute("transform") ?? "" });
		group.append(...[...(symbol?.children ?? [])].map((each) => each.cloneNode(true)));
		use.replaceWith(group);
	}
	const gradients = [...document.querySelectorAll(".art :is(linearGradient, radialGradient)")];
	const shades = svg("defs", {}, .../** @type {SVGElement[]} */ (gradients.map((each) => each.cloneNode(true))));
	board.firstElementChild?.after(shades);
	// Styles are computed for what is in the page only; all of them before any is written down.
	const aside = el("div", { class: "hidden" }, board);
	document.body.append(aside);
	const nodes = [shades, ...things].flatMap((thing) => [thing, ...thing.querySelectorAll("*")]);
	const looks = nodes.map((node) => {
		const style = getComputedStyle(node);
		return LOOKS.map((name) => [name, style.getPropertyValue(name)]);
	});
	aside.remove();
	nodes.forEach((node, i) => {
		for (const [name, value] of looks[i]) if (!USUAL.has(`${name}:${value}`)) node.setAttribute(name, value);
		node.removeAttribute("class");
	});
	board.removeAttribute("class");
	const used = looks.flat().map(([, value]) => value.match(/url\("(#[\w-]+)"\)/)?.[1]);
	for (const shade of [...shades.children]) if (!used.includes(`#${shade.id}`)) shade.remove();
	return new XMLSerializer().serializeToString(board);
}

/** @param {string} source an SVG */
async function png(source) {
	const image = new Image();
	image.src = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
	await image.decode();
	const canvas = el("canvas", { width: WIDTH, height: Math.round((WIDTH * image.height) / image.width) });
	canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
	URL.revokeObjectURL(image.src);
	return /** @type {Promise<Blob>} */ (new Promise((resolve) => canvas.toBlob((blob) => resolve(/** @type {Blob} */ (blob)))));
}

/**
 * The dialog of a position's picture, and of films if a record is given.
 * @param {{ picture: Picture, items: Item[], name: string, film?: { record: string, turn: number, turns: number } }} what
 */
export function pictures({ picture, items, name, film }) {
	const source = drawn(picture, items);
	const file = new Blob([source], { type: "image/svg+xml" });
	const shown = el("img", { class: "pictured", src: URL.createObjectURL(file), alt: t("picture") });
	const error = el("p", { class: "problem", role: "alert", hidden: true });
	const button = (/** @type {string} */ label, /** @type {() => unknown} */ onclick) =>
		el("button", { class: "btn", type: "button", onclick }, label);
	dialog(
		t("picture"),
		shown,
		el(
			"p",
			{ class: "row" },
			button(t("save_as", { kind: "PNG" }), async () => download(`${name}.png`, await png(source))),
			button(t("save_as", { kind: "SVG" }), () => download(`${name}.svg`, file)),
		),
		film && (window.site ? el("p", { class: "quiet" }, t("film_needs_server")) : films(film, name, shown, error)),
		error,
		el("p", { class: "row" }, closer()),
	);
}

/**
 * The form for a film: its turns and its speed.
 * @param {{ record: string, turn: number, turns: number }} of @param {string} name @param {HTMLImageElement} shown
 * @param {HTMLElement} error
 */
function films({ record, turns }, name, shown, error) {
	const number = (/** @type {string} */ label, /** @type {number} */ value, /** @type {number} */ max, step = 1) => {
		const input = el("input", { type: "number", value, min: step, max, step, size: 5, required: "" });
		return { input, label: el("label", { class: "row" }, el("span", {}, label), input) };
	};
	const from = number(t("film_from"), 1, turns);
	const to = number(t("film_to"), turns, turns);
	const seconds = number(t("film_seconds"), 1, 10, 0.1);
	const make = el("button", { class: "btn main" }, t("film_make"));
	const form = el("form", { class: "stack film" }, el("h3", {}, t("film")));
	form.append(el("p", { class: "row" }, from.label, to.label, seconds.label), el("p", {}, make));
	form.onsubmit = async (event) => {
		event.preventDefault();
		make.disabled = true;
		make.textContent = t("film_making");
		const bar = el("progress", { "aria-label": t("film_making") });
		form.append(bar);
		showError(error);
		try {
			const made = await filmed(record, from.input.value, to.input.value, seconds.input.value);
			shown.src = URL.createObjectURL(made);
			download(`${name}.gif`, made);
		} catch (wrong) {
			showError(error, wrong);
		}
		bar.remove();
		make.disabled = false;
		make.textContent = t("film_make");
	};
	return form;
}

/** @param {string} record @param {string} from @param {string} to @param {string} seconds */
async function filmed(record, from, to, seconds) {
	const query = new URLSearchParams({ lang: root.lang, from, to, seconds });
	const answer = await fetch(`/api/films?${query}`, { method: "POST", body: record, headers: { "content-type": "text/plain" } });
	if (!answer.ok) throw new Error((await answer.json()).error);
	return answer.blob();
}
