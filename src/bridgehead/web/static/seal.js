// A page's part in sealed chance (docs/fairness.md): its seeds, its seals, what it reveals and when, and the alarm.
// The seeds are made here, stay in this browser and in the fragment of this page's address, and are never sent.
import { bytes, CHAIN, chain, hex, transcript } from "./bgf1.js";
import { $, el, load, save } from "./dom.js";
import { t } from "./words.js";

const KEPT = 60; // tables
const LATER = 1500; // ms that a page waits before it offers not to wait

const remembered = (table) => ({ seeds: {}, agreed: {}, alarms: [], ...load("seals", {})[table] });

function remember(table, own) {
	const known = { ...load("seals", {}), [table]: { ...own, at: Date.now() } };
	save("seals", Object.fromEntries(Object.entries(known).sort(([, a], [, b]) => b.at - a.at).slice(0, KEPT)));
}

export class Seals {
	// net: takes to the server what this page has to say.
	constructor(table, net) {
		Object.assign(this, { table, net, chains: {}, next: {}, sent: new Set(), given: new Map(), awake: Date.now(), own: remembered(table) });
		for (const each of new URLSearchParams(location.hash.slice(1)).get("d")?.split(".") || []) {
			const [seat, seed] = each.split("-");
			if (/^[0-9a-f]{64}$/.test(seed)) this.own.seeds[seat] ||= seed;
		}
		setInterval(() => { this.awake = Date.now(); }, 500);
		this.button = el("button", { class: "btn", type: "button", onclick: () => net.wish(() => ({ t: "begin", gid: this.gid })) }, t("begin_now"));
		this.alarm = el("p", { class: "seal problem", role: "alert", hidden: true });
		this.line = el("p", { class: "quiet", id: "chance" });
		$("say").parentNode.after(this.alarm, el("p", { id: "begin", class: "seal", hidden: true }, this.button));
		$("settings").querySelector("button").before(this.line);
	}

	// Does what a view asks of this page.
	look(view) {
		const { sealed, you } = view;
		if (view.picture) this.sent.clear(); // a new line: what was sent may not have come
		for (const era of sealed.eras) this.answer(era, sealed, you);
		const elsewhere = sealed.eras.some(({ transcript: frozen, gid, seats }) => frozen && you.some((seat) => seats[seat][0] === 0 && !this.isMine(gid, seat, seats)));
		this.line.replaceChildren(sealed.text, " ", elsewhere ? `${t("sealed_elsewhere")} ` : "", sealed.level ? el("a", { href: `/verify/${this.table}`, target: "_blank" }, t("check_dice")) : "");
		$("check").hidden = !sealed.level;
		clearTimeout(this.later);
		this.gid = sealed.eras.at(-1)?.gid;
		const waits = view.actor === -1 && you.length > 0 && sealed.waiting.some((seat) => !you.includes(seat)) && sealed.eras.every(({ asked }) => !asked);
		if (waits) this.later = setTimeout(() => { $("begin").hidden = false; }, LATER);
		else $("begin").hidden = true;
	}

