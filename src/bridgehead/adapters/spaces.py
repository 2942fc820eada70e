"""The spaces of Gymnasium for a game's observations and masks."""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.extras import needs
from bridgehead.core.game import Game
from bridgehead.environments import NUMBERS, Observer

with needs("pettingzoo"):
    from gymnasium import spaces


def observation_space(view: Observer) -> spaces.Dict:
    """Planes of int8, and numbers of float32."""
    parts: dict[str, spaces.Space[Any]] = {
        part.name: spaces.Box(0, part.most, view.shapes[part.name], np.int8) for part in view.layout.planes
    }
    return spaces.Dict({**parts, NUMBERS: spaces.Box(view.low, view.high, dtype=np.float32)})


def mask_space(game: Game) -> spaces.Box:
    """1 for each legal action."""
    return spaces.Box(0, 1, (game.action_count,), np.int8)
