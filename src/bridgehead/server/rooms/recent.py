"""The turns of the others since a player's last turn, found in the log."""

from __future__ import annotations

from typing import NamedTuple

from bridgehead.core.match import LogEntry, Match
from bridgehead.core.spec import CHANCE

FARTHEST = 200  # actions of the log that are looked through
MOST = 12  # turns that are listed


class PlayedTurn(NamedTuple):
    """A turn of a seat: the indexes of its actions in the log, with the chance events that led to it."""

    seat: int
    first: int
    until: int


def turns_since(match: Match, mine: frozenset[int]) -> list[PlayedTurn]:
    """The turns of the other seats since the last turn of these, without the turn that these play now."""
    log, now = match.log, match.position.turn
    end = len(log)
    while end and log[end - 1].turn == now and log[end - 1].actor in (CHANCE, *mine):
        end -= 1
    start, farthest = end, max(0, end - FARTHEST)
    while start > farthest and log[start - 1].actor not in mine:
        start -= 1
    while 0 < start < end and log[start].actor == CHANCE and log[start].turn == log[start - 1].turn:
        start += 1  # chance that ended the turn before
    return _grouped(log, start, end)[-MOST:]


def _grouped(log: list[LogEntry], start: int, end: int) -> list[PlayedTurn]:
    """The turns in a part of the log. Chance events belong to the turn that they are part of, or else to the next one."""
    found: list[PlayedTurn] = []
    lead = start
    for index in range(start, end):
        actor, turn = log[index].actor, log[index].turn
        last = found[-1] if found and found[-1].until == index and log[found[-1].until - 1].turn == turn else None
        if last and actor in (CHANCE, last.seat):
            found[-1] = last._replace(until=index + 1)
            lead = index + 1
        elif actor != CHANCE:
            found.append(PlayedTurn(actor, lead, index + 1))
            lead = index + 1
    return found
