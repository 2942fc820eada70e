// @ts-check
// Chat, quick reactions, and signs on the board: for all, or for the own team.
/** @import { Presence } from "./presence.js" */

import { $, el, reduced, svg } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { actionOf, BOARD } from "../base/keys.js";
import { chip } from "../base/levels.js";
import { newKey } from "../base/socket.js";
import { prefs } from "../base/store.js";
import { pick } from "../board/pointer.js";
import { openTab } from "./shortcuts.js";

const QUICK = ["hello", "luck", "nice", "thanks", "oops", "moment", "sorry", "good_game"];
const HOLD = 600; // ms until a held finger points
const SLIP = 10; // px that it may move
const SHOWN = 3000; // ms for which a sign stands
const HEARD = 7000; // ms for which a line stands at its seat

export class Chat {
	/** @type {ChatLine[]} */
	lines = [];
	unread = 0;
	/** @type {Map<string, Extract<Sent, { t: "say" }>>} */
	sent = new Map(); // unconfirmed messages, by key
	mine = { k: "", text: "" }; // the last text that was sent
	/** @type {number | undefined} */
	hold;
	start = { x: 0, y: 0 }; // of the pointer

	/** @param {Presence} presence */
	constructor(presence) {
		this.presence = presence;
		this.board = presence.table.board;
		this.list = el("ol", { class: "log stack", "aria-label": t("chat"), tabindex: "0" });
		const label = t("chat_type");
		this.field = el("input", { maxlength: "300", autocomplete: "off", "aria-label": label, placeholder: label });
		const channels = [el("option", { value: "all" }, t("chat_all")), el("option", { value: "team" }, t("chat_team"))];
		this.channel = el("select", { "aria-label": t("chat") }, ...channels);
		this.form = el("form", { class: "row" }, this.field, this.channel, el("button", { class: "btn" }, t("send")));
		const reactions = QUICK.map((react) =>
			el("button", { class: "btn", type: "button", onclick: () => this.say({ react }) }, t(`react.${react}`)),
		);
		this.quick = el("div", { class: "quick", role: "group", "aria-label": t("quick") }, ...reactions);
		this.why = el("p", { class: "quiet", role: "status" });
		this.voice = el("p", { class: "hidden", "aria-live": "polite" });
		document.body.append(this.voice);
		$("chat").replaceChildren(this.list, el("div", { class: "foot stack" }, this.why, this.quick, this.form));
		this.form.onsubmit = (event) => {
			event.preventDefault();
			const text = this.field.value.trim();
			if (text) this.say({ text });
		};
		this.layer = svg("g", { class: "marks" });
		this.board.root.append(this.layer);
		this.watchBoard();
		addEventListener("prefs", () => this.allow());
	}

	/** @returns {People | undefined} */
	get people() {
		return this.presence.people;
	}

	// Does this table have a chat, and does this device show it?
	get on() {
		return prefs().chat !== false && this.people?.chat;
	}

	// Seats that win together share a channel.
	get team() {
		const { sides, you } = this.people || { sides: [], you: [] };
		return you.length > 0 && new Set(sides).size < sides.length;
	}

	allow() {
		const shown = prefs().chat !== false;
		const { write = false, chat = false } = this.people || {};
		$("tab-chat").hidden = !shown;
		if (!shown && !$("chat").hidden) openTab(this.presence.table, "log");
		this.form.hidden = this.quick.hidden = !write;
		this.channel.hidden = !this.team;
		this.why.textContent = write ? "" : t(chat ? "chat_watch" : "chat_host_off");
		this.draw();
	}

	/** @param {{ text?: string, react?: string }} words */
	say(words) {
		const k = newKey();
		const channel = this.team && this.channel.value === "team" ? "team" : "all";
		/** @type {Extract<Sent, { t: "say" }>} */
		const message = { t: "say", k, channel, ...words };
		this.sent.set(k, message);
		this.mine = { k, text: words.text ?? "" };
		this.presence.connection.send(message);
		if (words.text) this.field.value = "";
	}

	/** Puts a refused text back into its field. Returns whether the refusal was about the chat. @param {Message<"rej">} message */
	refuse({ k, text }) {
		if (!this.sent.delete(k)) return false;
		if (this.mine.k === k && this.mine.text) this.field.value ||= this.mine.text;
		this.why.textContent = text;
		return true;
	}

	/** The server has stored a message. @param {string} k */
	confirm(k) {
		this.sent.delete(k);
	}

	/**
	 * New lines; after a reconnection all lines, and unconfirmed messages are sent again with the same key.
	 * @param {Message<"said">} message
	 */
	receive({ lines, all }) {
		if (all) for (const message of this.sent.values()) this.presence.connection.send(message);
		this.presence.tell(lines);
		this.lines = all ? lines : [...this.lines, ...lines].slice(-200);
		const fresh = lines.filter((line) => !this.muted(line) && !this.presence.view?.you.includes(line.seat));
		if (!all && $("chat").hidden && this.on) {
			this.unread += fresh.length;
			for (const line of fresh) this.speak(t("said_by", { name: this.presence.name(line.seat), text: this.words(line) }));
		}
		if (!all && this.on && !this.isSeen) for (const line of fresh) this.bubble(line);
		this.draw();
	}

