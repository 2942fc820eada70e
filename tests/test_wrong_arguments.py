"""Every option of every command refuses a wrong value in one sentence that names it, in every language, before any work."""

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any, get_args
from unittest import mock

import pytest
import typer

from bridgehead import cli, printing
from bridgehead.core import registry
from bridgehead.core.phrases import languages
from bridgehead.server.people import tournament
from command_line import Shown, run

TREE: Any = typer.main.get_command(cli.app)
NUMBERS = ("10000000000000000000000000000000", "-99999999999999999999", "many", "nan", "1e999", "")


def commands() -> Iterator[tuple[str, Any]]:
    yield from sorted(TREE.commands.items())


def options() -> Iterator[tuple[str, str, str]]:
    """Every option that is a number, a language or one of some words: its command, its name, and its kind."""
    for name, command in commands():
        for param in command.params:
            if param.param_type_name == "option" and (param.metavar in ("N", "LANG") or "|" in (param.metavar or "")):
                if param.metavar == param.metavar.upper() and param.metavar not in ("N", "LANG"):
                    continue  # URL|FILE: free text
                yield name, param.opts[0], param.metavar


OPTIONS = [*options()]


def started(words: list[str], **env: str) -> Shown:
    """What a command shows, without a traceback. The commands are made once, because Typer needs long for it."""
    with mock.patch.object(cli, "app", TREE):
        done = run(*words, **env)
    assert "Traceback" not in done.stderr + done.stdout
    return done


def given(name: str) -> list[str]:
    """The command with something for each of its arguments."""
    arguments = [param.name for param in TREE.commands[name].params if param.param_type_name == "argument"]
    return [name, *("barricade" if each == "game" else "x" for each in arguments)]


def test_there_are_as_many_as_are_known() -> None:
    kinds = [kind for _, _, kind in OPTIONS]
    assert kinds.count("N") > 35 and kinds.count("LANG") > 10 and len(set(kinds) - {"N", "LANG"}) == 4


@pytest.mark.parametrize(("name", "option", "kind"), OPTIONS, ids=[f"{name}{option}" for name, option, _ in OPTIONS])
def test_a_wrong_value_is_refused_by_name_in_one_line(name: str, option: str, kind: str) -> None:
    for value in NUMBERS if kind == "N" else ("xx", "1"):
        done = started([*given(name), option, value])
        assert done.returncode == 2 and done.stdout == "", done
        assert done.stderr.startswith(f"bridgehead: {option}: ") and done.stderr.count("\n") == 1, done.stderr
        assert value[:40] in done.stderr, done.stderr


@pytest.mark.parametrize("language", languages())
def test_what_is_wrong_is_said_in_the_language_of_the_system(language: str) -> None:
    cases = (
        ["serve", "--port", "99999"], ["random", "barricade", "--games", "x"], ["play", "barricade", "--dealer", "god"], ["play"],
        ["play", "barricade", "--nope"], ["nope"], ["play", "barricade", "x"], ["play", "barricade", "--seats"],
    )  # fmt: skip
    found = [started(case, LC_ALL=language).stderr for case in cases]
    assert all(said.startswith("bridgehead: ") and said.count("\n") == 1 for said in found)
    english = [started(case, LC_ALL="en").stderr for case in cases]
    assert language == "en" or not set(found) & set(english)


def test_too_large_numbers_of_seats_levels_and_seeds_are_named() -> None:
    cases = (
        (["--rules", "seats=99"], "seats"), (["--seats", ",".join(["4"] * 99)], "99"), (["--seats", "human,12"], "'12'"),
        (["--seed", str(2**80)], str(2**80)), (["--rules", "turnLimit=1" + "0" * 30], "turnLimit"), (["--lang", "xx"], "'xx'"),
        (["--rules", "moon"], "moon"),
    )  # fmt: skip
    for words, named in cases:
        done = started(["play", "barricade", *words])
        assert done.returncode == 2 and named in done.stderr and done.stderr.count("\n") == 1, done


def test_a_wrong_language_before_the_command_is_refused_too() -> None:
    done = started(["--lang", "xx", "games"])
    assert (done.returncode, done.stdout) == (2, "") and "'xx'" in done.stderr


def completed(line: str) -> list[str]:
    """What a shell is offered at the end of a line."""
    env = {**os.environ, "_BRIDGEHEAD_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(line.count(" "))}
    code = "import sys; sys.argv = ['bridgehead']; from bridgehead.cli import main; main()"
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.wide
def test_a_shell_completes_commands_games_levels_languages_and_presets() -> None:
    assert completed("bridgehead pl") == ["play"]
    assert completed("bridgehead play ") == sorted(registry.specs())
    assert completed("bridgehead play barricade --lang ") == [*languages()]
    assert completed("bridgehead play barricade --dealer ") == ["seed", "typed"]
    assert completed("bridgehead play barricade --seats human,str") == ["human,strategist"]
    assert {"recommended", "classic", "seats="} <= set(completed("bridgehead play barricade --rules "))
    assert completed("bridgehead play barricade --rules seats=2,cl") == ["seats=2,classic"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_printed(shell: str) -> None:
    assert "_BRIDGEHEAD_COMPLETE" in run("completion", shell).stdout
    assert "bash, zsh, fish" in run("completion", "tcsh").stderr


def test_help_names_the_games_that_are_installed() -> None:
    for name in registry.specs():
        assert name in run("play", "--help").stdout


def test_a_closed_input_is_a_sentence_and_computers_play_without_one() -> None:
    code = "import sys; from bridgehead.cli import main; sys.argv = ['bridgehead', *sys.argv[1:]]; main()"
    command = ["sh", "-c", f'exec {sys.executable} -c "{code}" "$@" <&-', "sh", "play", "forty_bridges"]
    done = subprocess.run([*command, "--seats", "human,random"], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.startswith("bridgehead: stdin: ") and done.stderr.count("\n") == 1, done.stderr
    done = subprocess.run([*command, "--seats", "random,random"], capture_output=True, text=True)
    assert done.returncode == 0 and "The game is over" in done.stdout


def test_the_command_line_names_the_papers_and_tournaments_that_there_are() -> None:
    """They stand there once more, since help imports nothing heavy and no extra."""
    assert set(cli.PAPERS) == {*printing.PAPERS, printing.WHOLE}
    assert set(cli.KINDS) == set(get_args(tournament.Kind))
