"""Writes a match as a text file that a person can read, and reads it back, checking every line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from bridgehead.core import ending
from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError, RecordError, understood
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.registry import spec
from bridgehead.core.spec import Spec

FIRST_LINE = "bridgehead record 1"
HEADERS = ("game", "rules", "options", "seats", "result")
DEEPEST = 5  # phrases within one another in a note; a stranger's record may nest thousands
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
    """The record of a match: a header, a blank line, then one numbered line per turn, and notes after `#`.

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
    """The turns, with the notes between the actions where they belong."""
    notes = sorted(((min(at, len(match.log)), i, text) for i, (at, text) in enumerate(match.notes)), reverse=True)
    for number, indices in match.turns():
        texts: list[str] = []
        for i in indices:
            if notes and notes[-1][0] <= i and texts:
                yield f"{number}. " + "; ".join(texts)
                texts = []
            while notes and notes[-1][0] <= i:
                yield from _note_lines(notes.pop()[2])
            texts.append(match.positions[i].name(match.log[i].action))
        yield f"{number}. " + "; ".join(texts)
    while notes:
        yield from _note_lines(notes.pop()[2])


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


def load(text: str) -> tuple[Match, list[str]]:
    """The match of a record and the names of its seats. Errors: RecordError with line and reason."""
    if len(text) > LONGEST:
        raise RecordError("error.longer_than_characters", longest=LONGEST)
    lines = text.lstrip("\ufeff").splitlines()
    if not lines or lines[0].strip() != FIRST_LINE:
        raise RecordError("error.record_begins", at_line(1), first_line=repr(FIRST_LINE))
    head, body = _header(lines)
    game = _game(head)
    names = _names(head, game)
    match = Match(game, start=_start(head, game))
    match.chance = head.get("chance", (0, ""))[1]
    _play(match, lines, body)
    _end(match, head)
    if result(match) != head["result"][1]:
        raise RecordError(
            "error.header_says_moves_say", at_line(head["result"][0]), head=repr(head["result"][1]), match=repr(result(match))
        )
    return match, names


def _header(lines: list[str]) -> tuple[dict[str, tuple[int, str]], int]:
    head: dict[str, tuple[int, str]] = {}
    for number, line in enumerate(lines[1:], start=2):
        if not line.strip():
            break
        name, colon, value = line.partition(":")
        if not colon or name in head or name not in HEADERS + SOMETIMES:
            raise RecordError("error.not_header_line", at_line(number), line=repr(line[:80]))
        head[name] = (number, value.strip())
    else:
        number = len(lines) + 1
    missing = [name for name in HEADERS if name not in head]
    if missing:
        raise RecordError("error.header_lacks", at_line(number), missing=", ".join(missing))
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
        raise RecordError(understood(error).whole, at_line(number)) from None


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


def _play(match: Match, lines: list[str], body: int) -> None:
    for number, line in enumerate(lines[body:], start=body + 1):
        if not line.strip():
            continue
        if (found_phrase := _phrase_of(line)) and match.notes and match.notes[-1][0] == len(match.log):
            match.notes[-1] = len(match.log), note(match.notes[-1][1], found_phrase)
            continue
        if line.startswith("# "):
            match.notes.append((len(match.log), one_line(line[2:])))
            continue
        found = re.fullmatch(r"(\d{1,9})\. (.+)", line.strip())
        if not found:
            raise RecordError("error.not_turn_like_12_action", at_line(number), line=repr(line[:80]))
        for text in found[2].split(";"):
            if int(found[1]) != match.position.turn + 1:
                raise RecordError("error.turn_where_turn_played", at_line(number), found=found[1], turn=match.position.turn + 1)
            try:
                match.play(text.strip())
            except BridgeheadError as error:
                raise RecordError(
                    Phrase("error.at", {"where": repr(text.strip()[:80]), "what": error.whole}), at_line(number)
                ) from None
