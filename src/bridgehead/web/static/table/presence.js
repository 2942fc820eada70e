// @ts-check
// The people at a table: who is on each seat and connected, decisions about seats, the host's options, the rematch.
/** @import { Table } from "./table.js" */

import { $, button, el, href, later, quiet, style } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { chip, levelName } from "../base/levels.js";
import { sound } from "../base/sound.js";
import { load, save } from "../base/store.js";
import { tableLog } from "../board/log.js";
import { Chat } from "./chat.js";
import { inviting } from "./inviting.js";
import { askName } from "./name_prompt.js";
import { seatMenu } from "./seat_menu.js";

/** What a seat is called on this page, with the computer's level. @param {View} view @param {number} i */
function seatName({ seats, you }, i) {
	const { name, kind, level } = seats[i];
	if (you.length === 1 && you[0] === i) return t("you_name");
	return kind === "computer" ? `${name} (${levelName(level)})` : name;
}

await style("table/presence"); // nothing appears without it

/** @typedef {People["seats"][number]} Place @typedef {Place["votes"][number]} Vote */
/** The open menu: of a seat or of the table. @typedef {{ what: number | "table", sure: boolean, times?: Times }} Open */
/** @typedef {Answer<"POST /api/tables/{table}/times">["seats"]} Times */

export const HOST = -2; // the seat of the server's host in the chat
const FRESH = 600; // seconds for which a message of the host is shown to who arrives
const PREPARED = 3000; // ms for which a computer may get ready without a notice
const LONG = 15000; // ms after which the minutes beside the seats are counted again

export class Presence {
	/** @type {People} */
	people;
	received = 0; // when `people` was received
	read = 0; // the time of the last message of the host that was put away
	notices = ""; // the text of the notices that are shown
	/** @type {Open | null} */
	open = null;
	/** @type {string | null} */
	given = null; // the path of the link to a seat that was just made
	shown = ""; // the data of the menu that is shown
	/** @type {string | undefined} */
	held; // the seat whose menu button has the focus
	gone = false; // another page has taken a seat of this one
	blocked = new Set(load("blocked", [])); // profiles
	looked = false; // has it asked which profiles are blocked?
	wanted = false; // this page asked for the rematch
	/** @type {HTMLElement[] | undefined} */
	question; // for the name of this page's person; empty when it is answered
	/** @type {ChatLine | undefined} */
	fromHost; // a message of the server's host that nobody here has put away
	prepared = 0; // when a computer began to get ready
	/** @type {{ whom: string, fold: HTMLElement } | undefined} */
	invited; // the invitation that is shown, and whom it is for
	carried = ""; // the fragment that takes the seats to the rematch

	/** @param {Table} table */
	constructor(table) {
		this.table = table;
		this.mutes = new Set(load("muted", {})[table.id]);
		this.dialog = el("dialog", { class: "panel", id: "people-menu", "aria-labelledby": "people-title" });
		document.body.append(this.dialog);
		this.dialog.onclose = () => {
			if (this.dialog.open || !this.open) return; // the event comes late: the menu may be open again
			const { what } = this.open;
			this.open = this.given = null;
			if (document.activeElement === document.body) this.focus(what);
		};
		this.chat = new Chat(this);
		$("seats").addEventListener("focusin", ({ target }) => {
			this.held = target instanceof HTMLElement ? target.dataset.seat : undefined;
		});
		addEventListener(
			"pointerdown",
			() => {
				this.held = undefined;
			},
			true,
		);
		$("seats").addEventListener("focusout", ({ relatedTarget }) => {
			if (relatedTarget) this.held = undefined;
		});
		const early = (/** @type {Event} */ event) => {
			if (this.connection.ready) return;
			event.preventDefault();
			event.stopPropagation();
		};
		$("after").addEventListener("click", early, true); // a second click of the last move begins no other game
		for (const opener of document.querySelectorAll("[data-table-menu]"))
			Object.assign(opener, { inert: false, onclick: () => this.menu("table") });
		setInterval(() => this.dress(), LONG);
	}

