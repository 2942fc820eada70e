// Types of the pages' modules. The protocol's own types (Socket, Http, Requests, Ask, Elements) are made by tools/javascript.py.

type Sent = Socket.ClientMessage;
type Received = Socket.ServerMessage;
type Message<Tag extends Received["t"]> = Extract<Received, { t: Tag }>;
/** A message to be sent, before it has its key. */
type Unsent = Sent extends infer Each ? (Each extends { k: string } ? Omit<Each, "k"> : never) : never;
type Answer<Request extends keyof Requests> = Requests[Request]["answer"];

type Language = Extract<Sent, { t: "hello" }>["lang"];
type People = Message<"people">;
type Sealed = NonNullable<Message<"view">["sealed"]>;
type Era = Sealed["eras"][number];
/** A view with the parts that the server leaves out when they have not changed. */
type View = Omit<Message<"view">, "items" | "picture" | "sealed"> & { items: Item[]; picture: Picture; sealed: Sealed };
type Seat = View["seats"][number];
type ChatLine = Message<"said">["lines"][number];

type Film = Answer<"GET /api/tables/{table}/frames">;
/** A frame of a replay with all its things. */
type Frame = Omit<Film["frames"][number], "items" | "patch" | "plates"> & { items: Item[]; plates: Plate[] };
type Plate = Film["plates0"][number];
type Picture = Film["picture"];
type Item = NonNullable<Film["frames"][number]["items"]>[number];
type Part = NonNullable<Item["parts"]>[number];
type Trace = Frame["traces"][number];
type Tutorial = Answer<"GET /api/games/{game}/tutorial">;
type Shown = Tutorial["steps"][number]["frames"][number];
/** A legal action as a page shows it. */
type Choice = NonNullable<Tutorial["steps"][number]["choices"]>[number];
type SeatWish = NonNullable<Requests["POST /api/tables"]["body"]["seats"]>[number];
type Light = Answer<"GET /api/labs">["reports"][number]["lights"][number];

type Point = { x: number; y: number };
type Spot = Point & { r: number };
/** A thing that can be touched next: the kind of action it would end, whether it ends one, and how many actions go on from it. */
type Target = { kind?: string; last?: boolean; count: number };
type Refusal = { text: string; clause?: string; show?: string[] };
/** The events of a board. pull: a drag begins; empty: a touch beside everything; look: another part of the board is visible. */
type Touches = { touch(id: string, byKey?: boolean): void; pull(id: string): void; empty(): void; look?(): void };
/** The marks on a board. last: start and end of the last action; turns: those of the
 * others, with the colours of their seats; hint: starts and ends (with their rank) of advised actions; drags: what else can be
 * dragged, without a mark; seen: what has to be in sight, if that is not what is marked; more: marks over all others; below: under all pieces. */
type Marks = {
	targets?: Map<string, Target>;
	chosen?: string[];
	staged?: Staged;
	last?: string[];
	turns?: { seat: string; ends: string[] }[];
	refusal?: Refused | null;
	hint?: Advised[];
	drags?: Set<string>;
	seen?: string[];
	more?(): SVGElement[];
	below?(): SVGElement[];
};
/** An action that waits for confirmation: its piece, where it ends, and what it puts on the board. */
type Staged = { from?: string; to?: string; ghost?: Item };
/** A thing that cannot be touched, and the things that are the reason. */
type Refused = { id: string; show: string[] };
type Advised = { id: string; text?: string };
/** Handlers of a connection: one for each message that it does not answer itself; state: "open", "silent", "lost" or "closed". */
type Handlers = { [Tag in Exclude<Received["t"], "lag" | "pong" | "why" | "hint" | "past">]: (message: Message<Tag>) => void } & {
	state(state: string, text?: string): void;
};
type Colour = "" | "red" | "blue" | "yellow"; // of drawings; green has no name
type LogRow = { n: number; text: string; mark?: boolean };

/** What a page keeps in localStorage. */
/** A version of an own board. made: ms; name: of layouts without one of their own; playtest: its id and its designer's token. */
interface KeptBoard {
	name: string;
	made: number;
	note: string;
	board: unknown;
	rules: { [name: string]: unknown };
	playtest?: { id: string; host: string };
}

