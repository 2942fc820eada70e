// @ts-check
// Links to hand on, with QR codes: to a table, to a seat, and the link that holds a whole game.
import { copier } from "../base/clipboard.js";
import { closer, dialog } from "../base/dialog.js";
import { el, href, parseSvg, style } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";

await style("people/share");

const MOST = 1500; // characters of a QR code

/** @typedef {Answer<"GET /api/network">} Reach */
/**
 * Makes links from the address of this server. QR codes are for other devices.
 * @typedef {(base: string, qr: boolean) => Promise<Element[]>} Links
 */

/**
 * How other devices reach this server, even if this page was opened by a name that only this device knows.
 * @returns {Promise<Reach>}
 */
async function reach() {
	if (window.site) return { base: window.site.href("/").slice(0, -1), command: "", opens: false };
	const local = /^(localhost|127\.|\[::1)/.test(location.hostname);
	return local ? ask("/api/network") : { base: location.origin, command: "", opens: false };
}

/** Keeps the secret with which this browser may open the network: it is in the address that the command opens. */
export function keepSecret() {
	const secret = new URLSearchParams(location.hash.slice(1)).get("network");
	if (!secret) return;
	save("network", secret);
	history.replaceState(null, "", location.pathname);
}

/**
 * Links for others. As long as no other device reaches this server, a notice stands in their place: it opens the network, which
 * the person at this machine confirms by the page that the command opened or by a number on its terminal; where neither is, it
 * shows the command that does.
 * @param {Links} make
 */
export async function shared(make) {
	const node = el("div", { class: "stack" });
	const error = el("p", { class: "problem", role: "alert", hidden: true });
	/** @param {boolean} open @param {string} [secret] */
	const change = async (open, secret = load("network", "")) => {
		try {
			const now = await ask("/api/network", { secret, open });
			save("network", secret);
			await show(now, open);
		} catch (wrong) {
			save("network", undefined);
			await show(await ask("/api/network"));
			showError(error, wrong);
		}
	};
	const button = (/** @type {string} */ label, /** @type {boolean} */ open, /** @type {string} */ look) =>
		el("button", { class: `btn ${look}`, type: "button", onclick: () => change(open) }, label);
	const askCode = async () => {
		try {
			await ask("/api/network", { ask: true });
		} catch (wrong) {
			showError(error, wrong);
			return;
		}
		const field = el("input", { inputmode: "numeric", maxlength: "6", size: "8", autocomplete: "off", required: "" });
		field.ariaLabel = t("network.code_label");
		const form = el("form", { class: "row" }, field, el("button", { class: "btn main" }, t("network.let_in")));
		form.onsubmit = (event) => {
			event.preventDefault();
			change(true, field.value.trim());
		};
		node.querySelector(".alone .offer")?.replaceChildren(el("p", {}, t("network.code")), form);
		field.focus();
	};
	const show = async (/** @type {Reach} */ { base, command, opens, asks }, tried = false) => {
		showError(error);
		const mine = opens && Boolean(load("network", ""));
		if (base) {
			const opened = [el("span", { class: "quiet" }, t("network.open", { base })), button(t("network.close"), false, "bare")];
			node.replaceChildren(...(await make(base, true)), ...(mine ? [el("p", { class: "row" }, ...opened)] : []));
			return;
		}
		const field = fieldOf(command, t("network.command_label"));
		const byHand = [el("p", {}, t("network.command")), el("p", { class: "row grows" }, field, copier(field))];
		const asking = el("button", { class: "btn main", type: "button", onclick: askCode }, t("network.let_in"));
		const how = [
			el("p", {}, t(tried ? "network.none" : "network.alone")),
			...(mine ? [el("p", {}, button(t("network.let_in"), true, "main"))] : []),
			...(asks && !mine ? [el("div", { class: "stack offer" }, asking)] : []),
			...((mine || asks) && !tried ? [] : byHand),
		];
		node.replaceChildren(
			el("section", { class: "panel pad stack alone" }, ...how, error),
			el("details", {}, el("summary", {}, t("network.here")), ...(await make(location.origin, false))),
		);
	};
	await show(await reach());
	return node;
}

/** A code that other devices scan; none on a static site, whose tables are in this browser. @param {string} text */
export async function qr(text) {
	if (window.site) return undefined;
	const code = parseSvg(await ask("/api/qr", { text }));
	const size = parseFloat(code.getAttribute("width") ?? "");
	if (size) code.setAttribute("viewBox", `0 0 ${size} ${size}`);
	code.setAttribute("class", "qr");
	code.setAttribute("aria-hidden", "true");
	return code;
}

/** @param {string} value @param {string} label */
const fieldOf = (value, label) => el("input", { value, readonly: "", "aria-label": label });

/** A whole address. @param {string} path @param {string} base */
const whole = (path, base) => new URL(href(path), base).href;

/** A link of this server, to be copied or scanned. @param {string} path @param {string} name */
export const linkRow = (path, name) =>
	shared(async (base, scanned) => {
		const url = whole(path, base);
		const field = fieldOf(url, t("link_of", { name }));
		const link = el("div", { class: "row" }, field, copier(field));
		return [el("div", { class: "row given" }, scanned && (await qr(url)), link)];
	});

/**
 * Invitations: links with a mark and a name, in a list.
 * @param {{ mark: Element | "", name: string, path: string }[]} invitations
 */
export const inviteRows = (invitations) =>
	shared(async (base, scanned) => {
		const rows = invitations.map(async ({ mark, name, path }) => {
			const field = fieldOf(base + path, t("link_of", { name }));
			const title = el("p", { class: "row" }, mark ? mark.cloneNode(true) : "", el("strong", {}, name));
			const link = el("p", { class: "row" }, field, copier(field));
			const code = scanned && (await qr(base + path));
			return el("li", { class: "panel row" }, code, el("div", { class: "stack" }, title, link));
		});
		return [el("ol", { class: "invites stack" }, ...(await Promise.all(rows)))];
	});

/**
 * Shows the link that holds a whole game; without a QR code if it is too long for one.
 * @param {string} packed @param {string} page
 */
export async function share(packed, page = "/replay#g=") {
	const links = await shared(async (base, scanned) => {
		const url = whole(page + packed, base);
		const field = fieldOf(url, t("copy_link"));
		const code = scanned && url.length <= MOST && (await qr(url));
		if (code) code.classList.add("dense");
		return [...(code ? [code] : []), el("p", { class: "row grows" }, field, copier(field))];
	});
	dialog(t("share_title"), el("p", { class: "quiet" }, t("share_help")), links, el("p", { class: "row" }, closer()));
}