	get view() {
		return this.table.view;
	}

	get connection() {
		return this.table.connection;
	}

	/** @param {number | string} seat */
	focus(seat) {
		/** @type {HTMLElement | null} */ ($("seats").querySelector(`[data-seat="${seat}"]`))?.focus();
	}

	/** @param {Message<"people" | "link" | "said" | "point">} message */
	receive(message) {
		if (message.t === "people") this.update(message);
		else if (message.t === "link") this.link(message);
		else if (message.t === "said") this.chat.receive(message);
		else this.chat.point(message);
	}

	/** @param {People} people */
	update(people) {
		Object.assign(this, { people, received: Date.now() });
		const { tokens, host } = this.table;
		const carried = people.carry.map((i) => tokens[i]);
		if (people.stray.length) {
			this.gone = true;
			const gone = people.stray.map((i) => tokens[i]);
			later(() => import("../people/saved_tables.js")).then(({ followMove }) => followMove(this.table.id, gone));
			this.keep(tokens.filter((_, i) => !people.stray.includes(i)));
		}
		this.carried = carried.length ? `#s=${carried.join(".")}${host ? `&h=${host}` : ""}` : "";
		if (this.wanted && people.rematch) location.assign(href(`/t/${people.rematch}${this.carried}`));
		this.lookUpBlocks();
		this.dress();
		tableLog(this.log(this.view.log), this.view);
		this.chat.allow();
		if (this.open) this.fill();
		if (location.hash !== "#sit") return; // the lobby's link to a free seat
		const free = people.seats.findIndex(({ may }) => may.includes("claim"));
		if (free < 0) return;
		history.replaceState(null, "", location.pathname + location.search);
		this.menu(free);
	}

	get hasProfile() {
		return !!load("profile", { key: "", taken: [] }).key;
	}

	// Another device may have blocked somebody who sits here.
	lookUpBlocks() {
		if (this.looked || !this.hasProfile || !this.people.seats.some(({ profile }) => profile)) return;
		this.looked = true;
		this.block("").catch(() => {}); // the profile has another key by now
	}

	/** Blocks a profile, or ends that; "" only asks which are blocked. @param {string} profile @param {boolean} [block] */
	async block(profile, block = true) {
		const { changeBlocks } = await later(() => import("../people/blocks.js"));
		this.blocked = new Set((await changeBlocks(profile, block)).map(({ id }) => id));
		this.shown = "";
		this.chat.draw();
		this.fill();
	}

	/** Is what the person of a seat writes hidden here? @param {number} seat */
	silent(seat) {
		return this.mutes.has(seat) || this.blocked.has(this.people?.seats[seat]?.profile);
	}

	/** Replaces the tokens of this page: here, in the address, and in the browser's memory. @param {string[]} tokens */
	keep(tokens) {
		const { table } = this;
		const gone = table.tokens.filter((each) => !tokens.includes(each));
		const seeds = new URLSearchParams(location.hash.slice(1)).get("d");
		table.tokens = this.connection.hello.tokens = tokens;
		const parts = [
			tokens.length && `s=${tokens.join(".")}`,
			tokens.length && seeds && `d=${seeds}`,
			table.host && `h=${table.host}`,
		];
		const fragment = parts.filter(Boolean).join("&");
		history.replaceState(null, "", location.pathname + location.search + (fragment && `#${fragment}`));
		table.remember(gone);
	}

	/**
	 * What follows from a new view: sounds, and the notices that it has overwritten.
	 * @param {View | undefined} before @param {boolean} moved
	 */
	look(before, moved) {
		sound.follow(before, this.view, this.table.mine, moved);
		if (this.people) this.dress();
	}

