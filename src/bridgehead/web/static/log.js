// @ts-check
// The log beside the board.
import { $, el } from "./dom.js";

// While the end of the log is in sight it stays so, also when the log changes its height; else the log keeps its place.
let atEnd = true;

/** @param {HTMLElement} list */
function follow(list) {
	let top = 0;
	list.onscroll = () => {
		if (!list.clientHeight) return; // another tab is shown
		top = list.scrollTop;
		atEnd = list.scrollHeight - top - list.clientHeight < 60;
	};
	new ResizeObserver(() => {
		if (list.clientHeight) list.scrollTop = atEnd ? list.scrollHeight : top;
	}).observe(list);
}

/** @param {LogRow[]} log */
export function fillLog(log) {
	const list = $("log");
	if (!list.onscroll) follow(list);
	while (list.children.length > log.length) list.lastChild?.remove();
	log.forEach(({ n, text, mark }, i) => {
		if (!list.children[i]) list.append(el("li", {}, el("span", { class: "no" }), el("span")));
		const row = list.children[i];
		row.classList.toggle("hidden", !text);
		const [number, words] = row.children;
		if (words.textContent !== text) words.textContent = text;
		number.textContent = log.slice(0, i).findLast((each) => each.text)?.n === n ? "" : String(n);
		row.classList.toggle("mark", !!mark);
		row.classList.toggle("now", !mark && log.slice(i + 1).every((each) => each.mark));
	});
	if (atEnd) list.scrollTop = list.scrollHeight;
}
