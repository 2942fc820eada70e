"""`bridgehead arena` and its neighbours, as a user mistypes them: one clear line each, and JSON that anybody can read."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridgehead.core import record as records
from bridgehead.core import registry
from bridgehead.core.match import Match
from bridgehead.workshop.commands import arenas
from command_line import run

pytestmark = pytest.mark.wide
ARENA = ("arena", "forty_bridges", "--rules", "quietLimit=20")


def test_files_that_cannot_be_used_are_each_named_in_one_line(tmp_path: Path) -> None:
    record, file, folder = tmp_path / "game.txt", tmp_path / "file", tmp_path / "folder"
    match = Match(registry.game("forty_bridges"))
    match.play(match.position.legal[0])
    record.write_text(records.dump(match, ["Ada", "Ben"]), "utf-8")
    file.write_text("x", "utf-8")
    folder.mkdir()
    nowhere = tmp_path / "none" / "x"
    for words in (
        (*ARENA, "greedy", "random", "--out", nowhere),
        (*ARENA, "greedy", "random", "--out", folder),
        ("train", "forty_bridges", "--out", nowhere),
        ("train", "forty_bridges", "--out", folder),
        ("endgames", file, "--pieces", "2"),
        ("analyse", record, "--out", file),
    ):
        shown = run(*words)
        named = next(word for word in reversed(words) if isinstance(word, Path))
        assert shown.returncode == 2 and shown.stderr.startswith(f"bridgehead: {named}: "), (words, shown.stderr)
        assert shown.stderr.count("\n") == 1


def test_endgame_tables_are_checked_by_the_rules_that_have_some() -> None:
    shown = run("endgames", "verify", "--rules", "recommended", "--sample", "20")
    told = shown.stdout.splitlines()
    assert (
        shown.returncode == 0 and told[0].endswith("1-1  as published") and told[-1].startswith("20 entries") and len(told) == 7
    )
    refused = run("endgames", "verify", "--rules", "retreat=false")
    assert refused.returncode == 2 and "only the written rules and the recommended ones have endgame tables" in refused.stderr


def test_what_does_not_go_together_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "results"
    for words, wrong in (
        (("--out", out), "--out"),
        (("--sprt", "0,20"), "--sprt"),
        (("--levels", "--alone"), "--alone"),
        (("--levels", "greedy", "random"), "--levels"),
        (("greedy", "random", "--sprt", "nan,20"), "--sprt"),
        (("greedy", "random", "--sprt", "0,inf"), "--sprt"),
        (("greedy", "9"), "no level '9'"),
        (("wanderer", "1"), "different players"),
    ):
        shown = run(*ARENA, *words)
        assert shown.returncode == 2 and wrong in shown.stderr, (words, shown.stderr)
    assert not out.exists()


@pytest.mark.parametrize("words", [("random", "--games", "3"), ("arena", "--games", "4")])
@pytest.mark.parametrize("seed", [-1, 1 << 70])
def test_any_seed_will_do(words: tuple[str, ...], seed: int) -> None:
    shown = run(words[0], "forty_bridges", *words[1:], "--rules", "quietLimit=20", "--seed", seed, "--json")
    assert shown.returncode == 0 and json.loads(shown.stdout)["seed"] == seed


def test_what_does_not_fit_into_memory_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arenas, "compete", lambda *given: np.empty(1 << 50))
    shown = run("arena", "forty_bridges", "--games", 10**9)
    assert shown.returncode == 2 and shown.stderr.startswith("bridgehead: too much for the memory"), shown.stderr


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def test_what_nobody_lost_and_what_was_not_played_is_told_and_is_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    words = (*ARENA, "1", "random", "--sets", "1", "--out", tmp_path / "results")
    shown = run(*words, "--json")
    told = json.loads(shown.stdout, parse_constant=_no_number)["pairs"][0]
    assert told["players"] == ["wanderer", "random"] and told["games"] == 2 and len(told["elo"]) == 3 and None in told["elo"]
    assert "Elo" in run(*words).stdout

    def stopped(*given: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("bridgehead.workshop.arena.contest.play", stopped)
    shown = run(*ARENA, "greedy", "random", "--json")
    told = json.loads(shown.stdout, parse_constant=_no_number)["pairs"][0]
    assert shown.returncode == 0 and told["share"] is None and told["games"] == 0
    shown = run(*ARENA, "greedy", "random")
    assert "no game was played" in shown.stdout and "nan" not in shown.stdout and "stopped" in shown.stderr
