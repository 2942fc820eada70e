// @ts-check
// The lab's twelve questions, each with its light: a shape and a word, since not everyone sees the colour.
import { el, style } from "../base/dom.js";
import { t } from "../base/i18n.js";

await style("lab/lab");

/** @param {Light[]} found @param {boolean} [going] whether games are still being played */
export const trafficLights = (found, going = false) =>
	el(
		"ul",
		{ class: "lights" },
		...found.map(({ number, light }) =>
			el(
				"li",
				{ class: `light ${light}` },
				el("span", {}, t(`lab.q${number}`)),
				el("b", {}, t(`lab.${going && light === "unknown" ? "looking" : light}`)),
			),
		),
	);
