"""What may change in a game: values of its house rules, and boards a few strokes of its editor away from the present one."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.descriptions import about
from bridgehead.core.editing import NoStroke
from bridgehead.core.errors import BoardError, BridgeheadError, OptionError
from bridgehead.core.game import Game
from bridgehead.core.phrases import ENGLISH
from bridgehead.workshop.lab.causes.structure import measure_gap
from bridgehead.workshop.lab.words import phrase, tell

MOST_VALUES = 64
ALL = "options"  # every house rule but the number of seats
BOARD = "board"  # the name of the changes that an editor makes
BOARDS, STROKES, ATTEMPTS = 12, 2, 4000  # drawn boards, strokes of each at most, and attempts to draw one
EVENED, LOOKED = 6, 400  # boards on which the seats are nearer to even, and boards that are looked at for them
KEPT = ("seats",)  # house rules that change only if the designer names them


Strokes = tuple[tuple[str, ...], ...]  # of an editor: the tool and what it touches


class Change(NamedTuple):
    """One change: the house rule, the rules that it sets, and the strokes of the editor behind it."""

    option: str
    rules: tuple[tuple[str, str], ...]  # values as JSON, so that a change can be compared
    strokes: Strokes = ()

    @property
    def values(self) -> dict[str, Any]:
        """The house rules that it sets."""
        return {name: json.loads(value) for name, value in self.rules}


class Setting(NamedTuple):
    """Changes of the designer's rules."""

    changes: tuple[Change, ...] = ()

    @property
    def options(self) -> frozenset[str]:
        """The house rules that it changes."""
        return frozenset(change.option for change in self.changes)

    def rules(self, base: Game) -> dict[str, Any]:
        """All house rules that differ from the standard."""
        return base.differences | {name: value for change in self.changes for name, value in change.values.items()}

    def make_game(self, base: Game) -> Game | None:
        """The game, if these rules can be played and leave the seats and sides as they are."""
        try:
            found = registry.game(base.spec.id, **self.rules(base))
        except BridgeheadError:
            return None
        return found if found.sides == base.sides or any(change.option in KEPT for change in self.changes) else None

    def key(self) -> str:
        """Equal settings have equal keys, however they were found."""
        return json.dumps(sorted({name: value for change in self.changes for name, value in change.rules}.items()))

    def plus(self, change: Change) -> Setting | None:
        """With one more change, unless its house rule has been changed already."""
        taken = {name for each in self.changes for name in (each.option, *each.values)}
        if taken & {change.option, *change.values}:
            return None
        return Setting(tuple(sorted((*self.changes, change))))

    def cost(self, base: Game) -> float:
        """How much it changes: the number of changes, and a little for the distance of each new value from the old one."""
        return len(self.changes) + sum(_far(base, change) for change in self.changes) / 1000

    def words(self, base: Game, language: str = ENGLISH) -> list[str]:
        """Each change as a difference: "Lives: 2 → 6"."""
        return [each for change in self.changes for each in _words(base, change, language)]


def _far(base: Game, change: Change) -> int:
    """The number of values between the old one and the new one; of a drawn board, the strokes."""
    if change.strokes:
        return len(change.strokes)
    plain, tried = _plain(base), house.tries(base.spec)
    places = [
        [tried[name].index(each) for each in (plain[name], value) if each in tried[name]] for name, value in change.values.items()
    ]
    return max((abs(both[1] - both[0]) if len(both) == 2 else len(tried[change.option]) for both in places), default=0)


def _plain(base: Game) -> dict[str, Any]:
    """The house rules of a game by their names, as JSON values."""
    found: dict[str, Any] = msgspec.to_builtins(base.options)
    return found


def _words(base: Game, change: Change, language: str) -> Iterator[str]:
    described = about(base.spec, language)
    if change.strokes:
        tools, things = _labels(base, language)
        parts = [
            f"{tools.get(tool, tool)} ({', '.join(things.get(each) or each.rpartition(':')[2] for each in touched)})"
            for tool, *touched in change.strokes
        ]
        yield tell(phrase("tune.board", strokes=", ".join(parts)), language)
        return
    plain = _plain(base)
    for name, value in change.values.items():
        old, new = (described.short(name, each) for each in (plain.get(name), value))
        yield tell(phrase("tune.change", option=described.name(name), old=old, new=new), language)


