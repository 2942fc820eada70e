"""A link holds a whole match: packed and read again it is the same, and nothing sent in its place does any harm."""

import base64
import contextlib
import json
import random
import zlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from bridgehead.core import link, record, registry
from bridgehead.core.ending import RESIGNED, Ending
from bridgehead.core.errors import BridgeheadError, RecordError
from bridgehead.core.match import Match

RECORDS = sorted((Path(__file__).parents[1] / "proof" / "records").glob("*.txt"))


def packed(**changes: object) -> str:
    """A packed match with something else in it, and a sound checksum."""
    held = {"format": 1, "game": "forty_bridges", "rules": "1", "options": "{}", "names": ["A", "B"], "start": "", "count": 0}
    fields = list((held | {"moves": b""} | changes).values())
    return base64.urlsafe_b64encode(zlib.compress(msgspec.msgpack.encode(fields), 9)).decode().rstrip("=")


@pytest.mark.parametrize("file", RECORDS, ids=lambda file: file.stem)
def test_every_golden_record_comes_back_whole_and_is_short(file: Path) -> None:
    text = file.read_text("utf-8")
    match, names = record.load(text)
    sent = link.pack(match, names)
    assert record.dump(*link.read(sent)) == record.dump(*link.read(f"http://box:8000/replay#g={sent} ")) == text
    assert len(sent) < 450 and sent.startswith(link.BEGINS), len(sent)


def test_a_match_from_a_position_and_names_of_all_kinds_come_back() -> None:
    game = registry.game("forty_bridges")
    begun = game.load("A1,a2,d2,C2,c3,A3 D2,e4,B4,C4 a 22 1 - b246e46e6f9e2eb4 -")
    match = Match(game, start=begun)
    match.play(match.position.legal[3])
    again, names = link.read(link.pack(match, ["Zoë 🐢", 'a"; ,b']))
    assert again.positions == match.positions and names == ["Zoë 🐢", 'a"; ,b']


def test_a_match_on_an_own_board_comes_back_in_whatever_order_the_board_names_its_pillars() -> None:
    spec = registry.spec("burning_bridges")
    board = json.loads((spec.folder / "boards" / "star3.json").read_text("utf-8"))
    for order in (1, -1):
        mine = board | {"name": "Ours", "nodes": dict([*board["nodes"].items()][::order])}
        match = Match(registry.game("burning_bridges", board=mine, seats=2), [0])
        for place in (3, 5, 7, 2):
            match.play(match.position.legal[place % len(match.position.legal)])
        again, _ = link.read(link.pack(match, ["A", "B"]))
        assert again.actions == match.actions and again.positions == match.positions


def test_a_match_that_is_over_before_its_first_action_comes_back() -> None:
    blocked = registry.game("forty_bridges", setup="custom", layout="b4 b2,e2,b3,a4,c4,e4,A4,b5", noMoves="lose")
    reached = registry.game("forty_bridges").load("e5 d5 b 5 0 - - corner:a")
    for match in Match(blocked), Match(reached.game, start=reached):
        assert match.outcome is not None
        again, _ = link.read(link.pack(match, ["", ""]))
        assert again.position == match.position


def test_an_end_that_people_made_travels_too() -> None:
    match = Match(registry.game("forty_bridges"))
    match.play(match.position.legal[0])
    before = link.pack(match, ["A", "B"])
    match.end(Ending(RESIGNED, 1))
    again, _ = link.read(link.pack(match, ["A", "B"]))
    assert again.ended == match.ended and again.outcome == match.outcome
    with pytest.raises(BridgeheadError, match="the game is over"):
        match.rewind(1)
    match.reopen()
    assert match.ended is None and link.pack(match, ["A", "B"]) == before


