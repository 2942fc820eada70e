"""Errors that a caller can act on: each names what is wrong and where, in any language."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable
from typing import NamedTuple

from bridgehead.core.phrases import Phrase, plain, sentence

KEY = re.compile(r"[\w.]+:[\w.-]+|\w+(\.[\w-]+)+")  # of a catalogue: "PACKAGE:KEY", or a key with a dot


class BridgeheadError(Exception):
    """Base of all errors that a caller can correct: a sentence in any language, and the place of the error in the input.

    key: catalogue key of the sentence ("error.game" in the core, "barricade:error.home" in another package), filled by
    params; or the sentence itself, which then exists in one language only. where: the place, "" if there is none.
    """

    def __init__(self, key: str | Phrase, where: str | Phrase = "", /, **params: object) -> None:
        super().__init__(key, where)  # both arguments, so that an error can be pickled
        if isinstance(key, Phrase):
            self.phrase = key
        else:
            self.phrase = Phrase(key, _sentences(params)) if KEY.fullmatch(key) else plain(key)
        self.place = where

    @property
    def what(self) -> str:
        """The sentence in English."""
        return sentence(self.phrase)

    @property
    def where(self) -> str:
        """The place in English."""
        return sentence(self.place)

    @property
    def whole(self) -> Phrase:
        """The place, then the sentence."""
        return Phrase("error.at", {"where": self.place, "what": self.phrase}) if self.place else self.phrase

    def __str__(self) -> str:
        return sentence(self.whole)


def _sentences(params: dict[str, object]) -> dict[str, object]:
    """The parameters, with each error replaced by its sentence."""
    return {name: convert_error(value).whole if isinstance(value, Exception) else value for name, value in params.items()}


def convert_error(error: Exception) -> BridgeheadError:
    """Any error as a BridgeheadError: well-known errors of msgspec, parsers and the system by their key in the catalogue."""
    if isinstance(error, BridgeheadError):
        return error
    if isinstance(error, RecursionError):
        return BridgeheadError("error.nested")
    import msgspec  # here, because it takes a tenth of the start of the command line

    if isinstance(error, msgspec.MsgspecError):
        from bridgehead.core.validation import problem

        return BridgeheadError(*problem(str(error)))
    if isinstance(error, UnicodeDecodeError):
        return BridgeheadError("error.utf8", byte=error.start)
    if isinstance(error, json.JSONDecodeError):
        return BridgeheadError("error.json", byte=error.pos)
    if isinstance(error, tomllib.TOMLDecodeError):
        return BridgeheadError("error.toml", text=str(error))
    if isinstance(error, FileNotFoundError):
        return BridgeheadError("error.no_file")
    return BridgeheadError(plain(getattr(error, "strerror", None) or str(error)))


class UnknownGame(BridgeheadError):
    """No game of that name is installed."""


class OptionError(BridgeheadError):
    """A house rule that does not exist, has a wrong value, or contradicts another one."""


class BoardError(BridgeheadError):
    """A board file that cannot be played; `where` names the place in it."""


class PositionError(BridgeheadError):
    """A position text that cannot be read, or a position that cannot occur."""


def refusing(game: str, kind: type[BridgeheadError]) -> Callable[..., None]:
    """For readers of a game: `refuse(bad, key, where, **params)` raises the error "GAME:error.KEY" of this kind if `bad`."""

    def refuse(bad: object, key: str, where: str | Phrase = "", /, **params: object) -> None:
        if bad:
            raise kind(f"{game}:error.{key}", where, **params)

    return refuse


class NotationError(BridgeheadError):
    """An action's text that names no action here."""


class RecordError(BridgeheadError):
    """A damaged record; `where` names the line."""


class Refusal(NamedTuple):
    """Why an action is not legal: the clause, one sentence, and the ids of the scene items to show."""

    clause: str
    phrase: Phrase
    show: tuple[str, ...] = ()

    def __str__(self) -> str:
        return sentence(self.phrase)


class IllegalAction(BridgeheadError):
    """An action that the rules refuse; `refusal` names the clause."""

    def __init__(self, refusal: Refusal, sentence: str | Phrase) -> None:
        super().__init__(sentence)
        self.refusal = refusal
