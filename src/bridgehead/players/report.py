"""An analysis in words, and as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.core.version import __version__
from bridgehead.players.advice import WORDS, narrate_action, percent, safe
from bridgehead.players.analysis import Moment, Study

PAGE_WORDS = (
    "line", "line.help", "moments", "moments.none", "luck", "luck.help", "luck.seat", "luck.luck", "luck.lost", "luck.decisions",
    "else",
)  # fmt: skip
WIDTH, HEIGHT, LEFT, TOP = 720, 260, 44, 14
ACROSS, DOWN = WIDTH - LEFT - 14, HEIGHT - 2 * TOP
# A line's colour and outline by the seat's livery, as on the boards; and its dashes, for readers who do not see the colour.
LINES = {
    "a": ("#000", "#3d3733"), "b": ("#56b4e9", "#226a96"), "c": ("#f0e442", "#8c8008"), "d": ("#d55e00", "#843900"),
    "e": ("#328", "#1c1157"), "f": ("#695a5a", "#3c3131"), "g": ("#e0f8e0", "#61806a"),
    "red": ("#a8261c", "#641009"), "black": ("#1d1a18", "#4b443f"),
}  # fmt: skip
DASHES = ("", "9 4", "3 3", "12 3 3 3", "6 6", "1 4")


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


def describe_end(match: Match, study: Study, language: str) -> str:
    """The end of the game, as a sentence of its rules, or as the record words it if people ended the game."""
    if match.position.is_over:
        return match.position.tell_prompt(language)
    return WORDS.tell(Phrase("unfinished"), language) if match.outcome is None else study.result


def tell_analysis(match: Match, study: Study, language: str) -> Report:
    """An analysis with its sentences in a language, for a page."""
    narrator = _Narrator(match, study, language)
    scene = match.game.spec.scene
    seats = zip(scene.plates(match.positions[0], language), narrator.names, study.seats, strict=True)
    return Report(
        words={key: narrator.text(key) for key in PAGE_WORDS},
        title=narrator.text("title", title=match.game.spec.title), result=describe_end(match, study, language),
        made=narrator.text("made", version=__version__, effort=study.effort, seed=study.seed),
        sides=list(study.sides),
        seats=[AnalysedSeat(plate.seat, plate.letter, name, *msgspec.structs.astuple(each)) for plate, name, each in seats],
        line=[list(each) for each in study.line],
        moments=narrator.moments(),
        steps=[narrator.step(at) for at in range(len(study.steps))],
    )  # fmt: skip


class _Narrator:
    def __init__(self, match: Match, study: Study, language: str) -> None:
        self.match, self.study, self.language = match, study, language
        self.names = match.game.name_seats(study.names, language)

    def text(self, key: str, **params: object) -> str:
        return WORDS.tell(Phrase(key, params), self.language)

    def sentence(self, at: int, action: int | None = None) -> str:
        """The log's sentence for an action, or for an alternative to it."""
        wanted = self.match.log[at].action if action is None else action
        return narrate_action(self.match.positions[at], wanted, self.language, self.study.names)

    def moments(self) -> list[KeyMoment]:
        """The key moments, and the actions after which a seat can no longer lose."""
        found = {each.at: self.moment(each) for each in self.study.moments}
        for at, sentence in self.bounds():
            if at in found:
                found[at].why += f" {sentence}"
            else:
                found[at] = KeyMoment(at, self.study.steps[at].turn, self.sentence(at), sentence)
        return [found[at] for at in sorted(found)]

    def bounds(self) -> Iterator[tuple[int, str]]:
        """The first action after which a seat can no longer lose, if it could before, and the sentence why."""
        for seat in range(self.match.game.seats):
            sentences = (safe(position, seat, self.language, self.study.names) for position in self.match.positions)
            first, sentence = next(((n, each) for n, each in enumerate(sentences) if each), (0, ""))
            if first:
                yield first - 1, sentence

    def moment(self, moment: Moment) -> KeyMoment:
        at = moment.at
        return KeyMoment(at, self.study.steps[at].turn, self.sentence(at), self.why(moment))

    def why(self, moment: Moment) -> str:
        """The cause of a key moment."""
        points, name = abs(round(100 * moment.points)), self.names[moment.seat]
        if moment.kind == "swing":
            before, after = (percent(self.study.line[at][moment.seat]) for at in (moment.at, moment.at + 1))
            return self.text("moment.rose" if moment.points > 0 else "moment.fell", name=name, before=before, after=after)
        if moment.kind == "luck":
            return self.text("moment.luck" if moment.points > 0 else "moment.unlucky", name=name, points=points)
        better = self.sentence(moment.at, self.study.steps[moment.at].ways[0].action)
        why, sentence = self.text("moment.lost", name=name, points=points, better=better), self.refutation(moment)
        return self.text("moment.answered", why=why, sentence=sentence) if sentence else why

    def refutation(self, moment: Moment) -> str:
        """The best answer of another side to an action that gave something away; "" if chance or its own side comes next."""
        sides, steps, at = self.match.game.sides, self.study.steps, moment.at + 1
        if at >= len(steps) or not steps[at].ways or sides[steps[at].actor] == sides[moment.seat]:
            return ""
        return self.sentence(at, steps[at].ways[0].action)

    def step(self, at: int) -> AnalysedAction:
        step = self.study.steps[at]
        if step.luck:
            return AnalysedAction(step.turn, step.actor, luck=list(step.luck))
        ways = [Alternative(way.text, self.sentence(at, way.action), way.chance, way.action == step.action) for way in step.ways]
        return AnalysedAction(step.turn, step.actor, lost=step.lost, ways=ways)


def page(match: Match, study: Study, language: str) -> str:
    """The analysis as one self-contained HTML file."""
    found = tell_analysis(match, study, language)
    grid = [(25 * part, TOP + DOWN * (1 - part / 4)) for part in range(5)]
    return render_page(
        Path(__file__).with_name("report.html"), language=language, found=found, words=found.words, percent=percent,
        turn=lambda n: WORDS.tell(Phrase("turn", {"n": n}), language), grid=grid, curves=curves(found),
        width=WIDTH, height=HEIGHT, left=LEFT, across=ACROSS,
    )  # fmt: skip


def render_page(template: Path, **values: object) -> str:
    """A page from its template."""
    import jinja2

    environment = jinja2.Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=jinja2.StrictUndefined)
    return environment.from_string(template.read_text("utf-8")).render(**values)


class Curve(NamedTuple):
    """The win chances of a side as a line of the chart: its points, colour, outline, dashes, and the names of its seats."""

    points: str
    face: str
    edge: str
    dashes: str
    names: str


def curves(found: Report) -> list[Curve]:
    """One line per side, distinguished by colour and dashes."""
    line, last = found.line, max(1, len(found.line) - 1)
    made = []
    for index, side in enumerate(sorted(set(found.sides))):
        seats = [i for i, each in enumerate(found.sides) if each == side]
        places = ((LEFT + ACROSS * at / last, TOP + DOWN * (1 - each[seats[0]])) for at, each in enumerate(line))
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        colours, names = LINES.get(found.seats[seats[0]].seat, LINES["f"]), ", ".join(found.seats[i].name for i in seats)
        made.append(Curve(points, *colours, DASHES[index % len(DASHES)], names))
    return made
