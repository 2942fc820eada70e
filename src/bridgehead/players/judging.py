"""Common sense about actions, by what the game's evaluation says of each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

SPACE = 8  # positions: the one to judge, and work space for `foolish`
HARDLY = 0.02  # results, from -1 to 1, that differ by less hardly differ: one point of win chance


def find_safest(
    worth: Mapping[int, float], foolish: Callable[[int], bool], measured: Callable[[int], tuple[float, float]]
) -> Collection[int]:
    """The actions to choose from: all, or if their results hardly differ, the safest ones that lead farthest.

    One that leads nowhere is no way to survive: two sides that stay where they are would play for ever. measured: the risk of an
    action, negated, and its progress.
    """
    sensible = [action for action in worth if not foolish(action)] or list(worth)
    if max(worth[each] for each in sensible) - min(worth[each] for each in sensible) >= HARDLY:
        return sensible
    by = {action: measured(action) for action in sensible}
    by = {action: each for action, each in by.items() if each[1] >= 0} or by
    return [action for action in by if by[action] == max(by.values())]
