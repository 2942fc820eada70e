"""Comments, arrows, circles and variations in records and links: to the letter, walked, edited, and refused with their line."""

import random
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from itertools import product

import msgspec
import pytest

from bridgehead.core import link, record, registry, remarks, study
from bridgehead.core.chance import SeededDealer
from bridgehead.core.ending import RESIGNED, Ending
from bridgehead.core.errors import BridgeheadError, IllegalAction, RecordError
from bridgehead.core.match import Match
from bridgehead.core.remarks import DrawnShape, Remark, Variation

GAMES = ("burning_bridges", "forty_bridges", "front_lines", "barricade")
STUDY = """bridgehead record 1
game: forty_bridges
rules: 1
options: {"maxCaptures":2}
seats: ["Ada", "Bob"]
result: unfinished
start: b2,c2,d2,A3,c4 B2,C2,b3,e5 a 20 0 - - -

> Blue can take two.
>
> Which two?
@ c4 c3
@ B2
(
  21. c4-c5
  > Too slow.
  (
    22. B2-A2
    23. c5-b5
  )
  22. e5-e4
)
21. c4-c3; take B2
(
  21. take C2
  # is no note
)
21. take b3
# a note
> It is over for Red.
22. e5-e4
(
  23. A3-A4
)
""".replace("  # is no note\n", "")


def damaged(old: str, new: str) -> str:
    assert old in STUDY
    return STUDY.replace(old, new, 1)


def line(text: str) -> int:
    """The number of the line of STUDY with this text."""
    return STUDY.splitlines().index(text) + 1


def test_a_record_with_a_study_is_read_and_written_to_the_letter() -> None:
    match, names = record.load(STUDY)
    assert record.dump(match, names) == STUDY and len(match.log) == 4
    first = match.remarks[0]
    assert first.comment == "Blue can take two.\n\nWhich two?"
    assert first.shapes == [DrawnShape("f:c4", "f:c3"), DrawnShape("f:B2", "f:B2")]
    assert [len(each.actions) for each in first.variations] == [2]
    assert first.variations[0].remarks[1].comment == "Too slow." and match.notes == [(3, "a note")]
    plain = record.load("\n".join(each for each in STUDY.splitlines() if each[:1].isalnum() or not each or each[0] == "#"))[0]
    assert plain.actions == match.actions and not plain.remarks


def test_a_link_holds_the_study_and_a_game_without_remarks_has_the_link_it_always_had() -> None:
    match, names = record.load(STUDY)
    packed = link.pack(match, names)
    assert packed.startswith(link.BEGINS)
    assert record.dump(*link.read(f"http://x/study#g={packed}")) == STUDY
    match.remarks = {}
    content = zlib.decompress(urlsafe_b64decode(link.pack(match, names) + "==="))
    assert msgspec.msgpack.decode(content)[:3] == [1, "forty_bridges", "1"]


@pytest.mark.parametrize(
    ("old", "new", "at", "what"),
    [
        ("  > Too slow.\n", "  )\n  )\n", "closes", "closes no variation"),
        ("(\n  23. A3-A4\n)\n", "(\n(\n  23. A3-A4\n)\n", "open", "not closed"),
        ("  21. take C2\n", "", "empty", "without an action"),
        ("@ B2", "@ z9", "@ B2", "no field 'z9'"),
        ("@ B2", "@ B2 c3 c4", "@ B2", "one field for a circle"),
        ("  21. c4-c5", "  20. c4-c5", "  21. c4-c5", "expected turn 21"),
        ("  21. c4-c5", "  21. c4-e1", "  21. c4-c5", "c4-e1"),
        ("  > Too slow.", "  # Too slow.", "  > Too slow.", "not a turn"),
        ("  > Too slow.", "  >Too slow.", "  > Too slow.", "not a turn"),
        ("> It is over", "> " + "x" * 5000, "> It is over for Red.", "more than 4000 characters"),
    ],
)
def test_a_damaged_study_is_refused_with_its_line(old: str, new: str, at: str, what: str) -> None:
    where = {"closes": line("  > Too slow.") + 1, "open": line("  23. A3-A4") - 1, "empty": line("  21. take C2")}
    with pytest.raises(RecordError, match=what) as refused:
        record.load(damaged(old, new))
    number = where.get(at) or line(at)
    assert refused.value.where == f"line {number}", str(refused.value)


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("(\n" * 100_000, "more than 32 deep"),
        ("(\n21. c4-c3\n)\n" * 250_000, "more than 2000 variations"),
        ("@ c3\n" * 100_000 + "@ c3 c4\n@ zz\n", "no field 'zz'"),
        (">\n" * 500_000 + "> x\n", "more than 4000 characters"),
        (")\n" * 1_000_000, "closes no variation"),
    ],
)
def test_a_record_that_is_too_deep_or_too_wide_is_refused_with_a_line(body: str, what: str) -> None:
    with pytest.raises(RecordError, match=what) as refused:
        record.load(STUDY[: STUDY.index("\n\n") + 2] + body)
    assert refused.value.where.startswith("line ")


