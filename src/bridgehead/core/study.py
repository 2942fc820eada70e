"""Walks and edits the tree of a match: its main line, the variations beside it, and the remarks on their positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Position
from bridgehead.core.match import Match
from bridgehead.core.record import field_ids
from bridgehead.core.remarks import DrawnShape, Path, Remark, Remarks, Variation, VariationLimits, path_text, plain_comment, tidy

LONGEST_PATH = 400  # characters


class Line(NamedTuple):
    """A line of play: the main line, or a variation. start: the path of the position at which it begins, () for the main line."""

    actions: Sequence[int]
    remarks: Remarks
    start: Path
    number: int = 0  # among the variations that begin there

    def path(self, count: int) -> Path:
        """The path of the position after some of its actions."""
        if not self.start:
            return (count,)
        return (*self.start, self.number, count) if count else self.start


def read_path(text: str) -> Path:
    """A path from its text. Errors: BridgeheadError."""
    words = text.split(".") if len(text) <= LONGEST_PATH else []
    if len(words) % 2 == 0 or not all(word.isascii() and word.isdigit() and len(word) < 9 for word in words):
        raise BridgeheadError("error.no_place", path=repr(text[:40]))
    return tuple(map(int, words))


def line_of(match: Match, path: Path) -> tuple[Line, int]:
    """The line that a path ends on, and the number of its actions before. Errors: BridgeheadError if there is no such place."""
    line = Line(match.actions, match.remarks, ())
    count = path[0]
    try:
        for i in range(1, len(path), 2):
            if count > len(line.actions):
                raise IndexError
            variation = line.remarks[count].variations[path[i]]
            line, count = Line(variation.actions, variation.remarks, path[:i], path[i]), path[i + 1]
            if not count:  # the position where it begins is a place of the line before
                raise IndexError
        if count > len(line.actions):
            raise IndexError
    except (IndexError, KeyError):
        raise BridgeheadError("error.no_place", path=path_text(path)) from None
    return line, count


def remark_at(match: Match, path: Path) -> Remark:
    """The remark on a position; an empty one if there is none."""
    line, count = line_of(match, path)
    return line.remarks.get(count) or Remark()


def actions_to(match: Match, path: Path) -> tuple[int, ...]:
    """The actions from the first position of the match to a place."""
    found: tuple[int, ...] = match.actions[: path[0]]
    for i in range(1, len(path), 2):
        line, count = line_of(match, path[: i + 2])
        found += tuple(line.actions[:count])
    return found


def position_at(match: Match, path: Path) -> Position:
    """The position at a place."""
    line_of(match, path)
    position = match.positions[path[0]]
    for action in actions_to(match, path)[path[0] :]:
        position = position.after(action)
    return position


def next_paths(match: Match, path: Path) -> list[Path]:
    """The places one action further: first that of the same line, then the variations."""
    line, count = line_of(match, path)
    same = [line.path(count + 1)] if count < len(line.actions) else []
    return same + [(*path, number, 1) for number in range(len(remark_at(match, path).variations))]


def lines(match: Match) -> Iterator[Line]:
    """The main line, and every variation after the line from which it departs."""
    waiting = [Line(match.actions, match.remarks, ())]
    while waiting:
        line = waiting.pop()
        yield line
        for count in sorted(line.remarks, reverse=True):
            for number, each in reversed([*enumerate(line.remarks[count].variations)]):
                waiting.append(Line(each.actions, each.remarks, line.path(count), number))


# Edits. One that fails may leave its match half changed, so edit a copy.


def play(match: Match, path: Path, action: int) -> Path:
    """Play an action at a place: go on where it was played before, else lengthen the line, else begin a variation.

    Errors: IllegalAction.
    """
    line, count = line_of(match, path)
    if count < len(line.actions) and line.actions[count] == action:
        return line.path(count + 1)
    position = position_at(match, path)
    variations = remark_at(match, path).variations
    for number, variation in enumerate(variations):
        if variation.actions[0] == action:
            return (*path, number, 1)
    position.play(action)
    if count == len(line.actions) and not variations and not (match.ended and not line.start):
        if line.start:
            _variation(match, path).actions.append(action)
        else:
            match.play(action)
        made = line.path(count + 1)
    else:
        others = _own(line.remarks, count).variations
        others.append(Variation([action]))
        made = (*path, len(others) - 1, 1)
    return _checked(match, made)


def _checked(match: Match, path: Path) -> Path:
    """The path, after a look at the size of the tree. Errors: BridgeheadError if a record may not have so much."""
    VariationLimits().all(match.remarks)
    return path


def _variation(match: Match, path: Path) -> Variation:
    """The variation that a path ends on."""
    return remark_at(match, path[:-2]).variations[path[-2]]


def _own(remarks: Remarks, count: int) -> Remark:
    return remarks.setdefault(count, Remark())


def comment(match: Match, path: Path, text: str) -> Path:
    """Set the comment on a position; an empty one removes it."""
    line, count = line_of(match, path)
    _own(line.remarks, count).comment = plain_comment(text)
    return _settled(match, line, path)


def draw(match: Match, path: Path, shape: DrawnShape) -> Path:
    """Draw an arrow or a circle at a position, remove it if it is there, or give it this colour. Errors: BridgeheadError."""
    line, count = line_of(match, path)
    known = field_ids(match.game)
    for name in (shape.start, shape.end):
        if name not in known:
            raise BridgeheadError("error.shape_no_field", title=match.game.spec.title, field=repr(name[:80]))
    shapes = _own(line.remarks, count).shapes
    others = [each for each in shapes if (each.start, each.end) != (shape.start, shape.end)]
    shapes[:] = others if shape in shapes else [*others, shape]
    return _settled(match, line, path)


def clear(match: Match, path: Path) -> Path:
    """Remove all arrows and circles of a position."""
    line, count = line_of(match, path)
    _own(line.remarks, count).shapes.clear()
    return _settled(match, line, path)


def _settled(match: Match, line: Line, path: Path) -> Path:
    kept = tidy(line.remarks)
    line.remarks.clear()
    line.remarks.update(kept)
    return _checked(match, path)


def delete(match: Match, path: Path) -> Path:
    """Delete the action that leads to a place, and everything after it. Returns the place before."""
    line, count = line_of(match, path)
    if not count:
        raise BridgeheadError("error.no_place", path=path_text(path))
    if line.start and count == 1:
        before, at = line_of(match, line.start)
        del before.remarks[at].variations[line.number]
        _settled(match, before, line.start)
        return line.start
    for at in [at for at in line.remarks if at >= count]:
        del line.remarks[at]
    if line.start:
        del _variation(match, path).actions[count - 1 :]
    else:
        _rewind(match, count - 1)
    return line.path(count - 1)


def _rewind(match: Match, length: int) -> None:
    """Shorten the main line. Notes on what is gone go with it, and so does an end that people agreed upon."""
    match.reopen()
    match.rewind(length)
    match.notes = [each for each in match.notes if each[0] <= length]


def promote(match: Match, path: Path) -> Path:
    """Exchange the variation of a place with the line from which it departs. Returns the new path of the place."""
    variation_line, count = line_of(match, path)
    if not variation_line.start:
        return path
    start, number = variation_line.start, variation_line.number
    line, at = line_of(match, start)
    promoted = line.remarks[at].variations[number]
    rest = Variation(list(line.actions[at:]), {i - at: line.remarks[i] for i in sorted(line.remarks) if i > at})
    kept = {i: line.remarks[i] for i in sorted(line.remarks) if i <= at}
    others = kept[at].variations
    if rest.actions:
        others[number] = rest
    else:
        del others[number]
    line.remarks.clear()
    line.remarks.update(kept | {i + at: each for i, each in promoted.remarks.items()})
    if line.start:
        _variation(match, start).actions[at:] = promoted.actions
    else:
        _rewind(match, at)
        for action in promoted.actions:
            match.play(action)
    _settled(match, line, path)
    return line.path(at + count)


def copy_match(match: Match) -> Match:
    """The same match with a tree of its own, to be edited."""
    again = Match(match.game, start=match.positions[0])
    again.log = [*match.log]
    again.positions, again.chances = match.positions.copy(again.log), match.chances
    again.notes, again.remarks = [*match.notes], _copied(match.remarks)
    again.chance = match.chance
    if match.ended:
        again.end(match.ended)
    return again


def _copied(remarks: Remarks) -> Remarks:
    return {at: Remark(each.comment, [*each.shapes], [*map(_copy, each.variations)]) for at, each in remarks.items()}


def _copy(variation: Variation) -> Variation:
    return Variation([*variation.actions], _copied(variation.remarks))
