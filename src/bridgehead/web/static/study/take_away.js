// @ts-check
// What one takes from the analysis board or a replay: a link, a file, a picture, or a game that goes on from its place.
/** @import { AnalysisBoard } from "./analysis_board.js" */
/** @import { Replay } from "./replay.js" */
import { download } from "../base/download.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { share } from "../people/share.js";
import { fork } from "./fork.js";
import { pictures } from "./picture.js";

const LONGEST = 60000; // characters of a link

/** @param {AnalysisBoard} page */
const requestLinks = ({ record, place }) => ask("/api/study/links", { record, at: place.at });

/** @param {AnalysisBoard} page */
export async function shareStudy(page) {
	const { link } = await requestLinks(page);
	if (link.length > LONGEST) throw new Error(t("link_long"));
	share(link, `/study#at=${page.place.at}&g=`);
}

/** @param {AnalysisBoard} page */
export function saveStudy({ place, record }) {
	download(`${place.game}-study.txt`, record, "text/plain");
}

/** @param {AnalysisBoard} page */
export async function forkStudy(page) {
	const { way, actions } = await requestLinks(page);
	const { game, title, names, frame, turn, prompt } = page.place;
	const { plates, actor, sentence } = frame;
	fork({ game, title, names, link: way }, { n: actions, plates: [...plates], actor, turn, sentence, prompt });
}

/** @param {Replay} replay */
export async function pictureReplay({ film: { game, picture, record, turns }, frames, wanted }) {
	const { items, turn } = await frames.frame(wanted);
	const film = { record, turn, turns: turns.at(-1)?.[0] ?? 0 };
	pictures({ picture, items, name: `${game}-${turn}`, film: film.turns ? film : undefined });
}