def changes(text: str, base: Game, seed: int) -> tuple[Change, ...]:
    """All single changes that a designer allows: `lives=3..9,flip,board`.

    `options`, or nothing, is every house rule but the number of seats; `board` draws boards with the game's editor.
    Errors: OptionError for an unknown house rule or an impossible range.
    """
    tried, found = house.tries(base.spec), list[Change]()
    hidden, parts = house.find_hidden_options(base.options), _parts(text.strip() or ALL, (*tried, ALL, BOARD))
    named = [(name, tried[name]) for name in tried if ALL in parts and name not in (*KEPT, *hidden, *parts)]
    named += [_named(base, part, tried) for part in parts if part != ALL]
    for name, values in named:
        found += [Change(name, ((name, json.dumps(value, sort_keys=True)),)) for value in values]
        if BOARD in parts and name == BOARD:
            found += [*even_boards(base, seed), *vary_boards(base, seed)]
    if len({name for name, _ in named}) < len(named):
        raise OptionError("lab:error.change_twice", "--change")
    kept, laws = list[Change](), {_law(base)}
    for change in found:
        made = Setting((change,)).make_game(base)
        if made is not None and (law := _law(made)) not in laws:
            laws.add(law)
            kept.append(change)
    if not kept:
        raise OptionError("lab:error.change_none", "--change", options=", ".join([name for name in tried if tried[name]]))
    return tuple(kept)


def _parts(text: str, known: Sequence[str]) -> list[str]:
    """The parts between commas; one that begins with no known name belongs to the value before it."""
    parts: list[str] = []
    for piece in text.split(","):
        head = piece.partition("=")[0].strip()
        if not parts or head in known or "=" in piece or "=" not in parts[-1]:
            parts.append(piece.strip())
        else:
            parts[-1] += "," + piece
    return parts


def _named(base: Game, part: str, tried: dict[str, tuple[Any, ...]]) -> tuple[str, tuple[Any, ...]]:
    """A house rule and its values: `flip`, `lives=3..9`, `lives=10..100/10` or `flip=step|destination`. Errors: OptionError."""
    name, given, values = part.partition("=")
    name = name.strip()
    has_editor = base.spec.is_editable and not base.spec.editor.SEALED
    if name not in tried and not (name == BOARD and has_editor):
        known = ", ".join([*tried, *([BOARD] if has_editor and BOARD not in tried else [])])
        raise OptionError("error.no_house_rule", "--change", title=base.spec.title, name=repr(name[:40]), known=known)
    if not given:
        usable = tried.get(name, ())
        if not usable and name != BOARD:
            raise OptionError("lab:error.change_values", "--change", name=name)
        return name, usable
    span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)(?:/(\d+))?", values.strip())
    if span:
        low, high, step = int(span[1]), int(span[2]), int(span[3] or 1)
        found = tuple(range(low, high + 1, max(1, step))) if high - low < 1000 * max(1, step) else ()
    else:
        found = tuple(house.read(base.spec, f"{name}={value.strip()}")[name] for value in values.split("|"))
    if not 1 <= len(found) <= MOST_VALUES:
        raise OptionError("lab:error.change_range", "--change", part=repr(part[:60]), most=MOST_VALUES)
    for value in found:
        try:
            house.build(base.spec, "", base.differences | {name: value})
        except BoardError:
            continue
    return name, found


def _law(game: Game) -> bytes:
    """What distinguishes one set of rules from another in play: its law and where the pieces start."""
    start: bytes = game.start().copy_states().tobytes()
    return start + bytes(game.law.tobytes())


# Boards


def vary_boards(base: Game, seed: int, count: int = BOARDS) -> list[Change]:
    """Playable boards a few strokes away from the present one; the same seed draws the same boards."""
    draft, lot, found, laws = _draft(base), random.Random(seed), list[Change](), set[bytes]()
    if draft is None:
        return []
    for _ in range(ATTEMPTS):
        if len(found) == count:
            break
        made = _stroked(base, draft, lot, lot.randint(1, STROKES))
        if made is None:
            continue
        rules, strokes = made
        change = Change(BOARD, tuple((name, json.dumps(value, sort_keys=True)) for name, value in rules.items()), strokes)
        game = Setting((change,)).make_game(base)
        if game is not None and (law := _law(game)) not in laws and _look(game) != _look(base):
            laws.add(law)
            found.append(change)
    return found


