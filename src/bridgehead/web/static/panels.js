// What stands beside the board: the seats, the log, and the bubble that says why not.
import { $, el, svg } from "./dom.js";
import { t } from "./words.js";

export function chip(seat, letter = seat.toUpperCase()) {
	const shape = $(`shape-${seat}`) && svg("svg", { viewBox: "-8 -8 16 16" }, svg("use", { href: `#shape-${seat}`, class: "shape", transform: "scale(7)" }));
	return el("span", { class: `chip seat-${seat}`, "aria-hidden": "true" }, shape, letter);
}

// What a level is called; its own name where there is no word for it.
export function levelName(level) {
	const key = `level.${level}`, told = t(key);
	return told === key ? level : told;
}

// How strong these levels are, in words.
export function levelHelp(levels) {
	const all = [...new Set(levels)].map((level) => `${levelName(level)}: ${t(`level_is.${level}`)}.`);
	return all.join(" ");
}

// In words: for the desk, and short for a phone.
function who({ kind, level, here }, mine, alone) {
	if (mine) return alone ? [t("you"), t("you")] : [t("here_too"), t("here")];
	if (kind === "computer") return [`${t("computer")}, ${levelName(level)}`, t("robot")];
	return here ? [t("person_here"), t("here")] : [t("person_away"), t("away")];
}

export function fillSeats({ seats, you, actor }) {
	$("seats").classList.toggle("many", seats.length > 4);
	$("seats").replaceChildren(...seats.map((seat, i) => {
		const [long, short] = you && you.length < seats.length ? who(seat, you.includes(i), you.length === 1) : [];
		return el("li", { class: i === actor && "turn", "aria-current": i === actor && "true" }, chip(seat.seat || seat.letter.toLowerCase(), seat.letter),
			el("div", {}, el("strong", {}, seat.name), long && el("small", { class: "long who" }, long), short && el("small", { class: "short who" }, short),
				...(seat.lines || []).map((line) => el("small", { class: "long" }, line))));
	}));
}

// Whoever reads the end of the log stays there, also when the log gets another height.
let atEnd = true;

function follow(list) {
	list.onscroll = () => { atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 60; };
	new ResizeObserver(() => { if (atEnd) list.scrollTop = list.scrollHeight; }).observe(list);
}

export function fillLog(log) {
	const list = $("log");
	if (!list.onscroll) follow(list);
	while (list.children.length > log.length) list.lastChild.remove();
	log.forEach(({ n, text, mark }, i) => {
		if (!list.children[i]) list.append(el("li", {}, el("span", { class: "no" }), el("span")));
		const row = list.children[i], number = log[i - 1]?.n === n ? "" : String(n);
		if (row.lastChild.textContent !== text) row.lastChild.textContent = text;
		row.firstChild.textContent = number;
		row.classList.toggle("mark", !!mark);
		row.classList.toggle("now", !mark && log.slice(i + 1).every((each) => each.mark));
	});
	if (atEnd) list.scrollTop = list.scrollHeight;
}

export const ruleLink = (view, clause) => (clause ? el("a", { href: `/rules/${view.game}?table=${view.table}#${clause}`, target: "_blank" }, t("rule", { clause })) : "");

let placed = () => {};
addEventListener("resize", () => placed());

// A sentence near the thing it is about, over no legal target; on a phone at the foot of the board.
export function bubble(board, text, link = "", id = "", avoid = []) {
	placed = () => bubble(board, text, link, id, avoid);
	const node = $("why"), { style } = node, matrix = board.root.getScreenCTM();
	node.hidden = !text;
	if (!text) return;
	node.replaceChildren(text, " ", link);
	const host = board.host.getBoundingClientRect();
	const screen = (each) => {
		const spot = board.items.has(each) && board.body(each);
		const at = spot && new DOMPoint(spot.x, spot.y).matrixTransform(matrix);
		return at && { x: at.x - host.left, y: at.y - host.top, r: spot.r * board.view.scale };
	};
	const at = screen(id), docked = !at || host.width < 600;
	node.classList.toggle("docked", docked);
	style.left = style.top = "";
	if (docked) return;
	const w = node.offsetWidth, h = node.offsetHeight, left = Math.max(8, Math.min(host.width - w - 8, at.x - w / 2));
	const hidden = avoid.map(screen).filter(Boolean);
	const cost = ({ top }) => hidden.filter((o) => o.x + o.r > left && o.x - o.r < left + w && o.y + o.r > top && o.y - o.r < top + h).length;
	const [best] = [8, 24, 48, 80, 120, 170].flatMap((gap) => [{ gap, top: at.y - at.r - gap - h }, { gap, top: at.y + at.r + gap, below: true }])
		.filter(({ top }) => top > 4 && top + h < host.height - 4).sort((a, b) => cost(a) - cost(b) || a.gap - b.gap);
	const { gap, top, below } = best || { gap: 0, top: 8 };
	for (const [name, value] of Object.entries({ left, top, "--tail": gap, "--tail-x": Math.max(10, Math.min(w - 10, at.x - left)) })) style.setProperty(name, `${value}px`);
	node.classList.toggle("below", !!below);
}
