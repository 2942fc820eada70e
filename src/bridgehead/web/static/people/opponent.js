// @ts-check
// "Find me an opponent": waits for somebody who looks for the same game, and goes to the table.
import { $, el, fetch, href, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";
import { keyOf } from "./profile.js";

const EVERY = 3000; // ms between two requests
const TIRED = 3; // requests that may fail one after another
/** @typedef {Requests["POST /api/opponents"]["body"]} Wish */
/** @type {Answer<"GET /api/opponents">["waits"]} */
let known = [];
let secret = ""; // of this page's wait, "" without one
let usual = "";

/** A time in words. @param {number} seconds */
function time(seconds) {
	const [value, unit] = seconds < 90 ? [seconds, "second"] : [Math.round(seconds / 60), "minute"];
	return new Intl.NumberFormat(root.lang, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

/** The usual time of the game that is chosen, and how many wait now. */
function showUsual() {
	const found = known.find(({ game, pace }) => game === $("find-game").value && pace === $("find-pace").value);
	const now = found?.waiting ? t("find.now", { n: found.waiting }) : "";
	usual = !found || found.seconds === null ? t("find.unknown") : t("find.usual", { time: time(found.seconds) });
	if (!secret) $("find-usual").textContent = [usual, now].filter(Boolean).join(" ");
}

export async function lookUpWaits() {
	known = (await ask("/api/opponents")).waits;
	if (!$("find-game").options.length) {
		const titles = new Map(known.map(({ game, title }) => [game, title]));
		$("find-game").replaceChildren(...[...titles].map(([value, title]) => el("option", { value }, title)));
		$("find").inert = false;
	}
	showUsual();
}

/** Shows whether this page waits. @param {string} now the secret of its wait */
function show(now) {
	secret = now;
	save("wait", now || undefined);
	$("find-go").hidden = $("find-game").disabled = $("find-pace").disabled = !!now;
	$("find-stop").hidden = !now;
	$("find-state").textContent = now ? t("find.looking") : "";
	showUsual();
}

/** Asks until a table is there, or until this page waits no longer. @param {string} wait */
async function follow(wait) {
	let failed = 0;
	while (secret === wait) {
		try {
			const { waited, table, token } = await ask("/api/opponents/ask", { wait });
			showError($("error"));
			failed = 0;
			if (secret !== wait) return;
			if (table) {
				secret = "";
				save("wait");
				$("find-state").textContent = t("find.found");
				location.assign(href(`/t/${table}#s=${token}`));
				return;
			}
			$("find-usual").textContent = `${t("find.waited", { time: time(waited) })} ${usual}`;
		} catch (error) {
			showError($("error"), error);
			failed++;
			if (failed > TIRED) show(""); // it has ended at the server, too
		}
		await new Promise((resolve) => setTimeout(resolve, EVERY));
	}
}

/** @param {string} wait */
const leave = (wait) =>
	fetch("/api/opponents/leave", {
		method: "POST",
		keepalive: true, // the page may be closing
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ wait }),
	});

$("find").onsubmit = async (event) => {
	event.preventDefault();
	try {
		const before = load("wait", "");
		if (before) await leave(before); // one browser waits once, and never plays itself
		const [name = ""] = load("names", []);
		const pace = /** @type {NonNullable<Wish["pace"]>} */ ($("find-pace").value);
		const { wait } = await ask("/api/opponents", { game: $("find-game").value, pace, name, key: keyOf() });
		showError($("error"));
		show(wait);
		$("find-stop").focus();
		follow(wait);
	} catch (error) {
		showError($("error"), error);
	}
};
$("find-stop").onclick = () => {
	leave(secret);
	show("");
	$("find-go").focus();
};
$("find-game").onchange = $("find-pace").onchange = showUsual;
addEventListener("pagehide", () => {
	if (!secret) return;
	leave(secret);
	show("");
});
