"""An analysis in words, and as one self-contained HTML page."""

from __future__ import annotations

import math
from html import escape
from typing import Any

from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.version import __version__
from bridgehead.players.advice import WORDS, percent
from bridgehead.players.analysis import Study

TOLD = (
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


def worded(match: Match, study: Study, language: str) -> dict[str, Any]:
    """A study with its sentences, as a page shows it. names: those of the study."""
    narrator = _Teller(match, study, language)
    scene = match.game.spec.scene
    plates = scene.plates(match.positions[0], language)
    seats = [
        {"seat": plate.seat, "letter": plate.letter, "name": study.names[i], **_summed(study, i)}
        for i, plate in enumerate(plates)
    ]
    return {
        "words": {key: narrator.tell(key) for key in TOLD},
        "title": narrator.tell("title", title=match.game.spec.title), "result": study.result,
        "made": narrator.tell("made", version=__version__, effort=study.effort, seed=study.seed),
        "sides": list(study.sides), "seats": seats, "line": [list(each) for each in study.line],
        "moments": [
            {"at": each.at, "turn": study.steps[each.at].turn, "text": narrator.sentence(each.at), "why": narrator.why(i)}
            for i, each in enumerate(study.moments)
        ],
        "steps": [narrator.step(at) for at in range(len(study.steps))],
    }  # fmt: skip


def _summed(study: Study, seat: int) -> dict[str, Any]:
    told = study.seats[seat]
    return {"luck": told.luck, "lost": told.lost, "decisions": told.decisions}


class _Teller:
    def __init__(self, match: Match, study: Study, language: str) -> None:
        self.match, self.study, self.language = match, study, language
        self.names = {f"seat.{match.game.spec.seat_letter(i)}": name for i, name in enumerate(study.names)}

    def tell(self, key: str, **params: object) -> str:
        return WORDS.tell(Phrase(key, params), self.language)

    def sentence(self, at: int, action: int | None = None) -> str:
        """The log's sentence for an action, or for an alternative to it."""
        position = self.match.positions[at]
        wanted = self.match.log[at].action if action is None else action
        said = self.match.game.words.tell(position.game.spec.words.say(position, wanted), self.language, self.names)
        return said if said.endswith((".", "!", "?")) else f"{said}."

    def why(self, number: int) -> str:
        """The cause of a key moment."""
        moment = self.study.moments[number]
        points, name = abs(round(100 * moment.points)), self.study.names[moment.seat]
        if moment.kind == "luck":
            return self.tell("moment.luck" if moment.points > 0 else "moment.unlucky", name=name, points=points)
        return self.tell(
            "moment.lost", name=name, points=points, better=self.sentence(moment.at, self.study.steps[moment.at].ways[0].action)
        )

    def step(self, at: int) -> dict[str, Any]:
        step = self.study.steps[at]
        told: dict[str, Any] = {"turn": step.turn, "actor": step.actor}
        if step.luck:
            return told | {"luck": list(step.luck)}
        ways = [
            {"text": way.text, "label": self.sentence(at, way.action), "chance": way.chance, "chosen": way.action == step.action}
            for way in step.ways
        ]
        return told | {"lost": step.lost, "ways": ways}


def page(match: Match, study: Study, language: str) -> str:
    """The analysis as one self-contained HTML file."""
    told = worded(match, study, language)
    words = told["words"]
    moments = "".join(
        f"<li><b>{_turn(each, language)}</b> {escape(each['text'])} {escape(each['why'])}</li>" for each in told["moments"]
    )
    parts = [
        f"<h1>{escape(told['title'])}</h1><p class=quiet>{escape(', '.join(study.names))}: {escape(told['result'])}</p>",
        _section(words["line"], f"<p class=quiet>{escape(words['line.help'])}</p>{chart(told)}"),
        _section(words["moments"], f"<ol>{moments}</ol>" if moments else f"<p>{escape(words['moments.none'])}</p>"),
        _section(words["luck"], f"<p class=quiet>{escape(words['luck.help'])}</p>{_table(told)}"),
        _section(
            words["else"], "".join(_ways(at, step, match, language) for at, step in enumerate(told["steps"]) if "ways" in step)
        ),
        f"<p class=quiet>{escape(told['made'])}</p>",
    ]
    return (
        f'<!doctype html>\n<html lang="{language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(told['title'])}</title><style>{STYLE}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
    )


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>"


def _turn(told: dict[str, Any], language: str) -> str:
    return escape(WORDS.tell(Phrase("turn", {"n": told["turn"]}), language))


def _table(told: dict[str, Any]) -> str:
    words = told["words"]
    head = "".join(f"<th class=n>{escape(words[key])}</th>" for key in ("luck.luck", "luck.lost", "luck.decisions"))
    rows = "".join(
        f"<tr><td>{escape(seat['letter'])}: {escape(seat['name'])}</td><td class=n>{100 * seat['luck']:+.0f}</td>"
        f"<td class=n>{100 * seat['lost']:.0f}</td><td class=n>{seat['decisions']}</td></tr>"
        for seat in told["seats"]
    )
    return f"<table><tr><th>{escape(words['luck.seat'])}</th>{head}</tr>{rows}</table>"


def _ways(at: int, step: dict[str, Any], match: Match, language: str) -> str:
    chosen = next(way for way in step["ways"] if way["chosen"])
    rows = "".join(
        f"<tr{' class=chosen' if way['chosen'] else ''}><td>{escape(way['label'])}</td>"
        f"<td class=n>{percent(way['chance'])} %</td></tr>"
        for way in step["ways"]
    )
    return f"<details><summary>{_turn(step, language)}: {escape(chosen['label'])}</summary><table>{rows}</table></details>"


def chart(told: dict[str, Any]) -> str:
    """Win chances as an SVG: one line per side, distinguished by dashes and by the letters at its end."""
    line, last = told["line"], max(1, len(told["line"]) - 1)
    across, down = WIDTH - LEFT - 40, HEIGHT - 2 * TOP

    def place(at: int, chance: float) -> str:
        return f"{LEFT + across * at / last:.1f},{TOP + down * (1 - chance):.1f}"

    grid = "".join(
        f'<path d="M{LEFT} {TOP + down * (1 - part / 4):.1f}h{across}" stroke="#d6c9b3"/>'
        f'<text x="{LEFT - 6}" y="{TOP + down * (1 - part / 4) + 4:.1f}" text-anchor="end">{25 * part} %</text>'
        for part in range(5)
    )
    ends = {side: TOP + down * (1 - line[-1][told["sides"].index(side)]) for side in told["sides"]}
    heights, lowest = {}, math.inf
    for side in sorted(ends, key=lambda one: -ends[one]):  # letters do not overlap
        lowest = heights[side] = min(ends[side], lowest - 13)
    lines = []
    for index, side in enumerate(sorted(set(told["sides"]))):
        seats = [i for i, each in enumerate(told["sides"]) if each == side]
        first = told["seats"][seats[0]]
        face, edge = LINES.get(first["seat"], LINES["f"])
        points = " ".join(place(at, each[seats[0]]) for at, each in enumerate(line))
        dash = f' stroke-dasharray="{DASHES[index % len(DASHES)]}"' if DASHES[index % len(DASHES)] else ""
        letters = escape("+".join(told["seats"][i]["letter"] for i in seats))
        lines.append(
            f'<polyline points="{points}" fill="none" stroke="{edge}" stroke-width="4"{dash}/>'
            f'<polyline points="{points}" fill="none" stroke="{face}" stroke-width="2"{dash}/>'
            f'<text x="{LEFT + across + 6}" y="{heights[side] + 4:.1f}" font-weight="700">{letters}</text>'
        )
    named = escape(told["words"]["line"])
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{named}" font-size="12" fill="#2b241f" '
        f'font-family="sans-serif"><rect width="{WIDTH}" height="{HEIGHT}" rx="10" fill="#fffaf0"/>{grid}{"".join(lines)}</svg>'
    )
