"""Compiling by the kit and by plain njit: a cache that cannot be stale, and templates bound to a game."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from bridgehead.core import jit, registry
from bridgehead.core.law import memory, pack_law

pytestmark = pytest.mark.wide
ROOT = Path(__file__).parents[2]
FOLDER = registry.spec("forty_bridges").folder

PERFT = """
import sys
import numpy as np
from bridgehead.core import options as house
from bridgehead.core.game import Game
from bridgehead.core.kernels import kernels
from connect_four import SPEC
game, depth = Game(SPEC, house.build(SPEC)), int(sys.argv[1])
states, out = game.new_states(depth + 1), np.zeros((depth + 1, game.max_legal), np.int32)
SPEC.rules.setup(states[0], game.law)
work = np.zeros(depth + 1, np.int64)
print(kernels(SPEC).perft(states, game.law, depth, out, work, work.copy()))
"""


WAYS = pytest.mark.parametrize("njit", [False, True], ids=["kit", "njit"])


def run(code: str, *arguments: str, compiled: bool, cache: Path, njit: bool = False) -> str:
    env = os.environ | {
        "BRIDGEHEAD_NJIT": "1" if njit else "0",
        "NUMBA_DISABLE_JIT": "0" if compiled else "1",
        "BRIDGEHEAD_CACHE": str(cache),
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT / "examples")]),
    }
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@WAYS
def test_a_game_of_another_package_compiles_and_counts_as_it_must(tmp_path: Path, njit: bool) -> None:
    """Known numbers of Connect Four: 7**7 less the seven ways to drop seven discs into one column; then the first wins."""
    assert run(PERFT, "7", compiled=True, cache=tmp_path, njit=njit) == "823536"
    assert run(PERFT, "8", compiled=True, cache=tmp_path, njit=njit) == "5673234"
    assert any(tmp_path.rglob("*.nbc")) != njit, "the kit caches on disk, plain njit does not"
    assert run(PERFT, "5", compiled=False, cache=tmp_path) == "16807"


def test_a_template_bound_to_a_game_is_loaded_from_the_cache_at_the_second_start(tmp_path: Path) -> None:
    watch = PERFT + "\nstats = kernels(SPEC).perft.stats\nprint(len(stats.cache_hits), len(stats.cache_misses))"
    assert run(watch, "3", compiled=True, cache=tmp_path).split() == ["343", "0", "1"]
    assert run(watch, "3", compiled=True, cache=tmp_path).split() == ["343", "1", "0"]


WITHOUT = (
    """
import numba.core.caching, numba.core.ccallback
del numba.core.caching.FunctionCache
"""
    + PERFT
)
FAILING = (
    """
import pathlib
from bridgehead.core import jit, numba_kit
numba_kit.VERIFIED = ()
folder = jit.cache_folder()
folder.mkdir(parents=True)
(folder / "kit").write_text("fails")
"""
    + PERFT
)
UNKNOWN = (
    """
from bridgehead.core import jit, numba_kit
numba_kit.VERIFIED = ()
"""
    + PERFT
    + "\nprint((jit.cache_folder() / 'kit').read_text())"
)


@pytest.mark.parametrize("code", [WITHOUT, FAILING], ids=["a private part is missing", "the self-test fails"])
def test_where_the_kit_does_not_fit_rules_are_compiled_by_plain_njit(tmp_path: Path, code: str) -> None:
    assert run(code, "7", compiled=True, cache=tmp_path) == "823536"
    assert not any(tmp_path.rglob("*.nbc"))


def test_with_an_unknown_numba_the_kit_is_tested_once(tmp_path: Path) -> None:
    assert run(UNKNOWN, "7", compiled=True, cache=tmp_path).split() == ["823536", "works"]
    assert any(tmp_path.rglob("*.nbc"))


READ = """
import numpy as np
from pathlib import Path
from bridgehead.core import jit, numba_kit

class Silent(np.record):
    @property
    def data(self):
        raise AssertionError("Numba asked for a buffer, which describes every field")

def doubled(row):
    return 2 * row.step

