"""A short study of a game for the browser ("Is this fair?"), played piece by piece in a worker process of the server.

Some games of every player come first, then the other rows, then as many games of the strongest player as there is time for: only
they make a light fine. No light decides what is played, only the time, so the last look is as sure as a single one; a light that
was shown before may change.
"""

from __future__ import annotations

import functools
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from bridgehead.core.game import Game
from bridgehead.core.phrases import languages
from bridgehead.core.validation import ready
from bridgehead.players.levels import levels_at
from bridgehead.workshop.arena.contest import seatings
from bridgehead.workshop.lab import study
from bridgehead.workshop.lab.answers.answer import Answer, Light, Run, Thresholds, find_phrase, more_games
from bridgehead.workshop.lab.answers.questions import FEW, REPLAYS, SETS, TOGETHER, group_players
from bridgehead.workshop.lab.facts import wins
from bridgehead.workshop.lab.games import duel_sizes
from bridgehead.workshop.lab.plan import AS_WRITTEN, WITH_RULES, Arm, Duel, Plan, Strength, check_plan
from bridgehead.workshop.lab.playtests import PlayFigure, measure_rows
from bridgehead.workshop.lab.playtests import compare_playtest as compare_playtest
from bridgehead.workshop.lab.running import Results, RowBlock, serially
from bridgehead.workshop.lab.words import Text, phrase, sentences, side_names, tell, whole
from bridgehead.workshop.statistics import gap

STRONG = "strong"  # stands for the player of `strong`
STRENGTHS = (("random", 20), (TOGETHER, 2000), (STRONG, 1000))
DUEL = Duel(STRONG, TOGETHER, SETS + 1)
MORE = 4  # times as many games of the strongest player in a longer study
LIMITS = Thresholds(rungs=(1.0, 0.5))  # the ladder has one step
LOOKS, READINGS = 24, 10
WEIGHED = 50  # games of each strength that are evaluated action by action
LONGEST = 2000  # actions of a random game
FIRST = {TOGETHER: 1000}  # games of a player before rows of other kinds; the rest comes last
SOME = 100  # of those without a number above


class FavouredSide(NamedTuple):
    """The side that wins most, for sure more than another: the letter of its colour, and its name by language."""

    seat: str
    names: dict[str, str]


class QuickProgress(NamedTuple):
    """Progress of a study: games done and planned, whether each strength has played, each question's light, who is favoured."""

    done: int
    of: int
    some: bool
    lights: list[tuple[int, Light]]
    favoured: FavouredSide | None = None


def plan_short_study(game: Game, longer: int = 0) -> Plan:
    """The plan of a short study; a longer one has more games of the strongest player, four times as many with each step.

    Errors: OptionError, BoardError.
    """
    more = MORE**longer
    arms = (Arm(WITH_RULES if game.differences else AS_WRITTEN, game.differences),)
    named = {STRONG: find_strong_player(game)}
    strengths = [
        Strength(named.get(name, name), games * (more if name == STRONG else 1), LONGEST if name == "random" else 0)
        for name, games in STRENGTHS
    ]
    duel = Duel(named.get(DUEL.one, DUEL.one), DUEL.other, DUEL.sets * more)
    looks, readings = LOOKS * more, READINGS * more
    return check_plan(Plan(game.spec.id, "", arms, tuple(strengths), (duel,), weighed=WEIGHED, looks=looks, readings=readings))


def find_strong_player(game: Game) -> str:
    """The strongest level that searches no tree, since a minute has few games of one that does; else a short search."""
    found = levels_at(game).items()
    quick = [name for name, level in found if level.looks in ("ahead", "turn") and level.budget <= study.MODEST]
    return quick[-1] if quick else "search:50"


def continue_study(text: str, folder: str, seconds: float, which: int = 0, of: int = 1) -> QuickProgress:
    """Continue for some seconds, at least one part; returns the progress. Results are stored in the folder.

    of: processes that play at the same time, each its own parts; which: the number of this one. Only the first has the lights.
    """
    results, until = _results(text, folder), time.monotonic() + seconds
    results.refresh()
    mine = set(_shared(results.parts, which, of))
    for _ in results.run(lambda parts: serially(part for part in parts if part in mine)):
        if time.monotonic() >= until:
            break
    lights, favoured = ([], None) if which else _lights(results)
    return QuickProgress(results.rows_made, results.wanted, all(count_games(results)), lights, favoured)


def _shared(parts: list[RowBlock], which: int, of: int) -> Iterator[RowBlock]:
    """The parts of one of several processes: of each kind and strength as many as the others, since some take much longer."""
    dealt = Counter[tuple[str, int]]()
    for part in parts:
        group = part.kind, part.which
        if (dealt[group] + part.which) % of == which:
            yield part
        dealt[group] += 1


def count_games(results: Results) -> list[int]:
    """The number of games played, by strength."""
    return [len(results.rows("games", which)) for which in range(len(results.plan.strengths))]


