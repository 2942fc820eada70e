"""The Front Lines as its tests set it up. A turn is the card drawn, then steps: "b3" face up, "b3=8S" turned over, "across"."""

from typing import Any

from bridgehead.core import registry
from bridgehead.core.position import Position
from games.asked import legal


def start(**options: Any) -> Position:
    return registry.game("front_lines", **options).start()


def stand(characters: str, rest: str, **options: Any) -> Position:
    return registry.game("front_lines", **options).load(f"{characters} | {rest}")


def go(position: Position, card: str, *steps: str) -> Position:
    """A turn, or the beginning of one."""
    return walk(position.play(f"draw {card}"), *steps)


def walk(position: Position, *steps: str) -> Position:
    for step in steps:
        cell, _, card = step.partition("=")
        position = position.play(cell if cell in ("across", "stop") else f"to {cell}")
        if card:
            position = position.play(f"flip {card}")
    return position


def cells(position: Position) -> str:
    """The cells that may be chosen, and `across`."""
    return " ".join(sorted(text.removeprefix("to ") for text in legal(position)))


def character(position: Position, suit: str) -> list[Any]:
    """Lives, state and place."""
    return position.facts()["characters"][suit]
