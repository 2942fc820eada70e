// @ts-check
// Requests to the server.
import { fetch, pause, root } from "./dom.js";
import { t } from "./i18n.js";

const AGAIN = [400, 1500]; // ms until something is asked for again

/**
 * The answer; nothing if the server cannot be reached. What only asks is sent again after a failure that may pass.
 * @param {string} url @param {RequestInit} init
 */
async function send(url, init) {
	for (let n = 0; ; n++) {
		const answer = await fetch(url, init).catch(() => undefined);
		const mayPass = !answer || [502, 503, 504].includes(answer.status);
		if (!mayPass || init.method || n === AGAIN.length) return answer;
		await pause(AGAIN[n]);
	}
}

/** @param {string} url @param {unknown} [body] */
async function request(url, body) {
	const text = typeof body === "string";
	const headers = {
		"accept-language": root.lang,
		...(body !== undefined && { "content-type": text ? "text/plain" : "application/json" }),
	};
	const init = body === undefined ? { headers } : { method: "POST", body: text ? body : JSON.stringify(body), headers };
	const answer = await send(url, init);
	if (!answer) throw Object.assign(new Error(t("offline")), { url });
	const data = await (/json/.test(answer.headers.get("content-type") ?? "") ? answer.json() : answer.text());
	if (!answer.ok)
		throw Object.assign(new Error(data.error || t("failed", { status: answer.status })), { where: data.where, url });
	return data;
}

/** @type {Ask} */
export const ask = request;

// What no page catches is at least said.
addEventListener("unhandledrejection", ({ reason }) => {
	if (reason?.url) window.bridgeheadMissing?.(reason.url);
});
