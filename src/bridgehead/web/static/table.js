// A table: what the server's view says, what has been touched, what to send.
import { Board } from "./board.js";
import { $, ask, el, load, prefs, root, save, startPage, wake } from "./dom.js";
import { remember } from "./known.js";
import { Net } from "./net.js";
import { bubble, fillLog, fillSeats, ruleLink } from "./panels.js";
import { Paths } from "./paths.js";
import { t } from "./words.js";

const table = $("main").dataset.table;
const FEW = 6; // choices listed at once
const TOGETHER = 150; // ms within which what is said does not take the place of what was said before

// Secrets of seats, and the host's: from the fragment, without what stood behind the link in a letter; or remembered.
function secrets() {
	const given = new URLSearchParams(location.hash.slice(1)), s = given.get("s"), known = load("tables", {})[table], plain = (text) => text.replace(/[^\w-]/g, "");
	return { tokens: s ? s.split(".").map(plain).filter(Boolean) : known?.tokens || [], host: plain(given.get("h") || "") || known?.host || "" };
}

// The things of the view before, changed as a patch says.
function patched(items, { gone, put } = { gone: [], put: [] }) {
	const out = new Set([...gone, ...put.map(([, { id }]) => id)]), things = items.filter(({ id }) => !out.has(id));
	for (const [place, item] of put) things.splice(place, 0, item);
	return things;
}

class Table {
	constructor() {
		this.paths = new Paths();
		this.board = new Board($("stage"), { touch: (id, byKey) => this.touch(id, byKey), pull: (id) => this.pull(id), empty: () => this.clear() }, $("map"));
		Object.assign(this, { id: table, ...secrets() });
		const later = import("./company.js").then(({ Company }) => { this.company = new Company(this); });
		const told = (message) => later.then(() => this.company.hear(message));
		this.net = new Net({ t: "hello", p: 1, table, tokens: this.tokens, lang: root.lang, host: this.host }, {
			people: told, link: told, said: told, point: told, bye: (message) => this.disown(message),
			view: (view) => this.show(view), ack: ({ k }) => { this.company?.talk.taken(k); this.render(); }, rej: (message) => { if (!this.company?.talk.refused(message)) { this.clear(); this.tell(message); } },
			why: (message) => { this.no = { id: this.asked, show: message.show || [] }; this.render(); this.tell(message, this.asked); },
			state: (state, text) => { $("line").textContent = state === "open" ? "" : text || t(state); if (text && this.view) this.end(text); if (text) wake(); },
		});
		this.wire();
	}

	// The server has said goodbye: why stands where the prompt stood, and nothing can be touched any more.
	end(text) {
		Object.assign(this.view, { prompt: text, choices: undefined, undo: false, thinking: false });
		this.paths.reset([]);
		this.clear();
	}

	show(news) {
		this.heardAt = performance.now();
		const before = this.view, log = news.logFrom === undefined ? news.log : [...before.log.slice(0, news.logFrom), ...news.log];
		this.view = { ...news, log, items: news.items || patched(before.items, news.patch), picture: news.picture || before?.picture, sealed: news.sealed || before.sealed };
		if (news.picture) this.board.setPicture(news.picture, news.title);
		const moved = before?.moved !== news.moved, choices = this.mine ? news.choices : [];
		if (moved) {
			this.paths.reset(choices);
			this.forget();
			this.advice?.clear();
		} else this.paths.choices = choices;
		this.lay(moved ? news.traces : [], before && (news.since ?? news.v - 1) === before.v);
		fillSeats(this.view);
		this.render();
		if (before && moved && log.length > before.log.length) this.say(log.at(-1).text);
		this.beside();
		fillLog(this.company?.log(log) || log);
		this.company?.look(before, moved);
		if (!before || news.outcome) this.remember();
		this.seal(this.view);
		wake();
		if (this.saidAt >= this.heardAt) this.saidAt = performance.now(); // to draw takes its time, on some machines long
		this.heardAt = 0;
	}

