"""A short study of a game: what "Is this fair?" in the browser plays, piece by piece, in a process beside the server."""

from __future__ import annotations

import functools
import importlib.util
import time
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bridgehead.core.game import Game
from bridgehead.core.typed import ready
from bridgehead.lab import study
from bridgehead.lab.answers.answer import Light, Thresholds
from bridgehead.lab.duels import sizes as duel_sizes
from bridgehead.lab.executors import serially
from bridgehead.lab.plan import Arm, Duel, Plan, Strength, checked
from bridgehead.lab.running import Results

STRENGTHS = (("random", 300), ("greedy", 150), ("search:50", 25))
DUEL = Duel("search:50", "search:25", 4)
LIMITS = Thresholds(rungs=(1.0, 0.5))  # the ladder has one step
LOOKS, READINGS = 2, 10
NEEDED = ("scipy", "statsmodels", "matplotlib")  # the extra `lab`


class Far(NamedTuple):
    """How far a study is: games of all that were planned, whether some of everything is there, each question's light."""

    done: int
    of: int
    some: bool
    lights: list[tuple[int, Light]]


def installed() -> bool:
    """Whether studies can be made here."""
    return all(importlib.util.find_spec(name) for name in NEEDED)


def plan(game: Game) -> Plan:
    """What a short study plays. Errors: OptionError, BoardError."""
    arms = (Arm("as written" if not game.differences else "with these house rules", game.differences),)
    strengths = tuple(Strength(name, games) for name, games in STRENGTHS)
    return checked(Plan(game.spec.id, "", arms, strengths, (DUEL,), weighed=100, looks=LOOKS, readings=READINGS))


def forward(text: str, folder: str, seconds: float) -> Far:
    """Play on for some seconds, at least one part; where it stands. What is made is kept in the folder."""
    results, until = _results(text, folder), time.monotonic() + seconds
    for _ in results.run(serially):
        if time.monotonic() >= until:
            break
    return Far(results.done, results.wanted, not any(part.first == 0 for part in results.missing), _lights(results))


def written(text: str, folder: str) -> tuple[str, list[tuple[int, Light]]]:
    """Write report.html on what was played; its verdict and lights. Its plan names what was played, be it less than planned."""
    from bridgehead.lab import report

    results = shortened(_results(text, folder))
    page = report.build(results, LIMITS, f"“Is this fair?” on a server: {results.wanted} rows of run {results.plan.id}")
    page = page.replace('href="http://127.0.0.1:8000/replay', 'href="/replay')
    (Path(folder) / "report.html").write_text(page, "utf-8")
    _results.cache_clear()
    return report.verdict(study.answers(results, LIMITS)), _lights(results)


def shortened(results: Results) -> Results:
    """A run with a plan of exactly what was made: rows depend on their numbers alone, so it is the run of that plan."""
    planned = results.plan
    strengths = [
        msgspec.structs.replace(each, games=len(results.rows("games", which))) for which, each in enumerate(planned.strengths)
    ]
    sets = [len(results.rows("duels", which)) for which in range(len(planned.duels))]
    size = [rows // each.sets for (rows, _), each in zip(duel_sizes(planned), planned.duels, strict=True)]
    duels = [msgspec.structs.replace(d, sets=n // s) for d, n, s in zip(planned.duels, sets, size, strict=True) if n >= s]
    last = len(strengths) - 1
    made = msgspec.structs.replace(
        planned,
        strengths=tuple(strengths),
        duels=tuple(duels),
        looks=len(results.rows("looks", last)),
        readings=min(len(results.rows("readings", which)) for which in range(last + 1)),
    )
    found = Results(made)
    found.take(results)
    return found


@functools.lru_cache(1)
def _results(text: str, folder: str) -> Results:
    return Results(msgspec.json.decode(text, type=ready(Plan)), Path(folder))


def _lights(results: Results) -> list[tuple[int, Light]]:
    """Of what can be told already: without any rows nothing is."""
    if any(not len(results.rows("games", which)) for which in range(len(results.plan.strengths))):
        return []
    found: Any = study.answers(results, LIMITS)
    return [(each.number, each.light) for each in found]
