// The start: small boards, a code or link to join by, and the tables this browser knows.
import { still } from "./board.js";
import { $, ask, el, load, root, startPage, wake } from "./dom.js";
import { t } from "./words.js";

startPage();

for (const card of document.querySelectorAll("[data-game]")) {
	ask(`/api/games/${card.dataset.game}/showpiece?lang=${root.lang}`).then(({ picture, items }) => {
		const drawn = still(picture, items);
		drawn.setAttribute("preserveAspectRatio", "xMidYMid slice");
		card.querySelector(".picture").append(drawn);
	});
}

$("join").onsubmit = (event) => {
	event.preventDefault();
	const typed = $("code").value.trim();
	const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, ""); // as it is read aloud: in small letters, with spaces between
	location.assign(typed.match(/\/t\/\S+/)?.[0] || `/t/${code || encodeURIComponent(typed)}`);
};
wake("join");

// Tables that this browser knows: first as they are remembered, then whose turn it is.
const known = Object.entries(load("tables", {})).filter(([, { over }]) => !over).sort(([, a], [, b]) => b.at - a.at);
const FEW = 4;
let all = false;

function list(now = new Map()) {
	const told = known.filter(([id]) => !now.get(id)?.over).sort(([a], [b]) => !!now.get(b)?.turn - !!now.get(a)?.turn);
	$("tables").hidden = !told.length;
	$("all-tables").hidden = all || told.length <= FEW;
	$("tables").querySelector("ul").replaceChildren(...told.slice(0, all ? told.length : FEW).map(([id, { title, tokens, host }]) => {
		const { turn, prompt } = now.get(id) || {}, parts = [tokens.length && `s=${tokens.join(".")}`, host && `h=${host}`].filter(Boolean);
		return el("li", {}, el("a", { class: turn ? "btn turn" : "btn", href: `/t/${id}${parts.length ? `#${parts.join("&")}` : ""}`, title: prompt }, title, el("small", {}, turn ? `● ${t("turn_now")}` : id)));
	}));
	$("all-tables").onclick = () => { all = true; list(now); };
}

list();
if (known.length) {
	ask(`/api/mine?lang=${root.lang}`, { tables: known.slice(0, 20).map(([table, { tokens }]) => ({ table, tokens })) })
		.then(({ tables }) => list(new Map(tables.map((each) => [each.table, each])))).catch(() => {});
}
