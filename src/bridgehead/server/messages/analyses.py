"""Analyses of games."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, UnsetType

from bridgehead.players.report import AnalysedAction, AnalysedSeat, KeyMoment
from bridgehead.server.messages.server import Sentence


class StudyBegun(msgspec.Struct):
    """An analysis of a game or a study of house rules has begun. key: for requests about it."""

    key: str


class Analysis(msgspec.Struct):
    """An analysis of a game: how many of its actions are done, and everything else once all are."""

    done: int
    of: int
    title: Sentence | UnsetType = UNSET
    result: str | UnsetType = UNSET
    made: Sentence | UnsetType = UNSET
    words: dict[str, Sentence] | UnsetType = UNSET
    sides: list[int] | UnsetType = UNSET
    seats: list[AnalysedSeat] | UnsetType = UNSET
    line: list[list[float]] | UnsetType = UNSET
    moments: list[KeyMoment] | UnsetType = UNSET
    steps: list[AnalysedAction] | UnsetType = UNSET
