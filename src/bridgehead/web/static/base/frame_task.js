// @ts-check
// Work that is done at most once in each frame, however often somebody asks for it.

export class FrameTask {
	frame = 0; // that will do it
	isAsked = false;

	/** @param {() => void} work @param {AbortSignal} signal ends it */
	constructor(work, signal) {
		this.work = work;
		document.addEventListener("visibilitychange", () => this.now(), { signal }); // no frames come while the page is hidden
		signal.addEventListener("abort", () => this.cancel());
	}

	/** Does the work in the next frame; on a page that is hidden, as soon as what runs now has ended. */
	ask() {
		if (this.isAsked) return;
		this.isAsked = true;
		if (document.hidden) queueMicrotask(() => this.now());
		else this.frame = requestAnimationFrame(() => this.now());
	}

	/** Does now what was asked for. */
	now() {
		if (!this.isAsked) return;
		this.cancel();
		this.work();
	}

	cancel() {
		cancelAnimationFrame(this.frame);
		this.isAsked = false;
	}
}
