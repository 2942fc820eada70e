"""The defaults of a game's optional members that are longer than a line: `core.interface` says what each member is."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Mapping, Sequence
from math import prod
from typing import Annotated, Any, Literal

import msgspec

from bridgehead.core.caching import cached_per_game
from bridgehead.core.clauses import Refusal, RefusalCode
from bridgehead.core.errors import BridgeheadError, NotationError, PositionError
from bridgehead.core.interface import AnyGame, AnyPosition, SceneModule, TextModule, WordsModule
from bridgehead.core.jit import rule
from bridgehead.core.layout import Field, flat
from bridgehead.core.parts import gives
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.scene import Choice, Item, MovementTrace, Part, Picture, SeatPanel, base, circle

# The default options: the number of seats.


def camel(field: str) -> str:
    """The rulebook's name of a struct field: `pass_` is `pass`, `max_captures` is `maxCaptures`."""
    head, *rest = field.rstrip("_").split("_")
    return head + "".join(word.capitalize() for word in rest)


class House(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, rename=camel):
    """Base of every game's `Options`: frozen, keyword only, unknown names refused, names as in the rulebook.

    Each field names its clause with `Annotated[type, msgspec.Meta(extra={"clause": id})]`; the catalogue has its title and its
    description (`option.NAME.title`, `option.NAME.text`).
    """


def seats_only(seats: tuple[int, int], clause: str) -> type[House]:
    """The default `Options`: the number of seats. clause: the first of the rulebook."""
    meta = msgspec.Meta(extra={"clause": clause})
    kind: Any = Annotated[Literal[tuple(range(seats[0], seats[1] + 1))], meta]
    return msgspec.defstruct("Options", [("seats", kind, seats[0])], bases=(House,), frozen=True)  # type: ignore[return-value]


# Defaults of compiled parts. They are compiled only when a game needs them: importing Numba takes a while.


@functools.cache
def weight_of_one() -> Any:
    def one(state: Any, law: Any, action: Any) -> int:
        return 1

    return rule(one)


@functools.cache
def value_of_nothing() -> Any:
    def nothing(state: Any, law: Any, seat: Any) -> float:
        return 0.0

    return rule(nothing)


def one_refusal(clause: str) -> type[RefusalCode]:
    """The default `REFUSALS`: one reason, that an action is impossible. clause: the first of the rulebook."""
    members = {"OK": ("", ""), "IMPOSSIBLE": (clause, "refused")}
    base: Any = RefusalCode
    return base("Refused", members)  # type: ignore[no-any-return]


def observe_of_record() -> Any:
    from bridgehead.core.observation import default_observe

    return default_observe()


# What the defaults below share.


@cached_per_game
def _texts(game: AnyGame) -> Sequence[str]:
    """The text of each action, by its id."""
    return tuple(game.spec.words.names(game))


@cached_per_game
def _ids(game: AnyGame) -> Mapping[str, int]:
    """{text of an action: its id}."""
    return {name: action for action, name in enumerate(_texts(game))}


@cached_per_game
def _places(game: AnyGame) -> Mapping[str, tuple[float, float]]:
    """The middle of each field on the picture."""
    places = game.spec.scene.places(game)
    left, top = (min((place[axis] for place in places.values()), default=0) for axis in (0, 1))
    return {name: (EDGE + UNIT * (x - left), EDGE + UNIT * (y - top)) for name, (x, y) in places.items()}


def _actor_phrase(position: AnyPosition, seat: int) -> Phrase:
    return position.game.spec.words.seat(position.game, seat) if seat >= 0 else phrase("chance")


def _numbers(position: AnyPosition) -> dict[str, object]:
    """The fields of a state that are one whole number, such as a die, for sentences that name them."""
    return {
        field.name: int(position.state[field.name])
        for field in position.game.layout.fields
        if not field.shape and _is_whole(field)
    }


