"""Plots of a report, as inline SVG: the same data gives the same bytes."""

from __future__ import annotations

import contextlib
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from bridgehead.core.extras import needs
from bridgehead.core.game import Game
from bridgehead.core.phrases import ENGLISH, Phrase
from bridgehead.workshop.lab.answers.answer import Answer, Measure, name_player
from bridgehead.workshop.lab.facts import PARTS
from bridgehead.workshop.lab.readings import fields_of
from bridgehead.workshop.lab.running import Results
from bridgehead.workshop.lab.versus import Difference
from bridgehead.workshop.lab.words import Figure as Number
from bridgehead.workshop.lab.words import Text, reason_of, side_names, tell

with needs("lab"):
    import matplotlib as mpl
    from cycler import cycler
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator, ScalarFormatter

Array = np.ndarray[Any, Any]
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


class Plot:
    """One set of axes with its language; `svg` is the finished picture."""

    def __init__(self, figure: Figure, language: str) -> None:
        self.axes, self.language, self.svg = figure.add_subplot(), language, ""
        for axis in (self.axes.xaxis, self.axes.yaxis):
            axis.set_major_formatter(Ticks(language))

    def say(self, text: Text) -> str:
        """A text in the language of the plot."""
        return tell(text, self.language)

    def legend(self) -> None:
        """Put the legend under the axes, where it covers no data."""
        self.axes.figure.legend(loc="outside lower center", ncols=3)

    def rows(self, names: Sequence[str], **style: Any) -> None:
        """Name the places 0, 1, 2… on the vertical axis."""
        self.axes.set_yticks(range(len(names)), names, **style)

    def intervals(self, places: Sequence[float], found: Sequence[Measure], color: Any, label: str = "") -> None:
        """Horizontal dots with their intervals."""
        middle = np.array([each.estimate.value for each in found])
        low, high = (np.array([getattr(each.estimate, end) for each in found]) for end in ("low", "high"))
        spread = np.abs(np.nan_to_num(np.stack([middle - low, high - middle]), posinf=0, neginf=0))
        self.axes.errorbar(middle, places, xerr=spread, fmt="o", markersize=4.5, color=color, elinewidth=1.4, label=label or None)


@contextlib.contextmanager
def draw_plot(name: str, language: str, title: Phrase, width: float = 4.6, height: float = 2.9) -> Iterator[Plot]:
    """A plot to draw in a `with` block. name: makes its ids unique on the page."""
    with mpl.rc_context({**STYLE, "svg.hashsalt": name}):
        figure, out = Figure(figsize=(width, height), layout="constrained"), io.StringIO()
        plot = Plot(figure, language)
        yield plot
        plot.axes.set_title(plot.say(title))
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    plot.svg = slim(text[text.index("<svg") :], name)


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


def plot_seats(name: str, game: Game, answer: Answer, players: Sequence[str], language: str = ENGLISH) -> str:
    """Each side's share of wins, by strength."""
    names = [name(language) for name in side_names(game)]
    with draw_plot(name, language, Phrase("plot.seats"), height=1.6 + 0.45 * len(names)) as plot:
        for i, player in enumerate(players):
            mine = [each for each in answer.measures if each.player == player and each.label.key == "measure.side"]
            places = [len(names) - 1 - j + 0.18 * (1 - i) for j in range(len(names))]
            plot.intervals(places, mine, STRENGTHS[i], plot.say(name_player(player)))
        plot.axes.axvline(1 / len(names), color="#d6c9b3", zorder=0)
        plot.rows(names[::-1])
        plot.axes.set(xlim=(0, max(0.1, plot.axes.get_xlim()[1])))
        plot.legend()
    return plot.svg


def plot_lengths(name: str, results: Results, arm: int, language: str = ENGLISH) -> str:
    """Lengths of games in plies, on a logarithmic scale for long random games."""
    with draw_plot(name, language, Phrase("plot.lengths")) as plot:
        axes, say = plot.axes, plot.say
        for i, strength in enumerate(results.plan.strengths):
            plies = np.maximum(results.rows("games", i, arm)["plies"], 1)
            if len(plies):
                edges = np.geomspace(max(1, plies.min()), plies.max() + 1, bins(len(plies)) + 1).tolist()
                each, label = np.full(len(plies), 1 / len(plies)), say(name_player(strength.player))
                axes.hist(plies, edges, weights=each, histtype="step", linewidth=1.6, label=label)
        axes.set(xscale="log", xlabel=say(Phrase("unit.plies")), ylabel=say(Phrase("plot.share")))
        axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: say(Number(f"{x:,.0f}"))))
        axes.xaxis.set_minor_locator(NullLocator())
        plot.legend()
    return plot.svg


def bins(count: int) -> int:
    """Bins of a histogram (Sturges' rule, at least four)."""
    return max(4, min(30, int(np.ceil(np.log2(max(1, count)))) + 1))


