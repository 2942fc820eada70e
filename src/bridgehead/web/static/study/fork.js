// @ts-check
// Continues a game from any place of its replay: here, against the computer, or with friends.

import { closer, dialog } from "../base/dialog.js";
import { el, href } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { chip } from "../base/levels.js";
import { ask } from "../base/request.js";
import { remember } from "../people/saved_tables.js";
import { inviteRows } from "../people/share.js";

const WAYS = { here: "play_here", computer: "play_computer", invite: "invite" };

/**
 * @param {Pick<Film, "game" | "title" | "names" | "link">} film
 * @param {Pick<Frame, "n" | "plates" | "actor" | "turn" | "sentence" | "prompt">} frame
 */
export async function fork(film, { n: at, plates, actor, turn, sentence, prompt }) {
	const { games } = await ask("/api/games");
	const { levels = [], usual } = games.find(({ id }) => id === film.game) ?? {};
	const name = (/** @type {number} */ i) => film.names[i] || plates[i].name;
	const ways = Object.entries(WAYS).map(([way, words], i) =>
		el(
			"label",
			{ class: "row", ...(way === "invite" && { "data-needs": "others" }) },
			el("input", { type: "radio", name: "way", value: way, checked: !i }),
			t(words),
		),
	);
	const seats = plates.map((_, i) => el("option", { value: i, selected: i === Math.max(0, actor) }, name(i)));
	const seat = el("select", { "aria-label": t("fork_seat") }, ...seats);
	const options = levels.map((each) => el("option", { value: each, selected: each === usual }, t(`play.${each}`)));
	const level = el("select", { "aria-label": t("computer") }, ...options);
	const strength = el("label", { class: "row" }, t("fork_level"), level);
	const more = el("div", { class: "stack", hidden: true }, el("label", { class: "row" }, t("fork_seat"), seat), strength);
	const error = el("p", { class: "problem", role: "alert", hidden: true });
	const start = el("button", { class: "btn main" }, t("start"));
	const form = el(
		"form",
		{ class: "stack" },
		el("fieldset", { class: "stack ways" }, el("legend", { class: "hidden" }, t("fork")), ...ways),
		more,
		error,
		el("p", { class: "row" }, closer(), start),
	);
	dialog(t("fork"), el("p", { class: "quiet" }, `${t("turn_no")} ${turn}. ${sentence || prompt}`), form);
	const way = () => new FormData(form).get("way");
	form.onchange = () => {
		more.hidden = way() === "here";
		strength.hidden = way() !== "computer";
	};
	form.onsubmit = (event) => {
		event.preventDefault();
		begin();
	};

	async function begin() {
		const mine = Number(seat.value);
		/** @returns {SeatWish} */
		const occupant = (/** @type {unknown} */ _, /** @type {number} */ i) =>
			way() === "computer" && i !== mine
				? { kind: "computer", level: level.value }
				: { kind: "person", open: way() === "invite" && i !== mine, name: film.names[i] };
		start.disabled = true;
		try {
			const made = await ask("/api/tables", { game: film.game, record: film.link, at, seats: plates.map(occupant) });
			if (way() === "invite") await invite(made, mine);
			else location.assign(href(`/t/${made.table}#s=${made.tokens.filter(Boolean).join(".")}&h=${made.host}`));
		} catch (wrong) {
			showError(error, wrong);
		}
		start.disabled = false;
	}

	/** @param {Answer<"POST /api/tables">} made @param {number} mine */
	async function invite({ table, tokens, host }, mine) {
		const path = `/t/${table}`;
		const own = tokens[mine] ?? "";
		remember(table, { title: film.title, tokens: [own], host, over: false });
		const rows = tokens.flatMap((token, i) =>
			i === mine ? [] : [{ mark: chip(plates[i].seat, plates[i].letter), name: name(i), path: `${path}#s=${token}` }],
		);
		const list = await inviteRows([...rows, { mark: "", name: t("watch_or_sit"), path }]);
		const go = el("a", { class: "btn main", href: `/t/${table}#s=${own}&h=${host}` }, t("to_table"));
		form.replaceWith(el("p", {}, t("invite_help")), list, go);
		/** @type {HTMLElement} */ (document.getElementById("dialog-title")).textContent = t("invite_title");
	}
}