def test_variations_that_play_on_within_one_another_are_refused_when_they_are_too_deep() -> None:
    match, names = record.load(STUDY)
    head = record.dump(match, names).partition("\n\n")[0] + "\n\n"
    rng = random.Random(2)
    while len(match.log) < 40:
        match.play(rng.choice(match.position.legal))
    lines = [f"(\n{entry.turn + 1}. {match.positions[i].name(entry.action)}" for i, entry in enumerate(match.log)]
    for deep in (remarks.DEEPEST, remarks.DEEPEST + 1, 40):
        text = head + "\n".join([*lines[:deep], *([")"] * deep)])
        if deep == remarks.DEEPEST:
            again, _ = record.load(text)
            assert not again.log and study.position_at(again, (0, *[0, 1] * deep)) == match.positions[deep]
            assert record.dump(*link.read(link.pack(again, names))) == record.dump(again, names)
        else:
            with pytest.raises(RecordError, match="32 deep"):
                record.load(text)


def test_a_million_variations_are_longer_than_a_record_may_be() -> None:
    with pytest.raises(RecordError, match="longer than"):
        record.load(STUDY[: STUDY.index("\n\n") + 2] + "(\n21. c4-c3\n)\n" * 1_000_000)


def test_a_link_with_a_bomb_or_with_damage_is_refused() -> None:
    def packed(content: object) -> str:
        return urlsafe_b64encode(zlib.compress(msgspec.msgpack.encode(content), 9)).decode().rstrip("=")

    for content in ([2, "x" * (1 << 20)], [2, STUDY, 1], [2], [2, 5], [3, STUDY], [2, damaged("(", "((")], {"format": 2}):
        with pytest.raises(RecordError):
            link.read(packed(content))


def test_paths_name_every_place_and_no_other() -> None:
    match, _ = record.load(STUDY)
    paths = [each.path(n) for each in study.lines(match) for n in range(len(each.actions) + 1)]
    assert {len(path) for path in paths} == {1, 3, 5}
    for path in paths:
        assert study.read_path(remarks.path_text(path)) == path
        position = study.position_at(match, path)
        for after in study.next_paths(match, path):
            assert study.position_at(match, after) == position.after(study.actions_to(match, after)[-1])
    for bad in ("", "1.0", "x", "5", "0.1.1", "0.0.0", "0.0.3", "1.0.1", "-1", "0.0.1.0.9", "9" * 500, "0." * 200 + "0", "²"):
        with pytest.raises(BridgeheadError, match="no place"):
            study.line_of(match, study.read_path(bad))


