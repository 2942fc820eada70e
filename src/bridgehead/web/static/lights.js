// The twelve questions of the lab, each with its light: a shape and a word, for colour alone tells not everybody.
import { el } from "./dom.js";
import { t } from "./words.js";

document.head.append(el("link", { rel: "stylesheet", href: "/static/lab.css" }));

export const lights = (found) => el("ul", { class: "lights" }, ...found.map(({ number, light }) =>
	el("li", { class: `light ${light}` }, el("span", {}, t(`lab.q${number}`)), el("b", {}, t(`lab.${light}`)))));
