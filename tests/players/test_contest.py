"""Contests are fair, repeatable and resumable; what is learned from games is what they show."""

import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, OptionError, RecordError
from bridgehead.core.position import Position
from bridgehead.players import process_pool
from bridgehead.players.search import Search
from bridgehead.players.thoughts import Budget
from bridgehead.workshop.arena import search_players
from bridgehead.workshop.arena.contest import Contest, ContestGame, ContestSetting, play, score, seatings
from bridgehead.workshop.arena.search_players import make_entrant
from bridgehead.workshop.learning import training
from bridgehead.workshop.learning.training import Lesson
from processes import children, wait_until_gone
from waiting import wait_for

pytestmark = pytest.mark.wide
DUEL = ContestSetting("forty_bridges", '{"quietLimit": 30}', 1, ("greedy", "random"))
PAIR = ("greedy", "random")


def test_every_side_is_taken_in_turn() -> None:
    assert seatings(registry.game("forty_bridges"), PAIR) == [("greedy", "random"), ("random", "greedy")]
    assert seatings(registry.game("front_lines"), PAIR) == [("greedy",) * 2 + ("random",) * 2, ("random",) * 2 + ("greedy",) * 2]
    three = seatings(registry.game("burning_bridges", seats=3), PAIR)
    assert [each.count("greedy") for each in three] == [1, 1, 1, 2, 2, 2] and len(set(three)) == 6
    assert seatings(registry.game("burning_bridges", seats=3), PAIR, alone=True) == three[:3]


def test_games_of_a_set_share_opening_and_chance_and_are_repeatable() -> None:
    dice = ContestSetting("barricade", '{"board": "mini", "seats": 2}', 3, PAIR)
    assert play(dice, 0, PAIR) == play(dice, 0, PAIR) != play(dice, 1, PAIR)
    mirror = [play(DUEL, 5, ("random", "random")), play(DUEL, 5, ("random", "random"))]
    assert mirror[0] == mirror[1]


def test_a_contest_stopped_anywhere_and_gone_on_with_is_the_same(tmp_path: Path) -> None:
    whole = Contest(DUEL, workers=1)
    assert len(list(whole.run([PAIR], 4))) == 4
    file = tmp_path / "results"
    for _ in zip(Contest(DUEL, file, workers=1).run([PAIR], 4), range(2), strict=False):
        pass
    file.write_text(file.read_text("utf-8") + '{"pair": ["gree', "utf-8")
    again = Contest(DUEL, file, workers=2)
    kept = len(again.played)
    assert kept in (2, 3)
    assert len(list(again.run([PAIR], 4))) == 4 - kept
    assert again.sets(PAIR) == whole.sets(PAIR)
    assert Contest(DUEL, file).sets(PAIR) == whole.sets(PAIR)


def test_one_alone_plays_no_mirror_and_its_results_are_kept_apart(tmp_path: Path) -> None:
    three, file = ContestSetting("burning_bridges", '{"seats": 3, "roundLimit": 2}', 1, PAIR), tmp_path / "results"
    made = Contest(three, file, workers=1, alone=True)
    list(made.run([PAIR], 1))
    assert [game.seats.index("greedy") for game in made.sets(PAIR)[0]] == [0, 1, 2]
    assert Contest(three, file, alone=True).sets(PAIR) == made.sets(PAIR)
    with pytest.raises(RecordError, match="another contest"):
        Contest(three, file)


def test_results_of_another_contest_or_of_none_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "results"
    list(Contest(DUEL, file, workers=1).run([PAIR], 1))
    with pytest.raises(RecordError, match="another contest"):
        Contest(DUEL._replace(seed=2), file)
    file.write_text(file.read_text("utf-8") + "nonsense\n{}\n", "utf-8")
    with pytest.raises(RecordError, match="line 3"):
        Contest(DUEL, file)


def test_results_that_ended_anywhere_are_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "results"
    list(Contest(DUEL, file, workers=1).run([PAIR], 2))
    whole = file.read_bytes()
    head, first, _ = whole.splitlines(keepends=True)
    for kept in (b"", head[:40], head[:-1], head, whole[:-1], head + first + b'{"pair": ["greedy", "random"], "set": null'):
        file.write_bytes(kept)
        list(Contest(DUEL, file, workers=1).run([PAIR], 2))
        assert file.read_bytes() == whole


@pytest.mark.parametrize("wrong", ['{"pair": ["greedy", "random"], "set": null, "games": []}', "\xff"])
def test_what_is_no_result_is_refused_by_name(tmp_path: Path, wrong: str) -> None:
    file = tmp_path / "results"
    Contest(DUEL, file)
    file.write_bytes(file.read_bytes() + (wrong + "\n{}\n").encode("latin-1"))
    with pytest.raises(RecordError, match="results"):
        Contest(DUEL, file)


def test_who_stops_asking_does_not_wait_for_what_is_worked_on(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    asked = process_pool.answers(_wait_for, [None, gate, gate, gate, gate], 2)
    assert next(asked) == (None, True)
    closing = threading.Thread(target=asked.close, daemon=True)
    closing.start()
    closing.join(30)
    waited = closing.is_alive()
    gate.touch()
    assert not waited


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="this system has no masks of signals")
def test_ctrl_c_does_not_reach_a_process_even_while_it_starts() -> None:
    with process_pool.working(1) as pool:
        assert signal.SIGINT in pool.submit(_list_blocked_signals).result()
    assert signal.SIGINT not in _list_blocked_signals(), "it still ends the command"


def _list_blocked_signals() -> set[int]:
    return set(signal.pthread_sigmask(signal.SIG_BLOCK, []))


