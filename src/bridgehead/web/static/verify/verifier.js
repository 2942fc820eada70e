// @ts-check
// The verifier in one file (`bridgehead verifier FILE.html`): opens proofs and evidence from disk, without any server.
import { $, el } from "../base/dom.js";
import { t, translate } from "../base/i18n.js";
import { rulesAtHand } from "../sealed/rules_at_hand.js";
import { wire } from "./findings.js";

const languages = el("p", { class: "row" });
const { lang, dataset } = document.documentElement;
translate(document);
document.title = `${t("check_dice")} · Bridgehead`;
for (const name of (dataset.languages ?? "").split(" ")) {
	const choose = () => {
		location.hash = name;
		location.reload();
	};
	const pressed = String(name === lang);
	languages.append(el("button", { type: "button", class: "btn", "aria-pressed": pressed, onclick: choose }, name));
}
document.querySelector("main")?.append(el("p", { class: "quiet" }, t("check_offline")), languages);
wire(async (proof) => rulesAtHand(await (await fetch("/static/sealed/rules.json")).json(), proof));
$("choose").inert = false;
