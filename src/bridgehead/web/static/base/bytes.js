// @ts-check
// Bytes that were compressed by zlib, as text.

/** @param {string} text base64 @returns {Uint8Array<ArrayBuffer>} */
export const bytesOf = (text) => Uint8Array.from(atob(text), (each) => each.charCodeAt(0));

/** @param {string} text base64 */
export async function unpacked(text) {
	const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate"));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}