	async seal(view) {
		this.seals ||= import("./seal.js").then(({ Seals }) => new Seals(table, this.net));
		(await this.seals).look(view);
	}

	// What the others are asked, and the clocks: loaded when first there is anything to show.
	beside() {
		const { may, ask, paused, clock } = this.view;
		$("asking").hidden = !may;
		const show = async (name, file) => {
			const Kind = await file();
			(this[name] ||= new Kind(this)).show(this.view);
		};
		if (this.agree) this.agree.show(this.view);
		else if (may || ask || paused) show("agree", async () => (await import("./agree.js")).Agree);
		if (this.clock) this.clock.show(this.view);
		else if (clock) show("clock", async () => (await import("./clock.js")).Clock);
	}

	get mine() {
		return Boolean(this.view.choices) && this.view.you.includes(this.view.actor);
	}

	lay(traces, animate) {
		const { you, actor, items } = this.view;
		const seat = you.includes(actor) ? actor : you.length === 1 ? you[0] : Number(this.board.turned);
		this.board.turn(prefs().turn && you.length > 0 && seat === 1);
		this.board.setItems(items, traces, animate);
	}

	// gone: secrets that give nothing any more.
	remember(gone) {
		remember(table, { title: this.view.title, tokens: this.tokens, host: this.host, over: !!this.view.outcome }, gone);
		if (this.view.outcome && this.tokens.length) import("./receipt.js").then(({ keep }) => keep(table));
	}

	// Secrets that give nothing any more are forgotten: what is left of them is tried again.
	disown({ stray }) {
		if (!stray) return;
		const left = this.tokens.filter((_, i) => !stray.includes(i)), host = stray.length ? this.host : "", all = load("tables", {}), known = all[table];
		if (known) known.tokens = known.tokens.filter((each) => left.includes(each) || !this.tokens.includes(each));
		if (known?.host === this.host) known.host = host;
		save("tables", all);
		const parts = [left.length && `s=${left.join(".")}`, host && `h=${host}`].filter(Boolean);
		history.replaceState(null, "", location.pathname + (parts.length ? `#${parts.join("&")}` : ""));
		if (left.length || stray.length) location.reload(); // whoever had a seat and has none any more looks on
	}

	touch(id, byKey) {
		if (!this.view || !this.net.ready) return;
		const { staged } = this, last = staged?.path.at(-1);
		this.forget();
		if (!this.mine) {
			if (byKey) this.say(this.view.prompt);
			this.render();
			return;
		}
		if (staged && [id, this.board.items.get(id)?.at].includes(last)) { this.send(staged); return; }
		if (staged) this.paths.prefix.pop();
		const before = [...this.paths.prefix], what = this.paths.touch(id, this.board.items);
		if (what === "choice") this.staged = this.paths.complete.find(({ first }) => first);
		if (what === "act") this.choose(this.paths.complete[0]);
		else this.render();
		if (what === "no") this.ask([...before, id]);
	}

	pull(id) {
		if (this.staged || !this.paths.resolve(id, this.board.items)) this.clear();
		if (!this.board.chosen.includes(id)) this.touch(id);
	}

	press(id) {
		if (this.staged || !this.paths.next().has(id)) this.clear();
		this.touch(id);
	}

	choose(choice) {
		if (!this.net.ready) return;
		if (this.staged === choice || !(prefs().confirm || choice.confirm)) { this.send(choice); return; }
		this.staged = choice;
		this.paths.prefix = [...choice.path];
		this.say(t("staged", { what: choice.label }));
		this.render();
	}

	send(choice = this.staged || this.paths.complete[0]) {
		if (!this.net.ready) return;
		this.net.submit({ t: "act", a: choice.action, v: this.view.v });
		this.clear();
	}

	undo() {
		if (!this.net.ready) return;
		this.forget();
		if (this.paths.prefix.pop() === undefined && this.view.undo) this.net.submit({ t: "undo", v: this.view.v });
		this.render();
	}

