// @ts-check
// A page's part in sealed chance (docs/understand/fairness.md): its seeds, its messages, the four words, and the alarm.
// The seeds are made here, stay in this browser and in the fragment of this page's address, and are never sent.
/** @import { Connection } from "../base/socket.js" */

import { $, el, fetch, later, root } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { load, save } from "../base/store.js";
import { hex } from "../sealed/bgf1.js";
import { fourWords } from "../sealed/bgf2.js";
import { isOf, LiveChecks, unsealed } from "../sealed/live_checks.js";
import { wordList } from "./word_list.js";

const MOST = 60; // tables
const LATER = 1500; // ms after which the page offers not to wait for the others
const ASLEEP = 2000; // ms without a tick after which this page counts as having slept
const OTHER = 409; // the status of a proof that is of another record than the one that this page has seen
const RULES = 2000; // ms that a request for a link waits for the rules: less than the server's patience

const pause = (/** @type {number} */ ms) => new Promise((resume) => setTimeout(resume, ms));

/** What this browser keeps of a table. @param {string} table @returns {SavedSeals} */
export const remembered = (table) => ({ ...unsealed(table), ...load(`sealed.${table}`, unsealed(table)) });

/**
 * Stores it; false if this browser cannot. The tables that were not visited for the longest time give way.
 * @param {string} table @param {SavedSeals} own
 */
function remember(table, own) {
	const known = { ...load("sealed", {}), [table]: { gid: own.kept.gid, at: Date.now() } };
	const order = Object.keys(known).sort((a, b) => known[b].at - known[a].at);
	for (const old of order.splice(MOST)) forget(known, old);
	let isStored = save(`sealed.${table}`, own);
	while (!isStored && order.length > 1) {
		forget(known, order.pop() ?? "");
		isStored = save(`sealed.${table}`, own);
	}
	return save("sealed", known) && isStored;
}

/** @param {Stored["sealed"]} known @param {string} table */
function forget(known, table) {
	delete known[table];
	save(`sealed.${table}`, undefined);
}

export class Seals {
	awake = Date.now(); // the last time that this page ran
	isStored = true;
	isOver = false;
	isOwed = false; // the server owes a proof, and this page asks for it
	/** @type {View | undefined} */
	view;
	/** The rules on their way. @type {Promise<void> | undefined} */
	rules;
	unchecked = ""; // why this device does not check by the rules; "" if it does
	shown = 0; // the era whose four words are on the screen
	/** @type {(Node | string)[]} */
	told = []; // in the settings: how chance is drawn and checked
	agreed = ""; // the four words of the newest era
	/** @type {number | undefined} */
	later;
	/** @type {Promise<void>} */
	done = Promise.resolve(); // after the views before

	/** @param {string} table @param {Connection} connection */
	constructor(table, connection) {
		this.table = table;
		this.connection = connection;
		this.own = remembered(table);
		this.pin = load("server", { key: "", heads: [] });
		for (const each of new URLSearchParams(location.hash.slice(1)).get("d")?.split(".") || []) {
			const [seat, seed] = each.split("-");
			if (/^[0-9a-f]{64}$/.test(seed)) this.own.seeds[seat] ||= seed;
		}
		setInterval(() => {
			this.awake = Date.now();
		}, 500);
		this.checks = new LiveChecks(this.own, this.pin, {
			save: () => this.save(),
			isElsewhere: (gid) => Object.entries(load("sealed", {})).some(([other, known]) => other !== table && known.gid === gid),
			now: () => Date.now(),
			sentence: ({ key, n, era }) => t("alarm", { n, what: t(`alarm_${key}`, { n, era }) }),
			seed: (seat) => this.seed(seat),
			level: load("tables", {})[table]?.level,
			holder: () => (connection.hello.tokens ?? []).map((token) => token.slice(0, 8)).join(),
			lost: (problem) => {
				console.warn(problem);
				this.unchecked = t("rules_wasm");
			},
		});
		const begin = () => connection.queue(() => ({ t: "begin", gid: this.own.kept.gid, era: this.era }));
		const button = el("button", { class: "btn", type: "button", onclick: begin }, t("begin_now"));
		this.begin = el("p", { id: "begin", class: "seal", hidden: true }, button);
		this.alarm = el("div", { class: "seal problem stack", id: "alarm", role: "alert", hidden: true });
		this.words = el("div", { class: "seal words row", id: "words", role: "status", hidden: true });
		this.line = el("p", { class: "quiet", id: "chance" });
		$("say").parentElement?.after(this.alarm, this.words, this.begin);
		$("settings").querySelector("form")?.append(this.line);
		for (const opener of document.querySelectorAll("[data-settings]")) opener.addEventListener("click", () => this.agree());
	}

	era = 1; // the newest one

	/**
	 * Checks a view, after those before it, and does what it asks of this page.
	 * @param {View} view @param {boolean} isFirst of its connection
	 */
	look(view, isFirst) {
		this.view = view;
		const isFresh = isFirst || view.logFrom === undefined;
		this.done = this.done.then(() => this.follow(view, { isFirst, isFresh })).catch((error) => console.error(error));
		return this.done;
	}

