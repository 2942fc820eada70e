// @ts-check
// "Is this fair?": a short report about the chosen house rules, shown while its games are played.

import { button, el, quiet, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { trafficLights } from "./traffic_lights.js";

const AGAIN = 1000; // ms between two requests
const pause = () => new Promise((wait) => setTimeout(wait, AGAIN));

/** @typedef {Requests["POST /api/labs"]["body"]} Rules */

/**
 * Shows the report in `place`. It is dropped when `chosen` gives other house rules than at the start.
 * @param {HTMLElement} place @param {HTMLButtonElement} opener @param {() => Rules} chosen
 */
export async function report(place, opener, chosen) {
	opener.disabled = true;
	await study(place, chosen(), chosen);
	opener.disabled = false;
}

/**
 * Follows a study to its end. What it leaves open, a patient one finds out in the background.
 * @param {HTMLElement} place @param {Rules} mine @param {() => Rules} chosen @param {boolean} [patient]
 */
async function study(place, mine, chosen, patient = false) {
	const bar = el("progress", { max: "1", "aria-label": t("fair_wait") });
	const status = el("p", { class: "quiet", role: "status" }, t("fair_ready"));
	const found = el("div", {});
	const past = el("p", {}, el("a", { href: "/lab" }, t("lab")));
	place.replaceChildren(status, bar, ...(patient ? [quiet(t("fair_more_help"))] : []), found);
	try {
		const { key } = await ask("/api/labs", { ...mine, patient });
		const look = () => ask(`/api/labs/${key}`);
		let now = await look();
		for (let shown = ""; now.state !== "done" && chosen() === mine; now = await look()) {
			const { state, before, done, of, lights } = now;
			const known = lights.filter(({ light }) => light !== "unknown").length;
			const so = `${t("fair_playing")} ${t("fair_answered", { n: known })}`;
			const text = state === "waiting" ? t("fair_queue", { n: before }) : lights.length ? so : t("fair_ready");
			if (status.textContent !== text) status.textContent = text;
			if (lights.length) bar.value = done / of;
			if (JSON.stringify(lights) !== shown) found.replaceChildren(trafficLights(lights, true, now.favoured));
			shown = JSON.stringify(lights);
			await pause();
		}
		if (now.state !== "done") place.replaceChildren(el("p", { class: "quiet", role: "status" }, t("fair_changed")));
		else {
			const read = el("a", { class: "btn main", href: `${now.report}?lang=${root.lang}`, target: "_blank" }, t("lab_read"));
			const open = !patient && now.lights.some(({ light }) => light === "unknown");
			const more = button(t("fair_more"), () => study(place, mine, chosen, true));
			status.textContent = t("fair_done");
			const rest = open ? [el("p", { class: "row" }, more, el("span", { class: "quiet" }, t("fair_more_help")))] : [];
			place.replaceChildren(status, trafficLights(now.lights, false, now.favoured), el("p", {}, read), ...rest, past);
		}
	} catch (error) {
		const why = el("p", { class: "problem", role: "alert" });
		showError(why, error);
		place.replaceChildren(why, past);
	}
}
