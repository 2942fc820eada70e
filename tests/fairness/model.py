"""A model of one era with two draws: all orders of messages between an honest seat and everybody else, who collude.

The coalition is the server and seat B, or seat B alone; seat A is honest. A value is one bit, a commitment fixes it and hides
it, and an outcome is the exclusive or of the bits that enter it, so that one unknown uniform bit makes it uniform. The
coalition moves as it likes; the honest seat answers what its rules allow. Two invariants are checked in every reachable state:

- chosen: a coalition that knows everything which enters the next draw has at most one outcome left that A accepts.
- foreseen (level 2): nobody knows the next draw before the decision that it follows.

`BGF2` keeps both. Each weaker set of rules is one thing that BGF1 lacked, or that a careless change would drop. A draw without
a contributor that had to answer is a default: it is logged and counted, so it is no outcome that A accepts in silence.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

EVENTS = 2
BITS = (0, 1)


class Rules(NamedTuple):
    """What the honest seat insists on.

    bound: nothing enters a draw that T does not bind; compared: draws are held against the T that it saw; contributors: it
    has to be among them; due: it gives a link only for the event that is next; frozen: it opens only after T.
    """

    level: int
    bound: bool = True
    compared: bool = True
    contributors: bool = True
    due: bool = True
    frozen: bool = True


class State(NamedTuple):
    """What has happened.

    root: the bits k_0, k_1 to which the server is committed; other: the bits of seat B; sealed: A has sent its head; pinned:
    root and bits of B in the T that A saw; known: the number of A's bits that the coalition has; decided: decisions made;
    dealt: the outcomes so far.
    """

    root: tuple[int, ...] | None = None
    other: tuple[int, ...] | None = None
    sealed: bool = False
    pinned: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    known: int = 0
    decided: int = 0
    dealt: tuple[int, ...] = ()


class Model(NamedTuple):
    """The protocol with these rules. secret: A's bits, one for each event (level 1: the same bit serves all)."""

    rules: Rules
    secret: tuple[int, ...]
    server_colludes: bool = True

    def moves(self, state: State) -> Iterator[State]:
        """All states that can follow."""
        rules = self.rules
        if state.root is None:
            yield from (state._replace(root=bits) for bits in itertools.product(BITS, repeat=EVENTS))
        if state.other is None:
            yield from (state._replace(other=bits) for bits in itertools.product(BITS, repeat=EVENTS))
        if not state.sealed and state.root is not None:
            yield state._replace(sealed=True)
        if state.sealed and state.pinned is None and state.root is not None and state.other is not None:
            yield state._replace(pinned=(state.root, state.other))
        if len(state.dealt) == EVENTS:
            return
        if state.sealed and (state.pinned is not None or not rules.frozen):
            yield from (state._replace(known=known) for known in self.revealed(state) if known > state.known)
        if state.decided == len(state.dealt):
            yield state._replace(decided=state.decided + 1)
        elif state.pinned is not None:
            yield from (state._replace(dealt=(*state.dealt, outcome)) for outcome in self.accepted(state))

    def revealed(self, state: State) -> tuple[int, ...]:
        """How many of A's bits the coalition may get by its next request. A late link gives all before it."""
        if self.rules.level == 1:
            return (EVENTS,)
        if self.rules.due:
            return (len(state.dealt) + 1,) if state.decided > len(state.dealt) else ()
        return tuple(range(1, EVENTS + 1))

    def accepted(self, state: State) -> set[int]:
        """The outcomes of the next draw that A accepts in silence. Honest values are used where the server does not collude."""
        assert state.pinned is not None
        event, rules = len(state.dealt), self.rules
        roots, others = {state.pinned[0][event]}, {state.pinned[1][event]}
        extras = {0}
        mine = [self.secret[event]] if state.known > event else []
        if self.server_colludes:
            roots, others = (roots, others) if rules.compared else ({*BITS}, {*BITS})
            extras = extras if rules.bound else {*BITS}
            mine = mine if rules.contributors or rules.level == 1 else [*mine, 0]  # 0: without A
        return {k ^ a ^ b ^ x for k in roots for a in mine for b in others for x in extras}

    def states(self) -> set[State]:
        """All reachable states."""
        seen, todo = {State()}, [State()]
        while todo:
            for after in self.moves(todo.pop()):
                if after not in seen:
                    seen.add(after)
                    todo.append(after)
        return seen

    def violations(self) -> Iterator[tuple[str, State]]:
        """The states in which an invariant does not hold."""
        future: dict[State, frozenset[int]] = {}
        for state in self.states():
            event = len(state.dealt)
            if event == EVENTS:
                continue
            knows = state.known > event and self.server_colludes
            if knows and len(self.outcomes(state, event, future)) > 1:
                yield "chosen", state
            if knows and self.rules.level == 2 and state.decided <= event:
                yield "foreseen", state

    def outcomes(self, state: State, event: int, future: dict[State, frozenset[int]]) -> frozenset[int]:
        """The outcomes of that event in all continuations."""
        if len(state.dealt) > event:
            return frozenset({state.dealt[event]})
        if state not in future:
            after = [self.outcomes(each, event, future) for each in self.moves(state)]
            future[state] = frozenset().union(*after)
        return future[state]


def broken(rules: Rules, server_colludes: bool = True) -> set[str]:
    """The invariants that do not hold for some secret of the honest seat."""
    secrets = [(bit,) * EVENTS for bit in BITS] if rules.level == 1 else itertools.product(BITS, repeat=EVENTS)
    return {name for secret in secrets for name, _ in Model(rules, tuple(secret), server_colludes).violations()}
