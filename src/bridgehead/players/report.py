"""An analysis in words, and as one self-contained HTML page."""

from __future__ import annotations

import math
from html import escape
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.version import __version__
from bridgehead.players.advice import WORDS, percent
from bridgehead.players.analysis import Study

PAGE_WORDS = (
    "line",
    "line.help",
    "moments",
    "moments.none",
    "luck",
    "luck.help",
    "luck.seat",
    "luck.luck",
    "luck.lost",
    "luck.decisions",
    "else",
)
WIDTH, HEIGHT, LEFT, TOP = 720, 260, 44, 14
# A line's colour and outline by the seat's livery, as on the boards; and its dashes, for readers who do not see the
# colour.
LINES = {
    "a": ("#000", "#3d3733"), "b": ("#56b4e9", "#226a96"), "c": ("#f0e442", "#8c8008"), "d": ("#d55e00", "#843900"),
    "e": ("#328", "#1c1157"), "f": ("#695a5a", "#3c3131"), "g": ("#e0f8e0", "#61806a"),
    "red": ("#a8261c", "#641009"), "black": ("#1d1a18", "#4b443f"),
}  # fmt: skip
DASHES = ("", "9 4", "3 3", "12 3 3 3", "6 6", "1 4")
STYLE = """
body{margin:0;background:#e9e0d0;color:#2b241f;font:16px/1.5 system-ui,"Segoe UI",Roboto,"Noto Sans",Arial,sans-serif}
main{max-width:800px;margin:auto;padding:24px 16px 48px}h1,h2{font-family:Palatino,Georgia,serif;font-weight:400}
section{background:#fcf8f0;border:1px solid #d6c9b3;border-radius:16px;padding:8px 20px 16px;margin:16px 0}
svg{width:100%;height:auto}table{border-collapse:collapse;width:100%}td,th{padding:4px 10px 4px 0;text-align:start;
vertical-align:top}td.n,th.n{text-align:end;font-variant-numeric:tabular-nums}.quiet{color:#5d5147;font-size:14px}
summary{cursor:pointer;padding:6px 0}tr.chosen td{font-weight:700}
"""


class AnalysedSeat(msgspec.Struct):
    """A seat's game: its luck and the losses of its decisions, in win chance."""

    seat: str
    letter: str
    name: str
    luck: float
    lost: float
    decisions: int


class KeyMoment(msgspec.Struct):
    """A key moment: the index of its action, the turn, the sentence, and its cause."""

    at: int
    turn: int
    text: str
    why: str


class Alternative(msgspec.Struct):
    """A legal action, and the win chance after it."""

    text: str
    label: str
    chance: float
    chosen: bool


class AnalysedAction(msgspec.Struct):
    """One action: the luck of each seat, or the loss of a decision and its alternatives."""

    turn: int
    actor: Annotated[int, Meta(ge=-2)]
    luck: list[float] | UnsetType = UNSET
    lost: float | UnsetType = UNSET
    ways: list[Alternative] | UnsetType = UNSET


class Report(msgspec.Struct):
    """An analysis with its sentences."""

    words: dict[str, str]
    title: str
    result: str
    made: str
    sides: list[int]
    seats: list[AnalysedSeat]
    line: list[list[float]]
    moments: list[KeyMoment]
    steps: list[AnalysedAction]


def ended(match: Match, study: Study, language: str) -> str:
    """The end of the game, as a sentence of its rules, or as the record words it if people ended the game."""
    if match.position.is_over:
        return match.position.prompt(language)
    return WORDS.tell(Phrase("unfinished"), language) if match.outcome is None else study.result


def worded(match: Match, study: Study, language: str) -> Report:
    """An analysis with its sentences in a language, for a page."""
    narrator = _Narrator(match, study, language)
    scene = match.game.spec.scene
    plates, sums = scene.plates(match.positions[0], language), study.seats
    return Report(
        words={key: narrator.text(key) for key in PAGE_WORDS},
        title=narrator.text("title", title=match.game.spec.title), result=ended(match, study, language),
        made=narrator.text("made", version=__version__, effort=study.effort, seed=study.seed),
        sides=list(study.sides),
        seats=[
            AnalysedSeat(plate.seat, plate.letter, study.names[i], sums[i].luck, sums[i].lost, sums[i].decisions)
            for i, plate in enumerate(plates)
        ],
        line=[list(each) for each in study.line],
        moments=[
            KeyMoment(each.at, study.steps[each.at].turn, narrator.sentence(each.at), narrator.why(i))
            for i, each in enumerate(study.moments)
        ],
        steps=[narrator.step(at) for at in range(len(study.steps))],
    )  # fmt: skip


