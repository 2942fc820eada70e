// Checks a table's proof of chance, or one from a file.
import { check, isListed, isSigned, read } from "./checks.js";
import { $, ask, el, problem, root, startPage, wake } from "./dom.js";
import { t } from "./words.js";

const { table } = $("main").dataset;
let newest = 0;

// mine: the number of this look; what is found once a newer one has begun is not shown.
async function show(json, where, mine) {
	if (mine !== newest) return;
	problem($("error"));
	$("verdict").hidden = $("trust").hidden = $("all").hidden = true;
	$("findings").replaceChildren();
	$("from").textContent = where;
	let proof;
	try { proof = read(json); } catch { problem($("error"), new Error(t("not_proof"))); return; }
	const findings = [];
	$("unsigned").hidden = true;
	const tell = async (finding) => {
		if (mine !== newest) return;
		const [verdict, key, params = {}, era] = finding;
		findings.push(verdict);
		$("findings").append(el("li", { class: verdict }, el("strong", {}, t(`verdict_${verdict}`)), el("span", {}, (era ? `${t("era", { n: era })}: ` : "") + t(key, params))));
		await new Promise((resume) => { setTimeout(resume); });
	};
	for (const finding of check(proof)) await tell(finding);
	for (const era of proof.eras) {
		const signed = proof.server && era.signature ? await isSigned(proof.server, era) : undefined;
		if (mine === newest) $("unsigned").hidden = signed !== undefined || !era.signature;
		if (signed !== undefined) await tell([signed ? "holds" : "broken", signed ? "v_signed" : "v_signed_not", { key: proof.server.slice(0, 16) }]);
		if (table && era.listed) await tell(await listed(era) ? ["holds", "v_listed", { n: era.listed }] : ["broken", "v_listed_not", { n: era.listed }]);
	}
	if (mine !== newest) return;
	const worst = ["broken", "open"].find((each) => findings.includes(each)) || "holds";
	$("verdict").className = `verdict panel pad ${worst}`;
	$("verdict").textContent = t(`proof_${worst}`);
	$("draws").replaceChildren(...proof.draws.map(({ name, weights }) => el("li", {}, name, " ", el("small", { class: "quiet" }, t("one_of", { n: weights.length })))));
	$("verdict").hidden = $("trust").hidden = $("all").hidden = false;
}

async function listed(era) {
	return isListed((await ask(`/api/sealed?from=${Math.max(1, era.listed - 1)}`)).entries, era);
}

startPage().then(async () => {
	$("file").onchange = async ({ target }) => {
		const mine = ++newest;
		if (target.files[0]) show(await target.files[0].text(), "", mine);
	};
	wake("choose");
	document.title = `${t("check_dice")} · Bridgehead`;
	if (!table) return;
	const mine = ++newest, link = el("a", { class: "btn", href: `/api/tables/${table}/proof` }, t("download"));
	try {
		const proof = await ask(`/api/tables/${table}/proof?lang=${root.lang}`);
		await show(JSON.stringify(proof), t("table_n", { table }), mine);
		if (mine === newest) $("from").append(" ", link);
	} catch (error) { if (mine === newest) problem($("error"), error); }
});
