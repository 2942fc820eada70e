// @ts-check
// The page of one's own profile.

import { dialog } from "../base/dialog.js";
import { $, el, enable, later, root } from "../base/dom.js";
import { download } from "../base/download.js";
import { withError } from "../base/errors.js";
import { number, t } from "../base/i18n.js";
import { levelName } from "../base/levels.js";
import { startPage } from "../base/page.js";
import { whenShownAgain } from "../base/poll.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";
import { changeBlocks } from "./blocks.js";
import { points, table } from "./lists.js";
import { showPasskeys } from "./passkeys.js";
import { freshKey, isChanging, keep, keyOf, nextKey, pictureOf } from "./profile.js";

/** @typedef {Answer<"POST /api/profile">} Own */
const CHOICE = 6; // pictures shown at once
const DAY = new Intl.DateTimeFormat(root.lang, { dateStyle: "medium" });

/** @type {Own | null} */
let own = null;
let first = 0; // number of the first picture shown
let picture = 0;

const colours = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[name=colour]"));
const colour = () =>
	/** @type {Requests["POST /api/profile/save"]["body"]["colour"]} */ ([...colours].find((each) => each.checked)?.value ?? "a");
const inLanguage = /** @type {const} */ (`?lang=${root.lang}`);

/** @param {Own["games"][number]} game */
function gameRow({ table: id, title, others, since, result, unrated, token, turn }) {
	const end = result ? t(`me.${result}`) : turn ? `● ${t("turn_now")}` : "";
	const who = others.length ? t("me.with", { who: others.join(", ") }) : "";
	const about = el("div", {}, el("strong", {}, title), ` · ${DAY.format(since * 1000)}`);
	if (who || end) about.append(el("p", {}, [end, who].filter(Boolean).join(" · ")));
	if (unrated) about.append(el("p", { class: "quiet" }, unrated));
	const way = result ? `/replay/${id}` : `/t/${id}${token ? `#s=${token}` : ""}`;
	return el("li", { class: "row" }, about, el("a", { class: "btn", href: way }, t(result ? "replay" : "me.go_on")));
}

function pictures() {
	if (!own) return;
	const { id } = own;
	const choices = Array.from({ length: CHOICE }, (_, i) => first + i);
	$("pictures").replaceChildren(
		...choices.map((n) => {
			const src = pictureOf(id, `?number=${n}&colour=${colour()}`);
			const image = el("img", { class: "face small", src, alt: t("me.picture_n", { n: n + 1 }) });
			const press = () => {
				picture = n;
				pictures();
			};
			return el("button", { class: "btn pick", type: "button", "aria-pressed": `${n === picture}`, onclick: press }, image);
		}),
	);
	$("face").src = pictureOf(id, `?number=${picture}&colour=${colour()}`);
}

/** @param {Own | null} found */
function show(found) {
	own = found;
	$("whole").hidden = $("look").hidden = $("face").hidden = !found;
	$("about").hidden = !!found;
	$("save").textContent = t(found ? "me.save" : "me.make");
	$("link").replaceChildren();
	if (!found) return;
	$("name").value = found.name;
	for (const each of colours) each.checked = each.value === found.colour;
	picture = found.picture;
	first = picture - (picture % CHOICE);
	pictures();
	const nothing = el("p", { class: "quiet" }, t("me.none"));
	const running = found.games.filter(({ result }) => !result);
	const over = found.games.filter(({ result }) => result);
	running.sort((a, b) => Number(b.turn) - Number(a.turn));
	$("running").replaceChildren(...(running.length ? running.map(gameRow) : [el("li", {}, nothing.cloneNode(true))]));
	$("games").replaceChildren(...(over.length ? over.map(gameRow) : [el("li", {}, nothing.cloneNode(true))]));
	const rated = found.ratings.map((each) => [
		el("div", {}, `${each.title}, ${t("me.seats", { n: each.seats })}`, el("p", { class: "quiet" }, each.rules)),
		number(each.rated),
		points(each),
	]);
	$("ratings").replaceChildren(
		rated.length ? table([t("me.game"), t("me.count"), t("ratings")], rated, 2) : nothing.cloneNode(true),
	);
	tally(found);
	withError($("error"), async () => showBlocks(await changeBlocks()));
}

/** @param {Own} found */
function tally(found) {
	const nothing = el("p", { class: "quiet" }, t("me.none"));
	const tallies = found.tallies.map(({ title, against, games, won, drawn, counted, luck }) => [
		title,
		against === "person" ? t("me.people") : levelName(against),
		...[games, won, drawn, games - won - drawn].map(number),
		gave(luck, counted, games),
	]);
	const heads = ["me.game", "me.against", "me.count", "me.won", "me.drawn", "me.lost", "me.luck"].map((key) => t(key));
	$("tallies").replaceChildren(tallies.length ? table(heads, tallies, 5) : nothing.cloneNode(true));
	$("lucky").hidden = !tallies.length;
}

/** @param {Answer<"POST /api/profile/blocks">["blocks"]} blocks */
function showBlocks(blocks) {
	$("blocked").hidden = !blocks.length;
	$("blocks").replaceChildren(
		...blocks.map(({ id, name }) => {
			const press = () => withError($("error"), async () => showBlocks(await changeBlocks(id, false)));
			const label = t("unblock", { name });
			return el(
				"li",
				{ class: "row" },
				el("div", {}, name),
				el("button", { class: "btn", type: "button", onclick: press }, label),
			);
		}),
	);
}

