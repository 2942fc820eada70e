"""The server's sentences in all languages."""

from __future__ import annotations

from pathlib import Path

from bridgehead.core.phrases import Phrase, catalogue

WORDS = catalogue(Path(__file__).parent)


def own(phrase: Phrase) -> Phrase:
    """A phrase of the server as one that is found from everywhere: its key is "server:KEY"."""
    return Phrase(f"server:{phrase.key}", phrase.params)