rows = np.zeros(2, np.dtype((Silent, np.dtype([("step", np.int64), ("gap", np.int8)]))))
rows["step"] = 3, 4
read = numba_kit.compile_rule(doubled, jit.cache_folder())
print(read(rows[0]), read(rows[1]))
"""


def test_compiled_code_takes_a_record_without_describing_its_fields(tmp_path: Path) -> None:
    (tmp_path / "reading.py").write_text(READ)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import reading"
    assert run(code, compiled=True, cache=tmp_path) == "6 8"


def test_where_nothing_can_be_kept_it_compiles_all_the_same_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    told = PERFT + "\nimport os, pathlib\nfolder = pathlib.Path(os.environ['BRIDGEHEAD_CACHE'])"
    told += "\nprint(folder, oct(folder.stat().st_mode)[-3:], any(folder.rglob('*.nbc')))"
    count, folder, mode, compiled = run(told, "3", compiled=True, cache=tmp_path / "file" / "cache").split()
    assert (count, mode, compiled) == ("343", "700", "True"), "nobody else may put code there"
    assert not Path(folder).exists()


def folder_of(*folders: Path) -> Path:
    """Where machine code is kept now, not as it was asked before."""
    jit.cache_folder.cache_clear()
    return jit.cache_folder(*folders)


def touch(source: Path) -> None:
    source.write_text(source.read_text("utf-8") + "\n# changed\n", "utf-8")


def test_the_cache_folder_changes_with_any_source_of_the_game(tmp_path: Path) -> None:
    game = tmp_path / "game"
    shutil.copytree(FOLDER, game)
    for source in [*game.rglob("*.py"), game / "boards" / "standard.json"]:
        before = folder_of(game)
        touch(source)
        assert folder_of(game) != before, source
    changed = folder_of(game)
    (game / "languages" / "en.toml").write_text("", "utf-8")
    assert folder_of(game) == changed, "sentences do not influence machine code"


def test_the_cache_folder_changes_with_core_and_with_nothing_above_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy = tmp_path / "bridgehead"
    shutil.copytree(ROOT / "src" / "bridgehead", copy)
    monkeypatch.setattr(jit, "CORE", copy / "core")
    game = copy / "games" / "forty_bridges"
    before = folder_of(game)
    for outside in ("server/app.py", "cli.py", "batch.py", "workshop/arena/contest.py", "games/barricade/rules.py"):
        touch(copy / outside)
    assert folder_of(game) == before
    for inside in ("core/kernels.py", "core/bits.py", "core/spec.py"):
        before = folder_of(game)
        touch(copy / inside)
        assert folder_of(game) != before, inside


def test_of_a_folder_that_is_no_package_only_what_lies_directly_in_it_counts(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("", "utf-8")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "other.py").write_text("", "utf-8")
    before = folder_of(tmp_path)
    touch(tmp_path / "deep" / "other.py")
    assert folder_of(tmp_path) == before
    touch(tmp_path / "mine.py")
    assert folder_of(tmp_path) != before


COUNTING = """
from bridgehead.core.game import Game
from bridgehead.core import options as house
from bridgehead.core.jit import bind
from connect_four import SPEC
from template import count
game = Game(SPEC, house.build(SPEC))
loop = bind(count, {"legal": SPEC.rules.legal}, SPEC.id, SPEC.folder)
state, out = game.new_states(1)[0], __import__("numpy").zeros(7, "int32")
print(loop(state, game.law, out), len(loop.stats.cache_hits))
"""


def test_a_template_that_lies_elsewhere_is_compiled_anew_when_its_file_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "elsewhere"
    home.mkdir()
    (home / "helper.py").write_text("MORE = 0\n", "utf-8")
    template = "from helper import MORE\n\ndef count(state, law, out):\n    return legal(state, law, out) + MORE\n"
    (home / "template.py").write_text(template, "utf-8")
    code = f"import sys; sys.path.insert(0, {str(home)!r})" + COUNTING
    assert run(code, compiled=True, cache=tmp_path) == "7 0"
    assert run(code, compiled=True, cache=tmp_path) == "7 1"
    (home / "helper.py").write_text("MORE = 50\n", "utf-8")
    assert run(code, compiled=True, cache=tmp_path) == "57 0"


OWN = """
import numba
before = numba.config.CACHE_DIR
from connect_four import SPEC
SPEC.rules.legal
print(numba.config.CACHE_DIR == before)
"""


@WAYS
def test_compiling_rules_leaves_the_settings_of_numba_alone(tmp_path: Path, njit: bool) -> None:
    assert run(OWN, compiled=True, cache=tmp_path, njit=njit) == "True"


HOLDING = """
import numpy as np
from bridgehead.core.jit import rule

@rule
def fill(out, n):
    for i in range(n):
        out[i] = i
    return n

@rule
def made(n):
    found = np.zeros(n, np.int64)
    fill(found, n)
    return found

@rule
def total(n):
    found = made(n)
    number = 0
    for i in range(n):
        number += found[i]
    return number

@rule
def copied(out, other):
    out[:] = other
    return out[0]

@rule
def loop(out, other, n):
    number = 0
    for _ in range(n):
        number += total(8) + fill(out, 8) + copied(out, other)
    return number
"""

HELD = """
import numpy as np
from numba.core.runtime import _nrt_python, rtsys
_nrt_python.memsys_enable_stats()
import holding
def there():
    told = rtsys.get_allocation_stats()
    return told.mi_alloc - told.mi_free
