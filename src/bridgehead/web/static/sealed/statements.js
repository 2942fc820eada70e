// @ts-check
// Signed statements of a server, and the files that carry them. Two that contradict each other prove that it told two stories.
/** @import { Proof } from "./checks.js" */
import { bytes, hex } from "./bgf1.js";
import { eraStatement, listLink, listStatement, rowOf } from "./bgf2.js";
import { isSigned } from "./ed25519.js";

/** @param {unknown} value @param {number} size in bytes */
export const isHex = (value, size) => typeof value === "string" && value.length === 2 * size && /^[0-9a-f]*$/.test(value);
/** A whole number from 0 to `limit` - 1. @param {number} value */
export const isNumber = (value, limit = 2 ** 32) => Number.isInteger(value) && value >= 0 && value < limit;

/** Did the key sign the statement? @param {Statement} statement @param {string} key */
export function holds({ kind, gid, number, value, signature }, key) {
	if (!isHex(signature, 64) || !isHex(value, 32) || !isHex(key, 32) || !isNumber(number)) return false;
	const text = kind === "era" ? eraStatement(bytes(gid), number, bytes(value)) : listStatement(number, bytes(value));
	return isSigned(bytes(key), text, bytes(signature));
}

/** Does the row of an era follow from the row before, and did the server sign it?
 * @param {string} gid @param {number} number @param {string} transcript @param {Listed} listed @param {string} key */
export function follows(gid, number, transcript, { n, before, link, signature }, key) {
	if (!isHex(before, 32) || !isNumber(n)) return false;
	const made = listLink(bytes(before), n, rowOf(bytes(gid), number), bytes(transcript));
	return hex(made) === link && holds({ kind: "list", gid: "", number: n, value: link, signature }, key);
}

/**
 * @param {string} gid @param {{ number: number, transcript: string, signature: string, listed: Listed | null }} era
 * @returns {Statement[]}
 */
export function ofEra(gid, { number, transcript, signature, listed }) {
	/** @type {Statement} */
	const frozen = { kind: "era", gid, number, value: transcript, signature };
	return (listed ? [frozen, ofHead(listed)] : [frozen]).filter((each) => isHex(each.signature, 64));
}

/** @param {SignedHead} head @returns {Statement} */
export const ofHead = ({ n, link, signature }) => ({ kind: "list", gid: "", number: n, value: link, signature });

/**
 * What a client kept, from its JSON; null if the file is something else. Throws if it is damaged.
 * @param {string} json @returns {Kept | null}
 */
export function readKept(json) {
	/** @type {Kept} */
	const kept = JSON.parse(json);
	if (kept?.protocol !== "bgf2 kept") return null;
	const { gid, server, eras, draws, heads, alarms, statements } = kept;
	const fits =
		isHex(gid, 16) &&
		isHex(server, 32) &&
		eras.every(({ number, transcript }) => isNumber(number) && isHex(transcript, 32)) &&
		draws.every(({ index, links, weights }) => isNumber(index) && Array.isArray(links) && Array.isArray(weights)) &&
		heads.every(({ n, link }) => isNumber(n) && isHex(link, 32)) &&
		alarms.every(({ text }) => typeof text === "string") &&
		statements.every(({ number, value }) => isNumber(number) && isHex(value, 32));
	if (!fits) throw new Error("kept");
	return kept;
}

/**
 * The statements of a file, each with the key that should have signed it.
 * @param {Proof | Kept} file @returns {[string, Statement][]}
 */
export function statementsOf(file) {
	const { server, gid } = file;
	const more = "heads" in file ? [...file.statements, ...file.heads.filter(({ signature }) => signature).map(ofHead)] : [];
	return [...file.eras.flatMap((era) => ofEra(gid, era)), ...more].map((each) => [server, each]);
}

/**
 * Pairs of rightly signed statements by one key about one thing, with different values.
 * @param {[string, Statement][]} all
 */
export function contradictions(all) {
	/** @type {Map<string, Statement>} */
	const first = new Map();
	/** @type {Map<string, { server: string, statements: [Statement, Statement] }>} */
	const pairs = new Map();
	for (const [server, statement] of all) {
		const id = [server, statement.kind, statement.gid, statement.number].join();
		const before = first.get(id);
		if ((before && before.value === statement.value) || pairs.has(id) || !holds(statement, server)) continue;
		if (before) pairs.set(id, { server, statements: [before, statement] });
		else first.set(id, statement);
	}
	return [...pairs.values()];
}
