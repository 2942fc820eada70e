"""Board editors: tools, strokes and problems. A game's own checks find the problems.

An editor edits a draft: a board that may be unfinished. A game's `editor.py` gives the start boards, the tools, the changes
that a stroke (one use of a tool) makes, the picture of a draft, and the sentences for errors of the checks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import Meta

from bridgehead.core.errors import BoardError, BridgeheadError, convert_error
from bridgehead.core.phrases import Phrase, catalogue, join_phrases, phrase
from bridgehead.core.scene import Part
from bridgehead.core.validation import ready

T = TypeVar("T")
Spot = tuple[float, float]
LONGEST_NAME = 40
LONGEST_NOTE = 200
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]  # of a board
Author = Annotated[str, Meta(max_length=LONGEST_NAME)]
Note = Annotated[str, Meta(max_length=LONGEST_NOTE)]
SIGNS = {
    "move": "M-15 0H15M9-6L15 0L9 6M-9-6L-15 0L-9 6",
    "line": "M-15 10L15-10",
    "shift": "M-12 0H12M6-6L12 0L6 6",
    "erase": "M-11-11L11 11M11-11L-11 11",
}  # drawings of tools that games have in common
SIGNS |= {"put": SIGNS["move"], "off": SIGNS["erase"]}  # the same for things of a position
AXES = {
    "across": "M0-16V16M-5-8L-14 0L-5 8M5-8L14 0L5 8",
    "down": "M-16 0H16M-8-5L0-14L8-5M-8 5L0 14L8 5",
    "half": "M-12-8A14 14 0 0 1 12-8M12-8V-16M12-8H4M12 8A14 14 0 0 1-12 8M-12 8V16M-12 8H-4",
}  # how a drawing is made symmetrical, and the drawings of these tools: left and right, top and bottom, half a turn
FAULTS = {
    "wrong.type": "type",
    "wrong.kind": "type",
    "wrong.short": "short",
    "wrong.short_by": "short",
    "wrong.long": "long",
    "wrong.long_by": "long",
    "wrong.length": "length",
    "wrong.least": "least",
    "wrong.above": "above",
    "wrong.most": "most",
    "wrong.below": "below",
    "wrong.value": "value",
    "wrong.field": "field",
    "wrong.missing": "missing",
}  # errors of types, and the sentences that the people get who drew the board
CORE = catalogue(Path(__file__).parent)
PLACE = re.compile(r"board\.(\w+)(?:\[(\d+)\])?(?:\.(\w+))?")  # where a check found a fault: a part, its index, its field


class Tool(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tool of an editor.

    kind: "touch" (`touches` things on the board make a stroke), "press" (a button), "lot" (a button that sends a random
    number), "number" and "text" (an input with the present `value`; a number lies between low and high).
    seat: livery of its drawing. group: tools of one group stand together.
    """

    id: str
    label: str
    kind: str = "touch"
    touches: int = 1
    hint: str = ""
    parts: tuple[Part, ...] = ()
    seat: str = ""
    value: str | int = ""
    low: int = 0
    high: int = 0
    group: str = ""


class Toolbox:
    """Makes the tools of an editor in one language: labels and hints come from the catalogue, under the tool's name."""

    def __init__(self, tell: Callable[[Phrase, str], str], language: str) -> None:
        self._tell, self._language = tell, language

    def tell(self, key: str, **params: object) -> str:
        """A sentence of the catalogue."""
        return self._tell(phrase(key, **params), self._language)

    def touch(
        self, tool: str, touches: int = 1, parts: Iterable[Part] = (), kind: str = "touch", group: str = "", livery: str = "",
        key: str = "", **params: object,
    ) -> Tool:  # fmt: skip
        """A tool for the board, or a button. tool: `name` or `name:which`.

        livery: the livery letter of its drawing. key: the label's name in the catalogue, if it differs from the tool's.
        """
        name = tool.partition(":")[0]
        if name in SIGNS and not parts:
            parts = (Part(d=SIGNS[name], cls=f"m m-{'no' if name in ('erase', 'off') else 'go'} edit-stroke"),)
        label, hint = self.tell(f"edit.tool.{key or name}", **params), self.tell(f"edit.hint.{name}", **params)
        return Tool(tool, label, kind, touches, hint, tuple(parts), livery, group=group)

    def mirrors(self) -> tuple[Tool, ...]:
        """The buttons that make a drawing symmetrical."""
        look = {axis: [Part(d=sign, cls="m m-go edit-stroke")] for axis, sign in AXES.items()}
        return tuple(self.touch(f"mirror:{axis}", parts=look[axis], kind="press", key=f"mirror.{axis}") for axis in AXES)

    def number(self, tool: str, value: int, low: int, high: int) -> Tool:
        """An input for a whole number."""
        return Tool(tool, self.tell(f"edit.tool.{tool}"), "number", value=value, low=low, high=high, group="size")

    def signature(self, draft: Any) -> tuple[Tool, ...]:
        """The inputs for the board's name, its author and a note."""
        texts = (("name", draft.name, LONGEST_NAME), ("author", draft.author, LONGEST_NAME), ("note", draft.note, LONGEST_NOTE))
        return tuple(
            Tool(tool, CORE.text(f"edit.{tool}", self._language), "text", value=value, high=high, group="size")
            for tool, value, high in texts
        )


class Problem(NamedTuple):
    """A reason why a board is unplayable, and the things on the picture that it concerns."""

    phrase: Phrase
    show: tuple[str, ...] = ()


