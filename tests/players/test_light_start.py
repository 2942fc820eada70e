"""Levels without a compiler: wasmtime runs the modules of the package, with the answers that machine code gives."""

import logging
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bridgehead.client import PERSON, Host, computer
from bridgehead.core import options, registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.players import engine, shipped_modules
from bridgehead.players.compiled import NumbaEngine
from bridgehead.players.levels import check_search
from bridgehead.players.wasmtime_engine import read_section
from bridgehead.server.http.referees import make_module
from bridgehead.server.storage.sqlite import Store
from waiting import PATIENCE

ROOT = Path(__file__).parents[2]
GAMES = ["barricade", "burning_bridges", "forty_bridges", "front_lines"]
HIDDEN = 'import sys\nsys.modules["numba"] = sys.modules["llvmlite"] = None\n'
FIVE = registry.game("forty_bridges")


@pytest.mark.wide
@pytest.mark.parametrize("game", GAMES)
def test_wasmtime_answers_as_machine_code_does(compiled: Callable[[str], Any], game: str) -> None:
    """Whole answers with all candidates and their values, bit for bit; also in threads, and when a search is stopped."""
    assert compiled(game)("in_wasmtime", "same_answers", game, 4, 2) > 60


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_it_does_so_under_mixed_house_rules_and_on_other_boards(compiled: Callable[[str], Any], game: str) -> None:
    assert compiled(game)("in_wasmtime", "same_answers", game, 40, 16) > 600


@pytest.mark.wide
def test_endgame_tables_decide_in_both(compiled: Callable[[str], Any]) -> None:
    assert compiled("forty_bridges")("in_wasmtime", "same_endgame")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of modules in place of the package's."""
    monkeypatch.setattr(shipped_modules, "FOLDER", tmp_path / "shipped")
    monkeypatch.setattr(engine._Used, "modules", True)
    caches = (shipped_modules.read_list, shipped_modules.is_current, engine._wasmtime, engine._say_why_not)
    for each in caches:
        each.cache_clear()  # type: ignore[attr-defined]
    yield tmp_path / "shipped"
    for each in caches:
        each.cache_clear()  # type: ignore[attr-defined]


def ship(content: bytes) -> None:
    name = shipped_modules.name_module(FIVE)
    shipped_modules.write_modules({name: content}, {"forty_bridges": shipped_modules.hash_game(FIVE.spec)})


def test_a_module_of_other_sources_is_not_used_and_a_line_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    assert not shipped_modules.has_module(FIVE) and isinstance(engine.engine(FIVE), NumbaEngine)
    ship(b"made of these sources")
    assert shipped_modules.has_module(FIVE) and not caplog.records
    assert not shipped_modules.has_module(registry.game("forty_bridges", quietLimit=None)), "of another layout"
    monkeypatch.setattr(shipped_modules, "hash_game", lambda spec: "made of others")
    shipped_modules.is_current.cache_clear()
    assert not shipped_modules.has_module(FIVE) and isinstance(engine.engine(FIVE), NumbaEngine)
    assert [record.levelno for record in caplog.records] == [logging.WARNING] and "make modules" in caplog.text


def test_pages_get_the_rules_alone_of_the_package(folder: Path) -> None:
    names = {shipped_modules.name_module(FIVE, rules_alone): rules_alone for rules_alone in (False, True)}
    modules = {name: b"the rules alone" if rules_alone else b"with search" for name, rules_alone in names.items()}
    shipped_modules.write_modules(modules, {"forty_bridges": shipped_modules.hash_game(FIVE.spec)})
    assert shipped_modules.read_module(FIVE) == b"with search"
    assert make_module("forty_bridges", options.canonical(FIVE.options)).content == b"the rules alone"


def test_sources_are_those_of_the_game_its_searches_and_the_core() -> None:
    spec = registry.spec("barricade")
    assert shipped_modules.hash_game(spec) == shipped_modules.hash_game(spec) != shipped_modules.hash_game(FIVE.spec)
    places = [spec.folder, Path(shipped_modules.__file__).parent, Path(registry.__file__).parent]
    assert not any(shipped_modules.FOLDER.is_relative_to(place) for place in places), "modules are no sources of themselves"


