"""What one table answers to one request after another, written down apart from the server, for the checker of histories.

Requests are ("act", secrets, action, version), ("undo", secrets, version), ("seat", secrets, seat, do) and ("come", secrets).
Answers are ("ack", version), ("rej", code), or for "come" (version, seats held); the second part of "ack" for a claim and for a
link is the secret that came with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.server.tables.stored_seats import digest
from server.linearizability import Operation


class Seat(NamedTuple):
    """secret: whose page plays it; offer: the secret that takes it at its first use."""

    secret: str = ""
    offer: str = ""
    free: bool = False
    left: bool = False


class State(NamedTuple):
    version: int
    moved: int
    actions: tuple[int, ...]
    seats: tuple[Seat, ...]


class TableModel:
    """One table without chance and without computers.

    strict: refusals and views have to be those of some moment, too. Of several workers, one that has not heard of the newest
    change shows and refuses by what it knows; what it confirms has to fit all the same.
    """

    def __init__(self, game: Game, seats: list[Seat], strict: bool = True) -> None:
        self.game, self.strict = game, strict
        self.first = State(0, 0, (), tuple(seats))
        self.position = lru_cache(10_000)(self._position)

    def start(self) -> State:
        return self.first

    def _position(self, actions: tuple[int, ...]) -> tuple[int, frozenset[int], int | None]:
        """The seat to act, its legal actions, and how many actions are left after an undo."""
        match = Match(self.game)
        for action in actions:
            match.play(action)
        return match.actor, frozenset(() if match.outcome else match.position.legal), match.undo_point()

    def after(self, state: State, operation: Operation) -> Iterator[State]:
        kind, secrets, *rest = operation.asked
        answer = operation.answer
        if kind == "come":
            yield from self._come(state, secrets, answer)
            return
        then = {"act": self._act, "undo": self._undo, "seat": self._seat}[kind](state, secrets, answer, *rest)
        if isinstance(then, str):  # the table refuses; without an answer that is as if it had not been asked
            if answer and answer[0] == "rej" and (not self.strict or answer[1] in (then, "rate")):
                yield state
        elif answer is None or answer[:2] == ("ack", then.version):
            yield then
        elif answer[0] == "rej" and (not self.strict or answer[1] == "rate"):
            yield state

    def _held(self, state: State, secrets: frozenset[str]) -> set[int]:
        return {index for index, seat in enumerate(state.seats) if seat.secret and seat.secret in secrets}

    def _moves(self, state: State, secrets: frozenset[str], version: int) -> str:
        actor, _, _ = self.position(state.actions)
        if not state.moved <= version <= state.version:
            return "stale"
        if actor < 0:
            return "closed"
        return "" if actor in self._held(state, secrets) else "turn"

    def _act(self, state: State, secrets: frozenset[str], answer: Any, action: int, version: int) -> State | str:
        wrong = self._moves(state, secrets, version)
        if not wrong and action not in self.position(state.actions)[1]:
            wrong = "illegal"
        new = state.version + 1
        return wrong or state._replace(version=new, moved=new, actions=(*state.actions, action))

    def _undo(self, state: State, secrets: frozenset[str], answer: Any, version: int) -> State | str:
        point, new = self.position(state.actions)[2], state.version + 1
        wrong = self._moves(state, secrets, version) or ("illegal" if point is None else "")
        return wrong or state._replace(version=new, moved=new, actions=state.actions[:point])

    def _seat(self, state: State, secrets: frozenset[str], answer: Any, index: int, do: str) -> State | str:
        seat, held = state.seats[index], self._held(state, secrets)
        given = answer[2] if answer and len(answer) > 2 else f"unknown {state.version}"
        if self.position(state.actions)[0] < 0:
            return "closed"
        if index in held and do in ("substitute", "open", "leave", "name"):
            changed = {
                "substitute": seat._replace(offer=given),
                "open": seat._replace(free=True),
                "leave": Seat(left=True),
                "name": seat,
            }[do]
        elif do == "claim" and seat.free and not held:
            changed = Seat(given)
        elif held and seat.left and do in ("substitute", "open") and answer and answer[0] == "ack":
            return state  # its vote, which alone changes nothing
        else:
            return "illegal"
        return self._changed(state, index, changed)

    def _changed(self, state: State, index: int, seat: Seat) -> State:
        return state._replace(version=state.version + 1, seats=(*state.seats[:index], seat, *state.seats[index + 1 :]))

    def _come(self, state: State, secrets: frozenset[str], answer: Any) -> Iterator[State]:
        known = {secret for seat in state.seats for secret in (seat.secret, seat.offer)}
        if not secrets <= known:
            if answer == ("bye", "token") or (answer and not self.strict):
                yield state
            return
        sits = []
        for index, seat in enumerate(state.seats if self.position(state.actions)[0] >= 0 else ()):
            sits += [(index, seat.offer)] * (bool(seat.offer) and seat.offer in secrets)
            sits += [(index, seat.secret)] * (seat.free and seat.secret in secrets)
        stale = not self.strict and answer and answer[0] != "bye"
        if stale and sits:  # a worker that has not heard of the link shows the table as before
            yield state
        for index, secret in sorted(sits, key=lambda sit: (sit[0], digest(sit[1]))):
            state = self._changed(state, index, Seat(secret))
        held = tuple(sorted(self._held(state, secrets)))
        if (sits and answer is None) or answer == (state.version, held) or stale:
            yield state
