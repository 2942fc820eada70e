"""The server's sentences in all languages."""

from __future__ import annotations

from pathlib import Path

from bridgehead.core.phrases import Phrase, catalogue

WORDS = catalogue(Path(__file__).parent)


def qualify_server_phrase(phrase: Phrase) -> Phrase:
    """A phrase of the server under its full key, "server:KEY", which every package can look up."""
    return Phrase(f"server:{phrase.key}", phrase.params)
