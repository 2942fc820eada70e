"""Clauses of a rulebook, and refusals that name them."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path
from typing import Literal

import msgspec

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.errors import Refusal as Refusal
from bridgehead.core.validation import ready


class Clause(msgspec.Struct, frozen=True):
    """A numbered sentence of the rulebook.

    `status`: stated in the original text, ruled where the text is silent, or option (a ruling that house rules change).
    `options` are the house rules that touch it; `basis` says why a ruling was taken (lit, geo, play, src).
    """

    id: str
    text: str
    status: Literal["stated", "ruled", "option"] = "stated"
    title: str = ""
    de: str = ""
    options: tuple[str, ...] = ()
    basis: str = ""
    section: str = ""


class Rulebook:
    """All clauses of one game, in the order of the book."""

    def __init__(self, clauses: tuple[Clause, ...]) -> None:
        self.clauses = clauses
        self._by_id = {clause.id: clause for clause in clauses}

    def __getitem__(self, clause_id: str) -> Clause:
        if clause_id not in self._by_id:
            raise BridgeheadError(f"the rulebook has no clause {clause_id!r}")
        return self._by_id[clause_id]

    def __contains__(self, clause_id: str) -> bool:
        return clause_id in self._by_id


class _File(msgspec.Struct):
    clause: tuple[Clause, ...]


@functools.cache
def rulebook(folder: Path) -> Rulebook:
    """The rulebook in a game's folder (`rulebook.toml`: an array of tables `[[clause]]`)."""
    data = tomllib.loads((folder / "rulebook.toml").read_text("utf-8"))
    return Rulebook(msgspec.convert(data, ready(_File)).clause)
