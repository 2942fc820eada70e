"""Reads bridges, pins and safe turns from a state record, for code that is not compiled."""

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
    """Idle turns of the bridge at the last count."""
    return sum(_holds(state.idle[digit * law.words :], bridge) << digit for digit in range(law.idle_digits))


def set_idle(state: Any, law: Any, bridge: int, turns: int) -> None:
    """Write the idle turns of a new bridge. Binary digits beyond those of the law are cut off."""
    for digit in range(law.idle_digits):
        if turns >> digit & 1:
            state.idle[digit * law.words + bridge // 64] |= np.uint64(1 << bridge % 64)


def bridge_states(position: Position) -> dict[tuple[int, int], tuple[bool, int, bool]]:
    """{(line, colour): (burning, idle turns when last counted, used since then)} for every bridge, by line."""
    law, state = position.game.law, position.state
    burning, used = set(bridges_in(state.torch)), set(bridges_in(state.used))
    found = {}
    for bridge in sorted(bridges_in(state.bridge), key=lambda bridge: (bridge % law.lines, bridge)):
        colour, line = divmod(bridge, int(law.lines))
        found[line, colour] = bridge in burning, idle_number(state, law, bridge), bridge in used
    return found


def placer(position: Position, line: int, colour: int) -> int:
    """With pins 10each, the family that placed the torch in a burning bridge."""
    before = bridges_in(position.state.torch).index(bridge_number(position.game.law, line, colour))
    return next(family for family in range(position.game.seats) if int(position.state.placed[family]) >> before & 1)


def safe_turns(position: Position) -> dict[tuple[int, int], int]:
    """{(family, piece): own turns left for which the family may not take the piece} (BBQ-28)."""
    families, pieces = enumerate(position.state.immune.tolist()), range(3 * position.game.seats)
    found = {(family, piece): word >> 4 * piece & 15 for family, word in families if word for piece in pieces}
    return {place: left for place, left in found.items() if left}
