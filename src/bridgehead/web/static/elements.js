// @ts-check
// Finds and makes elements of a page.

/** A static site (site/page.js) has its own. */
export const { href = (/** @type {string} */ path) => path, fetch, WebSocket } = window.site ?? window;

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
