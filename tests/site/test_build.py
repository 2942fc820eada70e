"""The files of the static site: relative addresses, the same bytes at each build, and all sources that the worker needs."""

import ast
import io
import json
import lzma
import os
import posixpath
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.phrases import languages, sentence
from bridgehead.players import wasm
from bridgehead.site import build, sources

ROOT = Path(__file__).parents[2]


def test_addresses_become_files_in_one_folder() -> None:
    known = {
        "": "./", "?a=b": "./?a=b", "static/table/table.js": "static/table/table.js", "art.svg": "art.svg", "rules": "rules.html",
        "rules/barricade?table=X#BA-1": "rules-barricade.html?table=X#BA-1", "verify": "verify.html",
        "new/barricade?mode=here": "new-barricade.html?mode=here", "t/ABC#x": "t.html?table=ABC#x",
        "replay/ABC": "replay.html?table=ABC",
        "replay/ABC?at=3#x": "replay.html?table=ABC&at=3#x",
    }  # fmt: skip
    assert {path: build.address(path) for path in known} == known


def test_pages_lead_nowhere_outside_their_folder_and_to_files_that_exist() -> None:
    games = {name: registry.specs()[name] for name in ("barricade", "forty_bridges")}
    pages = build.pages(games)
    assert {"index.html", "t.html", "new-barricade.html", "learn-barricade.html", "edit-barricade.html"} <= pages.keys()
    there = pages.keys() | build.collect_shared_files().keys()
    for name, page in pages.items():
        text = page.decode()
        assert not re.search(r"""(href|src)=["']/""", text), name
        shown = re.sub("<[^>]*data-needs=.others.[^>]*>", "", text)  # site.css hides these
        for found in re.findall(r"""(?:href|src)=["']([^"'#?{]+)""", shown):
            external = found.startswith(("data:", "http", "./", "verify.html", "manifest", "site/"))
            assert external or found in there or found in ("lobby.html", "games.html"), (name, found)  # those two are hidden
        assert "front_lines" not in text and build.POLICY in text
        first, *others = build.STYLE.findall(text)  # the first sheet says the order of the layers: no other may come before it
        assert first == "static/base/tokens.css" and "site/site.css" in others


def test_the_first_sheet_of_each_page_declares_the_order_of_the_layers() -> None:
    for name, page in build.pages(registry.specs()).items():
        if name.endswith(".html"):
            sheets = build.STYLE.findall(page.decode())
            assert sheets[0] == "static/base/tokens.css" and sheets[-1] == "site/site.css", name


def test_what_a_script_names_is_there_files_and_words() -> None:
    shared = {name: content.decode() for name, content in build.collect_shared_files().items() if name.endswith((".js", ".json"))}
    words = [json.loads(text).keys() for name, text in shared.items() if name.startswith("static/words/")]
    seen = 0
    for name, text in shared.items():
        for found in re.findall(r'''(?:import |from |import\(|new URL\()"([\w./]+\.js)"''', text):
            assert {posixpath.normpath(f"{posixpath.dirname(name)}/{found}"), found} & shared.keys(), (name, found)
            seen += 1
        if name.startswith("site/"):
            for key in re.findall(r'"(site\.\w+)"', text):
                assert all(key in each for each in words), (name, key)
    assert seen > 100 and len(words) == len(languages())


def test_the_same_files_give_the_same_version_and_another_file_another() -> None:
    files = {"a.html": b"<p>@VERSION@</p>", "b.bin": b"@VERSION@"}
    one, two = build.add_version(files), build.add_version(dict(reversed(files.items())))
    assert one == two and one["b.bin"] == b"@VERSION@"
    version = json.loads(one["files.json"])["version"]
    assert version.encode() in one["a.html"] and build.add_version({**files, "c": b""})["files.json"] != one["files.json"]


BARE = """
import sys


class Bare:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {extras}:
            raise ModuleNotFoundError(name, name=name)


sys.meta_path.insert(0, Bare())
from bridgehead.site import sources
print(*sorted(sources.bundle(["barricade"])))
"""