def _is_whole(field: Field) -> bool:
    return isinstance(field.kind, str) and not field.kind.startswith("float")


@cached_per_game
def _paths(game: AnyGame) -> Mapping[int, tuple[str, ...]]:
    """The fields of each action's name: a field, or fields joined by "-"."""
    places, found = _places(game), {}
    for action, name in enumerate(_texts(game)):
        fields = (name,) if name in places else tuple(name.split("-"))
        if all(field in places for field in fields):
            found[action] = fields
    return found


def _path(position: AnyPosition, action: int) -> tuple[str, ...]:
    """The fields to touch for an action, in order: those of its name if they lead to its target, else the target."""
    target, path = position.game.spec.scene.target(position, action), _paths(position.game).get(action, ())
    return path if path[-1:] == (target,) else (target,) if target else ()


class DefaultWords(WordsModule):
    """The defaults of `interface.WordsModule`."""

    def name(self, position: AnyPosition, action: int) -> str:
        """By the text of each action."""
        game, texts = position.game, _texts(position.game)
        if action >= len(texts):
            raise BridgeheadError("error.game_lacks", game.spec.id, members=f"names[{action}]")
        return texts[action]

    def read(self, position: AnyPosition, text: str) -> int:
        """By the text of each action."""
        ids = _ids(position.game)
        if text not in ids:
            some = ", ".join(map(position.name, position.legal[:8])) or ", ".join(itertools.islice(ids, 8))
            raise NotationError("error.expected_action", "action", some=some, text=repr(text[:20]))
        return ids[text]

    def say(self, position: AnyPosition, action: int) -> Phrase:
        """By `say.NAME`, `chance.say` or `say`, with the end of the game."""
        name, after = position.name(action), position.play(action)
        usual = "chance.say" if position.is_chance else "say"
        key = f"say.{name}" if position.game.words.has(f"say.{name}") else usual
        done = phrase(key, seat=_actor_phrase(position, position.actor), action=name)
        return phrase("say.end", done=done, end=position.game.spec.words.prompt(after)) if after.is_over else done

    def prompt(self, position: AnyPosition) -> Phrase:
        """By `prompt`, `end.REASON`, `end.won` or `end.drawn`."""
        if position.outcome is None:
            seat, key = _actor_phrase(position, position.actor), "prompt.chance" if position.is_chance else "prompt"
            return Phrase(key, {**_numbers(position), "seat": seat})
        outcome, key = position.outcome, f"end.{position.outcome.reason}"
        if not position.game.words.has(key):
            key = "end.won" if outcome.winners else "end.drawn"
        return phrase(key, seat=_actor_phrase(position, outcome.winners[0])) if outcome.winners else phrase(key)

    def explain(self, position: AnyPosition, action: int) -> Refusal | None:
        """By `refusal` and `REFUSALS`."""
        game = position.game
        code = int(game.spec.rules.refusal(position.read_only, game.law, action))
        if code == 0 or (code < 0 and action in position.legal):
            return None
        reason = game.spec.rules.REFUSALS.of(abs(code))
        if position.outcome is not None:
            return Refusal(position.outcome.clause, phrase("over.refused"))
        if position.is_chance:
            return Refusal(reason.clause, phrase("chance.refused"))
        path, seat = _path(position, action) or ("",), _actor_phrase(position, position.actor)
        show = tuple(f"f:{field}" for field in path if field)
        named = {"seat": seat, "action": position.name(action), "origin": path[0], "field": path[-1]}
        return reason.because(show, **{**_numbers(position), **named})


def _fields(game: AnyGame) -> tuple[Field, ...]:
    """The fields of a state, which have to be whole numbers."""
    if odd := [field.name for field in game.layout.fields if not _is_whole(field)]:
        raise BridgeheadError("error.needs_text", game.spec.id, field=odd[0])
    return game.layout.fields


