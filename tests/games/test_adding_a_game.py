"""docs/do/add_a_game.md: every block of code is run, and the game that the page builds passes the conformance tests."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import command_line
from bridgehead.core import options
from bridgehead.core.errors import BridgeheadError, NotationError
from bridgehead.core.game import Game
from bridgehead.core.scene import MovementTrace
from bridgehead.terminal.new_game import write_package
from ford import SPEC as FORD
from programs import program

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "do" / "add_a_game.md").read_text("utf-8")
BLOCKS = re.findall(r'^```(\w+)(?: title="(\S*?)")?\n(.*?)^```', PAGE, re.MULTILINE | re.DOTALL)


def installed(name: str, folder: Path) -> dict[str, str]:
    """The environment of a process in which a package is installed, as `pip install -e` would do it."""
    info = folder / f"{name}-0.1.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n", "utf-8")
    (info / "entry_points.txt").write_text(f"[bridgehead.games]\n{name} = {name}:SPEC\n", "utf-8")
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    return {**os.environ, "PYTHONPATH": path, "BRIDGEHEAD_CACHE": str(folder / "cache"), "BRIDGEHEAD_GAMES": ""}


def run(command: list[str], folder: Path, env: dict[str, str]) -> str:
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def passes_all(name: str, folder: Path) -> None:
    """Run the tests of a package and the conformance tests."""
    env = installed(name, folder) | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    pytest_command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "bridgehead.conformance.plugin"]
    run([*pytest_command, f"test_{name}.py"], folder, env)
    run([*pytest_command, "--pyargs", "bridgehead.conformance", "--game", name], folder, env)


@pytest.fixture(scope="module")
def hex_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game that the page builds."""
    folder = tmp_path_factory.mktemp("page")
    written: set[str] = set()
    for language, name, text in BLOCKS:
        if language == "sh" and text.startswith("bridgehead new-game hex"):
            with contextlib.chdir(folder):
                assert command_line.run(*text.splitlines()[0].split()[1:]).returncode == 0
        elif name.startswith("hex/"):
            before = (folder / name).read_text("utf-8") + "\n" if name in written else ""
            (folder / name).write_text(before + text, "utf-8")
            written.add(name)
        elif name:
            assert text in (ROOT / name).read_text("utf-8")
    assert written == {str(each.relative_to(folder)) for each in (folder / "hex").rglob("*") if each.is_file()}
    return folder / "hex"


def test_the_page_builds_a_game_that_passes_its_tests(hex_game: Path) -> None:
    code = "import hex_pie, test_hex_pie; [test() for name, test in vars(test_hex_pie).items() if name.startswith('test_')]"
    run([sys.executable, "-c", code], hex_game, installed("hex_pie", hex_game))


@pytest.mark.long  # compiling takes long; the game of `bridgehead new-game` passes them in `make test-all`
def test_the_page_builds_a_game_that_passes_its_tests_and_the_conformance_tests(hex_game: Path) -> None:
    passes_all("hex_pie", hex_game)


@pytest.mark.long
def test_a_new_game_passes_its_tests_and_the_conformance_tests(tmp_path: Path) -> None:
    write_package("my_game", tmp_path)
    passes_all("my_game", tmp_path)


def test_a_move_is_touched_field_by_field_and_shown_on_its_way() -> None:
    game = Game(FORD, options.build(FORD))
    assert game.start().prompt == "Roll the die."
    position, scene = game.start().play("roll 2"), FORD.scene
    assert position.prompt == "Black: move a walker 2 forward."
    assert [choice.path for choice in scene.choices(position, "en")] == [("f:a1", "f:a3"), ("f:a2", "f:a4")]
    assert scene.buttons(position, "en") == {"!pass": "Pass"}  # no button for a roll
    move = position.read("a1-a3")
    assert scene.find_touched_action(position, ("p:a1", "f:a3")) == move
    assert scene.find_touched_action(position, ("p:a1",)) is None  # its move has a second field
    assert scene.last(position, move) == ("f:a1", "f:a3")
    assert scene.traces(position, move, position.play(move)) == (MovementTrace("p:a3", ("f:a1", "f:a3")),)


