// @ts-check
// The desk of a server's host, a part of the page of the class: storage, backups, old tables, reports, tournaments, the log.

import { $, button, el, href, root } from "../base/dom.js";
import { withError } from "../base/errors.js";
import { t } from "../base/i18n.js";
import { ask } from "../base/request.js";
import { load, save } from "../base/store.js";
import { redraw, table } from "./lists.js";

/** @typedef {Answer<"POST /api/host">} Desk */
const about = /** @type {const} */ (`?lang=${root.lang}`);
const keyOf = () => load("host", "");

const size = (/** @type {number} */ bytes) =>
	new Intl.NumberFormat(root.lang, {
		style: "unit",
		unit: bytes < 1e9 ? "megabyte" : "gigabyte",
		maximumFractionDigits: 1,
	}).format(bytes / (bytes < 1e9 ? 1e6 : 1e9));
const when = (/** @type {number} */ seconds) =>
	new Intl.DateTimeFormat(root.lang, { dateStyle: "medium", timeStyle: "short" }).format(1000 * seconds);

/** @typedef {Requests["POST /api/host/act"]["body"]} HostAct */
/** @param {Omit<HostAct, "key">} what @param {(done: Answer<"POST /api/host/act">) => string} said */
const act = (what, said) =>
	withError($("error"), async () => {
		const done = await ask(`/api/host/act`, { key: keyOf(), ...what });
		$("desk-done").textContent = said(done);
		await showDesk();
	});

/** @param {Desk["reports"][number]} report */
function report({ name, text }) {
	const close = button(t("desk.close"), () => act({ do: "close", name }, () => t("desk.closed")));
	return el("li", { class: "stack" }, el("pre", {}, text), el("p", {}, close));
}

/** @param {Desk["tournaments"][number]} cup */
function cup({ id, name, title, state, entrants }) {
	const own = load("tournaments", {})[id]?.host;
	const go = async () => {
		const made = own ? { host: own } : await ask(`/api/tournaments/${id}/host`, { key: keyOf() });
		const kept = load("tournaments", {})[id] ?? { entrant: -1, token: "" };
		save("tournaments", { ...load("tournaments", {}), [id]: { ...kept, host: made.host } });
		location.assign(href(`/tournament/${id}`));
	};
	const label = t(own ? "cups.open_it" : "desk.renew");
	const press = {
		class: "btn",
		type: "button",
		"data-key": id,
		"aria-label": `${label}: ${name}`,
		onclick: () => withError($("error"), go),
	};
	const text = `${name} · ${title} · ${t(`cups.${state}`)} · ${t("cups.entrants", { n: entrants })}`;
	return el("li", { class: "row" }, el("span", { class: "grow" }, text), el("button", press, label));
}

/** Asks for everything and shows it. */
export async function showDesk() {
	const desk = await ask(`/api/host${about}`, { key: keyOf() });
	const facts = [
		t("desk.version", { version: desk.version }),
		t("desk.here", { n: desk.here }),
		t("desk.tables", { n: desk.tables }),
		t("desk.people", { n: desk.people }),
		desk.size > 0 && t("desk.size", { size: size(desk.size), free: size(desk.free) }),
	];
	$("desk-facts").replaceChildren(...facts.flatMap((text) => (text ? [el("li", {}, text)] : [])));
	$("desk-backups").hidden = !desk.folder;
	$("desk-folder").textContent = desk.folder ? t("desk.folder", { folder: desk.folder }) : t("desk.database");
	if (document.activeElement !== $("desk-every")) $("desk-every").value = `${desk.every}`;
	const rows = desk.backups.map((each) => [each.name, when(each.time), size(each.size)]);
	$("desk-files").replaceChildren(
		rows.length ? table([t("desk.file"), t("desk.made"), t("desk.bytes")], rows, 1) : t("desk.no_backup"),
	);
	redraw($("desk-reports"), ...(desk.reports.length ? desk.reports.map(report) : [el("li", {}, t("desk.no_report"))]));
	redraw($("desk-cups"), ...(desk.tournaments.length ? desk.tournaments.map(cup) : [el("li", {}, t("cups.none"))]));
	$("desk-log").textContent = desk.log.join("\n") || t("desk.no_log");
}

const days = () => {
	const given = Number($("desk-days").value);
	if (!(given >= 1 && given <= 3650)) throw new Error(t("desk.days_wrong"));
	return given;
};
$("desk-backup").onclick = () => act({ do: "backup" }, ({ name }) => t("desk.backed_up", { name }));
$("desk-every").onchange = () => act({ do: "every", days: Number($("desk-every").value) }, () => t("desk.planned"));
$("desk-count").onclick = () =>
	withError($("error"), async () => {
		const { tables: n } = await ask(`/api/host/act`, { key: keyOf(), do: "count", days: days() });
		$("desk-done").textContent = t("desk.counted", { n });
		$("desk-prune").hidden = n === 0;
	});
$("desk-prune").onclick = () =>
	withError($("error"), async () => {
		await act({ do: "prune", days: days() }, ({ tables: n }) => t("desk.pruned", { n }));
		$("desk-prune").hidden = true;
	});
