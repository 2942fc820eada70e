// Python of the site in Node: answers calls of spoken.py. node in_pyodide.mjs PYODIDE FOLDER
// FOLDER has asked.json (the calls), python.zip, spoken.py, wasm_rules.mjs and GAME-LAYOUT.wasm.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

process.on("uncaughtException", (error) => {
	console.error(error.message); // without the source line of Pyodide, which is very long
	process.exit(1);
});
const [pyodide, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`).href);
const { load } = await import(pathToFileURL(`${folder}/wasm_rules.mjs`).href);
const python = await loadPyodide({ indexURL: `${pyodide}/`, stdout: () => {} });
python.unpackArchive(new Uint8Array(readFileSync(`${folder}/python.zip`)), "zip", { extractDir: "/site" });
python.FS.writeFile("/site/spoken.py", readFileSync(`${folder}/spoken.py`, "utf8"));
const read = (name) => new Uint8Array(readFileSync(`${folder}/${name}`));
const browser = {
	rules: async (game, layout) => load(read(`${game}-${layout}.wasm`)),
	file: async (path) => read(path.split("/").at(-1)),
	help: () => false,
};
python.runPython("import sys; sys.path.insert(0, '/site'); from bridgehead.site import host; import spoken");
python.globals.set("browser", browser);
python.globals.set("asked", readFileSync(`${folder}/asked.json`, "utf8"));
python.runPython("host.open_host(browser)");
const answer = await python.runPythonAsync("await spoken.answers_there(asked)");
process.stdout.write(answer, () => process.exit(0));
