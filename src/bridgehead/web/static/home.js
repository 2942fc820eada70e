// @ts-check
// The home page: small boards, a field for a code or link, and the tables that this browser remembers.
import { still } from "./board.js";
import { $, ask, el, load, root, startPage, wake } from "./dom.js";
import { t } from "./words.js";

const FEW = 4; // tables shown at first
const FIRST = 5; // letters of an id that tell tables apart

startPage();

for (const card of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-game]"))) {
	ask(`/api/games/${card.dataset.game}/showpiece?lang=${root.lang}`).then(({ picture, items }) => {
		const drawn = still(picture, items);
		drawn.setAttribute("preserveAspectRatio", "xMidYMid slice");
		card.querySelector(".picture")?.append(drawn);
	});
}

$("join").onsubmit = (event) => {
	event.preventDefault();
	const typed = $("code").value.trim();
	const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, ""); // people type small letters and spaces
	location.assign(typed.match(/\/t\/\S+/)?.[0] || `/t/${code || encodeURIComponent(typed)}`);
};
wake("join");

/** @typedef {Answer<"POST /api/mine">["tables"][number]} State */

const known = Object.entries(load("tables", {}))
	.filter(([, { over }]) => !over)
	.sort(([, a], [, b]) => b.at - a.at);
let all = false;

/** Lists the tables that this browser remembers: at once, and again with their states. @param {Map<string, State>} [states] */
function list(states = new Map()) {
	const turn = (/** @type {string} */ id) => Number(!!states.get(id)?.turn);
	const open = known.filter(([id]) => !states.get(id)?.over).sort(([a], [b]) => turn(b) - turn(a));
	const rows = open.slice(0, all ? open.length : FEW).map(([id, { title, tokens, host }]) => {
		const parts = [tokens.length && `s=${tokens.join(".")}`, host && `h=${host}`].filter(Boolean);
		const href = `/t/${id}${parts.length ? `#${parts.join("&")}` : ""}`;
		const link = { class: turn(id) ? "btn turn" : "btn", href, title: states.get(id)?.prompt };
		return el("li", {}, el("a", link, title, el("small", {}, turn(id) ? `● ${t("turn_now")}` : id.slice(0, FIRST))));
	});
	$("tables").hidden = !open.length;
	$("all-tables").hidden = all || open.length <= FEW;
	$("tables")
		.querySelector("ul")
		?.replaceChildren(...rows);
	$("all-tables").onclick = () => {
		all = true;
		list(states);
	};
}

list();
if (known.length) {
	const tables = known.slice(0, 20).map(([table, { tokens }]) => ({ table, tokens }));
	ask(`/api/mine?lang=${root.lang}`, { tables })
		.then((found) => list(new Map(found.tables.map((each) => [each.table, each]))))
		.catch(() => {});
}
