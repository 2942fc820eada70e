// @ts-check
// The lines above a page of a static site: what is being loaded, what the browser refuses, a new version.

const { t } = await import(new URL("../static/base/i18n.js", import.meta.url).href);
const PATIENCE = 400; // ms until a line about loading is worth reading
/** These end when Python is there. */
const PASSING = ["site.loading", "site.held"];
const CHOSEN = "site.chosen"; // a move waits for Python
const ON_BAR = ["site.loading", CHOSEN];

/** @type {Map<string, HTMLElement>} */
const lines = new Map();
const list = document.createElement("div");
list.id = "site-news";
list.setAttribute("role", "status");
const bar = document.querySelector(".bar");
bar?.after(list);

/** @param {string} key */
function end(key) {
	lines.get(key)?.remove();
	lines.delete(key);
}

/** A button of a line. @param {string} key @param {() => void} onclick */
export function button(key, onclick) {
	const node = Object.assign(document.createElement("button"), { className: "btn", type: "button", onclick });
	node.textContent = t(key);
	return node;
}

/** @param {string} key @param {Node[]} more */
function line(key, more) {
	const node = document.createElement("p");
	node.append(t(key), " ", ...more);
	if (ON_BAR.includes(key)) {
		node.className = "passing";
		node.style.height = `${bar?.clientHeight}px`;
	}
	lines.set(key, node);
	return node;
}

/** Shows the sentence of a key once. @param {string} key @param {FromWorker} [details] @param {Node[]} more */
export function show(key, { done = 0, of = 0, text } = {}, ...more) {
	if (text) console.error(text); // a shared worker has no console that its pages see
	if (key !== CHOSEN) for (const each of PASSING) if (each !== key) end(each);
	if (key === "ready") {
		end(CHOSEN);
		return;
	}
	const shown = lines.get(key);
	if (!shown) {
		const progress = key === "site.loading" ? [document.createElement("progress")] : [];
		const node = line(key, [...progress, ...more]);
		setTimeout(() => lines.get(key) === node && list.append(node), PASSING.includes(key) ? PATIENCE : 0);
	}
	const progress = lines.get(key)?.querySelector("progress");
	if (progress && of && done < of) Object.assign(progress, { max: of, value: done });
	else progress?.removeAttribute("value");
}

/** Leads to a line that is there: what was pressed cannot be done. @param {string} key */
export function point(key) {
	show(key);
	lines.get(key)?.scrollIntoView({ block: "nearest" });
}
