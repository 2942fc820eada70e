"""The measurements: every script starts, and what they count, compare and tell is right. Nothing here measures speed."""

import io
import subprocess
import sys
from pathlib import Path

import pytest

from bridgehead.core import registry
from bridgehead.players.levels import levels

BENCH = Path(__file__).parents[1] / "bench"
SCRIPTS = sorted(file.name for file in BENCH.glob("*.py") if "__main__" in file.read_text("utf-8"))
sys.path[:0] = [str(BENCH), str(BENCH / "workers")]

import loop  # noqa: E402

import all as together  # noqa: E402
import four  # noqa: E402
import shared  # noqa: E402
import start  # noqa: E402
import wasm  # noqa: E402
from shared import Middle, Missing, Played, Ratio, Result, Row  # noqa: E402

pytestmark = pytest.mark.wide


@pytest.mark.long
@pytest.mark.parametrize("script", SCRIPTS)
def test_every_script_tells_what_it_measures(script: str) -> None:
    done = subprocess.run([sys.executable, BENCH / script, "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "usage:" in done.stdout


def test_make_bench_runs_every_script_that_needs_no_gpu_and_no_servers() -> None:
    alone = {
        "all.py",
        "card.py",
        "cluster.py",
        "frames.py",
        "pages.py",
        "plain_alphabeta.py",
        "planted_faults.py",
        "site.py",
        "soak.py",
        "tune_peers.py",
    }
    alone |= {"tune_peers.py", "light.py", "wrong_answers.py"}  # light.py needs the modules (`make modules`)
    assert {*together.SCRIPTS, *together.TELLING} | alone >= set(SCRIPTS)
    assert "bench/all.py" in (BENCH.parent / "Makefile").read_text("utf-8")


def test_middle_is_the_median_and_the_range() -> None:
    assert shared.middle([5.0, 1.0, 2.0]) == Middle(2.0, 1.0, 5.0)
    assert shared.middle([4.0, 1.0]).median == 2.5


def test_a_ratio_is_taken_within_each_round() -> None:
    # A machine that was ten times slower in the last round leaves the ratio as it is.
    assert shared.ratio([20.0, 20.0, 2.0], [10.0, 10.0, 1.0]) == Middle(2.0, 2.0, 2.0)
    with pytest.raises(ValueError, match="shorter"):
        shared.ratio([1.0, 2.0], [1.0])


def test_rates_and_lengths_are_counted_over_what_was_played() -> None:
    rounds = [Played(decisions=60, games=3, seconds=2.0), Played(decisions=20, games=1, seconds=0.5)]
    assert shared.rates(rounds) == [30.0, 40.0]
    assert shared.mean_length(rounds) == 20.0


def test_a_target_is_reached_at_its_value_and_missed_below() -> None:
    verdicts = [Ratio("r", Middle(value, 0.0, 99.0), 12.0).verdict for value in (11.99, 12.0, 12.01)]
    assert verdicts == ["missed", "reached", "reached"]
    assert Ratio("r", Middle(1.0, 1.0, 1.0)).verdict == ""


def test_what_could_not_be_measured_is_told_and_fails() -> None:
    whole, part = Result("claim"), Result("claim", missing={"Pgx": "pip could not"})
    assert (whole.exit_code, part.exit_code, Result("claim", wrong=["another game"]).exit_code) == (0, 1, 1)
    assert "NOT MEASURED: Pgx: pip could not" in shared.text(part)
    assert Result("claim", ratios=[Ratio("r", Middle(1.0, 1.0, 1.0), 2.0)]).exit_code == 0  # a finding, not a failure


def test_a_result_comes_back_from_its_data() -> None:
    ratios = [Ratio("a / b", Middle(2.0, 1.0, 3.0), 5.0), Ratio("a / c", Middle(2.0, 1.0, 3.0))]
    result = Result("claim", [Row("a", Middle(2e6, 1e6, 3e6), "decisions/s", "note")], ratios, {"d": "why"}, ["wrong"])
    assert shared.from_data(shared.as_data(result)) == result


def test_numbers_are_told_with_their_size() -> None:
    told = [shared.amount(value, "decisions/s") for value in (38_200_000, 45_600)]
    assert told == ["38.2 M", "45.6 k"]
    assert shared.amount(0.5432, "s") == "0.543"
    assert shared.ratio_lines([Ratio("a / b", Middle(2412.0, 2400.0, 2420.0))])[0].endswith("2,412 times (2,400 to 2,420)")


def test_the_table_counts_targets_and_what_is_missing() -> None:
    good = shared.as_data(Result("good", ratios=[Ratio("r", Middle(2.0, 1.0, 3.0), 1.0), Ratio("s", Middle(2.0, 1.0, 3.0), 3.0)]))
    table = together.table([{"script": "bench/good.py", **good}, together.failed("bad.py", 3)])
    assert table.endswith("targets: 1 reached, 1 missed; 1 not measured or not comparable")
    assert "NOT MEASURED: bad.py: ended with 3" in table


def test_engines_whose_random_games_have_another_length_are_not_compared() -> None:
    assert four.different({"same": 21.3, "shorter": 15.0}, own=21.31) == [
        "shorter: a random game has 15.00 decisions, ours 21.31"
    ]


def test_the_comparison_divides_ours_by_theirs_and_sets_the_targets() -> None:
    played = {
        "ours": [Played(2130, 100, 1.0)] * 3,
        four.CPP: [Played(213, 10, 1.0)] * 3,
        four.TREE: [Played(150, 10, 1.0)] * 3,  # its games begin in the tree: not held against it
    }
    result = four.compare(played, {})
    assert [(ratio.value.median, ratio.target, ratio.verdict) for ratio in result.ratios] == [
        (10.0, 12.0, "missed"),
        (14.2, None, ""),
    ]
    assert result.wrong == []
    result = four.compare(played | {four.OWN_TREE: [Played(600, 40, 1.0)] * 3}, {})
    assert [(ratio.value.median, ratio.target, ratio.verdict) for ratio in result.ratios][2:] == [(4.0, 3.0, "reached")]
    assert len(result.ratios) == 3  # what our search plays is not held against our playouts


def test_our_search_counts_what_its_rollouts_play() -> None:
    import our_search

    searches = our_search.Searches(simulations=30, counted=200)
    decisions, simulations = searches()
    assert simulations == 30 and 15 < decisions / simulations < 24 and 0.9 < searches.depth() < 4


def test_peers_that_do_not_start_are_left_out_with_the_reason() -> None:
    def broken() -> shared.Worker:
        raise Missing("pip could not")

    assert four.start({"Pgx": broken}) == ({}, {"Pgx": "pip could not"})


def test_a_peer_that_cannot_be_installed_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "bench-chess" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("#!/bin/sh\necho 'no such package' >&2\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setattr(shared, "ENVIRONMENTS", tmp_path)
    with pytest.raises(Missing, match=r"could not install chess==.*: no such package"):
        shared.peer_python("chess")
    assert not (tmp_path / "bench-chess" / "installed.txt").exists()


def test_an_environment_is_made_anew_when_another_version_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = tmp_path / "bench-chess" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$@" >> "$0.said"\n')
    python.chmod(0o755)
    monkeypatch.setattr(shared, "ENVIRONMENTS", tmp_path)
    for wanted in ("chess==1", "chess==1", "chess==2"):
        monkeypatch.setattr(shared, "PEERS", {"chess": (wanted,)})
        assert shared.peer_python("chess") == python
    said = Path(f"{python}.said").read_text().splitlines()
    assert [line.split()[-1] for line in said] == ["chess==1", "chess==2"]


def test_a_worker_plays_for_as_long_as_each_line_says(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100))
    said = io.StringIO()
    monkeypatch.setattr(loop.time, "process_time", lambda: float(next(clock)))
    monkeypatch.setattr(sys, "stdin", io.StringIO("3\n1\n"))
    monkeypatch.setattr(sys, "stdout", said)
    loop.serve(lambda: (20, 2))
    assert said.getvalue().split("\n") == ["ready", "40 4 3.0", "0 0 1.0", ""]


def test_our_worker_counts_games_from_the_start_to_the_end() -> None:
    played = shared.alternate({"plain": shared.ours("connect_four", NUMBA_DISABLE_JIT="1")}, seconds=0.2, rounds=2)
    assert len(played["plain"]) == 2
    assert 15 < shared.mean_length(played["plain"]) < 28  # 21.3 on average; some hundred games
    assert all(round_.seconds >= 0.1 for round_ in played["plain"])


def test_a_worker_that_ends_early_says_why() -> None:
    with pytest.raises(Missing, match="no game 'chess'"):
        shared.ours("chess")


def test_a_process_is_measured_to_its_end() -> None:
    run = start.measure([sys.executable, "-c", "import time; time.sleep(0.2)"], {})
    assert run.seconds >= 0.2 > run.processor > 0
    assert run.megabytes > 1
    with pytest.raises(Missing, match="ended with 3"):
        start.measure([sys.executable, "-c", "import os, sys; sys.exit(int(os.environ['CODE']))"], {"CODE": "3"})


@pytest.mark.parametrize("game", wasm.GAMES)
def test_each_search_that_is_timed_as_webassembly_can_be_handed_to_a_module(game: str) -> None:
    tasks = wasm.tasks(registry.game(game))
    looks = {"UCT": "search", "alpha-beta": "deep", "expectimax": "turn"}
    assert {each.looks for each in levels(registry.spec(game)).values()} <= {"ahead", *(looks.get(task.name) for task in tasks)}
    for given in (call.given for task in tasks for call in task.calls):
        assert not any(isinstance(each, list | tuple) for each in given)  # a module takes numbers, records and arrays


def test_starting_is_compared_with_the_peers_that_are_there() -> None:
    def run(seconds: float) -> start.Run:
        return start.Run(seconds, seconds, 9999.0)

    rounds = [{"connect_four, empty": run(1.0), "connect_four, kept": run(0.5), "Pgx, empty": run(2.0), "Pgx, kept": run(0.25)}]
    result = start.compare(rounds, {"OpenSpiel": "why"})
    assert [(ratio.value.median, ratio.verdict) for ratio in result.ratios] == [(2.0, "reached"), (0.5, "missed")]
    assert result.rows[0].note.endswith("9999 MB")
