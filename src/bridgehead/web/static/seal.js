// @ts-check
// A page's part in sealed chance (docs/understand/fairness.md): its seeds, its seals, its reveals, and the alarm.
// The seeds are made here, stay in this browser and in the fragment of this page's address, and are never sent.
/** @import { Bytes } from "./sha256.js" */
/** @import { Connection } from "./connection.js" */
import { bytes, CHAIN, chain, hex, transcript } from "./bgf1.js";
import { $, el, load, save } from "./dom.js";
import { t } from "./words.js";

const MOST = 60; // tables
const LATER = 1500; // ms after which the page offers not to wait for the others

/** @param {string} table @returns {SavedSeals} */
const remembered = (table) => ({ seeds: {}, agreed: {}, alarms: [], ...load("seals", {})[table] });

/** @param {string} table @param {SavedSeals} own */
function remember(table, own) {
	const known = { ...load("seals", {}), [table]: { ...own, at: Date.now() } };
	const order = Object.entries(known).sort(([, a], [, b]) => (b.at ?? 0) - (a.at ?? 0));
	save("seals", Object.fromEntries(order.slice(0, MOST)));
}

export class Seals {
	/** @type {{ [gidAndSeat: string]: Bytes[] }} */
	chains = {};
	/** @type {{ [gidAndSeat: string]: number }} */
	next = {}; // number of the first link that was not yet sent
	/** @type {Set<string>} */
	sent = new Set();
	/** @type {Map<string, number>} */
	given = new Map(); // when a seal or a link was sent
	awake = Date.now(); // the last time that this page ran
	gid = "";
	/** @type {number | undefined} */
	later;

	/** @param {string} table @param {Connection} connection */
	constructor(table, connection) {
		this.table = table;
		this.connection = connection;
		this.own = remembered(table);
		for (const each of new URLSearchParams(location.hash.slice(1)).get("d")?.split(".") || []) {
			const [seat, seed] = each.split("-");
			if (/^[0-9a-f]{64}$/.test(seed)) this.own.seeds[seat] ||= seed;
		}
		setInterval(() => {
			this.awake = Date.now();
		}, 500);
		const begin = () => connection.queue(() => ({ t: "begin", gid: this.gid }));
		const button = el("button", { class: "btn", type: "button", onclick: begin }, t("begin_now"));
		this.begin = el("p", { id: "begin", class: "seal", hidden: true }, button);
		this.alarm = el("p", { class: "seal problem", role: "alert", hidden: true });
		this.line = el("p", { class: "quiet", id: "chance" });
		$("say").parentElement?.after(this.alarm, this.begin);
		$("settings").querySelector("button")?.before(this.line);
	}

	/** Does what a view asks of this page. @param {View} view */
	look(view) {
		const { sealed, you } = view;
		if (view.picture) this.sent.clear();
		for (const era of sealed.eras) this.answer(era, sealed, you);
		const elsewhere = sealed.eras.some(
			(era) => era.transcript && you.some((seat) => era.seats[seat]?.[0] === 0 && !this.isMine(era, seat)),
		);
		const link = el("a", { href: `/verify/${this.table}`, target: "_blank" }, t("check_dice"));
		this.line.replaceChildren(sealed.text, " ", elsewhere ? `${t("sealed_elsewhere")} ` : "", sealed.level ? link : "");
		$("check").hidden = !sealed.level;
		clearTimeout(this.later);
		this.gid = sealed.eras.at(-1)?.gid ?? "";
		const others = sealed.waiting.some((seat) => !you.includes(seat));
		const waits = view.actor === -1 && you.length > 0 && others && sealed.eras.every(({ asked }) => !asked);
		if (!waits) this.begin.hidden = true;
		else
			this.later = setTimeout(() => {
				this.begin.hidden = false;
			}, LATER);
	}

	/** @param {Era} era @param {Sealed} sealed @param {number[]} you */
	answer(era, sealed, you) {
		const { gid, level, defaults, asked } = era;
		if (!era.transcript) {
			this.seal(era, you);
			return;
		}
		const mine = you.filter((seat) => this.isMine(era, seat));
		const hidden = you.filter((seat) => this.given.has(`${gid}.${seat}`) && !mine.includes(seat));
		if (hidden.length || (mine.length && !this.accepts(era, sealed))) {
			this.raise("alarm_frozen", { gid });
			return;
		}
		for (const [e, seat] of defaults) {
			const given = this.given.get(`${gid}.${seat}.${e}`);
			if (given !== undefined && given < Date.now()) this.raise("alarm_default", { gid, n: e });
			this.given.delete(`${gid}.${seat}.${e}`); // checked once, when the server first says so
		}
		const e = level === 1 ? 0 : (asked?.e ?? 0);
		const due = level === 1 ? this.firstLinks(era, mine) : this.nextLinks(era, mine);
		const fresh = due.filter(({ seat }) => this.isNew(gid, seat, e));
		const links = fresh.map(({ seat, n }) => ({ seat, n, value: hex(this.chain(gid, seat)[n]) }));
		// A page that slept can learn at once that it was asked and that its answer did not come: that is no alarm.
		const late = Date.now() - this.awake > 2000 ? 1000 : -1;
		for (const { seat, n } of links) {
			this.given.set(`${gid}.${seat}.${e}`, Date.now() + late);
			this.next[`${gid}.${seat}`] = n + 1; // a link that came too late for one draw is known, and serves no other
		}
		if (links.length) this.connection.ask({ t: "reveal", gid, e, links }, () => {});
	}

