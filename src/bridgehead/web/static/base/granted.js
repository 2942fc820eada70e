// @ts-check
// What a browser may lack or deny: storage, shared workers, locks. Some browsers deny it where it is called, others already where
// it is named. Every module asks here, and what is denied is absent.

/** What the browser gives; undefined if it refuses. @template T @param {() => T} use */
function granted(use) {
	try {
		return use() ?? undefined;
	} catch {
		return undefined;
	}
}

/** What the browser gives later. @template T @param {() => Promise<T> | undefined} use */
async function grantedLater(use) {
	try {
		return await use();
	} catch {
		return undefined;
	}
}

const isOnSite = Boolean(self.document?.documentElement.dataset.site);

/** Texts in the name of the tab's window, which no browser denies: a static site keeps them as long as the tab is open. */
class Name {
	/** @returns {{ [name: string]: string }} */
	get all() {
		return granted(() => JSON.parse(window.name)) ?? {};
	}

	/** @param {string} name */
	getItem(name) {
		return this.all[name] ?? null;
	}

	/** @param {string} name @param {string} text */
	setItem(name, text) {
		window.name = JSON.stringify({ ...this.all, [name]: text });
	}

	/** @param {string} name */
	removeItem(name) {
		const { [name]: _, ...others } = this.all;
		window.name = JSON.stringify(others);
	}
}

/** Texts by name. */
class Texts {
	/** @param {"localStorage" | "sessionStorage"} kind */
	constructor(kind) {
		const given = granted(() => self[kind]);
		this.lasts = !!given; // as long as this kind promises
		this.storage = given ?? (isOnSite ? new Name() : undefined);
	}

	/** @param {string} name */
	read(name) {
		return granted(() => this.storage?.getItem(name)) ?? null;
	}

	/** Whether the text is kept now. Undefined: it is removed. @param {string} name @param {string} [text] */
	write(name, text) {
		const { storage } = this;
		const done = granted(() => {
			if (text === undefined) storage?.removeItem(name);
			else storage?.setItem(name, text);
			return !!storage;
		});
		return done ?? false;
	}
}

/** Texts for good. */
export const inBrowser = new Texts("localStorage");
/** Texts of this tab. */
export const inTab = new Texts("sessionStorage");

export const databases = () => granted(() => self.indexedDB);

export const cacheNames = async () => (await grantedLater(() => caches.keys())) ?? [];

/** @param {string} name */
export const deleteCache = (name) => grantedLater(() => caches.delete(name));

export const serviceWorkers = () => granted(() => navigator.serviceWorker);

/** @param {string} name */
export const channel = (name) => granted(() => new BroadcastChannel(name));

/** @param {URL} url @param {WorkerOptions} options */
export const sharedWorker = (url, options) => granted(() => new SharedWorker(url, options));

/** @param {URL} url @param {WorkerOptions} options */
export const ownWorker = (url, options) => granted(() => new Worker(url, options));

/**
 * Waits for a lock, and has it until this worker ends; where there are no locks, it does not wait.
 * @param {string} name @param {() => void} wait called if another has it
 */
export async function takeLock(name, wait) {
	const locks = granted(() => navigator.locks);
	const { held = [] } = (await grantedLater(() => locks?.query())) ?? {};
	if (held.some((each) => each.name === name)) wait();
	await new Promise((resolve) => {
		const taken = () => new Promise(() => resolve(undefined));
		grantedLater(() => locks?.request(name, taken)).then(resolve); // it ends only if it is refused
	});
}
