"""The conformance tests of the package, for every registered game and the example, and faults that they have to find."""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bridgehead.conformance.subject import Subject
from bridgehead.conformance.test_game import *  # noqa: F403  (pytest collects them here)
from bridgehead.core import registry
from connect_four import SPEC as CONNECT_FOUR
from ford import SPEC as FORD
from variants import VALUES

EXAMPLES = [CONNECT_FOUR, FORD]
SUBJECTS = [Subject(spec, VALUES[name]) for name, spec in sorted(registry.specs().items())] + [Subject(spec) for spec in EXAMPLES]


@pytest.fixture(autouse=True)
def examples_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Records are loaded by the name of an installed game."""
    specs = {**registry.specs(), **{spec.id: spec for spec in EXAMPLES}}
    monkeypatch.setattr(registry, "specs", lambda: specs)


GUARDS = "test_rules_write_only_where_they_may_compiled_and_plain_and_both_play_the_same_games"
LARGE = ("barricade", "burning_bridges", "front_lines")  # whose loops between guard cells take long to compile


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "subject" in metafunc.fixturenames:
        long = LARGE if metafunc.function.__name__ == GUARDS else ()
        marks = {name: pytest.mark.long for name in long}
        rows = [pytest.param(each, id=each.spec.id, marks=marks.get(each.spec.id, ())) for each in SUBJECTS]
        metafunc.parametrize("subject", rows)


@pytest.mark.parametrize("name", LARGE)
def test_plain_rules_of_a_large_game_write_only_where_they_may(name: str) -> None:
    """What is compiled plays the same games: test_compiled.py."""
    (report,) = SUBJECTS[sorted(registry.specs()).index(name)].run_guards([{}], [FEW], compiled=False)  # noqa: F405
    assert report["problem"] == ""


# A fault, as (what stands in the example, what stands there instead), and what the tests say of it.
FAULTS = {
    "max_legal": ("def limits(", "def max_legal(law):\n    return 3\n\n\ndef limits(", "`legal` wrote outside of its array"),
    "action_count": (
        "COLUMNS\n\n\ndef limits(",
        "6\n\n\ndef max_legal(law):\n    return 7\n\n\ndef limits(",
        "an action id that is not",
    ),
    "returns": ("for seat in range(2):", "for seat in range(3):", "`returns` wrote outside of its array"),
    "state": ("state.winner = -1", "state.winner = -1\n    state.discs[8 + state.winner] = ONE", "wrote outside of its state"),
    "order": ("column in range(COLUMNS):\n        out", "column in range(COLUMNS - 1, -1, -1):\n        out", "do not ascend"),
    "refusal": ("else Reason.ROOM", "else Reason.OK", "`refusal` is not 0 exactly for the legal actions"),
    "size": ('("winner", "int64")', '("winner", "int64"), ("size", "int64")', "a field cannot be called 'size'"),
}


@pytest.mark.parametrize(
    "fault",
    [
        "state",
        "size",
        *(pytest.param(fault, marks=pytest.mark.wide) for fault in ("max_legal", "refusal", "action_count", "returns", "order")),
    ],
)
def test_a_fault_is_found_before_it_does_harm(fault: str, tmp_path: Path) -> None:
    old, new, found = FAULTS[fault]
    folder = tmp_path / f"faulty_{fault}"
    shutil.copytree(CONNECT_FOUR.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in folder.glob("*.py"):
        file.write_text(file.read_text("utf-8").replace("connect_four", folder.name).replace(old, new), "utf-8")
    assert new in (folder / "rules.py").read_text("utf-8")
    spec = dataclasses.replace(CONNECT_FOUR, id=folder.name, package=folder.name, folder=folder)
    sys.path.insert(0, str(tmp_path))
    try:
        (report,) = Subject(spec).run_guards([{}], [(20, 100)], compiled=True)
    finally:
        sys.path.remove(str(tmp_path))
    assert found in report["problem"]


# The same for a fault in Ford; the test that finds it, and what it says.
NAMED = {
    "weight": (
        "return 2 if action == ROLL + 1 else 1", "return 2 if action == ROLL + 1 else 0",
        test_chance_weights_are_whole_and_the_seeded_dealer_repeats_itself,  # noqa: F405
        "`weight` of roll 1, roll 3 is below 1",
    ),
    "unset": (
        "    state.die = 0\n    state.turns = 0\n", "    state.turns = 0\n", test_setup_writes_every_field,  # noqa: F405
        "`setup` leaves fields as an old game left them: die",
    ),
    "twice": (
        '(*moves, "pass",', '(*moves, "a1-a2",', test_every_action_has_a_text_of_its_own,  # noqa: F405
        "`names` gives several actions the text a1-a2",
    ),
    "few": (
        '(*moves, "pass",', "(*moves,", test_every_action_has_a_text_of_its_own,  # noqa: F405
        "`names` gives .* texts, `action_count` says",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", NAMED)
def test_a_fault_is_called_by_what_is_wrong(fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new, finds, said = NAMED[fault]
    folder = tmp_path / f"wrong_{fault}"
    shutil.copytree(FORD.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    sources = {file: file.read_text("utf-8") for file in folder.glob("*.py")}
    assert any(old in source for source in sources.values())
    for file, source in sources.items():
        file.write_text(source.replace("ford", folder.name).replace(old, new), "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    spec = dataclasses.replace(FORD, id=folder.name, package=folder.name, folder=folder)
    with pytest.raises(AssertionError, match=said):
        finds(Subject(spec))


def test_an_outcome_of_weight_0_is_named_between_guard_cells_too(tmp_path: Path) -> None:
    folder = tmp_path / "light"
    shutil.copytree(FORD.folder, folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in folder.glob("*.py"):
        text = file.read_text("utf-8").replace("ford", "light")
        file.write_text(text.replace("return 2 if action == ROLL + 1 else 1", "return 0"), "utf-8")
    spec = dataclasses.replace(FORD, id="light", package="light", folder=folder)
    sys.path.insert(0, str(tmp_path))
    try:
        (report,) = Subject(spec).run_guards([{}], [(1, 10)], compiled=False)
    finally:
        sys.path.remove(str(tmp_path))
    assert "`weight` is below 1" in report["problem"]


PLUGIN = ["-p", "bridgehead.conformance.plugin", "-p", "no:cacheprovider", "--pyargs", "bridgehead.conformance"]


@pytest.mark.wide
@pytest.mark.parametrize(
    "names, found", [(["forty_bridges"], "4 passed"), (["chess"], "no game 'chess'; installed are"), ([], "--game NAME")]
)
def test_the_tests_of_the_package_run_for_an_installed_game_only(names: list[str], found: str, tmp_path: Path) -> None:
    games = [word for name in names for word in ("--game", name)]
    command = [sys.executable, "-m", "pytest", "-q", *PLUGIN, "-k", "undo or changes or position_texts", *games]
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=250, check=False)
    assert (done.returncode == 0) == (names == ["forty_bridges"]) and found in done.stdout + done.stderr
