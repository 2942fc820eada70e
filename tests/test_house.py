"""Rules for the source that the contracts of `lint-imports` cannot check."""

import ast
import re
import subprocess
import sys
from pathlib import Path

from bridgehead.server.http.bundles import strip_comments, strip_sheet

ROOT = Path(__file__).parents[1] / "src" / "bridgehead"


def test_core_names_no_game() -> None:
    games = [folder.name for folder in (ROOT / "games").iterdir() if (folder / "__init__.py").exists()]
    for file in (ROOT / "core").rglob("*.py"):
        code = ast.unparse(ast.parse(file.read_text("utf-8")))
        assert all(f"bridgehead.games.{name}" not in code for name in games), file


def test_rules_use_no_randomness_and_no_clock() -> None:
    for file in (ROOT / "games").rglob("*.py"):
        if file.stem == "scene":  # pictures have a seeded grain
            continue
        text = file.read_text("utf-8")
        for banned in ("import random", "import time", "import secrets", "np.random", "from random", "from time", "datetime"):
            assert banned not in text, (file, banned)


def test_functions_stay_under_forty_five_lines() -> None:
    for file in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno is not None:
                assert node.end_lineno - node.lineno < 45, (file, node.name)


def bare_nexts(tree: ast.AST) -> list[int]:
    """The lines on which `next` gets an iterator that may be empty, and no default, `next(iter(...))` excepted."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "next" and len(node.args) == 1:
            (given,) = node.args
            if not (isinstance(given, ast.Call) and isinstance(given.func, ast.Name) and given.func.id == "iter"):
                found.append(node.lineno)
    return found


def test_no_search_of_the_server_ends_in_a_stop_iteration() -> None:
    """No future of a thread can carry a StopIteration, so whoever waits for it would wait for ever."""
    assert bare_nexts(ast.parse("next(x for x in y); next(iter(y)); next((x for x in y), 0); next(y)")) == [1, 1]
    for file in sorted((ROOT / "server").rglob("*.py")):
        assert bare_nexts(ast.parse(file.read_text("utf-8"))) == [], file


LOADS = re.compile(r'(?:src|href)="/static/([^"]+\.(?:js|css))"|^(?:import|export)[^"]*"(\.\.?/[^"]+)"', re.M)
LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')


def loaded(file: Path, pattern: re.Pattern[str] = LOADS) -> set[Path]:
    """The scripts and styles that a page or a script names."""
    found = ("".join(names) for names in pattern.findall(file.read_text("utf-8")))
    return {(file.parent if name[0] == "." else ROOT / "web/static").joinpath(name).resolve() for name in found}


def with_all_it_loads(files: set[Path]) -> set[Path]:
    """Files with everything that comes with them at once."""
    found, new = set(), files
    while new:
        found |= new
        new = {each for file in new for each in loaded(file)} - found
    return found


def test_a_heading_without_a_text_is_hidden_until_a_script_gives_it_one() -> None:
    for page in (ROOT / "web/templates").glob("*.html"):
        for section, heading in re.findall(r"(<section[^>]*>)?<header[^>]*>(<h[1-6][^>]*></h[1-6]>)", page.read_text("utf-8")):
            assert " hidden" in section + heading, (page.name, heading)


def test_what_a_page_loads_at_once_is_small() -> None:
    """Without comments, which are not sent."""
    base = ROOT / "web/templates/base.html"
    for page in (ROOT / "web/templates").glob("*.html"):
        at_once = with_all_it_loads({base, page}) - {base, page}
        texts = ((strip_sheet if file.suffix == ".css" else strip_comments)(file.read_text("utf-8")) for file in at_once)
        assert at_once and sum(len(text.encode()) for text in texts) <= 72_000, page
    for script in (ROOT / "web/static").rglob("*.js"):
        for part in loaded(script, LATER):
            assert sum(file.stat().st_size for file in with_all_it_loads({part})) <= 90_000, part


SHEETS = sorted((ROOT / "web").rglob("*.css"))
LAYERS = "reset", "base", "parts", "page", "table", "state"
OWN = "static/verify/verifier.css"  # a page in one file, with its own order of layers
BOARD = {"static/board/bubble.css": {"left", "border-left", "top", "bottom"}}  # the tail of a bubble points at a place of a board
SIDES = "left|right|top|bottom"
SIDED = rf"(?:(?:scroll-)?(?:margin|padding)|border|inset)-(?:{SIDES})[\w-]*|{SIDES}"
PHYSICAL = re.compile(rf"(?<![\w-])(?:({SIDED}):|(float|clear|text-align):\s*(?:left|right)\b)")
FOUR = re.compile(r"(?<![\w-])(margin|padding|inset|border-width|scroll-padding):([^;}]*)")
VALUE = re.compile(r"(?:[^\s()]|\([^()]*(?:\([^()]*\)[^()]*)*\))+")


def read_sheet(file: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"), flags=re.S)


def find_unlayered(sheet: str) -> str:
    """What stands outside of all blocks `@layer NAME {...}`, whose names are of the order."""
    outside, depth, layered = "", 0, False
    for piece in re.split(r"([{}])", sheet):
        if piece == "{":
            name = re.fullmatch(r"\s*@layer (\w+)\s*", outside.rpartition("\n")[2]) if not depth else None
            if name and name[1] in LAYERS:
                outside, layered = outside.rpartition("\n")[0], True
            depth += 1
        elif piece == "}":
            depth -= 1
            layered &= depth > 0
        elif not layered:
            outside += piece
    return outside.strip()


def find_physical(sheet: str) -> set[str]:
    """Properties that name a side of the screen, and those of four values whose left and right differ."""
    sides = {name or text for name, text in PHYSICAL.findall(sheet)}
    values = ((name, VALUE.findall(told)) for name, told in FOUR.findall(sheet))
    return sides | {name for name, four in values if len(four) == 4 and four[1] != four[3]}


def test_every_rule_stands_in_a_layer_whose_order_the_first_sheet_declares_once() -> None:
    assert find_unlayered("@layer base {\na {b:c}\n}\np {q:r}\n") == "p q:r"
    order = f"@layer {', '.join(LAYERS)};"
    for file in SHEETS:
        name, sheet = file.relative_to(ROOT / "web").as_posix(), read_sheet(file)
        own = {"static/base/tokens.css": order, OWN: "@layer base, state;"}.get(name, "")
        assert find_unlayered(sheet) == own, file
        assert "!important" not in sheet, "a layer decides"
    base = (ROOT / "web/templates/base.html").read_text("utf-8")
    assert re.findall(r'href="/static/([^"]+\.css)"', base)[0] == "base/tokens.css"


def test_sheets_name_no_side_of_the_screen() -> None:
    assert find_physical("a {margin-left:0;padding:0 1px 2px calc(1px + (2px));float:right;border-left-width:0}") == {
        "margin-left", "padding", "float", "border-left-width",
    }  # fmt: skip
    for file in SHEETS:
        assert find_physical(read_sheet(file)) == BOARD.get(file.relative_to(ROOT / "web").as_posix(), set()), file


def test_tests_run_coroutines_apart_from_a_browsers_loop() -> None:
    """`asyncio.run` fails in a process in which a browser's tests came before; `waiting.apart` does not."""
    in_threads = {"waiting.py", "proxy.py", "live.py", "test_house.py", "test_stores.py"}
    found = [file.name for file in (ROOT.parents[1] / "tests").rglob("*.py") if "asyncio.run(" in file.read_text("utf-8")]
    assert {*found} <= in_threads, found


