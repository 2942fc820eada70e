"""Clauses of a rulebook, and refusals that name them."""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, Self

import msgspec

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.errors import Refusal as Refusal
from bridgehead.core.phrases import ENGLISH, Phrase, catalogue, toml
from bridgehead.core.validation import ready


class Clause(msgspec.Struct, frozen=True):
    """A numbered sentence of the rulebook.

    The catalogue has its sentence and its title (`clause.ID`, `title.ID`); here they are in English.
    `status`: stated in the original text, ruled where the text is silent, or option (a ruling that house rules change).
    `options` are the house rules that change it; `basis` is the reason of a ruling:
    `lit` (the letter of the text), `geo` (the geometry of the board), `play` (playability), `src` (a source beside the text).
    """

    id: str
    text: str = ""
    status: Literal["stated", "ruled", "option"] = "stated"
    title: str = ""
    options: tuple[str, ...] = ()
    basis: str = ""
    section: str = ""


class RefusalCode(enum.IntEnum):
    """Base of a game's refusals: one member for each reason, `NAME = clause id, key of its sentence`; the first is `OK = "", ""`.

    A member is a whole number, counted from 0 in the order of the class. Compiled rules return it; 0 means legal.
    """

    clause: str
    key: str

    def __new__(cls, clause: str, key: str) -> Self:
        """Number the members in the order of the class."""
        made = int.__new__(cls, len(cls.__members__))
        made._value_, made.clause, made.key = int(made), clause, key
        return made

    def __init_subclass__(cls) -> None:
        """Make each member an attribute of the class itself: Python 3.11 finds it five times faster there."""
        for name, member in cls.__members__.items():
            type.__setattr__(cls, name, member)

    @classmethod
    def of(cls, code: int) -> Self:
        """The member with this number."""
        return list(cls)[code]

    def because(self, show: Iterable[str] = (), **params: object) -> Refusal:
        """The refusal for players: its sentence with parameters, and the ids of the things to show."""
        return Refusal(self.clause, Phrase(self.key, params), tuple(show))


class Rulebook:
    """All clauses of one game, in the order of the book."""

    def __init__(self, clauses: tuple[Clause, ...]) -> None:
        self.clauses = clauses
        self._by_id = {clause.id: clause for clause in clauses}

    def __getitem__(self, clause_id: str) -> Clause:
        if clause_id not in self._by_id:
            raise BridgeheadError("error.rulebook_no_clause", clause_id=repr(clause_id))
        return self._by_id[clause_id]

    def __contains__(self, clause_id: str) -> bool:
        return clause_id in self._by_id

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.clauses)

    def __len__(self) -> int:
        return len(self.clauses)

    def __repr__(self) -> str:
        return f"<Rulebook of {len(self)} clauses>"


class _File(msgspec.Struct):
    clause: tuple[Clause, ...]


@functools.cache
def load_rulebook(folder: Path) -> Rulebook:
    """The rulebook in a game's folder (`rulebook.toml`: an array of tables `[[clause]]`). Empty where the file is missing."""
    if not (folder / "rulebook.toml").exists():
        return Rulebook(())
    data = toml(folder / "rulebook.toml")
    words = catalogue(folder)
    clauses = (
        msgspec.structs.replace(
            each,
            text=words.text(f"clause.{each.id}", ENGLISH, each.text),
            title=words.text(f"title.{each.id}", ENGLISH, each.title),
        )
        for each in msgspec.convert(data, ready(_File)).clause
    )
    return Rulebook(tuple(clauses))
