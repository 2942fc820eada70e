"""Sentences of the terminal, in the language that the command line asks for, else in that of the system."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bridgehead.core.phrases import ENGLISH, Phrase, catalogue, languages

WORDS = catalogue(Path(__file__).parent)
OPTIONS = ("--language", "--lang")
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # of the system, the first that is set decides


def asked() -> str:
    """The language of `--language`, else that of LC_ALL, LC_MESSAGES or LANG where we have it, else English.

    Help texts are made before the command line is read, so the option is looked for here.
    """
    words = sys.argv[1:]
    for word, after in zip(words, [*words[1:], ""], strict=True):
        option, equals, value = word.partition("=")
        if option in OPTIONS and (found := value if equals else after) in languages():
            return found
    system = next((os.environ[name] for name in VARIABLES if os.environ.get(name)), "")[:2]
    return system if system in languages() else ENGLISH


def t(key: str, language: str = "", **params: object) -> str:
    """A sentence of the terminal, in the language asked for if no other is given."""
    return WORDS.tell(Phrase(key, params), language or asked())
