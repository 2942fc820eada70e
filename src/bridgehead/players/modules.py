"""The facts and the layout of a game for its WebAssembly module (players/wasm.py)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from bridgehead.core.caching import cached_per_game
from bridgehead.core.game import Game
from bridgehead.core.layout import Layout
from bridgehead.players.thoughts import STEERING


def facts(game: Game) -> dict[str, Any]:
    """The facts that go with a law; a program that uses a module with another law needs them, too."""
    steering = STEERING | dict(game.spec.evaluate.SEARCH) | {"scale": game.spec.evaluate.SCALE, "seats": game.seats}
    return {
        "house_rules": game.differences, "seats": game.seats, "actions": game.action_count,
        "most_legal": game.max_legal, "steering": steering,
    }  # fmt: skip


@cached_per_game
def layout(game: Game) -> str:
    """A fingerprint of the layout of states and laws: games with the same one need only one module."""
    law = getattr(game.law, "_layout", None) or Layout.of(game.law.dtype, "law")
    both = [_described(game.layout), _described(law)]
    return hashlib.sha256(json.dumps(both).encode()).hexdigest()[:16]


def _described(layout: Layout) -> Any:
    return [(name, kind if isinstance(kind, str) else _described(kind), shape) for name, kind, shape in layout.fields]
