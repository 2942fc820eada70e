// @ts-check
// The renderer of all boards: draws a picture and its items as SVG, by id, and marks what can be touched. `setView` and
// `setMarks` say what is to be seen; it is drawn once in the next frame, and only what differs is written.
import { $, later, reduced, svg } from "../base/dom.js";
import { byHeight, drawItem, radius } from "../base/draw.js";
import { FrameTask } from "../base/frame_task.js";
import { t } from "../base/i18n.js";
import * as mark from "./marks.js";
import { compact, TALL } from "./sizes.js";
import { Viewport } from "./viewport.js";

/** Writes only what differs. @param {Element} node @param {string} name @param {string} value */
const write = (node, name, value) => node.getAttribute(name) === value || node.setAttribute(name, value);

/** Puts children in order; those in place stay. @param {Element} parent @param {Element[]} children */
function arrange(parent, children) {
	let place = parent.firstChild;
	for (const node of children) {
		if (node === place) place = place.nextSibling;
		else parent.insertBefore(node, place);
	}
}

/** Puts marks in place of those before, unless they are the same. @param {Element} parent @param {Element[]} marks */
function exchange(parent, marks) {
	const { children } = parent;
	if (children.length !== marks.length || marks.some((node, i) => !node.isEqualNode(children[i])))
		parent.replaceChildren(...marks);
}

export class Board {
	/** @type {Map<string, SVGGElement>} */
	nodes = new Map();
	/** @type {Map<string, Item>} */
	items = new Map();
	/** @type {Map<string, string>} */
	looks = new Map();
	/** @type {Map<string, Item>} */
	drawn = new Map(); // as they were drawn last
	/** @type {Item[]} */
	given = []; // of the view
	/** @type {{ traces: Trace[], before: Map<string, Spot> } | null} */
	moves = null; // that will be drawn, and where their pieces began
	isLaid = true; // the things are drawn as they are
	/** @type {Marks} */
	marks = {};
	/** @type {Map<string, Target>} */
	targets = new Map();
	/** @type {Set<string>} */
	drags = new Set(); // can be dragged, beside what can be touched next
	/** @type {string[]} */
	chosen = [];
	/** @type {string[]} */
	seen = [];
	/** @type {Set<ReturnType<typeof setTimeout>>} */
	timers = new Set();
	life = new AbortController();
	task = new FrameTask(() => this.redraw(), this.life.signal);
	/** @type {Set<string>} */
	fieldIds = new Set();
	ground = svg("g");
	things = svg("g");
	over = svg("g", { class: "marks" });
	under = svg("g", { class: "marks" });
	leaving = svg("g"); // under all pieces
	dockGround = svg("g");
	dockThings = svg("g");
	dock = svg("g", {}, this.dockGround, this.dockThings); // stays in sight while the board moves
	root = svg("svg", { class: "board", role: "group" }, this.ground, this.things, this.over, this.dock);
	/** Where a finger finds small or crowded things that can be touched next, by id. @type {Map<string, Spot>} */
	fans = new Map();
	turned = false;
	dragged = false;
	narrow = false;
	title = "";
	pictured = ""; // the picture, as JSON
	/** @type {import("./animate.js").Animator | undefined} */
	animator; // until it has come, pieces change their places at once
	/** @type {Picture} */
	whole;
	/** @type {Picture} */
	picture;
	/** @type {import("./pointer.js").Pointers | undefined} */
	pointers;
	/** @type {typeof import("./keyboard.js") | undefined} */
	keys;
	/** @type {typeof import("./answer_marks.js") | undefined} */
	answers;
	middle = [0, 0];
	/** @type {unknown} */
	said;
	/** @type {string | undefined} */
	focusId;

	/** @param {HTMLElement} host @param {Touches} on @param {SVGSVGElement} map @param {Promise<unknown>} [ready] to be touched */
	constructor(host, on, map, ready) {
		this.host = host;
		this.on = on;
		const { signal } = this.life;
		const touched = (/** @type {MouseEvent} */ { detail, target }) => {
			const thing = !detail && target instanceof Element && target.closest("[data-id]"); // no pointer: a screen reader clicks
			if (thing instanceof SVGElement) this.on.touch(thing.dataset.id ?? "", true);
		};
		this.root.addEventListener("click", touched, { signal });
		host.append(this.root);
		this.viewport = new Viewport(this, map);
		host.inert = true; // until handlers are attached
		const handlers = [later(() => import("./keyboard.js")), later(() => import("./pointer.js"))];
		Promise.all(handlers).then(async (modules) => {
			await ready;
			if (!signal.aborted) for (const { listen } of modules) listen(this);
			host.inert = false;
		});
		later(() => import("./answer_marks.js")).then((marks) => {
			this.answers = marks;
		});
		later(() => import("./animate.js")).then(({ Animator }) => {
			if (!signal.aborted) this.animator = new Animator(this);
		});
	}

