"""Actions by kind. A kind is the word that an action's notation begins with, as in `torch B1-B2 c`."""

from __future__ import annotations

import functools
import re
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core.game import Game

Array = np.ndarray[Any, Any]
WORDS = re.compile(r"[a-z]{2,}(?: [a-z]{2,})*(?=$| )")
MOVE = "move"  # notation without a word, like a1-b1


class Kinds(NamedTuple):
    """names: of the kinds; of: the kind of each action, by its number."""

    names: tuple[str, ...]
    of: Array


@functools.lru_cache(8)
def kinds(game: Game) -> Kinds:
    """The kinds of a game's actions, in the order of their numbers."""
    start, names = game.start(), game.spec.words.name
    told = [WORDS.match(names(start, action)) for action in range(game.action_count)]
    words = [found[0] if found else MOVE for found in told]
    order = {word: place for place, word in enumerate(dict.fromkeys(words))}
    return Kinds(tuple(order), np.array([order[word] for word in words], np.int64))