interface Stored {
	tables: { [table: string]: SavedTable };
	names: string[];
	/** The games that are played by their recommended rules. */
	recommended: string[];
	/** The secret with which this browser may open the network: the command opened it on the server's own machine. */
	network: string;
	prefs: Partial<Prefs>;
	/** Own boards and layouts by game: every version that was kept, the newest last. */
	boards: { [game: string]: KeptBoard[] };
	muted: { [table: string]: number[] };
	reminders: SavedReminders;
	receipts: { [table: string]: Answer<"GET /api/tables/{table}/receipt"> };
	/** Sealed chance: the tables with something kept, the newest last; each table's; and what this browser knows of the server. */
	sealed: { [table: string]: { gid: string; at: number } };
	[table: `sealed.${string}`]: SavedSeals;
	server: ServerPin;
	puzzles: { [game: string]: Solved };
	/** Tournaments: the host's token, the own number among the entrants (-1: none), and the token that plays. */
	tournaments: { [tournament: string]: { host: string; entrant: number; token: string } };
	/** The table at which this browser has last played a playtest, until its three questions are answered. */
	playtests: { [playtest: string]: string };
	/** The key of the profile, the seats that it has taken, and the key that is to take its place. */
	profile: { key: string; taken: string[]; next?: string };
	/** A random text that stands for the browser, of which the server learns what follows from it for each table. */
	browser: string;
	/** The profiles that it has blocked. */
	blocked: string[];
	/** The secret of the wait for an opponent. */
	wait: string;
	/** The key of the server's host. */
	host: string;
}
/**
 * Puzzles by name (by number up to version 0.2.0): those solved, those solved with help, and those missed with the puzzles
 * before each comes back.
 */
type Solved = { solved: (string | number)[]; helped?: (string | number)[]; missed: { [name: string]: number } };
/** The ids of this browser's reminders. */
type SavedReminders = { mail?: string; push?: string };
/** level: of sealed chance, if this browser made the table and asked for it. */
/** seat: the only one of its page; turned: the board, by a press. */
type SavedTable = {
	title: string;
	tokens: string[];
	host: string;
	over: boolean;
	at: number;
	level?: number;
	seat?: number;
	turned?: boolean;
};
/** What a page keeps of sealed chance at a table. seeds: by seat; sent: the heads that it sent, by era and seat; by: by what it held
 * the seats then; dealt: number of
 * chance events seen; free: number of those dealt before it came, -1 before the first view; gap: the last era of which it missed a part that it
 * could not check; words: the era whose four words were compared. */
type SavedSeals = { kept: Kept; seeds: Heads; sent: Heads; by: Heads; dealt: number; free: number; gap: number; words: number };
type Heads = { [name: string]: string };
/** The server's key at the first visit, and rows of its list. */
type ServerPin = { key: string; heads: SignedHead[] };
/** A file of what a page kept, without its seeds (docs/understand/fairness.md). */
type Kept = {
	protocol: "bgf2 kept";
	table: string;
	gid: string;
	server: string;
	whole: boolean;
	eras: KeptEra[];
	draws: KeptDraw[];
	heads: SignedHead[];
	alarms: Alarm[];
	statements: Statement[];
	claims: unknown[];
};
type KeptEra = Era & { mine: number[] };
type SealedDraw = NonNullable<Message<"view">["draws"]>[number];
type KeptDraw = Omit<SealedDraw, "at" | "path">;
type Listed = { n: number; before: string; link: string; signature: string };
type SignedHead = Pick<Listed, "n" | "link" | "signature">;
type Alarm = { key: string; n: number; era: number; text: string; time: number };
type Statement = { kind: "era" | "list"; gid: string; number: number; value: string; signature: string };
type LogRows = View["log"];
type Prefs = {
	theme: string;
	lang: string;
	motion: string;
	confirm: boolean;
	turn: boolean;
	names: boolean;
	chat: boolean;
	sound: string;
	colours: string;
	speed: string;
	/** Whether keys of one letter or sign do something, and those that were chosen, by their actions; "" for none. */
	letters: boolean;
	keys: { [action: string]: string };
};

