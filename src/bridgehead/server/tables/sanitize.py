"""What people have written, made fit to be shown anywhere."""

from __future__ import annotations

import unicodedata

PILE = 3  # signs that may stand above and below one letter
LONGEST = 32  # letters of a name
JOINERS = "\u200c\u200d"  # how letters of many scripts are written, and signs made of several


def composed(text: str) -> str:
    """A text that can be shown anywhere: composed, without control and direction characters, no towers of signs.

    Joiners stay between what they may join; so no text consists of them alone.
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
    """A name that can be shown anywhere."""
    return composed(name[:200])[:LONGEST].rstrip(" " + JOINERS)
