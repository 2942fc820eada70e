// @ts-check
// The games in this browser: rows of text by table and number, in IndexedDB, or where that is denied as long as the tab lasts.
import { databases, inTab } from "../static/base/granted.js";

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const result = (request) =>
	new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = () => reject(request.error);
	});

/** A database of this browser with one store. Each call rejects where the browser allows none. */
export class Database {
	/** @type {Promise<IDBDatabase> | undefined} */
	opening;

	/** @param {string} name @param {string} store */
	constructor(name, store) {
		this.name = name;
		this.store = store;
	}

	opened() {
		this.opening ??= this.open();
		return this.opening;
	}

	async open() {
		const request = databases()?.open(this.name, 1);
		if (!request) throw new Error("this browser has no databases");
		request.onupgradeneeded = () => request.result.createObjectStore(this.store);
		return result(request);
	}

	/** @template T @param {(store: IDBObjectStore) => IDBRequest<T>} ask @returns {Promise<T>} */
	async read(ask) {
		return result(ask((await this.opened()).transaction(this.store).objectStore(this.store)));
	}

	/** All or nothing. @param {(store: IDBObjectStore) => void} change */
	async write(change) {
		const transaction = (await this.opened()).transaction(this.store, "readwrite", { durability: "strict" });
		change(transaction.objectStore(this.store));
		transaction.commit();
		await new Promise((resolve, reject) => {
			transaction.oncomplete = resolve;
			transaction.onabort = () => reject(transaction.error);
		});
	}
}

/** @param {string} table */
const range = (table) => IDBKeyRange.bound([table], [table, []]);

/** @typedef {[table: string, number: number, text: string]} Row */

/** A store where the browser allows no database. The worker and its pages each have one: it lasts as long as the tab. */
export class Memory {
	/** @type {Map<string, Row>} */
	known = new Map();

	/** @param {(rows: Row[]) => void} changed called with all rows */
	constructor(changed) {
		this.changed = changed;
	}

	/** Takes rows that another store of this tab has. @param {Row[]} rows */
	add(rows) {
		for (const row of rows) this.known.set(JSON.stringify(row.slice(0, 2)), row);
	}

	/** @param {string} [table] */
	async all(table) {
		return [...this.known.values()].filter((row) => !table || row[0] === table).sort((a, b) => a[1] - b[1]);
	}

	/** @param {string} table */
	async rows(table) {
		return JSON.stringify((await this.all(table)).map(([, number, text]) => [number, text]));
	}

	async tables() {
		return JSON.stringify([...new Set([...this.known.values()].map(([table]) => table))]);
	}

	/** @param {string} json */
	async keep(json) {
		this.add(JSON.parse(json));
		this.changed([...this.known.values()]);
	}

	/** @param {string} table */
	async remove(table) {
		for (const [key, row] of this.known) if (row[0] === table) this.known.delete(key);
		this.changed([...this.known.values()]);
	}
}

const ROWS = "bridgehead.rows";
/** The rows that this tab keeps for its worker, as JSON; null where there is a database. */
export const rowsOfTab = () => inTab.read(ROWS);
/** @param {Row[]} rows */
export const keepInTab = (rows) => inTab.write(ROWS, JSON.stringify(rows));

/** The games as a page reaches them. */
export async function openStore() {
	const memory = new Memory(keepInTab);
	memory.add(JSON.parse(rowsOfTab() ?? "[]"));
	return Store.open().catch(() => memory);
}

export class Store {
	/** @param {Database} database */
	constructor(database) {
		this.database = database;
	}

	/** Rejects where the browser allows no database. */
	static async open() {
		const database = new Database("bridgehead", "rows");
		await database.opened();
		return new Store(database);
	}

	/** The rows of a table as JSON, ascending. @param {string} table */
	async rows(table) {
		return JSON.stringify((await this.all(table)).map(([, number, text]) => [number, text]));
	}

	/** The names of all tables as JSON. */
	async tables() {
		const keys = /** @type {[string, number][]} */ (await this.database.read((store) => store.getAllKeys()));
		return JSON.stringify([...new Set(keys.map(([table]) => table))]);
	}

	/** Adds rows, all or none. Errors: ConstraintError for a number that is there, QuotaExceededError. @param {string} json */
	async keep(json) {
		await this.database.write((store) => {
			for (const [table, number, text] of /** @type {Row[]} */ (JSON.parse(json))) store.add(text, [table, number]);
		});
	}

	/** The rows of a table, or of all. @param {string} [table] @returns {Promise<Row[]>} */
	async all(table) {
		const which = table && range(table);
		/** @type {IDBRequest<string[]> | undefined} */
		let found;
		const keys = await this.database.read((store) => {
			found = store.getAll(which);
			return store.getAllKeys(which);
		});
		return keys.map((key, i) => [.../** @type {[string, number]} */ (key), found?.result[i] ?? ""]);
	}

	/** @param {string} table */
	async remove(table) {
		await this.database.write((store) => store.delete(range(table)));
	}
}
