"""Sentences of the terminal, in the language that the command line asks for, else in that of the system."""

from __future__ import annotations

from pathlib import Path

from bridgehead.core.phrases import Phrase, catalogue, detect_language

WORDS = catalogue(Path(__file__).parent)


def t(key: str, language: str = "", **params: object) -> str:
    """A sentence of the terminal. language: "" for that of the command line."""
    return WORDS.tell(Phrase(key, params), language or detect_language())
