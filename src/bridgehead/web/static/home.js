// The start: small boards, a code or link to join by, and the tables this browser knows.
import { still } from "./board.js";
import { $, ask, el, load, root, startPage } from "./dom.js";

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
	location.assign(typed.match(/\/t\/\S+/)?.[0] || `/t/${encodeURIComponent(typed.toUpperCase())}`);
};

const known = Object.entries(load("tables", {})).filter(([, { over }]) => !over).sort(([, a], [, b]) => b.at - a.at).slice(0, 4);
$("tables").hidden = !known.length;
$("tables").querySelector("ul").append(...known.map(([id, { title, tokens }]) => el("li", {},
	el("a", { class: "btn", href: `/t/${id}${tokens.length ? `#s=${tokens.join(".")}` : ""}` }, title, el("small", {}, id)))));
