"""Plots of a report, as inline SVG: the same data gives the same bytes."""

from __future__ import annotations

import functools
import io
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bridgehead.core.extras import needs
from bridgehead.core.game import Game
from bridgehead.core.phrases import ENGLISH, Phrase
from bridgehead.lab.answers.answer import Answer, Measure, called
from bridgehead.lab.answers.basics import reason_of, side_names
from bridgehead.lab.facts import PARTS
from bridgehead.lab.readings import fields_of
from bridgehead.lab.running import Results
from bridgehead.lab.versus import Difference
from bridgehead.lab.words import Figure as Number
from bridgehead.lab.words import Text, tell

with needs("lab"):
    import matplotlib as mpl
    from cycler import cycler
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator, ScalarFormatter

Array = np.ndarray[Any, Any]
Say = Callable[[Text], str]
# Livery colours where seats are distinguished; strengths go from light to dark.
SEATS = ("#000000", "#56b4e9", "#b7ab1e", "#d55e00", "#332288", "#695a5a")
STRENGTHS = ("#b9ab93", "#8b6540", "#17604c", "#332288", "#d55e00", "#000000")
INK, QUIET, PAPER = "#2b241f", "#5d5147", "#fcf8f0"
STYLE: Any = {
    "svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9, "axes.edgecolor": "#d6c9b3", "axes.labelcolor": QUIET,
    "text.color": INK, "xtick.color": QUIET, "ytick.color": QUIET, "axes.spines.top": False, "axes.spines.right": False,
    "axes.titlesize": 10, "axes.titlelocation": "left", "figure.facecolor": PAPER, "axes.facecolor": PAPER, "axes.prop_cycle":
    cycler(color=STRENGTHS), "legend.frameon": False, "legend.fontsize": 8,
}  # fmt: skip


class Ticks(ScalarFormatter):
    """Labels of an axis with the decimal mark of a language."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def __call__(self, x: float, pos: int | None = None) -> str:
        return tell(Number(super().__call__(x, pos)), self._language)


def drawn(name: str, draw: Any, language: str, width: float = 4.6, height: float = 2.9) -> str:
    """The SVG of one set of axes. name: makes its ids unique on the page; draw: gets the axes, and a function
    that puts phrases into the language."""
    with mpl.rc_context({**STYLE, "svg.hashsalt": name}):
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.add_subplot()
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(Ticks(language))
        draw(axes, functools.partial(tell, language=language))
        out = io.StringIO()
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return slim(text[text.index("<svg") :], name)


def slim(text: str, name: str) -> str:
    """A smaller SVG: coordinates to a tenth of a point, no redundant groups, the page's font, classes for repeated styles, and
    only ids that are referenced. name: makes ids and classes unique."""
    pointed = set(re.findall(r"#([\w-]+)[\")]", text))
    marked = (each for each in re.findall(r' id="([^"]+)"', text) if each in pointed)
    used = {each: f"{name}-i{place}" for place, each in enumerate(dict.fromkeys(marked))}
    text = re.sub(r"<[^>]+>", lambda tag: re.sub(r"-?\d+\.\d{2,}", _tenth, tag[0]), text)
    text = re.sub(r"\s*\n\s*", " ", text)
    text = re.sub(r"<metadata>.*?</metadata>| font-family: [^;\"]*;| transform=\"rotate\(-0[^\"]*\"|<!--.*?-->", "", text)
    text = re.sub(r' id="([^"]+)"', lambda found: f' id="{used[found[1]]}"' if found[1] in used else "", text)
    text = re.sub(r'#([\w-]+)(?=[")])', lambda found: f"#{used.get(found[1], found[1])}", text)
    return _classed(_ungrouped(re.sub(r"> <", "><", text)), name).replace("xlink:href", "href")


def _ungrouped(text: str) -> str:
    """The SVG without redundant groups."""
    kept: list[bool] = []

    def seen(tag: re.Match[str]) -> str:
        if tag[0] == "</g>":
            return tag[0] if kept.pop() else ""
        kept.append(tag[0] != "<g>")
        return tag[0] if kept[-1] else ""

    return re.sub(r"<g\b[^>]*>|</g>", seen, text)


def _classed(text: str, name: str) -> str:
    """The SVG with classes for repeated styles."""
    styles = Counter(re.findall(r' style="([^"]*)"', text))
    names = {style: f"{name}-{place}" for place, style in enumerate(each for each, times in styles.items() if times > 2)}
    for style, each in names.items():
        text = text.replace(f' style="{style}"', f' class="{each}"')
    rules = "".join(f".{each}{{{style}}}" for style, each in names.items())
    return text.replace("</style>", f"{rules}</style>", 1)


def _tenth(number: re.Match[str]) -> str:
    return f"{float(number[0]):.1f}".removesuffix(".0")


def beneath(axes: Axes) -> None:
    """Put the legend under the axes, where it covers no data."""
    axes.figure.legend(loc="outside lower center", ncols=3)


def with_interval(axes: Axes, places: Sequence[float], found: Sequence[Measure], color: Any, label: str = "") -> None:
    """Horizontal dots with their intervals."""
    middle = np.array([each.estimate.value for each in found])
    low, high = (np.array([getattr(each.estimate, end) for each in found]) for end in ("low", "high"))
    spread = np.abs(np.nan_to_num(np.stack([middle - low, high - middle]), posinf=0, neginf=0))
    axes.errorbar(middle, places, xerr=spread, fmt="o", markersize=4.5, color=color, elinewidth=1.4, label=label or None)


def seats(name: str, game: Game, answer: Answer, players: Sequence[str], language: str = ENGLISH) -> str:
    """Each side's share of wins, by strength."""
    names = [name(language) for name in side_names(game)]

    def draw(axes: Axes, say: Say) -> None:
        for i, player in enumerate(players):
            mine = [each for each in answer.measures if each.player == player and each.label.key == "measure.side"]
            places = [len(names) - 1 - j + 0.18 * (1 - i) for j in range(len(names))]
            with_interval(axes, places, mine, STRENGTHS[i], say(called(player)))
        axes.axvline(1 / len(names), color="#d6c9b3", zorder=0)
        axes.set_yticks(range(len(names)), names[::-1])
        axes.set(xlim=(0, max(0.1, axes.get_xlim()[1])), title=say(Phrase("plot.seats")))
        beneath(axes)

    return drawn(name, draw, language, height=1.6 + 0.45 * len(names))


