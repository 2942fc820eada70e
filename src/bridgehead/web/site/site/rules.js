// @ts-check
// The compiled rules of the games, for Python (`engine.Script`).

/** The rules of a game with this layout of state and law. @param {string} game @param {string} layout */
export async function rules(game, layout) {
	const { load } = await import(new URL("../static/wasm_rules.js", import.meta.url).href);
	const answer = await fetch(new URL(`../wasm/${game}-${layout}.wasm`, import.meta.url));
	if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
	return load(await answer.arrayBuffer());
}