	/** The log with its marks. @param {LogRow[]} log */
	log(log) {
		const all = [...log];
		for (const { at, n, text } of [...(this.people?.marks || [])].reverse()) all.splice(at, 0, { n, text, mark: true });
		return all;
	}

	/** @param {number} seat */
	name(seat) {
		if (seat === HOST) return t("class.host");
		return seat < 0 ? t("spectator") : this.view.seats[seat] ? seatName(this.view, seat) : "";
	}

	/** @param {number} seat */
	chip(seat) {
		const { seat: livery, letter } = this.view.seats[seat];
		return chip(livery || letter.toLowerCase(), letter);
	}

	/** @param {Place} place */
	minutes({ away }) {
		return Math.floor((away + (Date.now() - this.received) / 1000) / 60);
	}

	/** Where the person of a seat is, in words. @param {Place} place */
	state(place) {
		const n = this.minutes(place);
		return place.state === "away" && n ? t("state.away_n", { n }) : t(`state.${place.state}`);
	}

	dress() {
		if (!this.people || !this.view) return;
		const { seats } = this.people;
		[...$("seats").children].forEach((row, i) => {
			const { state } = seats[i];
			const mine = this.view.you.includes(i);
			const person = state !== "computer" && this.view.seats[i].kind === "person";
			const [long, short] = row.querySelectorAll(".who");
			if (!mine && long && person) {
				const { name, colour } = this.view.seats[i];
				const where = state === "here" ? t("person_here") : this.state(seats[i]);
				long.textContent = name === colour ? where : `${colour}, ${where}`;
				short.textContent = t(`state.${state}`);
			}
			const label = t("seat_menu", { letter: this.view.seats[i].colour, name: this.name(i) });
			const old = row.querySelector(".more");
			if (this.has(i) && old?.ariaLabel === label) return;
			old?.remove();
			if (!this.has(i)) return;
			const more = { type: "button", "data-seat": i, "aria-label": label, "aria-haspopup": "dialog" };
			row.append(el("button", { class: "more", ...more, onclick: () => this.menu(i) }, "⋯"));
			if (this.held === String(i) && document.activeElement === document.body) this.focus(i);
		});
		this.notice();
	}

	/** Is there anything to decide about a seat, or anybody to mute? @param {number} i */
	has(i) {
		const { may, ask } = this.people.seats[i];
		return may.length + ask.length > 0 || this.talks(i) || this.answers(i);
	}

	/** Can the person of a seat be reported to the host by somebody here? @param {number} i */
	answers(i) {
		const { you, seats } = this.people;
		return !window.site && you.length > 0 && !you.includes(i) && ["here", "away", "left"].includes(seats[i].state);
	}

	/** @param {number} i */
	talks(i) {
		return this.people.chat && !this.view.you.includes(i) && ["here", "away"].includes(this.people.seats[i].state);
	}

	// The buttons that ask for a rematch, first among those of the end; weaker and stronger where the computer played.
	offerRematch() {
		const { people, view } = this;
		const old = document.getElementById("rematch");
		if (!view.outcome || people.rematch || people.you.length + people.back.length === 0) {
			for (const each of document.querySelectorAll(".rematching")) each.remove();
			return;
		}
		if (old) return;
		if (this.table.sawPlay) this.connection.ignoreInput(); // on a slow device they come long after the view
		const ask = (/** @type {-1 | 0 | 1} */ step) => () => {
			this.wanted = true;
			this.send({ t: "rematch", step });
		};
		const places = view.seats.filter(({ kind }) => kind === "computer").map(({ level }) => people.levels.indexOf(level));
		const steps = [
			places.some((place) => place > 0) && button(t("rematch_easier"), ask(-1), "rematching"),
			places.some((place) => place >= 0 && place < people.levels.length - 1) && button(t("rematch_harder"), ask(1), "rematching"),
		];
		const again = button(t("rematch"), ask(0), "main rematching");
		again.id = "rematch";
		$("after").firstElementChild?.classList.remove("main");
		$("after").prepend(again, ...steps.flatMap((step) => step || []));
	}

