"""Studies: the tree of a record, edited stroke by stroke, and one of its positions as a page shows it. In worker processes.

Nothing is stored: the page sends its record and a stroke, and gets the new record.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from cachetools import LRUCache

from bridgehead.core import link, record, study
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.match import Match
from bridgehead.core.own_boards import headline
from bridgehead.core.remarks import DrawnShape, Path, Remark, path_text
from bridgehead.core.spec import CHANCE
from bridgehead.core.validation import ready
from bridgehead.players.subprocess_player import describe_position
from bridgehead.server.messages.server import ReasonView
from bridgehead.server.messages.studies import StudyLine, StudyLinks, StudyStep, StudyStroke, StudyView
from bridgehead.server.rooms import views
from bridgehead.server.tables.names import clean_name

MOST_BYTES = 900_000  # of a record that an edit may make: it has to come back as a request
KEPT = 6  # records whose matches are kept, since pages ask for one position after another
LAST = "last"  # the place at the end of the main line
_kept: LRUCache[str, tuple[Match, list[str]]] = LRUCache(KEPT)


def stroke(body: bytes, language: str, longest: int) -> bytes:
    """In a worker: a `StudyView` after a stroke. Errors: DecodeError, RecordError, BridgeheadError, IllegalAction."""
    asked = msgspec.json.decode(body, type=ready(StudyStroke))
    match, names, path = _opened(asked, longest)
    text = asked.record
    if asked.do:
        match = study.copy_match(match)
        path = _edited(match, asked, path)
        if len(match.log) > longest:
            raise BridgeheadError("server:error.record_actions_most_can_shown", count=len(match.log), longest=longest)
        text = record.dump(match, names)
        if len(text.encode()) > MOST_BYTES:
            raise BridgeheadError("server:error.study_too_large", most=MOST_BYTES)
        _kept[text] = match, names
    elif not text.startswith(record.FIRST_LINE):  # a link, or a file with a byte order mark
        text = record.dump(match, names)
        _kept[text] = match, names
    return msgspec.json.encode(_view(match, names, path, language, text, asked))


def _edited(edited: Match, asked: StudyStroke, path: Path) -> Path:
    """Carry out a stroke. Returns the place to show. Errors: as those of `core.study`."""
    match asked.do:
        case "play":
            return study.play(edited, path, asked.action)
        case "comment":
            return study.comment(edited, path, asked.text)
        case "draw":
            fields = [*asked.touch, *asked.touch]
            if len(asked.touch) not in (1, 2):
                raise BridgeheadError("error.shape_form", line=repr(asked.touch))
            return study.draw(edited, path, DrawnShape(fields[0], fields[1], asked.colour))
        case "clear":
            return study.clear(edited, path)
        case "delete":
            return study.delete(edited, path)
        case _:
            return study.promote(edited, path)


def _opened(asked: StudyStroke, longest: int) -> tuple[Match, list[str], Path]:
    """The match, the names of its seats, and the place that a request names."""
    if asked.record not in _kept:
        match, names = link.read(asked.record)
        if len(match.log) > longest:
            raise BridgeheadError("server:error.record_actions_most_can_shown", count=len(match.log), longest=longest)
        _kept[asked.record] = match, [clean_name(name) for name in names]
    match, names = _kept[asked.record]
    path = (len(match.log),) if asked.at == LAST else study.read_path(asked.at)
    study.line_of(match, path)
    return match, names, path


def _view(match: Match, names: list[str], path: Path, language: str, text: str, asked: StudyStroke) -> StudyView:
    """A position of a study. The picture and the tree are left out where the page has them."""
    line = line_to(match, path)
    game, scene, position = match.game, match.game.spec.scene, line.position
    narrator = views.TableText(line, names, language)
    remark, frame = study.remark_at(match, path), views.frame(narrator, len(line.log))
    shown = StudyView(
        game.spec.id, headline(game), [narrator.names.get(seat.key, "") for seat in game.seat_phrases], path_text(path), frame,
        narrator.prompt(position), position.turn + 1, remark.comment, remark.shapes,
        [path_text(each) for each in study.next_paths(match, path)],
    )  # fmt: skip
    if position.is_chance:
        shown.faces = narrator.faces()
    elif not position.is_over:
        shown.choices, shown.buttons = scene.choices(position, language), dict(scene.buttons(position, language))
    if asked.fresh:
        shown.picture = scene.picture(game, language)
    if asked.fresh or asked.do:
        shown.record, shown.tree = text, [*_tree(match)]
    return shown


def line_to(match: Match, path: Path) -> Match:
    """The match of the actions that lead to a place. That of the last one of the main line ends as the match did."""
    line = study.copy_match(match)
    line.remarks = {}
    if path != (len(match.log),):
        line.reopen()
        line.rewind(path[0])
        for action in study.actions_to(match, path)[path[0] :]:
            line.play(action)
    return line


def _tree(match: Match) -> Iterator[StudyLine]:
    """Every line of play with its actions in notation. The main line begins with the first position, which no action leads to."""
    for line in study.lines(match):
        position = study.position_at(match, line.start or (0,))
        steps = [] if line.start else [_step((0,), 0, CHANCE, "", line.remarks)]
        for count, action in enumerate(line.actions, start=1):
            steps.append(_step(line.path(count), position.turn + 1, position.actor, position.name(action), line.remarks))
            position = position.after(action)
        yield StudyLine(path_text(line.start), steps)


def _step(path: Path, turn: int, actor: int, text: str, remarks: dict[int, Remark]) -> StudyStep:
    remark = remarks.get(path[-1]) or Remark()
    return StudyStep(path_text(path), turn, actor, text, remark.comment, len(remark.shapes))


def links(body: bytes, longest: int) -> bytes:
    """In a worker: a study as a link, and the way to its place as one, which can be played on."""
    asked = msgspec.json.decode(body, type=ready(StudyStroke))
    match, names, path = _opened(asked, longest)
    line = line_to(match, path)
    return msgspec.json.encode(StudyLinks(link.pack(match, names), link.pack(line, names), len(line.log)))


def branches(text: str, log: list[int], longest: int) -> tuple[str, dict[str, object], list[list[int]]]:
    """In a worker: the game and the house rules of a record, and its lines that go on after these actions.

    Errors: RecordError, BridgeheadError.
    """
    match, _, _ = _opened(StudyStroke(text), longest)
    found = []
    for line in study.lines(match):
        actions = [*study.actions_to(match, line.path(len(line.actions)))]
        if len(actions) > len(log) and actions[: len(log)] == log:
            found.append(actions[len(log) :])
    return match.game.spec.id, match.game.differences, found


def why(body: bytes, language: str, longest: int) -> bytes:
    """In a worker: the reason why things cannot be touched at a place."""
    asked = msgspec.json.decode(body, type=ready(StudyStroke))
    match, names, path = _opened(asked, longest)
    line = line_to(match, path)
    reason: ReasonView = views.why(
        line.position, views.TableText(line, names, language), tuple(asked.touch), (line.position.actor,)
    )
    return msgspec.json.encode(reason)


def open_advised_position(body: bytes, longest: int) -> tuple[str, str, str, list[str]]:
    """In a worker: the position at a place of a record, described for `advise`. Errors: BridgeheadError if nobody acts there."""
    asked = msgspec.json.decode(body, type=ready(StudyStroke))
    match, names, path = _opened(asked, longest)
    position = study.position_at(match, path)
    if position.actor < 0:
        raise BridgeheadError("players:error.no_seat_act", "position")
    return (*describe_position(position), names)
