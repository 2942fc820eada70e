"""What people write about themselves and to others: the one gate of names, which names look the same, and the form of texts.

The form of a name is the Nickname profile of PRECIS (RFC 8266); what looks the same has one skeleton (Unicode, UTS 39).
"""

from __future__ import annotations

import functools
import itertools
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

LONGEST = 32  # letters of a name
PILE = 3  # combining marks on a letter, at most
JOINERS = "\u200c\u200d"  # needed by many scripts, and by emoji made of several signs
BLANKS = dict.fromkeys(map(ord, "\u2800\U00013441\U00013442\U0001d159"), " ")  # signs without ink that PRECIS takes for signs
MARK = "\u200e"  # surrounds letters from right to left in the tables of look-alikes


def clean_text(text: str) -> str:
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


def clean_name(text: str) -> str:
    """The form of a name in which it is stored and shown; "" for one that shows nothing.

    Characters that no name may contain are left out, so invisible ones make no difference.
    """
    shown = clean_text(text[:200]).translate(BLANKS)
    while True:
        words = " ".join(unicodedata.normalize("NFKC", shown).split())
        shown = "".join(itertools.dropwhile(lambda letter: unicodedata.category(letter)[0] == "M", words))
        try:
            formed = str(_profile().enforce(shown)) if shown else ""
            if formed == words and len(formed) <= LONGEST:
                return formed
            shown = formed[:LONGEST]
        except UnicodeEncodeError as error:
            shown = shown[: error.start] + shown[error.end :]


def name_keys(name: str) -> frozenset[str]:
    """The skeletons of a name as it is and in small letters. Two names look the same if they share one."""
    small = name.casefold()
    return frozenset((_skeleton(small), _skeleton(name).casefold()))


def find_twin(name: str, others: Iterable[str]) -> str:
    """The first of other names that looks the same; "" if none does."""
    keys = name_keys(name)
    return next((other for other in others if keys & name_keys(other)), "")


def distinct_name(name: str, others: Iterable[str]) -> str:
    """A name for a person among others: with a number behind it if it looks like one of theirs. No name stays none."""
    taken, shown = list(others), name
    for number in itertools.count(2):
        if not name or not find_twin(shown, taken):
            break
        end = f" ({number})"
        shown = name[: LONGEST - len(end)].rstrip() + end
    return shown


@functools.cache
def _profile() -> Any:
    from precis_i18n import get_profile  # most processes of players never see a name

    return get_profile("NicknameCasePreserved")


def _skeleton(name: str) -> str:
    """The skeleton of UTS 39: each letter is replaced by the one for all that look like it."""
    letters = unicodedata.normalize("NFD", name)
    prototypes = _prototypes()
    mapped = "".join(prototypes.get(letter, letter) for letter in letters if letter not in JOINERS)
    return unicodedata.normalize("NFD", mapped)


@functools.cache
def _prototypes() -> Mapping[str, str]:
    """For each letter with look-alikes the one that stands for all of them.

    The package lists a letter under its prototype and the prototype under the letter. So a letter with one look-alike is no
    prototype, unless the two have only one another.
    """
    try:
        from confusable_homoglyphs.confusables import confusables_data
    except ImportError:  # a site in a browser, which has one person and leaves out these tables
        return {}
    known = {letter.strip(MARK): [each["c"].strip(MARK) for each in alike] for letter, alike in confusables_data.items()}
    return {
        letter: alike[0]
        for letter, alike in known.items()
        if len(letter) == len(alike) == 1 and (len(alike[0]) > 1 or len(known.get(alike[0], ())) > 1 or alike[0] < letter)
    }