	/**
	 * Shows a sentence near the thing that it is about, over no legal target; without a sentence, hides the one before.
	 * @param {[text: string, link?: Node | string, id?: string, avoid?: string[]]} said
	 */
	async explain(...said) {
		this.said = said;
		$("why").hidden ||= !said[0];
		if (!said[0]) return;
		const { place } = await later(() => import("./bubble.js"));
		if (this.said === said) place(this, ...said);
	}

	/** The thing that has the focus. @param {Event} event */
	idOf({ target }) {
		return target instanceof SVGElement ? target.dataset.id : undefined;
	}

	/**
	 * What is to be seen. A picture, with its title, comes before everything else; without items the things stay. Several views
	 * in one frame are drawn once, with the movements of all.
	 * @param {{ picture?: Picture, title?: string, turned?: boolean, items?: Item[], traces?: Trace[], animate?: boolean }} view
	 */
	setView({ picture, title = this.title, turned = this.turned, items, traces = [], animate = false }) {
		if (picture) this.setPicture(picture, title);
		if (turned !== this.turned && this.picture.swap) {
			this.turned = turned;
			this.viewport.held = false;
			this.drawGround();
		}
		if (!items) return;
		if (animate && !this.moves) {
			const free = [...this.items].filter(([, item]) => !this.isDocked(item));
			this.moves = { traces: [], before: new Map(free.map(([id]) => [id, this.spotOf(id)])) };
		}
		if (animate) this.moves?.traces.push(...traces);
		this.given = items;
		this.place();
	}

	/** Puts the things of the view into the picture. */
	place() {
		const { narrow, picture, given } = this;
		const all = byHeight([...picture.fields, ...given.map(({ up, ...item }) => (narrow ? { ...item, ...up } : item))]);
		this.items = new Map(all.map((item) => [item.id, item]));
		this.isLaid = false;
		this.task.ask();
	}

	/** Draws now what waits for the next frame. Returns how long things move. */
	draw() {
		if (!this.task.isAsked) return 0;
		this.task.cancel();
		return this.redraw();
	}

	redraw() {
		const wait = this.isLaid ? 0 : this.drawThings();
		this.isLaid = true;
		this.drawMarks();
		return wait;
	}

	/** Ends the board: nothing is listened to, and no timer, frame or movement is left. */
	destroy() {
		this.life.abort();
		this.viewport.destroy();
		for (const timer of this.timers) clearTimeout(timer);
		for (const node of this.nodes.values()) for (const animation of node.getAnimations()) animation.cancel();
		this.root.remove();
	}

	/** @param {Picture} whole @param {string} title */
	setPicture(whole, title) {
		const pictured = JSON.stringify([whole, title]);
		if (pictured !== this.pictured) this.usePicture(whole, title);
		this.pictured = pictured;
	}

	/** A narrow screen shows the upright picture, if there is one. @param {Picture} whole */
	usePicture(whole, title = this.title) {
		const middle = (/** @type {number[]} */ all) => (Math.min(...all) + Math.max(...all)) / 2;
		this.narrow = compact.matches;
		const picture = (this.narrow && whole.upright) || whole;
		Object.assign(this, { whole, title, picture });
		this.viewport.step = 0;
		this.middle = [middle(picture.fields.map(({ x }) => x)), middle(picture.fields.map(({ y }) => y))];
		this.fieldIds = new Set(picture.fields.map(({ id }) => id));
		this.root.setAttribute("aria-label", title);
		this.host.style.setProperty("--ratio", String(picture.width / picture.height));
		this.host.parentElement?.classList.toggle("tall", picture.height > TALL * picture.width);
		this.things.replaceChildren();
		this.dockThings.replaceChildren();
		this.nodes.clear();
		this.looks.clear();
		this.drawGround();
		if (this.given.length) this.place();
		this.viewport.fit();
	}

	drawGround() {
		const turned = `rotate(180 ${this.middle.join(" ")})`;
		this.ground.replaceChildren();
		this.dockGround.replaceChildren();
		for (const item of this.picture.ground) {
			const node = drawItem(item);
			if (this.turned && !/\bstill\b/.test(item.cls ?? ""))
				node.setAttribute("transform", `${turned} translate(${item.x} ${item.y})`);
			(this.isDocked(item) ? this.dockGround : this.ground).append(node);
		}
	}

