// @ts-check
// Data as a short text for the fragment of a link, and back. The link is self-contained: any installation can open it. Characters
// that a letter put behind it are ignored.
import { t } from "./i18n.js";

const LONGEST = 60000; // characters of a text, and bytes of its content

const toText = (/** @type {Uint8Array} */ bytes) => {
	const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
	return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};
const toBytes = (/** @type {string} */ text) =>
	Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));

/** Sends bytes through a stream. At most LONGEST bytes come out, so that a small input cannot fill the memory.
 * @param {CompressionStream | DecompressionStream} stream @param {Uint8Array<ArrayBuffer>} bytes */
async function through(stream, bytes) {
	const writer = stream.writable.getWriter();
	const reader = stream.readable.getReader();
	/** @type {Uint8Array<ArrayBuffer>[]} */
	const found = [];
	const written = Promise.all([writer.write(bytes), writer.close()]);
	written.catch(() => {
		/* the reader gets the same error */
	});
	let size = 0;
	for (let part = await reader.read(); !part.done; part = await reader.read()) {
		found.push(part.value);
		size += part.value.length;
		if (size > LONGEST) {
			reader.cancel();
			throw new Error("too much");
		}
	}
	return new Uint8Array(await new Blob(found).arrayBuffer());
}

/** @param {unknown} data */
export async function pack(data) {
	const bytes = new TextEncoder().encode(JSON.stringify(data));
	if (bytes.length > LONGEST) throw new Error(t("link_long"));
	if (!("CompressionStream" in window)) return `j${toText(bytes)}`;
	return `z${toText(await through(new CompressionStream("deflate"), bytes))}`;
}

/** @param {string} text */
export async function unpack(text) {
	if (text.length > LONGEST) throw new Error(t("link_long"));
	try {
		const bytes = toBytes(text.slice(1).replace(/[^\w-].*$/s, ""));
		if (!/^[jz]/.test(text)) throw new Error("unknown form");
		const plain = text[0] === "z" ? await through(new DecompressionStream("deflate"), bytes) : bytes;
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
	} catch {
		throw new Error(t("link_bad"));
	}
}
