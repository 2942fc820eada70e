"""What a record says of bridges, pins and safety, for everything that is not compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.bits import members
from bridgehead.core.position import Position


def bridges_in(words: Any) -> list[int]:
    """The numbers in a set of bridges, ascending."""
    return members(sum(int(word) << 64 * i for i, word in enumerate(words)))


def _holds(words: Any, number: int) -> bool:
    return bool(int(words[number // 64]) >> number % 64 & 1)


def bridge_number(law: Any, line: int, colour: int) -> int:
    """The number of a colour's bridge on a line."""
    return colour * int(law.lines) + line


def idle_number(state: Any, law: Any, bridge: int) -> int:
    """Turns for which the bridge was not used when they were last counted."""
    return sum(_holds(state.idle[digit * law.words :], bridge) << digit for digit in range(law.idle_digits))


def set_idle(state: Any, law: Any, bridge: int, turns: int) -> None:
    """Write the idle turns of a new bridge; those beyond the law's digits are lost."""
    for digit in range(law.idle_digits):
        if turns >> digit & 1:
            state.idle[digit * law.words + bridge // 64] |= np.uint64(1 << bridge % 64)


def has_bridge(position: Position, line: int, colour: int) -> bool:
    """Whether a bridge of that colour lies on the line."""
    return _holds(position.state.bridge, bridge_number(position.game.law, line, colour))


def is_burning(position: Position, line: int, colour: int) -> bool:
    """Whether a torch is in the bridge."""
    return _holds(position.state.torch, bridge_number(position.game.law, line, colour))


def idle_turns(position: Position, line: int, colour: int) -> int:
    """Turns for which the bridge was not used when they were last counted."""
    law, bridge = position.game.law, bridge_number(position.game.law, line, colour)
    return idle_number(position.state, law, bridge)


def is_used(position: Position, line: int, colour: int) -> bool:
    """Whether the bridge was crossed or built since its turns were last counted."""
    return _holds(position.state.used, bridge_number(position.game.law, line, colour))


def placer(position: Position, line: int, colour: int) -> int:
    """With pins 10each, who placed the torch in a burning bridge."""
    before = bridges_in(position.state.torch).index(bridge_number(position.game.law, line, colour))
    return next(family for family in range(position.game.seats) if int(position.state.placed[family]) >> before & 1)


def pins_placed(position: Position, family: int) -> int:
    """With pins 10each, how many of its pins a family has placed."""
    return int(position.state.placed[family]).bit_count()


def safe_turns(position: Position, family: int, piece: int) -> int:
    """Own turns left for which the family may not take the piece (BBQ-28)."""
    return int(position.state.immune[family]) >> 4 * piece & 15
