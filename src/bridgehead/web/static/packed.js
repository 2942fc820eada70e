// Data as a short text for a link's fragment, and back. Needs nothing but the link: any installation can open it; what a letter
// has put behind it is left out.
import { t } from "./words.js";

const LONGEST = 60000; // of a text, and bytes of what it holds

const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
const toBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (each) => each.charCodeAt(0));

// Never more than LONGEST bytes come out, however small what goes in.
async function through(stream, bytes) {
	const writer = stream.writable.getWriter(), reader = stream.readable.getReader(), found = [];
	const written = Promise.all([writer.write(bytes), writer.close()]);
	written.catch(() => { /* the reader hears of it */ });
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

export async function pack(data) {
	const bytes = new TextEncoder().encode(JSON.stringify(data));
	if (bytes.length > LONGEST) throw new Error(t("link_long"));
	return window.CompressionStream ? `z${toText(await through(new CompressionStream("deflate"), bytes))}` : `j${toText(bytes)}`;
}

export async function unpack(text) {
	if (text.length > LONGEST) throw new Error(t("link_long"));
	try {
		const bytes = toBytes(text.slice(1).replace(/[^\w-].*$/s, "")), plain = { j: bytes, z: text[0] === "z" && await through(new DecompressionStream("deflate"), bytes) };
		return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain[text[0]]));
	} catch { throw new Error(t("link_bad")); }
}
