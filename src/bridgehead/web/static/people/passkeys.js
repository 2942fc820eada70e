// @ts-check
// Passkeys of a profile: added on one device; on another one, whoever has the passkey gets the profile's key from the server.
import { $, el, root } from "../base/dom.js";
import { withError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { encoded, keyOf } from "./profile.js";

/** @typedef {Answer<"POST /api/profile/passkeys">["passkeys"]} Shown */
const DAY = new Intl.DateTimeFormat(root.lang, { dateStyle: "medium" });
const WAITS = 240_000; // ms for the person; less than the server waits
const KINDS = [-7, -8, -257]; // signatures: ES256, EdDSA, RS256

/** @param {string} text of `encoded` */
function decoded(text) {
	const bytes = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
	return Uint8Array.from(bytes, (letter) => letter.charCodeAt(0));
}

/** What the browser's dialog gives.
 * @template T @param {Promise<Credential | null>} work @param {(made: PublicKeyCredential) => T} read */
async function fromDevice(work, read) {
	const why = /** @type {{ [name: string]: string }} */ ({
		AbortError: "me.passkey_cancelled",
		NotAllowedError: "me.passkey_cancelled",
		InvalidStateError: "me.passkey_here",
	});
	const made = await work.catch((error) => {
		throw new Error(t(why[error.name] ?? "me.passkey_failed"));
	});
	if (!made) throw new Error(t("me.passkey_cancelled"));
	return read(/** @type {PublicKeyCredential} */ (made));
}

/** Adds a passkey to this browser's profile. */
async function add() {
	const key = keyOf();
	const { challenge, host, name, known } = await ask("/api/profile/passkeys/challenge", { key });
	const handle = crypto.getRandomValues(new Uint8Array(32));
	const publicKey = /** @type {PublicKeyCredentialCreationOptions} */ ({
		challenge: decoded(challenge),
		rp: { id: host, name: "Bridgehead" },
		user: { id: handle, name, displayName: name },
		pubKeyCredParams: KINDS.map((alg) => ({ type: "public-key", alg })),
		excludeCredentials: known.map((id) => ({ type: "public-key", id: decoded(id) })),
		authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
		attestation: "none",
		timeout: WAITS,
	});
	const made = await fromDevice(navigator.credentials.create({ publicKey }), ({ rawId, response }) => {
		const { clientDataJSON, attestationObject } = /** @type {AuthenticatorAttestationResponse} */ (response);
		return { id: encoded(rawId), client: encoded(clientDataJSON), attestation: encoded(attestationObject) };
	});
	return ask("/api/profile/passkeys/add", { key, handle: encoded(handle), ...made });
}

/** The key of the profile whose passkey the person shows. */
async function signIn() {
	const { challenge, host } = await ask("/api/profile/passkeys/challenge", { key: "" });
	const publicKey = /** @type {PublicKeyCredentialRequestOptions} */ ({
		challenge: decoded(challenge),
		rpId: host,
		userVerification: "required",
		timeout: WAITS,
	});
	const shown = await fromDevice(navigator.credentials.get({ publicKey }), ({ rawId, response }) => {
		const answer = /** @type {AuthenticatorAssertionResponse} */ (response);
		const { clientDataJSON, authenticatorData, signature, userHandle } = answer;
		if (!userHandle) throw new Error(t("me.passkey_failed"));
		return {
			id: encoded(rawId),
			client: encoded(clientDataJSON),
			authenticator: encoded(authenticatorData),
			signature: encoded(signature),
			handle: encoded(userHandle),
		};
	});
	return (await ask("/api/profile/passkeys/use", shown)).key;
}

/** @param {Shown} passkeys */
function list(passkeys) {
	$("passkeys").hidden = !passkeys.length;
	$("passkeys").replaceChildren(
		...passkeys.map(({ id, host, since }) => {
			const date = DAY.format(since * 1000);
			const press = () =>
				withError($("passkey-error"), async () => {
					list((await ask("/api/profile/passkeys/remove", { key: keyOf(), id })).passkeys);
					$("passkey-done").textContent = t("me.passkey_removed");
				});
			const button = { class: "btn", type: "button", "aria-label": t("me.passkey_remove_of", { date }), onclick: press };
			return el(
				"li",
				{ class: "row" },
				el("div", {}, t("me.passkey_of", { host, date })),
				el("button", button, t("me.passkey_remove")),
			);
		}),
	);
}

/** Shows the passkeys of the profile that the page shows, or lets the person sign in.
 * @param {boolean} known has this browser a profile? @param {(key: string) => Promise<void>} use takes a profile's key */
export async function showPasskeys(known, use) {
	const { refused, passkeys } = await ask(`/api/profile/passkeys?lang=${root.lang}`, { key: known ? keyOf() : "" });
	const why = refused || ("PublicKeyCredential" in window ? "" : t("me.passkey_browser"));
	for (const place of /** @type {const} */ (["passkey-why", "passkey-in-why"])) {
		$(place).hidden = !why;
		$(place).textContent = why;
	}
	$("passkey-add").hidden = $("passkey-in").hidden = !!why;
	$("signing").hidden = known;
	$("passkey-done").textContent = "";
	list(passkeys);
	$("passkey-add").onclick = () =>
		withError($("passkey-error"), async () => {
			list((await add()).passkeys);
			$("passkey-done").textContent = t("me.passkey_added");
		});
	$("passkey-in").onclick = () => withError($("passkey-in-error"), async () => use(await signIn()));
}