	/** @param {View} view @param {{ isFirst: boolean, isFresh: boolean }} about */
	async follow(view, about) {
		const { checks } = this;
		const sleepy = Date.now() - this.awake > ASLEEP;
		await this.learnRules(view, about.isFirst);
		let { send, isMissing } = checks.look(view, about);
		if (isMissing) {
			if (await this.prove()) ({ send } = checks.look(view, { ...about, isProved: true }));
			else if (!checks.isAlarmed) {
				checks.skip(view);
				if (view.sealed.rules) this.insist(); // concealed house rules hide the proof until the end
			}
		}
		for (const message of send) this.connection.ask(message, (answer) => checks.answered(message, answer));
		if (sleepy) checks.excuse(); // a page that slept learns at once that it was asked and that its answer did not come
		this.show(view);
		if (view.outcome && !this.isOver && checks.isOwed) this.insist();
		this.isOver = Boolean(view.outcome);
		this.warn();
	}

	/**
	 * Fetches the rules, once they are known. A request for a link waits a moment for them.
	 * @param {View} view @param {boolean} isFirst
	 */
	async learnRules({ sealed, actions }, isFirst) {
		if (!sealed.level || this.checks.follower) return;
		if (!sealed.rules || !actions) {
			this.unchecked = t(sealed.gid && actions ? "rules_concealed" : "rules_untold");
			return;
		}
		if (!this.rules || (isFirst && this.unchecked)) this.rules = this.fetchRules(sealed.rules);
		if (sealed.eras.some(({ asked }) => asked)) await Promise.race([this.rules, pause(RULES)]);
	}

	/** @param {NonNullable<Sealed["rules"]>} rules */
	async fetchRules({ game, version }) {
		this.unchecked = t("rules_fetched");
		try {
			if (typeof WebAssembly !== "object") throw new Error(t("rules_wasm"));
			const { refereeOf } = await later(() => import("./referee.js"));
			const found = await refereeOf(this.table);
			if (found.game !== game || found.version !== version) throw new Error(t("rules_other"));
			this.checks.follower = found.follower;
			this.unchecked = "";
		} catch (problem) {
			this.unchecked = /** @type {Error} */ (problem).message;
		}
		if (this.view) this.look(this.view, false); // what it has shown is checked now
	}

	/** Fetches the proof and checks it with everything kept. False: there is none, or it raised an alarm. */
	async prove() {
		if (this.checks.isAlarmed) return false;
		for (let tries = 0; tries < 3; tries++)
			try {
				return await this.learn(await this.fetchProof());
			} catch {
				await pause(1000 * tries); // the server is busy, or shows it only after the end
			}
		return false;
	}

	/** The proof. Errors: with the status of the answer. */
	async fetchProof() {
		const answer = await fetch(`/api/tables/${this.table}/proof`, { headers: { "accept-language": root.lang } });
		if (answer.ok) return answer.text();
		throw Object.assign(new Error((await answer.json()).error), { status: answer.status });
	}

	/** The proof; of a finished game, that of what this page has seen. Errors: as above. */
	async fetchOwed() {
		const proof = await this.fetchProof();
		if (this.isOver && !isOf(proof, this.view?.actions ?? []))
			throw Object.assign(new Error("another record"), { status: OTHER });
		return proof;
	}

	/** @param {string} proof @param {boolean} [isOver] */
	async learn(proof, isOver) {
		return this.checks.learn(proof, await later(() => import("../sealed/checks.js")), isOver);
	}

	/** The server owes a proof: of draws that it did not show, or of the whole game at its end. It is an alarm if it refuses it. */
	async insist() {
		if (this.isOwed || this.checks.isAlarmed) return;
		this.isOwed = true;
		const { insist } = await later(() => import("../base/insist.js"));
		const isWanted = () => !this.checks.isAlarmed;
		const { state, answer, why, status } = await insist(() => this.fetchOwed(), {
			pause: (seconds) => pause(1000 * seconds),
			isWanted,
		});
		await this.done;
		this.isOwed = false;
		if (state === "given") await this.learn(answer, this.isOver);
		else if (state === "refused") this.checks.refuse(why, status === OTHER ? "proof" : "missing");
		else if (state === "offline") this.isOver = false; // asked again when the server is back
		this.warn();
	}

