"""Boards with a mirror symmetry: is one half used more than the other?"""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase
from bridgehead.lab.answers.answer import Measure, measure, percent
from bridgehead.lab.words import Text, listed, phrase
from bridgehead.players.statistics import Estimate, bounded, mean

Array = np.ndarray[Any, Any]
AXES = ("left", "above")
NEAR = 2.0  # units of the picture: closer places are the same
MIRRORED = 0.95  # share of fields with a mirror image in a symmetric board: a box for captured pieces lies beside it


def pairs(game: Game, axis: int) -> list[tuple[int, int]]:
    """Fields left of (axis 0) or above (axis 1) the middle with their mirror images, by number; none without symmetry."""
    places = np.array([(field.x, field.y) for field in game.spec.scene.picture(game, "en").fields])
    middle = (places[:, axis].min() + places[:, axis].max()) / 2
    images = places.copy()
    images[:, axis] = 2 * middle - images[:, axis]
    far = np.abs(places[:, None] - images).max(axis=2)
    mirrored = far.min(axis=0) <= NEAR
    if mirrored.mean() < MIRRORED:
        return []
    image = far.argmin(axis=0)
    mutual = image[image] == np.arange(len(places))  # counts only one of several fields at the same place
    half = np.flatnonzero(mirrored & mutual & (places[:, axis] < middle - NEAR))
    return [(int(field), int(image[field])) for field in half]


def used(game: Game, entered: Array) -> dict[str, Estimate]:
    """The share of entries into mirrored fields that lies in one half, by axis; entered: games x fields."""
    found = {}
    for axis, name in enumerate(AXES):
        both = pairs(game, axis)
        if both:
            here, there = (entered[:, [pair[side] for pair in both]].sum(axis=1) for side in (0, 1))
            known = here + there > 0
            found[name] = bounded(mean(here[known] / (here + there)[known]))
    return found


def measures(player: str, found: dict[str, Estimate]) -> list[Measure]:
    """Rows for the table of all numbers."""
    return [measure("half", player, each, "share", half=Phrase(f"half.{name}")) for name, each in found.items()]


def sentence(found: dict[str, Estimate]) -> Text:
    """An addition to the question's answer."""
    if not found:
        return ""
    uneven: list[Text] = [
        phrase("symmetry.half", share=percent(each), half=Phrase(f"half.{name}"))
        for name, each in found.items()
        if not each.low <= 0.5 <= each.high
    ]
    return phrase("symmetry.uneven", halves=listed(uneven, "list.and")) if uneven else Phrase("symmetry.even")
