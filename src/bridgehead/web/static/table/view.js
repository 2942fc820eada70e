// @ts-check
// Completes the views of a table: the server leaves out what has not changed since the view before.

/** @param {Item[]} items @param {Message<"view">["patch"]} patch */
function patched(items, { gone, put } = { gone: [], put: [] }) {
	const out = new Set([...gone, ...put.map(([, { id }]) => id)]);
	const kept = items.filter(({ id }) => !out.has(id));
	for (const [place, item] of put) kept.splice(place, 0, item);
	return kept;
}

/**
 * The first view is complete: only then is there none before.
 * @param {View} before @param {Message<"view">} news @returns {View}
 */
export function merged(before, news) {
	const from = news.logFrom ?? 0;
	return {
		...news,
		log: [...(before?.log ?? []).slice(0, from), ...news.log],
		actions: [...(before?.actions ?? []).slice(0, from), ...(news.actions ?? [])],
		items: news.items || patched(before.items, news.patch),
		picture: news.picture || before.picture,
		goal: news.goal || before?.goal,
		sealed: news.sealed || before.sealed,
		recent: news.recent || before.recent,
	};
}
