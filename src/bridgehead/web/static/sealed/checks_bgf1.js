// @ts-check
// Checks proofs of BGF1, the first version of sealed chance, which a server that was changed to cheat can steer. It knows no
// rules: it checks commitments, links, keys, and draws from their weights.
/** @import { Finding, Params, Verdict } from "./checks.js" */
/** @import { Bytes } from "./sha256.js" */
import { bytes, climb, drawKey, entropy, eventKey, hex, isLinkOf, join, root, Stream, transcript, u32 } from "./bgf1.js";
import { isSigned } from "./ed25519.js";
import { sha256 } from "./sha256.js";

const LABEL = "chance";
const text = (/** @type {string} */ words) => /** @type {Bytes} */ (new TextEncoder().encode(words));

/** A proof as its file holds it (bridgehead/fairness/proof_bgf1.py); bytes are hexadecimal.
 * @typedef {{ protocol: string, record: string, server?: string, eras: ProofEra[], draws: Draw[] }} Proof */
/** @typedef {{
 *   game_id: string, root: string, transcript: string, level: number, depth: number, first: number, signature?: string,
 *   seats: { source: number, head: string }[], links: HexLink[], answers?: { [e: string]: HexLink[] }, secret?: string,
 *   keys?: { [e: string]: { key: string, path: string[] } }, defaults?: { [e: string]: number[] }, listed?: number,
 *   beacon?: string, beacon_signature?: string
 * }} ProofEra */
/**
 * @typedef {{ seat: number, number: number, value: string }} HexLink
 * @typedef {{ weights: number[], index: number, name: string }} Draw
 */
/**
 * A proof from its JSON. Throws if it is none, so that the checks below can rely on its shape.
 * @param {string} json @returns {Proof}
 */
export function read(json) {
	/** @type {Proof} */
	const proof = JSON.parse(json);
	const { protocol, record, eras, draws } = proof;
	const isDraw = (/** @type {Draw} */ { weights, index, name }) =>
		weights.every((weight) => Number.isInteger(weight) && weight >= 0) && Number.isInteger(index) && typeof name === "string";
	const isProof = protocol === "bgf1" && typeof record === "string" && eras.length && eras.every(isEra);
	if (!isProof || !Array.isArray(draws) || !draws.every(isDraw)) throw new Error("bgf1");
	return proof;
}

/** Is it an era of BGF1 with every part in its place? @param {ProofEra} era */
export function isEra(era) {
	const isHex = (/** @type {unknown} */ value, /** @type {number | undefined} */ size) =>
		typeof value === "string" && /^([0-9a-f]{2})*$/.test(value) && (size === undefined || value.length === 2 * size);
	const isLink = (/** @type {HexLink} */ { seat, number, value }) =>
		Number.isInteger(seat) && number >= 1 && number <= 1024 && isHex(value, 32);
	return (
		isHex(era.game_id, 16) &&
		isHex(era.root, 32) &&
		isHex(era.transcript, 32) &&
		[1, 2].includes(era.level) &&
		era.depth >= 1 &&
		era.depth <= 16 &&
		Number.isInteger(era.first) &&
		era.seats.every(({ source, head }) => source >= 0 && source <= 2 && isHex(head, 32)) &&
		era.links.every(isLink) &&
		Object.values(era.answers || {}).every((all) => all.every(isLink)) &&
		(!era.secret || isHex(era.secret, 32)) &&
		Object.values(era.keys || {}).every(({ key, path }) => isHex(key, 32) && path.every((each) => isHex(each, 32)))
	);
}

/** @param {string} record @param {string} name */
export function header(record, name) {
	const line = record.split("\n").find((each) => each.startsWith(`${name}: `));
	return line?.slice(name.length + 2) ?? "";
}

/** @param {Verdict} verdict @param {string} key @param {Params} [params] @returns {Finding} */
const finding = (verdict, key, params = {}) => ({ name: "bgf1", verdict, key, params, era: 0 });
/** @param {boolean} holds @param {string} key */
const found = (holds, key) => finding(holds ? "holds" : "broken", holds ? key : `${key}_not`);
const opened = (/** @type {HexLink} */ { seat, number, value }) => ({ seat, number, value: bytes(value) });

/** @typedef {{ n: number, gid: string, root: string, link: string }[]} Rows of the server's public list */

/** All findings about a proof. At best it is open. @param {Proof} proof @param {Rows} [rows] @returns {Generator<Finding>} */
export function* check(proof, rows) {
	const { record, eras, draws, server = "" } = proof;
	const edges = eras.map(({ first }) => first);
	yield finding("open", "v_bgf1");
	if (edges.some((edge, i) => i && edge < edges[i - 1])) {
		yield finding("broken", "v_edges");
		return;
	}
	if (edges[0]) yield finding("open", "v_before", { n: edges[0] });
	for (const [i, era] of eras.entries()) {
		const part = draws.slice(era.first, edges[i + 1] ?? draws.length);
		const number = eras.length > 1 ? i + 1 : 0;
		for (const each of ofEra(era, part, record, server)) yield { ...each, era: number };
		if (!rows || !era.listed) continue;
		const isThere = isListed(rows, era);
		yield { ...finding(isThere ? "holds" : "broken", isThere ? "v_listed" : "v_listed_not", { n: era.listed }), era: number };
	}
	let at = -1;
	const actions = actionsOf(record);
	const all = draws.every(({ name }) => {
		at = actions.indexOf(name, at + 1);
		return at >= 0;
	});
	yield found(all, "v_record");
}

