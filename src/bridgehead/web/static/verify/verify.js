// @ts-check
// The page that checks proofs of chance: that of a table, with what this browser kept of it, or files.
import { $, el, enable, href, later, root } from "../base/dom.js";
import { showError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { startPage } from "../base/page.js";
import { ask } from "../base/request.js";
import { load } from "../base/store.js";

const { table } = $("main").dataset;

/** The rows of the server's list around those of a proof's eras. @param {Answer<"GET /api/tables/{table}/proof">} proof */
async function rowsOf({ eras }) {
	const numbers = eras.flatMap(({ listed }) => (listed ? [typeof listed === "number" ? listed : listed.n] : []));
	const pages = await Promise.all(numbers.map((n) => ask(`/api/sealed?from=${Math.max(1, n - 1)}`)));
	return pages.flatMap(({ entries }) => entries.slice(0, 2));
}

/** The rules that this site has for any proof. @param {import("../sealed/checks.js").Proof} proof */
async function atHand(proof) {
	const [{ rulesAtHand }, answer] = await Promise.all([
		later(() => import("../sealed/rules_at_hand.js")),
		fetch(href("/static/sealed/rules.json")),
	]);
	return rulesAtHand(await answer.json(), proof);
}

/** The rules by which this table is played, for its own proof. @param {import("../sealed/checks.js").Proof} proof */
async function referee(proof) {
	const { game, version } = proof.eras[0].rules;
	const { refereeOf } = await later(() => import("./referee.js"));
	const found = await refereeOf(table ?? "").catch(() => null);
	return found?.game === game && found.version === version ? found.follower : atHand(proof);
}

startPage().then(async () => {
	const { begin, isNewest, showFiles, wire } = await later(() => import("./findings.js"));
	const { unsealed } = await later(() => import("../sealed/live_checks.js"));
	wire(atHand);
	enable("choose");
	document.title = `${t("check_dice")} · Bridgehead`;
	if (!table) return;
	const mine = begin();
	const link = el("a", { class: "btn", href: `/api/tables/${table}/proof` }, t("download"));
	const { kept } = load(`sealed.${table}`, unsealed(table));
	const { heads, key } = load("server", { heads: [], key: "" });
	try {
		const proof = await ask(`/api/tables/${table}/proof?lang=${root.lang}`);
		const known = { kept: kept.gid ? [kept] : [], key, heads, rows: await rowsOf(proof) };
		if (!isNewest(mine)) return;
		const file = URL.createObjectURL(new Blob([JSON.stringify(kept)], { type: "application/json" }));
		const own = el("a", { class: "btn", id: "kept", href: file, download: `${table}-kept.json` }, t("kept_file"));
		$("from").replaceChildren(link, kept.gid ? own : "");
		await showFiles([{ name: t("table_n", { table }), text: JSON.stringify(proof) }], known, referee);
	} catch (error) {
		if (isNewest(mine)) showError($("error"), error);
	}
});
