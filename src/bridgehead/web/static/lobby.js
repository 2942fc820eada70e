// The lobby: tables that their hosts have listed, with their free seats.
import { $, ask, el, problem, root, startPage } from "./dom.js";
import { chip, levelName } from "./panels.js";
import { t } from "./words.js";

const AGAIN = 10000; // ms

function row({ table, title, age, begun, rules, seats }) {
	const free = seats.filter((seat) => seat.free).length, minutes = Math.floor(age / 60);
	const told = [t("free_seats", { n: free }), begun && t("running"), minutes ? t("lobby_age", { n: minutes }) : t("lobby_now")].filter(Boolean).join(" · ");
	const who = ({ letter, name, kind, level, free: open, left }) => el("li", { class: "row" }, chip(letter.toLowerCase(), letter),
		el("span", {}, open ? t("state.free") : kind === "computer" ? `${t("computer")}, ${levelName(level)}` : left ? t("state.left") : name));
	return el("li", { class: "panel pad stack" }, el("div", { class: "row" }, el("h2", {}, title), el("span", { class: "quiet" }, told)),
		el("p", { class: "quiet" }, rules[root.lang] || rules.en), el("ul", { class: "row who" }, ...seats.map(who)),
		el("p", { class: "row" }, el("a", { class: "btn main", href: `/t/${table}#sit` }, t("take_seat")), el("a", { class: "btn", href: `/t/${table}` }, t("watch_it")), el("strong", { class: "code" }, table)));
}

let shown = "";

async function look() {
	try {
		const { tables } = await ask("/api/lobby"), now = JSON.stringify(tables.map((each) => ({ ...each, age: Math.floor(each.age / 60) })));
		problem($("error"));
		if (now !== shown && !$("open").contains(document.activeElement)) {
			$("open").replaceChildren(...tables.map(row));
			$("nobody").hidden = tables.length > 0;
			shown = now;
		}
	} catch (error) { problem($("error"), error); }
	setTimeout(look, AGAIN);
}

startPage().then(look);
