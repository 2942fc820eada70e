// @ts-check
// Reminders on the page with my games: by mail, and by push messages on this device. Each is switched on and off alone.
import { $, el, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { serviceWorkers } from "../base/granted.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";

/** @typedef {Answer<"POST /api/reminders">} Reminder */
/** @typedef {Requests["POST /api/reminders"]["body"]} Wish @typedef {"mail" | "push"} Kind */
/** @typedef {(send: (tables: { table: string, tokens: string[] }[]) => Promise<Reminder>) => Promise<Reminder[]>} Portions */

/** @param {string} key */
const bytes = (key) => Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

/** A subscription of this browser to push messages. @param {string} key @returns {Promise<string>} */
async function subscribed(key) {
	const workers = serviceWorkers();
	if (!workers || !("PushManager" in window)) throw new Error(t("remind.unsupported"));
	if ((await Notification.requestPermission()) !== "granted") throw new Error(t("remind.denied"));
	await workers.register("/static/people/push_worker.js");
	const { pushManager } = await ready(workers);
	return JSON.stringify(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) }));
}

/**
 * The worker, once it runs. Pages are outside its scope, so `ready` would never come.
 * @param {ServiceWorkerContainer} workers @returns {Promise<ServiceWorkerRegistration>}
 */
async function ready(workers) {
	for (;;) {
		const worker = await workers.getRegistration("/static/people/push_worker.js");
		if (worker?.active) return worker;
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

/** @param {Portions} inPortions the tables of this browser */
export async function reminders(inPortions) {
	const ways = await ask("/api/reminders");
	$("remind").hidden = false;
	if (!ways.mail && !ways.push) $("remind-help").textContent = t("remind.not_here");
	const parts = [ways.push && (await part("push", ways.push, inPortions)), ways.mail && (await part("mail", "", inPortions))];
	$("remind-ways").replaceChildren(...parts.flatMap((each) => each || []));
}

/** @param {Kind} kind @param {string} key @param {Portions} inPortions */
async function part(kind, key, inPortions) {
	const place = el("div", { class: "stack", role: "group", "aria-label": t(`remind.${kind}`) });
	const wrong = el("p", { class: "problem", role: "alert" });
	const address = el("input", { type: "email", maxlength: 254, autocomplete: "email", "aria-label": t("remind.address") });
	address.placeholder = t("remind.address");
	const discreet = el("input", { type: "checkbox" });
	wrong.hidden = true;

	/** Sends a wish with the tables of this browser. @param {Partial<Wish>} wish */
	const send = async (wish) => {
		let { id = "" } = wish;
		const answers = await inPortions(async (tables) => {
			const made = await ask(`/api/reminders?lang=${root.lang}`, { kind, discreet: discreet.checked, ...wish, id, tables });
			if (made.state !== "off") id = made.id;
			return made;
		});
		return answers[answers.length - 1];
	};

	/** @param {() => Promise<Reminder | undefined>} work */
	const run = async (work) => {
		try {
			const made = await work();
			showError(wrong);
			show(made?.state === "off" ? undefined : made);
		} catch (error) {
			showError(wrong, error);
		}
	};

	/** @param {Reminder | undefined} now */
	const show = (now) => {
		const all = load("reminders", {});
		all[kind] = now?.id ?? "";
		save("reminders", all);
		if (now) discreet.checked = now.discreet;
		const on = async () => run(async () => send({ target: kind === "mail" ? address.value.trim() : await subscribed(key) }));
		const off = () => run(() => ask(`/api/reminders?lang=${root.lang}`, { id: now?.id ?? "", off: true }));
		discreet.onchange = () => now && run(() => send({ id: now.id }));
		const state =
			now && (now.problem || (now.state === "asked" ? t("remind.asked", { address: now.address ?? "" }) : t("remind.on")));
		const button = { class: now ? "btn" : "btn main", type: "button", onclick: now ? off : on };
		place.replaceChildren(
			el("h3", {}, t(`remind.${kind}`)),
			state ? el("p", { role: "status" }, [state, now?.state === "on" ? now.address : ""].filter(Boolean).join(" ")) : "",
			el("label", { class: "check row" }, discreet, el("span", {}, t("remind.discreet"))),
			el(
				"p",
				{ class: "row" },
				!now && kind === "mail" && address,
				el("button", button, t(now ? "remind.switch_off" : "remind.switch_on")),
			),
			wrong,
		);
	};
	const id = load("reminders", {})[kind];
	if (id) await run(() => send({ id, discreet: undefined }));
	if (!place.childElementCount) show(undefined);
	return place;
}
