// @ts-check
// A worker of a page in which Python thinks, so that tables answer meanwhile. The page ends it when nobody wants the answer.
// The first one keeps the image of Python's memory from which later starts are quick.
import { boot, kept, Loading } from "./boot.js";
import { file, rules } from "./rules.js";

const ALONE = self.name === "image"; // it comes for the image only
const HELPS = self.name === "helper"; // with one analysis

/** An error that the page hears of: it starts another thinker. @param {unknown} error @returns {never} */
function fail(error) {
	setTimeout(() => {
		throw error;
	});
	throw error;
}

async function start() {
	const python = await boot(new Loading(undefined, !HELPS));
	if (ALONE) {
		await kept;
		return self.close();
	}
	const thinker = python.pyimport("bridgehead.site.host").open_thinker({ rules, file });
	const { port1, port2 } = new MessageChannel();
	port1.onmessage = async ({ data }) => {
		const answer = await thinker(data).catch(fail);
		port1.postMessage(answer, [answer.buffer]);
	};
	postMessage(null, { transfer: [port2] });
}

start().catch(fail);
