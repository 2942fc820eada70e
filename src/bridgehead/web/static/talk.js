// Chat, quick reactions, and pointing at a place on the board: for all, or for one's own team.
import { $, el, prefs, reduced, svg } from "./dom.js";
import { chip } from "./panels.js";
import { t } from "./words.js";

const QUICK = ["hello", "luck", "nice", "thanks", "oops", "moment", "sorry", "good_game"];
const HOLD = 600, SLIP = 10, SHOWN = 3000; // ms until a held finger points, pixels it may move, ms for which a sign stands
const key = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

export class Talk {
	constructor(company) {
		Object.assign(this, { company, board: company.table.board, lines: [], unread: 0, sent: new Map() });
		this.list = el("ol", { class: "log stack", role: "log", "aria-label": t("chat"), tabindex: "0" });
		this.field = el("input", { maxlength: "300", autocomplete: "off", "aria-label": t("chat_type"), placeholder: t("chat_type") });
		this.channel = el("select", { "aria-label": t("chat") }, el("option", { value: "all" }, t("chat_all")), el("option", { value: "team" }, t("chat_team")));
		this.form = el("form", { class: "row" }, this.field, this.channel, el("button", { class: "btn" }, t("send")));
		this.quick = el("div", { class: "quick", role: "group", "aria-label": t("quick") }, ...QUICK.map((react) => el("button", { class: "btn", type: "button", onclick: () => this.say({ react }) }, t(`react.${react}`))));
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

	get people() { return this.company.people; }

	// Is there talk at this table, and does this device show it?
	get on() { return prefs().chat !== false && this.people?.chat; }

	// Seats that win together share a channel.
	get team() {
		const { sides = [], you = [] } = this.people || {};
		return you.length > 0 && new Set(sides).size < sides.length;
	}

	allow() {
		const shown = prefs().chat !== false, { write, chat } = this.people || {};
		$("tab-chat").hidden = !shown;
		if (!shown && !$("chat").hidden) this.company.table.tab("log");
		this.form.hidden = this.quick.hidden = !write;
		this.channel.hidden = !this.team;
		this.why.textContent = write ? "" : t(chat ? "chat_watch" : "chat_host_off");
		this.draw();
	}

	say(what) {
		const k = key(), message = { t: "say", k, channel: this.team ? this.channel.value : "all", ...what };
		this.sent.set(k, message);
		this.mine = { k, text: what.text };
		this.company.net.send(message);
		if (what.text) this.field.value = "";
	}

	// A text that was not taken stands in its field again.
	refused({ k, text }) {
		if (!this.sent.delete(k)) return false;
		if (this.mine.k === k && this.mine.text) this.field.value ||= this.mine.text;
		this.why.textContent = text;
		return true;
	}

	// What the server has.
	taken(k) { this.sent.delete(k); }

	// After the line was lost, all is told anew; what was on its way is said again, with the same key.
	said({ lines, all }) {
		if (all) for (const message of this.sent.values()) this.company.net.send(message);
		this.lines = all ? lines : [...this.lines, ...lines].slice(-200);
		const open = !$("chat").hidden, fresh = lines.filter((line) => !this.muted(line) && !this.company.view?.you.includes(line.seat));
		if (!all && !open && this.on) this.unread += fresh.length;
		if (!all && !open && this.on) for (const line of fresh) this.speak(t("said_by", { name: this.company.name(line.seat), text: this.words(line) }));
		this.draw();
	}

	muted({ seat }) { return this.company.mutes.has(seat); }
	words({ text, react }) { return react ? t(`react.${react}`) : text; }
	speak(text) { this.voice.textContent = text; }

	draw() {
		const { list, company } = this, low = list.scrollHeight - list.scrollTop - list.clientHeight < 60, shown = this.lines.filter((line) => !this.muted(line));
		if (!company.view) return;
		if (!$("chat").hidden) this.unread = 0;
		$("tab-chat").textContent = t("chat") + (this.unread ? ` (${this.unread})` : "");
		list.replaceChildren(...(shown.length ? shown.map((line) => this.row(line)) : [el("li", { class: "quiet" }, t("chat_none"))]));
		if (low) list.scrollTop = list.scrollHeight;
	}

	row(line) {
		const seat = this.company.view.seats[line.seat], mark = seat && chip(seat.seat || seat.letter.toLowerCase(), seat.letter);
		return el("li", { class: line.react ? "said react" : "said" }, mark || el("span"), el("p", {}, el("strong", {}, el("bdi", {}, this.company.name(line.seat))), line.team && el("em", {}, ` (${t("to_team")})`), " ", el("bdi", {}, this.words(line))));
	}

	// Alt-click, a finger that is held, or P with Shift.
	watchBoard() {
		const { root } = this.board;
		const at = (event) => this.board.pick(this.board.view.point(event));
		root.addEventListener("pointerdown", (event) => {
			clearTimeout(this.hold);
			if (event.altKey) {
				event.stopImmediatePropagation();
				event.preventDefault();
				this.show(at(event));
				return;
			}
			Object.assign(this, { x: event.clientX, y: event.clientY });
			if (event.pointerType === "touch" && event.isPrimary) this.hold = setTimeout(() => { if (!this.board.view.fingers.get(event.pointerId)?.drag && this.show(at(event))) this.board.view.cancel(event); }, HOLD);
		}, true);
		root.addEventListener("pointermove", ({ clientX, clientY }) => { if (Math.hypot(clientX - this.x, clientY - this.y) > SLIP) clearTimeout(this.hold); });
		for (const end of ["pointerup", "pointercancel"]) root.addEventListener(end, () => clearTimeout(this.hold));
		root.addEventListener("contextmenu", (event) => event.preventDefault());
		root.addEventListener("keydown", (event) => {
			if (event.key !== "P" || event.ctrlKey || event.altKey || event.metaKey) return;
			event.stopImmediatePropagation();
			event.preventDefault();
			this.show(this.board.focusId);
		}, true);
	}

	show(id) {
		if (!id || !this.on || !this.people.you.length) return false;
		this.company.net.send({ t: "point", at: id });
		return true;
	}

	point({ seat, at }) {
		const spot = this.board.spot(at), shown = this.company.view?.seats[seat];
		if (!spot || !shown || !this.on || this.company.mutes.has(seat)) return;
		const r = spot.r + 8, cls = `sign seat-${shown.seat || shown.letter.toLowerCase()}${reduced() ? "" : " beats"}`;
		const sign = svg("g", { class: cls, transform: `translate(${spot.x} ${spot.y})` }, svg("circle", { class: "sign-edge", r }), svg("circle", { class: "sign-ring", r }),
			svg("circle", { class: "sign-face", r: 12, cy: -r }), svg("text", { class: "sign-letter", y: -r }, shown.letter));
		this.layer.append(sign);
		if (this.layer.children.length > 12) this.layer.firstChild.remove();
		setTimeout(() => sign.remove(), SHOWN);
		this.speak(t("pointed", { name: shown.name, what: this.board.items.get(at).label || at }));
	}
}