def _write(state: Any, name: str, shape: tuple[int, ...], values: list[int]) -> None:
    """Write a field of a state, by its numbers in C order."""
    if not shape:
        setattr(state, name, values[0])
    elif len(shape) == 1:
        state[name][:] = values
    else:
        for place, value in zip(itertools.product(*map(range, shape)), values, strict=True):
            state[name][place] = value


def _unrun(text: str, name: str, length: int) -> list[int]:
    values: list[int] = []
    for run in text.split(","):
        found = re.fullmatch(r"(-?[0-9]{1,20})(?:x([1-9][0-9]{0,6}))?", run)
        if not found or len(values) + int(found[2] or 1) > length:
            raise PositionError("error.whole_numbers", name, length=length, text=repr(text[:40]))
        values += [int(found[1])] * int(found[2] or 1)
    if len(values) != length:
        raise PositionError("error.whole_numbers", name, length=length, text=len(values))
    return values


class DefaultText(TextModule):
    """The defaults of `interface.TextModule`."""

    def dump(self, position: AnyPosition) -> str:
        """Every field of the state with its numbers: "turns=3 reason=0 cells=0x5,1,-1,0x114" (0x5: five zeros)."""
        found = []
        for name, *_ in _fields(position.game):
            numbers = map(int, flat(position.state[name]))
            runs = [(number, len(list(same))) for number, same in itertools.groupby(numbers)]
            found.append(f"{name}=" + ",".join(f"{number}x{length}" if length > 1 else f"{number}" for number, length in runs))
        return " ".join(found)

    def read(self, game: AnyGame, text: str) -> Any:
        """The fields of the state, with numbers by `limits`."""
        rules, fields, parts = game.spec.rules, _fields(game), text.split(" ")
        if [each.partition("=")[0] for each in parts] != [name for name, *_ in fields]:
            expected = " ".join(f"{name}=..." for name, *_ in fields)
            raise PositionError("error.expected_fields", expected=expected, text=repr(text[:60]))
        limits = {"reason": (0, len(rules.REASONS) - 1)} | dict(game.spec.state.limits(game.law))
        states = game.blank()
        for (name, kind, shape), each in zip(fields, parts, strict=True):
            low, high = (0, 1) if kind == "bool" else limits.get(name, (1, 0))
            if high < low:
                raise BridgeheadError("error.limits_lack", game.spec.id, field=name)
            values = _unrun(each.partition("=")[2], name, prod(shape))
            if odd := [value for value in values if not low <= value <= high]:
                raise PositionError("error.number_within", name, low=low, high=high, number=odd[0])
            _write(states[0], name, shape, values)
        return states


# Scene: a hole for each field and a disc for each piece.

UNIT, EDGE, RADIUS = 80, 60, 34
HOLE = tuple(Part(d=circle(RADIUS), cls=cls) for cls in ("well", "dish"))
GLYPHS = "xo*+%&"


def _typical(position: AnyPosition, actions: Sequence[int]) -> int | None:
    """The action whose reason most of these share; None if there is none, or if they are refused for different reasons."""
    refusal, state, law = position.game.spec.rules.refusal, position.read_only, position.game.law
    reasons = [int(refusal(state, law, action)) for action in actions]
    common = max(set(reasons), key=reasons.count, default=None)
    is_clear = common is not None and 2 * reasons.count(common) > len(reasons)
    return actions[reasons.index(common)] if common is not None and is_clear else None


