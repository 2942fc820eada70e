// @ts-check
// The menu of a seat: what a person may decide about it alone, and what it takes others for.
/** @import { Presence } from "./presence.js" */

import { button, el, later, quiet } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { levelHelp } from "../base/levels.js";
import { load, save } from "../base/store.js";
import { linkRow } from "../people/share.js";

/** @typedef {People["seats"][number]} Place @typedef {Place["may"][number]} Action @typedef {Place["votes"][number]} Vote */
/** Carries out an action on a seat. @typedef {(more?: { name?: string, level?: string }) => void} Act */

/** The actions in their order; on a static site, those that need nobody else. @type {Action[]} */
const ORDER = window.site
	? ["back", "computer", "name"]
	: ["claim", "back", "computer", "substitute", "open", "name", "revoke", "leave"];

/** @param {Presence} presence @param {number} i @returns {Promise<HTMLElement[]>} */
export async function seatMenu(presence, i) {
	const place = presence.people.seats[i];
	const name = presence.name(i);
	const heading = t("seat_of", { letter: presence.view.seats[i].colour, name });
	const state = presence.view.you.includes(i) ? t("you") : presence.state(place);
	/** @type {HTMLElement[]} */
	const parts = [
		el("h2", { id: "people-title", class: "row" }, presence.chip(i), heading),
		quiet(place.offer ? `${state}. ${t("link_offered")}` : state),
	];
	if (presence.given) {
		const own = presence.view.you.includes(i) ? [button(t("link_mine"), () => presence.useGiven())] : [];
		return [...parts, el("p", {}, t("link_ready")), await linkRow(presence.given, name), ...own];
	}
	const some = (/** @type {Action[]} */ actions) =>
		ORDER.filter((each) => actions.includes(each)).flatMap((each) => offer(presence, i, each));
	parts.push(...(presence.open?.sure ? leaving(presence, i) : some(place.may)));
	if (place.ask.length) {
		parts.push(el("h3", {}, t("others_decide")), ...place.votes.map((vote) => support(presence, i, vote)), ...some(place.ask));
		if (presence.people.you.length) parts.push(quiet(t("needs", { n: place.votes[0]?.of ?? majority(presence, i) })));
	}
	if (presence.talks(i))
		parts.push(button(t(presence.mutes.has(i) ? "unmute" : "mute", { name }), () => presence.mute(i), "bare"));
	return [...parts, ...complaints(presence, i, name)];
}

/** What can be done about the person of a seat. @param {Presence} presence @param {number} i @param {string} name */
function complaints(presence, i, name) {
	const { profile } = presence.people.seats[i];
	const parts = [];
	if (profile && presence.hasProfile && !presence.view.you.includes(i)) {
		const is = presence.blocked.has(profile);
		parts.push(button(t(is ? "unblock" : "block", { name }), () => presence.block(profile, !is), "bare"));
		if (is) parts.push(quiet(t("block_help")));
	}
	const { id, tokens } = presence.table;
	const tell = async () => (await later(() => import("../people/blocks.js"))).report(id, tokens, i, name);
	if (presence.answers(i)) parts.push(button(t("report", { name }), tell, "bare"));
	return parts;
}

/** The votes that it takes. @param {Presence} presence @param {number} i */
function majority(presence, i) {
	return Math.floor(presence.people.seats.filter(({ state }, other) => other !== i && state === "here").length / 2) + 1;
}

/** A vote, with the button that joins it. @param {Presence} presence @param {number} i @param {Vote} vote */
function support(presence, i, vote) {
	const mine = vote.by.some((seat) => presence.people.you.includes(seat));
	const join = () => presence.send({ t: "seat", seat: i, do: vote.do, level: vote.level });
	return el(
		"div",
		{ class: "stack" },
		el("p", {}, presence.vote(vote)),
		mine ? quiet(t("asked_for")) : button(t("wants_too"), join),
	);
}

/** @param {Presence} presence @param {number} i */
function leaving(presence, i) {
	const leave = () => {
		presence.dialog.close();
		presence.send({ t: "seat", seat: i, do: "leave" });
	};
	return [el("p", { class: "problem" }, t("sure_leave")), button(t("yes_leave"), leave)];
}

/**
 * The controls for one action on a seat.
 * @param {Presence} presence @param {number} i @param {Action} action @returns {HTMLElement[]}
 */
function offer(presence, i, action) {
	/** @type {Act} */
	const act = (more = {}) => {
		if (!["substitute", "revoke"].includes(action)) presence.dialog.close();
		presence.send({ t: "seat", seat: i, do: action, ...more });
	};
	const sure = () => {
		presence.open = { what: i, sure: true };
		presence.fill();
	};
	if (action === "computer") return [computer(presence, act)];
	if (action === "leave") return [button(t("do.leave"), sure)];
	if (action !== "claim" && action !== "name") return [button(t(`do.${action}`), () => act())];
	const claims = action === "claim";
	const { name: called, colour } = presence.view.seats[i];
	const value = (claims ? load("names", [])[0] : called === colour ? "" : called) || "";
	const label = t("your_name");
	const field = el("input", { maxlength: "24", autocomplete: "off", "aria-label": label, placeholder: label, value });
	const submit = el("button", { class: claims ? "btn main" : "btn" }, t(claims ? "sit_down" : "do.name"));
	const form = el("form", { class: "row" }, field, submit);
	form.onsubmit = (event) => {
		event.preventDefault();
		const name = field.value.trim();
		if (claims && name) save("names", Object.assign(load("names", []), [name]));
		if (name || claims) act({ name });
	};
	return [form];
}

/** @param {Presence} presence @param {Act} act */
function computer(presence, act) {
	const { levels, usual } = presence.people;
	const options = levels.map((each) => el("option", { value: each, selected: each === usual }, t(`play.${each}`)));
	const select = el("select", { "aria-label": t("level") }, ...options);
	const help = el("p", { class: "quiet", "aria-live": "polite" }, levelHelp([select.value]));
	select.onchange = () => {
		help.textContent = levelHelp([select.value]);
	};
	const form = el("form", { class: "row" }, select, el("button", { class: "btn" }, t("do.computer")), help);
	form.onsubmit = (event) => {
		event.preventDefault();
		act({ level: select.value });
	};
	return form;
}