def _wait_for(gate: Path | None) -> bool:
    while gate is not None and not gate.exists():
        time.sleep(0.01)
    return True


def test_a_search_has_room_for_as_many_nodes_as_there_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(Search, "__init__", lambda self, **given: made.append(given["nodes"]))
    monkeypatch.setattr(Search, "choose", lambda *given: 0)
    position = registry.game("forty_bridges").start()
    for name in ("search:1000", "search:99999999999", "reply:99999999999"):
        make_entrant(name, 1).choose(position)
    assert made == [200_000, search_players.MOST, search_players.MOST]


def test_results_of_other_weights_in_the_same_file_are_refused(tmp_path: Path) -> None:
    weights, results = tmp_path / "weights.json", tmp_path / "results"
    weights.write_text('{"weights": {}}', "utf-8")
    setting = DUEL._replace(entrants=(f"deep:1:{weights}", "random"))
    Contest(setting, results)
    Contest(setting, results)
    weights.write_text('{"weights": {"steps": 1}}', "utf-8")
    with pytest.raises(RecordError, match="another contest"):
        Contest(setting, results)
    weights.unlink()
    for kind in ("search", "deep", "turn"):
        with pytest.raises(OptionError, match="no such file"):
            Contest(DUEL._replace(entrants=(f"{kind}:1:{weights}", "random")))


def test_shares_count_wins_and_half_of_what_nobody_won() -> None:
    two, three = registry.game("forty_bridges"), registry.game("burning_bridges", seats=3)
    games = [ContestGame(0, ("a", "b"), (1.0, -1.0), "", 9), ContestGame(0, ("b", "a"), (0.0, 0.0), "", 9)]
    assert score(games, "a", two) == 0.75 and score(games, "b", two) == 0.25
    many = [ContestGame(0, ("a", "b", "b"), (1.0, -1.0, -1.0), "", 9), ContestGame(0, ("b", "a", "b"), (1.0, -1.0, -1.0), "", 9)]
    many += [ContestGame(0, ("b", "a", "a"), (1.0, -1.0, -1.0), "", 9)]
    assert score(many, "a", three) == 0.5, "only where a is alone against the others"
    with pytest.raises(BridgeheadError, match="did not play"):
        score(games, "c", two)


@pytest.mark.parametrize("name", ["nobody", "search", "search:0", "search:x", "answered:0", "deep:", "search:5:weights.json"])
def test_players_that_do_not_exist_are_named(name: str) -> None:
    with pytest.raises(OptionError):
        make_entrant(name, 1)


def test_a_search_in_a_contest_is_set_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[bool | None, bool | None]] = []

    def choose(search: Search, position: Position, budget: Budget) -> int:
        asked.append((search.answered, search.expects))
        return position.legal[0]

    monkeypatch.setattr(Search, "choose", choose)
    position = registry.game("forty_bridges").start()
    for name in ("search:9", "answered:9", "reply:9"):
        make_entrant(name, 1).choose(position)
    assert asked == [(None, None), (True, None), (True, True)]


def test_weights_are_found_that_made_the_results() -> None:
    lot = np.random.default_rng(1)
    truth = np.array([4.0, -7.0, 0.0])
    counts = np.zeros((40_000, 2, 3))
    counts[:, 0] = lot.normal(size=(40_000, 3)) * (1.0, 2.0, 5.0)
    won = lot.random(40_000) < 1 / (1 + np.exp(-counts[:, 0] @ truth / training.SCALE))
    found, loss = training.fit(counts, np.stack([won, ~won], axis=1).astype(float))
    assert found == pytest.approx(truth, abs=0.4) and loss < 0.6


def test_weights_are_found_again_among_five_seats() -> None:
    lot = np.random.default_rng(2)
    truth = np.array([4.0, -7.0, 0.0])
    counts = lot.normal(size=(20_000, 5, 3)) * (1.0, 2.0, 5.0)
    luck = lot.gumbel(size=(20_000, 5))  # the highest standing with it wins as often as conditional logit says
    winners = (counts @ truth / training.SCALE + luck).argmax(axis=1)
    found, loss = training.fit(counts, np.eye(5)[winners])
    assert found == pytest.approx(truth, abs=0.4) and loss < 1.3


def test_a_lesson_is_repeatable_and_its_weights_are_of_every_feature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lesson = Lesson(ContestSetting("forty_bridges", '{"quietLimit": 30}', 1, ("random",)), "random", 8)
    found = training.learn(lesson)
    assert found == training.learn(lesson) and found.games == 8 and found.positions > 30 and found.loss < found.blind
    training.save(found.weights, None, tmp_path / "weights.json")
    told = json.loads((tmp_path / "weights.json").read_text("utf-8"))
    assert set(told["weights"]) == set(registry.spec("forty_bridges").evaluate.FEATURES)
    monkeypatch.delattr(registry.spec("forty_bridges").evaluate, "FEATURES")
    with pytest.raises(BridgeheadError, match="no weights"):
        training.learn(lesson)


@pytest.mark.skipif(not Path("/proc").exists(), reason="reads /proc")
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_no_worker_plays_on_after_a_contest_that_was_killed(tmp_path: Path, sent: int) -> None:
    words = "arena", "forty_bridges", "deep:20000000", "deep:20000001", "--sets", "4", "--out", str(tmp_path / "results")
    contest = subprocess.Popen([sys.executable, "-m", "bridgehead.cli", *words], stderr=subprocess.DEVNULL)
    wait_for(lambda: len(children(contest.pid)) >= 2 or contest.poll() is not None)
    assert len(workers := children(contest.pid)) >= 2
    contest.send_signal(sent)
    contest.wait()
    wait_until_gone(workers)
