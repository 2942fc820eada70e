"""What tests of every game ask of a position."""

import pytest

from bridgehead.core.errors import IllegalAction
from bridgehead.core.phrases import languages
from bridgehead.core.position import Position


def played(position: Position, *texts: str) -> Position:
    """The position after some actions."""
    for text in texts:
        position = position.play(text)
    return position


def legal(position: Position, verb: str = "") -> set[str]:
    """The texts of the legal actions that begin with some words."""
    return {name for name in map(position.name, position.legal) if name.startswith(verb)}


def refused(position: Position, text: str) -> str:
    """The clause by which an action is refused, with a sentence in every language."""
    with pytest.raises(IllegalAction) as caught:
        position.play(text)
    for language in languages():
        assert position.game.words.tell(caught.value.refusal.phrase, language)
    return caught.value.refusal.clause


def ended(position: Position) -> tuple[str, tuple[int, ...]]:
    """Why the game is over, and who has won."""
    assert position.outcome is not None
    return position.outcome.reason, position.outcome.winners
