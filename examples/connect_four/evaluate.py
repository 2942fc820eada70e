"""How good a position is, for players that look one move ahead."""

from __future__ import annotations

from bridgehead.core.jit import rule


@rule
def value(state, law, seat):
    """1.0 when the seat has won, -1.0 when it has lost, else 0.0."""
    if state.winner < 0:
        return 0.0
    return 1.0 if state.winner == seat else -1.0
