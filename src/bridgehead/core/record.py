"""Writes a match as a text file that a person can read, and reads it back, checking every line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from bridgehead.core import ending
from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError, RecordError, convert_error
from bridgehead.core.game import Game, Position
from bridgehead.core.match import Match
from bridgehead.core.phrases import ENGLISH, Phrase, phrase
from bridgehead.core.registry import spec
from bridgehead.core.remarks import COLOURS, DrawnShape, Remark, Variation, VariationLimits, check_size, plain_comment, tidy
from bridgehead.core.spec import Spec

FIRST_LINE = "bridgehead record 1"
HEADERS = ("game", "rules", "options", "seats", "result")
DEEPEST = 5  # phrases within one another in a note; a stranger's record may nest thousands
LINE_END = re.compile("\r*\n|\r")  # not what Unicode counts as one besides: a name or a comment may contain it
FIELD = "f:"  # begins the id of every field
LONGEST_NOTE = 300  # most characters of a note, which names the player of a seat from there on
SOMETIMES = ("chance", "ended", "start")  # the value of "chance" is for people
LONGEST = 4_000_000  # most characters of a record; a longer one is refused before it is parsed


class Note(str):
    """The text of a note in English. phrase: what it was made from; None for a note of an older release or another program."""

    phrase: Phrase | None = None


def note(text: str, made_from: Phrase) -> Note:
    """A note that can be read in every language."""
    found = Note(text)
    found.phrase = made_from
    return found


def dump(match: Match, names: Sequence[str] = (), concealed: bool = False) -> str:
    """The record of a match: a header, a blank line, then a numbered line for each turn.

    Notes stand after `#`, comments after `>`, circles and arrows after `@`, variations between brackets, at their positions.

    concealed: leave out the house rules that the players may not see; the turns contain what was revealed of them.
    """
    game = match.game
    seats = [names[s] if s < len(names) else f"seat {s + 1}" for s in range(game.seats)]
    lines = [
        FIRST_LINE,
        f"game: {game.spec.id}",
        f"rules: {game.spec.version}",
        f"options: {house.canonical(game.options, concealed)}",
        f"seats: {json.dumps(seats, ensure_ascii=False)}",
        f"result: {result(match)}",
    ]
    if match.ended:
        lines.append(f"ended: {match.ended.text}")
    if match.chance:
        lines.append(f"chance: {match.chance}")
    if match.positions[0] != game.start():
        lines.append(f"start: {match.positions[0].text}")
    lines.append("")
    return "\n".join([*lines, *_body(match)]) + "\n"


def _body(match: Match) -> Iterator[str]:
    """The turns, with the notes and remarks between the actions where they belong."""
    notes: dict[int, list[str]] = {}
    for at, text in match.notes:
        notes.setdefault(min(at, len(match.log)), []).extend(_note_lines(text))

    def between(at: int) -> Iterator[str]:
        yield from notes.get(at, ())
        if at in match.remarks:
            yield from _remark_lines(match.remarks[at], match.positions[at])

    steps = ((entry.turn, match.positions[i].name(entry.action)) for i, entry in enumerate(match.log))
    yield from _turn_lines(steps, between)


def _turn_lines(steps: Iterable[tuple[int, str]], between: Callable[[int], Iterable[str]]) -> Iterator[str]:
    """Numbered lines of turns. steps: turn and text of each action; between: the lines before an action, by its number."""
    texts: list[str] = []
    at = number = 0
    for turn, text in steps:
        lines = [*between(at)]
        if texts and (lines or turn != number):
            yield f"{number + 1}. " + "; ".join(texts)
            texts = []
        yield from lines
        texts.append(text)
        at, number = at + 1, turn
    if texts:
        yield f"{number + 1}. " + "; ".join(texts)
    yield from between(at)


def _remark_lines(remark: Remark, position: Position) -> Iterator[str]:
    """A remark on this position: its comment, its shapes, and its variations in brackets."""
    for line in remark.comment.splitlines():
        yield f"> {line}".rstrip()
    for shape in remark.shapes:
        start, end = shape.start.removeprefix(FIELD), shape.end.removeprefix(FIELD)
        yield f"@{shape.colour} {start}" if start == end else f"@{shape.colour} {start} {end}"
    for variation in remark.variations:
        yield "("
        yield from (f"  {line}" for line in _variation_lines(variation, position))
        yield ")"


def _variation_lines(variation: Variation, position: Position) -> Iterator[str]:
    """The turns of a variation from this position."""
    reached = [position]

    def steps() -> Iterator[tuple[int, str]]:
        for action in variation.actions:
            before = reached[0]
            yield before.turn, before.name(action)
            reached[0] = before.after(action)

    def between(at: int) -> Iterator[str]:
        if at in variation.remarks:
            yield from _remark_lines(variation.remarks[at], reached[0])

    yield from _turn_lines(steps(), between)


def _note_lines(text: str) -> Iterator[str]:
    """A note, and below it the key and the parameters of its phrase."""
    yield f"# {one_line(text)}"
    if isinstance(text, Note) and text.phrase:
        yield f"# {json.dumps(text.phrase)}"


def _phrase_of(line: str) -> Phrase | None:
    """The phrase below a note; None for any other line."""
    try:
        found = _phrase(json.loads(line[2:]), DEEPEST) if line.startswith("# [") else None
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, Phrase) else None


def _phrase(value: object, depth: int) -> object:
    """A text or a number as it is, [key, parameters] as a phrase. depth: phrases it may have within it. Errors: ValueError."""
    match value:
        case str() | int():
            return value
        case [str(key), dict(params)] if depth:
            return Phrase(key, {name: _phrase(each, depth - 1) for name, each in params.items()})
    raise ValueError


def one_line(text: str) -> str:
    """The text of a note as it stands in a record."""
    return " ".join(text.split())[:LONGEST_NOTE]


def result(match: Match) -> str:
    """`unfinished`, or the reason and the winning seats counted from 1."""
    outcome = match.outcome
    if outcome is None:
        return "unfinished"
    if not outcome.winners:
        return f"{outcome.reason}, nobody wins"
    seats = " and ".join(str(s + 1) for s in outcome.winners)
    return f"{outcome.reason}, seat {seats} wins" if len(outcome.winners) == 1 else f"{outcome.reason}, seats {seats} win"


def load(text: str, *, is_begun: bool = False) -> tuple[Match, list[str]]:
    """The match of a record and the names of its seats. Errors: RecordError with line and reason.

    is_begun: a match whose actions come later, so the result in the header says nothing of it.
    """
    if len(text) > LONGEST:
        raise RecordError("error.longer_than_characters", longest=LONGEST)
    lines = LINE_END.split(text.lstrip("\ufeff"))
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if lines[first].strip() != FIRST_LINE:
        raise RecordError("error.record_begins", at_line(first + 1), first_line=repr(FIRST_LINE))
    head, body = _header(lines, first + 1)
    game = _game(head)
    names = _names(head, game)
    match = Match(game, start=_start(head, game))
    match.chance = head.get("chance", (0, ""))[1]
    _play(match, lines, body)
    _end(match, head)
    if not is_begun and result(match) != head["result"][1]:
        raise RecordError(
            "error.header_says_moves_say", at_line(head["result"][0]), head=repr(head["result"][1]), match=repr(result(match))
        )
    return match, names


def _header(lines: list[str], begin: int) -> tuple[dict[str, tuple[int, str]], int]:
    """The lines of the header by name, each with its number, and how many lines stand before the body.

    An empty line ends it, unless another line of the header follows: mail programs double line ends.
    """
    head: dict[str, tuple[int, str]] = {}
    is_parted = False
    for number, line in enumerate(lines[begin:], start=begin + 1):
        name, colon, value = line.strip().partition(":")
        if not line.strip():
            is_parted = True
        elif colon and name in HEADERS + SOMETIMES and name not in head:
            head[name] = (number, value.strip())
        elif is_parted:
            number -= 1
            break
        else:
            raise RecordError("error.not_header_line", at_line(number), line=repr(line[:80]))
    else:
        number = len(lines)
    missing = [name for name in HEADERS if name not in head]
    if missing:
        raise RecordError("error.header_lacks", at_line(number if is_parted else number + 1), missing=", ".join(missing))
    return head, number


def _game(head: dict[str, tuple[int, str]]) -> Game:
    number = head["game"][0]
    try:
        today = spec(head["game"][1])
        number = head["rules"][0]
        found = today.of_rules(head["rules"][1])
        if found is None:
            raise RecordError(other_rules(today, head["rules"][1]))
        number = head["options"][0]
        values = json.loads(head["options"][1])
        if not isinstance(values, dict):
            raise RecordError("error.options_json_object")
        return Game(found, house.build(found, "", values))
    except (BridgeheadError, ValueError, RecursionError) as error:
        raise RecordError(convert_error(error).whole, at_line(number)) from None


def other_rules(found: Spec, wanted: str) -> Phrase:
    """The error for a match under rules that are not installed, with the version to install."""
    package = found.package.partition(".")[0]
    return phrase("error.other_rules", wanted=wanted, version=found.version, title=found.title, package=package)


def at_line(number: int) -> Phrase:
    """A line of a record as the place of an error."""
    return phrase("error.line", number=number)


def _names(head: dict[str, tuple[int, str]], game: Game) -> list[str]:
    number, value = head["seats"]
    try:
        names = json.loads(value)
    except (ValueError, RecursionError):
        names = None
    if not isinstance(names, list) or len(names) != game.seats or not all(isinstance(n, str) for n in names):
        raise RecordError("error.seats_json_list_names", at_line(number), seats=game.seats)
    return names


def _start(head: dict[str, tuple[int, str]], game: Game):  # type: ignore[no-untyped-def]
    if "start" not in head:
        return None
    try:
        return game.load(head["start"][1])
    except BridgeheadError as error:
        raise RecordError(error.whole, at_line(head["start"][0])) from None


def _end(match: Match, head: dict[str, tuple[int, str]]) -> None:
    """End a match as its header line `ended` states."""
    if "ended" not in head:
        return
    try:
        match.end(ending.read(head["ended"][1]))
    except BridgeheadError as error:
        raise RecordError(error.whole, at_line(head["ended"][0])) from None


class _Open(NamedTuple):
    """A variation that is not closed yet. line: the line of the record at which it begins."""

    variation: Variation
    positions: list[Position]  # only the last is kept
    line: int


class _Body:
    """Reads the lines of a record's body into a match. Each method raises BridgeheadError for a line that it refuses."""

    def __init__(self, match: Match) -> None:
        self.match, self.open, self.count = match, list[_Open](), VariationLimits()
        self.fields: set[str] = set()

    def read(self, line: str, number: int) -> None:
        """A line that is not empty, and its number."""
        match, bare = self.match, line.strip()
        if not self.open and (found := _phrase_of(line)) and match.notes and match.notes[-1][0] == len(match.log):
            match.notes[-1] = len(match.log), note(match.notes[-1][1], found)
        elif not self.open and line.startswith("# "):
            match.notes.append((len(match.log), one_line(line[2:])))
        elif bare == ">" or bare.startswith("> "):
            remark = self.remark()
            remark.comment = plain_comment(f"{remark.comment}\n{bare[2:]}") if bare != ">" else f"{remark.comment}\n"
            check_size(remark.comment, 0)
        elif bare.startswith("@"):
            self.shape(bare)
        elif bare == "(":
            self.count.begin_variation(len(self.open) + 1)
            self.open.append(_Open(Variation(), [self.position], number))
        elif bare == ")":
            self.close()
        else:
            self.turn(bare, line)

    @property
    def position(self) -> Position:
        """The position here."""
        return self.open[-1].positions[0] if self.open else self.match.position

    def remark(self) -> Remark:
        """The remark on the position here. Before the first action of a variation that is the one where it begins."""
        for each in reversed(self.open):
            if each.variation.actions:
                return each.variation.remarks.setdefault(len(each.variation.actions), Remark())
        return self.match.remarks.setdefault(len(self.match.log), Remark())

    def shape(self, line: str) -> None:
        """A line with a circle or an arrow."""
        game, (colour, *names) = self.match.game, line[1:].split(" ")
        names = [name for name in names if name]
        if not 1 <= len(names) <= 2 or colour not in COLOURS:
            raise BridgeheadError("error.shape_form", line=repr(line[:80]))
        self.fields = self.fields or field_ids(game)
        for name in names:
            if FIELD + name not in self.fields:
                raise BridgeheadError("error.shape_no_field", title=game.spec.title, field=repr(name[:80]))
        shapes, made = self.remark().shapes, DrawnShape(FIELD + names[0], FIELD + names[-1], colour)
        if made not in shapes:
            shapes.append(made)
        check_size("", len(shapes))

    def close(self) -> None:
        """A variation ends."""
        if not self.open:
            raise BridgeheadError("error.variation_not_open")
        variation = self.open.pop().variation
        if not variation.actions:
            raise BridgeheadError("error.variation_empty")
        variation.remarks = tidy(variation.remarks)
        self.remark().variations.append(variation)

    def turn(self, text: str, line: str) -> None:
        """A line with the actions of a turn, or of a part of it."""
        found = re.fullmatch(r"(\d{1,9})\. (.+)", text)
        if not found:
            raise BridgeheadError("error.not_turn_like_12_action", line=repr(line[:80]))
        for action in (each.strip() for each in found[2].split(";")):
            position = self.position
            if int(found[1]) != position.turn + 1:
                raise BridgeheadError("error.turn_where_turn_played", found=found[1], turn=position.turn + 1)
            try:
                self.play(action)
            except BridgeheadError as error:
                raise BridgeheadError(Phrase("error.at", {"where": repr(action[:80]), "what": error.whole})) from None

    def play(self, text: str) -> None:
        """An action of the main line, or of the variation that is open."""
        if not self.open:
            self.match.play(text)
            return
        self.count.play()
        variation, positions, _ = self.open[-1]
        action = positions[0].read(text)
        positions[0] = positions[0].play(action)
        variation.actions.append(action)


def field_ids(game: Game) -> set[str]:
    """The ids of the fields of a game's picture, to which shapes refer."""
    return {field.id for field in game.spec.scene.picture(game, ENGLISH).fields}


def _play(match: Match, lines: list[str], body: int) -> None:
    reader = _Body(match)
    for number, line in enumerate(lines[body:], start=body + 1):
        if not line.strip():
            continue
        try:
            reader.read(line, number)
        except BridgeheadError as error:
            raise RecordError(error.whole, at_line(number)) from None
    if reader.open:
        raise RecordError("error.variation_not_closed", at_line(reader.open[-1].line))
    match.remarks = tidy(match.remarks)
