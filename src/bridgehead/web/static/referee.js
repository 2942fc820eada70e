// @ts-check
// Fetches the rules by which this page follows a table's record.
import { ask, root } from "./dom.js";
import { fetch } from "./elements.js";
import { followerOf } from "./follower.js";

/** @param {string} text base64 */
const bytes = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));

/** @param {Uint8Array<ArrayBuffer>} packed by zlib */
const unpacked = async (packed) =>
	new Uint8Array(await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer());

/**
 * A follower of a table's record. Errors: the sentence of a server that does not give the rules, or one of the browser.
 * @param {string} table
 */
export async function refereeOf(table) {
	const { game, version, module, most, law, start } = await ask(`/api/tables/${table}/referee`);
	const answer = await fetch(module, { headers: { "accept-language": root.lang } });
	if (!answer.ok) throw new Error((await answer.json()).error);
	const given = { module: await answer.arrayBuffer(), most, law: await unpacked(bytes(law)), start: bytes(start) };
	return { game, version, follower: await followerOf(given) };
}
