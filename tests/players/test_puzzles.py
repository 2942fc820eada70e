"""Puzzles: those that come with the games are legal and graded, and a fresh search agrees with them."""

import itertools
import os
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from bridgehead.core import registry
from bridgehead.core.errors import RecordError
from bridgehead.core.game import Game, Position
from bridgehead.core.spec import Spec
from bridgehead.players.levels import NAMES
from bridgehead.players.puzzles import Puzzle, format_puzzle, pose_puzzle, puzzles, read, unfold_line
from bridgehead.players.thoughts import Clock
from bridgehead.workshop.commands import puzzles as commands
from bridgehead.workshop.puzzles import lines, opinions, searching

SPECS = [spec for spec in registry.specs().values() if puzzles(spec)]


def test_all_four_games_have_puzzles() -> None:
    assert {spec.id for spec in SPECS} == {"barricade", "burning_bridges", "forty_bridges", "front_lines"}


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_every_puzzle_is_legal_one_of_a_kind_and_has_something_to_find(spec: Spec) -> None:
    found = puzzles(spec)
    assert len({each.position for each in found}) == len(found)
    assert [each.grade for each in found] == sorted(each.grade for each in found)
    for each in found:
        _, position, action = pose_puzzle(spec, each)
        assert position.actor >= 0 and action in position.legal and len(position.legal) >= searching.SLIGHT
        assert each.chance - each.other >= opinions.MARGIN * opinions.even(position.game) - 0.001
        assert (each.kind == "win") == (each.chance >= opinions.WON) and 0 < each.grade <= len(NAMES)
        if each.kind == "hold":
            assert each.other <= opinions.LOST * opinions.even(position.game) + 0.001


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_each_action_of_a_line_is_clearly_best_and_only_others_act_between(spec: Spec) -> None:
    for each in puzzles(spec):
        _, position, _ = posed = pose_puzzle(spec, each)
        for stage in unfold_line(posed)[1:]:
            assert stage.position.actor == position.actor and stage.action in stage.position.legal
            assert len(stage.position.legal) >= lines.CHOICES
            assert stage.asked.chance - stage.asked.other >= opinions.MARGIN * opinions.even(position.game) - 0.001
            actors = [at.actor for at in stage.replies.positions][:-1]
            assert position.actor not in actors and len(actors) == len(stage.replies.log) <= lines.REPLIES


def judge_as(monkeypatch: pytest.MonkeyPatch, confirmed: int, chance: float = 0.6) -> None:
    """Let every search find the first legal action best, and the independent one confirm so many actions."""
    said = (opinions.Opinion(-1, chance + each / 100, 0.2 + each / 100, opinions.NONE) for each in itertools.cycle((0, 1)))
    left = iter([True] * confirmed)

    def judge(position: Position, effort: int, seed: str) -> opinions.Opinion:
        assert effort == opinions.SURE
        return next(said)._replace(action=position.legal[0])

    monkeypatch.setattr(lines, "judge_position", judge)
    monkeypatch.setattr(lines, "is_confirmed", lambda *_: next(left, False))


def test_a_line_goes_on_while_two_searches_see_one_best_action_and_another_confirms_it(monkeypatch: pytest.MonkeyPatch) -> None:
    start = registry.game("forty_bridges").start()
    found = {}
    for confirmed in range(5):
        judge_as(monkeypatch, confirmed)
        found[confirmed] = lines.find_line(start, start.legal[0], "x")
    assert [len(each) for each in found.values()] == [0, 0, 1, 2, 2]
    first = found[2][0]
    assert (first.chance, first.other, len(first.replies)) == (0.6, 0.21, 1)  # of two searches, what is less in favour
    after = start.play(start.legal[0])
    assert first.replies == [after.name(after.legal[0])]
    judge_as(monkeypatch, 5, chance=0.3)
    assert not lines.find_line(start, start.legal[0], "x")


def test_a_line_of_one_turn_has_no_replies_and_none_goes_past_a_die(monkeypatch: pytest.MonkeyPatch) -> None:
    judge_as(monkeypatch, 9)
    spec = registry.spec("burning_bridges")
    _, position, action = pose_puzzle(spec, next(each for each in puzzles(spec) if each.line))
    first = lines.find_line(position, action, "x")[0]
    after = position.play(action)
    assert not first.replies and first.best == after.name(after.legal[0])
    rolled = registry.game("barricade").start()
    while rolled.is_chance:
        rolled = rolled.play(rolled.legal[0])
    while not rolled.play(rolled.legal[0]).is_chance:
        rolled = rolled.play(rolled.legal[0])
    assert not lines.find_line(rolled, rolled.legal[0], "x")


