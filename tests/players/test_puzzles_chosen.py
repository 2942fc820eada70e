"""The puzzles that the games come with: no answer too often, no near duplicates, thirds by strength, ideas, names."""

import string
from collections import Counter
from pathlib import Path

import msgspec
import pytest

from bridgehead.core import registry
from bridgehead.core.spec import Spec
from bridgehead.players.puzzles import IDEAS, NUMBERED, Followup, Puzzle, find_puzzle, pose_puzzle, puzzles
from bridgehead.workshop.puzzles import choosing, opinions
from bridgehead.workshop.puzzles.ideas import STANDS_FOR
from bridgehead.workshop.puzzles.likeness import are_alike, find_pattern, frames, see_from_all_sides

SPECS = [spec for spec in registry.specs().values() if puzzles(spec)]
each_game = pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)


@each_game
def test_half_have_a_line_no_answer_is_too_frequent_no_two_are_alike_and_each_third_is_for_other_levels(spec: Spec) -> None:
    found = puzzles(spec)
    traits = choosing.find_traits(spec, found)
    answers = Counter(each.pattern for each in traits.values())
    assert max(answers.values()) <= choosing.MOST * len(found)
    assert not any(each.alike for each in traits.values())
    assert set(Counter(each.part for each in traits.values()).values()) == {len(found) // 3}
    assert len(found) >= choosing.LEAST and choosing.find_share(found) >= choosing.HALF
    assert choosing.choose(spec, reversed(found)) == sorted(found, key=lambda each: (each.grade, each.name))


@each_game
def test_every_puzzle_has_a_name_an_idea_rules_and_a_second_best_action(spec: Spec) -> None:
    found = puzzles(spec)
    assert len({each.name for each in found}) == len(found)
    assert all(len(each.name) == 6 and {*each.name} <= {*string.ascii_lowercase} for each in found)
    for each in found:
        _, position, action = pose_puzzle(spec, each)
        assert each.ideas and each.ideas == [idea for idea in IDEAS if idea in each.ideas]
        assert ("recommended" if each.options else "original") in each.rules
        for name in each.rival[:1]:
            rival = position.read(name)
            assert rival != action and rival in position.legal
            for reply in each.rival[1:]:
                assert position.play(rival).read(reply) in position.play(rival).legal
    assert sum(bool(each.rival) for each in found) >= 0.9 * len(found)


@each_game
def test_the_document_of_players_counts_the_puzzles_of_today(spec: Spec) -> None:
    found = puzzles(spec)
    by = [sum(each.rules == rules for each in found) for rules in (["original"], ["recommended"], ["original", "recommended"])]
    counts = [len(found), sum(bool(each.line) for each in found), sum(len(each.line) > 1 for each in found)]
    row = [spec.title, *counts, sum(bool(each.number) for each in found), ", ".join(map(str, by))]
    text = (Path(__file__).parents[2] / "docs" / "understand" / "players.md").read_text("utf-8")
    assert f"| {' | '.join(map(str, row))} |" in text


@each_game
def test_an_old_number_leads_to_its_puzzle_or_to_the_next(spec: Spec) -> None:
    numbers = sorted(each.number for each in puzzles(spec) if each.number)
    for number in (1, *numbers[:3], numbers[-1], NUMBERED):
        found = find_puzzle(spec, str(number))
        assert found is not None and found.is_next == (number not in numbers)
        assert found.puzzle.number == next((each for each in numbers if each >= number), numbers[0])
        assert puzzles(spec)[found.place - 1] is found.puzzle
    assert all(
        find_puzzle(spec, asked) is None
        for asked in ("0", str(NUMBERED + 1), "x", "", "-1", "9" * 50, "0" * 9 + "1" * 5000, "0000000051234567")
    )
    assert find_puzzle(spec, "00000000017") == find_puzzle(spec, "17")


def test_a_name_follows_from_what_the_puzzle_asks_and_from_nothing_else() -> None:
    puzzle = Puzzle("a1 b1 a 0", "a1-a2", "best", 0.8, 0.4, 3)
    change = msgspec.structs.replace
    assert puzzle.name == "qmcsvt"
    assert puzzle.name == change(puzzle, grade=5, chance=0.9, number=7, ideas=["race"], rules=["original"]).name
    others = [change(puzzle, position="b"), change(puzzle, best="a1-b1"), change(puzzle, options={"lives": 6})]
    assert len({puzzle.name, *(each.name for each in others)}) == 4


def test_a_board_is_seen_from_all_its_sides() -> None:
    sizes = {spec.id: [len(frames(pose_puzzle(spec, puzzles(spec)[0]).position.game, seat)) for seat in (0, 1)] for spec in SPECS}
    assert sizes["forty_bridges"] == [2, 2] and sizes["burning_bridges"] == [2, 2] and sizes["barricade"] == [1, 1]


def test_a_puzzle_turned_by_half_is_the_same_and_another_is_not() -> None:
    game = registry.game("forty_bridges")
    one, turned, other = map(
        game.load, ("a1,b2,c3 d5,e4 a 30 0 - - -", "a2,b1 c3,d4,e5 b 31 0 - - -", "a1,b3,d3 d5,e4 a 30 0 - - -")
    )
    assert are_alike(see_from_all_sides(one), see_from_all_sides(turned))
    assert not are_alike(see_from_all_sides(one), see_from_all_sides(other))
    assert find_pattern(one, one.read("b2-b1")) == find_pattern(turned, turned.read("d4-d5"))
    assert find_pattern(one, one.read("b2-b1")) == find_pattern(one, one.read("b2-a2"))
    assert find_pattern(one, one.read("c3-c4")) != find_pattern(one, one.read("b2-b1"))


def test_the_choice_leaves_out_duplicates_and_keeps_to_the_share(monkeypatch: pytest.MonkeyPatch) -> None:
    def puzzle(number: int, grade: int) -> Puzzle:
        return Puzzle(str(number), "x", "best", 0.8, 0.4, grade, ideas=["race"])

    pool = [puzzle(number, (1, 3, 5)[number % 3]) for number in range(60)]
    names = [each.name for each in pool]
    traits = {
        name: choosing.Traits("often" if number < 30 else name, number % 3, {names[57]} if number == 54 else set())
        for number, name in enumerate(names)
    }
    traits[names[57]].alike.add(names[54])
    monkeypatch.setattr(choosing, "find_traits", lambda *_: traits)
    found = choosing.choose(SPECS[0], pool)
    often = sum(traits[each.name].pattern == "often" for each in found)
    assert len(found) == 30 and 0 < often <= 0.08 * len(found)
    assert not {names[54], names[57]} <= {each.name for each in found}
    assert found == choosing.choose(SPECS[0], pool[::-1])


def test_the_choice_prefers_puzzles_with_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [[], [Followup("y", 0.8, 0.4)]]
    pool = [
        Puzzle(str(number), "x", "best", 0.8, 0.4, (1, 3, 5)[number % 3], ideas=["race"], line=lines[number // 3 % 2])
        for number in range(60)
    ]
    alike = {each.name: {other.name for other in pool if other.grade == each.grade} - {each.name} for each in pool}
    traits = {each.name: choosing.Traits(each.name, (1, 3, 5).index(each.grade), alike[each.name]) for each in pool}
    monkeypatch.setattr(choosing, "find_traits", lambda *_: traits)
    monkeypatch.setattr(choosing, "MOST", 1)
    found = choosing.choose(SPECS[0], pool)
    assert len(found) == 3 and all(each.line for each in found)


@pytest.mark.parametrize(("lined", "chosen"), [(60, 120), (18, 60), (180, 180)])
def test_the_choice_leaves_out_puzzles_without_a_line_until_half_have_one_but_no_more_than_leave_a_set(
    lined: int, chosen: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = [Followup("y", 0.8, 0.4)]
    pool = [
        Puzzle(str(number), "x", "best", 0.8, 0.4, (1, 3, 5)[number % 3], ideas=["race"], line=line if number < lined else [])
        for number in range(180)
    ]
    traits = {each.name: choosing.Traits(each.name, (1, 3, 5).index(each.grade), set()) for each in pool}
    monkeypatch.setattr(choosing, "find_traits", lambda *_: traits)
    found = choosing.choose(SPECS[0], pool)
    assert (len(found), sum(bool(each.line) for each in found)) == (chosen, lined)


def test_a_line_whose_first_action_has_no_idea_has_that_of_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = registry.spec("barricade")
    puzzle = next(each for each in puzzles(spec) if each.line)
    monkeypatch.setattr(opinions, "propose_solution", lambda *_: opinions.Opinion(opinions.NONE, 0.5, 0.5, opinions.NONE))
    for said, ideas in ((["race"], ["race"]), ([], ["block"])):
        left = iter((said, ["block"]))
        monkeypatch.setattr(choosing, "name_ideas", lambda *_, left=left: next(left))
        assert choosing.tag(spec, puzzle).ideas == ideas


def test_each_idea_of_a_game_stands_for_a_change_that_the_game_has_words_for() -> None:
    for spec in SPECS:
        words = (Path(spec.folder) / "languages" / "en.toml").read_text("utf-8")
        assert STANDS_FOR[spec.id] and all(f'"effect.{change}"' in words for change in STANDS_FOR[spec.id])
