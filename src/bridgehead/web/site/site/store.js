// @ts-check
// The games in this browser: rows of text by table and number, in IndexedDB.

const NAME = "bridgehead";
const ROWS = "rows";

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const result = (request) =>
	new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});

/** @returns {Promise<IDBDatabase>} */
async function database() {
	const request = indexedDB.open(NAME, 1);
	request.onupgradeneeded = () => request.result.createObjectStore(ROWS);
	return result(request);
}

/** @param {string} table */
const range = (table) => IDBKeyRange.bound([table], [table, []]);

/** @typedef {[table: string, number: number, text: string]} Row */

/** A store in memory, where the browser keeps nothing: it lasts as long as the worker. */
export class Memory {
	/** @type {Map<string, Row>} */
	kept = new Map();

	/** @param {string} table */
	async rows(table) {
		const rows = [...this.kept.values()].filter((row) => row[0] === table).sort((a, b) => a[1] - b[1]);
		return JSON.stringify(rows.map(([, number, text]) => [number, text]));
	}

	async tables() {
		return JSON.stringify([...new Set([...this.kept.values()].map(([table]) => table))]);
	}

	/** @param {string} json */
	async keep(json) {
		for (const row of /** @type {Row[]} */ (JSON.parse(json))) this.kept.set(JSON.stringify(row.slice(0, 2)), row);
	}
}

export class Store {
	/** @param {IDBDatabase} opened */
	constructor(opened) {
		this.opened = opened;
	}

	/** Rejects where the browser allows no database. */
	static async open() {
		return new Store(await database());
	}

	/** @param {IDBTransactionMode} mode */
	begin(mode) {
		return this.opened.transaction(ROWS, mode, { durability: "strict" });
	}

	/** The rows of a table as JSON, ascending. @param {string} table */
	async rows(table) {
		return JSON.stringify((await this.all(table)).map(([, number, text]) => [number, text]));
	}

	/** The names of all tables as JSON. */
	async tables() {
		const keys = /** @type {[string, number][]} */ (await result(this.begin("readonly").objectStore(ROWS).getAllKeys()));
		return JSON.stringify([...new Set(keys.map(([table]) => table))]);
	}

	/** Adds rows, all or none. Errors: ConstraintError for a number that is there, QuotaExceededError. @param {string} json */
	async keep(json) {
		await this.write((store) => {
			for (const [table, number, text] of /** @type {Row[]} */ (JSON.parse(json))) store.add(text, [table, number]);
		});
	}

	/** The rows of a table, or of all. @param {string} [table] @returns {Promise<Row[]>} */
	async all(table) {
		const store = this.begin("readonly").objectStore(ROWS);
		const which = table && range(table);
		const [keys, texts] = await Promise.all([result(store.getAllKeys(which)), result(store.getAll(which))]);
		return keys.map((key, i) => [.../** @type {[string, number]} */ (key), texts[i]]);
	}

	/** @param {string} table */
	async remove(table) {
		await this.write((store) => store.delete(range(table)));
	}

	/** @param {(store: IDBObjectStore) => void} change */
	async write(change) {
		const transaction = this.begin("readwrite");
		change(transaction.objectStore(ROWS));
		transaction.commit();
		await new Promise((resolve, reject) => {
			transaction.oncomplete = resolve;
			transaction.onabort = () => reject(transaction.error);
		});
	}
}