class _Narrator:
    def __init__(self, match: Match, study: Study, language: str) -> None:
        self.match, self.study, self.language = match, study, language
        self.names = {f"seat.{match.game.spec.seat_letter(i)}": name for i, name in enumerate(study.names)}

    def text(self, key: str, **params: object) -> str:
        return WORDS.tell(Phrase(key, params), self.language)

    def sentence(self, at: int, action: int | None = None) -> str:
        """The log's sentence for an action, or for an alternative to it."""
        position = self.match.positions[at]
        wanted = self.match.log[at].action if action is None else action
        text = self.match.game.words.tell(position.game.spec.words.say(position, wanted), self.language, self.names)
        return text if text.endswith((".", "!", "?")) else f"{text}."

    def why(self, number: int) -> str:
        """The cause of a key moment."""
        moment = self.study.moments[number]
        points, name = abs(round(100 * moment.points)), self.study.names[moment.seat]
        if moment.kind == "luck":
            return self.text("moment.luck" if moment.points > 0 else "moment.unlucky", name=name, points=points)
        return self.text(
            "moment.lost", name=name, points=points, better=self.sentence(moment.at, self.study.steps[moment.at].ways[0].action)
        )

    def step(self, at: int) -> AnalysedAction:
        step = self.study.steps[at]
        if step.luck:
            return AnalysedAction(step.turn, step.actor, luck=list(step.luck))
        ways = [Alternative(way.text, self.sentence(at, way.action), way.chance, way.action == step.action) for way in step.ways]
        return AnalysedAction(step.turn, step.actor, lost=step.lost, ways=ways)


def page(match: Match, study: Study, language: str) -> str:
    """The analysis as one self-contained HTML file."""
    found = worded(match, study, language)
    words = found.words
    moments = "".join(
        f"<li><b>{_turn(each.turn, language)}</b> {escape(each.text)} {escape(each.why)}</li>" for each in found.moments
    )
    parts = [
        f"<h1>{escape(found.title)}</h1><p class=quiet>{escape(', '.join(study.names))}: {escape(found.result)}</p>",
        _section(words["line"], f"<p class=quiet>{escape(words['line.help'])}</p>{chart(found)}"),
        _section(words["moments"], f"<ol>{moments}</ol>" if moments else f"<p>{escape(words['moments.none'])}</p>"),
        _section(words["luck"], f"<p class=quiet>{escape(words['luck.help'])}</p>{_table(found)}"),
        _section(words["else"], "".join(_ways(step.turn, step.ways, language) for step in found.steps if step.ways is not UNSET)),
        f"<p class=quiet>{escape(found.made)}</p>",
    ]
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(found.title)}</title><style>{STYLE}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
    )


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>"


def _turn(number: int, language: str) -> str:
    return escape(WORDS.tell(Phrase("turn", {"n": number}), language))


def _table(found: Report) -> str:
    words = found.words
    head = "".join(f"<th class=n>{escape(words[key])}</th>" for key in ("luck.luck", "luck.lost", "luck.decisions"))
    rows = "".join(
        f"<tr><td>{escape(seat.letter)}: {escape(seat.name)}</td><td class=n>{100 * seat.luck:+.0f}</td>"
        f"<td class=n>{100 * seat.lost:.0f}</td><td class=n>{seat.decisions}</td></tr>"
        for seat in found.seats
    )
    return f"<table><tr><th>{escape(words['luck.seat'])}</th>{head}</tr>{rows}</table>"


def _ways(turn: int, ways: list[Alternative], language: str) -> str:
    chosen = next(way for way in ways if way.chosen)
    rows = "".join(
        f"<tr{' class=chosen' if way.chosen else ''}><td>{escape(way.label)}</td><td class=n>{percent(way.chance)} %</td></tr>"
        for way in ways
    )
    return f"<details><summary>{_turn(turn, language)}: {escape(chosen.label)}</summary><table>{rows}</table></details>"


def chart(found: Report) -> str:
    """Win chances as an SVG: one line per side, distinguished by dashes and by the letters at its end."""
    line, last = found.line, max(1, len(found.line) - 1)
    across, down = WIDTH - LEFT - 40, HEIGHT - 2 * TOP

    def place(at: int, chance: float) -> str:
        return f"{LEFT + across * at / last:.1f},{TOP + down * (1 - chance):.1f}"

    grid = "".join(
        f'<path d="M{LEFT} {TOP + down * (1 - part / 4):.1f}h{across}" stroke="#d6c9b3"/>'
        f'<text x="{LEFT - 6}" y="{TOP + down * (1 - part / 4) + 4:.1f}" text-anchor="end">{25 * part} %</text>'
        for part in range(5)
    )
    ends = {side: TOP + down * (1 - line[-1][found.sides.index(side)]) for side in found.sides}
    heights, lowest = {}, math.inf
    for side in sorted(ends, key=lambda one: -ends[one]):  # keeps the letters apart
        lowest = heights[side] = min(ends[side], lowest - 13)
    lines = []
    for index, side in enumerate(sorted(set(found.sides))):
        seats = [i for i, each in enumerate(found.sides) if each == side]
        first = found.seats[seats[0]]
        face, edge = LINES.get(first.seat, LINES["f"])
        points = " ".join(place(at, each[seats[0]]) for at, each in enumerate(line))
        dash = f' stroke-dasharray="{DASHES[index % len(DASHES)]}"' if DASHES[index % len(DASHES)] else ""
        letters = escape("+".join(found.seats[i].letter for i in seats))
        lines.append(
            f'<polyline points="{points}" fill="none" stroke="{edge}" stroke-width="4"{dash}/>'
            f'<polyline points="{points}" fill="none" stroke="{face}" stroke-width="2"{dash}/>'
            f'<text x="{LEFT + across + 6}" y="{heights[side] + 4:.1f}" font-weight="700">{letters}</text>'
        )
    named = escape(found.words["line"])
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{named}" font-size="12" fill="#2b241f" '
        f'font-family="sans-serif"><rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="#fffaf0"/>{grid}{"".join(lines)}</svg>'
    )
