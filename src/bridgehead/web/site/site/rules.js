// @ts-check
// What Python's searches have of the site (`engine.Script`): the compiled rules of the games, and their endgame tables.

/** The rules of a game with this layout of state and law. @param {string} game @param {string} layout */
export async function rules(game, layout) {
	const { load } = await import(new URL("../static/wasm/wasm_rules.js", import.meta.url).href);
	return load(await file(`wasm/${game}-${layout}.wasm`));
}

/** The bytes of a file of the site. @param {string} path */
export async function file(path) {
	const answer = await fetch(new URL(`../${path}`, import.meta.url));
	if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
	return new Uint8Array(await answer.arrayBuffer());
}
