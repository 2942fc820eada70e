// Playing on from any place of a game: here, against the computer, or with friends.
import { $, ask, el, problem } from "./dom.js";
import { remember } from "./known.js";
import { chip } from "./panels.js";
import { closer, dialog, linkRow, origin } from "./share.js";
import { t } from "./words.js";

const WAYS = ["here", "computer", "invite"];
const named = (name) => (/^(seat \d+|[A-Z])$/.test(name) ? {} : { name });

export async function fork(film, at) {
	const { plates, actor } = film.frames[at], { levels, usual } = (await ask("/api/games")).games.find(({ id }) => id === film.game);
	const name = (i) => film.names[i] || plates[i].name;
	const ways = WAYS.map((way, i) => el("label", { class: "row" }, el("input", { type: "radio", name: "way", value: way, checked: !i }), t(["play_here", "play_computer", "invite"][i])));
	const seat = el("select", { "aria-label": t("fork_seat") }, ...plates.map((plate, i) => el("option", { value: i, selected: i === Math.max(0, actor) }, `${plate.letter}: ${name(i)}`)));
	const level = el("select", { "aria-label": t("computer") }, ...levels.map((each) => el("option", { value: each, selected: each === usual }, t(`play.${each}`))));
	const more = el("div", { class: "stack", hidden: true }, el("label", { class: "row" }, t("fork_seat"), seat), el("label", { class: "row" }, t("fork_level"), level));
	const error = el("p", { class: "problem", role: "alert", hidden: true }), start = el("button", { class: "btn main" }, t("start"));
	const form = el("form", { class: "stack", onsubmit: (event) => { event.preventDefault(); begin(); } }, el("fieldset", { class: "stack ways" }, el("legend", { class: "hidden" }, t("fork")), ...ways), more, error, el("p", { class: "row" }, closer(), start));
	const box = dialog(t("fork"), el("p", { class: "quiet" }, `${t("turn_no")} ${film.frames[at].turn}. ${film.frames[at].sentence || film.frames[at].prompt}`), form);
	const way = () => form.elements.way.value;
	form.onchange = () => { more.hidden = way() === "here"; more.lastChild.hidden = way() !== "computer"; };

	async function begin() {
		const mine = Number(seat.value);
		const seats = plates.map((_, i) => (way() === "computer" && i !== mine ? { kind: "computer", level: level.value } : { kind: "person", open: way() === "invite" && i !== mine, ...named(name(i)) }));
		start.disabled = true;
		try {
			const made = await ask("/api/tables", { game: film.game, record: film.link, at, seats });
			if (way() === "invite") await invite(made, mine);
			else location.assign(`/t/${made.table}#s=${made.tokens.filter(Boolean).join(".")}&h=${made.host}`);
		} catch (wrong) { problem(error, wrong); }
		start.disabled = false;
	}

	async function invite({ table, tokens, host, base }, mine) {
		remember(table, { title: film.title, tokens: [tokens[mine]], host, over: false });
		const rows = tokens.map((token, i) => i !== mine && linkRow(chip(plates[i].seat, plates[i].letter), name(i), `${origin(base)}/t/${table}#s=${token}`)).filter(Boolean);
		const list = el("ol", { class: "invites stack" }, ...await Promise.all([...rows, linkRow("", t("watch_or_sit"), `${origin(base)}/t/${table}`)]));
		form.replaceWith(el("p", {}, t("invite_help")), list, el("a", { class: "btn main", href: `/t/${table}#s=${tokens[mine]}&h=${host}` }, t("to_table")));
		$("dialog-title").textContent = t("invite_title");
	}
}
