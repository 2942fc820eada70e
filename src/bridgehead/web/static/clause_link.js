// @ts-check
// The rules page of an action opens at the clause that says most about it, with the moves of this game below the clause.
import { $ } from "./dom.js";

const { clause } = $("main").dataset;
const place = location.hash ? null : document.getElementById(clause ?? "");
place?.querySelector("details")?.setAttribute("open", "");
if (place) location.replace(`#${clause}`);
