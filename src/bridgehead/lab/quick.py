"""A short study of a game for the browser ("Is this fair?"), played piece by piece in a worker process of the server."""

from __future__ import annotations

import functools
import time
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bridgehead.core.game import Game
from bridgehead.core.validation import ready
from bridgehead.lab import study
from bridgehead.lab.answers.answer import Light, Thresholds
from bridgehead.lab.duels import sizes as duel_sizes
from bridgehead.lab.plan import Arm, Duel, Plan, Strength, checked
from bridgehead.lab.running import Results, serially

STRENGTHS = (("random", 300), ("greedy", 150), ("search:50", 25))
DUEL = Duel("search:50", "search:25", 4)
LIMITS = Thresholds(rungs=(1.0, 0.5))  # the ladder has one step
LOOKS, READINGS = 2, 10


class Far(NamedTuple):
    """Progress of a study: games done and planned, whether each strength has played, each question's light."""

    done: int
    of: int
    some: bool
    lights: list[tuple[int, Light]]


def plan(game: Game) -> Plan:
    """The plan of a short study. Errors: OptionError, BoardError."""
    arms = (Arm("as written" if not game.differences else "with these house rules", game.differences),)
    strengths = tuple(Strength(name, games) for name, games in STRENGTHS)
    return checked(Plan(game.spec.id, "", arms, strengths, (DUEL,), weighed=100, looks=LOOKS, readings=READINGS))


def forward(text: str, folder: str, seconds: float) -> Far:
    """Continue for some seconds, at least one part; returns the progress. Results are stored in the folder."""
    results, until = _results(text, folder), time.monotonic() + seconds
    for _ in results.run(serially):
        if time.monotonic() >= until:
            break
    return Far(results.done, results.wanted, all(played(results)), _lights(results))


def played(results: Results) -> list[int]:
    """The number of games played, by strength."""
    return [len(results.rows("games", which)) for which in range(len(results.plan.strengths))]


def written(text: str, folder: str) -> tuple[str, list[tuple[int, Light]], int]:
    """Write report.html on the games played so far; returns its verdict, lights and games. Its plan has exactly those games."""
    from bridgehead.lab import report

    results = shortened(_results(text, folder))
    page = report.build(results, LIMITS, f"“Is this fair?” on a server: {results.wanted} rows of run {results.plan.id}")
    page = page.replace('href="http://127.0.0.1:8000/replay', 'href="/replay')
    (Path(folder) / "report.html").write_text(page, "utf-8")
    _results.cache_clear()
    games = sum(played(results)) + sum(len(results.rows("duels", which)) for which in range(len(results.plan.duels)))
    return report.verdict(study.answers(results, LIMITS)), _lights(results), games


def shortened(results: Results) -> Results:
    """The finished run of a smaller plan: exactly the games played so far. Rows depend on their numbers only, so this is valid.

    Strengths start one after the other; those without games are left out. At least one strength must have played.
    """
    planned = results.plan
    strengths = [
        msgspec.structs.replace(each, games=games)
        for each, games in zip(planned.strengths, played(results), strict=True)
        if games
    ]
    sets = [len(results.rows("duels", which)) for which in range(len(planned.duels))]
    size = [rows // each.sets for (rows, _), each in zip(duel_sizes(planned), planned.duels, strict=True)]
    duels = [msgspec.structs.replace(d, sets=n // s) for d, n, s in zip(planned.duels, sets, size, strict=True) if n >= s]
    last = len(planned.strengths) - 1
    made = msgspec.structs.replace(
        planned,
        strengths=tuple(strengths),
        duels=tuple(duels),
        looks=len(results.rows("looks", last)),
        readings=min(len(results.rows("readings", which)) for which in range(len(strengths))),
    )
    found = Results(made)
    found.take(results)
    return found


@functools.lru_cache(1)
def _results(text: str, folder: str) -> Results:
    return Results(msgspec.json.decode(text, type=ready(Plan)), Path(folder))


def _lights(results: Results) -> list[tuple[int, Light]]:
    """The lights so far, from the strengths that have played."""
    if not played(results)[0]:
        return []
    found: Any = study.answers(shortened(results), LIMITS)
    return [(each.number, each.light) for each in found]