def test_an_action_goes_on_where_it_was_played_lengthens_the_line_or_begins_a_variation() -> None:
    match, names = record.load(STUDY)
    at = match.positions
    assert study.play(match, (0,), at[0].read("c4-c3")) == (1,)
    assert study.play(match, (0,), at[0].read("c4-c5")) == (0, 0, 1)
    assert study.play(match, (0,), at[0].read("A3-A4")) == (0, 1, 1)
    end = study.position_at(match, (0, 1, 1))
    assert study.play(match, (0, 1, 1), end.read("e5-e4")) == (0, 1, 2)
    assert study.play(match, (4,), match.position.read("A3-B3")) == (4, 1, 1)
    with pytest.raises(IllegalAction):
        study.play(match, (0, 1, 1), at[0].read("c4-c3"))
    assert record.dump(*record.load(record.dump(match, names))) == record.dump(match, names)
    bare, _ = record.load(STUDY.partition("> Blue")[0])
    assert study.play(bare, (0,), at[0].read("c4-c3")) == (1,) and len(bare.log) == 1
    bare.end(Ending(RESIGNED, 1))
    assert study.play(bare, (1,), bare.position.legal[0]) == (1, 0, 1), "a game that people ended stays as it was played"


def test_a_variation_is_promoted_and_comes_back() -> None:
    match, names = record.load(STUDY)
    before = {
        each.path(n): study.position_at(match, each.path(n)) for each in study.lines(match) for n in range(len(each.actions))
    }
    assert study.promote(match, (0, 0, 2)) == (2,)
    text = record.dump(match, names)
    assert len(match.log) == 2 and match.remarks[1].comment == "Too slow." and "> It is over for Red." in text
    assert record.dump(*record.load(text)) == text
    places = {study.position_at(match, each.path(n)) for each in study.lines(match) for n in range(len(each.actions))}
    assert places == set(before.values())
    assert study.promote(match, (0, 0, 4)) == (4,)
    match.notes.append((3, "a note"))
    assert record.dump(match, names) == STUDY
    assert study.promote(match, (4,)) == (4,)
    assert study.promote(match, (4, 0, 1)) == (5,) and 4 not in match.remarks


def test_deleting_takes_a_place_with_all_that_follows() -> None:
    match, names = record.load(STUDY)
    assert study.delete(match, (0, 0, 1, 0, 1)) == (0, 0, 1)
    assert study.delete(match, (0, 0, 2)) == (0, 0, 1)
    assert study.delete(match, (0, 0, 1)) == (0,) and not match.remarks[0].variations
    assert study.delete(match, (3,)) == (2,) and len(match.log) == 2 and not match.notes
    assert study.position_at(match, (2, 0, 1)) and list(match.remarks) == [0, 2]
    assert record.dump(*record.load(record.dump(match, names))) == record.dump(match, names)
    with pytest.raises(BridgeheadError, match="no place"):
        study.delete(match, (0,))


def test_comments_and_shapes_are_set_and_removed() -> None:
    match, names = record.load(STUDY)
    assert study.comment(match, (0, 0, 1), " a\u2028b\x07 \n\n\n") == (0, 0, 1)
    assert study.remark_at(match, (0, 0, 1)).comment == "a\nb"
    study.draw(match, (1,), DrawnShape("f:a1", "f:b2"))
    study.draw(match, (1,), DrawnShape("f:a1", "f:a1"))
    study.draw(match, (1,), DrawnShape("f:a1", "f:b2"))
    assert match.remarks[1].shapes == [DrawnShape("f:a1", "f:a1")]
    study.clear(match, (1,))
    assert 1 not in match.remarks
    for shape in (
        DrawnShape("f:a1", "f:b2"),
        DrawnShape("f:a1", "f:b2", "red"),
        DrawnShape("f:c3", "f:c3", "blue"),
        DrawnShape("f:a1", "f:c1", "yellow"),
    ):
        study.draw(match, (1,), shape)
    coloured = [DrawnShape("f:a1", "f:b2", "red"), DrawnShape("f:c3", "f:c3", "blue"), DrawnShape("f:a1", "f:c1", "yellow")]
    assert match.remarks[1].shapes == coloured, "another colour takes the place of the first"
    text = record.dump(match, names)
    assert "\n@red a1 b2\n@blue c3\n@yellow a1 c1\n" in text
    assert record.load(text)[0].remarks[1].shapes == coloured
    for line in ("@purple a1 b2", "@red", "@red a1 b2 c3", "@reda1 b2"):
        with pytest.raises(RecordError, match="one field for a circle or two for an arrow"):
            record.load(text.replace("@red a1 b2", line))
    study.draw(match, (1,), DrawnShape("f:a1", "f:b2", "red"))
    assert match.remarks[1].shapes == coloured[1:]
    study.clear(match, (1,))
    for text in ("> x\n(\n)\n# 1. a1", "1. a1-b1\n\n  @ c3", "​\ufeff"):
        study.comment(match, (1,), text)
        assert record.dump(*record.load(record.dump(match, names))) == record.dump(match, names)
    with pytest.raises(BridgeheadError, match="no field"):
        study.draw(match, (1,), DrawnShape("f:a1", "p:x"))
    with pytest.raises(BridgeheadError, match="characters"):
        study.comment(study.copy_match(match), (1,), "x" * 5000)
    fields = sorted(record.field_ids(match.game))
    shapes = [DrawnShape(start, end) for start, end in product(fields, fields)][: remarks.MOST_SHAPES + 1]
    for shape in shapes[:-1]:
        study.draw(match, (2,), shape)
    with pytest.raises(BridgeheadError, match="arrows and circles"):
        study.draw(match, (2,), shapes[-1])