class DefaultScene(SceneModule):
    """The defaults of `interface.SceneModule`."""

    def target(self, position: AnyPosition, action: int) -> str:
        """The last field of the action's name."""
        return _paths(position.game).get(action, ("",))[-1]

    def picture(self, game: AnyGame, language: str) -> Picture:
        """One round hole per field."""
        places = _places(game)
        fields = tuple(
            Item(f"f:{name}", x, y, HOLE, "", "field", game.words.tell(phrase("item.field", field=name), language), r=RADIUS)
            for name, (x, y) in places.items()
        )
        width, height = (EDGE + max((place[axis] for place in places.values()), default=EDGE) for axis in (0, 1))
        return Picture(width, height, (base("slab", width, height),), fields)

    def items(self, position: AnyPosition, language: str) -> Sequence[Item]:
        """One disc per piece."""
        game, found = position.game, []
        for name, seat in game.spec.scene.pieces(position).items():
            if name not in _places(game):
                raise BridgeheadError("error.game_lacks", game.spec.id, members=f"places[{name!r}]")
            (x, y), livery = _places(game)[name], game.spec.seat_letter(seat)
            label = game.words.tell(phrase("item.piece", field=name, seat=_actor_phrase(position, seat)), language)
            disc = (Part(use="disc"),)
            found.append(Item(f"p:{name}", x, y, disc, livery, "piece", label, f"f:{name}", RADIUS, 10, GLYPHS[seat]))
        return tuple(found)

    def plates(
        self, position: AnyPosition, language: str, names: Mapping[str, str] | None = None, you: str = ""
    ) -> Sequence[SeatPanel]:
        """Each seat's letter, its colour and its `lines`."""
        game, tell, found = position.game, position.game.words.tell, []
        for seat in range(game.seats):
            letter, name = game.spec.seat_letter(seat), tell(game.spec.words.seat(game, seat), language)
            lines = (tell(line, language, names, you) for line in game.spec.scene.lines(position, seat))
            found.append(SeatPanel(letter, letter.upper(), name, tuple(lines)))
        return tuple(found)

    def choice(self, position: AnyPosition, action: int, language: str) -> Choice:
        """The fields of the action's name, its `target`, or a button."""
        name, path = position.name(action), tuple(f"f:{field}" for field in _path(position, action))
        return Choice(action, name, position.sentence(action, language), path or (f"!{name}",), "go" if path else "button")

    def buttons(self, position: AnyPosition, language: str) -> Mapping[str, str]:
        """Every action with a sentence `button.NAME`."""
        words = position.game.words
        labelled = [name for name in _ids(position.game) if words.has(f"button.{name}")]
        return {f"!{name}": words.tell(phrase(f"button.{name}"), language) for name in labelled}

    def find_touched_action(self, position: AnyPosition, touch: tuple[str, ...]) -> int | None:
        """The action whose name has the touched fields, or whose target is the last of them."""
        if not touch:
            return None
        ids, paths = _ids(position.game), _paths(position.game)
        fields = [each.removeprefix("!").rpartition(":")[2] for each in touch]
        for start in range(len(fields)):
            if (name := "-".join(fields[start:])) in ids:
                return ids[name]
        if len(touch) > 1 or any(paths.get(action, ())[:1] == (fields[-1],) for action in position.legal):
            return None  # no move has this name, or a legal one begins here
        begun = [action for action, path in paths.items() if path[0] == fields[-1]]
        meant = [action for action in ids.values() if position.game.spec.scene.target(position, action) == fields[-1]]
        return _typical(position, begun or meant)

    def traces(self, before: AnyPosition, action: int, after: AnyPosition) -> Sequence[MovementTrace]:
        """The piece of a move such as `a2-b4`, where no game draws its own things."""
        scene, path = before.game.spec.scene, _path(before, action)
        if not path[1:] or gives(scene, "items"):
            return ()
        old, new = scene.pieces(before), scene.pieces(after)
        moved = path[0] in old and path[0] not in new and new.get(path[-1]) == old[path[0]]
        return (MovementTrace(f"p:{path[-1]}", tuple(f"f:{field}" for field in path)),) if moved else ()

    def last(self, before: AnyPosition, action: int) -> tuple[str, str]:
        """The first and the last field that the action touches."""
        path = _path(before, action)
        return f"f:{path[0]}" if path[1:] else "", f"f:{path[-1]}" if path else ""