def plot_reasons(name: str, results: Results, game: Game, arm: int, language: str = ENGLISH) -> str:
    """How games end: one bar per strength."""
    names = [tell(Phrase("reason.broken"), language)]
    names += [reason_of(game, reason)(language) for reason, _ in game.spec.rules.REASONS[1:]]
    players = [each.player for each in results.plan.strengths]
    with draw_plot(name, language, Phrase("plot.reasons"), height=1.3 + 0.3 * len(players)) as plot:
        counts = [np.bincount(results.rows("games", i, arm)["reason"], minlength=len(names)) for i in range(len(players))]
        shares = np.array([each / max(1, each.sum()) for each in counts])
        left = np.zeros(len(players))
        for share, reason, colour in zip(shares.T, names, itertools.cycle(SEATS), strict=False):
            if share.any():
                plot.axes.barh(range(len(left)), share, left=left, label=reason, color=colour, alpha=0.85)
                left = left + share
        plot.rows([plot.say(name_player(player)) for player in players])
        plot.axes.set(xlim=(0, 1))
        plot.legend()
    return plot.svg


def plot_tenths(name: str, results: Results, field: str, arm: int, language: str = ENGLISH) -> str:
    """Means by tenth of the game: one line per strength."""
    with draw_plot(name, language, Phrase(f"plot.{field}")) as plot:
        for i, strength in enumerate(results.plan.strengths):
            rows = results.rows("games", i, arm)
            rows = rows[rows["weighed"]] if field == "doubt" else rows
            if len(rows):
                means, label = rows[field].mean(axis=0), plot.say(name_player(strength.player))
                plot.axes.plot(np.arange(PARTS) / PARTS + 0.05, means, marker=".", label=label)
        plot.axes.set(xlabel=plot.say(Phrase("plot.part")), xlim=(0, 1))
        plot.axes.set_ylim(bottom=0)
        plot.legend()
    return plot.svg


def plot_ladder(name: str, game: Game, answer: Answer, language: str = ENGLISH) -> str:
    """Duels: each player's share against the one below; the line marks equal strength."""
    rungs, sides = [each for each in answer.measures if each.label.key == "measure.against"], len(set(game.sides))
    title = Phrase("plot.ladder.points" if sides == 2 else "plot.ladder.games")
    with draw_plot(name, language, title, height=1.0 + 0.4 * max(1, len(rungs))) as plot:
        plot.intervals(range(len(rungs)), rungs, STRENGTHS[2])
        plot.axes.axvline(1 / sides, color="#d6c9b3", zorder=0)
        plot.rows([f"{plot.say(name_player(each.player))} {plot.say(each.label)}" for each in rungs])
        plot.axes.set(xlim=(0, 1))
    return plot.svg


def plot_heat(name: str, results: Results, game: Game, arm: int, language: str = ENGLISH) -> str:
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
    with draw_plot(name, language, Phrase("plot.heat.turned" if turned else "plot.heat"), height=height + 0.4) as plot:
        share = np.sqrt(entered / max(1, entered.max()))
        steps = np.ceil(5 * share) / 5  # few sizes, because each is drawn once
        for step in np.unique(steps):
            size, colour = float(np.clip((0.25 + 0.6 * step) * apart, 1.5, 22)), mpl.colormaps["YlOrBr"](step)
            x, y = spots[steps == step].T
            plot.axes.plot(x, y, "o", markersize=size, color=colour, markeredgecolor="#8b6540", markeredgewidth=0.4)
        plot.axes.set(xticks=[], yticks=[])
        plot.axes.invert_yaxis()
        plot.axes.set_aspect("equal")
        plot.axes.margins(0.06)
        plot.axes.spines[:].set_visible(False)
    return plot.svg


def _nearest(spots: Array) -> float:
    """The median distance between neighbours."""
    away = np.hypot(*(spots[:, None, :] - spots[None, :, :]).transpose(2, 0, 1))
    away[away < 1e-9] = np.inf
    return float(np.median(away.min(axis=1)))


def plot_clauses(name: str, answer: Answer, player: str, language: str = ENGLISH) -> str:
    """The share of games in which each clause took effect."""
    fired = [each for each in answer.measures if each.player == player and each.label.key == "measure.fired"]
    fired = sorted(fired, key=lambda each: each.estimate.value)
    with draw_plot(name, language, Phrase("plot.clauses"), height=1.0 + 0.14 * max(4, len(fired))) as plot:
        plot.intervals(range(len(fired)), fired, STRENGTHS[2])
        plot.rows([str(each.label.params["clause"]) for each in fired], fontsize=6)
        plot.axes.set(xlim=(-0.02, 1.02))
    return plot.svg


def plot_changes(name: str, found: Sequence[Difference], language: str = ENGLISH) -> str:
    """Paired differences in units of their standard error."""
    with draw_plot(name, language, Phrase("plot.changes"), width=6.5, height=1.0 + 0.22 * len(found)) as plot:
        for i, each in enumerate(reversed(found)):
            half = max((each.change.high - each.change.low) / 2, 1e-12)
            color = STRENGTHS[2] if each.all < 0.05 else STRENGTHS[0]
            if not each.obstacle:
                plot.axes.errorbar([each.change.value / half], [i], xerr=[[1], [1]], fmt="o", color=color)
        plot.axes.axvline(0, color="#d6c9b3", zorder=0)
        plot.rows([f"{plot.say(each.label)}, {plot.say(name_player(each.player))}" for each in reversed(found)], fontsize=7)
        plot.axes.set(xlabel=plot.say(Phrase("plot.less_more")))
    return plot.svg
