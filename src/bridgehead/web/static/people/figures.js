// @ts-check
// Figures of studies and playtests: in words with their intervals, and whether two of them surely differ.
import { el, href, later, quiet, root } from "../base/dom.js";
import { number, t } from "../base/i18n.js";
import { chip } from "../base/levels.js";

/** @typedef {Answer<"POST /api/playtests/{playtest}">["figures"][string][number]} Figure */

/** Which figures are the same number of two versions. @param {Figure} figure */
export const keyOf = ({ kind, seat }) => `${kind} ${seat}`;

/** @param {Figure} figure */
export function nameFigure({ kind, seat, names }) {
	const key = /** @type {"figure.gap"} */ (`figure.${kind}`);
	if (kind !== "side") return el("span", {}, t(key));
	return el("span", { class: "row" }, chip(seat), t("figure.side", { side: names[root.lang] || names.en }));
}

/** @param {Figure} figure */
export function figureText({ kind, ...figure }) {
	const isShare = kind !== "turns" && kind !== "fun";
	const digits = { maximumFractionDigits: kind === "fun" ? 1 : 0 };
	const write = (/** @type {number} */ value) => new Intl.NumberFormat(root.lang, digits).format(isShare ? 100 * value : value);
	const [value, low, high] = [figure.value, figure.low, figure.high].map(write);
	return t(isShare ? "figure.share" : "figure.number", { value, low, high });
}

/** Whether the intervals have nothing in common. @param {Figure} one @param {Figure} other */
export const surelyDiffer = (one, other) => one.low > other.high || other.low > one.high;

/**
 * The last study of a version with its lights; where there is none, the way to one.
 * @param {string} game @param {object} rules
 * @param {{ report: string, games: number, lights: Light[], favoured?: Answer<"GET /api/labs/{key}">["favoured"] } | null} study
 */
export async function showStudy(game, rules, study) {
	if (study) {
		const { trafficLights } = await later(() => import("../lab/traffic_lights.js"));
		const link = el("a", { href: href(study.report) }, t("shelf_report"));
		const about = el("p", { class: "quiet" }, t("shelf_studied", { n: number(study.games) }), " · ", link);
		return [about, trafficLights(study.lights, false, study.favoured)];
	}
	const { pack } = await later(() => import("../base/link_codec.js"));
	const way = href(`/new/${game}?mode=here#o=${await pack({ rules, sealed: false })}`);
	return [quiet(t("shelf_unstudied")), el("p", {}, el("a", { class: "btn", href: way }, t("shelf_study")))];
}