def test_an_edit_of_a_copy_leaves_the_match_as_it_was() -> None:
    match, names = record.load(STUDY)
    for path in ((0, 0, 1), (3,), (4, 0, 1)):
        again = study.copy_match(match)
        assert record.dump(again, names) == STUDY
        study.delete(again, path)
        assert record.dump(again, names) != STUDY == record.dump(match, names)


def test_more_than_a_record_may_hold_is_refused_when_it_is_made() -> None:
    match, _ = record.load(STUDY)
    inner = Variation([match.actions[0]])
    for _ in range(remarks.DEEPEST):
        inner = Variation([match.actions[0]], {1: Remark(variations=[inner])})
    match.remarks[0].variations.append(inner)
    with pytest.raises(BridgeheadError, match="32 deep"):
        study.comment(match, (0,), "x")


@pytest.mark.parametrize("game", GAMES)
def test_random_edits_keep_every_study_readable_and_every_place_legal(game: str) -> None:
    """Play, comment, draw, promote and delete at random places; after each edit the record and the link read back the same."""
    rng = random.Random(game)
    match = Match(registry.game(game))
    fields = sorted(record.field_ids(match.game))
    names = [""] * match.game.seats
    dealer = SeededDealer(1)
    for _ in range(6):
        match.deal(dealer)
        match.play(rng.choice(match.position.legal))
    used = set()
    for step in range(60):
        paths = [each.path(n) for each in study.lines(match) for n in range(len(each.actions) + 1)]
        path = rng.choice(paths)
        what = rng.choice(("play", "play", "play", "comment", "draw", "promote", "delete" if step % 4 == 0 else "play"))
        position = study.position_at(match, path)
        used.add(what)
        if what == "play" and not position.is_over:
            made = study.play(match, path, rng.choice(position.legal))
            assert study.actions_to(match, made)[:-1] == study.actions_to(match, path)
        elif what == "comment":
            study.comment(match, path, f"step {step}\n{rng.choice(['', '(', '> ', '5. x'])}")
        elif what == "draw":
            study.draw(match, path, DrawnShape(rng.choice(fields), rng.choice(fields)))
        elif what == "promote":
            before = study.actions_to(match, path)
            assert study.actions_to(match, study.promote(match, path)) == before
        elif what == "delete" and path[-1]:
            before = study.actions_to(match, path)
            assert study.actions_to(match, study.delete(match, path)) == before[:-1]
        if step % 6:
            continue
        text = record.dump(match, names)
        again, _ = record.load(text)
        assert again.remarks == match.remarks and again.actions == match.actions
        assert record.dump(*link.read(link.pack(match, names))) == text
    assert used == {"play", "comment", "draw", "promote", "delete"}