	answer(era, sealed, you) {
		const { gid } = era;
		if (!era.transcript) {
			const heads = you.filter((seat) => !era.seats[seat] && this.isNew(gid, seat, -1)).map((seat) => ({ seat, head: hex(this.chain(gid, seat)[0]) }));
			const taken = ({ t: answer }) => { if (answer === "ack") for (const { seat } of heads) this.given.set(`${gid}.${seat}`, 0); };
			if (heads.length) this.net.whisper({ t: "seal", gid, heads, source: 0 }, taken);
			return;
		}
		const mine = you.filter((seat) => this.isMine(gid, seat, era.seats));
		const hidden = you.filter((seat) => this.given.has(`${gid}.${seat}`) && !mine.includes(seat));
		if (hidden.length || (mine.length && !this.accepts(era, sealed))) { this.raise("alarm_frozen", { gid }); return; }
		for (const [e, seat] of era.defaults) {
			if (this.given.get(`${gid}.${seat}.${e}`) < Date.now()) this.raise("alarm_default", { gid, n: e });
			this.given.delete(`${gid}.${seat}.${e}`); // asked once, when it is first said
		}
		const first = era.level === 1, told = new Set(era.links.map(([seat]) => seat)), { e, seats, n } = era.asked || { e: 0, seats: [], n: [] };
		const due = first ? mine.filter((seat) => !told.has(seat)).map((seat) => [seat, 1]) : seats.map((seat, i) => [seat, Math.max(n[i], this.next[`${gid}.${seat}`] || 1)]).filter(([seat, j]) => mine.includes(seat) && j <= CHAIN);
		const links = due.filter(([seat]) => this.isNew(gid, seat, e)).map(([seat, j]) => ({ seat, n: j, value: hex(this.chain(gid, seat)[j]) }));
		// A page that slept may hear at once that it was asked and that it did not answer: that is no alarm.
		const late = Date.now() - this.awake > 2000 ? 1000 : -1;
		for (const { seat, n: j } of links) {
			this.given.set(`${gid}.${seat}.${e}`, Date.now() + late);
			this.next[`${gid}.${seat}`] = j + 1; // what came too late for one draw is known, and serves no other
		}
		if (links.length) this.net.whisper({ t: "reveal", gid, e: first ? 0 : e, links }, () => {});
	}

	// Is a seat's seal of an era the one that this page makes of its seed?
	isMine(gid, seat, seats) {
		return Boolean(this.own.seeds[seat]) && seats[seat][0] === 0 && seats[seat][1] === hex(this.chain(gid, seat)[0]);
	}

	// Is this the transcript of what is told, and the only one for which this page opens anything of this era?
	accepts(era, { rules }) {
		const seats = era.seats.map(([source, head]) => ({ source, head: bytes(head) }));
		const agreed = hex(transcript(bytes(era.gid), bytes(rules), bytes(era.root), era.depth, era.level, seats));
		if (agreed !== era.transcript || (this.own.agreed[era.gid] ?? agreed) !== agreed) return false;
		if (!this.own.agreed[era.gid]) {
			this.own.agreed[era.gid] = agreed;
			remember(this.table, this.own);
		}
		return true;
	}

	raise(key, params) {
		const text = t(key, params);
		if (this.own.alarms.includes(text) && !this.alarm.hidden) return;
		this.own.alarms = [...new Set([...this.own.alarms, text])].slice(-20);
		remember(this.table, this.own);
		this.alarm.hidden = false;
		this.alarm.textContent = text;
	}

	isNew(gid, seat, e) {
		const what = `${gid}.${seat}.${e}`, fresh = !this.sent.has(what);
		this.sent.add(what);
		return fresh;
	}

	chain(gid, seat) {
		return (this.chains[`${gid}.${seat}`] ||= chain(bytes(this.seed(seat)), bytes(gid), seat));
	}

	seed(seat) {
		if (!this.own.seeds[seat]) {
			this.own.seeds = { ...remembered(this.table).seeds, ...this.own.seeds }; // another page of this browser may have made it
			this.own.seeds[seat] ||= hex(crypto.getRandomValues(new Uint8Array(32)));
			remember(this.table, this.own);
		}
		this.carry();
		return this.own.seeds[seat];
	}

	// The address of this page takes the seeds to another device of the same person, as it takes the seats' secrets.
	carry() {
		const fragment = new URLSearchParams(location.hash.slice(1)), host = fragment.get("h"), told = Object.entries(this.own.seeds).map((each) => each.join("-")).join(".");
		if (!fragment.get("s") || fragment.get("d") === told) return;
		history.replaceState(null, "", `#s=${fragment.get("s")}&d=${told}${host ? `&h=${host}` : ""}`);
	}
}