/** The luck of some games of all, as wins. @param {number} luck @param {number} counted @param {number} games */
function gave(luck, counted, games) {
	if (!counted) return "–";
	const wins = new Intl.NumberFormat(root.lang, { maximumFractionDigits: 1, signDisplay: "exceptZero" }).format(luck);
	return counted < games ? t("me.luck_of", { luck: wins, n: counted, all: games }) : wins;
}

const AGAIN = 3000; // ms between two looks at the counting
/** Counts the luck until it is known of all games, or the page is left. */
const countLuck = () =>
	withError($("error"), async () => {
		const { left, going } = await ask("/api/profile/luck", { key: keyOf() });
		$("counting").textContent = t(left ? "me.luck_left" : "me.luck_done", { n: left });
		tally(await ask(`/api/profile${inLanguage}`, { key: keyOf() }));
		if (left && going) setTimeout(countLuck, AGAIN);
	});

/** Asks before something that cannot be undone. @param {string} title @param {string} text @param {string} yes */
async function sure(title, text, yes) {
	return new Promise((resolve) => {
		const answer = (/** @type {boolean} */ is) => () => {
			resolve(is);
			node.close();
		};
		const node = dialog(
			title,
			el("p", {}, text),
			el(
				"p",
				{ class: "row" },
				el("button", { class: "btn", type: "button", onclick: answer(false) }, t("cancel")),
				el("button", { class: "btn main", type: "button", onclick: answer(true) }, yes),
			),
		);
		node.addEventListener("close", () => resolve(false));
	});
}

$("profile").onsubmit = (event) => {
	event.preventDefault();
	withError($("error"), async () => {
		const key = keyOf() || freshKey();
		const made = !own;
		const found = await ask(`/api/profile/save${inLanguage}`, { key, name: $("name").value, colour: colour(), picture });
		save("names", [found.name, ...load("names", []).slice(1)]); // seats of new tables begin with it
		if (made && !keep(key)) throw new Error(t("me.cannot_keep"));
		show(found);
		if (made) await passkeys();
		$("saved").textContent = t("me.saved");
	});
};
$("others").onclick = () => {
	first = (first + CHOICE) % 996;
	pictures();
};
for (const each of colours) each.onchange = pictures;

$("carry").onclick = () =>
	withError($("error"), async () => {
		const { linkRow } = await later(() => import("./share.js"));
		$("link").replaceChildren(await linkRow(`/me#k=${keyOf()}`, t("me")));
	});
async function renew() {
	const fresh = nextKey();
	const found = await ask(`/api/profile/key${inLanguage}`, { key: keyOf(), fresh });
	keep(fresh);
	show(found);
	$("renewed").textContent = t("me.renewed");
	await passkeys();
}
$("renew").onclick = () =>
	withError($("error"), async () => {
		if (await sure(t("me.renew"), t("me.renew_help"), t("me.renew"))) await renew();
	});
$("export").onclick = () =>
	withError($("error"), async () => {
		const whole = await ask(`/api/profile/export${inLanguage}`, { key: keyOf() });
		download(`bridgehead-${own?.id}.json`, JSON.stringify(whole, null, 1));
	});
$("forget").onclick = () =>
	withError($("error"), async () => {
		if (!(await sure(t("me.forget"), t("me.forget_help"), t("me.forget")))) return;
		keep();
		location.reload();
	});
$("count-luck").onclick = countLuck;
$("delete").onclick = () =>
	withError($("error"), async () => {
		if (!(await sure(t("me.delete"), t("me.delete_help"), t("me.delete")))) return;
		await ask("/api/profile/delete", { key: keyOf() });
		keep();
		location.reload();
	});

const passkeys = () => showPasskeys(!!own, signedIn);

/** A passkey has given this key. @param {string} key */
async function signedIn(key) {
	if (keyOf() && keyOf() !== key) {
		$("offered-help").hidden = true;
		return offer(key);
	}
	if (!keep(key)) throw new Error(t("me.cannot_keep"));
	show(await ask(`/api/profile${inLanguage}`, { key }));
	await passkeys();
}

/** Another device has sent this link. @param {string} key */
async function offer(key) {
	const found = await ask(`/api/profile${inLanguage}`, { key });
	$("offered").hidden = false;
	$("offered-name").textContent = found.name;
	$("offered-picture").src = pictureOf(found.id);
	$("replaces").hidden = !own || own.id === found.id;
	if (own) $("replaces").textContent = t("me.replaces", { name: own.name });
	const done = () => {
		$("offered").hidden = true;
		history.replaceState(null, "", location.pathname);
	};
	$("refuse").onclick = done;
	$("use").onclick = () => {
		keep(key);
		show(found);
		done();
		withError($("error"), passkeys);
	};
}

/** Shows what is known of the profile now, unless its name is just being changed. */
async function refresh() {
	if ($("name").value !== (own?.name ?? "")) return;
	show(keyOf() ? await ask(`/api/profile${inLanguage}`, { key: keyOf() }) : null);
	await passkeys();
}

startPage().then(async () => {
	const given = new URLSearchParams(location.hash.slice(1)).get("k") ?? "";
	await withError($("error"), async () => {
		if (isChanging()) await renew();
		else if (keyOf()) show(await ask(`/api/profile${inLanguage}`, { key: keyOf() }));
	});
	withError($("passkey-error"), passkeys);
	if (given && given !== keyOf()) await withError($("error"), () => offer(given));
	enable("profile");
	whenShownAgain(() => withError($("error"), refresh));
});
addEventListener("hashchange", () => location.reload()); // a link was opened on this very page
