// @ts-check
// The log beside the board.
import { $, el, href, style } from "../base/dom.js";

await style("board/log");

// While the end of the log is in sight it stays so, also when the log changes its height; else the log keeps its place.
let atEnd = true;

/** @param {HTMLElement} list */
function follow(list) {
	let [top, height] = [0, 0];
	list.onscroll = () => {
		if (!height || list.clientHeight !== height) return; // another tab is shown, or the height has changed and is looked at next
		top = list.scrollTop;
		atEnd = list.scrollHeight - top - list.clientHeight < 60;
	};
	new ResizeObserver(() => {
		height = list.clientHeight;
		if (height) list.scrollTop = atEnd ? list.scrollHeight : top;
	}).observe(list);
}

/**
 * The rules page at the clause that applied an action of a table.
 * @param {string} game @param {string} table @param {number} at
 */
export const clausesOf = (game, table, at) => href(`/rules/${game}?${new URLSearchParams({ of: table, at: String(at) })}`);

/** The links of the log are one stop of the Tab key; the arrow keys move among them. @param {HTMLElement} list */
function keys(list) {
	list.onkeydown = (event) => {
		const links = [...list.querySelectorAll("a[href]")];
		const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
		const to = step && links[links.indexOf(/** @type {Element} */ (event.target)) + step];
		if (event.target === list || !(to instanceof HTMLElement)) return;
		event.preventDefault();
		to.focus();
	};
	list.addEventListener("focusin", ({ target }) => {
		if (target instanceof Element && target !== list) stop(list, target);
	});
}

/** @param {HTMLElement} list @param {Element | undefined} link the one that the Tab key reaches */
function stop(list, link) {
	for (const each of list.querySelectorAll("a")) each.tabIndex = each === link ? 0 : -1;
}

/**
 * @template {LogRow} Row
 * @param {Row[]} log @param {(row: Row, action: number) => string} [address] the page that a line opens; action: its number
 */
export function fillLog(log, address) {
	const list = $("log");
	let action = 0;
	if (!list.onscroll) {
		follow(list);
		keys(list);
	}
	while (list.children.length > log.length) list.lastChild?.remove();
	log.forEach((line, i) => {
		const { n, text, mark } = line;
		if (!list.children[i]) list.append(el("li", {}, el("span", { class: "no" }), el("a", { target: "_blank" })));
		const row = list.children[i];
		row.classList.toggle("hidden", !text);
		const [number, words] = row.children;
		if (words.textContent !== text) words.textContent = text;
		if (!mark) action++;
		if (mark || !address) words.removeAttribute("href");
		else words.setAttribute("href", address(line, action));
		number.textContent = log.slice(0, i).findLast((each) => each.text)?.n === n ? "" : String(n);
		row.classList.toggle("mark", !!mark);
		row.classList.toggle("now", !mark && log.slice(i + 1).every((each) => each.mark));
	});
	if (!list.querySelector("a:focus")) stop(list, [...list.querySelectorAll("a[href]")].at(-1));
	if (atEnd) list.scrollTop = list.scrollHeight;
}

/** The log of a table, whose lines lead to their clauses. @param {LogRow[]} lines @param {View} view */
export function tableLog(lines, { game, table }) {
	fillLog(lines, (_, action) => clausesOf(game, table, action));
}
