// @ts-check
// Short tones, synthesised here. The browser keeps them silent until the page is touched, and the settings may too.
import { prefs } from "./store.js";

/**
 * Shape, and for each tone its frequency, start and length; times in seconds.
 * @type {{ [name: string]: { shape: OscillatorType, tones: number[][] } }}
 */
const SOUNDS = {
	turn: {
		shape: "triangle",
		tones: [
			[523, 0, 0.14],
			[784, 0.13, 0.22],
		],
	},
	move: { shape: "sine", tones: [[330, 0, 0.07]] },
	capture: {
		shape: "triangle",
		tones: [
			[294, 0, 0.09],
			[196, 0.08, 0.16],
		],
	},
	end: {
		shape: "triangle",
		tones: [
			[392, 0, 0.18],
			[494, 0.16, 0.18],
			[587, 0.32, 0.4],
		],
	},
};
/** @type {{ [volume: string]: number }} */
const VOLUMES = { on: 0.16, quiet: 0.05 };

class Sound {
	/** @type {AudioContext | undefined} */
	context;

	constructor() {
		for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => this.wake(), { capture: true, passive: true });
		addEventListener("sound", () => this.play("turn")); // a reminder
	}

	/** Opens the device for sound, which the browser allows only after a touch or a key. */
	wake() {
		if (!this.context && prefs().sound !== "off") this.context = new AudioContext();
		return this.context?.resume();
	}

	/** Plays a sound at a press, as soon as the device is open. @param {string} name */
	async preview(name) {
		await this.wake();
		this.play(name);
	}

	/**
	 * Plays what happened between two views.
	 * @param {View | undefined} before @param {View} view @param {boolean} mine @param {boolean} moved
	 */
	follow(before, view, mine, moved) {
		if (!before || !moved) return;
		const news = view.log.slice(before.log.length);
		const passed = mine && !(before.choices && before.you.includes(before.actor));
		const pieces = (/** @type {Item[]} */ items) =>
			new Map(items.filter(({ id, seat }) => seat && id.startsWith("p:")).map((item) => [item.id, item]));
		const now = pieces(view.items);
		const mover = before.seats[before.actor]?.seat;
		const hit = [...pieces(before.items)].some(([id, { seat, at }]) => {
			const piece = now.get(id);
			return seat !== mover && (!piece || piece.at !== at);
		});
		this.play(view.outcome ? "end" : hit ? "capture" : news.some(({ actor }) => actor === -1) ? "dice" : "move");
		if (passed && !view.outcome) this.play("turn", 0.25);
	}

	/** @param {string} name */
	play(name, wait = 0) {
		const loud = VOLUMES[prefs().sound ?? "quiet"];
		const { context } = this;
		if (!loud || context?.state !== "running") return;
		const start = context.currentTime + wait;
		if (name === "dice") {
			for (let i = 0; i < 5; i++) {
				const at = start + i * 0.055 + Math.random() * 0.02;
				this.tone(context, "square", 900 - 90 * i, at, 0.018, loud / 3);
			}
			return;
		}
		const { shape, tones } = SOUNDS[name];
		for (const [pitch, from, length] of tones) this.tone(context, shape, pitch, start + from, length, loud);
	}

	/**
	 * @param {AudioContext} context @param {OscillatorType} shape @param {number} pitch @param {number} start
	 * @param {number} length @param {number} loud
	 */
	tone(context, shape, pitch, start, length, loud) {
		const source = context.createOscillator();
		const gain = context.createGain();
		source.type = shape;
		source.frequency.value = pitch;
		gain.gain.setValueAtTime(0, start);
		gain.gain.linearRampToValueAtTime(loud, start + 0.008);
		gain.gain.exponentialRampToValueAtTime(0.0001, start + length);
		source.connect(gain).connect(context.destination);
		source.start(start);
		source.stop(start + length + 0.02);
	}
}

export const sound = new Sound();