/** The actions of a record, in their notation. @param {string} record */
export function actionsOf(record) {
	const turns = record.split("\n").filter((line) => /^\d+\. /.test(line));
	return turns.flatMap((line) => line.replace(/^\d+\. /, "").split(";")).map((each) => each.trim());
}

/** @param {ProofEra} era @param {Draw[]} draws @param {string} record @param {string} server @returns {Generator<Finding>} */
export function* ofEra(era, draws, record, server) {
	const gid = bytes(era.game_id);
	const top = bytes(era.root);
	const rules = sha256(text(["game", "rules", "options"].map((name) => header(record, name)).join("\n")));
	const seats = era.seats.map(({ source, head }) => ({ source, head: bytes(head) }));
	const agreed = transcript(gid, rules, top, era.depth, era.level, seats, bytes(era.beacon || ""));
	yield found(hex(agreed) === era.transcript, "v_transcript");
	if (era.beacon_signature) yield finding(era.beacon ? "open" : "broken", "v_beacon");
	if (server && era.signature) {
		const isRight = isSigned(bytes(server), bytes(era.transcript), bytes(era.signature));
		yield finding(isRight ? "holds" : "broken", isRight ? "v_signed" : "v_signed_not", { key: server.slice(0, 16) });
	}
	const links = [...era.links, ...Object.values(era.answers || {}).flat()];
	yield found(
		links.every((link) => seats[link.seat] && isLinkOf(seats[link.seat].head, opened(link), gid)),
		"v_links",
	);
	const secret = era.secret && bytes(era.secret);
	yield secret ? found(hex(root(secret, gid, era.depth)) === era.root, "v_secret") : finding("open", "v_no_secret");
	const keys = Object.entries(era.keys || {});
	const fits = (/** @type {number} */ e, /** @type {string} */ key, /** @type {string[]} */ path) =>
		path.length === era.depth && e < 2 ** path.length && hex(climb(e, bytes(key), path.map(bytes))) === era.root;
	if (keys.length)
		yield found(
			keys.every(([e, { key, path }]) => fits(Number(e), key, path)),
			"v_keys",
		);
	yield* ofDraws(era, draws, agreed, (e) => {
		if (secret) return eventKey(secret, gid, e);
		const known = era.keys?.[e];
		return known && bytes(known.key);
	});
}

/**
 * The links that an event is made of: at level 1 the first of every seat; null if one is missing.
 * @param {ProofEra} era @param {number} e
 */
function linksOf(era, e) {
	if (era.level === 2) return era.answers?.[e] ?? null;
	const whole = era.links.length === era.seats.length && era.links.every(({ seat, number }, i) => seat === i && number === 1);
	return whole ? era.links : null;
}

/**
 * @param {ProofEra} era @param {Draw[]} draws @param {Bytes} agreed @param {(e: number) => Bytes | undefined} keyOf
 * @returns {Generator<Finding>}
 */
function* ofDraws(era, draws, agreed, keyOf) {
	const used = new Set();
	const late = new Set(
		Object.entries(era.defaults || {})
			.filter(([e]) => Number(e) < draws.length)
			.flatMap(([, seats]) => seats),
	);
	let checked = 0;
	let alone = 0;
	for (const [e, { weights, index, name }] of draws.entries()) {
		const key = keyOf(e);
		const links = linksOf(era, e);
		if (!key || !links) continue;
		if (era.level === 2 && links.some(({ seat, number }) => used.has(`${seat}.${number}`)))
			yield finding("broken", "v_twice", { n: era.first + e + 1 });
		for (const { seat, number } of links) used.add(`${seat}.${number}`);
		alone += Number(!links.length);
		const shared = entropy(agreed, links.map(opened), era.level === 1 ? 0 : e, bytes(era.beacon_signature || ""));
		const sum = weights.reduce((a, b) => a + b, 0);
		const stream = new Stream(drawKey(key, shared, e), LABEL);
		if ((sum > 0 && sum <= 2 ** 32 ? stream.weighted(weights) : -1) !== index) {
			yield finding("broken", "v_draw", { n: era.first + e + 1, name });
			return;
		}
		checked++;
	}
	yield finding("holds", "v_draws", { n: checked, of: draws.length });
	if (checked < draws.length) yield finding("open", "v_missing", { n: draws.length - checked });
	if (late.size) yield finding("open", "v_late", { names: [...late].map((seat) => seat + 1).join(", ") });
	if (alone) yield finding("open", "v_alone", { n: alone });
	const own = era.seats.flatMap(({ source }, seat) => (source === 1 ? [] : [seat + 1]));
	yield own.length ? finding("holds", "v_own", { seats: own.join(", ") }) : finding("open", "v_none_own");
}

/** Is the era in the server's list, in a row that follows from the one before? @param {Rows} rows @param {ProofEra} era */
function isListed(rows, era) {
	const at = rows.findIndex(({ n, gid }) => n === era.listed && gid === era.game_id);
	const row = rows[at];
	const before = era.listed === 1 ? "0".repeat(64) : rows[at - 1]?.link;
	if (!row || row.root !== era.root || !before) return false;
	const parts = [text("bridgehead sealed\0"), bytes(before), u32(row.n), bytes(row.gid), bytes(row.root)];
	return hex(sha256(join(...parts))) === row.link;
}