	notice() {
		this.offerRematch();
		const nodes = this.news();
		const look = JSON.stringify(nodes.map((each) => each.textContent));
		if (look === this.notices) return;
		this.notices = look;
		const held = document.activeElement;
		$("people").hidden = !nodes.length;
		$("people").replaceChildren(...nodes);
		if (held instanceof HTMLElement && $("people").contains(held)) held.focus();
		const sentences = nodes.filter(({ tagName }) => tagName === "P").map((each) => each.textContent);
		if (nodes.length && !$("people").contains(document.activeElement)) this.chat.speak(sentences.join(" "));
	}

	/** The server's host has sent a message to all tables. @param {ChatLine[]} lines */
	tell(lines) {
		const message = lines.findLast(({ seat }) => seat === HOST);
		if (!message || Date.now() / 1000 - message.time > FRESH || message.time <= this.read) return;
		this.fromHost = message;
		if (this.people && this.view) this.notice();
	}

	// The message of the server's host to all tables, until somebody has read it.
	hosting() {
		if (!this.fromHost) return [];
		const { text = "", time } = this.fromHost;
		const read = () => {
			this.read = time;
			this.fromHost = undefined;
			this.notice();
		};
		return [el("p", {}, el("strong", {}, `${t("class.host")}: `), el("bdi", {}, text)), button(t("class.read"), read)];
	}

	// The notices above the choices, as nodes: the host's message, and the most important other.
	news() {
		return [...this.hosting(), ...this.own()];
	}

	own() {
		const { people, view, carried } = this;
		if (view.outcome) {
			if (!people.rematch) return [];
			const link = { class: "btn main", href: `/t/${people.rematch}${carried}` };
			return [el("p", {}, t("rematch_made")), el("a", link, t(carried ? "rematch_go" : "rematch_watch"))];
		}
		if (people.back.length) {
			const other = view.seats[people.back[0]].kind === "person";
			const back = (/** @type {number} */ seat) => button(t("do.back"), () => this.send({ t: "seat", seat, do: "back" }), "main");
			return [el("p", {}, t(other ? "your_seat_other" : "your_seat_plays")), ...people.back.map(back)];
		}
		const free = people.seats.flatMap(({ may }, i) => (may.includes("claim") ? [i] : []));
		if (free.length) return [el("p", {}, t("sit_title")), ...free.map((i) => this.place(i))];
		return [
			...(this.gone && !view.you.length ? [el("p", {}, t("seat_gone"))] : []),
			...this.naming(),
			...this.waiting(),
			...this.invitation(),
			...this.preparing(),
		];
	}

	// A wait for the computer's program that lasts: that it goes on, and what one can do meanwhile.
	preparing() {
		const { preparing, you, actor } = this.view;
		if (!preparing || you.includes(actor)) this.prepared = 0;
		else if (!this.prepared) {
			this.prepared = Date.now();
			setTimeout(() => this.notice(), PREPARED);
		} else if (Date.now() - this.prepared >= PREPARED) {
			const alone = { class: "btn", href: `/new/${this.view.game}?mode=here` };
			return [el("progress", { "aria-label": t("preparing") }), el("a", alone, t("meanwhile"))];
		}
		return [];
	}

	// The code and the link for friends who have not come yet; the same element until others come.
	invitation() {
		const { code, seats, you } = this.people;
		const free = seats.flatMap(({ state }, i) => (state === "free" ? [i] : []));
		if (!code || !free.length || !you.length || window.site) return [];
		const whom = `${code} ${free} ${free.includes(this.view.actor)}`;
		if (this.invited?.whom !== whom) this.invited = { whom, fold: inviting(this, free) };
		return [this.invited.fold];
	}