def test_whatever_is_wrong_with_a_link_is_told() -> None:
    match, names = record.load(RECORDS[0].read_text("utf-8"))
    good = link.pack(match, names)
    wrong = {
        good[:-9]: "cut off|damaged",
        good[:40] + ("A" if good[40] != "A" else "B") + good[41:]: "damaged",
        packed(game="chess"): "no game 'chess'",
        packed(ended="seat 3 resigned"): "no seat 3",
        packed(ended="won"): "not an end outside the rules",
        packed(ended=1): "damaged",
        packed(rules="0"): "made under rules 0",
        packed(options='{"nothing":1}'): "nothing",
        packed(options='{}\n\n1. "'): "damaged",
        packed(names=["A"]): "list of 2 names",
        packed(start="nonsense"): ".",
        packed(moves=b"\x05"): "data beyond its actions",
        packed(count=100_001): "damaged",
        packed(count=100_000): "after the end of the game",
        packed(format=2): "damaged",
        packed(more=1): "damaged",
        "eN" + "A" * 200_000: "longer than",
    }
    for text, told in wrong.items():
        with pytest.raises(RecordError, match=told):
            link.read(text)


def test_a_bomb_is_not_unpacked() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(bytes(100_000_000), 9)).decode().rstrip("=")
    assert len(bomb) < link.LONGEST
    with pytest.raises(RecordError, match="unpacks to more than 1048576 bytes"):
        link.read(bomb)


def test_every_change_of_a_letter_is_noticed_or_harmless() -> None:
    match, names = record.load(next(file for file in RECORDS if file.stem == "front_lines-4").read_text("utf-8"))
    good, rng = link.pack(match, names), random.Random(1)
    for _ in range(300):
        at = rng.randrange(2, len(good))
        text = good[:at] + rng.choice("ABCxyz019-_ é=.") + good[at + 1 :]
        with contextlib.suppress(RecordError):
            assert link.read(text)[0].actions == match.actions  # the last letter has bits that mean nothing


def wrapped(text: str, width: int, end: str) -> str:
    return end.join(text[at : at + width] for at in range(0, len(text), width))


DAMAGES: dict[str, Callable[[str], str]] = {
    **{
        f"behind {mark!r}": lambda link, mark=mark: f"{link}{mark}"
        for mark in [".", ")", ",", ">", "**", "!", "?", '"', "'", "]", "…", "\u200b", ". Look!"]
    },  # type: ignore[misc]
    **{
        f"wrapped {end!r}": lambda link, end=end: wrapped(link, 40, end)
        for end in ["\n", "\r\n", "\n> ", "\n>> ", "=\n", " ", "\u200b", "\u00ad"]
    },  # type: ignore[misc]
    "brackets": lambda link: f"<{link}>",
    "markdown": lambda link: f"see [my game]({link}), it was fun",
    "words behind": lambda link: f"{link} is what we played yesterday",
    "words before": lambda link: f"Look: {link}",
    "percent": lambda link: link.replace("g=", "g%3D"),
    "small percent": lambda link: link.replace("#g=", "#g%3d"),
    "quoted-printable": lambda link: wrapped(link.replace("=", "=3D"), 60, "=\r\n"),
    "dashes": lambda link: link.replace("--", "—").replace("-", "–"),
    "white space": lambda link: f"  \n\t{link}\n\n",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_link_that_went_through_mail_and_chat_opens(damage: str) -> None:
    for count in (0, 1, 7, 30, 31, 32):
        match = Match(registry.game("forty_bridges"))
        for at in range(count):
            match.play(match.position.legal[at % len(match.position.legal)])
        found, names = link.read(DAMAGES[damage](f"http://h.example/replay#g={link.pack(match, ['Ada', 'Ben'])}"))
        assert (found.actions, names) == (match.actions, ["Ada", "Ben"]), (damage, count)


def test_a_link_that_is_cut_off_says_so_wherever_it_is_cut() -> None:
    match = Match(registry.game("forty_bridges"))
    for at in range(30):
        match.play(match.position.legal[at % len(match.position.legal)])
    text = link.pack(match, ["Ada", "Ben"])
    for length in range(8, len(text) - 1):
        with pytest.raises(RecordError, match=rf"cut off: {length} characters arrived"):
            link.read(f"http://h.example/replay#g={text[:length]}.")
