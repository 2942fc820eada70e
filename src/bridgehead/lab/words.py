"""Sentences of the lab."""

from __future__ import annotations

from pathlib import Path

from bridgehead.core.phrases import ENGLISH, Phrase, catalogue, joined
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
    return joined("sentences", [part for part in parts if part])


def listed(parts: list[Text], key: str = "list") -> Text:
    """Parts in a row, or the word for none."""
    return joined(key, parts) if parts else Phrase("none")
