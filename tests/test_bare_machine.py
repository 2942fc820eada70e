"""On bare machines: what the documents promise works there, and a terminal that can do less is enough."""

import re
from pathlib import Path
from typing import Any

import pytest

from programs import program

pytestmark = pytest.mark.wide
bare_machine = program("bare_machine")
BARE, PLUGIN = bare_machine.BARE, bare_machine.PLUGIN


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return bare_machine.build_wheel(tmp_path_factory.mktemp("release") / "made")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("machines")


@pytest.fixture(scope="module")
def bare(wheel: Path, place: Path) -> Any:
    return ready(BARE, wheel, place)


@pytest.fixture(scope="module")
def with_a_game(wheel: Path, place: Path) -> Any:
    """With the game of docs/do/add_a_game.md installed, as the page says."""
    machine = ready(PLUGIN, wheel, place)
    is_good(bare_machine.keep_promises(machine))
    return machine


def ready(name: str, wheel: Path, place: Path) -> Any:
    machine = bare_machine.create_machine(name, wheel, place)
    bare_machine.prepare(machine)
    return machine


def is_good(ran: list[Any]) -> None:
    assert ran
    assert not [f"{each.command}: {each.problem}" for each in ran if each.problem]


def test_every_command_and_every_block_of_code_has_an_environment_or_a_reason() -> None:
    for each in bare_machine.collect_promises():
        assert each.reason != "?", f"{each.page}: `{each.text}` runs in no environment, and no reason is given"
        assert each.extra in ("", BARE, PLUGIN, *bare_machine.ALONE), each
    reasons = {each.reason for each in bare_machine.collect_promises()}
    assert {*bare_machine.REASONS.values()} <= reasons, "a reason that no command has"
    named = re.findall(r"tests/[\w/.]+", " ".join(reasons))
    assert named and not [each for each in named if not (bare_machine.ROOT / each).exists()]


def test_the_page_of_a_command_names_the_extra_that_it_needs() -> None:
    for each in bare_machine.collect_promises():
        if each.extra in bare_machine.ALONE and not each.page.startswith("docs/reports/"):  # made by `bridgehead tune`
            text = (bare_machine.ROOT / each.page).read_text("utf-8")
            assert re.search(rf"\[{each.extra}\]|extra `{each.extra}`", text), f"{each.page}: {each.text}"


def test_the_page_names_what_failed_and_leaves_out_what_worked() -> None:
    machine = bare_machine.Machine("lab", Path("python"), Path(), Path(), 1.9, 47, 499)
    ran = [bare_machine.Ran(f"bridgehead {number}", 1.0 + number, "") for number in range(bare_machine.SLOWEST + 1)]
    ran.append(bare_machine.Ran("bridgehead lab | head", 0.5, "exit code 1"))
    text = bare_machine.render_page([bare_machine.Row(machine, ["site"], ran)])
    assert "## What failed\n\n| environment | command |\n|---|---|\n| lab | `bridgehead lab \\| head` |" in text
    assert f"| lab | {bare_machine.HERE} | 47 | 499 | 1.9 | {len(ran)} | {len(ran) - 1} |" in text
    assert "bridgehead 0" not in text and f"`bridgehead {bare_machine.SLOWEST}`" in text
    assert "| lab | lab |" in text and "| site | none |" in text


@pytest.mark.parametrize("name", [BARE, *bare_machine.ALONE])
def test_with_one_extra_alone_what_is_promised_for_it_works(name: str, wheel: Path, place: Path, request: Any) -> None:
    machine = request.getfixturevalue("bare") if name == BARE else ready(name, wheel, place)
    _, gates = bare_machine.ask_for_missing_extras(machine)
    is_good([gates, *bare_machine.keep_promises(machine), *bare_machine.offer(machine)])
    if name == "lab":
        is_good(bare_machine.interrupt_work(machine, bare_machine.STUDY))


@pytest.mark.long
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize("name", [BARE, *bare_machine.ALONE, PLUGIN])
def test_with_one_extra_alone_what_takes_minutes_works(name: str, wheel: Path, tmp_path: Path) -> None:
    machine = ready(name, wheel, tmp_path)
    assert not [each for each in bare_machine.keep_promises(machine, long=True) if each.problem]


@pytest.mark.parametrize("version", bare_machine.PYTHONS)
def test_another_python_runs_the_bare_wheel(version: str, wheel: Path, place: Path) -> None:
    found = bare_machine.find_interpreters()
    if version not in found:
        pytest.skip(f"no Python {version} starts here, and uv cannot get one; found: {', '.join(found) or 'none'}")
    machine = bare_machine.create_machine(version, wheel, place, found[version])
    is_good([bare_machine.run(machine, words) for words in bare_machine.list_few_commands()])


@pytest.mark.parametrize("condition", bare_machine.CONDITIONS)
def test_a_lesser_terminal_is_enough(condition: str, bare: Any) -> None:
    is_good(bare_machine.endure(bare, condition))


@pytest.mark.parametrize("condition", bare_machine.CONDITIONS)
def test_with_a_game_of_somebody_else_too(condition: str, with_a_game: Any) -> None:
    is_good(bare_machine.endure(with_a_game, condition, "hex_pie"))


def test_closed_input_and_output_are_no_fault_of_ours(bare: Any) -> None:
    is_good(bare_machine.close_ends(bare))


def test_control_c_while_a_command_imports_leaves_no_traceback(bare: Any) -> None:
    is_good(bare_machine.interrupt_imports(bare))


def test_control_c_while_a_command_works_leaves_no_traceback(bare: Any) -> None:
    is_good(bare_machine.interrupt_work(bare, bare_machine.WORKING))