def test_where_a_line_is_wanted_every_roll_is_looked_at_that_can_leave_a_second_action(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Position] = []

    def promise(position: Position, seed: str, missed_by: int, needs_line: bool) -> bool:
        asked.append(position)
        return False

    monkeypatch.setattr(searching, "player", lambda *_: SimpleNamespace(choose=lambda position: position.legal[-1]))
    monkeypatch.setattr(searching, "is_promising", promise)
    monkeypatch.setattr(searching, "LONGEST", 60)
    game = registry.game("barricade")
    assert not list(searching.candidates(game, "7"))
    plain, asked[:] = len(asked), []
    assert not list(searching.candidates(game, "7", needs_line=True))
    assert len(asked) > plain and all(lines.may_go_on(each) for each in asked)
    assert len({each.text for each in asked}) > 60


def test_a_line_is_promised_where_a_quick_search_sees_a_second_best_action(monkeypatch: pytest.MonkeyPatch) -> None:
    start = registry.game("forty_bridges").start()
    monkeypatch.setattr(lines, "consider_actions", lambda position, *_: SimpleNamespace(action=position.legal[0]))
    for ahead, promised in ((0.06, False), (0.07, True)):
        opinion = opinions.Opinion(start.legal[0], 0.5 + ahead, 0.5, opinions.NONE)
        monkeypatch.setattr(lines, "propose_solution", lambda *_, opinion=opinion: opinion)
        assert lines.promises_line(start, start.legal[0], "x") == promised
    rolled = registry.game("barricade").start()
    while rolled.is_chance or not rolled.play(rolled.legal[0]).is_chance:
        rolled = rolled.play(rolled.legal[0])
    assert not lines.promises_line(rolled, rolled.legal[0], "x")  # a die comes


def test_another_run_goes_on_with_the_pool_and_with_the_next_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def search(game: Game, seed: str, known: Collection[str], missed_by: int, needs_line: bool) -> Iterator[Puzzle]:
        asked.append(f"{seed} {missed_by} {needs_line}")
        yield Puzzle(f"{seed} {len(known)}", "x", "best", 0.8, 0.4, 3)
        if seed == "7:2":
            raise KeyboardInterrupt

    monkeypatch.setattr(searching, "search", search)
    monkeypatch.setattr("bridgehead.core.jit.find_cache", lambda: tmp_path)
    monkeypatch.setattr(commands, "find_cache", lambda: tmp_path)
    game = registry.game("barricade")
    pool = commands.find_pool(game.spec, None)
    assert pool == tmp_path / "puzzles" / "barricade.txt" and commands.find_pool(game.spec, tmp_path / "x") == tmp_path / "x"
    commands.find_puzzles(game, pool, 2, 7, 0, True, "en")
    commands.find_puzzles(game, pool, 9, 7, 0, True, "en")  # stopped in the third game, which is not done
    commands.find_puzzles(game, pool, 4, 7, 0, True, "en")
    commands.find_puzzles(game, pool, 5, 7, 4, True, "en")  # another wish begins with the first game
    assert asked == ["7:0 0 True", "7:1 0 True", "7:2 0 True", "7:2 0 True", "7:0 4 True"]
    base = len(puzzles(game.spec))
    assert [each.position for each in read(pool)] == [
        f"{seed} {base + n}" for n, seed in enumerate(("7:0", "7:1", "7:2", "7:2", "7:0"))
    ]


