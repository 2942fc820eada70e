// What can be checked of a proof of chance without any rule of a game: commitments, links, keys, draws from their weights.
import { bytes, climb, drawKey, entropy, eventKey, hex, isLinkOf, join, root, Stream, transcript, u32 } from "./bgf1.js";
import { sha256 } from "./sha256.js";

const LABEL = "chance";
const text = (words) => new TextEncoder().encode(words);

// A proof from its JSON; what is not one is refused here, so that nothing below has to ask.
export function read(json) {
	const proof = JSON.parse(json), { protocol, record, eras, draws } = proof;
	const isHex = (value, size) => typeof value === "string" && /^([0-9a-f]{2})*$/.test(value) && (size === undefined || value.length === 2 * size);
	const isLink = ({ seat, number, value }) => Number.isInteger(seat) && number >= 1 && number <= 1024 && isHex(value, 32);
	const isEra = (era) => isHex(era.game_id, 16) && isHex(era.root, 32) && isHex(era.transcript, 32) && [1, 2].includes(era.level)
		&& era.depth >= 1 && era.depth <= 16 && Number.isInteger(era.first) && era.seats.every(({ source, head }) => source >= 0 && source <= 2 && isHex(head, 32))
		&& era.links.every(isLink) && Object.values(era.answers || {}).every((all) => all.every(isLink)) && (!era.secret || isHex(era.secret, 32))
		&& Object.values(era.keys || {}).every(({ key, path }) => isHex(key, 32) && path.every((each) => isHex(each, 32)));
	const isDraw = ({ weights, index, name }) => weights.every((weight) => Number.isInteger(weight) && weight >= 0) && Number.isInteger(index) && typeof name === "string";
	if (protocol !== "bgf1" || typeof record !== "string" || !eras.length || !eras.every(isEra) || !Array.isArray(draws) || !draws.every(isDraw)) throw new Error("bgf1");
	return proof;
}

function header(record, name) {
	return record.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
}

// Everything that was found: [verdict ("holds", "open", "broken"), key of words, parameters, era].
export function* check(proof) {
	const { record, eras, draws } = proof, edges = eras.map(({ first }) => first);
	if (edges.some((edge, i) => i && edge < edges[i - 1])) { yield ["broken", "v_edges"]; return; }
	if (edges[0]) yield ["open", "v_before", { n: edges[0] }];
	const rules = sha256(text(["game", "rules", "options"].map((name) => header(record, name)).join("\n")));
	for (const [i, era] of eras.entries()) {
		const part = draws.slice(era.first, edges[i + 1] ?? draws.length);
		for (const [verdict, key, params] of ofEra(era, part, rules)) yield [verdict, key, params, eras.length > 1 ? i + 1 : 0];
	}
	const said = record.split("\n").filter((line) => /^\d+\. /.test(line)).flatMap((line) => line.replace(/^\d+\. /, "").split(";").map((each) => each.trim()));
	let at = -1;
	const standing = draws.every(({ name }) => (at = said.indexOf(name, at + 1)) >= 0);
	yield told(standing, "v_record");
}

function* ofEra(era, draws, rules) {
	const gid = bytes(era.game_id), top = bytes(era.root), seats = era.seats.map(({ source, head }) => ({ source, head: bytes(head) }));
	const agreed = transcript(gid, rules, top, era.depth, era.level, seats, bytes(era.beacon || ""));
	yield told(hex(agreed) === era.transcript, "v_transcript");
	const links = [...era.links, ...Object.values(era.answers || {}).flat()];
	yield told(links.every((link) => seats[link.seat] && isLinkOf(seats[link.seat].head, open(link), gid)), "v_links");
	const secret = era.secret && bytes(era.secret);
	yield secret ? told(hex(root(secret, gid, era.depth)) === era.root, "v_secret") : ["open", "v_no_secret"];
	const keys = Object.entries(era.keys || {});
	if (keys.length) yield told(keys.every(([e, { key, path }]) => path.length === era.depth && e < 2 ** path.length && hex(climb(Number(e), bytes(key), path.map(bytes))) === era.root), "v_keys");
	yield* ofDraws(era, draws, agreed, (e) => (secret ? eventKey(secret, gid, e) : era.keys?.[e] && bytes(era.keys[e].key)));
}

const told = (holds, key) => [holds ? "holds" : "broken", holds ? key : `${key}_not`];
const open = ({ seat, number, value }) => ({ seat, number, value: bytes(value) });

// Links of which an event is made: level 1, the first of every seat; null where one is missing.
function linksOf(era, e) {
	if (era.level === 2) return era.answers?.[e] ?? null;
	return era.links.length === era.seats.length && era.links.every(({ seat, number }, i) => seat === i && number === 1) ? era.links : null;
}

function* ofDraws(era, draws, agreed, keyOf) {
	const used = new Set(), late = new Set(Object.entries(era.defaults || {}).filter(([e]) => Number(e) < draws.length).flatMap(([, seats]) => seats));
	let checked = 0, alone = 0;
	for (const [e, { weights, index, name }] of draws.entries()) {
		const key = keyOf(e), links = linksOf(era, e);
		if (!key || !links) continue;
		if (era.level === 2 && links.some(({ seat, number }) => used.has(`${seat}.${number}`))) yield ["broken", "v_twice", { n: era.first + e + 1 }];
		for (const { seat, number } of links) used.add(`${seat}.${number}`);
		alone += !links.length;
		const shared = entropy(agreed, links.map(open), era.level === 1 ? 0 : e, bytes(era.beacon_signature || ""));
		const sum = weights.reduce((a, b) => a + b, 0), made = sum > 0 && sum <= 2 ** 32 ? new Stream(drawKey(key, shared, e), LABEL).weighted(weights) : -1;
		if (made !== index) { yield ["broken", "v_draw", { n: era.first + e + 1, name }]; return; }
		checked++;
	}
	yield ["holds", "v_draws", { n: checked, of: draws.length }];
	if (checked < draws.length) yield ["open", "v_missing", { n: draws.length - checked }];
	if (late.size) yield ["open", "v_late", { names: [...late].map((seat) => seat + 1).join(", ") }];
	if (alone) yield ["open", "v_alone", { n: alone }];
	const own = era.seats.flatMap(({ source }, seat) => (source === 1 ? [] : [seat + 1]));
	yield own.length ? ["holds", "v_own", { seats: own.join(", ") }] : ["open", "v_none_own"];
}

// Does the era stand in the server's list, in a row that follows from the one before?
export function isListed(rows, era) {
	const at = rows.findIndex(({ n, gid }) => n === era.listed && gid === era.game_id), row = rows[at];
	const before = era.listed === 1 ? "0".repeat(64) : rows[at - 1]?.link;
	if (!row || row.root !== era.root || !before) return false;
	return hex(sha256(join(text("bridgehead sealed\0"), bytes(before), u32(row.n), bytes(row.gid), bytes(row.root)))) === row.link;
}

// Whether the server's key signed the transcript; undefined where this browser cannot tell.
export async function isSigned(server, era) {
	try {
		const key = await crypto.subtle.importKey("raw", bytes(server), "Ed25519", false, ["verify"]);
		return await crypto.subtle.verify("Ed25519", key, bytes(era.signature), bytes(era.transcript));
	} catch { return undefined; }
}
