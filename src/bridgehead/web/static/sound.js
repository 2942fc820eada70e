// Short tones, made here and not loaded; silent until somebody has touched the page, and whenever they want.
import { prefs } from "./dom.js";

// [shape, [frequency, start, length] ...]: seconds from now
const TONES = {
	turn: ["triangle", [523, 0, 0.14], [784, 0.13, 0.22]],
	move: ["sine", [330, 0, 0.07]],
	capture: ["triangle", [294, 0, 0.09], [196, 0.08, 0.16]],
	end: ["triangle", [392, 0, 0.18], [494, 0.16, 0.18], [587, 0.32, 0.4]],
};
const LOUD = { on: 0.16, quiet: 0.05 };

export class Sound {
	constructor() {
		const wake = () => {
			if (!this.context && prefs().sound !== "off") this.context = new AudioContext();
			this.context?.resume();
		};
		for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, wake, { capture: true, passive: true });
	}

	// What a view sounds like, after the one before.
	hear(before, view, mine, moved) {
		if (!before || !moved || document.visibilityState === "prerender") return;
		const news = view.log.slice(before.log.length), passed = mine && !(before.choices && before.you.includes(before.actor));
		const seats = (items) => new Map(items.filter(({ id, seat }) => seat && id.startsWith("p:")).map((item) => [item.id, item]));
		const was = seats(before.items), now = seats(view.items);
		const hit = [...was].some(([id, { seat, at }]) => seat !== before.seats[before.actor]?.seat && (!now.has(id) || now.get(id).at !== at));
		this.last = view.outcome ? "end" : hit ? "capture" : news.some(({ actor }) => actor === -1) ? "dice" : "move";
		this.play(this.last);
		if (passed && !view.outcome) this.play("turn", 0.25);
	}

	play(name, wait = 0) {
		const loud = LOUD[prefs().sound ?? "quiet"], { context } = this;
		if (!loud || context?.state !== "running") return;
		const start = context.currentTime + wait;
		if (name === "dice") {
			for (let i = 0; i < 5; i++) this.tone("square", 900 - 90 * i, start + i * 0.055 + Math.random() * 0.02, 0.018, loud / 3);
			return;
		}
		const [shape, ...tones] = TONES[name];
		for (const [pitch, from, length] of tones) this.tone(shape, pitch, start + from, length, loud);
	}

	tone(shape, pitch, start, length, loud) {
		const { context } = this, source = context.createOscillator(), gain = context.createGain();
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