IRREGULAR = frozenset({
    "begun", "bound", "broken", "built", "chosen", "dealt", "done", "drawn", "driven", "found", "given", "gone", "grown",
    "heard", "held",
    "hidden", "kept", "known", "left", "lost", "made", "met", "paid", "played", "said", "seen", "sent", "shown", "spent",
    "spoken", "taken",
    "taught", "thought", "thrown", "told", "won", "written",
})  # fmt: skip
VERBS = frozenset({"embed", "feed", "need", "proceed", "seed"})


def test_no_public_function_is_named_by_a_lone_participle() -> None:
    """A function is a verb and its object; a property may be a participle, and a function inside another one anything."""
    wrong = []
    for file in sorted(ROOT.rglob("*.py")):
        for owner in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(owner, ast.Module | ast.ClassDef):
                for node in owner.body:
                    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
                        participle = re.fullmatch(r"[a-z]+ed", node.name) and node.name not in VERBS or node.name in IRREGULAR
                        if participle and not any("property" in ast.unparse(each) for each in node.decorator_list):
                            wrong.append((file.relative_to(ROOT).as_posix(), node.name))
    assert wrong == []


def test_a_class_name_stands_for_one_thing() -> None:
    """What every game has may have the same name in each. BGF1, the first protocol of dice, has the names of BGF2."""
    places: dict[str, set[str]] = {}
    for file in sorted(each for each in ROOT.rglob("*.py") if "bgf1" not in each.name):
        where = "games" if (ROOT / "games") in file.parents else file.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, set()).add(where)
    assert {name: found for name, found in places.items() if len(found) > 1} == {}


def test_playing_imports_nothing_of_the_workshop() -> None:
    """Neither the server with its worker, nor the terminal, nor the static site, nor the library and its players."""
    code = (
        "import sys\n"
        "import bridgehead.server.run, bridgehead.server.jobs.worker_pool, bridgehead.terminal.play, bridgehead.site.host\n"
        "game = bridgehead.game('forty_bridges')\n"
        "bridgehead.player('forty_bridges', level=1).choose(game.start())\n"
        "wing = tuple(f'bridgehead.{part}' for part in ('workshop', 'adapters', 'environments', 'batch'))\n"
        "sys.exit(', '.join(name for name in sys.modules if name.startswith(wing)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
