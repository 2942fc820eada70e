// @ts-check
// Requests to the server.
import { fetch, root } from "./dom.js";
import { t } from "./i18n.js";

/** @param {string} url @param {unknown} [body] */
async function request(url, body) {
	const text = typeof body === "string";
	const headers = {
		"accept-language": root.lang,
		...(body !== undefined && { "content-type": text ? "text/plain" : "application/json" }),
	};
	const init = body === undefined ? { headers } : { method: "POST", body: text ? body : JSON.stringify(body), headers };
	const answer = await fetch(url, init).catch(() => {
		throw new Error(t("offline"));
	});
	const data = await (/json/.test(answer.headers.get("content-type") ?? "") ? answer.json() : answer.text());
	if (!answer.ok) throw Object.assign(new Error(data.error || t("failed", { status: answer.status })), { where: data.where });
	return data;
}

/** @type {Ask} */
export const ask = request;