	/** @param {View} view */
	show(view) {
		const { sealed, you } = view;
		this.carry();
		const isElsewhere = this.own.kept.eras.some((era) =>
			you.some((seat) => era.seats[seat]?.[0] === 0 && !era.mine.includes(seat)),
		);
		const link = el("a", { href: `/verify/${this.table}`, target: "_blank" }, t("check_dice"));
		const notes = [
			sealed.level && (this.unchecked ? t("by_rules_not", { why: this.unchecked }) : t("by_rules")),
			isElsewhere && t("sealed_elsewhere"),
			!this.isStored && t("sealed_memory"),
			this.own.gap > 0 && t("sealed_gap"),
		]
			.filter(Boolean)
			.join(" ");
		this.told = [sealed.text, " ", notes && `${notes} `, sealed.level ? link : ""];
		this.write();
		$("check").hidden = !sealed.level;
		clearTimeout(this.later);
		this.era = sealed.eras.at(-1)?.number ?? 1;
		const others = sealed.waiting.some((seat) => !you.includes(seat));
		const waits = view.actor === -1 && you.length > 0 && others && sealed.eras.every(({ asked }) => !asked);
		if (!waits) this.begin.hidden = true;
		else
			this.later = setTimeout(() => {
				this.begin.hidden = false;
			}, LATER);
		this.compare(view);
	}

	/** Writes what the settings say of chance at this table. */
	write() {
		const words = this.agreed && ` ${t("words_again", { words: this.agreed })}`;
		this.line.replaceChildren(...this.told, words);
	}

	/** The four words of the newest era, which the settings have from then on; "" if they cannot be had now. */
	async agree() {
		const { opened } = this.checks;
		const list = opened ? await wordList() : [];
		if (!opened || !list.length) return "";
		this.agreed = fourWords(opened.value, list).join(" ");
		this.write();
		return this.agreed;
	}

	/**
	 * Shows the four words of the newest era where somebody elsewhere can compare them, until this page has hidden them; then they
	 * are in the settings. @param {View} view
	 */
	async compare({ seats, you }) {
		const { opened } = this.checks;
		const isAlone = seats.every(({ kind }, seat) => kind !== "person" || you.includes(seat));
		if (!opened || this.checks.isAlarmed) {
			this.words.hidden = true;
			return;
		}
		// Nobody to compare them with: the settings have them when they are opened.
		if (isAlone) {
			if (this.line.closest("dialog")?.open) await this.agree();
			return;
		}
		const words = await this.agree();
		if (!words) return;
		if (this.shown === opened.number || this.own.words === opened.number) return;
		this.shown = opened.number;
		const hide = () => {
			this.words.hidden = true;
			this.own.words = opened.number;
			this.save();
		};
		const button = el("button", { class: "btn", type: "button", onclick: hide }, t("words_same"));
		const named = el("summary", {}, t("words"), " ", el("strong", {}, words));
		this.words.replaceChildren(el("details", {}, named, el("p", { class: "quiet" }, t("words_help"))), button);
		this.words.hidden = false;
	}

	/** Shows the alarms, and offers the file of evidence. */
	warn() {
		const { alarms } = this.own.kept;
		if (!alarms.length || this.alarm.childElementCount) return;
		const file = new Blob([JSON.stringify(this.evidence)], { type: "application/json" });
		const href = URL.createObjectURL(file);
		const name = `${this.table}-evidence.json`;
		const save = el("a", { class: "btn", id: "evidence", href, download: name }, t("evidence"));
		const texts = alarms.map(({ text }) => el("p", {}, text));
		const trust = alarms.some(({ key }) => key === "key") && !this.own.kept.eras.length;
		const button = el("button", { class: "btn", type: "button", onclick: () => this.trust() }, t("trust_key"));
		const help = el("p", { class: "quiet" }, t("alarm_help"));
		this.alarm.replaceChildren(...texts, help, el("p", { class: "row" }, save, trust ? button : ""));
		this.alarm.hidden = false;
		this.words.hidden = true;
	}

	/** The file of evidence: what was kept, without the seeds, and the rows of the server's list. */
	get evidence() {
		const { kept } = this.own;
		const rows = [...kept.heads, ...this.pin.heads.filter(({ n }) => !kept.heads.some((head) => head.n === n))];
		return { ...kept, heads: rows };
	}

	/** The host has changed the server's key for a good reason, as the user knows: pin the next one. */
	trust() {
		save("server", { key: "", heads: [] });
		save(`sealed.${this.table}`, undefined);
		location.reload();
	}

	save() {
		const isStored = remember(this.table, this.own);
		this.isStored = save("server", this.pin) && isStored;
	}

	/** The seed of a seat: another page of this browser may have made it. @param {number} seat */
	seed(seat) {
		const seed = remembered(this.table).seeds[seat] ?? hex(crypto.getRandomValues(new Uint8Array(32)));
		this.own.seeds[seat] = seed;
		this.save();
		return seed;
	}

	// Puts the seeds into the address of this page, which takes them to another device as it takes the seats' tokens.
	carry() {
		const fragment = new URLSearchParams(location.hash.slice(1));
		const host = fragment.get("h");
		const seeds = Object.entries(this.own.seeds).map(([seat, seed]) => `${seat}-${seed}`);
		if (!fragment.get("s") || (fragment.get("d") ?? "") === seeds.join(".")) return;
		history.replaceState(null, "", `#s=${fragment.get("s")}&d=${seeds.join(".")}${host ? `&h=${host}` : ""}`);
	}
}
