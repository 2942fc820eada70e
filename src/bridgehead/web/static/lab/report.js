// @ts-check
// "Is this fair?": a short report about the chosen house rules, shown while its games are played.

import { el, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { trafficLights } from "./traffic_lights.js";

const AGAIN = 1000; // ms between two requests
const pause = () => new Promise((wait) => setTimeout(wait, AGAIN));

/** @typedef {Requests["POST /api/labs"]["body"]} Rules */

/**
 * Shows the report in `place`. It is dropped when `chosen` gives other house rules than at the start.
 * @param {HTMLElement} place @param {HTMLButtonElement} button @param {() => Rules} chosen
 */
export async function report(place, button, chosen) {
	const mine = chosen();
	const bar = el("progress", { max: "1", "aria-label": t("fair_wait") });
	const status = el("p", { class: "quiet", role: "status" }, t("fair_ready"));
	const found = el("div", {});
	const past = el("p", {}, el("a", { href: "/lab" }, t("lab")));
	place.replaceChildren(status, bar, found);
	button.disabled = true;
	try {
		const { key } = await ask("/api/labs", mine);
		const look = () => ask(`/api/labs/${key}`);
		let now = await look();
		for (let shown = ""; now.state !== "done" && chosen() === mine; now = await look()) {
			const { state, before, done, of, lights } = now;
			const text = state === "waiting" ? t("fair_queue", { n: before }) : t(lights.length ? "fair_playing" : "fair_ready");
			if (status.textContent !== text) status.textContent = text;
			if (lights.length) bar.value = done / of;
			if (JSON.stringify(lights) !== shown) found.replaceChildren(trafficLights(lights));
			shown = JSON.stringify(lights);
			await pause();
		}
		if (now.state !== "done") place.replaceChildren(el("p", { class: "quiet", role: "status" }, t("fair_changed")));
		else {
			const read = el("a", { class: "btn main", href: `${now.report}?lang=${root.lang}`, target: "_blank" }, t("lab_read"));
			status.textContent = t("fair_done");
			place.replaceChildren(status, trafficLights(now.lights), el("p", {}, read), past);
		}
	} catch (error) {
		const why = el("p", { class: "problem", role: "alert" });
		showError(why, error);
		place.replaceChildren(why, past);
	}
	button.disabled = false;
}