	forget() {
		this.staged = this.no = null;
		bubble(this.board, "");
	}

	clear() {
		this.paths.prefix = [];
		this.forget();
		this.render();
	}

	ask(touched = [...this.paths.prefix, this.board.focusId].filter((id, i, all) => id && id !== all[i - 1])) {
		if (!touched.length || touched.length === this.paths.prefix.length) { this.tell({ text: t("why_help") }); return; }
		this.asked = touched.at(-1);
		this.net.why(touched);
	}

	render() {
		const { view, paths, staged, board } = this;
		if (!view) return;
		const next = paths.next(), chosen = paths.prefix.map((id) => (id.startsWith("f:") && board.standing(id)) || id);
		const onBoard = staged?.path.filter((id) => board.items.has(id)) || [];
		const from = onBoard.length > 1 && (board.standing(onBoard[0]) || onBoard[0]);
		board.setMarks({ targets: staged ? new Map() : next, chosen, staged: onBoard.length && { from, to: onBoard.at(-1) }, last: view.last || [], no: this.no, hint: this.advice?.marks });
		this.prompt();
		this.buttons(next);
		this.list();
		$("undo").disabled = !paths.prefix.length && !view.undo;
		$("confirm").disabled = !staged && paths.complete.length !== 1;
		const turn = this.mine && !view.outcome;
		document.title = `${turn ? `● ${t("your_turn")}: ` : ""}${view.title} · Bridgehead`;
		$("icon").href = `/static/favicon${turn ? "-turn" : ""}.svg`;
		$("where").replaceChildren(view.title, view.sealed.practice && !view.sealed.level ? ` · ${t("practice")}` : "", el("span", { class: "long" }, view.rules && `. ${view.rules}`, view.hints && ` · ${t("hints_on")}`));
		$("advise").hidden = !(view.hints && turn);
	}

	prompt() {
		const { view, paths } = this, { outcome } = view;
		const said = (outcome?.text || view.paused || view.prompt) + (view.thinking ? ` ${t(view.preparing ? "preparing" : "thinking")}` : "");
		if (this.said !== said) $("say").replaceChildren(said, " ", ruleLink(view, outcome?.clause));
		this.said = said;
		const { path } = (this.mine && paths.matching().find((each) => each.path[0][0] !== "!")) || {}, left = path?.length - paths.prefix.length;
		$("hint").textContent = left > 0 ? t(paths.prefix.length ? "hint_then" : left > 1 ? "hint_first" : "hint_one") : "";
		const all = paths.matching().filter(({ kind }) => paths.prefix.length || kind !== "button");
		const shown = paths.complete[0] || all.length <= FEW ? all.map((choice) => this.offer(choice)) : [];
		$("choices").classList.toggle("wide", all.some(({ label }) => label.length > 16));
		$("choices").replaceChildren(...shown.map((each) => el("li", {}, each)));
		$("after").hidden = !outcome;
	}

	// The second click of two quick ones was meant for what stood there before.
	offer(choice) {
		return el("button", { class: "btn", "aria-pressed": String(this.staged === choice), onclick: ({ detail }) => { if (detail < 2) this.choose(choice); } }, el("span", {}, choice.label), choice.note && el("small", {}, choice.note));
	}

	// Buttons keep their places; those that cannot be touched now are disabled.
	buttons(next) {
		const known = { ...this.view.buttons }, first = this.paths.next([]);
		for (const { path, label } of this.paths.choices) for (const id of path) if (id.startsWith("!")) known[id] ||= label;
		const made = Object.entries(known).map(([id, label]) => el("button", { class: "btn", disabled: !next.has(id) && !first.has(id), "aria-pressed": String(this.paths.prefix.includes(id)), onclick: () => this.press(id) }, label));
		$("extra").replaceChildren(...(made.length === 1 ? made : []));
		$("buttons").replaceChildren(...(made.length > 1 ? made : []));
	}

