"""Records: a match as a text, and back; a damaged one is refused with its line."""

import pytest

from bridgehead.core import link, record, registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.ending import ABSENT, RESIGNED, Ending
from bridgehead.core.errors import BridgeheadError, RecordError
from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.spec import OVER

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


def test_notes_stand_between_the_actions_where_they_belong_and_are_kept_to_the_letter() -> None:
    text = (
        RECORD.replace("take B2; take b3", "take B2\n# Seat B: Bob is away.\n# Seat B: the computer plays.\n21. take b3")
        + "# the end\n"
    )
    match, names = record.load(text)
    assert match.notes == [(2, "Seat B: Bob is away."), (2, "Seat B: the computer plays."), (4, "the end")]
    assert record.dump(match, names) == text and match.actions == record.load(RECORD)[0].actions
    match.rewind(1)
    match.notes.append((0, "first\u2028 line\n22. e5-e4"))
    told = record.dump(match, names)
    assert told.count("\n# ") == 4 and "\n# first line 22. e5-e4\n21. c4-c3\n# Seat B: Bob is away." in told
    assert record.dump(*record.load(told)) == told


def test_a_note_keeps_the_phrase_it_was_made_from_and_one_without_stays_a_text() -> None:
    match, names = record.load(RECORD)
    within = Phrase("mark.computer", {"level": Phrase("level.captain"), "letter": "B", "by": "\u2028", "n": 2})
    match.notes = [(1, "An older release wrote this."), (1, record.note("Seat B: the computer plays.", within))]
    text = record.dump(match, names)
    found = record.load(text)[0].notes
    assert found == match.notes and record.dump(*record.load(text)) == text
    assert [isinstance(each, record.Note) and each.phrase for _, each in found] == [False, within]
    made = next(each for each in text.splitlines() if each.startswith('# ["mark.'))
    for line in ('["a"]', '["a", []]', '["a", {"x": [1, {}]}]', '["a", {}', "[" * 50_000, "3"):
        changed, _ = record.load(text.replace(made, f"# {line}"))
        assert all(type(each) is str for _, each in changed.notes) and len(changed.notes) in (2, 3), line


@pytest.mark.parametrize("line", ["#", "#x", " # x", "21 # x"])
def test_a_line_that_is_neither_note_nor_turn_is_refused(line: str) -> None:
    with pytest.raises(RecordError, match="not a turn"):
        record.load(f"{RECORD}{line}\n")


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
        (damaged("result: unfinished", "result: corner, seat 1 wins"), "line 6", "but the moves give 'unfinished'"),
        (damaged("start: b2", "start: a1"), "line 9", "expected turn 22, got turn 21"),
        (damaged("start: b2", "start: z9"), "line 7", "'z9'"),
        (damaged("take B2", "take e5"), "line 9", "take e5"),
        (damaged("c4-c3", "c4-c5x"), "line 9", "expected like"),
        (damaged("21.", "20."), "line 9", "expected turn 21, got turn 20"),
        (damaged("; take b3", ""), "line 10", "expected turn 21, got turn 22"),
        (damaged("22. e5-e4", "22 e5-e4"), "line 10", "not a turn"),
        (damaged("e5-e4", "e5-e4; e4-e3"), "line 10", "expected turn 23"),
    ],
)
def test_a_damaged_record_is_refused_with_its_line(text: str, line: str, said: str) -> None:
    with pytest.raises(RecordError, match=said) as caught:
        record.load(text)
    assert caught.value.where == line


ENDED = [
    ("seat 1 resigned", "resigned, seat 2 wins"),
    ("seat 2 out of time", "out of time, seat 1 wins"),
    ("draw agreed", "draw agreed, nobody wins"),
    ("seat 2 did not appear", "did not appear, seat 1 wins"),
    ("seats 1, 2 did not appear", "did not appear, nobody wins"),
]


@pytest.mark.parametrize(("ended", "result"), ENDED)
def test_an_end_that_people_made_stands_in_the_header_and_decides_the_result(ended: str, result: str) -> None:
    text = damaged("result: unfinished\n", f"result: {result}\nended: {ended}\n")
    match, names = record.load(text)
    assert record.dump(match, names) == text and match.actor == OVER and match.outcome is not None
    with pytest.raises(BridgeheadError, match="the game is over"):
        match.play(match.position.legal[0])
    assert match.undo_point() is None and match.deal(SeededDealer(1)) == 0
    again = match.fork(2)
    assert again.outcome is None and again.play(again.position.legal[0])
    with pytest.raises(RecordError, match=f"but the moves give '{result}'") as caught:
        record.load(text.replace(f"result: {result}", "result: unfinished"))
    assert caught.value.where == "line 6"


