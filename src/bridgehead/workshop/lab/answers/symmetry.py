"""Boards that the rules cannot tell from their mirror image: is one half used more than the other?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase
from bridgehead.workshop.lab.answers.answer import Measure, make_measure, percent
from bridgehead.workshop.lab.words import Text, join_parts, phrase
from bridgehead.workshop.statistics import Estimate, mean_share

Array = np.ndarray[Any, Any]
# Directions from the middle of the picture (y grows downwards) into the half that a reflection exchanges with the other one.
AXES = {"left": (-1, 0), "above": (0, -1), "rising": (-1, -1), "falling": (1, -1)}


def pairs(game: Game, axis: str) -> list[tuple[int, int]]:
    """Fields of one half with their mirror images, by number; none if the reflection changes ways or roles of fields.

    A field without ways, as a box for captured pieces, belongs to no half.
    """
    ways = game.spec.scene.ways(game)
    fields = {field.id: (i, field.x, field.y) for i, field in enumerate(game.spec.scene.picture(game, "en").fields)}
    names = sorted({name for pair in ways.joined for name in pair if name in fields})
    if not names:
        return []
    places = np.array([fields[name][1:] for name in names])
    places -= (places.min(axis=0) + places.max(axis=0)) / 2
    across = np.array(AXES[axis])
    depth = places @ across
    images = places - 2 * np.outer(depth, across) / (across @ across)
    nearest = np.hypot(*(places[:, None] - images).transpose(2, 0, 1)).argmin(axis=0)
    image = {name: names[other] for name, other in zip(names, nearest.tolist(), strict=True)}
    if len(set(image.values())) < len(names):
        return []
    if {(image.get(one), image.get(other)) for one, other in ways.joined} != ways.joined:
        return []
    if {image.get(name): role for name, role in ways.marked.items()} != ways.marked:
        return []
    half = (name for name, far in zip(names, depth.tolist(), strict=True) if far > 0 and image[name] != name)
    return [(fields[name][0], fields[image[name]][0]) for name in half]


def compare_halves(game: Game, entered: Array, average: Callable[[Array], Estimate] = mean_share) -> dict[str, Estimate]:
    """The share of entries into mirrored fields that lies in one half, by axis; entered: games x fields;
    average: makes the mean with its interval."""
    found = {}
    for name in AXES:
        both = pairs(game, name)
        if both:
            here, there = (entered[:, [pair[side] for pair in both]].sum(axis=1) for side in (0, 1))
            known = here + there > 0
            found[name] = average(here[known] / (here + there)[known])
    return found


def measures(player: str, found: dict[str, Estimate]) -> list[Measure]:
    """Rows for the table of all numbers."""
    return [make_measure("half", player, each, "share", half=Phrase(f"half.{name}")) for name, each in found.items()]


def sentence(found: dict[str, Estimate]) -> Text:
    """An addition to the question's answer."""
    if not found:
        return ""
    uneven: list[Text] = [
        phrase("symmetry.half", share=percent(each), half=Phrase(f"half.{name}"))
        for name, each in found.items()
        if not each.low <= 0.5 <= each.high
    ]
    return phrase("symmetry.uneven", halves=join_parts(uneven, "list.and")) if uneven else Phrase("symmetry.even")
