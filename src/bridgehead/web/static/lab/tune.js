// @ts-check
// "Mend the rules": wishes, a search for house rules that meet them, and its proposals as cards.

import { el, href, later, root, style } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { pack } from "../base/link_codec.js";
import { ask } from "../base/request.js";

await style("lab/lab");

const AGAIN = 1000; // ms between two requests
const PATIENCE = 5; // failures in a row, without progress, after which a search is given up
const pause = (ms = AGAIN) => new Promise((wait) => setTimeout(wait, ms));

/** @typedef {Requests["POST /api/labs"]["body"]} Rules */
/** @typedef {NonNullable<Answer<"GET /api/mendings/{key}">["found"]>} Mended */
/** @typedef {Mended["proposals"][number]} Proposal */

/** The wishes that a page offers: a name, the numbers with their bounds, whether it is wished at first.
 * @type {[name: string, numbers: [value: number, most: number][], wished: boolean][]} */
const WISHES = [
	["fair", [[5, 100]], true],
	["undecided", [[5, 100]], true],
	[
		"minutes",
		[
			[20, 999],
			[40, 999],
		],
		false,
	], // prettier-ignore
	["skill", [], false],
	["dead", [], false],
];

const STAGES = /** @type {const} */ ({
	search: "mend_search",
	confirm: "mend_confirm",
	shares: "mend_shares",
	boards: "mend_boards_stage",
});

/** A line of the form: a box to tick, a sentence, and a number for each wish that has some.
 * @param {(typeof WISHES)[number]} wish */
function line([name, numbers, wished]) {
	const box = el("input", { type: "checkbox" });
	box.checked = wished;
	const fields = numbers.map(([value, most], i) =>
		el("input", { type: "number", min: "0", max: `${most}`, value: `${value}`, "aria-label": t(`mend.${name}.${i}`) }),
	);
	/** As `bridgehead tune --wish` reads it. */
	const text = () => {
		const values = fields.map((field) => field.value || "0");
		if (!box.checked) return "";
		return values.length === 2 ? `${name}=${values.join("..")}` : values.length ? `${name}<${values[0]}` : name;
	};
	const label = el("label", { class: "check" }, box, el("span", {}, t(`mend.${name}`)));
	return { row: el("li", { class: "row" }, label, ...fields), text };
}

/** Whether a proposal meets all wishes: green or red only if the intervals show it.
 * @param {Proposal} proposal */
function lamp({ meets, state }) {
	if (state === "open") return el("b", { class: "badge open" }, t(meets ? "mend_meets" : "mend_misses"));
	return el("b", { class: `badge ${state === "met" ? "good" : "bad"}` }, t(state === "met" ? "mend_met" : "mend_missed"));
}

/** @param {Proposal} proposal @param {number} number @param {Rules} asked */
async function card(proposal, number, asked) {
	const { changes, numbers, parts, worse, rules, print, file = "", board } = proposal;
	const title = number ? t("mend_proposal", { n: number }) : t("mend_own");
	const badge = lamp(proposal);
	const measured = numbers.flatMap(({ wish, players }) => [el("dt", {}, wish), ...players.map((each) => el("dd", {}, each))]);
	const rest = [];
	if (number) {
		const packed = await pack({ rules });
		const named = el("span", { class: "hidden" }, `: ${title}`);
		const play = el(
			"a",
			{ class: "btn main", href: href(`/new/${asked.game}#o=${packed}`), target: "_blank" },
			t("mend_play"),
			named,
		);
		const keep = async () => (await later(() => import("../base/download.js"))).download(file, JSON.stringify(board));
		const kept = file ? [el("p", {}, el("button", { type: "button", class: "btn", onclick: keep }, t("save_file")))] : [];
		const printed = el("details", {}, el("summary", {}, t("mend_print")), el("code", {}, print), ...kept);
		rest.push(...(parts ? [el("p", {}, parts)] : []), el("p", {}, worse), el("p", {}, play), printed);
	}
	return el(
		"li",
		{ class: "panel pad stack" },
		el("div", { class: "row" }, el("h3", {}, title), badge),
		el("ul", { class: "changes" }, ...changes.map((change) => el("li", {}, change))),
		el("details", {}, el("summary", {}, t("mend_numbers")), el("dl", {}, ...measured)),
		...rest,
	);
}