def test_a_refused_move_names_its_fields_and_the_numbers_of_the_state() -> None:
    game = Game(FORD, options.build(FORD))
    position = game.start().play("roll 2")

    def why(action: int) -> str:
        refusal = position.explain(action)
        assert refusal is not None
        return game.words.tell(refusal.phrase)

    assert why(position.read("a1-a2")) == "The die shows 2: a1-a2 is not that far."
    touched = FORD.scene.find_touched_action(position, ("f:b1",))
    assert touched is not None and why(touched) == "There is no walker of Black on b1."
    with pytest.raises(NotationError, match="such as a1-a3, a2-a4;"):
        position.read("a1")


@pytest.mark.parametrize("name", ["", "My", "1a", "a-b", "_a", "a" * 0 + "x y"])
def test_a_bad_name_and_a_folder_in_use_are_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BridgeheadError, match="small letters"):
        write_package(name, tmp_path)
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(BridgeheadError, match="new or empty"):
        write_package("fine", tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("name", ["class", "json", "bridgehead", "barricade"])
def test_a_name_that_python_or_a_game_has_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(BridgeheadError, match="choose another name"):
        write_package(name, tmp_path)


def test_the_table_on_the_page_is_made_of_the_docstrings_of_the_interface() -> None:
    assert program("game_parts").page() == PAGE, "run tools/game_parts.py"


ONE_FILE = ROOT / "examples" / "breakthrough"


def copied(tmp_path: Path) -> dict[str, str]:
    """The environment in which the example of one file is installed."""
    (tmp_path / "breakthrough.py").write_text((ONE_FILE / "breakthrough.py").read_text("utf-8"), "utf-8")
    return installed("breakthrough", tmp_path) | {"NUMBA_DISABLE_JIT": "1"}


def test_a_game_like_breakthrough_is_one_file_of_less_than_120_lines() -> None:
    assert len((ONE_FILE / "breakthrough.py").read_text("utf-8").splitlines()) < 120
    assert [each.name for each in ONE_FILE.iterdir() if each.suffix] == ["breakthrough.py"]


def test_a_game_of_one_file_has_rulebook_words_refusals_records_and_levels(tmp_path: Path) -> None:
    code = """
import bridgehead, pickle, random
from bridgehead.core import record
from bridgehead.core.match import Match
from bridgehead.players import levels_of
game = bridgehead.game("breakthrough")
assert [clause.id for clause in game.rulebook] == ["BT-1", "BT-2", "BT-3"] and "two rows" in game.rulebook["BT-1"].text
start = game.start()
assert start.prompt == "Black: move a man forward." and start.sentence(start.action("a2-a3")) == "Black: a2-a3"
refused = start.explain("a1-a2")
assert refused.clause == "BT-2" and str(refused).startswith("a2 is blocked"), refused
assert start.tell_prompt("de") == "Schwarz: move a man forward.", "English where a language has no sentence"
assert "strategist" in levels_of(game.spec) and not game.spec.is_editable and not game.spec.is_printable
match, lot = Match(game), random.Random(1)
while not match.position.is_over:
    match.play(lot.choice(match.position.legal))
assert match.outcome.clause == "BT-3" and record.load(record.dump(match))[0].position == match.position
assert pickle.loads(pickle.dumps(match.position)) == match.position
assert "<svg" in game._repr_svg_()
"""
    run([sys.executable, "-c", code], tmp_path, copied(tmp_path))


def test_the_server_and_the_static_site_have_a_game_of_one_file(tmp_path: Path) -> None:
    code = """
from bridgehead.site import sources
files = sources.bundle(["breakthrough"])
assert "breakthrough.py" in files and not [name for name in files if name.startswith("breakthrough/")]
assert b"breakthrough = breakthrough:SPEC" in b"".join(files.values())
"""
    env = copied(tmp_path)
    run([sys.executable, "-c", code], tmp_path, env)
    said = run([sys.executable, "-m", "bridgehead", "rules", "breakthrough", "BT-2"], tmp_path, env)
    assert "one row forward" in said
    words = ["play", "breakthrough", "--seats", "greedy,random", "--seed", "1"]
    assert "The game is over" in run([sys.executable, "-m", "bridgehead", *words], tmp_path, env)


@pytest.mark.wide
def test_a_game_of_one_file_passes_the_conformance_tests(tmp_path: Path) -> None:
    env = copied(tmp_path)
    del env["NUMBA_DISABLE_JIT"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "bridgehead.conformance.plugin"]
    more = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    run([*command, "--pyargs", "bridgehead.conformance", "--game", "breakthrough"], tmp_path, env | more)


@pytest.mark.wide
def test_search_and_webassembly_take_a_game_of_one_file(tmp_path: Path) -> None:
    env = copied(tmp_path)
    del env["NUMBA_DISABLE_JIT"]
    code = """
import bridgehead
player = bridgehead.player("breakthrough", level=6)
assert player.choose(bridgehead.game("breakthrough").start()) in bridgehead.game("breakthrough").start().legal
"""
    run([sys.executable, "-c", code], tmp_path, env)
    run([sys.executable, "-m", "bridgehead", "wasm", "breakthrough", "b.wasm"], tmp_path, env)
    assert (tmp_path / "b.wasm").read_bytes()[:4] == b"\0asm"


def test_new_game_writes_one_file_that_plays(tmp_path: Path) -> None:
    with contextlib.chdir(tmp_path):
        done = command_line.run("new-game", "my_game", "--single")
    assert done.returncode == 0, done
    folder = tmp_path / "my_game"
    assert sorted(each.name for each in folder.iterdir()) == ["my_game.py", "pyproject.toml", "test_my_game.py"]
    code = "import test_my_game; test_my_game.test_three_in_a_row_win()"
    run([sys.executable, "-c", code], folder, installed("my_game", folder) | {"NUMBA_DISABLE_JIT": "1"})


@pytest.mark.wide
def test_the_one_file_of_new_game_passes_the_conformance_tests(tmp_path: Path) -> None:
    write_package("my_game", tmp_path / "made", single=True)
    passes_all("my_game", tmp_path / "made")


def test_what_the_games_of_this_repository_are_does_not_depend_on_others_that_are_installed(tmp_path: Path) -> None:
    env = copied(tmp_path)
    code = "import bridgehead; print(*bridgehead.games())"
    assert "breakthrough" in run([sys.executable, "-c", code], tmp_path, env)
    only = {"BRIDGEHEAD_GAMES": os.environ["BRIDGEHEAD_GAMES"]}
    assert sorted(run([sys.executable, "-c", code], tmp_path, env | only).split()) == sorted(only["BRIDGEHEAD_GAMES"].split())


# The outsider's way: what the defaults say.


def test_a_field_is_called_by_its_name_and_only_a_piece_says_that_it_stands_there() -> None:
    game = Game(FORD, options.build(FORD))
    labels = [field.label for field in game.spec.scene.picture(game, "en").fields]
    assert labels[0] == "field a1" and not any("empty" in label for label in labels)
    assert any("a1" in item.label for item in game.spec.scene.items(game.start(), "en"))


def test_a_line_of_the_log_for_a_die_does_not_name_chance_as_a_person() -> None:
    start = Game(FORD, options.build(FORD)).start()
    assert start.is_chance and start.sentence(start.action("roll 2")) == "Roll 2"


def test_a_move_that_the_game_does_not_have_is_not_answered_by_the_reason_of_another() -> None:
    position = Game(FORD, options.build(FORD)).start().play("roll 2")
    scene = position.game.spec.scene
    assert scene.find_touched_action(position, ("f:a1", "f:b5")) is None
    assert scene.find_touched_action(position, ("f:a1", "f:a4")) == position.action("a1-a4"), "one that it has"
    of_the_other_seat = scene.find_touched_action(position, ("f:b1",))
    assert of_the_other_seat is not None, "all its moves are refused alike"
