// "Is this fair?": a short study of the house rules that are chosen, shown while it grows.
import { ask, el, problem } from "./dom.js";
import { lights } from "./lights.js";
import { t } from "./words.js";

const AGAIN = 1000; // ms from one question to the next
const pause = () => new Promise((wait) => setTimeout(wait, AGAIN));

// place: where it is shown; chosen: the house rules as they stand now; a study of others is left alone when they change.
export async function study(place, button, chosen) {
	const mine = chosen(), bar = el("progress", { max: "1", "aria-label": t("fair_wait") }), said = el("p", { class: "quiet", role: "status" }, t("fair_ready")), found = el("div", {});
	const past = el("p", {}, el("a", { href: "/lab" }, t("lab")));
	place.replaceChildren(said, bar, found);
	button.disabled = true;
	try {
		const { key } = await ask("/api/labs", mine);
		let told, shown = "", words = "";
		while ((told = await ask(`/api/labs/${key}`)).state !== "done" && chosen() === mine) {
			const now = told.state === "waiting" ? t("fair_queue", { n: told.before }) : told.done ? t("fair_playing") : t("fair_ready");
			if (now !== words) said.textContent = words = now;
			if (told.done) bar.value = told.done / told.of;
			if (JSON.stringify(told.lights) !== shown) {
				shown = JSON.stringify(told.lights);
				found.replaceChildren(lights(told.lights));
			}
			await pause();
		}
		if (told.state !== "done") place.replaceChildren(el("p", { class: "quiet", role: "status" }, t("fair_changed")));
		else {
			said.textContent = t("fair_done");
			place.replaceChildren(said, lights(told.lights), el("p", {}, el("a", { class: "btn main", href: told.report, target: "_blank" }, t("lab_read"))), past);
		}
	} catch (error) {
		const why = el("p", { class: "problem", role: "alert" });
		problem(why, error);
		place.replaceChildren(why, past);
	}
	button.disabled = false;
}
