"""The report: one self-contained page that also prints well."""

from __future__ import annotations

import base64
import functools
import html
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core import link
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.own_boards import find_own_board, headline, list_board_notes, list_credits, name_file, write_board
from bridgehead.core.phrases import ENGLISH, Phrase
from bridgehead.players.levels import levels_at
from bridgehead.players.report import render_page
from bridgehead.workshop.arena import standings
from bridgehead.workshop.lab import plots, study
from bridgehead.workshop.lab.answers import action_kinds
from bridgehead.workshop.lab.answers.answer import Answer, Run, Thresholds, chance, figure, is_known, name_player
from bridgehead.workshop.lab.because import because, remedies
from bridgehead.workshop.lab.first_screen import answer_designer, simplify_lights
from bridgehead.workshop.lab.games import play
from bridgehead.workshop.lab.plan import AS_WRITTEN, WITH_RULES, Plan, Strength
from bridgehead.workshop.lab.running import Results, open_plan
from bridgehead.workshop.lab.versus import Difference, differences
from bridgehead.workshop.lab.words import UNKNOWN, Figure, Text, join_parts, phrase, reason_of, sentences, side_names, tell, whole
from bridgehead.workshop.statistics import Estimate

LIGHTS = ("good", "watch", "bad", "unknown")


class Shown(NamedTuple):
    """A game to replay: the reason for its choice, its course in words, and the fragment of its link."""

    why: Phrase
    course: Phrase
    link: str


class Studied(NamedTuple):
    """An arm of a run: its label, its answers, and games to replay."""

    label: Text
    run: Run
    answers: list[Answer]
    games: list[Shown]


class Content(NamedTuple):
    """The content of a report in no language yet."""

    results: Results
    limits: Thresholds
    arms: list[Studied]
    compared: list[Difference]


def build_report(results: Results, limits: Thresholds, command: str, suggestions: str = "", language: str = ENGLISH) -> str:
    """The page as HTML. suggestions: paragraphs for the designer, or none; a title (# …) is left out."""
    return page(gather_content(results, limits), command, suggestions, language)


def gather_content(results: Results, limits: Thresholds) -> Content:
    """The content of a report, for pages in several languages."""
    arms = []
    for number, arm in enumerate(results.plan.arms):
        run = Run(results, results.plan.make_game(number), limits, number)
        arms.append(Studied(arm_label(arm.name), run, study.answer_questions(run), choose_games(results, number)))
    return Content(results, limits, arms, differences(results) if len(arms) > 1 else [])


def arm_label(name: str) -> Text:
    """The name of an arm; house rules stay as they are typed."""
    return {AS_WRITTEN: Phrase("arm.written"), WITH_RULES: Phrase("arm.rules")}.get(name, name)


def page(content: Content, command: str, suggestions: str = "", language: str = ENGLISH, home: str = "", more: str = "") -> str:
    """The page in a language. home: the start page of a server that shows it, for people who want no figures at first.

    more: the key of the report, if that server can play more games of it.
    """
    plan, limits, compared = content.results.plan, content.limits, content.compared
    say = functools.partial(tell, language=language)
    return render_page(
        Path(__file__).with_name("report.html"), language=language, home=home, more=more, say=say,
        t=lambda key, **params: say(Phrase(key, params)), title=headline(content.arms[0].run.game), plan=plan,
        credits=list_credits(content.arms[0].run.game, language),
        notes=list_board_notes(content.arms[0].run.game, language),
        board=_link_board(content.arms[0].run.game), plain=plan.arms[0].name == AS_WRITTEN,
        arms=[_arm(arm, language) for arm in content.arms], limits=limits, manifest=study.manifest(plan, command),
        compared=compared, looks=sum(not each.obstacle for each in compared), level=figure(100 * plan.level),
        change=plots.plot_changes("change", compared, language) if compared else "",
        remedies=remedies(content.arms[0].run.game, content.arms[0].answers, limits),
        suggestions=[part.strip() for part in suggestions.split("\n\n") if part.strip() and not part.startswith("# ")],
        played=join_parts([_played(plan, each) for each in plan.strengths]), called=name_player, number=_number, points=_points,
        times_a=lambda value: Figure(f"{value:.2f}" if value < 10 else f"{value:.0f}"), whole=whole, figure=figure, chance=chance,
    )  # fmt: skip


def _link_board(game: Game) -> tuple[str, str] | None:
    """The file of an own board, and its content as an address."""
    board = find_own_board(game)
    if board is None:
        return None
    return name_file(game), "data:application/json;base64," + base64.b64encode(write_board(game).encode()).decode()


def _arm(arm: Studied, language: str) -> dict[str, Any]:
    """An arm for the template: answers, plots, games, and a table of the strongest player's kinds of actions."""
    run = arm.run
    left_out = [
        (phrase("left_out", one=name_player(duel.one), other=name_player(duel.other), name=name), value)
        for duel, found in action_kinds.find_abstentions(run)
        for name, value in found
    ]
    sides = [name(language) for name in side_names(run.game)]
    causes = {each.number: because(run, each, arm.answers) for each in arm.answers}
    return {
        "because": causes,
        "name": tell(arm.label, language), "verdict": count_fine(arm.answers), "games": arm.games,
        "asked": answer_designer(arm.answers, causes), "lights": simplify_lights(run, arm.answers),
        "plots": _plots(run, arm.answers, language),
        "doings": [d for d in action_kinds.list_action_kinds(run) if d.player == run.strongest],
        "doer": name_player(run.strongest), "usual": 1 / len(sides), "sides": sides, "left_out": left_out,
    }  # fmt: skip