	/** Are the lines of the chat on the screen? */
	get isSeen() {
		const { top, bottom, height } = this.list.getBoundingClientRect();
		return height > 0 && top < innerHeight && bottom > 0;
	}

	/** Shows a line at its seat for some seconds; screen readers have announced it. @param {ChatLine} line */
	bubble(line) {
		const seat = $("seats").children[line.seat];
		if (!seat) return; // the host has none
		const { left, width, bottom } = seat.getBoundingClientRect();
		const node = el("p", { class: "heard", "aria-hidden": "true", "data-of": line.seat }, el("bdi", {}, this.words(line)));
		document.querySelector(`.heard[data-of="${line.seat}"]`)?.remove();
		document.body.append(node);
		// Within the page, also when the window gets narrower.
		node.style.left = `clamp(8px, ${left + (width - node.offsetWidth) / 2}px, calc(100% - ${node.offsetWidth + 8}px))`;
		node.style.top = `${bottom + scrollY + 6}px`;
		setTimeout(() => node.remove(), HEARD);
	}

	/** @param {ChatLine} line */
	muted({ seat }) {
		return this.presence.silent(seat);
	}

	/** @param {ChatLine} line */
	words({ text = "", react }) {
		return react ? t(`react.${react}`) : text;
	}

	/** Announces a text to screen readers. @param {string} text */
	speak(text) {
		this.voice.textContent = text;
	}

	draw() {
		const { list, presence } = this;
		if (!presence.view) return;
		const low = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
		const shown = this.lines.filter((line) => !this.muted(line));
		if (!$("chat").hidden) this.unread = 0;
		$("tab-chat").textContent = t("chat") + (this.unread ? ` (${this.unread})` : "");
		const none = el("li", { class: "quiet" }, t("chat_none"));
		list.replaceChildren(...(shown.length ? shown.map((line) => this.row(line)) : [none]));
		if (low) list.scrollTop = list.scrollHeight;
	}

	/** @param {ChatLine} line */
	row(line) {
		const seat = this.presence.view.seats[line.seat];
		const mark = seat ? chip(seat.seat || seat.letter.toLowerCase(), seat.letter) : el("span");
		const name = el("strong", {}, el("bdi", {}, this.presence.name(line.seat)));
		const team = line.team && el("em", {}, ` (${t("to_team")})`);
		const words = el("p", {}, name, team, " ", el("bdi", {}, this.words(line)));
		return el("li", { class: line.react ? "said react" : "said" }, mark, words);
	}

	// Pointing: Alt-click, a held finger, or Shift-P.
	watchBoard() {
		const { root, viewport } = this.board;
		const at = (/** @type {PointerEvent} */ event) => pick(this.board, viewport.point(event));
		root.addEventListener(
			"pointerdown",
			(event) => {
				clearTimeout(this.hold);
				if (event.altKey) {
					event.stopImmediatePropagation();
					event.preventDefault();
					this.show(at(event));
					return;
				}
				this.start = { x: event.clientX, y: event.clientY };
				if (event.pointerType !== "touch" || !event.isPrimary) return;
				this.hold = setTimeout(() => {
					if (!viewport.fingers.get(event.pointerId)?.drag && this.show(at(event))) this.board.pointers?.cancel(event);
				}, HOLD);
			},
			true,
		);
		root.addEventListener("pointermove", ({ clientX, clientY }) => {
			if (Math.hypot(clientX - this.start.x, clientY - this.start.y) > SLIP) clearTimeout(this.hold);
		});
		for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, () => clearTimeout(this.hold));
		root.addEventListener("contextmenu", (event) => event.preventDefault());
		root.addEventListener(
			"keydown",
			(event) => {
				if (actionOf(BOARD, event) !== "point") return;
				event.stopImmediatePropagation();
				event.preventDefault();
				this.show(this.board.focusId);
			},
			true,
		);
	}

	/** @param {string | null | undefined} id */
	show(id) {
		if (!id || !this.on || !this.people?.you.length) return false;
		this.presence.connection.send({ t: "point", at: id });
		return true;
	}

	/** Shows the sign of a seat on the board. @param {Message<"point">} message */
	point({ seat, at }) {
		const spot = this.board.spot(at);
		const from = this.presence.view?.seats[seat];
		if (!spot || !from || !this.on || this.presence.silent(seat)) return;
		const r = spot.r + 8;
		const cls = `sign seat-${from.seat || from.letter.toLowerCase()}${reduced() ? "" : " beats"}`;
		const sign = svg(
			"g",
			{ class: cls, transform: `translate(${spot.x} ${spot.y})` },
			svg("circle", { class: "sign-edge", r }),
			svg("circle", { class: "sign-ring", r }),
			svg("circle", { class: "sign-face", r: 12, cy: -r }),
			svg("text", { class: "sign-letter", y: -r }, from.letter),
		);
		this.layer.append(sign);
		if (this.layer.children.length > 12) this.layer.firstChild?.remove();
		setTimeout(() => sign.remove(), SHOWN);
		this.speak(t("pointed", { name: from.name, what: this.board.items.get(at)?.label || at }));
	}
}
