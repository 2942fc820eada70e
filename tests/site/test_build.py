"""The files of the static site: relative addresses, the same bytes at each build, and all sources that the worker needs."""

import ast
import gzip
import io
import json
import re
import zipfile

from bridgehead.core import registry
from bridgehead.site import build, sources


def test_addresses_become_files_in_one_folder() -> None:
    known = {
        "": "./", "?a=b": "./?a=b", "static/table.js": "static/table.js", "art.svg": "art.svg", "rules": "rules.html",
        "rules/barricade?table=X#BA-1": "rules-barricade.html?table=X#BA-1", "verify": "verify.html",
        "new/barricade?mode=here": "new-barricade.html?mode=here", "t/ABC#x": "t.html?table=ABC#x",
        "replay/ABC": "replay.html?table=ABC",
    }  # fmt: skip
    assert {path: build.address(path) for path in known} == known


def test_pages_lead_nowhere_outside_their_folder_and_to_files_that_exist() -> None:
    games = {name: registry.specs()[name] for name in ("barricade", "forty_bridges")}
    pages = build.pages(games)
    assert {"index.html", "t.html", "new-barricade.html", "learn-barricade.html", "edit-barricade.html"} <= pages.keys()
    there = pages.keys() | build.shared().keys()
    for name, page in pages.items():
        text = page.decode()
        assert not re.search(r"""(href|src)=["']/""", text), name
        for found in re.findall(r"""(?:href|src)=["']([^"'#?{]+)""", text):
            external = found.startswith(("data:", "http", "./", "verify.html", "manifest", "site/"))
            assert external or found in there or found in ("lobby.html", "games.html"), (name, found)  # those two are hidden
        assert "front_lines" not in text and build.POLICY in text


def test_the_same_files_give_the_same_version_and_another_file_another() -> None:
    files = {"a.html": b"<p>@VERSION@</p>", "b.bin": b"@VERSION@"}
    one, two = build.versioned(files), build.versioned(dict(reversed(files.items())))
    assert one == two and one["b.bin"] == b"@VERSION@"
    version = json.loads(one["files.json"])["version"]
    assert version.encode() in one["a.html"] and build.versioned({**files, "c": b""})["files.json"] != one["files.json"]


def test_the_bundle_has_all_sources_and_data_of_the_chosen_games_and_nothing_of_the_server_alone() -> None:
    bundle = sources.bundle(["barricade"])
    names = bundle.keys()
    needed = {"site/host.py", "games/barricade/rules.py", "games/barricade/tutorial.toml", "server/storage/sqlite.sql"}
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


def test_packed_files_are_the_same_at_each_build() -> None:
    files = {"b/__init__.py": b"# one\nx = 1\n", "a.toml": b"# kept\n"}
    packed, archived = sources.packed(files), sources.archived(files)
    assert (packed, archived) == (sources.packed(dict(reversed(files.items()))), sources.archived(dict(reversed(files.items()))))
    texts = {"a.toml": "# kept\n", "b/__init__.py": "\nx = 1\n"}
    assert json.loads(gzip.decompress(packed)) == texts
    with zipfile.ZipFile(io.BytesIO(gzip.decompress(archived))) as archive:
        assert {name: archive.read(name).decode() for name in archive.namelist()} == texts