def test_runs_of_two_wishes_at_once_keep_both_counts_and_a_pool_without_its_last_line_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pool, game, asked = tmp_path / "pool.txt", registry.game("barricade"), []
    pool.write_text(format_puzzle(puzzles(game.spec)[0]), "utf-8")

    def search(game: Game, seed: str, known: Collection[str], missed_by: int, needs_line: bool) -> Iterator[Puzzle]:
        asked.append(f"{seed} {missed_by}")
        if seed == "7:0" and not missed_by:  # meanwhile another run searches its first game
            commands.find_puzzles(game, pool, 2, 7, 4, False, "en")
        yield Puzzle(f"{seed} {missed_by}", "x", "best", 0.8, 0.4, 3)

    monkeypatch.setattr(searching, "search", search)
    commands.find_puzzles(game, pool, 2, 7, 0, False, "en")
    commands.find_puzzles(game, pool, 5, 7, 4, False, "en")
    commands.find_puzzles(game, pool, 6, 7, 0, False, "en")
    assert asked == ["7:0 0", "7:0 4", "7:1 4", "7:2 4", "7:1 0"]
    assert [each.position for each in read(pool)][1:] == ["7:0 4", "7:0 0", "7:1 4", "7:2 4", "7:1 0"]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["pool.games", "pool.txt"]


def test_files_of_a_pool_that_are_no_text_or_cut_off_are_refused_with_their_names(tmp_path: Path) -> None:
    pool, game = tmp_path / "pool.txt", registry.game("barricade")
    pool.write_bytes(b"\xff\xfe")
    with pytest.raises(RecordError, match="pool.txt:1"):
        commands.find_puzzles(game, pool, 1, 7, 0, False, "en")
    pool.unlink()
    (tmp_path / "pool.games").write_text('{"a', "utf-8")
    with pytest.raises(RecordError, match="pool.games"):
        commands.find_puzzles(game, pool, 1, 7, 0, False, "en")


COMPILED = """
import random, sys
from bridgehead.core import registry
from bridgehead.players.puzzles import pose_puzzle, puzzles, unfold_line
from bridgehead.workshop.puzzles import lines, opinions, searching
spec, agreed, asked = registry.spec(sys.argv[1]), 0, 0
known, drawn = puzzles(spec), random.Random(7)
for each in [*drawn.sample(known, 3), *drawn.sample([each for each in known if each.line], 2)]:
    for stage in unfold_line(pose_puzzle(spec, each)):
        found = opinions.judge_position(stage.position, opinions.SURE, "another seed")
        asked += 1
        agreed += found.action == stage.action and opinions.is_clear(found, stage.position.game)
        assert not each.line or lines.is_confirmed(stage.position, stage.action)
games = [[each.text for each in searching.candidates(registry.game(spec.id), "7:0")] for _ in range(2)]
print(asked, agreed, games[0] == games[1])
"""


@pytest.mark.long
@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.id)
def test_a_search_that_has_not_seen_a_puzzle_finds_the_same_action(spec: Spec) -> None:
    command = [sys.executable, "-c", COMPILED, spec.id]  # compiled: plain searches of this size take an hour
    ran = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "0"}, capture_output=True, text=True, check=True)
    asked, agreed, is_repeatable = ran.stdout.split()
    assert int(agreed) >= 0.8 * int(asked) and is_repeatable == "True"


def test_the_history_of_a_game_is_left_out_of_its_puzzles() -> None:
    game = registry.game("forty_bridges")
    position = game.load("b1,A1,A2,B2,c3,d3 e2,D2,c4,d4,C4,D4 a 82 0 - - -")
    for _ in range(4):
        position = position.play(next(action for action in position.legal if not position.play(action).is_over))
    fresh = searching.fresh(position)
    assert (
        fresh is not None and fresh.text.split()[4:7] == ["0", "-", "-"] and fresh.text.split()[:4] == position.text.split()[:4]
    )
    assert searching.fresh(game.start()) is not None


def test_a_damaged_file_is_refused_with_its_line(tmp_path: Path) -> None:
    file, good = tmp_path / "puzzles.txt", format_puzzle(Puzzle("x", "y", "win", 1.0, 0.5, 3))
    file.write_text(f"{good}\n{good[:20]}\n")
    with pytest.raises(RecordError, match=r"puzzles\.txt:2"):
        read(file)
    file.write_text(f"{good}\n")
    assert read(file) == [Puzzle("x", "y", "win", 1.0, 0.5, 3)]


def test_the_clock_of_a_search_may_be_asked_any_number_of_times() -> None:
    clock = Clock(None, 10**9, None)
    for _ in range(5000):  # each slice could be larger than the one before
        assert clock.slice() > 0
        clock.count(1)
    assert clock.made == 5000
