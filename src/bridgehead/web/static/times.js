// How long each seat of a table thinks, in the table's menu: for its host, and for everybody when the game is over.
import { ask, el, problem, root } from "./dom.js";
import { chip } from "./panels.js";
import { t } from "./words.js";

document.head.append(el("link", { rel: "stylesheet", href: "/static/study.css" }));

const number = (value, digits) => value.toLocaleString(root.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });

function span(seconds) {
	if (seconds === null) return "–";
	if (seconds < 9.95) return `${number(seconds, 1)} s`;
	if (seconds < 119.5) return `${number(seconds, 0)} s`;
	return seconds < 7170 ? `${number(seconds / 60, 0)} min` : `${number(seconds / 3600, 0)} h`;
}

// What is kept while the menu is open, as it was when it was asked for.
export function times(company) {
	const { open } = company, place = el("div", { class: "study times stack", "aria-live": "polite" });
	const button = el("button", { class: "btn", type: "button", onclick: async () => {
		try {
			open.times = (await ask(`/api/tables/${company.view.table}/times`, { host: company.table.host || "" })).seats;
			if (place.isConnected) show();
			else company.fill(); // the menu was drawn anew meanwhile
		} catch (error) {
			const why = el("p", { class: "problem" });
			problem(why, error);
			place.replaceChildren(why);
		}
	} }, t("times"));
	const show = () => {
		const head = ["seat", "decisions", "half", "most"].map((key) => el("th", { scope: "col" }, t(`times_${key}`)));
		const row = ({ decisions, half, most }, i) => {
			const { letter, seat, name } = company.view.seats[i];
			return el("tr", {}, el("th", { scope: "row" }, chip(seat || letter.toLowerCase(), letter), name), el("td", {}, String(decisions)), el("td", {}, span(half)), el("td", {}, span(most)));
		};
		place.replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...open.times.map(row))), el("p", { class: "quiet" }, t("times_help")));
	};
	if (open.times) show();
	return [button, place];
}