class WrittenReport(NamedTuple):
    """What a report says in short. figures: of the strongest player's games."""

    verdict: dict[str, str]
    lights: list[tuple[int, Light]]
    games: int
    favoured: FavouredSide | None
    figures: list[PlayFigure]


def write_reports(text: str, folder: str, files: Mapping[str, str], more: str = "") -> WrittenReport:
    """Write a report on the games so far in some languages; returns what it says in short.

    files: a name of a file by language. Its plan names exactly those games. more: as of `report.page`.
    """
    from bridgehead.workshop.lab import report

    whole = _results(text, folder)
    whole.refresh()
    results = shorten_run(whole)
    content = report.gather_content(results, LIMITS)
    content = content._replace(arms=[content.arms[0]._replace(answers=answers(results))])
    origin = phrase("quick.origin", rows=results.wanted, run=results.plan.id)
    for language, name in files.items():
        page = report.page(content, tell(origin, language), language=language, home="/", more=more)
        page = page.replace('href="http://127.0.0.1:8000/replay', 'href="/replay')
        (Path(folder) / name).write_text(page, "utf-8")
    _results.cache_clear()
    games = sum(count_games(results)) + sum(len(results.rows("duels", which)) for which in range(len(results.plan.duels)))
    found, run = content.arms[0].answers, content.arms[0].run
    verdicts = {language: tell(report.verdict(found), language) for language in files}
    lights, figures = [(each.number, each.light) for each in found], measure_rows(run.game, run.rows("games"), run.level)
    return WrittenReport(verdicts, lights, games, find_favoured(run, found), figures)


def find_favoured(run: Run, found: list[Answer]) -> FavouredSide | None:
    """The side that the seats favour, where the light of question 2 is not good and chance alone does not explain the gap."""
    if not any(each.number == 2 and each.light in ("bad", "watch") for each in found):
        return None
    won = wins(run.game, group_players(run)[-1][1])
    if gap(won, run.level).low <= 0:
        return None
    side = int(won.argmax())
    seat = run.game.sides.index(sorted(set(run.game.sides))[side])
    name = side_names(run.game)[side]
    return FavouredSide(run.game.spec.seat_letter(seat), {language: name(language) for language in languages()})


def shorten_run(results: Results) -> Results:
    """The finished run of a smaller plan: exactly the games played so far. Rows depend on their numbers only, so this is valid.

    Strengths start one after the other; those without games are left out. At least one strength must have played.
    """
    planned = results.plan
    strengths = [
        msgspec.structs.replace(each, games=games)
        for each, games in zip(planned.strengths, count_games(results), strict=True)
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


def answers(results: Results) -> list[Answer]:
    """The twelve answers; where a light is open, the answer says about how many games would tell."""
    run = Run(results, results.plan.make_game(0), LIMITS)
    return [_with_number(run, each) for each in study.answer_questions(run)]


def _with_number(run: Run, answer: Answer) -> Answer:
    """An open answer with the number of games that would tell, or with the fewest that a light needs, if it has none yet."""
    if answer.light != "unknown" or find_phrase(answer.text, "more_games", "chances.off"):
        return answer
    more: Text
    if answer.number == 3:
        limits = {"measure.minutes": LIMITS.minutes, "measure.decisions": LIMITS.few_decisions}
        last = [each for each in answer.measures if each.player == answer.measures[-1].player and each.label.key in limits]
        needed = [found for each in last if (found := more_games(each.estimate, limits[each.label.key]))]
        more = needed[0] if needed else ""
    else:
        enough = {4: SETS * len(seatings(run.game, ("one", "other"))), 5: FEW, **dict.fromkeys((8, 9, 10, 11, 12), REPLAYS)}
        more = phrase("more_least", games=whole(enough[answer.number])) if answer.number in enough else ""
    return answer._replace(text=sentences(answer.text, more))


@functools.lru_cache(1)
def _results(text: str, folder: str) -> Results:
    results = Results(msgspec.json.decode(text, type=ready(Plan)), Path(folder))
    results.parts.sort(key=functools.partial(_order, results.plan))
    return results


def _lights(results: Results) -> tuple[list[tuple[int, Light]], FavouredSide | None]:
    """The lights so far, once players of each strength have played: those of random games alone would not last."""
    if not all(count_games(results)):
        return [], None
    shorter = shorten_run(results)
    found = answers(shorter)
    return [(each.number, each.light) for each in found], find_favoured(Run(shorter, shorter.plan.make_game(0), LIMITS), found)


def _order(plan: Plan, part: RowBlock) -> tuple[int, int, int]:
    """Some games of each strength, the other rows, and then the rest of the games, those of the strongest player first."""
    if part.kind != "games":
        return 1, part.first, part.which
    if part.first < FIRST.get(plan.strengths[part.which].player, SOME):
        return 0, part.first, part.which
    return 2, -part.which, part.first
