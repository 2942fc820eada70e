"""The rooms of the pages' modules (docs/understand/architecture.md): which room may import which, and no circle of imports.

What a module loads later (`import()`) counts; imports of types alone do not.
"""

import graphlib
import posixpath
import re
from collections.abc import Iterable
from pathlib import Path

STATIC = Path(__file__).parents[1] / "src" / "bridgehead" / "web" / "static"
# What each room may import beside itself: a room, or one module of it.
ROOMS = {
    "base": [],
    "wasm": [],
    "sealed": ["base/bytes.js", "wasm"],
    "verify": ["base", "sealed"],
    "board": ["base"],
    "lab": ["base"],
    "people": ["base", "lab"],
    "table": ["base", "board", "people", "verify"],
    "study": ["base", "board", "people"],
    "learn": ["base", "board", "people"],
    "pages": ["base", "board"],
}
COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)
IMPORT = re.compile(r"""(?:^(?:import|export)\b[^;"()]*?|\bimport\()["'](\.[^"']+)["']""", re.MULTILINE)


def imports_of(name: str, text: str) -> set[str]:
    """The modules that a module imports, at once or later."""
    return {posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) for path in IMPORT.findall(COMMENT.sub("", text))}


def read_imports() -> dict[str, set[str]]:
    """The imports of each module, all named by their paths in the folder of modules."""
    return {
        file.relative_to(STATIC).as_posix(): imports_of(file.relative_to(STATIC).as_posix(), file.read_text("utf-8"))
        for file in sorted(STATIC.rglob("*.js"))
    }


def find_trespasses(imports: dict[str, set[str]]) -> Iterable[str]:
    """A sentence for each import that the contract of the rooms forbids, or that names no file."""
    for name, found in imports.items():
        room = name.partition("/")[0]
        if room not in ROOMS:
            yield f"{name} stands in no room: {', '.join(ROOMS)}"
            continue
        for other in sorted(found):
            if other not in imports:
                yield f"{name} imports {other}, which does not exist"
            elif not {other, other.partition("/")[0]} & {room, *ROOMS[room]}:
                yield f"{name} imports {other}: {room} may import {', '.join(ROOMS[room]) or 'no other room'}"


def find_circle(imports: dict[str, set[str]]) -> str:
    """The modules of a circle of imports, in order; "" if there is none."""
    try:
        graphlib.TopologicalSorter(imports).prepare()
    except graphlib.CycleError as error:
        return " -> ".join(reversed(error.args[1]))
    return ""


def test_imports_go_only_to_the_rooms_below() -> None:
    assert list(find_trespasses(read_imports())) == []


def test_no_module_imports_itself_over_others() -> None:
    assert find_circle(read_imports()) == ""


BARE = re.compile(r"""(?<!later\(\(\) => )(?<!typeof )\bimport\(["']""")


def test_what_is_loaded_later_may_fail_and_is_tried_again() -> None:
    for file in STATIC.rglob("*.js"):
        assert not BARE.search(COMMENT.sub("", file.read_text("utf-8"))), f"{file}: `later` of base/dom.js loads modules"


def test_every_room_of_the_contract_has_modules() -> None:
    assert {name.partition("/")[0] for name in read_imports()} == {*ROOMS}


def test_the_contract_sees_what_it_forbids() -> None:
    text = """/** @import { Table } from "../table/table.js" */
import {
	a,
} from "./dom.js";
// import "../study/book.js";
export const later = async () => (await import("../lab/tune.js")).tune();
"""
    found = imports_of("base/x.js", text)
    assert found == {"base/dom.js", "lab/tune.js"}
    imports = {"base/x.js": found, "base/dom.js": {"base/x.js"}, "lab/tune.js": {"lab/lost.js"}, "attic/y.js": set[str]()}
    assert list(find_trespasses(imports)) == [
        "base/x.js imports lab/tune.js: base may import no other room",
        "lab/tune.js imports lab/lost.js, which does not exist",
        f"attic/y.js stands in no room: {', '.join(ROOMS)}",
    ]
    assert {*find_circle(imports).split(" -> ")} == {"base/x.js", "base/dom.js"}