def even_boards(base: Game, seed: int, count: int = EVENED) -> list[Change]:
    """Boards one stroke away on which the seats start nearer to equally far from their goals, the most even first.

    Such a stroke moves a door, adds a step or closes a short cut: the cause of an unfair start is tried before others.
    """
    draft, gap = _draft(base), measure_gap(base)
    if draft is None or not gap:
        return []
    found: list[tuple[int, int, Change]] = []
    for number, stroke in enumerate(_list_strokes(base, draft, random.Random(seed))[:LOOKED]):
        try:
            rules = _rules(base, base.spec.editor.stroke(draft, stroke[0], stroke[1:]))
        except (NoStroke, BridgeheadError):
            continue
        change = Change(BOARD, tuple((name, json.dumps(value, sort_keys=True)) for name, value in rules.items()), (stroke,))
        game = Setting((change,)).make_game(base)
        then = None if game is None else measure_gap(game)
        if then is not None and then < gap:
            found.append((then, number, change))
    return [change for _, _, change in sorted(found)[:count]]


def _list_strokes(base: Game, draft: Any, lot: random.Random) -> list[tuple[str, ...]]:
    """Single strokes of tools that touch the board, shuffled within each tool and dealt tool by tool."""
    editor, dealt = base.spec.editor, list[tuple[int, tuple[str, ...]]]()
    for tool in editor.tools(draft, ENGLISH):
        if tool.kind != "touch":
            continue
        picture, items = editor.sketch(draft, tool.id, ENGLISH)
        things = [field.id for field in picture.fields] + sorted({item.id for item in items if item.at})
        touches = [(thing,) for thing in things] if tool.touches == 1 else list(itertools.permutations(things, tool.touches))
        dealt += enumerate((tool.id, *touch) for touch in lot.sample(touches, min(LOOKED, len(touches))))
    return [stroke for _, stroke in sorted(dealt, key=lambda each: each[0])]


def _draft(base: Game) -> Any:
    """The present board as a draft of the editor: the start board that gives the same law; None if there is none."""
    if not base.spec.is_editable or base.spec.editor.SEALED:
        return None
    editor = base.spec.editor
    given = getattr(base.options, "board", None)
    for data in [given] if isinstance(given, dict) else editor.starts().values():
        try:
            draft = editor.read(data)
            made = registry.game(base.spec.id, **base.differences | _rules(base, draft))
        except BridgeheadError:
            continue
        if _look(made) == _look(base):
            return draft
    return None


def _look(game: Game) -> Any:
    """The start of a game as it can be seen, in whatever order its board was written down."""
    picture = game.spec.scene.picture(game, ENGLISH)
    return sorted(map(repr, picture.fields)), game.start().text


def _rules(base: Game, draft: Any) -> dict[str, Any]:
    """The house rules to play a draft with the present number of seats."""
    return {**base.spec.editor.rules(draft), "seats": base.seats}


def _labels(base: Game, language: str) -> tuple[dict[str, str], dict[str, str]]:
    """What the editor calls its tools, and the things on the present board."""
    draft, editor = _draft(base), base.spec.editor
    if draft is None:
        return {}, {}
    tools, (picture, items) = editor.tools(draft, language), editor.sketch(draft, "", language)
    labels = {each.id: each.label for each in (*items, *picture.fields) if each.label}
    labels |= {item.at: item.label for item in items if item.at and item.label}
    return {tool.id: tool.label for tool in tools}, labels


def _stroked(
    base: Game, draft: Any, lot: random.Random, strokes: int
) -> tuple[dict[str, Any], tuple[tuple[str, ...], ...]] | None:
    """A draft after some random strokes, as house rules, with the strokes; None if a stroke is not possible."""
    editor, done = base.spec.editor, list[tuple[str, ...]]()
    for _ in range(strokes):
        tools = [tool for tool in editor.tools(draft, ENGLISH) if tool.kind == "touch"]
        tool = lot.choice(tools)
        picture, items = editor.sketch(draft, tool.id, ENGLISH)
        things = [field.id for field in picture.fields] + sorted({item.id for item in items if item.at})
        touch = tuple(lot.choice(things) for _ in range(tool.touches))
        try:
            draft = editor.stroke(draft, tool.id, touch)
        except (NoStroke, BridgeheadError, KeyError, ValueError, IndexError):
            return None
        done.append((tool.id, *touch))
    try:
        return _rules(base, draft), tuple(done)
    except BridgeheadError:
        return None
