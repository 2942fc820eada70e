// @ts-check
// Shows what a check of proofs, kept files and evidence found. It needs no network: the one-file verifier consists of it too.
/** @import { Finding, Known, Proof, Verdict } from "../sealed/checks.js" */
/** @import { Proof as OldProof } from "../sealed/checks_bgf1.js" */
/** @import { Follower } from "../sealed/follower.js" */

import { $, el } from "../base/dom.js";
import { t } from "../base/i18n.js";
import { bytes } from "../sealed/bgf1.js";
import { fourWords, opening } from "../sealed/bgf2.js";
import { check, read, verdictOf } from "../sealed/checks.js";
import { contradictions, readKept, statementsOf } from "../sealed/statements.js";
import { wordList } from "./word_list.js";

/** A file with its name. @typedef {{ name: string, text: string }} Given */
/**
 * Finds the rules of a proof's game, at its first position.
 * @typedef {(proof: Proof) => Promise<Follower | undefined>} Referee
 */

const SOURCES = ["person", "server", "bot"];
let newest = 0;

/** @param {Finding} finding */
function sentence({ key, params, era }) {
	const by = String(params.by ?? "").split(",");
	const seats = by.map((source, seat) => t(`by_${SOURCES[Number(source)]}`, { n: seat + 1 })).join(", ");
	return (era ? `${t("era", { n: era })}: ` : "") + t(key, params.by === undefined ? params : { ...params, seats });
}

/** @param {Verdict} verdict @param {string} text */
const row = (verdict, text) => el("li", { class: verdict }, el("strong", {}, t(`verdict_${verdict}`)), el("span", {}, text));

/** Where there are no rules. */
const none = async () => undefined;

/**
 * Checks files and shows what was found. A newer call silences an older one.
 * @param {Given[]} files @param {Known} [known] @param {Referee} [referee]
 */
export async function showFiles(files, known = {}, referee = none) {
	const mine = begin();
	/** @type {{ name: string, proof: Proof | OldProof }[]} */
	const proofs = [];
	/** @type {{ name: string, kept: Kept }[]} */
	const kept = [];
	/** @type {string[]} */
	const strange = [];
	for (const { name, text } of files)
		try {
			const found = readKept(text);
			if (found) kept.push({ name, kept: found });
			else proofs.push({ name, proof: read(text) });
		} catch {
			strange.push(name);
		}
	$("error").hidden = !strange.length;
	$("error").textContent = strange.map((name) => [name, t("not_proof")].filter(Boolean).join(": ")).join(" ");
	const saw = [...(known.kept ?? []), ...kept.map((each) => each.kept)];
	/** @type {Verdict[]} */
	const verdicts = [];
	const bgf2 = proofs.flatMap(({ proof }) => (proof.protocol === "bgf2" ? [/** @type {Proof} */ (proof)] : []));
	const pairs = contradictions([...bgf2, ...saw].flatMap(statementsOf));
	if (pairs.length) {
		verdicts.push("broken");
		const texts = pairs.map(({ server, statements: [{ kind, number }] }) =>
			t(`stories_${kind}`, { n: number, key: server.slice(0, 16) }),
		);
		$("results").append(section(t("stories"), ...texts.map((text) => row("broken", text))));
	}
	for (const { name, kept: each } of kept)
		if (each.alarms.length) {
			verdicts.push("broken");
			$("results").append(section(name, ...each.alarms.map(({ text }) => row("broken", text))));
		} else if (!bgf2.some(({ gid }) => gid === each.gid)) {
			verdicts.push("open");
			$("results").append(section(name, row("open", t("kept_alone", { n: each.draws.length }))));
		}
	for (const { name, proof } of proofs) {
		const list = el("ul", { class: "findings stack" });
		const box = el("section", { class: "stack" }, el("h2", {}, name), list);
		$("results").append(box);
		/** @type {Finding[]} */
		const findings = [];
		const same = saw.filter(({ gid }) => "gid" in proof && gid === proof.gid);
		const follower = proof.protocol === "bgf2" ? await referee(/** @type {Proof} */ (proof)).catch(none) : undefined;
		for (const finding of check(proof, { ...known, kept: same.length ? same : saw, follower })) {
			findings.push(finding);
			list.append(row(finding.verdict, sentence(finding)));
			await new Promise((resume) => setTimeout(resume));
			if (mine !== newest) return;
		}
		verdicts.push(verdictOf(findings));
		box.append(...(await wordsOf(proof)), drawsOf(proof));
		if (mine !== newest) return;
	}
	if (verdicts.length)
		judge(/** @type {const} */ (["broken", "open", "holds"]).find((each) => verdicts.includes(each)) ?? "open");
}

/** Clears what was shown. @returns {number} of the check that begins */
export function begin() {
	$("verdict").hidden = $("trust").hidden = $("error").hidden = true;
	$("results").replaceChildren();
	return ++newest;
}

/** Did no other check begin since? @param {number} number */
export const isNewest = (number) => number === newest;

/** @param {Verdict} worst */
function judge(worst) {
	$("verdict").className = `verdict panel pad ${worst}`;
	$("verdict").textContent = t(`proof_${worst}`);
	$("verdict").hidden = $("trust").hidden = false;
}

/** @param {string} title @param {...HTMLElement} rows */
const section = (title, ...rows) =>
	el("section", { class: "stack" }, el("h2", {}, title), el("ul", { class: "findings stack" }, ...rows));

/** The four words of each era that dealt. @param {Proof | OldProof} proof */
async function wordsOf(proof) {
	if (proof.protocol !== "bgf2") return [];
	const list = await wordList();
	const { eras } = /** @type {Proof} */ (proof);
	return eras.flatMap(({ number, transcript, opening: links }) => {
		if (!list.length || !links.length || !links.every(Boolean)) return [];
		const words = fourWords(opening(bytes(transcript), links.map(bytes)), list).join(" ");
		return [el("p", {}, eras.length > 1 ? `${t("era", { n: number })}: ` : "", t("words_again", { words }))];
	});
}

/** @param {Proof | OldProof} proof */
function drawsOf({ draws }) {
	const rows = draws.map(({ name, weights }) =>
		el("li", {}, name, " ", el("small", { class: "quiet" }, t("one_of", { n: weights.length }))),
	);
	return el("details", {}, el("summary", {}, t("check_all")), el("ol", { class: "draws" }, ...rows));
}

/** Takes files from the field and from a drag. @param {Referee} [referee] */
export function wire(referee) {
	const take = async (/** @type {FileList | null | undefined} */ files) => {
		if (!files?.length) return;
		begin();
		$("from").replaceChildren();
		await showFiles(
			await Promise.all([...files].map(async (file) => ({ name: file.name, text: await file.text() }))),
			{},
			referee,
		);
	};
	$("file").onchange = () => take($("file").files);
	document.addEventListener("dragover", (event) => event.preventDefault());
	document.addEventListener("drop", (event) => {
		event.preventDefault();
		take(event.dataTransfer?.files);
	});
}
