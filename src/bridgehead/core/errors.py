"""Errors a caller can act on: each says what was wrong and where. None is ever a bare traceback to a user."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bridgehead.core.clauses import Refusal


class BridgeheadError(Exception):
    """Anything the caller got wrong. `what` is a plain sentence, `where` the place in the input ("" if it has none)."""

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(what, where)  # so that an error comes whole out of another process
        self.what = what
        self.where = where

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class UnknownGame(BridgeheadError):
    """No game of that name is installed."""


class OptionError(BridgeheadError):
    """A house rule that does not exist, has a wrong value, or does not go with another."""


class BoardError(BridgeheadError):
    """A board file that cannot be played; `where` names the place in it."""


class PositionError(BridgeheadError):
    """A position text that cannot be read, or a position that cannot occur."""


class NotationError(BridgeheadError):
    """An action's text that names no action here."""


class RecordError(BridgeheadError):
    """A damaged record; `where` names the line."""


class IllegalAction(BridgeheadError):
    """An action that the rules refuse; `refusal` says by which clause."""

    def __init__(self, refusal: Refusal, text: str) -> None:
        super().__init__(text)
        self.refusal = refusal
