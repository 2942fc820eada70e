// Runs in_browser.py in Pyodide under Node. node compile.mjs PYODIDE FOLDER; the folder has the script and its archives.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

process.on("uncaughtException", (error) => {
	console.error(error.message); // without the source line of Pyodide, which is very long
	process.exit(1);
});
const [pyodide, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
// Equal sources give equal bytes: sets of constants have an order, and code has no columns, only lines.
const env = { PYTHONDONTWRITEBYTECODE: "1", PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" };
const python = await loadPyodide({ indexURL: `${pyodide}/`, env });
python.unpackArchive(new Uint8Array(readFileSync(`${folder}/sources.zip`)), "zip", { extractDir: "/bridgehead" });
python.mountNodeFS("/work", folder);
python.runPython("import sys; sys.path[:0] = ['/bridgehead', '/work']");
await python.runPythonAsync("import in_browser; await in_browser.main()");
process.exit(0);