def test_the_bundle_is_the_same_where_no_extra_is_installed() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    extras = {re.split(r"[\[<>=~; ]", each)[0] for name, given in declared.items() if name not in KEPT for each in given}
    extras = {each for name in extras for each in (name, name.replace("-", "_"), *OTHER_NAMES.get(name, ()))} - {"bridgehead"}
    said = subprocess.run(
        [sys.executable, "-c", BARE.format(extras=sorted(extras))], capture_output=True, text=True, timeout=120, check=False
    )
    assert said.returncode == 0, said.stderr[-500:]
    assert said.stdout.split() == sorted(sources.bundle(["barricade"])) and "pettingzoo" in extras


KEPT = ("site", "test", "docs", "dev")
OTHER_NAMES = {"open_spiel": ("pyspiel", "open_spiel"), "pillow": ("PIL",)}


def test_a_folder_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(build, "build_files", lambda *_: pytest.fail("the work came first"))
    monkeypatch.setattr(build, "load_finished_site", lambda *_: pytest.fail("the work came first"))
    with pytest.raises(BridgeheadError) as refused:
        build.write(tmp_path / "file" / "site", ["forty_bridges"])
    assert refused.value.where == str(tmp_path / "file" / "site")


def test_the_bundle_has_all_sources_and_data_of_the_chosen_games_and_nothing_of_the_server_alone() -> None:
    bundle = sources.bundle(["barricade"])
    names = bundle.keys()
    needed = {"site/host.py", "games/barricade/rules.py", "games/barricade/tutorial.toml", "server/storage/sqlite.sql"}
    needed |= {"games/barricade/clause_marks.json", "server/http/rules_in_force.py"}
    assert {f"bridgehead/{name}" for name in needed} | {"msgspec/json.py", "cachetools/__init__.py"} <= names
    assert not [name for name in names if re.search("games/front_lines|cluster|lab/|http/pages|sqlite.py|web/", name)]


def test_modules_go_without_comments_and_docstrings_and_keep_their_lines_and_what_they_do() -> None:
    source = b'''"""What it is.

More."""
import os  # why

TEXT = "# no comment"  # \xc3\xa9


class Empty:
    """All of its body."""


def first(a):
    """Two
    lines, \xc3\xa9."""
    # a line
    return f"#{a}" """
    a text"""
'''
    made = sources.lean(source)
    assert made.count(b"\n") == source.count(b"\n") and b"why" not in made and b"lines" not in made and b"More" not in made
    assert b"All of its body" in made and b"# no comment" in made and b"a text" in made
    names: dict[str, object] = {}
    exec(compile(made, "made", "exec"), names)  # noqa: S102
    assert names["first"](1) == "#1\n    a text" and names["TEXT"] == "# no comment"  # type: ignore[operator]
    assert [node.lineno for node in ast.parse(made).body if isinstance(node, ast.FunctionDef)] == [13]
    assert sources.lean(b"match = (\n") == b"match = (\n"  # of a later version of Python, perhaps


def test_a_second_build_goes_on_with_what_the_first_one_compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two games the first build compiles one and is stopped at the other; what it said names the stages."""
    monkeypatch.setattr(wasm, "find_cache_folder", lambda game: tmp_path)
    compiled: list[str] = []

    def compile_or_stop(games: list[Game], parts: object) -> list[bytes]:
        compiled.append(games[0].spec.id)
        if compiled.count("forty_bridges") == 1 and compiled[-1] == "forty_bridges":
            raise KeyboardInterrupt
        return [game.spec.id.encode() for game in games]

    monkeypatch.setattr(build, "_compiled", compile_or_stop)
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    specs, said = [registry.spec(name) for name in ("barricade", "forty_bridges")], []
    with pytest.raises(KeyboardInterrupt):
        build.modules(specs)
    made = build.modules(specs, progress=lambda stage: said.append(sentence(stage)))
    assert compiled == ["barricade", "forty_bridges", "forty_bridges"]
    assert {content for content in made.values()} == {b"barricade", b"forty_bridges"}
    assert [line.partition(":")[0] for line in said] == ["Barricade"] * 2 + ["40 Bridges"] * 2


SUMS = """
import hashlib, sys
from bridgehead.core import registry
from bridgehead.site import build, npm_packages, precompiled, sources
if __name__ == "__main__":
    name, what = sys.argv[1:]
    spec = registry.spec(name)
    library = {"heapq.py": b"def merge(a, b):\\n    return a in {'x', 'y', 'z'}\\n", "turtle.py": b"x = 1\\n"}
    made = {
        "start": lambda: precompiled.precompile_modules(npm_packages.folder(npm_packages.PYODIDE), library,
            sources.bundle([name])),
        "site": lambda: (build.python([name], npm_packages.folder(npm_packages.PYODIDE)), build.modules([spec])),
    }[what]()
    for files in made:
        for file in sorted(files):
            print(file, len(files[file]), hashlib.sha256(files[file]).hexdigest())
