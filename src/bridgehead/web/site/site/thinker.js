// @ts-check
// A worker with a Python of its own, which thinks for the computer players, so that the table answers meanwhile.
import { boot } from "./boot.js";

const starting = (async () => (await boot(() => {})).pyimport("bridgehead.site.thinker"))();

/** @param {MessagePort} port */
function connect(port) {
	port.onmessage = async ({ data: { n, ask, end } }) => {
		if (end) self.close();
		else {
			try {
				const thinker = await starting;
				port.postMessage({ n, text: await thinker.answer(...ask) });
			} catch (error) {
				port.postMessage({ n, error: String(error) });
			}
		}
	};
}

const scope = /** @type {{ onconnect?: unknown }} */ (/** @type {unknown} */ (self));
if ("onconnect" in self) scope.onconnect = (/** @type {MessageEvent} */ { ports: [port] }) => connect(port);
else connect(/** @type {MessagePort} */ (/** @type {unknown} */ (self)));
