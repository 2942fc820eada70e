// @ts-check
// Buttons for the colour of what is drawn next on the analysis board.
import { $, el, svg } from "./dom.js";
import { twice } from "./marks.js";
import { COLOURS } from "./shapes.js";
import { t } from "./words.js";

/** @param {import("./shapes.js").Pencil} pencil */
export function palette(pencil) {
	const host = $("palette");
	const buttons = COLOURS.map((colour) => {
		const sample = svg("svg", { viewBox: "0 0 40 12", class: `shape ${colour}`, "aria-hidden": "true" });
		sample.append(...twice("M4 6H36", "m-shape", 5));
		const words = el("span", {}, t(`tree.${colour || "green"}`));
		return el("button", { class: "btn", type: "button", onclick: () => press(colour) }, sample, words);
	});
	const press = (/** @type {Colour} */ colour) => {
		pencil.colour = colour;
		buttons.forEach((each, i) => {
			each.setAttribute("aria-pressed", String(COLOURS[i] === colour));
		});
	};
	host.replaceChildren(...buttons);
	press(pencil.colour);
	host.hidden = !pencil.on;
}