	// Asks for the name of a guest who has none.
	naming() {
		const { people } = this;
		const [seat] = people.you;
		if (people.host || people.you.length !== 1 || people.seats[seat].named) return [];
		this.question ||= askName(this, seat, () => {
			this.question = [];
			this.notice();
		});
		return this.question;
	}

	/** @param {number} i */
	place(i) {
		const label = `${t("sit_down")}: ${this.view.seats[i].colour}`;
		const more = { class: "btn", type: "button", "aria-label": label, onclick: () => this.menu(i) };
		return el("button", more, this.chip(i), t("sit_down"));
	}

	// The notice that the game waits for a person who is not there.
	waiting() {
		const { actor, you, seats } = this.view;
		const place = this.people.seats[actor];
		if (!place || !["away", "left", "free"].includes(place.state) || you.includes(actor)) return [];
		const n = this.minutes(place);
		const key = place.state === "away" && n ? "waiting_away_n" : `waiting_${place.state}`;
		const may = place.may.length || place.ask.length;
		const sentence = t(key, { name: this.name(actor), n, letter: seats[actor].colour });
		const votes = place.votes.map((vote) => quiet(this.vote(vote)));
		const decide = may ? [button(t("decide"), () => this.menu(actor))] : [];
		return [el("p", {}, `${sentence} ${may ? t("wait_or") : ""}`), ...votes, ...decide];
	}

	/** @param {Vote} vote */
	vote({ do: action, level, by, of }) {
		const names = by.map((i) => this.name(i)).join(", ");
		return `${t("wants", { names, what: t(`do.${action}`) + (level ? ` (${levelName(level)})` : "") })} ${t("needs", { n: of })}`;
	}

	/** @param {Unsent} message */
	send(message) {
		this.connection.queue(() => message);
	}

	/** The token of a seat: for this page, or as a link to hand on. @param {Message<"link">} message */
	link({ seat, do: action, token }) {
		if (action === "claim") {
			if (!this.table.tokens.includes(token)) this.keep([...this.table.tokens, token]);
			this.dialog.close();
			return;
		}
		this.given = `${location.pathname}#s=${token}`;
		this.menu(seat);
	}

	// Keeps the link that was just made for a seat of this page: its first use ends the earlier links.
	useGiven() {
		const token = new URLSearchParams(this.given?.split("#")[1]).get("s");
		this.dialog.close();
		if (!token) return;
		this.keep([...this.table.tokens, token]);
		this.connection.again();
	}

	/** @param {Open["what"]} what */
	menu(what) {
		this.open = { what, sure: false };
		this.shown = "";
		this.fill();
		if (!this.dialog.open) this.dialog.showModal();
	}

	async fill() {
		const { open } = this;
		if (!open) return;
		const { what } = open;
		const [people, name] = what === "table" ? [this.people] : [this.people.seats[what], this.view.seats[what]?.name];
		const look = JSON.stringify([open, this.given, people, name]).replace(/"away":\d+/g, "");
		if (look === this.shown) return;
		this.shown = look;
		const made =
			what === "table" ? await (await later(() => import("./table_menu.js"))).tableMenu(this) : await seatMenu(this, what);
		if (this.open?.what !== what || this.shown !== look) return; // another menu is shown by now
		const controls = () => /** @type {HTMLElement[]} */ ([...this.dialog.querySelectorAll("a, button, input")]);
		const held = controls().indexOf(/** @type {HTMLElement} */ (document.activeElement));
		const close = button(t("close"), () => this.dialog.close());
		this.dialog.replaceChildren(el("div", { class: "stack" }, ...made, close));
		controls()[held]?.focus();
	}

	/** @param {number} i */
	mute(i) {
		if (!this.mutes.delete(i)) this.mutes.add(i);
		save("muted", { ...load("muted", {}), [this.table.id]: [...this.mutes] });
		this.shown = "";
		this.chat.draw();
		this.fill();
	}
}
