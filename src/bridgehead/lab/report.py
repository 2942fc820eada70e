"""The report: one self-contained page that also prints well."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bridgehead.core import link
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.lab import plots, study
from bridgehead.lab.answers import action_kinds
from bridgehead.lab.answers.answer import Answer, Thresholds, called, chance, figure, known
from bridgehead.lab.answers.basics import side_names
from bridgehead.lab.games import play
from bridgehead.lab.parts import opened
from bridgehead.lab.plan import Plan
from bridgehead.lab.running import Results
from bridgehead.lab.versus import differences
from bridgehead.players.levels import levels
from bridgehead.players.statistics import Estimate

LOOKS = {
    "ahead": "one action ahead", "search": "{:,} simulations", "deep": "{:,} positions", "turn": "its turn, {:,} positions",
}  # fmt: skip
LIGHTS = {"good": "fine", "watch": "look at it", "bad": "a problem", "unknown": "not known"}


class Shown(NamedTuple):
    """A game to replay: the reason for its choice, its course in words, and the fragment of its link."""

    why: str
    course: str
    link: str


def build(results: Results, limits: Thresholds, command: str, suggestions: str = "") -> str:
    """The page as HTML. suggestions: paragraphs for the designer, or none; a title (# …) is left out."""
    import jinja2

    plan = results.plan
    arms = []
    for number, arm in enumerate(plan.arms):
        game = plan.made(number)
        found = study.answers(results, limits, number)
        arms.append(
            {
                "name": arm.name,
                "answers": found,
                "verdict": verdict(found),
                "plots": _plots(results, game, found, number),
                **_done(results, game, number),
                "games": shown(results, number),
            }
        )
    compared = differences(results) if len(plan.arms) > 1 else []
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string((Path(__file__).parent / "report.html").read_text("utf-8"))
    return template.render(
        title=plan.made(0).spec.title,
        plan=plan,
        arms=arms,
        lights=LIGHTS,
        limits=limits,
        manifest=study.manifest(plan, command),
        compared=compared,
        looks=sum(not each.lacking for each in compared),
        change=plots.changes("change", compared) if compared else "",
        suggestions=[part.strip() for part in suggestions.split("\n\n") if part.strip() and not part.startswith("# ")],
        called=called,
        described=lambda player: _described(plan, player),
        number=_number,
        points=_points,
        times_a=lambda value: f"{value:.2f}" if value < 10 else f"{value:.0f}",
        figure=figure,
        chance=chance,
    )


def _done(results: Results, game: Game, arm: int) -> dict[str, Any]:
    """Kinds of actions of the strongest player, for a table."""
    player = results.plan.strengths[-1].player
    mine = [each for each in action_kinds.doings(results, game, arm) if each.player == player]
    left_out = [
        (f"{called(duel.one)} and {called(duel.other)}: {name}", value)
        for which, duel in results.plan.abstaining
        for name, value in action_kinds.left_out(game, results.rows("duels", which, arm))
    ]
    sides = side_names(game)
    return {"doings": mine, "doer": called(player), "usual": 1 / len(sides), "sides": sides, "left_out": left_out}


def _described(plan: Plan, player: str) -> str:
    """A player's search depth, and its limit of actions, if it has its own."""
    level = levels(plan.made(0).spec).get(player)
    parts = [LOOKS[level.looks].format(level.budget)] if level else []
    most = next((each.longest for each in plan.strengths if each.player == player), 0)
    parts += [f"broken off after {most:,} actions"] if most else []
    return f" ({'; '.join(parts)})" if parts else ""


def verdict(found: list[Answer]) -> str:
    """Two sentences: on questions with a good light, and on those that deserve a look. They claim no more than the numbers."""
    by = {light: [each for each in found if each.light == light] for light in LIGHTS}
    fine, doubtful = by["good"], by["bad"] + by["watch"]
    first = f"Of {len(found)} questions {len(fine)} give no cause for worry between players of these kinds; people may differ."
    if not doubtful:
        return f"{first} None asks for a second look."
    asked = "; ".join(f"{each.question} ({LIGHTS[each.light]})" for each in sorted(doubtful, key=lambda each: each.light))
    return f"{first} Worth a look: {asked}."


def _plots(results: Results, game: Game, found: list[Answer], arm: int) -> list[str]:
    by = {each.number: each for each in found}
    players = [each.player for each in results.plan.strengths]
    drawn = [
        plots.seats(f"seats{arm}", game, by[2], players),
        plots.reasons(f"reasons{arm}", results, game, arm),
        plots.lengths(f"lengths{arm}", results, arm),
        plots.tenths(f"branching{arm}", results, "branching", "Legal actions", arm),
        plots.tenths(f"doubt{arm}", results, "doubt", "Uncertainty (1: all even, 0: decided)", arm),
        plots.ladder(f"ladder{arm}", game, by[4]),
    ]
    if len(results.rows("readings", len(players) - 1, arm)):
        drawn += [plots.heat(f"heat{arm}", results, game, arm), plots.clauses(f"clauses{arm}", by[9], players[-1])]
    return drawn


def shown(results: Results, arm: int) -> list[Shown]:
    """Three games of the strongest player: the median one, the greatest comeback, the longest."""
    which = len(results.plan.strengths) - 1
    rows = results.rows("games", which, arm)
    if not len(rows):
        return []
    order = np.argsort(rows["plies"], kind="stable")
    chosen = [("The one of median length", int(order[len(order) // 2]))]
    weighed = np.flatnonzero(rows["weighed"] & ~np.isnan(rows["back"]))
    if len(weighed):
        chosen.append(("The greatest comeback", int(weighed[rows["back"][weighed].argmin()])))
    chosen.append(("The longest", int(order[-1])))
    return [_shown(results, arm, which, int(rows["number"][at]), why) for why, at in chosen]


def _shown(results: Results, arm: int, which: int, number: int, why: str) -> Shown:
    plan, tracer = opened(results.plan.text, arm)
    trace = play(plan, tracer, which, number, weigh=False)
    match = Match(tracer.game, trace.actions.tolist()[:3000])
    player = plan.strengths[which].player
    outcome = match.outcome
    end = f"{outcome.reason} ({outcome.clause})" if outcome else "cut short here"
    return Shown(
        why,
        f"game {number} of {called(player)}: {len(trace.actions)} actions, {end}",
        link.pack(match, [player] * tracer.game.seats),
    )


def _number(value: float, unit: str) -> str:
    """A number as in the tables."""
    if value != value or abs(value) == float("inf"):
        return "–"
    if unit in ("share", "points"):
        return f"{100 * value:.1f} %"
    return f"{value:,.1f}" if abs(value) < 1000 else f"{value:,.0f}"


def _points(found: Estimate) -> str:
    """A difference of shares in points, with its interval."""
    if not known(found):
        return "n/a"
    value, low, high = (round(100 * each) for each in found[:3])
    return f"{value:+d} [{low:+d}, {high:+d}]"


def text_of(page: str) -> str:
    """The text of a page without its drawings: for tests and for searching."""
    plain = re.sub(r"<svg.*?</svg>|<style.*?</style>", " ", page, flags=re.S)
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", plain)))
