// Looking at a game again, frame by frame.
import { Board } from "./board.js";
import { $, ask, el, problem, root, startPage, wake } from "./dom.js";
import { fillLog, fillSeats } from "./panels.js";
import { t } from "./words.js";

class Replay {
	constructor(film) {
		Object.assign(this, { film, at: 0, end: film.frames.length - 1 });
		$("choose").hidden = true;
		$("replay").hidden = false;
		$("where").textContent = document.title = `${film.title} · ${t("replay")}`;
		this.board = new Board($("stage"), { empty() {}, touch() {}, pull() {} }, $("map"));
		this.board.setPicture(film.picture, film.title);
		$("scrub").max = this.end;
		$("count").textContent = t("of_turns", { n: film.frames[this.end].turn });
		this.lines = film.frames.flatMap(({ turn, sentence }, frame) => [
			...(sentence && frame ? [{ n: turn, text: sentence, frame }] : []),
			...(film.notes || []).filter(({ at }) => at === frame).map(({ text }) => ({ n: Math.max(1, turn), text, frame, mark: true })),
		]);
		this.sides();
		$("tab-study").hidden = film.frames[this.end].actor !== -2 || !this.end;
		this.wire();
		this.go(Number(new URLSearchParams(location.search).get("at")) || 0);
	}

	go(to) {
		const { frames, names = [], plates0 } = this.film, at = Math.max(0, Math.min(this.end, to)), frame = frames[at];
		this.board.turn(this.side > 0);
		this.board.setItems(frame.items, frame.traces, at === this.at + 1);
		this.board.setMarks({ last: frame.last || [] });
		this.at = at;
		fillSeats({ seats: (frame.plates || plates0).map((plate, i) => ({ ...plate, name: names[i] || plate.name })), actor: frame.actor });
		fillLog(this.lines.filter((line) => line.frame <= at));
		$("say").textContent = (at && frame.sentence) || frame.prompt;
		$("scrub").value = at;
		$("scrub").setAttribute("aria-valuetext", `${t("turn_no")} ${frame.turn}: ${$("say").textContent}`);
		$("jump").value = frame.turn;
		$("first").disabled = $("back").disabled = at === 0;
		$("forward").disabled = $("end").disabled = at === this.end;
		$("fork").disabled = frame.actor === -2;
		this.study?.look(at);
		if (at === this.end) this.stop();
	}

	play() {
		if (this.timer) { this.stop(); return; }
		if (this.at === this.end) this.go(0);
		$("play").textContent = t("pause");
		const tick = () => {
			this.timer = setTimeout(tick, Number($("speed").value));
			this.go(this.at + 1);
		};
		this.timer = setTimeout(tick, 250);
	}

	stop() {
		clearTimeout(this.timer);
		this.timer = 0;
		$("play").textContent = t("play");
	}

	turn(turn) {
		const found = this.film.frames.findIndex((frame) => frame.turn >= turn);
		this.go(found < 0 ? this.end : found);
	}

	// The log, or the analysis of the game, which is begun when first it is looked at.
	async tab(log) {
		for (const [id, shown] of [["log", log], ["study", !log]]) {
			$(id).hidden = !shown;
			$(`tab-${id}`).setAttribute("aria-selected", shown);
		}
		if (!log) this.study ||= new (await import("./analysis.js")).Analysis(this);
	}

	// Whose side the board is seen from, where a board has two.
	sides() {
		const { picture, names, plates0 } = this.film;
		this.side = 0;
		$("side").hidden = !picture.swap;
		$("side").append(...plates0.map((plate, i) => el("option", { value: i }, t("seen_by", { name: names[i] || plate.name }))));
		$("side").onchange = () => { this.side = Number($("side").value); this.go(this.at); };
	}

	wire() {
		const goes = { first: () => this.go(0), back: () => this.go(this.at - 1), forward: () => this.go(this.at + 1), end: () => this.go(this.end) };
		for (const [id, go] of Object.entries(goes)) $(id).onclick = () => { this.stop(); go(); };
		$("play").onclick = () => this.play();
		$("scrub").oninput = () => { this.stop(); this.go(Number($("scrub").value)); };
		$("jump").onchange = () => { this.stop(); this.turn(Number($("jump").value)); };
		$("log").onclick = ({ target }) => {
			const row = [...$("log").children].indexOf(target.closest("li"));
			this.stop();
			if (row >= 0) this.go(this.lines[row].frame);
		};
		$("download").href = URL.createObjectURL(new Blob([this.film.record], { type: "text/plain" }));
		$("download").download = `${this.film.game}.txt`;
		$("fork").onclick = async () => { this.stop(); (await import("./fork.js")).fork(this.film, this.at); };
		$("tab-log").onclick = () => this.tab(true);
		$("tab-study").onclick = () => this.tab(false);
		$("share").onclick = async () => (await import("./share.js")).share(this.film.link);
		addEventListener("prefs", () => this.go(this.at));
		const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "end", " ": "play" };
		addEventListener("keydown", (event) => {
			const key = keys[event.key], { target } = event;
			if (!key || /INPUT|SELECT/.test(target.tagName) || target.closest("[data-id]") || (key === "play" && target.tagName === "BUTTON")) return;
			event.preventDefault();
			$(key).click();
		});
	}
}

async function open(work) {
	try {
		problem($("error"));
		new Replay(await work());
	} catch (error) { problem($("error"), error); }
}

const sent = (record) => open(() => ask(`/api/records?lang=${root.lang}`, record));

startPage().then(() => {
	const { table } = $("main").dataset, fragment = new URLSearchParams(location.hash.slice(1)), given = fragment.get("g")?.replace(/[^\w-].*$/s, "") || fragment.get("r"); // a letter may have put something behind the link
	onhashchange = () => location.reload();
	$("file").onchange = async ({ target }) => { if (target.files[0]) sent(await target.files[0].text()); };
	wake("choose");
	if (given) sent(given);
	else if (table) open(() => ask(`/api/tables/${table}/frames?lang=${root.lang}`));
});
