"""Remarks on the positions of a match: comments, arrows and circles, and variations, which have remarks in turn.

A place in this tree is a path: the number of actions played on the main line, then, for each variation on the way, its number
and the number of its actions. `12.0.3` is three actions into the first variation after twelve actions.
"""

from __future__ import annotations

import msgspec

from bridgehead.core.errors import BridgeheadError

DEEPEST = 32  # variations within one another
MOST = 2000  # variations of a record
MOST_ACTIONS = 20_000  # actions of all variations together
LONGEST = 4000  # characters of a comment
MOST_SHAPES = 64  # arrows and circles at one position
COLOURS = ("", "red", "blue", "yellow")  # of drawings; the first is green
Path = tuple[int, ...]


class DrawnShape(msgspec.Struct, frozen=True, array_like=True):
    """An arrow between two fields of the picture, by their ids; a circle if both are the same. colour: of `COLOURS`."""

    start: str
    end: str
    colour: str = ""


class Remark(msgspec.Struct):
    """What is added to a position. variations: other lines of play that begin here."""

    comment: str = ""
    shapes: list[DrawnShape] = []
    variations: list[Variation] = []


class Variation(msgspec.Struct):
    """A line of play beside the main line. remarks: by the number of its actions played before, from 1."""

    actions: list[int] = []
    remarks: dict[int, Remark] = {}


Remarks = dict[int, Remark]


def plain_comment(text: str) -> str:
    """A comment as a record keeps it: without characters that cannot be printed, and without blanks at the ends of lines."""
    lines = ("".join(c for c in line.replace("\t", " ") if c.isprintable()).rstrip() for line in text.splitlines())
    return "\n".join(lines).strip("\n ")


def check_size(comment: str, shapes: int) -> None:
    """Errors: BridgeheadError if a remark is larger than one may be."""
    if len(comment) > LONGEST:
        raise BridgeheadError("error.comment_long", longest=LONGEST)
    if shapes > MOST_SHAPES:
        raise BridgeheadError("error.shapes_many", most=MOST_SHAPES)


class VariationLimits:
    """Counts variations and their actions. Errors: BridgeheadError as soon as there are more than a record may have."""

    def __init__(self) -> None:
        self.variations = self.actions = 0

    def begin_variation(self, depth: int) -> None:
        """Count a variation, and refuse too many or too deep ones. depth: the number of variations that it is in, with itself."""
        self.variations += 1
        if depth > DEEPEST:
            raise BridgeheadError("error.variations_deep", deepest=DEEPEST)
        if self.variations > MOST:
            raise BridgeheadError("error.variations_many", most=MOST)

    def play(self, actions: int = 1) -> None:
        """Count actions in a variation, and refuse too many."""
        self.actions += actions
        if self.actions > MOST_ACTIONS:
            raise BridgeheadError("error.variation_actions_many", most=MOST_ACTIONS)

    def all(self, remarks: Remarks, depth: int = 0) -> None:
        """Count all variations in these remarks."""
        for remark in remarks.values():
            check_size(remark.comment, len(remark.shapes))
            for each in remark.variations:
                self.begin_variation(depth + 1)
                self.play(len(each.actions))
                self.all(each.remarks, depth + 1)


def tidy(remarks: Remarks) -> Remarks:
    """The remarks that say something, in the order of their places."""
    return {at: remarks[at] for at in sorted(remarks) if remarks[at] != Remark()}


def path_text(path: Path) -> str:
    """A path in one word: `12.0.3`."""
    return ".".join(map(str, path))
