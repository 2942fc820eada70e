// @ts-check
// Finds and makes elements of a page, and loads modules and style sheets.

// A server keeps the files of its pages under an address that changes with their contents (server/http/assets.py).
const { static: place = "/static", styles = "" } = document.documentElement.dataset;
const current = (/** @type {string} */ path) => path.replace(/^\/static(?=\/)/, place);

/** A static site (site/page.js) has its own. */
export const { href = current, fetch, WebSocket } = window.site ?? window;

/** @template {keyof Elements} K @param {K} id */
export const $ = (id) => /** @type {Elements[K]} */ (/** @type {unknown} */ (document.getElementById(id)));

/** @template {Element} E @param {E} node @param {Attributes<E>} attributes @param {Child[]} children */
function make(node, attributes, children) {
	for (const [name, value] of Object.entries(attributes)) {
		if (typeof value === "function") Object.assign(node, { [name]: value });
		else if (value !== false && value !== undefined) node.setAttribute(name, name === "href" ? href(`${value}`) : `${value}`);
	}
	node.append(...children.flatMap((child) => (child && child !== true ? [child] : [])));
	return node;
}

/**
 * @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {Attributes<HTMLElementTagNameMap[K]>} [attributes]
 * @param {...Child} children
 */
export const el = (tag, attributes = {}, ...children) => make(document.createElement(tag), attributes, children);
/**
 * @template {keyof SVGElementTagNameMap} K @param {K} tag @param {Attributes<SVGElementTagNameMap[K]>} [attributes]
 * @param {...Child} children
 */
export const svg = (tag, attributes = {}, ...children) =>
	make(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/** @param {string} label @param {() => void} onclick @param {string} [more] classes */
export const button = (label, onclick, more = "") => el("button", { class: `btn ${more}`, type: "button", onclick }, label);

/** A paragraph beside the main matter. @param {string} text */
export const quiet = (text) => el("p", { class: "quiet" }, text);

export const root = document.documentElement;
export const parseSvg = (/** @type {string} */ text) =>
	document.adoptNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement);

export const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

const AGAIN = [300, 1500]; // ms until a module is asked for again

/**
 * Loads a module. A browser remembers an address from which none came, so another one is tried; then the page says so.
 * @template T @param {() => Promise<T>} load @returns {Promise<T>}
 */
export async function later(load) {
	let wanted = load;
	for (let n = 0; ; n++) {
		try {
			return await wanted();
		} catch (error) {
			if (!(error instanceof TypeError) || !/module/i.test(error.message)) throw error; // it came, and failed
			const [url] = /https?:[^\s?]+/.exec(error.message) ?? [];
			if (n === AGAIN.length) {
				window.bridgeheadMissing?.(url ?? "");
				throw error;
			}
			await pause(AGAIN[n]);
			if (url) wanted = () => import(`${url}?again=${Date.now()}`);
		}
	}
}

/** Loads a style sheet, if the page has not come with it; first.js asks again for one that does not come. @param {string} name */
export const style = (name) =>
	new Promise((resolve) => {
		if (styles.split(" ").includes(name)) return resolve(undefined);
		document.head.append(el("link", { rel: "stylesheet", href: `/static/${name}.css`, onload: resolve, onerror: resolve }));
	});

// Templates make a part inert until its handlers are attached.
export const enable = (/** @type {"main" | "choose" | "form" | "join" | "profile"} */ id = "main") => {
	$(id).inert = false;
};
export const reduced = () => root.dataset.motion === "reduce";
