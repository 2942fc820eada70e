// @ts-check
// Pages that need only translations and settings.
import { startPage } from "./dom.js";

startPage();