/** @param {Mended} found @param {Rules} asked */
async function answer(found, asked) {
	const cards = [found.base, ...found.proposals].map((proposal, number) => card(proposal, number, asked));
	return [
		el("p", { role: "status" }, found.verdict),
		...found.causes.map((cause) => el("p", {}, cause)),
		el("ul", { class: "mended stack" }, ...(await Promise.all(cards))),
		el("p", { class: "quiet" }, t("mend_hedge")),
	];
}

/**
 * Shows the wishes in `place`, then the search and its proposals. It is dropped when `chosen` gives other house rules.
 * @param {HTMLElement} place @param {HTMLButtonElement} button @param {() => Rules} chosen
 */
export function tune(place, button, chosen) {
	const lines = WISHES.map(line);
	const boards = el("input", { type: "checkbox" });
	const go = el("button", { type: "button", class: "btn main" }, t("mend_go"));
	const found = el("div", { class: "stack" });
	button.setAttribute("aria-expanded", "true");
	go.onclick = async () => {
		const wishes = lines.map(({ text }) => text()).filter(Boolean);
		go.disabled = true;
		try {
			await search(found, chosen, wishes.join(","), boards.checked);
		} catch (error) {
			const why = el("p", { class: "problem", role: "alert" });
			showError(why, error);
			found.replaceChildren(why);
		}
		go.disabled = false;
	};
	place.replaceChildren(
		el("ul", { class: "wishes stack", "aria-label": t("mend_wishes") }, ...lines.map(({ row }) => row)),
		el("label", { class: "check" }, boards, el("span", {}, t("mend_boards"))),
		el("p", {}, go),
		found,
	);
}

/**
 * Looks at a search, and begins it where it does not run: a server that lost it continues from the games that it stored.
 * @param {Requests["POST /api/mendings"]["body"]} wish @param {() => void} interrupted
 */
function searching(wish, interrupted) {
	let key = "";
	let begun = false;
	let failures = 0;
	let far = 0;
	/** @returns {Promise<Answer<"GET /api/mendings/{key}">>} */
	return async function look() {
		try {
			if (!key) key = (await ask(`/api/mendings?lang=${root.lang}`, wish)).key;
			begun = true;
			const now = await ask(`/api/mendings/${key}?lang=${root.lang}`);
			if (now.done !== far) failures = 0;
			far = now.done;
			return now;
		} catch (error) {
			failures += 1;
			if (!begun || failures > PATIENCE) throw error;
			key = "";
			interrupted();
			await pause(AGAIN * 2 ** (failures - 1));
			return look();
		}
	};
}

/** @param {HTMLElement} place @param {() => Rules} chosen @param {string} wishes @param {boolean} boards */
async function search(place, chosen, wishes, boards) {
	const mine = chosen();
	const bar = el("progress", { max: "1", "aria-label": t("mend") });
	const status = el("p", { class: "quiet", role: "status" }, t("fair_ready"));
	place.replaceChildren(status, bar);
	const look = searching({ ...mine, wishes, boards }, () => {
		status.textContent = t("mend_again");
	});
	let now = await look();
	for (; now.state !== "done" && chosen() === mine; now = await look()) {
		const { state, stage, settings, before, done, of, finished = 0 } = now;
		const text =
			state === "waiting"
				? t("fair_queue", { n: before })
				: settings
					? `${t(STAGES[stage], { n: settings })} ${t("mend_tried", { n: finished })}`
					: t("fair_ready");
		if (status.textContent !== text) status.textContent = text;
		if (done) bar.value = done / of;
		await pause();
	}
	if (now.found) place.replaceChildren(...(await answer(now.found, mine)));
	else place.replaceChildren(el("p", { class: "quiet", role: "status" }, t("fair_changed")));
}
