"""Arguments of the command line: numbers and words that are checked as they are read, and what a shell completes.

A wrong one is refused in one sentence that names it, before any work begins.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import typer

from bridgehead.core import installed
from bridgehead.core.errors import OptionError
from bridgehead.core.phrases import detect_language, languages
from bridgehead.terminal.words import t

if TYPE_CHECKING:
    from bridgehead.core.spec import Spec

MOST = 10**9  # of anything that is counted
SEEDS = {"least": -(2**63), "most": 2**63 - 1}
ANY_SEED = {"least": -(2**63), "most": 2**96}  # of commands that make smaller numbers of it
UsageError: Any = typer.BadParameter.__bases__[0]  # Typer exports this one, and no name of its base


def number(
    option: str, key: str, *, least: float = 0, most: float = MOST, kind: Callable[[str], float] = int
) -> Any:  # fmt: skip
    """An option that is a number within bounds. key: of its help."""

    def read(given: object) -> float:
        try:
            found = kind(str(given))
        except ValueError:
            raise OptionError("terminal:error.no_number", option, given=repr(given), least=least, most=most) from None
        if not (math.isfinite(found) and least <= found <= most):
            raise OptionError("terminal:error.number_beyond", option, given=str(given)[:40], least=least, most=most)
        return found

    return typer.Option(option, parser=read, metavar="N", help=t(key))


def choice(option: str, key: str, among: Sequence[str]) -> Any:
    """An option that is one of these words."""

    def read(given: str) -> str:
        if given not in among:
            raise OptionError("terminal:error.no_choice", option, given=repr(given), among=", ".join(among))
        return given

    return typer.Option(option, parser=read, metavar="|".join(among), autocompletion=lambda: list(among), help=t(key))


def language() -> Any:
    """The option that names a language; without it, that of the system."""

    def read(given: str) -> str:
        if given and given not in languages():
            raise OptionError("terminal:error.no_language", "--language", name=repr(given), languages=", ".join(languages()))
        return given or detect_language()

    names, words = ("--language", "--lang"), t("help.any.lang", languages=", ".join(languages()))
    return typer.Option(*names, parser=read, metavar="LANG", autocompletion=lambda: list(languages()), help=words)


# What a shell completes.


def complete_games() -> list[str]:
    """The ids of the installed games."""
    return list(installed.list_game_names())


def complete_rules(incomplete: str) -> list[str]:
    """The presets of the game on the line, and its house rules."""
    spec = _game_on_line()
    if spec is None:
        return []
    from bridgehead.core import options

    return _complete_last(incomplete, [*spec.options.PRESETS, *(f"{rule.name}=" for rule in options.describe(spec))])


def complete_levels(incomplete: str) -> list[str]:
    """The levels of the game on the line, after the commas of a list."""
    spec = _game_on_line()
    if spec is None:
        return []
    from bridgehead.players import levels_of

    return _complete_last(incomplete, levels_of(spec))


def complete_seats(incomplete: str) -> list[str]:
    """A person, or a level."""
    return [*_complete_last(incomplete, ["human"]), *complete_levels(incomplete)]


def _game_on_line() -> Spec | None:
    """The game that a half-typed line names. Typer has not read its arguments while an option lacks its value."""
    from bridgehead.core import registry

    typed = " ".join(os.environ.get(name, "") for name in ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")).split()
    return next((registry.specs()[word] for word in typed if word in registry.specs()), None)


def _complete_last(incomplete: str, words: Sequence[str]) -> list[str]:
    """The words that continue the last part of a list with commas, with what stands before it."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{word}" for word in words if word.startswith(last)]


def describe_usage_error(error: Any) -> OptionError:
    """What is wrong with a command line that Typer refuses, as one sentence in every language."""
    name, quoted = type(error).__name__, re.search(r"'([^']*)'|\(([^()]*)\)$", error.message or "")
    given = next(filter(None, quoted.groups()), "") if quoted else ""
    if name == "MissingParameter":
        return OptionError("terminal:error.missing", _written(error.param))
    if name == "NoSuchOption":
        return OptionError("terminal:error.no_option", error.option_name)
    if name == "BadOptionUsage":
        return OptionError("terminal:error.bad_option", error.option_name)
    if error.message.startswith("No such command"):
        known = ", ".join(sorted(error.ctx.command.commands))
        return OptionError("terminal:error.no_command", given, known=known)
    if error.message.startswith("Got unexpected extra"):
        return OptionError("terminal:error.too_many_words", given)
    return OptionError("terminal:error.bad_value", _written(error.param) if getattr(error, "param", None) else given)


def _written(param: Any) -> str:
    """An argument or option as help writes it."""
    return str(param.opts[0]) if param.param_type_name == "option" else str(param.metavar or param.name.upper())