@pytest.mark.parametrize(
    ("ended", "said"),
    [
        ("seat 3 resigned", "no seat 3"), ("seat 0 resigned", "not an end"), ("seat 1 lost", "not an end"), ("", "not an end"),
        ("seat 1 draw agreed", "not an end"), ("draw agreed.", "not an end"), ("SEAT 1 resigned", "not an end"),
        ("seats 1, 3 did not appear", "no seat 3"), ("seats 2, 1 did not appear", "not an end"),
        ("seats 1 did not appear", "not an end"), ("seats 1, 2 resigned", "not an end"),
        ("seats 1, 1 did not appear", "not an end"),
    ],
)  # fmt: skip
def test_an_end_that_nobody_can_make_is_refused_with_its_line(ended: str, said: str) -> None:
    with pytest.raises(RecordError, match=said) as caught:
        record.load(damaged("result: unfinished\n", f"result: unfinished\nended: {ended}\n"))
    assert caught.value.where == "line 7"


def test_nobody_ends_a_game_that_is_over_or_has_three_sides() -> None:
    game = registry.game("forty_bridges")
    match = Match(game, start=game.load("d5,a1 c1,D4 a 20 0 - - -"))
    match.play("d5-e5")
    text = record.dump(match).replace("result:", "ended: seat 1 resigned\nresult:")
    with pytest.raises(RecordError, match="over already"):
        record.load(text)
    three = record.dump(Match(registry.game("barricade", seats=3))).replace("\n\n", "\nended: draw agreed\n\n")
    with pytest.raises(RecordError, match="two sides"):
        record.load(three)
    team = Match(registry.game("barricade", seats=3, teams="0,2/1"))
    team.end(Ending(RESIGNED, 1))
    assert team.outcome is not None and team.outcome.winners == (0, 2) and team.outcome.returns == (1.0, -1.0, 1.0)
    assert record.load(record.dump(team))[0].outcome == team.outcome


def test_seats_that_did_not_appear_lose_among_any_number_of_sides() -> None:
    for absent, winners, returns in (
        ((1,), (0, 2), (1.0, -1.0, 1.0)), ((0, 2), (1,), (-1.0, 1.0, -1.0)), ((0, 1, 2), (), (-1.0, -1.0, -1.0)),
    ):  # fmt: skip
        match = Match(registry.game("barricade", seats=3))
        match.end(Ending(ABSENT, absent[0], absent[1:]))
        assert match.outcome is not None and (match.outcome.winners, match.outcome.returns) == (winners, returns)
        again, names = record.load(record.dump(match))
        assert again.outcome == match.outcome and record.dump(again, names) == record.dump(match)
        assert link.unpack(link.pack(match, names))[0].outcome == match.outcome
    team = Match(registry.game("barricade", seats=3, teams="0,2/1"))
    team.end(Ending(ABSENT, 0))
    assert team.outcome is not None and team.outcome.winners == (1,), "a side plays with all its seats"


def test_a_record_that_is_too_long_is_refused_before_it_is_read() -> None:
    with pytest.raises(RecordError, match="longer than"):
        record.load(RECORD + " " * record.LONGEST)


def test_a_note_with_phrases_within_phrases_without_end_stays_a_text() -> None:
    text = record.dump(Match(registry.game("forty_bridges")))
    for depth, is_kept in ((5, True), (6, False), (300, False), (5_000, False)):
        nested = '["mark.x", {"who": ' * depth + '"Ada"' + "}]" * depth
        ((_, kept), *_) = record.load(f"{text}# somebody sat down\n# {nested}\n")[0].notes
        assert kept == "somebody sat down" and (getattr(kept, "phrase", None) is not None) == is_kept, depth


ENDS = ["\n", "\r\n", "\r", "\r\r\n", "\n\n", "\r\n\r\n", "\n \n", "\n\t\n"]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("before", ["", "\ufeff", "\n", "\ufeff\r\n \r\n"])
def test_every_line_end_and_harmless_white_space_is_read(end: str, before: str) -> None:
    match = Match(registry.game("forty_bridges"))
    for _ in range(5):
        match.play(match.position.legal[0])
    text = record.dump(match, ["Ada", "Ben"])
    indented = "\n".join(f"  {line} " if line and not line.startswith("bridgehead") else line for line in text.split("\n"))
    for written in (text, indented):
        found, names = record.load(before + written.replace("\n", end))
        assert (found.actions, names) == (match.actions, ["Ada", "Ben"])


@pytest.mark.parametrize("mark", [chr(code) for code in range(0x110000) if len(f"a{chr(code)}b".splitlines()) == 2])
def test_a_name_with_a_line_end_of_any_kind_is_read_as_it_was_written(mark: str) -> None:
    match = Match(registry.game("forty_bridges"))
    assert record.load(record.dump(match, [f"a{mark}b", "Ben"]))[1] == [f"a{mark}b", "Ben"]
