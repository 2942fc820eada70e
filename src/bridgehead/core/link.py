"""A whole match in a few hundred characters, for the fragment of a URL.

The text is base64url of zlib of msgpack `[1, game, rules, options, names, start, count, moves]`, followed by `ended` if
people ended the match (`ending`). Each action is stored as its index among the legal ones; all indices together form one
mixed-radix number. So a link can only hold legal actions, and its checksum reveals damage. A match with remarks is
`[2, record]` instead.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import json
import re
import unicodedata
import urllib.parse
import zlib
from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from bridgehead.core import ending, record
from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError, RecordError
from bridgehead.core.match import Match
from bridgehead.core.validation import ready

MOST = 1 << 20  # most bytes of an unpacked link; a larger one is refused before it is unpacked
LONGEST = 200_000  # most characters of a packed match
MOST_ACTIONS = 100_000
BEGINS = "eN"  # first characters of every packed match: zlib's header for its best compression
MARK = "g="  # before the packed match, in the fragment of a URL
LETTERS = re.compile(r"[\w-]*", re.ASCII)
BREAK = re.compile(r"=?\s*\n[>|\s]*")  # a line end, with what quotes the next line
DASHES = {
    "\N{EM DASH}": "--",
    "\N{EN DASH}": "-",
    "\N{NON-BREAKING HYPHEN}": "-",
    "\N{MINUS SIGN}": "-",
}  # for "-", by chat programs


class Packed(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """The content of a packed match; `moves` are `count` actions as one little-endian number."""

    format: Literal[1]
    game: str
    rules: str
    options: str
    names: list[str]
    start: str
    count: Annotated[int, Meta(ge=0, le=MOST_ACTIONS)]
    moves: bytes
    ended: str = ""
    chance: str = ""


class PackedStudy(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """The content of a packed match with comments, shapes or variations: its record."""

    format: Literal[2]
    record: str


def pack(match: Match, names: Sequence[str]) -> str:
    """The match as a text of letters, digits, `-` and `_`; names: one per seat."""
    if match.remarks:
        return _text(msgspec.msgpack.encode(PackedStudy(2, record.dump(match, names))))
    number = 0
    for position, entry in zip(reversed(match.positions[:-1]), reversed(match.log), strict=True):
        number = number * len(position.legal) + position.legal.index(entry.action)
    first, game = match.positions[0], match.game
    start = "" if first == game.start() else first.text
    moves = number.to_bytes((number.bit_length() + 7) // 8, "little")
    held = Packed(1, game.spec.id, game.spec.version, house.canonical(game.options), list(names), start, len(match.log), moves)
    last = (match.ended.text if match.ended else "", match.chance)
    parts = [*msgspec.structs.astuple(held)[:-2], *(last if last[1] else last[:1] if last[0] else ())]
    return _text(msgspec.msgpack.encode(parts))


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(zlib.compress(content, 9)).decode().rstrip("=")


def unpack(text: str) -> tuple[Match, list[str]]:
    """The match of a packed text and the names of its seats. Errors: RecordError."""
    held = _content(text)
    try:
        match, names = record.load(held.record) if isinstance(held, PackedStudy) else record.load(_head(held), is_begun=True)
    except RecordError as error:
        raise RecordError(error.phrase, "link") from None
    if isinstance(held, PackedStudy):
        return match, names
    number = int.from_bytes(held.moves, "little")
    for _ in range(held.count):
        if match.position.is_over:
            raise RecordError("error.game_over_before_link", "link")
        number, place = divmod(number, len(match.position.legal))
        match.play(match.position.legal[place])
    if number:
        raise RecordError("error.link_holds_more_than_actions", "link")
    try:
        if held.ended:
            match.end(ending.read(held.ended))
    except BridgeheadError as error:
        raise RecordError(error.phrase, "link") from None
    return match, names


def read(text: str) -> tuple[Match, list[str]]:
    """The match in a text: a record, a packed match, or a link that holds one. Errors: RecordError.

    A link may have passed through mail and chat: wrapped, quoted, in brackets, with marks or words behind it.
    """
    packed = _mend_link(text)
    return unpack(packed) if packed.startswith(BEGINS) else record.load(text)


def _mend_link(text: str) -> str:
    """The packed match in a text, without what mail and chat programs put around and into it."""
    if MARK not in text and "%3d" in text[:LONGEST].lower():
        text = urllib.parse.unquote(text)
    whole = BREAK.sub("", text.strip()).rpartition(MARK)[2][: 2 * LONGEST].removeprefix("3D")  # mail writes "=" as "=3D"
    if not whole.startswith(BEGINS):
        return whole
    for mark, meant in DASHES.items():
        whole = whole.replace(mark, meant)
    return LETTERS.match("".join(each for each in whole if not each.isspace() and unicodedata.category(each) != "Cf"))[0]  # type: ignore[index]


def _head(held: Packed) -> str:
    """The record of the match before its first action."""
    lines = {"game": held.game, "rules": held.rules, "options": held.options, "seats": json.dumps(held.names)}
    lines |= {"result": "unfinished"} | ({"start": held.start} if held.start else {})
    lines |= {"chance": held.chance} if held.chance else {}
    if not all(line.isprintable() for line in lines.values()):
        raise RecordError("error.link_damaged", "link")
    return "\n".join([record.FIRST_LINE, *(f"{name}: {line}" for name, line in lines.items())])


def _content(text: str) -> Packed | PackedStudy:
    """The content of a packed text. Errors: RecordError for one that is too long or damaged."""
    if len(text) > LONGEST:
        raise RecordError("error.longer_than_characters", "link", longest=LONGEST)
    try:
        whole = text[:-1] if len(text) % 4 == 1 else text  # of words behind it, or of the last character that arrived
        press = zlib.decompressobj()
        raw = press.decompress(base64.urlsafe_b64decode(whole + "=" * (-len(whole) % 4)), MOST)
        if press.unconsumed_tail:
            raise RecordError("error.link_unpacks_more_than_bytes", "link", most=MOST)
        if not press.eof:
            raise RecordError("error.link_cut_off", "link", n=len(text))
        with contextlib.suppress(msgspec.ValidationError):
            return msgspec.msgpack.decode(raw, type=ready(PackedStudy))
        return msgspec.msgpack.decode(raw, type=ready(Packed))
    except (binascii.Error, zlib.error, msgspec.DecodeError, ValueError):
        raise RecordError("error.link_damaged", "link") from None
