"""What is written on a thing is part of its name: whoever speaks to the page says what they see (WCAG 2.2, 2.5.3)."""

import random
import re

import pytest

from bridgehead.core import registry
from bridgehead.core.scene import Item
from variants import at_random


def written(item: Item) -> str:
    """The text on a thing as axe-core reads it; one letter is a sign, not a word."""
    text = "".join(part.text + " " * (len(part.text) > 2) for part in item.parts)
    return plain(text) if len(plain(text)) > 1 else ""


def plain(text: str) -> str:
    return re.sub(r"[^\w ]", "", text).strip().lower()


@pytest.mark.parametrize("name", ["burning_bridges", "forty_bridges", "front_lines", "barricade"])
def test_what_is_written_on_a_thing_is_part_of_its_name(name: str) -> None:
    """With two letters on a picture card axe-core found this at tables by lot only, as cards came."""
    for seed in range(4):
        match = at_random(registry.game(name), random.Random(seed), 150)
        for position in match.positions[::7]:
            for item in position.game.spec.scene.items(position, "en"):
                assert not item.label or written(item) in plain(item.label), item
