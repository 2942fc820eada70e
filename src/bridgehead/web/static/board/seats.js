// @ts-check
// The seats beside the board.

import { $, el } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { chip, levelName } from "../base/levels.js";

/** Two texts: for a wide screen, and short for a phone. @param {Seat} seat @param {boolean} mine @param {boolean} alone */
function occupant({ kind, level, here, name, colour }, mine, alone) {
	if (mine) return alone ? [colour, colour] : [t("here_too"), t("here")];
	if (kind === "computer") return [`${t("computer")}, ${levelName(level)}`, levelName(level)];
	const [long, short] = here ? [t("person_here"), t("here")] : [t("person_away"), t("away")];
	return [name === colour ? long : `${colour}, ${long}`, short];
}

/** @param {{ seats: Plate[], actor: number } | View} shown */
export function fillSeats(shown) {
	const { seats, actor } = shown;
	const you = "you" in shown ? shown.you : [];
	const ranks = ("ending" in shown && shown.ending?.ranks) || [];
	$("seats").classList.toggle("many", seats.length > 4 && !ranks.length);
	$("seats").replaceChildren(
		...seats.map((seat, i) => {
			const table = "you" in shown && shown.you.length < seats.length ? shown : null;
			const [long, short] = table ? occupant(table.seats[i], table.you.includes(i), table.you.length === 1) : [];
			const place = ranks.findIndex(({ seat: each }) => each === i);
			const rank = ranks[place];
			const row = el(
				"li",
				{
					class: i === actor ? "turn" : !!rank && you.length === 1 && you[0] === i && "mine",
					"aria-current": i === actor && "true",
				},
				chip(seat.seat || seat.letter.toLowerCase(), seat.letter),
				el(
					"div",
					{},
					el("strong", {}, table?.you.length === 1 && table.you[0] === i ? t("you_name") : seat.name),
					long && el("small", { class: "long who" }, long),
					short && el("small", { class: "short who" }, short),
					...(rank ? [] : seat.lines || []).map((line) => el("small", { class: "long" }, line)),
					rank && el("small", { class: "far" }, rank.text),
				),
				rank && el("em", { class: "place" }, rank.place ? t(`place.${rank.place}`) : ""),
			);
			if (rank) row.style.order = String(place);
			return row;
		}),
	);
}