"""


def sums(folder: Path, name: str, what: str) -> list[str]:
    """The files that processes with different hashes of texts make of a game: each with its size and its hash, once."""
    (script := folder / "sums.py").write_text(SUMS)
    running = [
        subprocess.Popen(
            [sys.executable, str(script), name, what],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": os.pathsep.join(sys.path),
                "BRIDGEHEAD_CACHE": str(folder / seed),  # each compiles
            },
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("1", "2")
    ]
    one, two = ((each.communicate()[0], each.returncode) for each in running)
    assert one == two and one[1] == 0
    return one[0].splitlines()


def test_what_a_start_loads_is_compiled_with_the_same_bytes_at_each_build(tmp_path: Path) -> None:
    made = {line.split()[0]: int(line.split()[1]) for line in sums(tmp_path, "barricade", "start")}
    assert "heapq.pyc" in made and "turtle.py" not in made and "turtle.pyc" not in made
    assert made["bridgehead/games/barricade/rules.py"] == made["bridgehead/site/host.py"] == 0
    compiled = {Path(name).name.partition(".")[0] for name in made if "__pycache__" in name}
    assert {"rules", "scene", "host", "library"} <= compiled and "position_editor" not in compiled
    assert made["bridgehead/games/barricade/position_editor.py"] > 1000


@pytest.mark.wide
def test_modules_and_python_of_two_builds_have_the_same_bytes(tmp_path: Path) -> None:
    made = [line.split()[0] for line in sums(tmp_path, "front_lines", "site")]
    assert "python.xz" in made and sum(name.startswith("wasm/front_lines") for name in made) >= 1


def test_the_host_of_the_site_needs_the_standard_library_msgspec_and_plain_packages_only() -> None:
    script = [sys.executable, Path(__file__).with_name("without_packages.py")]
    done = subprocess.run(script, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr


def test_packed_files_are_the_same_at_each_build() -> None:
    files = {"b/__init__.py": b"# one\nx = 1\n", "a.toml": b"# kept\n", "c.pyc": b"\n\0\xff"}
    packed, archived = sources.pack_files(files), sources.archive_files(files)
    assert (packed, archived) == (
        sources.pack_files(dict(reversed(files.items()))),
        sources.archive_files(dict(reversed(files.items()))),
    )
    head, _, rest = lzma.decompress(packed).partition(b"\n")
    found = {}
    for name, size in json.loads(head).items():
        found[name], rest = rest[:size], rest[size:]
    assert found == files and not rest
    with zipfile.ZipFile(io.BytesIO(lzma.decompress(archived))) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files | {"b/__init__.py": b"\nx = 1\n"}


def test_the_page_of_a_table_names_all_its_modules_and_that_of_a_new_game_those_of_the_table() -> None:
    scripts = build.collect_shared_files()
    made = build.soon(build.pages({"forty_bridges": registry.spec("forty_bridges")}), scripts)
    here = {*re.findall(r'<link rel="modulepreload" href="([^"]+)">', made["t.html"].decode())}
    soon = {*re.findall(r'<link data-soon href="([^"]+)">', made["new-forty_bridges.html"].decode())}
    names = ("table/table", "board/board", "board/viewport", "base/draw")
    assert {*(f"static/{name}.js" for name in names), "site/page.js"} <= here
    assert soon > {"t.html", "static/base/page.css"} | here and soon - {"t.html"} <= {*scripts}
    assert "static/people/share.js" not in here, "a table loads it when it needs it"
    assert b"data-soon" not in made["index.html"] and b"modulepreload" not in made["index.html"]
