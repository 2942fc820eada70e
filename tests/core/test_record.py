"""Records: a match as a text, and back; a damaged one is refused with its line."""

from __future__ import annotations

import pytest

from bridgehead.core import record, registry
from bridgehead.core.errors import RecordError
from bridgehead.core.match import Match

RECORD = """bridgehead record 1
game: forty_bridges
rules: 1
options: {"maxCaptures":2}
seats: ["Ada", "Bob; the \\"builder\\""]
result: unfinished
start: b2,c2,d2,A3,c4 B2,C2,b3,e5 a 20 0 - - -

21. c4-c3; take B2; take b3
22. e5-e4
"""


def damaged(old: str, new: str) -> str:
    assert old in RECORD
    return RECORD.replace(old, new, 1)


def test_a_record_is_read_and_written_to_the_letter() -> None:
    match, names = record.load(RECORD)
    assert names == ["Ada", 'Bob; the "builder"']
    assert match.position.turn == 22 and len(match.log) == 4
    assert record.dump(match, names) == RECORD


def test_line_ends_and_a_byte_order_mark_do_not_matter() -> None:
    assert record.load("\ufeff" + RECORD.replace("\n", "\r\n"))[0].actions == record.load(RECORD)[0].actions


def test_seats_without_a_name_are_numbered_and_the_result_names_the_winner() -> None:
    game = registry.game("forty_bridges")
    match = Match(game, start=game.load("d5,a1 c1,D4 a 20 0 - - -"))
    match.play("d5-e5")
    text = record.dump(match)
    assert 'seats: ["seat 1", "seat 2"]' in text and "result: corner, seat 1 wins" in text
    assert record.load(text)[0].outcome == match.outcome


def test_a_standard_game_has_no_start_line() -> None:
    match = Match(registry.game("forty_bridges"))
    match.play("b2-c2")
    assert "start:" not in record.dump(match)
    assert record.load(record.dump(match))[0].position == match.position


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", "line 1", "begins with"),
        (damaged("record 1", "record 2"), "line 1", "begins with"),
        (damaged("game: forty_bridges", "game: chess"), "line 2", "no game"),
        (damaged("rules: 1", "rules: 99"), "line 3", "made under rules 99"),
        (damaged('"maxCaptures":2', '"maxCaptures":7'), "line 4", "allowed: none, 2"),
        (damaged('"maxCaptures":2', '"noRule":7'), "line 4", "noRule"),
        (damaged('{"maxCaptures":2}', "{"), "line 4", "."),
        (damaged('{"maxCaptures":2}', "[" * 5000), "line 4", "."),
        (damaged('{"maxCaptures":2}', "[]"), "line 4", "JSON object"),
        (damaged('["Ada", ', '["'), "line 5", "2 names"),
        (damaged('"Ada", ', ""), "line 5", "2 names"),
        (damaged("seats: [", "players: ["), "line 5", "not a header line"),
        (damaged("result: unfinished\n", ""), "line 7", "lacks result"),
        (damaged("result: unfinished", "result: corner, seat 1 wins"), "line 6", "the moves say 'unfinished'"),
        (damaged("start: b2", "start: a1"), "line 9", "turn 21 stands where turn 22"),
        (damaged("start: b2", "start: z9"), "line 7", "'z9'"),
        (damaged("take B2", "take e5"), "line 9", "take e5"),
        (damaged("c4-c3", "c4-c5x"), "line 9", "expected like"),
        (damaged("21.", "20."), "line 9", "turn 20 stands where turn 21"),
        (damaged("; take b3", ""), "line 10", "turn 22 stands where turn 21"),
        (damaged("22. e5-e4", "22 e5-e4"), "line 10", "not a turn"),
        (damaged("e5-e4", "e5-e4; e4-e3"), "line 10", "stands where turn 23"),
    ],
)
def test_a_damaged_record_is_refused_with_its_line(text: str, line: str, said: str) -> None:
    with pytest.raises(RecordError, match=said) as caught:
        record.load(text)
    assert caught.value.where == line


def test_a_record_that_is_too_long_is_refused_before_it_is_read() -> None:
    with pytest.raises(RecordError, match="longer than"):
        record.load(RECORD + " " * record.LONGEST)
