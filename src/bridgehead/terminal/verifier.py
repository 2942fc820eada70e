"""The verifier of proofs as one HTML file: the pages' own modules, sentences and markup, for a disk without any server.

Each module becomes a function, in the order of the imports. Requests for sentences and words are answered from the file itself;
its security policy forbids every other one. The same sources make the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from importlib import resources
from pathlib import Path

from bridgehead.core.javascript import IMPORT, list_exports, remove_exports, resolve_import, write_pattern
from bridgehead.core.phrases import ENGLISH, catalogue, languages

COMMENT = re.compile(r"^// @ts-check\n", re.M)
FAMILIES = ("v_", "verdict_", "proof_", "by_", "stories_")  # sentences whose keys the modules put together


def write_verifier(file: Path) -> str:
    """Write the verifier; returns its SHA-256, hex."""
    made = render_verifier()
    file.write_bytes(made)
    return hashlib.sha256(made).hexdigest()


def render_verifier() -> bytes:
    """The whole file."""
    web = Path(str(resources.files("bridgehead") / "web"))
    body = _read(web / "templates" / "verify_parts.html")
    modules = _modules(web / "static", "verify/verifier")
    files = {
        f"/static/words/{language}.json": json.dumps(_sentences(web, language, [*modules.values(), body]), ensure_ascii=False)
        for language in languages()
    }
    files["/static/sealed/rules.json"] = _read(web / "static" / "sealed" / "rules.json")
    files["/static/bip39.txt"] = _read(Path(str(resources.files("bridgehead") / "fairness" / "words.txt")))
    known = " ".join(languages())
    script = "\n".join([_start(files, known), *(_function(name, text) for name, text in modules.items())])
    style = _read(web / "static" / "verify" / "verifier.css")
    sources = f"script-src 'sha256-{_digest(script)}' 'wasm-unsafe-eval'; style-src 'sha256-{_digest(style)}'"
    policy = f"default-src 'none'; {sources}; base-uri 'none'; form-action 'none'"
    text = f"""<!doctype html>
<html lang="en" data-languages="{known}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bridgehead</title>
<style>{style}</style>
</head>
<body>
<main class="stack">
{body}</main>
<script type="module">{script}</script>
</body>
</html>
"""
    return text.encode()


def _modules(folder: Path, name: str, found: dict[str, str] | None = None) -> dict[str, str]:
    """A module and all that it imports, each after those that it needs."""
    found = {} if found is None else found
    text = _read(folder / f"{name}.js")
    for _, path in IMPORT.findall(text):
        if (needed := resolve_import(name, path)) not in found:
            _modules(folder, needed, found)
    found[name] = text
    return found


def _variable(name: str) -> str:
    """The variable that holds a module's exports."""
    return f"module_{name.replace('/', '_')}"


def _function(name: str, text: str) -> str:
    """A module as a function that returns its exports."""
    inner = remove_exports(COMMENT.sub("", text))

    def replace_import(match: re.Match[str]) -> str:
        return f"const {write_pattern(match[1])} = {_variable(resolve_import(name, match[2]))};\n"

    body = IMPORT.sub(replace_import, inner)
    return f"const {_variable(name)} = await (async () => {{\n{body}return {{ {', '.join(list_exports(text))} }};\n}})();"


def _start(files: dict[str, str], known: str) -> str:
    """The files that the modules ask for, and the language: the one after # in the address, or the browser's."""
    # "<" is escaped, because a text could end the script.
    texts = json.dumps(files, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")
    return f"""const files = {texts};
const fetch = async (name) => new Response(files[name]);
const wanted = [location.hash.slice(1), navigator.language.slice(0, 2)];
document.documentElement.lang = wanted.find((each) => "{known}".split(" ").includes(each)) ?? "en";"""


def _sentences(web: Path, language: str, sources: list[str]) -> dict[str, str]:
    """The sentences that the sources use."""
    words = catalogue(web)
    used = set(re.findall(r'"(\w+)"', "\n".join(sources)))
    keys = [key for key in sorted(words.keys(ENGLISH)) if key in used or key.startswith(FAMILIES)]
    return {key: words.text(key, language) for key in keys}


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _read(file: Path) -> str:
    return file.read_text("utf-8").replace("\r\n", "\n")