def lengths(name: str, results: Results, arm: int, language: str = ENGLISH) -> str:
    """Lengths of games in plies, on a logarithmic scale for long random games."""

    def draw(axes: Axes, say: Say) -> None:
        for i, strength in enumerate(results.plan.strengths):
            plies = np.maximum(results.rows("games", i, arm)["plies"], 1)
            if len(plies):
                edges = np.geomspace(max(1, plies.min()), plies.max() + 1, bins(len(plies)) + 1)
                axes.hist(
                    plies,
                    edges.tolist(),
                    weights=np.full(len(plies), 1 / len(plies)),
                    histtype="step",
                    linewidth=1.6,
                    label=say(called(strength.player)),
                )
        axes.set(
            xscale="log", xlabel=say(Phrase("unit.plies")), ylabel=say(Phrase("plot.share")), title=say(Phrase("plot.lengths"))
        )
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: say(Number(f"{x:,.0f}"))))
        axes.xaxis.set_minor_locator(NullLocator())
        beneath(axes)

    return drawn(name, draw, language)


def bins(count: int) -> int:
    """Bins of a histogram (Sturges' rule, at least four)."""
    return max(4, min(30, int(np.ceil(np.log2(max(1, count)))) + 1))


def reasons(name: str, results: Results, game: Game, arm: int, language: str = ENGLISH) -> str:
    """How games end: one bar per strength."""
    names = [tell(Phrase("reason.broken"), language)]
    names += [reason_of(game, reason)(language) for reason, _ in game.spec.rules.REASONS[1:]]

    def draw(axes: Axes, say: Say) -> None:
        left = np.zeros(len(results.plan.strengths))
        counts = [np.bincount(results.rows("games", i, arm)["reason"], minlength=len(names)) for i in range(len(left))]
        shares = np.array([each / max(1, each.sum()) for each in counts])
        for number, reason in enumerate(names):
            if shares[:, number].any():
                axes.barh(
                    range(len(left)), shares[:, number], left=left, label=reason, color=SEATS[number % len(SEATS)], alpha=0.85
                )
                left = left + shares[:, number]
        axes.set_yticks(range(len(left)), [say(called(each.player)) for each in results.plan.strengths])
        axes.set(xlim=(0, 1), title=say(Phrase("plot.reasons")))
        beneath(axes)

    return drawn(name, draw, language, height=1.3 + 0.3 * len(results.plan.strengths))


def tenths(name: str, results: Results, field: str, arm: int, language: str = ENGLISH) -> str:
    """Means by tenth of the game: one line per strength."""

    def draw(axes: Axes, say: Say) -> None:
        for i, strength in enumerate(results.plan.strengths):
            rows = results.rows("games", i, arm)
            rows = rows[rows["weighed"]] if field == "doubt" else rows
            if len(rows):
                axes.plot(
                    np.arange(PARTS) / PARTS + 0.05, rows[field].mean(axis=0), marker=".", label=say(called(strength.player))
                )
        axes.set(xlabel=say(Phrase("plot.part")), title=say(Phrase(f"plot.{field}")), xlim=(0, 1))
        axes.set_ylim(bottom=0)
        beneath(axes)

    return drawn(name, draw, language)


