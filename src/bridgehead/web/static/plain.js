// Pages that need no more than words and settings.
import { startPage } from "./dom.js";

startPage();
