// @ts-check
// Click paths: the `path` lists of the choices alone determine what can be touched next.

export class ClickPaths {
	/** @type {Choice[]} */
	choices = [];
	/** @type {string[]} */
	prefix = []; // touched so far

	/** @param {Choice[]} choices */
	reset(choices) {
		this.choices = choices;
		this.prefix = [];
	}

	matching(prefix = this.prefix) {
		return this.choices.filter(({ path }) => prefix.every((id, i) => path[i] === id));
	}

	// Choices whose path is exactly the prefix: one is an action, several are a question.
	get complete() {
		return this.prefix.length ? this.matching().filter(({ path }) => path.length === this.prefix.length) : [];
	}

	// The one action that the touches so far leave, if only things on the board are still to be touched.
	get only() {
		const [only, other] = this.prefix.length ? this.matching() : [];
		const rest = only?.path.slice(this.prefix.length) ?? [];
		return !other && rest.length && rest.every((id) => id[0] !== "!") ? only : null;
	}

	// The action that one touch of the only thing to touch would play.
	get sole() {
		const [only, other] = this.prefix.length ? [] : this.choices.filter(({ path }) => path[0][0] !== "!");
		return !other && only?.path.length === 1 ? only : null;
	}

	// Actions that share their touches with a usual one, as walking where one's own bridge lies.
	get rare() {
		const usual = new Set(this.choices.flatMap(({ path, first }) => (first ? [path.join()] : [])));
		return this.matching().filter(({ path, first }) => !first && usual.has(path.join()));
	}

	// Everything that can be touched next, by id.
	next(prefix = this.prefix) {
		/** @type {Map<string, Target>} */
		const found = new Map();
		for (const { path, kind = "go", first } of this.matching(prefix)) {
			const id = path[prefix.length];
			const last = path.length === prefix.length + 1;
			if (!id) continue;
			const known = found.get(id) || { count: 0 };
			if (!known.count || (last && (!known.last || first))) Object.assign(known, { kind, last });
			known.count += 1;
			found.set(id, known);
		}
		return found;
	}

	/** The target that a touch of `id` means: itself, else its field, else the one thing on it.
	 * @param {string} id @param {Map<string, Item>} items */
	resolve(id, items, next = this.next()) {
		const at = items.get(id)?.at;
		if (next.has(id)) return id;
		if (at && next.has(at)) return at;
		const standing = [...next.keys()].filter((key) => items.get(key)?.at === id);
		return standing.length === 1 ? standing[0] : null;
	}

	/**
	 * One touch: a "step", an "act", a "choice" among several, a step "back", or "no".
	 * @param {string} id @param {Map<string, Item>} items
	 */
	touch(id, items) {
		const last = this.prefix.at(-1);
		const hit = this.resolve(id, items);
		const again = last && (id === last || items.get(id)?.at === last || items.get(last)?.at === id);
		if (hit) this.prefix.push(hit);
		else if (!again) {
			const fresh = this.prefix.length && this.resolve(id, items, this.next([]));
			if (!fresh) return "no";
			this.prefix = [fresh];
		} else if (!this.complete.length) {
			this.prefix.pop();
			return "back";
		}
		if (!this.complete.length) return "step";
		return this.complete.length === 1 && (again || this.matching().length === 1) ? "act" : "choice";
	}
}
