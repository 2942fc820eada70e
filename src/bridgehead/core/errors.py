"""Errors that a caller can act on: each names what is wrong, and where. A user never sees a bare traceback."""

from __future__ import annotations

from typing import NamedTuple

from bridgehead.core.phrases import Phrase


class BridgeheadError(Exception):
    """Base of all errors. `what` is a plain sentence, `where` the place in the input ("" if it has none)."""

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(what, where)  # both arguments, so that an error can be pickled
        self.what = what
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class UnknownGame(BridgeheadError):
    """No game of that name is installed."""


class OptionError(BridgeheadError):
    """A house rule that does not exist, has a wrong value, or contradicts another one."""


class BoardError(BridgeheadError):
    """A board file that cannot be played; `where` names the place in it."""


class PositionError(BridgeheadError):
    """A position text that cannot be read, or a position that cannot occur."""


class NotationError(BridgeheadError):
    """An action's text that names no action here."""


class RecordError(BridgeheadError):
    """A damaged record; `where` names the line."""


class Refusal(NamedTuple):
    """Why an action is not legal: the clause, one sentence, and the ids of the scene items to show."""

    clause: str
    phrase: Phrase
    show: tuple[str, ...] = ()


class IllegalAction(BridgeheadError):
    """An action that the rules refuse; `refusal` names the clause."""

    def __init__(self, refusal: Refusal, text: str) -> None:
        super().__init__(text)
        self.refusal = refusal
