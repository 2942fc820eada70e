"""The interface of `evaluate.py`: how good a position is, in one `Protocol` for each use. Every member has a default.

A game needs `Evaluation` for greedy levels, the tree search and hints. The others are for further searches and for learning.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from bridgehead.core.interface import Rule

if TYPE_CHECKING:
    import numpy as np

UNKNOWN, CANNOT_LOSE, CANNOT_WIN = -1, -2, -3  # what `look_up_plies` says beside a number, for the seat to act


class Evaluation(Protocol):
    """How good a position is: all that most searches need."""

    def value(self, state: Any, law: Any, seat: int) -> float:
        """How good a position is for a seat; higher is better. Default: 0.0; searches then use only results of finished games."""
        return 0.0

    SCALE: float = 10.0
    """The difference in `value` that makes a win about e times as likely."""
    SEARCH: Mapping[str, Any] = {}
    """Settings of the tree search that differ from the usual (`players/search.py`)."""
    ANSWERED: Mapping[str, Any] = {}
    """The same for a search that evaluates a position only after the opponents' replies."""


class LearnedWeights(Protocol):
    """Weights of the evaluation's features, which `bridgehead train` learns, and expectimax uses."""

    worth: Rule | None = None
    """`worth(state, law, seat, weights)`: `value` for given weights. Needed to learn weights, and for expectimax."""
    FEATURES: Sequence[str] = ()
    """The names of the weights, in order."""
    WEIGHTS: Sequence[float] | np.ndarray[Any, Any] = ()
    """The weights in use: `core.weights.weights` reads them from `weights.json`."""
    counts: Rule | None = None
    """`counts(state, law, found)`: the counts of the features of every seat (seats x features). Needed to learn a net."""
    LESSONS: Sequence[Mapping[str, Any]] | None = None
    """House rules for learning the weights, besides the standard ones."""


class SeveralSides(Protocol):
    """For games of more than two sides."""

    judge: Rule | None = None
    """`judge(state, law, result)`: all seats at once, for games of several sides."""
    standing: Rule | None = None
    """`standing(state, law, seat, weights)`: the strength of a seat's position, which `judge` compares."""


class MergedChance(Protocol):
    """Chance with fewer outcomes, for games of many equivalent ones."""

    search_legal: Rule | None = None
    """`legal` for a search: equivalent outcomes of chance are merged into one."""
    search_weight: Rule | None = None
    """`weight` for a search: the weight of all merged outcomes."""


class Caution(Protocol):
    """Dangers of single actions, for careful levels and hints."""

    risk: Rule | None = None
    """`risk(state, law, action)`: the exact chance that an action loses something."""
    progress: Rule | None = None
    """`progress(state, law, action)`: how far an action leads, for players that take the least risk."""
    foolish: Rule | None = None
    """`foolish(states, law, action, out)`: whether anybody at the table sees that an action of states[0] is a blunder; the other
    states, and `out` (legal actions for each), are work space. Careful levels leave such actions out if they can."""


class AlphaBetaHooks(Protocol):
    """For alpha-beta: a game gives all of these but `material`, and `look_up_plies` and `endgames` too, or none."""

    material: Rule | None = None
    """`material(state, seat)`: how many pieces a seat is ahead, which alpha-beta counts besides `value` if its style says so."""
    identity: Rule | None = None
    """`identity(state, law)`: 64 bits that distinguish positions."""
    turns_left: Rule | None = None
    """`turns_left(state, law)`: turns left before a limit ends the game."""
    ends_by_way: Rule | None = None
    """`ends_by_way(state)`: whether the history of this position ended the game, as repetition does."""
    may_end_by_way: Rule | None = None
    """`may_end_by_way(state)`: whether the history can still end the game."""
    loud: Rule | None = None
    """`loud(state, law, out)`: actions that alpha-beta looks at beyond its depth."""


class EndgameTables(Protocol):
    """Endgame tables and proofs, for alpha-beta."""

    look_up_plies: Rule | None = None
    """`look_up_plies(state, law, values, starts)`: plies to a forced win (odd) or loss (even) of the seat to act by endgame
    tables, 0 for a draw, or `UNKNOWN`, `CANNOT_LOSE`, `CANNOT_WIN`; all of it in spite of the history."""
    endgames: Callable[[Any], Sequence[Any]] | None = None
    """`endgames(game)`: the endgame tables."""
    stored_endgames: Callable[[Any], tuple[Path, Sequence[Sequence[int]]] | None] | None = None
    """`stored_endgames(position)`: their values, an xz file in the game's folder, and `starts`; None where none reaches them.
    Searches in a browser fetch the file when it is first given."""


class EvaluateModule(Evaluation, LearnedWeights, SeveralSides, MergedChance, Caution, AlphaBetaHooks, EndgameTables, Protocol):
    """`evaluate.py`, or in `rules.py`: how good a position is; compiled, like the rules."""