	list() {
		const all = this.found(), groups = Map.groupBy(all, ({ path }) => path[0]);
		const { length } = this.paths.choices;
		$("tab-all").textContent = t("all_actions") + (length ? ` (${length})` : "");
		if ($("all").hidden) return;
		const name = (id) => this.view.buttons?.[id] || this.board.items.get(id)?.label || t("actions");
		const group = ([id, choices]) => el("details", { open: all.length < 25 }, el("summary", {}, `${name(id)} (${choices.length})`), el("ul", {}, ...choices.map((choice) => el("li", {}, this.offer(choice)))));
		$("list").replaceChildren(...(all.length ? [...groups].map(group) : [el("p", { class: "quiet" }, t("nothing_to_do"))]));
	}

	found() {
		const words = $("typed").value.trim().toLowerCase();
		return this.paths.choices.filter(({ text, label }) => `${text} ${label}`.toLowerCase().includes(words));
	}

	command() {
		const words = $("typed").value.trim(), near = this.found(), exact = near.find(({ text }) => text === words) || (near.length === 1 && near[0]);
		if (!words) return;
		if (exact) {
			$("typed").value = "";
			this.choose(exact);
		} else this.tell({ text: t(near.length ? "several" : "no_such", { words }) });
	}

	// What comes at once is said together: a move, and what is asked after it.
	say(text) {
		const now = performance.now(), more = (this.heardAt || now) - this.saidAt < TOGETHER;
		$("spoken").textContent = more ? `${$("spoken").textContent} ${text}` : text;
		this.saidAt = now;
	}

	tell({ text, clause, show = [] }, id = "") {
		bubble(this.board, text, ruleLink(this.view, clause), id, [...show, ...this.board.targets.keys()]);
		this.say(text);
	}

	tab(shown) {
		for (const name of ["log", "all", "chat"]) {
			$(name).hidden = name !== shown;
			$(`tab-${name}`).setAttribute("aria-selected", name === shown);
		}
		this.list();
		this.company?.talk.draw();
	}

	async advise() {
		if ($("advise").hidden) return;
		this.advice ||= new (await import("./hint.js")).Hint(this);
		this.advice.ask();
	}

	showLast() {
		const id = this.view.last?.at(-1);
		this.tell({ text: this.view.log.at(-1)?.text || t("nothing_yet") }, id);
		if (id) this.board.view.show(id);
	}

	wire() {
		const clicks = { undo: () => this.undo(), confirm: () => this.send(), last: () => this.showLast(), ask: () => this.ask(), advise: () => this.advise(), "tab-log": () => this.tab("log"), "tab-all": () => this.tab("all"), "tab-chat": () => this.tab("chat") };
		for (const [id, act] of Object.entries(clicks)) $(id).onclick = act;
		$("share").onclick = async () => (await import("./share.js")).share((await ask(`/api/tables/${table}/link`)).link);
		$("typed").oninput = () => this.list();
		$("command").onsubmit = (event) => { event.preventDefault(); this.command(); };
		addEventListener("keydown", (event) => this.key(event));
		for (const link of document.querySelectorAll('a[href^="#"]')) link.onclick = () => { $(link.hash.slice(1)).scrollIntoView(); return false; }; // the fragment is the seat's secret
		addEventListener("prefs", () => { this.lay([], false); this.render(); });
	}

	key(event) {
		if (!this.view || event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
		if (event.key === "Escape") {
			this.clear();
			if (/INPUT/.test(event.target.tagName)) this.board.focus(this.board.focusId);
		}
		if (/INPUT|SELECT/.test(event.target.tagName)) return;
		const act = {
			u: () => this.undo(), a: () => $("asking").click(), l: () => this.showLast(), h: () => this.advise(), w: () => this.tell({ text: this.said }), "?": () => this.ask(),
			m: () => { this.tab("all"); $("list").querySelector("summary")?.focus(); }, "/": () => { this.tab("all"); $("typed").focus(); },
		}[event.key.toLowerCase()];
		if (act) { event.preventDefault(); act(); }
	}
}

startPage().then(() => new Table());