def _played(plan: Plan, strength: Strength) -> Text:
    """How many games a player played, how deep it searches, its own limit of actions, if it has one, and its openings."""
    player, n = strength.player, strength.games
    game = plan.make_game(0)
    level = levels_at(game).get(player)
    notes: list[Text] = [standings.describe_search(level.looks, level.budget)] if level else []
    notes += [phrase("played.limit", actions=whole(strength.longest))] if strength.longest else []
    notes.append(phrase("played.opening", n=plan.openings(player)) if plan.openings(player) else Phrase("played.no_opening"))
    return phrase(
        "noted", text=phrase("played", n=n, games=whole(n), player=name_player(player)), notes=join_parts(notes, "list.parts")
    )


def count_fine(found: list[Answer]) -> Phrase:
    """How many questions have a good light."""
    return phrase("verdict", n=len(found), fine=sum(each.light == "good" for each in found))


def verdict(found: list[Answer]) -> Text:
    """Sentences on questions with a good light, on those that deserve a look, and on those that are open. They claim no more than
    the numbers."""
    by = {light: [each for each in found if each.light == light] for light in LIGHTS}
    doubtful = by["bad"] + by["watch"]
    asked: list[Text] = [
        phrase("verdict.question", question=each.title, light=Phrase(f"light.{each.light}"))
        for each in sorted(doubtful, key=lambda each: each.light)
    ]
    look = phrase("verdict.look", questions=join_parts(asked, "list.parts")) if asked else Phrase("verdict.none")
    left = join_parts([each.title for each in by["unknown"]], "list.parts")
    return sentences(count_fine(found), look, phrase("verdict.open", questions=left) if by["unknown"] else "")


def _plots(run: Run, found: list[Answer], language: str) -> list[str]:
    results, game, arm = run.results, run.game, run.arm
    drawn = [
        plots.plot_seats(f"seats{arm}", game, found[1], [each.player for each in results.plan.strengths], language),
        plots.plot_reasons(f"reasons{arm}", results, game, arm, language),
        plots.plot_lengths(f"lengths{arm}", results, arm, language),
        plots.plot_tenths(f"branching{arm}", results, "branching", arm, language),
        plots.plot_tenths(f"doubt{arm}", results, "doubt", arm, language),
        plots.plot_ladder(f"ladder{arm}", game, found[3], language),
    ]
    if len(run.rows("readings")):
        drawn.append(plots.plot_heat(f"heat{arm}", results, game, arm, language))
        drawn.append(plots.plot_clauses(f"clauses{arm}", found[8], run.strongest, language))
    return drawn


def choose_games(results: Results, arm: int) -> list[Shown]:
    """Three games of the strongest player: the median one, the greatest comeback, the longest."""
    which = len(results.plan.strengths) - 1
    rows = results.rows("games", which, arm)
    if not len(rows):
        return []
    order = np.argsort(rows["plies"], kind="stable")
    chosen = [(Phrase("shown.median"), int(order[len(order) // 2]))]
    weighed = np.flatnonzero(rows["weighed"] & ~np.isnan(rows["back"]))
    if len(weighed):
        chosen.append((Phrase("shown.comeback"), int(weighed[rows["back"][weighed].argmin()])))
    chosen.append((Phrase("shown.longest"), int(order[-1])))
    return [_shown(results, arm, which, int(rows["number"][at]), why) for why, at in chosen]


def _shown(results: Results, arm: int, which: int, number: int, why: Phrase) -> Shown:
    plan, tracer = open_plan(results.plan.text, arm)
    trace, player = play(plan, tracer, which, number, weigh=False), plan.strengths[which].player
    match = Match(tracer.game, trace.actions.tolist()[:3000])
    end = Phrase("shown.cut")
    if outcome := match.outcome:
        end = phrase("measure.reason", reason=reason_of(tracer.game, outcome.reason), clause=outcome.clause)
    course = phrase("shown.course", number=number, player=name_player(player), actions=len(trace.actions), end=end)
    return Shown(why, course, link.pack(match, [player] * tracer.game.seats))


def _number(value: float, unit: str) -> Figure:
    """A number as in the tables."""
    if value != value or abs(value) == float("inf"):
        return Figure("–")
    if unit in ("share", "points"):
        return Figure(f"{100 * value:.1f} %")
    return Figure(f"{value:,.1f}" if abs(value) < 1000 else f"{value:,.0f}")


def _points(found: Estimate) -> Text:
    """A difference of shares in points, with its interval."""
    if not is_known(found):
        return Figure(UNKNOWN)
    value, low, high = (Figure(f"{round(100 * each):+d}") for each in found[:3])
    return phrase("interval.brackets", value=value, low=low, high=high)


def text_of(page: str) -> str:
    """The text of a page without its drawings: for tests and for searching."""
    plain = re.sub(r"<svg.*?</svg>|<style.*?</style>", " ", page, flags=re.S)
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", plain)))
