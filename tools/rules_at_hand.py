"""Write web/static/sealed/rules.json: the rules of each game under its standard house rules, for the verifiers of proofs.

Run it when a game's rules have changed. tests/test_rules_at_hand.py compares what they do, not their bytes, which depend on the
machine.
"""

from __future__ import annotations

import base64
import json
import zlib
from pathlib import Path
from typing import Any

import bridgehead
from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.players import process_pool
from bridgehead.players.modules import layout
from bridgehead.players.subprocess_player import jit_mode
from bridgehead.players.wasm import rules_module

FILE = Path(bridgehead.__file__).parent / "web" / "static" / "sealed" / "rules.json"
GAMES = ("barricade", "burning_bridges", "forty_bridges", "front_lines")
MOST_SEATS = 8


def variants(name: str) -> list[Game]:
    """The game for each number of seats with which it has the layout of the standard."""
    standard, found = registry.game(name), list[Game]()
    for seats in range(2, MOST_SEATS + 1):
        try:
            game = registry.game(name, seats=seats)
        except BridgeheadError:
            continue
        if layout(game) == layout(standard):
            found.append(game)
    return found


def packed(data: bytes) -> str:
    return base64.b64encode(zlib.compress(data, 9)).decode()


def described(name: str, module: bytes) -> dict[str, Any]:
    """A game as rules_at_hand.js reads it."""
    games = variants(name)
    rules = [
        {
            "options": house.canonical(game.options),
            "most": game.max_legal,
            "start": base64.b64encode(game.start().state.tobytes()).decode(),
        }
        for game in games
    ]
    laws = packed(b"".join(game.law.tobytes() for game in games))
    return {"version": games[0].spec.version, "module": packed(module), "laws": laws, "rules": rules}


def main() -> None:
    with jit_mode(compiled=True), process_pool.working(1) as pool:
        made = {name: described(name, pool.submit(rules_module, registry.game(name)).result()) for name in GAMES}
    FILE.write_text(json.dumps(made, indent=1, sort_keys=True) + "\n", "utf-8")
    print(f"{FILE}: {FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
