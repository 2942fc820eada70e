// The people at a table: who sits where and is here, what may be decided about a seat, what the host wants, the rematch.
import { $, el, load, save } from "./dom.js";
import { linkRow } from "./links.js";
import { chip, fillLog, levelHelp, levelName } from "./panels.js";
import { Sound } from "./sound.js";
import { Talk } from "./talk.js";
import { t } from "./words.js";

const ORDER = ["claim", "back", "computer", "substitute", "open", "name", "revoke", "leave"];
const LONG = 15000; // ms after which the minutes in the strip are counted anew

export class Company {
	constructor(table) {
		Object.assign(this, { table, seen: "", met: 0, mutes: new Set(load("muted", {})[table.id]) });
		this.dialog = el("dialog", { class: "panel", id: "people-menu", "aria-labelledby": "people-title" });
		document.body.append(this.dialog);
		this.dialog.onclose = () => {
			if (this.dialog.open || !this.open) return; // it is told later, and may have been opened again by then
			const { what } = this.open;
			this.open = this.given = null;
			if (document.activeElement === document.body) $("seats").querySelector(`[data-seat="${what}"]`)?.focus();
		};
		this.talk = new Talk(this);
		this.sound = new Sound();
		$("seats").addEventListener("focusin", ({ target }) => { this.held = target.dataset.seat; });
		addEventListener("pointerdown", () => { this.held = undefined; }, true);
		$("seats").addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget) this.held = undefined; });
		for (const button of document.querySelectorAll("[data-company]")) Object.assign(button, { inert: false, onclick: () => this.menu("table") });
		setInterval(() => this.dress(), LONG);
	}

	get view() { return this.table.view; }
	get net() { return this.table.net; }

	hear(message) {
		if (message.t === "people") this.gather(message);
		else if (message.t === "link") this.link(message);
		else this.talk[message.t](message);
	}

	gather(people) {
		Object.assign(this, { people, met: Date.now() });
		const { tokens } = this.table, carried = people.carry.map((i) => tokens[i]);
		if (people.stray.length) {
			this.gone = true;
			this.keep(tokens.filter((_, i) => !people.stray.includes(i)));
		}
		this.carried = `${carried.length ? `#s=${carried.join(".")}${this.table.host ? `&h=${this.table.host}` : ""}` : ""}`;
		if (this.wanted && people.rematch) location.assign(`/t/${people.rematch}${this.carried}`);
		this.dress();
		fillLog(this.log(this.view.log));
		this.talk.allow();
		if (this.open) this.fill();
		const free = location.hash === "#sit" ? people.seats.findIndex(({ may }) => may.includes("claim")) : -1; // come from the lobby
		if (free >= 0) {
			history.replaceState(null, "", location.pathname);
			this.menu(free);
		}
	}

	// The tokens that this page holds from now on, here, in the address, and for the next time.
	keep(tokens) {
		const gone = this.table.tokens.filter((each) => !tokens.includes(each)), seeds = new URLSearchParams(location.hash.slice(1)).get("d");
		this.table.tokens = this.net.hello.tokens = tokens;
		const parts = [tokens.length && `s=${tokens.join(".")}`, tokens.length && seeds && `d=${seeds}`, this.table.host && `h=${this.table.host}`].filter(Boolean);
		history.replaceState(null, "", location.pathname + location.search + (parts.length ? `#${parts.join("&")}` : ""));
		this.table.remember(gone);
	}

	// What a new view brings: sounds, and words that stand on what it has drawn anew.
	look(before, moved) {
		this.sound.hear(before, this.view, this.table.mine, moved);
		if (this.people) this.dress();
	}

	log(log) {
		const all = [...log];
		for (const { at, n, text } of [...(this.people?.marks || [])].reverse()) all.splice(at, 0, { n, text, mark: true });
		return all;
	}

	name(seat) {
		return seat < 0 ? t("spectator") : this.view.seats[seat]?.name || "";
	}

	minutes({ away }) {
		return Math.floor((away + (Date.now() - this.met) / 1000) / 60);
	}

	// Where somebody is, in words.
	state(seat) {
		const n = this.minutes(seat);
		return seat.state === "away" && n ? t("state.away_n", { n }) : t(`state.${seat.state}`);
	}

	dress() {
		if (!this.people || !this.view) return;
		const { seats } = this.people;
		[...$("seats").children].forEach((row, i) => {
			const { state } = seats[i], mine = this.view.you.includes(i), person = state !== "computer" && this.view.seats[i].kind === "person";
			const words = row.querySelectorAll(".who");
			if (!mine && words[0] && person) [words[0].textContent, words[1].textContent] = [state === "here" ? t("person_here") : this.state(seats[i]), t(`state.${state}`)];
			const label = t("seat_menu", { letter: this.view.seats[i].letter, name: this.name(i) }), old = row.querySelector(".more");
			if (this.has(i) && old?.ariaLabel === label) return;
			old?.remove();
			if (!this.has(i)) return;
			row.append(el("button", { class: "more", type: "button", "data-seat": String(i), "aria-label": label, "aria-haspopup": "dialog", onclick: () => this.menu(i) }, "⋯"));
			if (this.held === String(i) && document.activeElement === document.body) row.lastChild.focus();
		});
		this.notice();
	}

	// Is there anything to decide about a seat, or anybody to mute?
	has(i) {
		const { may, ask: others } = this.people.seats[i];
		return may.length + others.length > 0 || this.talks(i);
	}

	talks(i) {
		return this.people.chat && !this.view.you.includes(i) && ["here", "away"].includes(this.people.seats[i].state);
	}

	// The button that asks for a rematch, first among those of the end.
	again() {
		const { people, view } = this, shown = view.outcome && !people.rematch && people.you.length + people.back.length > 0;
		if (!shown) $("rematch")?.remove();
		else if (!$("rematch")) {
			$("after").firstElementChild.classList.remove("main");
			$("after").prepend(el("button", { class: "btn main", id: "rematch", type: "button", onclick: () => { this.wanted = true; this.wish({ t: "rematch" }); } }, t("rematch")));
		}
	}

	notice() {
		this.again();
		const told = this.news(), look = JSON.stringify(told.map((each) => each.textContent));
		if (look === this.seen) return;
		this.seen = look;
		$("people").hidden = !told.length;
		$("people").replaceChildren(...told);
		if (told.length && !$("people").contains(document.activeElement)) this.talk.speak(told.filter(({ tagName }) => tagName === "P").map((each) => each.textContent).join(" "));
	}

	// What has to be said above the choices, as nodes: the most important only.
	news() {
		const { people, view } = this, button = (label, act, more = "") => el("button", { class: `btn ${more}`, type: "button", onclick: act }, label);
		if (view.outcome) {
			if (people.rematch) return [el("p", {}, t("rematch_made")), el("a", { class: "btn main", href: `/t/${people.rematch}${this.carried}` }, t(this.carried ? "rematch_go" : "rematch_watch"))];
			return [];
		}
		if (people.back.length) {
			const other = view.seats[people.back[0]].kind === "person";
			return [el("p", {}, t(other ? "your_seat_other" : "your_seat_plays")), ...people.back.map((seat) => button(t("do.back"), () => this.wish({ t: "seat", seat, do: "back" }), "main"))];
		}
		const free = people.seats.map(({ may }, i) => may.includes("claim") && i).filter((i) => i !== false);
		if (free.length) return [el("p", {}, t("sit_title")), ...free.map((i) => this.place(i))];
		return [...(this.gone && !view.you.length ? [el("p", {}, t("seat_gone"))] : []), ...this.waiting(button)];
	}

	place(i) {
		const { letter, seat } = this.view.seats[i];
		return el("button", { class: "btn", type: "button", "aria-label": `${t("sit_down")}: ${letter}`, onclick: () => this.menu(i) }, chip(seat || letter.toLowerCase(), letter), t("sit_down"));
	}

	waiting(button) {
		const { actor } = this.view, seat = this.people.seats[actor];
		if (!seat || !["away", "left", "free"].includes(seat.state) || this.view.you.includes(actor)) return [];
		const n = this.minutes(seat), name = this.name(actor), key = seat.state === "away" && n ? "waiting_away_n" : `waiting_${seat.state}`;
		const may = seat.may.length || seat.ask.length, votes = seat.votes.map((vote) => el("p", { class: "quiet" }, this.vote(vote)));
		return [el("p", {}, `${t(key, { name, n, letter: this.view.seats[actor].letter })} ${may ? t("wait_or") : ""}`), ...votes,
			...(may ? [button(t("decide"), () => this.menu(actor))] : [])];
	}

	vote({ do: what, level, by, of }) {
		const names = by.map((i) => this.name(i)).join(", ");
		return `${t("wants", { names, what: t(`do.${what}`) + (level ? ` (${levelName(level)})` : "") })} ${t("needs", { n: of })}`;
	}

	wish(message) {
		this.net.wish(() => message);
	}

	link({ seat, do: what, token }) {
		if (what === "claim") {
			if (!this.table.tokens.includes(token)) this.keep([...this.table.tokens, token]);
			this.dialog.close();
			return;
		}
		this.given = { path: `${location.pathname}#s=${token}` };
		this.menu(seat);
	}

	menu(what) {
		this.open = { what, sure: false };
		this.shown = "";
		this.fill();
		if (!this.dialog.open) this.dialog.showModal();
	}

	async fill() {
		const { what } = this.open, all = [this.open, this.given, what === "table" ? this.people : this.people.seats[what], this.view.seats[what]?.name];
		const look = JSON.stringify(all).replace(/"away":\d+/g, "");
		if (look === this.shown) return;
		this.shown = look;
		const made = what === "table" ? await (await import("./host.js")).about(this) : await this.about(what);
		if (this.open?.what !== what || this.shown !== look) return; // something else is shown by now
		const close = el("button", { class: "btn", type: "button", onclick: () => this.dialog.close() }, t("close"));
		const controls = () => [...this.dialog.querySelectorAll("a, button, input")], held = controls().indexOf(document.activeElement);
		this.dialog.replaceChildren(el("div", { class: "stack" }, ...made, close));
		controls()[held]?.focus();
	}

	async about(i) {
		const seat = this.people.seats[i], shown = this.view.seats[i], name = this.name(i);
		const title = el("h2", { id: "people-title", class: "row" }, chip(shown.seat || shown.letter.toLowerCase(), shown.letter), t("seat_of", { letter: shown.letter, name }));
		const parts = [title, el("p", { class: "quiet" }, [this.view.you.includes(i) ? t("you") : this.state(seat), seat.offer && t("link_offered")].filter(Boolean).join(". "))];
		if (this.given) return [...parts, el("p", {}, t("link_ready")), await linkRow(this.given.path, name)];
		parts.push(...(this.open.sure ? this.leaving(i) : ORDER.filter((what) => seat.may.includes(what)).flatMap((what) => this.offer(i, what))));
		if (seat.ask.length) {
			parts.push(el("h3", {}, t("others_decide")), ...seat.votes.map((vote) => this.agree(i, vote)), ...ORDER.filter((what) => seat.ask.includes(what)).flatMap((what) => this.offer(i, what)));
			if (this.people.you.length) parts.push(el("p", { class: "quiet" }, t("needs", { n: seat.votes[0]?.of ?? this.majority(i) })));
		}
		if (this.talks(i)) parts.push(el("button", { class: "btn bare", type: "button", onclick: () => this.mute(i) }, t(this.mutes.has(i) ? "unmute" : "mute", { name })));
		return parts;
	}

	majority(i) {
		return Math.floor(this.people.seats.filter(({ state }, other) => other !== i && state === "here").length / 2) + 1;
	}

	agree(i, vote) {
		const mine = vote.by.some((seat) => this.people.you.includes(seat));
		const again = el("button", { class: "btn", type: "button", onclick: () => this.wish({ t: "seat", seat: i, do: vote.do, level: vote.level }) }, t("wants_too"));
		return el("div", { class: "stack" }, el("p", {}, this.vote(vote)), mine ? el("p", { class: "quiet" }, t("asked_for")) : again);
	}

	leaving(i) {
		return [el("p", { class: "problem" }, t("sure_leave")), el("button", { class: "btn", type: "button", onclick: () => { this.dialog.close(); this.wish({ t: "seat", seat: i, do: "leave" }); } }, t("yes_leave"))];
	}

	// The buttons for one thing that may be done about a seat.
	offer(i, what) {
		const act = (more = {}) => { if (!["substitute", "revoke"].includes(what)) this.dialog.close(); this.wish({ t: "seat", seat: i, do: what, ...more }); };
		const button = (label, on) => el("button", { class: "btn", type: "button", onclick: on }, label);
		if (what === "computer") return [this.computer(act)];
		if (what === "leave") return [button(t("do.leave"), () => { this.open.sure = true; this.fill(); })];
		if (what !== "claim" && what !== "name") return [button(t(`do.${what}`), () => act())];
		const field = el("input", { maxlength: "24", autocomplete: "off", "aria-label": t("your_name"), placeholder: t("your_name"), value: (what === "name" ? this.name(i) : load("names", [])[0]) || "" });
		const form = el("form", { class: "row" }, field, el("button", { class: what === "claim" ? "btn main" : "btn" }, t(what === "claim" ? "sit_down" : "do.name")));
		form.onsubmit = (event) => {
			event.preventDefault();
			const name = field.value.trim();
			if (what === "claim" && name) save("names", Object.assign(load("names", []), [name]));
			if (name || what === "claim") act({ name });
		};
		return [form];
	}

	computer(act) {
		const levels = el("select", { "aria-label": t("level") }, ...this.people.levels.map((each) => el("option", { value: each, selected: each === this.people.usual }, t(`play.${each}`))));
		const help = el("p", { class: "quiet", "aria-live": "polite" }, levelHelp([levels.value]));
		levels.onchange = () => { help.textContent = levelHelp([levels.value]); };
		const form = el("form", { class: "row" }, levels, el("button", { class: "btn" }, t("do.computer")), help);
		form.onsubmit = (event) => { event.preventDefault(); act({ level: levels.value }); };
		return form;
	}

	mute(i) {
		if (!this.mutes.delete(i)) this.mutes.add(i);
		save("muted", { ...load("muted", {}), [this.table.id]: [...this.mutes] });
		this.shown = "";
		this.talk.draw();
		this.fill();
	}
}
