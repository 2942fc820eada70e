// The one renderer: draws any picture and its items as SVG, by id, and marks what can be touched.
import { reduced, svg } from "./dom.js";
import * as mark from "./marks.js";
import { enter, Motion } from "./motion.js";
import { t } from "./words.js";
import { View } from "./window.js";

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const radius = (item) => item.r ?? 22;

function drawPart({ use, d, text, cls, x = 0, y = 0, turn = 0, scale = 1 }) {
	const place = { class: cls || false, transform: `translate(${x} ${y}) rotate(${turn}) scale(${scale})` };
	return use ? svg("use", { href: `#${use}`, ...place }) : d ? svg("path", { d, ...place }) : svg("text", place, text);
}

export function drawItem({ x, y, parts = [], seat, cls = "", label, ...item }) {
	return svg("g", { class: `${cls} ${seat ? `seat-${seat}` : ""}`.trim(), transform: `translate(${x} ${y})` },
		label && svg("circle", { class: "focus", r: radius(item) }), ...parts.map(drawPart));
}

const byHeight = (items) => items.map((item, i) => [item, i]).sort(([a, i], [b, j]) => (a.z || 0) - (b.z || 0) || i - j).map(([item]) => item);

// A small still picture: nothing to touch.
export function still({ width, height, ground, fields }, items) {
	const all = [...ground, ...fields, ...byHeight(items)].map((item) => drawItem({ ...item, label: "" }));
	return svg("svg", { class: "board", viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, ...all);
}

export class Board {
	// on: touch(id, byKey), pull(id) when a drag begins, empty() for a touch beside everything.
	constructor(host, on, map) {
		Object.assign(this, { host, on, nodes: new Map(), items: new Map(), looks: new Map(), targets: new Map(), chosen: [], seen: [], fieldIds: new Set(), motion: new Motion() });
		[this.ground, this.things, this.over] = [svg("g"), svg("g"), svg("g", { class: "marks" })];
		this.under = svg("g", { class: "marks" });
		this.root = svg("svg", { class: "board", role: "group" }, this.ground, this.things, this.over);
		this.root.addEventListener("keydown", (event) => this.key(event));
		this.root.addEventListener("focusin", ({ target }) => this.focused(target.dataset.id));
		host.append(this.root);
		this.view = new View(this, map);
	}

	// A narrow screen shows the upright picture, if there is one.
	setPicture(whole, title = this.title) {
		const middle = (all) => (Math.min(...all) + Math.max(...all)) / 2, narrow = this.host.clientWidth < 600, picture = (narrow && whole.upright) || whole;
		Object.assign(this, { whole, title, narrow, picture });
		this.view.step = 0;
		this.middle = [middle(picture.fields.map(({ x }) => x)), middle(picture.fields.map(({ y }) => y))];
		this.fieldIds = new Set(picture.fields.map(({ id }) => id));
		this.root.setAttribute("aria-label", title);
		this.host.style.setProperty("--ratio", picture.width / picture.height);
		this.things.replaceChildren();
		this.nodes.clear();
		this.looks.clear();
		this.drawGround();
		this.view.fit();
	}

	drawGround() {
		this.ground.replaceChildren(...this.picture.ground.map((item) => {
			const node = drawItem(item);
			if (this.turned && !/\bstill\b/.test(item.cls)) node.setAttribute("transform", `rotate(180 ${this.middle.join(" ")}) translate(${item.x} ${item.y})`);
			return node;
		}));
	}

	turn(turned) {
		if (!this.turned === !turned || !this.picture.swap) return;
		this.turned = turned;
		this.drawGround();
	}

	spot(id) {
		const item = this.items.get(id);
		if (!item) return null;
		const [x, y] = this.turned ? [2 * this.middle[0] - item.x, 2 * this.middle[1] - item.y] : [item.x, item.y];
		return { x, y, r: radius(item) };
	}

	// Focus stays with its thing, or with the field on which that stood.
	setItems(items, traces = [], animate = false) {
		const { activeElement } = document, held = this.root.contains(activeElement) && activeElement.dataset.id, before = new Map([...this.nodes.keys()].map((id) => [id, this.spot(id)]));
		const was = this.items, all = byHeight([...this.picture.fields, ...items.map(({ up, ...item }) => this.narrow ? { ...item, ...up } : item)]);
		this.items = new Map(all.map((item) => [item.id, item]));
		const moving = animate && !reduced() && !this.dragged;
		this.dragged = false;
		const gone = [...this.nodes].filter(([id]) => !this.items.has(id));
		const nodes = all.map((item) => this.update(item, moving));
		const first = all.findIndex(({ id }) => id.startsWith("p:"));
		nodes.splice(first < 0 ? nodes.length : first, 0, this.under);
		let place = this.things.firstChild;
		for (const node of nodes) {
			if (node === place) place = place.nextSibling;
			else this.things.insertBefore(node, place);
		}
		const wait = moving ? this.motion.play(traces, before, this) : 0;
		for (const [id, node] of gone) {
			this.nodes.delete(id);
			this.looks.delete(id);
			node.removeAttribute("role");
			if (!wait || traces.some(({ via }) => via[0] === was.get(id).at)) node.remove();
			else setTimeout(() => node.remove(), wait);
		}
		if (held) this.focus(this.items.has(held) ? held : was.get(held).at);
	}

	update(item, moving) {
		const spot = this.spot(item.id), look = JSON.stringify({ ...item, x: 0, y: 0, label: !item.label, at: "" });
		let node = this.nodes.get(item.id);
		if (this.looks.get(item.id) !== look) {
			const fresh = drawItem(item), how = node ? "flips" : "drops";
			if (!node) {
				node = svg("g", { "data-id": item.id });
				this.nodes.set(item.id, node);
			}
			node.setAttribute("class", fresh.getAttribute("class"));
			node.replaceChildren(...fresh.childNodes);
			if (item.label) {
				node.setAttribute("role", "button");
				node.tabIndex = -1;
			}
			if (moving && item.cls?.includes(how)) enter(node, spot, how);
			this.looks.set(item.id, look);
		}
		node.setAttribute("transform", `translate(${spot.x} ${spot.y})`);
		return node;
	}

	// targets: id -> {kind, last, count}; chosen: ids; staged: {from, to}; last: [origin, end]; no: {id, show}; hint: {id, text} where actions that are advised begin and end.
	setMarks({ targets = new Map(), chosen = [], staged, last: [from, to] = [], no, hint = [] }) {
		Object.assign(this, { targets, chosen, seen: targets.size ? [...targets.keys(), ...chosen] : [from, to] });
		for (const [id, node] of this.nodes) {
			const { label } = this.items.get(id), aim = targets.get(id);
			node.classList.toggle("can", !!aim);
			node.classList.toggle("raised", chosen.includes(id) && !staged);
			node.classList.toggle("ghost", staged?.from === id);
			if (!label) continue;
			node.setAttribute("aria-label", aim ? `${label}, ${aim.last ? t(`kind.${aim.kind}`) : t("actions_n", { n: aim.count })}` : label);
			node.setAttribute("aria-pressed", chosen.includes(id));
		}
		const there = (ids, draw) => ids.filter((id) => this.items.has(id)).map(draw);
		const round = (draw) => (id) => draw(this.body(id));
		const source = this.spot(chosen.at(-1)), aims = [...targets.keys()];
		this.under.replaceChildren(...there(from === to ? [] : [from], (id) => mark.origin(this.spot(id))), ...there([to], round(mark.ended)),
			...there(source ? aims.filter((id) => targets.get(id).kind === "leap") : [], (id) => mark.leap(source, this.spot(id))));
		this.over.replaceChildren(...there(aims, (id) => this.aim(id, targets.get(id))), ...(staged ? this.stagedMarks(staged) : there(chosen, round(mark.chosen))),
			...(no ? [...there(no.show.filter((id) => id !== no.id), round(mark.reason)), ...there([no.id], round(mark.refused))] : []), ...hint.filter(({ id }) => this.items.has(id)).map(({ id, text }) => mark.hint(this.body(id), text, this.near)));
		this.view.follow();
		this.rove();
	}

	standing(field) {
		return [...this.items.values()].find(({ at }) => at === field)?.id;
	}

	// A field is marked round the thing that stands on it.
	body(id) {
		return this.spot(this.standing(id) || id);
	}

	// How much larger than drawn marks are, on a small screen.
	get near() {
		return Math.max(1, Math.min(2, 0.65 / this.view.scale));
	}

	aim(id, { kind, last }) {
		const held = !this.fieldIds.has(id) || !!this.standing(id);
		const k = this.near, takes = last && kind === "take";
		return mark.target(last ? kind : "go", takes ? this.body(id) : this.spot(id), held, k);
	}

	stagedMarks({ from, to }) {
		const goal = this.spot(to), piece = this.items.get(from);
		if (!goal || !piece || from === to) return goal ? [mark.staged(goal)] : [];
		const now = this.spot(from), home = this.spot(piece.at) || now;
		const there = { x: goal.x + now.x - home.x, y: goal.y + now.y - home.y, r: now.r };
		return [mark.staged(there), drawItem({ ...piece, ...there, label: "" })];
	}

	// The thing under a finger: first what can be touched next; touch areas are at least 44 px wide.
	pick({ x, y }) {
		let found = null, least = Infinity;
		for (const { id, label, at } of this.items.values()) {
			const spot = label && this.spot(id);
			const far = spot && Math.hypot(x - spot.x, y - spot.y) / Math.max(spot.r, 22 / this.view.scale);
			if (!spot || far > 1) continue;
			const rank = far - (this.targets.has(id) || this.targets.has(at) ? 2 : 0) - (this.fieldIds.has(id) ? 0 : 0.35);
			if (rank < least) [found, least] = [id, rank];
		}
		return found;
	}

	// Where the arrow keys stop: a field under a piece is visited as the piece.
	stops() {
		const labelled = [...this.items.values()].filter(({ label }) => label);
		const covered = new Set(labelled.map(({ at }) => at));
		return labelled.map(({ id }) => id).filter((id) => !covered.has(id) || this.targets.has(id));
	}

	focused(id) {
		if (!id) return;
		this.focusId = id;
		this.rove();
		this.view.show(id);
	}

	rove() {
		const stops = this.stops();
		const start = stops.includes(this.focusId) ? this.focusId : stops.find((id) => this.targets.has(id)) || stops[0];
		for (const [id, node] of this.nodes) if (node.hasAttribute("tabindex")) node.tabIndex = id === start ? 0 : -1;
	}

	focus(id) {
		this.nodes.get(id)?.focus({ preventScroll: this.view.active });
	}

	key(event) {
		const here = event.target.dataset.id, name = event.key.toLowerCase();
		if (!here || event.ctrlKey || event.altKey || event.metaKey) return;
		if (ARROWS[event.key]) this.arrow(here, ...ARROWS[event.key]);
		else if (name === "n" || name === "p") this.step(here, name === "n" ? 1 : -1);
		else if (name === "enter" || name === " ") this.on.touch(here, true);
		else return;
		event.preventDefault();
		event.stopPropagation();
	}

	arrow(here, dx, dy) {
		const from = this.spot(here);
		const cost = (id) => {
			const { x, y } = this.spot(id), along = (x - from.x) * dx + (y - from.y) * dy, aside = Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx);
			return along < 6 || aside > along * 2.2 ? Infinity : along + aside * 2;
		};
		const [best] = this.stops().map((id) => [cost(id), id]).sort(([a], [b]) => a - b);
		if (best?.[0] < Infinity) this.focus(best[1]);
	}

	step(here, by) {
		const stops = this.stops(), some = stops.filter((id) => this.targets.has(id));
		const ring = some.length ? some : stops, at = ring.indexOf(here);
		this.focus(ring[at < 0 ? 0 : (at + by + ring.length) % ring.length]);
	}
}
