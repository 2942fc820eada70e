"""Validation by types: types prepared for threads, and msgspec's errors as phrases.

msgspec prepares a type at its first use; two threads that do so at once crash the process.
"""

from __future__ import annotations

import re
import threading
from typing import TypeVar

import msgspec

from bridgehead.core.phrases import Phrase, plain

T = TypeVar("T")

_preparing = threading.Lock()
_prepared: set[object] = set()


def ready(kind: type[T]) -> type[T]:
    """Prepare a type and return it. Call it for every type that msgspec decodes or converts to."""
    if kind not in _prepared:
        with _preparing:
            msgspec.json.Decoder(kind)
            _prepared.add(kind)
    return kind


# msgspec reports an error only as an English sentence, so it is parsed here, in the one place where data comes in.
_FORMS = [
    (re.compile(form, re.DOTALL), key)
    for form, key in (
        ("Expected `(?P<kind>.*?)`, got `(?P<got>.*)`", "wrong.type"),
        ("Expected `(?P<kind>.*?)` of at least length (?P<bound>.*), got (?P<got>.*)", "wrong.short_by"),
        ("Expected `(?P<kind>.*?)` of at most length (?P<bound>.*), got (?P<got>.*)", "wrong.long_by"),
        ("Expected `(?P<kind>.*?)` of length (?P<bound>.*), got (?P<got>.*)", "wrong.length"),
        ("Expected `(?P<kind>.*?)` of length >= (?P<bound>.*)", "wrong.short"),
        ("Expected `(?P<kind>.*?)` of length <= (?P<bound>.*)", "wrong.long"),
        ("Expected `(?P<kind>.*?)` >= (?P<bound>.*)", "wrong.least"),
        ("Expected `(?P<kind>.*?)` > (?P<bound>.*)", "wrong.above"),
        ("Expected `(?P<kind>.*?)` <= (?P<bound>.*)", "wrong.most"),
        ("Expected `(?P<kind>.*?)` < (?P<bound>.*)", "wrong.below"),
        ("Expected `(?P<kind>.*?)` matching regex (?P<form>.*)", "wrong.form"),
        ("Expected `(?P<kind>.*?)`", "wrong.kind"),
        ("Invalid enum value (?P<got>.*)", "wrong.value"),
        ("Invalid value (?P<got>.*)", "wrong.value"),
        ("Object contains unknown field `(?P<field>.*)`", "wrong.field"),
        ("Object missing required field `(?P<field>.*)`", "wrong.missing"),
        ("JSON is malformed: .*\\(byte (?P<byte>\\d+)\\)", "error.json"),
        ("Input data was truncated", "wrong.truncated"),
    )
]


def problem(text: str) -> tuple[Phrase, str]:
    """An error of msgspec as a phrase, and the path of the wrong value ("$.seats[0]", "" if the error names none)."""
    what, _, path = text.partition(" - at `")
    for form, key in _FORMS:
        if found := form.fullmatch(what):
            return Phrase(key, found.groupdict()), path.rstrip("`")
    return plain(what), path.rstrip("`")
