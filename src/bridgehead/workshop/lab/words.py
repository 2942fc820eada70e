"""Sentences of the lab."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from bridgehead.core.descriptions import about
from bridgehead.core.game import Game
from bridgehead.core.phrases import ENGLISH, Phrase, catalogue, join_phrases
from bridgehead.core.phrases import UNKNOWN as UNKNOWN
from bridgehead.core.phrases import Figure as Figure
from bridgehead.core.phrases import phrase as phrase

WORDS = catalogue(Path(__file__).parent)
Text = Phrase | str


def tell(text: Text, language: str = ENGLISH) -> str:
    """A phrase in a language."""
    return WORDS.tell(text, language)


def whole(value: float) -> Figure:
    """A whole number, with marks between thousands."""
    return Figure(f"{value:,.0f}")


def sentences(*parts: Text) -> Text:
    """Sentences one after the other, without the empty ones."""
    return join_phrases("sentences", [part for part in parts if part])


def join_parts(parts: list[Text], key: str = "list") -> Text:
    """Parts in a row, or the word for none."""
    return join_phrases(key, parts) if parts else Phrase("none")


def reason_of(game: Game, reason: str) -> Callable[[str], str]:
    """The words for a way in which a game ends, by language."""
    return lambda language: about(game.spec, language).reason(reason)


@functools.lru_cache(8)
def _side_names(game: Game, language: str) -> list[str]:
    plates = game.spec.scene.plates(game.start(), language)[: game.seats]
    colours = [WORDS.text(f"livery.{each.seat}", language, each.seat) for each in plates]
    found = []
    for side in sorted(set(game.sides)):
        mine = [seat for seat in range(game.seats) if game.sides[seat] == side]
        name: Text = " + ".join(plates[seat].name for seat in mine)
        named = tell(name, language).casefold()
        if theirs := list(dict.fromkeys(colours[seat] for seat in mine if colours[seat] and colours[seat] not in named)):
            name = phrase("side", name=name, colour=join_parts([*theirs], "list.and"))
        found.append(tell(name, language))
    return found


def side_names(game: Game) -> list[Callable[[str], str]]:
    """The names of the sides by language: those of their seats, and their colours."""

    def name_side(place: int, language: str = ENGLISH) -> str:
        return _side_names(game, language)[place]

    return [functools.partial(name_side, place) for place in range(len(set(game.sides)))]
