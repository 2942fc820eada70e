// @ts-check
// Short, dry sounds of wood, stone, card and flame, synthesised here. The browser keeps them silent until the page is touched,
// and the settings may too. What is heard follows from what a scene says of its movements; a game's stylesheet names its
// material.
import { root } from "./dom.js";
import { prefs } from "./store.js";

/** A part of a sound: "noise" or a tone, its pitch at first and at last (Hz), its begin and length (s), and how loud it is. */
/** @typedef {[shape: OscillatorType | "noise", from: number, to: number, start: number, length: number, loud: number]} Voice */

/** @param {number} pitch @param {number} start @returns {Voice[]} */
const knock = (pitch, start) => [
	["sine", pitch, 0.7 * pitch, start, 0.07, 0.8],
	["noise", 3 * pitch, 2 * pitch, start, 0.025, 0.5],
];

/** @type {{ [name: string]: Voice[] }} */
const SOUNDS = {
	turn: [
		["triangle", 523, 523, 0, 0.09, 1],
		["triangle", 784, 784, 0.08, 0.1, 1],
	],
	end: [...knock(392, 0), ...knock(494, 0.14), ...knock(587, 0.28), ["triangle", 587, 587, 0.28, 0.18, 0.6]],
	lost: [["sine", 247, 208, 0, 0.18, 0.6]],
	wood: knock(420, 0),
	stone: [
		["sine", 1250, 1100, 0, 0.045, 0.5],
		["noise", 4200, 3000, 0, 0.02, 0.7],
		["sine", 310, 230, 0, 0.06, 0.6],
	],
	card: [
		["noise", 5200, 2600, 0, 0.05, 0.8],
		["sine", 180, 120, 0.04, 0.05, 0.4],
	],
	flame: [
		["noise", 6000, 3500, 0, 0.05, 0.7],
		["noise", 500, 900, 0.04, 0.14, 1],
		["sine", 120, 70, 0.04, 0.1, 0.3],
	],
	clay: [
		["sine", 150, 85, 0, 0.09, 0.9],
		["noise", 700, 400, 0, 0.06, 0.4],
	],
	creak: [
		["sawtooth", 190, 150, 0, 0.06, 0.12],
		["noise", 500, 160, 0.05, 0.13, 1],
	],
	mine: [
		["sine", 90, 38, 0, 0.18, 1],
		["noise", 320, 120, 0, 0.16, 0.9],
	],
	beam: [
		["sine", 130, 80, 0, 0.12, 1],
		["noise", 900, 500, 0, 0.03, 0.5],
	],
	capture: [...knock(330, 0), ...knock(220, 0.08)],
	dice: [0, 0.04, 0.075, 0.12, 0.15].map((start, i) => ["sine", 900 - 90 * i, 700 - 90 * i, start, 0.022, 0.6]),
};
/** What is heard of a movement; "" is a step. @type {{ [how: string]: string }} */
const HOWS = { "": "step", leaps: "step", tips: "capture", lifts: "beam", shrinks: "clay", grows: "stone" };
/** What is heard of a thing that comes, changes or goes, by its class. @type {{ [event: string]: { [word: string]: string } }} */
const WORDS = {
	new: { drops: "flame", unrolls: "clay", flips: "card", rolls: "dice" },
	changed: { bursts: "mine", flips: "card", rolls: "dice" },
	gone: { falls: "creak" },
};
const LATER = 0.16; // s between two sounds of one move
/** @type {{ [volume: string]: number }} */
const VOLUMES = { on: 0.126, quiet: 0.05 }; // -18 and -26 dB

class Sound {
	/** @type {AudioContext | undefined} */
	context;
	/** @type {AudioBuffer | undefined} */
	noise;

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
		const passed = mine && !(before.choices && before.you.includes(before.actor));
		const heard = list(before, view);
		if (!heard.length) heard.push("step");
		for (const [i, name] of heard.slice(0, 3).entries()) this.play(name, LATER * i);
		const after = LATER * Math.min(3, heard.length);
		if (view.outcome) this.play(view.ending?.tone === "lost" ? "lost" : "end", after);
		else if (passed) this.play("turn", after + 0.1);
	}

	/** @param {string} name @param {number} wait s */
	play(name, wait = 0) {
		const loud = VOLUMES[prefs().sound ?? "quiet"];
		const { context } = this;
		if (!loud || context?.state !== "running") return;
		const material = getComputedStyle(root).getPropertyValue("--material").trim();
		const voices = SOUNDS[name === "step" ? material : name] ?? SOUNDS.wood;
		const begin = context.currentTime + wait; // read once: it goes on between two voices
		for (const voice of voices) this.sing(context, voice, begin, loud);
	}

	/** @param {AudioContext} context @param {Voice} voice @param {number} begin @param {number} loud */
	sing(context, [shape, from, to, start, length, level], begin, loud) {
		const gain = context.createGain();
		const [first, last] = [begin + start, begin + start + length];
		gain.gain.setValueAtTime(0, first);
		gain.gain.linearRampToValueAtTime(loud * level, first + 0.004);
		gain.gain.exponentialRampToValueAtTime(0.0001, last);
		gain.connect(context.destination);
		const source = shape === "noise" ? this.rustle(context, gain, from, to, first, last) : context.createOscillator();
		if (source instanceof OscillatorNode) {
			if (shape !== "noise") source.type = shape;
			source.frequency.value = from;
			source.frequency.exponentialRampToValueAtTime(to, last);
			source.connect(gain);
		}
		source.start(first);
		source.stop(last + 0.02);
	}

	/**
	 * Noise about a pitch.
	 * @param {AudioContext} context @param {GainNode} gain @param {number} from @param {number} to @param {number} first
	 * @param {number} last
	 */
	rustle(context, gain, from, to, first, last) {
		if (!this.noise) {
			this.noise = context.createBuffer(1, context.sampleRate / 4, context.sampleRate);
			const samples = this.noise.getChannelData(0);
			for (let i = 0; i < samples.length; i++) samples[i] = 2 * Math.random() - 1;
		}
		const source = context.createBufferSource();
		const filter = context.createBiquadFilter();
		source.buffer = this.noise;
		filter.type = "bandpass";
		filter.frequency.setValueAtTime(from, first);
		filter.frequency.exponentialRampToValueAtTime(to, last);
		source.connect(filter).connect(gain);
		return source;
	}
}

/** The sounds of what happened between two views, each once. @param {View} before @param {View} view */
function list(before, view) {
	const names = view.traces.map(({ how = "" }) => HOWS[how] ?? "step");
	const was = new Map(before.items.map((item) => [item.id, item]));
	/** @param {Item} item @param {"new" | "changed" | "gone"} event */
	const note = ({ cls = "" }, event) => {
		const word = Object.keys(WORDS[event]).find((each) => cls.split(" ").includes(each));
		if (word) names.push(WORDS[event][word]);
	};
	for (const item of view.items) {
		const old = was.get(item.id);
		was.delete(item.id);
		if (!old) note(item, "new");
		else if (JSON.stringify(old.parts) !== JSON.stringify(item.parts)) note(item, "changed");
	}
	for (const item of was.values()) note(item, "gone");
	return [...new Set(names)];
}

export const sound = new Sound();