def ladder(name: str, game: Game, answer: Answer, language: str = ENGLISH) -> str:
    """Duels: each player's share against the one below; the line marks equal strength."""
    rungs = [each for each in answer.measures if each.label.key == "measure.against"]
    title = Phrase("plot.ladder.points" if len(set(game.sides)) == 2 else "plot.ladder.games")

    def draw(axes: Axes, say: Say) -> None:
        with_interval(axes, range(len(rungs)), rungs, STRENGTHS[2])
        axes.axvline(1 / len(set(game.sides)), color="#d6c9b3", zorder=0)
        axes.set_yticks(range(len(rungs)), [f"{say(called(each.player))} {say(each.label)}" for each in rungs])
        axes.set(title=say(title), xlim=(0, 1))

    return drawn(name, draw, language, height=1.0 + 0.4 * max(1, len(rungs)))


def heat(name: str, results: Results, game: Game, arm: int, language: str = ENGLISH) -> str:
    """Heat map of the board in the strongest player's games: how often each field is entered."""
    places = {field.id: (field.x, field.y) for field in game.spec.scene.picture(game, "en").fields}
    entered = results.rows("readings", len(results.plan.strengths) - 1, arm)["entered"].sum(axis=0)
    spots = np.array([places[field] for field in fields_of(game)])
    across, down = np.ptp(spots, axis=0) + 1
    turned = down > 1.3 * across  # a tall board is turned by 90 degrees to fill the page
    if turned:
        spots, across, down = np.stack([spots[:, 1], -spots[:, 0]], axis=1), down, across
    height = float(np.clip(4.4 * down / across, 1.2, 4.4))
    apart = 4.2 * 72 / across * _nearest(spots)  # points between neighbours

    def draw(axes: Axes, say: Say) -> None:
        share = np.sqrt(entered / max(1, entered.max()))
        steps = np.ceil(5 * share) / 5  # few sizes, because each is drawn once
        for step in np.unique(steps):
            size, colour = float(np.clip((0.25 + 0.6 * step) * apart, 1.5, 22)), mpl.colormaps["YlOrBr"](step)
            mine = spots[steps == step]
            axes.plot(mine[:, 0], mine[:, 1], "o", markersize=size, color=colour, markeredgecolor="#8b6540", markeredgewidth=0.4)
        axes.set(title=say(Phrase("plot.heat.turned" if turned else "plot.heat")), xticks=[], yticks=[])
        axes.invert_yaxis()
        axes.set_aspect("equal")
        axes.margins(0.06)
        axes.spines[:].set_visible(False)

    return drawn(name, draw, language, height=height + 0.4)


def _nearest(spots: Array) -> float:
    """The median distance between neighbours."""
    away = np.hypot(*(spots[:, None, :] - spots[None, :, :]).transpose(2, 0, 1))
    away[away < 1e-9] = np.inf
    return float(np.median(away.min(axis=1)))


def clauses(name: str, answer: Answer, player: str, language: str = ENGLISH) -> str:
    """The share of games in which each clause took effect."""
    fired = [each for each in answer.measures if each.player == player and each.label.key == "measure.fired"]
    fired = sorted(fired, key=lambda each: each.estimate.value)

    def draw(axes: Axes, say: Say) -> None:
        with_interval(axes, range(len(fired)), fired, STRENGTHS[2])
        axes.set_yticks(range(len(fired)), [str(each.label.params["clause"]) for each in fired], fontsize=6)
        axes.set(title=say(Phrase("plot.clauses")), xlim=(-0.02, 1.02))

    return drawn(name, draw, language, height=1.0 + 0.14 * max(4, len(fired)))


def changes(name: str, found: Sequence[Difference], language: str = ENGLISH) -> str:
    """Paired differences in units of their standard error."""

    def draw(axes: Axes, say: Say) -> None:
        for i, each in enumerate(reversed(found)):
            half = max((each.change.high - each.change.low) / 2, 1e-12)
            sure = each.all < 0.05
            if each.obstacle:
                continue
            axes.errorbar([each.change.value / half], [i], xerr=[[1], [1]], fmt="o", color=STRENGTHS[2] if sure else STRENGTHS[0])
        axes.axvline(0, color="#d6c9b3", zorder=0)
        axes.set_yticks(
            range(len(found)), [f"{say(each.label)}, {say(called(each.player))}" for each in reversed(found)], fontsize=7
        )
        axes.set(title=say(Phrase("plot.changes")), xlabel=say(Phrase("plot.less_more")))

    return drawn(name, draw, language, width=6.5, height=1.0 + 0.22 * len(found))