	/** Does a thing stay in sight, at the edge of an upright picture? @param {Pick<Item, "cls">} item */
	isDocked({ cls = "" }) {
		return this.narrow && this.picture !== this.whole && /\bdock\b/.test(cls);
	}

	/** @param {string | null | undefined} id @returns {Spot | null} */
	spot(id) {
		const item = id && this.items.get(id);
		return item ? this.locate(item) : null;
	}

	/** @param {Item} item @returns {Spot} */
	locate(item) {
		if (this.isDocked(item)) {
			const [left, top, width] = this.viewport.box;
			const k = width / this.picture.width;
			return { x: left + item.x * k, y: top + item.y * k, r: radius(item) * k };
		}
		const [x, y] = this.turned ? [2 * this.middle[0] - item.x, 2 * this.middle[1] - item.y] : [item.x, item.y];
		return { x, y, r: radius(item) };
	}

	/** The spot of a thing that is there. @param {string} id */
	spotOf(id) {
		return /** @type {Spot} */ (this.spot(id));
	}

	// The things that can be touched next, without buttons.
	get lit() {
		return [...this.targets.keys()].filter((id) => this.items.has(id));
	}

	/** Where a finger finds a thing that is there. @param {string} id */
	touchSpot(id) {
		return this.fans.get(id) ?? this.spotOf(id);
	}

	// Focus stays with its thing, or with the field on which that stood. Returns how long the things move.
	drawThings() {
		const { activeElement } = document;
		const held = this.root.contains(activeElement) && activeElement instanceof SVGElement && activeElement.dataset.id;
		const was = this.drawn;
		const all = [...this.items.values()];
		const { traces, before } = this.moves ?? { traces: [], before: new Map() };
		const moving = Boolean(this.moves) && !reduced() && !this.dragged;
		this.moves = null;
		this.drawn = this.items;
		this.dragged = false;
		const isFree = (/** @type {Item} */ item) => !this.isDocked(item);
		const gone = [...this.nodes].filter(([id]) => !this.items.has(id));
		for (const [id, node] of gone) {
			this.nodes.delete(id);
			this.looks.delete(id);
			node.removeAttribute("role");
			if (node.parentNode === this.things) this.leaving.append(node);
			else node.remove();
		}
		const nodes = all.filter(isFree).map((item) => this.update(item, was.get(item.id), moving));
		const first = all.filter(isFree).findIndex(({ id }) => id.startsWith("p:"));
		nodes.splice(first < 0 ? nodes.length : first, 0, this.under, this.leaving);
		arrange(this.things, nodes);
		arrange(
			this.dockThings,
			all.filter((item) => !isFree(item)).map((item) => this.update(item, was.get(item.id), moving)),
		);
		const wait = (moving && this.animator?.play(traces, before)) || 0;
		for (const [id, node] of gone) {
			const item = was.get(id);
			const going = (moving && item && this.animator?.change(node, item, "gone", wait)) || wait;
			if (!going || traces.some(({ via }) => via[0] === item?.at)) node.remove();
			else this.after(going, () => node.remove());
		}
		if (held) this.focus(this.items.has(held) ? held : was.get(held)?.at);
		return wait;
	}

	/** Does something later, unless the board has ended by then. @param {number} wait @param {() => void} work */
	after(wait, work) {
		const timer = setTimeout(() => {
			this.timers.delete(timer);
			work();
		}, wait);
		this.timers.add(timer);
	}

	/** @param {Item} item @param {Item | undefined} was @param {boolean} moving */
	update(item, was, moving) {
		const spot = this.isDocked(item) ? item : this.spotOf(item.id);
		const look = JSON.stringify({ ...item, x: 0, y: 0, label: !item.label, at: "" });
		const old = this.nodes.get(item.id);
		const node = old ?? svg("g", { "data-id": item.id });
		if (this.looks.get(item.id) !== look) {
			const fresh = drawItem(item);
			this.nodes.set(item.id, node);
			node.setAttribute("class", fresh.getAttribute("class") ?? "");
			node.replaceChildren(...fresh.childNodes);
			if (item.label) {
				node.setAttribute("role", "button");
				node.tabIndex = -1;
			}
			const event = !old ? "new" : was?.parts?.[0]?.use === item.parts?.[0]?.use ? "changed" : "sign";
			if (moving) this.animator?.change(node, item, event);
			this.looks.set(item.id, look);
		}
		write(node, "transform", `translate(${spot.x} ${spot.y})`);
		return node;
	}

