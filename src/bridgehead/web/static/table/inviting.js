// @ts-check
// For those who wait at a table: the code, the link and the QR code for the friends whose seats are free.
/** @import { Presence } from "./presence.js" */
import { el, later } from "../base/dom.js";
import { t } from "../base/i18n.js";

/**
 * A fold with the code in its title; the link and its QR code come when it is opened. It is open while the game waits for them.
 * @param {Presence} presence @param {number[]} free seats
 */
export function inviting({ people, view }, free) {
	const names = free.map((i) => view.seats[i].colour).join(", ");
	const fold = el(
		"details",
		{ class: "inviting" },
		el("summary", {}, t("inviting", { names }), " ", el("strong", { class: "code" }, people.code)),
	);
	fold.ontoggle = async () => {
		if (!fold.open || fold.children.length > 1) return;
		const box = el("div", {});
		fold.append(box);
		const { linkRow } = await later(() => import("../people/share.js"));
		box.append(await linkRow(`/t/${view.table}`, t("watch_or_sit")));
	};
	fold.open = free.includes(view.actor);
	return fold;
}
