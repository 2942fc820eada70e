// @ts-check
// Fetches the rules by which this page follows a table's record.

import { bytesOf, unpacked } from "../base/bytes.js";
import { fetch, root } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { followerOf } from "../sealed/follower.js";

/**
 * A follower of a table's record. Errors: the sentence of a server that does not give the rules, or one of the browser.
 * @param {string} table
 */
export async function refereeOf(table) {
	const { game, version, module, most, law, start } = await ask(`/api/tables/${table}/referee`);
	const answer = await fetch(module, { headers: { "accept-language": root.lang } });
	if (!answer.ok) throw new Error((await answer.json()).error);
	const program = await answer.arrayBuffer();
	try {
		const follower = await followerOf({ module: program, most, law: await unpacked(law), start: bytesOf(start) });
		return { game, version, follower };
	} catch (problem) {
		console.warn(problem);
		throw new Error(t("rules_wasm"));
	}
}
