"""Replays of long records: the first piece is small, and the whole is many times smaller than all scenes."""

import gzip
import json
from typing import Any

import msgspec
import pytest

from bridgehead.core import record
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.scene import Item, SeatPanel
from bridgehead.server.rooms import replays
from records import recorded
from server.films import completed

pytestmark = pytest.mark.wide
MOST = 10_000


def film(text: str, begin: int | None = None) -> tuple[int, dict[str, Any]]:
    """A replay or a piece of it, and its size in bytes."""
    found = gzip.decompress(replays.film(text, "en", MOST, begin))
    return len(found), json.loads(found)


@pytest.mark.parametrize("name", ["barricade-1", "burning_bridges-3", "front_lines-5"])
def test_a_long_record_comes_in_small_pieces_that_make_every_scene(name: str) -> None:
    text = recorded(name)
    match, _ = record.load(text)
    scene = match.game.spec.scene
    shown = [(list(scene.items(position, "en")), list(scene.plates(position, "en"))) for position in match.positions]
    whole = sum(len(msgspec.json.encode(each)) for each in shown)
    size, first = film(text, 0)
    assert size < 65_000 and first["length"] == len(shown) and first["pieces"][0] == 0
    total, frames = size, completed(first["frames"])
    for begin in first["pieces"][1:]:
        size, piece = film(text, begin)
        total += size
        assert list(piece) == ["frames"] and "items" in piece["frames"][0]
        frames += completed(piece["frames"])
    assert 5 * total < whole, f"{total} bytes where all scenes take {whole}"
    assert [frame["n"] for frame in frames] == list(range(len(shown)))
    for frame, (items, plates) in zip(frames, shown, strict=True):
        assert msgspec.convert(frame["items"], list[Item]) == items
        assert msgspec.convert(frame["plates"], list[SeatPanel]) == plates
    at_once = [msgspec.convert(frame["items"], list[Item]) for frame in completed(film(text)[1]["frames"])]
    assert at_once == [items for items, _ in shown], "the whole in one answer shows the same"
    turns = {entry.turn + 1: at + 1 for at, entry in reversed([*enumerate(match.log)])}
    assert first["turns"] == [[turn, turns[turn]] for turn in sorted(turns)]


def test_only_a_piece_that_there_is_is_given() -> None:
    with pytest.raises(BridgeheadError, match="no piece"):
        film(recorded("forty_bridges-1"), 7)
