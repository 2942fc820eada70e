// @ts-check
// The lab's twelve questions, each with its light: a shape and a word, since not everyone sees the colour.
import { el, root, style } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { chip } from "../base/levels.js";

await style("lab/lab");

/** The seat that wins most, in its colour. @typedef {Answer<"GET /api/labs/{key}">["favoured"]} Favoured */

/** @param {Light[]} found @param {boolean} [going] whether games are still being played @param {Favoured} [favoured] */
export const trafficLights = (found, going = false, favoured = null) =>
	el(
		"ul",
		{ class: "lights" },
		...found.map(({ number, light }) =>
			el(
				"li",
				{ class: `light ${light}` },
				el("span", {}, t(`lab.q${number}`)),
				...(number === 2 && favoured
					? [el("span", { class: "favoured" }, chip(favoured.seat), favoured.names[root.lang] || favoured.names.en)]
					: []),
				el("b", {}, t(`lab.${going && light === "unknown" ? "looking" : light}`)),
			),
		),
	);