type Child = Node | string | boolean | null | undefined;
type On<Kind, E> = (event: Kind & { currentTarget: E }) => unknown;
interface Attributes<E> {
	onclick?: On<MouseEvent, E>;
	onchange?: On<Event, E>;
	onsubmit?: On<SubmitEvent, E>;
	onclose?: On<Event, E>;
	onkeydown?: On<KeyboardEvent, E>;
	[name: string]: string | number | boolean | undefined | ((event: never) => unknown);
}

/** Makes a request: the address determines the types of its body and its answer. */
type Ask = Calls & ((url: "/art.svg") => Promise<string>);

interface Window {
	/** Both of base/first.js; absent if it did not load. */
	bridgeheadTheme?: (prefs?: Partial<Prefs>) => void;
	/** Something that the page needs did not load: loads the page again, or says so. */
	bridgeheadMissing?: (url: string) => void;
	/** On a page of a static site (site/page.js). */
	site?: Site;
	href?: undefined;
}

/** A page's way to whatever answers it. href: the address of a path on the server. */
type Site = {
	href(path: string): string;
	fetch(url: string, init?: RequestInit): Promise<Response>;
	WebSocket: { new (url: string): Line; OPEN: number };
	memory?: Partial<Stored>;
};
/** What pages use of a WebSocket. */
type Line = {
	readyState: number;
	onopen: ((event: Event) => void) | null;
	onmessage: ((event: MessageEvent) => void) | null;
	onclose: ((event: CloseEvent) => void) | null;
	send(text: string): void;
	close(): void;
};
/**
 * From a page of a static site to its worker. n: the number of a request or a socket; lost: the error of which a thinker died;
 * place: of this thinker, 0 for the page's own; help: the number under which it was asked for.
 */
type ToWorker = {
	n?: number;
	request?: [method: string, path: string, body: string, language: string];
	open?: true;
	text?: string;
	close?: true;
	leave?: true;
	thinker?: MessagePort;
	lost?: string;
	begin?: [wish: string, table: string, tokens: string, host: string];
	rows?: [table: string, number: number, text: string][];
	place?: number;
	help?: number;
};
/**
 * From the worker. n: as above; state: a sentence for the page, or "ready"; lasts: whether games stay in this browser; done, of: bytes;
 * end: the place of a thinker to replace; rows: all that the tab has to keep, where there is no database.
 */
type FromWorker = {
	n?: number;
	answer?: Answered;
	text?: string;
	state?: string;
	lasts?: boolean;
	rows?: [table: string, number: number, text: string][];
	done?: number;
	of?: number;
	end?: number;
	help?: number;
};
type Answered = [status: number, type: string, content: string | Uint8Array<ArrayBuffer>];
/** Python in the worker (bridgehead.site.host). */
type Host = {
	request(method: string, path: string, body: string, language: string): Promise<{ toJs(): Answered; destroy(): void }>;
	begin(wish: string, table: string, tokens: string, host: string): Promise<void>;
	connect(write: (text: string | null) => void): InPython;
	think(post: (request: Uint8Array) => void, end: () => void, help: number): InPython;
};
/** Pyodide's program, as Emscripten made it. */
type Program = {
	FS: Python["FS"];
	preloadedWasm: { [path: string]: unknown };
	loadWebAssemblyModule(content: Uint8Array, flags: { nodelete: boolean }, path: string, scope: object): unknown;
};
/** Python, as boot.js starts it. */
type Python = {
	FS: { mkdirTree(path: string): void; writeFile(path: string, content: Uint8Array): void };
	// biome-ignore lint/suspicious/noExplicitAny: what a module of Python has
	pyimport(name: string): any;
	runPython(text: string): void;
	makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
};
/** What a service worker has beyond a page. */
type Lifetime = { waitUntil(done: Promise<unknown>): void };
type FetchEvent = { request: Request; respondWith(answer: Promise<Response>): void };
interface ServiceScope {
	clients: { claim(): Promise<void> };
	skipWaiting(): Promise<void>;
	addEventListener(name: "install" | "activate", handler: (event: Lifetime) => void): void;
	addEventListener(name: "fetch", handler: (event: FetchEvent) => void): void;
	addEventListener(name: "message", handler: (event: MessageEvent) => void): void;
}
/** A page or its thinker, from the side of Python. */
type InPython = { receive(given: string | Uint8Array): void; close(): void; fail?(problem: string): void };