class NoStroke(BridgeheadError):
    """A stroke that changes nothing, with the reason."""

    def __init__(self, reason: Phrase, *show: str) -> None:
        super().__init__(reason)
        self.show = show


def forbid(bad: object, key: str, *show: str, **params: object) -> None:
    """Refuse a stroke with the sentence "edit.KEY" if something is bad. Errors: NoStroke."""
    if bad:
        raise NoStroke(phrase(f"edit.{key}", **params), *show)


def reflect(points: Collection[Spot], axis: str) -> Callable[[Spot], Spot]:
    """The mirror image of a point about the middle of these points.

    axis: one of AXES. Errors: NoStroke for any other, or for no points.
    """
    forbid(axis not in AXES or not points, "nothing")
    (left, right), (low, high) = ((min(each), max(each)) for each in zip(*points, strict=True))
    wide, tall = left + right, low + high
    return lambda point: (point[0] if axis == "down" else wide - point[0], point[1] if axis == "across" else tall - point[1])


def apply_stroke(strokes: Mapping[tuple[str, int], Callable[..., T]], draft: T, tool: str, touch: tuple[str, ...]) -> T:
    """The draft after a tool has touched these things. Errors: NoStroke.

    strokes: the changes by tool and number of touches. A tool `name:which` is looked up as `name:`; its change also gets `which`.
    """
    name, colon, which = tool.partition(":")
    change = strokes.get((name + colon, len(touch)))
    if change is None:
        raise NoStroke(phrase("edit.nothing"))
    return change(draft, which, *touch) if colon else change(draft, *touch)


class DrawnLayout(msgspec.Struct, Generic[T], frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A draft of a game that has one board and many layouts of it. A file of one without a name, an author or a note is bare."""

    layout: T
    name: Author = ""
    author: Author = ""
    note: Note = ""

    @property
    def is_bare(self) -> bool:
        return not (self.name or self.author or self.note)


def read_layout(kind: Any, data: Any, rule: str = "") -> DrawnLayout[Any]:
    """A layout from a file, or of this house rule, whose own part has this type. Errors: BoardError, naming the place."""
    drawn: Any = DrawnLayout
    found: DrawnLayout[Any] = (
        decode_draft(drawn[kind], data, rule) if isinstance(data, dict) else drawn(decode_draft(kind, data, rule))
    )
    return found


def change_layout(change: Callable[..., T]) -> Callable[..., DrawnLayout[T]]:
    """A change of what is laid out as one of the draft."""
    return lambda draft, *more: msgspec.structs.replace(draft, layout=change(draft.layout, *more))


def whole_number(text: str, low: int, high: int) -> int:
    """The number in an input. Errors: NoStroke."""
    if not re.fullmatch("[0-9]{1,4}", text) or not low <= int(text) <= high:
        raise NoStroke(phrase("edit.number", low=low, high=high))
    return int(text)


def _signed(field: str, least: int, most: int) -> Callable[[Any, str], Any]:
    """The change that writes a text into a draft. Errors: NoStroke."""

    def sign(draft: Any, text: str) -> Any:
        if not least <= len(text.strip()) <= most or not all(each.isprintable() for each in text.split()):
            raise NoStroke(phrase("edit.text", least=least, most=most))
        return msgspec.structs.replace(draft, **{field: text.strip()})

    return sign


SIGNATURE: dict[tuple[str, int], Callable[[Any, str], Any]] = {
    ("name", 1): _signed("name", 1, LONGEST_NAME),
    ("author", 1): _signed("author", 0, LONGEST_NAME),
    ("note", 1): _signed("note", 0, LONGEST_NOTE),
}
LAYOUT_SIGNATURE = {**SIGNATURE, ("name", 1): _signed("name", 0, LONGEST_NAME)}  # a layout needs no name


def decode_draft(kind: type[T], data: Any, rule: str = "") -> T:
    """Plain data as a draft of that type. rule: the house rule that holds them. Errors: BoardError, naming the place."""
    try:
        return msgspec.convert(data, ready(kind))
    except msgspec.ValidationError as error:
        found = convert_error(error)
        where = f"{found.where}.{found.phrase.params.get('field', '')}"  # a lacking or unknown field is no part of the path
        raise BoardError(describe_fault(found.phrase), (rule + where.removeprefix("$")).strip(".")[:80]) from None


def describe_fault(found: Phrase) -> Phrase:
    """What is wrong with the type of a value, for people who do not program: kinds and bounds in words."""
    sort, params = found.key.removeprefix("wrong."), found.params
    if found.key not in FAULTS:
        return found
    kinds = [_kind(each) for each in str(params.get("kind", "")).split(" | ")]
    wanted = join_phrases("or", kinds)
    if sort in ("type", "kind"):
        got = _kind(str(params["got"])) if "got" in params else phrase("kind.other")
        return phrase("fault.type", wanted=wanted, got=got)
    key = f"fault.{FAULTS[found.key]}" + (".text" if params.get("kind") == "str" else "")
    return phrase(key, **{name: value for name, value in params.items() if name != "kind"})


def _kind(name: str) -> Phrase:
    return phrase(f"kind.{name}" if name in ("int", "float", "str", "array", "object", "bool", "null") else "kind.other")


def plain(draft: Any) -> Any:
    """A draft as the data of a board file."""
    draft = draft.layout if isinstance(draft, DrawnLayout) and draft.is_bare else draft
    return msgspec.json.decode(msgspec.json.encode(draft))


def make_default_problem(error: BridgeheadError) -> Problem:
    """The problem in the words of the error, for an editor without a sentence of its own."""
    return Problem(error.whole)