	/** Sends the heads of the seats that have not sealed an era. @param {Era} era @param {number[]} you */
	seal({ gid, seats }, you) {
		const due = you.filter((seat) => !seats[seat] && this.isNew(gid, seat, -1));
		const heads = due.map((seat) => ({ seat, head: hex(this.chain(gid, seat)[0]) }));
		if (!heads.length) return;
		this.connection.ask({ t: "seal", gid, heads, source: 0 }, (answer) => {
			if (answer.t === "ack") for (const { seat } of heads) this.given.set(`${gid}.${seat}`, 0);
		});
	}

	/** Level 1: one link of each seat. @param {Era} era @param {number[]} mine */
	firstLinks({ links }, mine) {
		const revealed = new Set(links.map(([seat]) => seat));
		return mine.filter((seat) => !revealed.has(seat)).map((seat) => ({ seat, n: 1 }));
	}

	/** Level 2: the links that the next draw waits for. @param {Era} era @param {number[]} mine */
	nextLinks({ gid, asked }, mine) {
		if (!asked) return [];
		const due = asked.seats.map((seat, i) => ({ seat, n: Math.max(asked.n[i], this.next[`${gid}.${seat}`] || 1) }));
		return due.filter(({ seat, n }) => mine.includes(seat) && n <= CHAIN);
	}

	/** Is a seat's seal of an era the one that this page makes of its seed? @param {Era} era @param {number} seat */
	isMine({ gid, seats }, seat) {
		const [source, head] = seats[seat] ?? [];
		return Boolean(this.own.seeds[seat]) && source === 0 && head === hex(this.chain(gid, seat)[0]);
	}

	/**
	 * Does the transcript follow from the era, and is it the only one that this page has accepted for it?
	 * @param {Era} era @param {Sealed} sealed
	 */
	accepts(era, { rules = "" }) {
		const seats = era.seats.flatMap((seat) => (seat ? [{ source: seat[0], head: bytes(seat[1]) }] : []));
		const agreed = hex(transcript(bytes(era.gid), bytes(rules), bytes(era.root), era.depth, era.level, seats));
		if (agreed !== era.transcript || (this.own.agreed[era.gid] ?? agreed) !== agreed) return false;
		if (!this.own.agreed[era.gid]) {
			this.own.agreed[era.gid] = agreed;
			remember(this.table, this.own);
		}
		return true;
	}

	/** @param {string} key @param {{ [name: string]: string | number }} params */
	raise(key, params) {
		const text = t(key, params);
		if (this.own.alarms.includes(text) && !this.alarm.hidden) return;
		this.own.alarms = [...new Set([...this.own.alarms, text])].slice(-20);
		remember(this.table, this.own);
		this.alarm.hidden = false;
		this.alarm.textContent = text;
	}

	/** @param {string} gid @param {number} seat @param {number} e */
	isNew(gid, seat, e) {
		const id = `${gid}.${seat}.${e}`;
		const fresh = !this.sent.has(id);
		this.sent.add(id);
		return fresh;
	}

	/** @param {string} gid @param {number} seat */
	chain(gid, seat) {
		this.chains[`${gid}.${seat}`] ||= chain(bytes(this.seed(seat)), bytes(gid), seat);
		return this.chains[`${gid}.${seat}`];
	}

	/** @param {number} seat */
	seed(seat) {
		if (!this.own.seeds[seat]) {
			this.own.seeds = { ...remembered(this.table).seeds, ...this.own.seeds }; // another page of this browser may have made it
			this.own.seeds[seat] ||= hex(crypto.getRandomValues(new Uint8Array(32)));
			remember(this.table, this.own);
		}
		this.carry();
		return this.own.seeds[seat];
	}

	// Puts the seeds into the address of this page, which takes them to another device as it takes the seats' tokens.
	carry() {
		const fragment = new URLSearchParams(location.hash.slice(1));
		const host = fragment.get("h");
		const seeds = Object.entries(this.own.seeds).map(([seat, seed]) => `${seat}-${seed}`);
		if (!fragment.get("s") || fragment.get("d") === seeds.join(".")) return;
		history.replaceState(null, "", `#s=${fragment.get("s")}&d=${seeds.join(".")}${host ? `&h=${host}` : ""}`);
	}
}
