"""Long comparison of engines with their oracles, in several processes: `python tools/proof.py --plies 1000000`."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
CHUNK = 2_000  # plies of a process between two reports
LENGTHS = (60, 150, 150, 150, 400, 3_000)  # plies per match: most are short, some are played to their end


class Share(NamedTuple):
    """The result of one process for one piece of work."""

    plies: int
    matches: int
    told: Counter[str]
    ends: Counter[str]
    seconds: float
    wrong: str


def play(task: tuple[str, str, int, bool]) -> Share:
    """Compare at least this many plies of one game; stop at the first disagreement."""
    from test_rare import RUNS

    from versus import Disagreement, Fuzzed, drawn, fuzz

    name, seed, plies, explained = task
    matches: list[Fuzzed] = []
    began, wrong = time.process_time(), ""
    try:
        for match in fuzz(name, seed, plies, longest=LENGTHS, biased=RUNS[name], explained=explained):
            matches.append(match)
    except Disagreement as error:
        wrong = f"{error}\n(piece {seed}, match {len(matches)})"
    ends = Counter(match.reason or "cut" for match in matches)
    spent = time.process_time() - began
    return Share(sum(match.plies for match in matches), len(matches), drawn(matches), ends, spent, wrong)


def compare(name: str, plies: int, processes: int, seed: int, explained: bool) -> list[str]:
    """Compare one game with its oracle and print the progress; returns the disagreements."""
    pieces = [(name, f"{seed}-{number}", CHUNK, explained) for number in range(-(-plies // CHUNK))]
    whole = Share(0, 0, Counter(), Counter(), 0.0, "")
    wrong: list[str] = []
    began = reported = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(processes, initializer=prepare) as pool:
        for share in pool.imap_unordered(play, pieces):
            ends, drawn = whole.ends + share.ends, whole.told + share.told
            whole = Share(
                whole.plies + share.plies, whole.matches + share.matches, drawn, ends, whole.seconds + share.seconds, ""
            )
            if share.wrong:
                wrong.append(share.wrong)
                print(f"\nDISAGREEMENT\n{share.wrong}\n", flush=True)
            if time.monotonic() - reported > 10:
                reported = time.monotonic()
                print(
                    f"  {name}: {whole.plies:,} plies, {whole.plies / (reported - began):,.0f} per second",
                    file=sys.stderr,
                    flush=True,
                )
    print(report(name, whole, len(wrong), time.monotonic() - began), flush=True)
    return wrong


def report(name: str, whole: Share, wrong: int, seconds: float) -> str:
    """Plies, matches, options drawn, disagreements."""
    told = ", ".join(f"{value} {number}" for value, number in sorted(whole.told.items()))
    ends = ", ".join(f"{reason} {number}" for reason, number in whole.ends.most_common())
    rate = whole.plies / max(whole.seconds, 1e-9)
    return (
        f"{name}: {whole.plies:,} plies in {whole.matches:,} matches, {wrong} disagreements; "
        f"{seconds:,.0f} s, {rate:,.0f} plies a CPU second\n  ends: {ends}\n  house rules drawn: {told}"
    )


def prepare() -> None:
    """Start of a process in the pool: find the tests, and lower its priority."""
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "proof")]
    os.nice(5)


def main(args: Any) -> int:
    """Compare every requested game, one after the other."""
    os.environ["NUMBA_DISABLE_JIT"] = "1" if args.plain else "0"
    sys.path[:0] = [str(ROOT / "tests")]
    from bridgehead.core import registry

    games = [name.strip() for name in args.games.split(",")] if args.games else sorted(registry.specs())
    wrong = [text for name in games for text in compare(name, args.plies, args.processes, args.seed, args.explained)]
    return 1 if wrong else 0
