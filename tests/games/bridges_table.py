"""Setting up Burning Bridges for tests: a readable text, and the rest as at the start."""

import random
from typing import Any

from bridgehead.core import registry
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.core.scene import Choice, Item
from bridgehead.games.burning_bridges import scene

SIZES = "LMS"


def at(
    head: str, pieces: str = "", bridges: str = "", immune: str = "", terms: str = "", round: int = 0, **options: Any
) -> Position:
    """A position: `at("moves a 2", "aL C, bS C aL", bridges="B0-R0 b 0")`. Pieces that are not named stand at their start."""
    game = registry.game("burning_bridges", **options)
    named = {item.split()[0]: item.strip() for item in pieces.split(",") if item.strip()}
    start = game.start().facts()["pieces"]
    told = ", ".join(named.pop(piece, f"{piece} {start[piece][0]}") for piece in start)
    assert not named, f"nobody is called {sorted(named)}"
    family = "abcde".index(head.split()[1])
    over = head.startswith("over") and "round-limit" in head
    turns = round * game.seats + family if not over else round * game.seats
    text = f"{head} round {round} turns {turns}; pieces {told}"
    for name, items in (("bridges", bridges), ("immune", immune), ("terms", terms)):
        text += f"; {name} {items}" if items else ""
    return game.load(text)


def phase(position: Position) -> str:
    return str(position.facts()["phase"])


def pillar(position: Position, piece: str) -> str:
    return str(position.facts()["pieces"][piece][0])


def captor(position: Position, piece: str) -> str | None:
    return position.facts()["pieces"][piece][1]  # type: ignore[no-any-return]


def torch(position: Position, bridge: str) -> bool:
    return bool(position.facts()["bridges"][bridge][0])


def go_round(position: Position, times: int = 1) -> Position:
    """Everybody ends the turn at once, until it is the same family's turn again; captors demand nothing."""
    for _ in range(times * position.game.seats):
        position = position.play("end")
        while phase(position) == "terms":
            position = position.play("term none")
    return position


def things(position: Position) -> dict[str, Item]:
    return {item.id: item for item in scene.items(position, "en")}


def choice(position: Position, text: str) -> Choice:
    return next(each for each in position.game.spec.scene.choices(position, "en") if each.text == text)


def paths(position: Position) -> dict[str, tuple[str, ...]]:
    return {each.text: each.path for each in position.game.spec.scene.choices(position, "en")}


def meant(position: Position, *touch: str) -> str:
    action = scene.find_touched_action(position, touch)
    return "" if action is None else position.name(action)


def random_positions(number: int, seed: int, **options: Any) -> list[Position]:
    """Positions of a game in which bridges, torches and hostages are common."""
    rng, match = random.Random(seed), Match(registry.game("burning_bridges", firstPlayer="seat0", **options))
    while not match.position.is_over and len(match.log) < number:
        position = match.position
        lively = [
            a for a in position.legal if position.name(a).split()[0] in ("build", "take", "seize", "torch", "destroy", "pay")
        ]
        calm = [a for a in position.legal if position.name(a) not in ("end", "term none")] or list(position.legal)
        match.play(rng.choice(lively if lively and rng.random() < 0.6 else calm))
    return list(match.positions)
