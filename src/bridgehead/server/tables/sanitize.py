"""Cleaning of names and chat texts for display."""

from __future__ import annotations

import unicodedata

PILE = 3  # combining marks on a letter, at most
LONGEST = 32  # letters of a name
JOINERS = "\u200c\u200d"  # needed by many scripts, and by emoji made of several signs


def composed(text: str) -> str:
    """A text that is safe to show: normalized (NFC), without control and direction characters or piles of combining marks.

    Joiners are kept only between characters that they can join, so no text consists of joiners alone.
    """
    shown: list[str] = []
    pile = 0
    for letter in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(letter)
        pile = pile + 1 if kind[0] == "M" else 0
        joins = letter in JOINERS and shown and shown[-1] > "\u02ff" and shown[-1] not in JOINERS
        if pile <= PILE and (kind[0] != "C" or letter.isspace() or joins):
            shown.append(letter)
    return " ".join(word.rstrip(JOINERS) for word in "".join(shown).split())


def clean(name: str) -> str:
    """A name that is safe to show."""
    return composed(name[:200])[:LONGEST].rstrip(" " + JOINERS)