@pytest.mark.parametrize("broken", ["damaged", "no module", "not there"])
def test_where_a_module_does_not_run_others_search_and_a_line_says_why(
    broken: str, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ship(b"\0asm\1\0\0\0")
    if broken == "damaged":
        next(folder.glob("*.wasm")).write_bytes(b"changed")
    if broken == "not there":
        monkeypatch.setitem(sys.modules, "bridgehead.players.wasmtime_engine", None)
    for _ in range(2):
        assert isinstance(engine.engine(FIVE), NumbaEngine) and not engine.searches_fast(FIVE)
    assert len(caplog.records) == 1 and "extra `lab`" in caplog.text, "once"


def test_a_section_of_a_module_is_found_by_its_name() -> None:
    module = b"\0asm\1\0\0\0" + b"\1\1\0" + b"\0\6\1axyzw" + b"\0\x81\1\4name" + b"z" * 124
    assert read_section(module, "a") == b"xyzw" and read_section(module, "name") == b"z" * 124
    with pytest.raises(ValueError, match="no section"):
        read_section(module, "b")


def test_a_level_that_nothing_here_can_search_names_the_extra(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_search(FIVE, "master")
    monkeypatch.setattr(engine.jit, "has_numba", lambda: False)
    with pytest.raises(BridgeheadError, match=r"bridgehead\[lab\]"):
        check_search(FIVE, "master")
    check_search(FIVE, "greedy")
    ship(b"a module")
    check_search(FIVE, "master")


# Without Numba, as after `pip install bridgehead`


@pytest.fixture(scope="module")
def modules() -> None:
    """The modules of the present sources are in the package."""
    subprocess.run([sys.executable, str(ROOT / "tools" / "modules.py"), "--stale"], check=True, stdout=subprocess.DEVNULL)


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """The variables of a machine without Numba."""
    (tmp_path / "hidden").mkdir()
    (tmp_path / "hidden" / "sitecustomize.py").write_text(HIDDEN, "utf-8")
    env = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    path = os.pathsep.join([str(tmp_path / "hidden"), str(ROOT / "src"), *sys.path])
    return {**env, "PYTHONPATH": path, "BRIDGEHEAD_CACHE": str(tmp_path / "cache"), "PYTHONUNBUFFERED": "1"}


def run(code: str, env: dict[str, str]) -> str:
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


CHOICES = """
import bridgehead
from bridgehead.core.chance import SeededDealer
from bridgehead.core.match import Match
from bridgehead.players import player
match = Match(bridgehead.game('forty_bridges'))
for _ in range(3):
    match.deal(SeededDealer(5))
    match.play(player("master", 7).choose(match.position))
print(*match.actions)
"""


@pytest.mark.wide
@pytest.mark.usefixtures("modules")
def test_a_library_without_numba_has_levels_and_names_the_extra_for_all_else(bare: dict[str, str]) -> None:
    assert len(run(CHOICES, bare).split()) == 3
    refused = """
import bridgehead
from bridgehead import batch
from bridgehead.client import PERSON, Host, computer
from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.players import wasm
from bridgehead.workshop.arena.search_players import make_entrant
game = registry.game("forty_bridges")
for work in (
    lambda: batch.start(game, 2), lambda: make_entrant("search:50", 1).choose(game.start()),
    lambda: make_entrant("deep:50", 1).choose(game.start()), lambda: wasm.module(game),
):
    try:
        work()
    except BridgeheadError as error:
        print(error)
"""
    assert run(refused, bare).splitlines() == ["This needs the extra `lab`: pip install 'bridgehead[lab]'"] * 4


@pytest.mark.wide
@pytest.mark.usefixtures("modules")
def test_a_server_without_numba_plays_a_level_in_each_game(bare: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bridgehead", "serve", "--no-browser", "--port", "0", "--data", str(tmp_path)]
    tables = {}
    with subprocess.Popen(command, env=bare, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            assert server.stdout is not None
            url = next(found[0] for line in server.stdout if (found := re.search(r"http://127\.0\.0\.1:\d+", line)))
            for game in GAMES:
                with Host(url, timeout=PATIENCE).create(game, seats=[PERSON, computer("master")]) as table:
                    table.wait_for_turn()
                    while table.view["actor"] == 0:
                        table.play(table.choices[0]["action"])
                    table.wait_for_turn()
                    ask = {"t": "hint", "k": "0" * 32, "v": table.view["v"]}
                    assert table._exchange(ask, lambda message: message["t"] in ("hint", "rej"))["t"] == "hint"
                    tables[game] = table.view["table"]
        finally:
            server.terminate()
            output = server.stdout.read() if server.stdout else ""
    assert "Traceback" not in output, output
    store = Store(tmp_path / "bridgehead.sqlite")
    for game, table_id in tables.items():
        deciders = {event.by for event in store.events(table_id)}
        assert "master" in deciders and "fallback" not in deciders, (game, deciders)
    store.close()