	/** @param {Marks} marks */
	setMarks(marks) {
		const { targets = new Map(), chosen = [], drags = new Set(), staged, last = [], seen = [] } = marks;
		const now = staged ? [staged.from ?? "", staged.to ?? ""] : targets.size ? [...targets.keys(), ...chosen] : last;
		Object.assign(this, { marks, targets, chosen, drags, seen: seen.length ? seen : now });
		this.task.ask();
	}

	drawMarks() {
		const { answers, viewport, targets, chosen, marks } = this;
		const { staged, last: [from, to] = [], turns = [], refusal, hint = [], more = () => [], below = () => [] } = marks;
		const { tips, touchy } = viewport;
		this.fans.clear();
		for (const [id, node] of this.nodes) {
			const label = this.items.get(id)?.label;
			const aim = targets.get(id);
			node.classList.toggle("can", !!aim);
			node.classList.toggle("raised", chosen.includes(id) && !staged);
			node.classList.toggle("ghost", staged?.from === id);
			if (!label) continue;
			const use = aim && (aim.last ? t(`kind.${aim.kind}`) : t("actions_n", { n: aim.count }));
			write(node, "aria-label", use ? `${label}, ${use}` : label);
			write(node, "aria-pressed", String(chosen.includes(id)));
		}
		this.viewport.follow();
		if (touchy && tips) this.fans = tips.spread();
		const there = (/** @type {string[]} */ ids, /** @type {(id: string) => SVGElement} */ draw) =>
			ids.filter((id) => this.items.has(id)).map(draw);
		const round = (/** @type {(spot: Spot) => SVGElement} */ draw) => (/** @type {string} */ id) => draw(this.body(id));
		const source = this.spot(chosen.at(-1));
		const aims = [...targets.keys()];
		const leaps = aims.filter((id) => targets.get(id)?.kind === "leap");
		const lit = staged ? [] : [...aims, ...chosen].filter((id) => this.isLit(id));
		const beside = (/** @type {string[]} */ ids) => ids.filter((id) => !this.isLit(id));
		const ends = [{ seat: "", ends: [from, to] }, ...turns];
		exchange(this.under, [
			...below(),
			...ends.flatMap(({ seat, ends: [start, end] }) => [
				...there(start === end ? [] : [start], (id) => mark.origin(this.spotOf(id), seat)),
				...there([end], (id) => mark.ended(this.body(id), seat)),
			]),
			...(source ? there(leaps, (id) => mark.leap(source, this.spotOf(id))) : []),
			...there(lit, (id) => mark.light(this.spotOf(id), this.stands(id))),
		]);
		const advised = hint.filter(({ id }) => this.items.has(id));
		const reasons = refusal ? refusal.show.filter((id) => id !== refusal.id) : [];
		exchange(this.over, [
			...(tips?.fans() ?? []),
			...there(beside(aims), (id) => this.aim(id)),
			...(staged ? (answers?.staged(this, staged) ?? []) : there(beside(chosen), round(mark.chosen))),
			...(answers ? there(reasons, round(answers.reason)) : []),
			...(answers && refusal ? there([refusal.id], round(answers.refused)) : []),
			...advised.flatMap(({ id, text }) => answers?.hint(this.body(id), text, this.near) ?? []),
			...more(),
		]);
		this.keys?.rove(this);
	}

	/** Is a thing lit from below where it can be touched? Pieces are, unless the touch takes them. @param {string} id */
	isLit(id) {
		const { kind, last } = this.targets.get(id) ?? {};
		return id.startsWith("p:") && !(last && kind === "take");
	}

	/** Is a thing drawn from the side, so that light lies at its foot? @param {string} id */
	stands(id) {
		return !!this.items.get(id)?.cls?.split(" ").includes("stands");
	}

	/** @param {string} field */
	standing(field) {
		return [...this.items.values()].find(({ at }) => at === field)?.id;
	}

	/** A field is marked round the thing that stands on it. @param {string} id */
	body(id) {
		return this.spotOf(this.standing(id) || id);
	}

	// Enlargement of marks on a small screen.
	get near() {
		return Math.max(1, Math.min(2, 0.65 / this.viewport.scale));
	}

	/** @param {string} id */
	aim(id) {
		const { kind = "go", last } = this.targets.get(id) ?? {};
		const held = !this.fieldIds.has(id) || !!this.standing(id);
		const takes = last && kind === "take";
		return mark.target(last ? kind : "go", takes ? this.body(id) : this.touchSpot(id), held, this.near);
	}

	/** By default the thing that the Tab key reaches. */
	focus(id = this.keys?.stopOf(this)) {
		this.draw();
		this.nodes.get(id ?? "")?.focus({ preventScroll: this.viewport.active });
	}
}
