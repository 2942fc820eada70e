// @ts-check
// The page that checks a proof of chance: that of a table, or one from a file.
/** @import { Finding, ProofEra } from "./checks.js" */
import { check, isListed, isSigned, read } from "./checks.js";
import { $, ask, el, problem, root, startPage, wake } from "./dom.js";
import { t } from "./words.js";

const { table } = $("main").dataset;
let newest = 0;

/**
 * Checks a proof and shows the findings. mine: the number of this check; a newer one silences it.
 * @param {string} json @param {string} where @param {number} mine
 */
async function show(json, where, mine) {
	if (mine !== newest) return;
	problem($("error"));
	$("verdict").hidden = $("trust").hidden = $("all").hidden = true;
	$("findings").replaceChildren();
	$("from").textContent = where;
	let proof;
	try {
		proof = read(json);
	} catch {
		problem($("error"), new Error(t("not_proof")));
		return;
	}
	/** @type {string[]} */
	const verdicts = [];
	$("unsigned").hidden = true;
	/** @param {Finding} finding */
	const add = async ([verdict, key, params = {}, era]) => {
		if (mine !== newest) return;
		verdicts.push(verdict);
		const sentence = (era ? `${t("era", { n: era })}: ` : "") + t(key, params);
		$("findings").append(el("li", { class: verdict }, el("strong", {}, t(`verdict_${verdict}`)), el("span", {}, sentence)));
		await new Promise((resume) => setTimeout(resume));
	};
	for (const finding of check(proof)) await add(finding);
	for (const era of proof.eras) {
		const { server = "" } = proof;
		const signed = server && era.signature ? await isSigned(server, era) : undefined;
		if (mine === newest) $("unsigned").hidden = signed !== undefined || !era.signature;
		if (signed !== undefined)
			await add([signed ? "holds" : "broken", signed ? "v_signed" : "v_signed_not", { key: server.slice(0, 16) }]);
		if (table && era.listed) {
			const there = await listed(era, era.listed);
			await add([there ? "holds" : "broken", there ? "v_listed" : "v_listed_not", { n: era.listed }]);
		}
	}
	if (mine !== newest) return;
	const worst = ["broken", "open"].find((each) => verdicts.includes(each)) || "holds";
	$("verdict").className = `verdict panel pad ${worst}`;
	$("verdict").textContent = t(`proof_${worst}`);
	const draws = proof.draws.map(({ name, weights }) => {
		const choice = el("small", { class: "quiet" }, t("one_of", { n: weights.length }));
		return el("li", {}, name, " ", choice);
	});
	$("draws").replaceChildren(...draws);
	$("verdict").hidden = $("trust").hidden = $("all").hidden = false;
}

/** @param {ProofEra} era @param {number} n */
async function listed(era, n) {
	return isListed((await ask(`/api/sealed?from=${Math.max(1, n - 1)}`)).entries, era);
}

startPage().then(async () => {
	$("file").onchange = async () => {
		const mine = ++newest;
		const [file] = $("file").files ?? [];
		if (file) show(await file.text(), "", mine);
	};
	wake("choose");
	document.title = `${t("check_dice")} · Bridgehead`;
	if (!table) return;
	const mine = ++newest;
	const link = el("a", { class: "btn", href: `/api/tables/${table}/proof` }, t("download"));
	try {
		const proof = await ask(`/api/tables/${table}/proof?lang=${root.lang}`);
		await show(JSON.stringify(proof), t("table_n", { table }), mine);
		if (mine === newest) $("from").append(" ", link);
	} catch (error) {
		if (mine === newest) problem($("error"), error);
	}
});
