"""A short study of a game for the browser ("Is this fair?"), played piece by piece in a worker process of the server."""

from __future__ import annotations

import functools
import time
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from bridgehead.core.game import Game
from bridgehead.core.phrases import ENGLISH, languages
from bridgehead.core.validation import ready
from bridgehead.lab import study
from bridgehead.lab.answers.answer import Light, Thresholds
from bridgehead.lab.games import duel_sizes
from bridgehead.lab.plan import AS_WRITTEN, WITH_RULES, Arm, Duel, Plan, Strength, checked
from bridgehead.lab.running import Results, serially
from bridgehead.lab.words import phrase, tell

STRENGTHS = (("random", 250), ("greedy", 1000), ("search:50", 25))
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
    arms = (Arm(WITH_RULES if game.differences else AS_WRITTEN, game.differences),)
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


def file_name(language: str) -> str:
    """The file of the report in a language."""
    return "report.html" if language == ENGLISH else f"report-{language}.html"


def written(text: str, folder: str) -> tuple[dict[str, str], list[tuple[int, Light]], int]:
    """Write a report on the games so far in every language; returns its verdict by language, its lights and games.

    Its plan names exactly those games.
    """
    from bridgehead.lab import report

    results = shortened(_results(text, folder))
    content = report.gathered(results, LIMITS)
    origin = phrase("quick.origin", rows=results.wanted, run=results.plan.id)
    for language in languages():
        page = report.page(content, tell(origin, language), language=language)
        page = page.replace('href="http://127.0.0.1:8000/replay', 'href="/replay')
        (Path(folder) / file_name(language)).write_text(page, "utf-8")
    _results.cache_clear()
    games = sum(played(results)) + sum(len(results.rows("duels", which)) for which in range(len(results.plan.duels)))
    answers = content.arms[0].answers
    verdicts = {language: tell(report.verdict(answers), language) for language in languages()}
    return verdicts, [(each.number, each.light) for each in answers], games


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