out, other = np.zeros(8, np.int64), np.ones(8, np.int64)
print(holding.loop(out, other, 10))
before = there()
holding.loop(out, other, 1000)
print(there() - before)
for name in ("fill", "made", "total", "copied"):
    (piece,) = getattr(holding, name).piece.overloads.values()
    print(name, "NRT_" in piece.library.get_llvm_str())
"""


def test_who_holds_an_array_is_counted_only_in_pieces_that_have_one_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "holding.py").write_text(HOLDING, "utf-8")
    found = run(f"import sys; sys.path.insert(0, {str(tmp_path)!r})" + HELD, compiled=True, cache=tmp_path / "cache").splitlines()
    assert found[0] == str(10 * (28 + 8 + 1))
    assert found[1] == "0", "what is made is given back"
    assert found[2:] == ["fill False", "made True", "total True", "copied True"]


PIECES = """
import numpy as np
from bridgehead.core import options as house
from bridgehead.core.game import Game
from bridgehead.core.kernels import kernels
from connect_four import SPEC
game = Game(SPEC, house.build(SPEC))
state, out, play = game.new_states(1)[0], np.zeros(7, np.int32), kernels(SPEC).random_games
play(state, game.law, np.uint64(3), 10, 100, out)
from connect_four import rules
print([len(rule.overloads) for rule in (rules.apply, rules.legal, rules.has_four)],
      [len(rule.piece.overloads) for rule in (rules.apply, rules.legal, rules.has_four)])
SPEC.rules.setup(state, game.law)
print(rules.legal(state, game.law, out), len(rules.legal.overloads))
"""


def test_rules_inside_a_loop_get_no_machine_code_of_their_own_and_can_still_be_called(tmp_path: Path) -> None:
    first, second = run(PIECES, compiled=True, cache=tmp_path).splitlines()
    assert first == "[0, 0, 0] [1, 1, 1]"
    assert second == "7 1"
    assert len(list(tmp_path.rglob("*.nbc"))) == 3, "the loop and the two rules that were called from here"


def test_plain_rules_are_plain_functions() -> None:
    def double(x: int) -> int:
        return 2 * x

    if jit.COMPILED:
        pytest.skip("rules are compiled in this process")
    assert jit.rule(double) is double


def test_a_packed_law_has_the_attributes_of_the_law_and_cannot_be_changed() -> None:
    game = registry.game("forty_bridges", sidesNeeded=4)
    tables = "board bit step touch step_east step_west touch_east touch_west spare landing leaps between between_bent opening"
    numbers = "goal way near far first_drawn most_captures blocked quiet_limit"
    assert set(memory(game.law).dtype.names) >= {*tables.split(), *numbers.split()}
    assert game.law.sides_needed == 4 and game.law.between.shape == (41, 41)
    with pytest.raises((TypeError, ValueError), match="read-only|item assignment"):
        game.law.touch[0] = np.uint64(1)
    with pytest.raises(AttributeError):
        pack_law((1, 2))


def test_machine_code_on_disk_says_what_it_is_for(tmp_path: Path) -> None:
    """One file must never be taken for another, nor half a file for a whole one."""
    code = """
from pathlib import Path
import sys
from bridgehead.core.numba_kit import Entries
entries = Entries(Path(sys.argv[1]), "rules.apply")
entries.save(("one",), "code of one")
entries.save(("two",), "code of two")
print(entries.load(("one",)), "|", entries.load(("two",)), "|", entries.load(("three",)))
one, two = entries._path(("one",)), entries._path(("two",))
two.write_bytes(one.read_bytes())
print(entries.load(("two",)))
one.write_bytes(one.read_bytes()[:-3])
print(entries.load(("one",)))
entries.flush()
print(len(list(Path(sys.argv[1]).iterdir())))
"""
    folder = tmp_path / "code"
    folder.mkdir()
    told = run(code, str(folder), compiled=True, cache=tmp_path).splitlines()
    assert told == ["code of one | code of two | None", "None", "None", "0"]


TWO_RECORDS = """
import sys
import bridgehead
for limit in sys.argv[1:]:
    game = bridgehead.game("forty_bridges", quietLimit=int(limit))  # the limit is the length of an array in the record
    position = game.start()
    for _ in range(3):
        position = position.play(position.legal[0])
    print(position.text)
"""


@pytest.mark.parametrize("njit", [False, True], ids=["kit", "njit"])
def test_code_from_the_cache_is_not_mistaken_for_code_for_another_record(tmp_path: Path, njit: bool) -> None:
    """The second process counts its records in another order than the first, whose code it loads after its own."""
    limits = ("40", "150")
    expected = run(TWO_RECORDS, *limits, compiled=False, cache=tmp_path).splitlines()
    assert run(TWO_RECORDS, limits[0], compiled=True, cache=tmp_path, njit=njit).splitlines() == expected[:1]
    assert run(TWO_RECORDS, *limits[::-1], compiled=True, cache=tmp_path, njit=njit).splitlines() == expected[::-1]
