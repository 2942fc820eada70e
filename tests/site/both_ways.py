"""Prints what a `msgspec` makes of values and of bad input, one line each: `python both_ways.py [FOLDER OF A STAND-IN]`."""

import random
import sys
from typing import Annotated, Any, Literal, NamedTuple

if len(sys.argv) > 1:
    sys.path.insert(0, sys.argv[1])

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.match import Match
from bridgehead.core.tutorial import tutorial
from bridgehead.core.validation import problem
from bridgehead.fairness.statements import Kept
from bridgehead.players.levels import levels
from bridgehead.server.http.tutorials import _encoded
from bridgehead.server.messages.boards import Stroke
from bridgehead.server.messages.client import ClientMessage
from bridgehead.server.messages.tables import MineWish, NewTable
from bridgehead.server.rooms import views
from bridgehead.server.tables.event_bodies import EraFrozen, SeatChanged, SettingsChanged
from bridgehead.server.tables.stored_seats import StoredTable


class Pair(NamedTuple):
    first: int
    second: str = "x"


class Row(Struct, array_like=True, forbid_unknown_fields=True):
    name: str
    numbers: list[int] = []
    last: Annotated[float, Meta(ge=0)] = 1.0


class Apple(Struct, tag="apple", tag_field="is", omit_defaults=True):
    size: int = 3
    parts: tuple[int, ...] = ()
    more: dict[str, float] = {}


class Pear(Struct, tag="pear", tag_field="is", frozen=True, kw_only=True):
    colour: Literal["green", "red"] | None = None
    weight: float | UnsetType = UNSET
    twin: "Apple | Pear | None" = None


KINDS: list[Any] = [
    ClientMessage, NewTable, MineWish, Stroke, StoredTable, SeatChanged, SettingsChanged, EraFrozen, Kept, Pair, Row,
    Apple | Pear,
    list[Apple | Pear],
    dict[int, Row], tuple[int, str], tuple[Pair, ...], set[str], Annotated[str, Meta(pattern="^a")] | int | None, float, bool,
    Literal["a", 2, None], Annotated[list[int], Meta(min_length=1, max_length=2)], Any,
]  # fmt: skip
FLOATS = (0.1, -0.0, 1e15, 1e16, 1.5e300, 5e-324, 1e-4, 1.25e-5, -2.5e-5, 1e-6, 9.99e-7, 123456.789, float("nan"), float("inf"))
WORDS = ("", "a", "b", "green", "apple", "x" * 70, 'é\u2028\x7f\x01"\\/\n', "0" * 32, "ABC", "en", "person", "hello", "act")
GOOD = (
    '{"t":"hello","p":1,"table":"ABC","lang":"de","tokens":["abc"]}',
    '{"t":"act","k":"00000000000000000000000000000000","v":3,"a":7}',
    '{"game":"barricade","seats":[{"kind":"person"},{"kind":"computer","level":"scout"}],"seed":"x","clock":{"bank":60}}',
    '{"tables":[{"table":"ABC","tokens":["a"]}]}', '{"is":"apple","size":2,"parts":[1,2],"more":{"a":1}}', '["a",[1,2],0.5]',
    '{"is":"pear","colour":"red","weight":2.5,"twin":{"is":"apple"}}', '{"do":"claim","name":"Ada","keeps":true}', '[1,"b"]',
    '{"game":"g","rules":"1","options":{},"seats":[],"seed":"s"}', '{"1":["a"],"2":["b",[3]]}', "[1,2,3]",
    '"a"', "2", "null", "1.5",
)  # fmt: skip


def tried(function: Any, *given: Any, **named: Any) -> str:
    """The result of a call, or its error."""
    try:
        return repr(function(*given, **named))
    except (msgspec.DecodeError, TypeError) as error:
        text = str(error)
        syntax = text.startswith(("JSON is malformed", "Input data was truncated"))  # where exactly may differ
        return f"{'DecodeError' if syntax else type(error).__name__}: {'' if syntax else (text, problem(text))}"
    except (UnicodeDecodeError, RecursionError) as error:
        return type(error).__name__


def value(lot: random.Random, depth: int = 3) -> Any:
    """A random plain value."""
    kind = lot.randrange(9 if depth else 6)
    if kind < 6:
        choices = [
            None,
            lot.random() < 0.5,
            lot.randrange(-3, 300),
            lot.choice(FLOATS[:12]),
            lot.choice(WORDS),
            lot.choice(WORDS),
        ]
        return choices[kind]
    if kind < 8:
        return [value(lot, depth - 1) for _ in range(lot.randrange(4))]
    return {lot.choice(WORDS): value(lot, depth - 1) for _ in range(lot.randrange(4))}


def spoilt(lot: random.Random, data: Any) -> Any:
    """A value with one part replaced, added or missing."""
    if isinstance(data, dict) and data and lot.random() < 0.8:
        made = dict(data)
        name = lot.choice([*data, "more"])
        if name in made and lot.random() < 0.3:
            del made[name]
        else:
            made[name] = spoilt(lot, made.get(name))
        return made
    if isinstance(data, list) and data and lot.random() < 0.8:
        place = lot.randrange(len(data))
        return [*data[:place], spoilt(lot, data[place]), *data[place + 1 :]]
    return value(lot)


def main() -> None:
    lot = random.Random(1)
    for each in (*FLOATS, *WORDS, 10**30, {"a": (1, [2.5, None])}, {1: True}, Row("a"), Apple(), Apple(4, (1,), {"b": 2.0})):
        print(msgspec.json.encode(each))
        print(tried(msgspec.to_builtins, each))
    print(
        msgspec.json.encode([Pear(), Pear(colour="red", weight=1.0, twin=Apple()), Pair(3)]),
        Pear() == Pear(),
        hash(Pear()) == hash(Pear()),
    )
    print(msgspec.structs.asdict(Row("a")), msgspec.structs.astuple(Apple()), msgspec.structs.replace(Pear(), colour="green"))
    for number in (0, 1, -1, -33, 127, 128, 255, 256, 65536, 2**32, 2**63, -(2**40), -129, 1.5, "a" * 40, b"\0" * 300, [1] * 20):
        packed = msgspec.msgpack.encode(number)
        print(packed, msgspec.msgpack.decode(packed))
    print(
        tried(msgspec.msgpack.decode, b"\x92\x01", type=list[int]),
        tried(msgspec.msgpack.decode, b"\x92\x01\xa1b", type=list[int]),
    )
    for text in GOOD:
        for kind in KINDS:
            print(text, tried(msgspec.json.decode, text, type=kind))
    for number in range(6000):
        kind = KINDS[number % len(KINDS)]
        data = spoilt(lot, msgspec.json.decode(lot.choice(GOOD))) if number % 3 else value(lot)
        print(number, tried(msgspec.json.decode, msgspec.json.encode(data), type=kind))
        print(number, tried(msgspec.convert, data, kind))
    for text in ("", "{", "[1,]", "nope", '{"a" 1}', "01", "1 2", '"\\ud800"', "NaN", "1e999", b'"\xff"', "[" * 9000):
        print(tried(msgspec.json.decode, text))
    for spec in registry.specs().values():
        print(msgspec.json.encode(views.listing(spec)), levels(spec), house.describe(spec), tutorial(spec)[0])
        for name, given in spec.options.PRESETS.items():
            print(name, house.canonical(house.build(spec, name)), given)
        for _ in range(200):
            info = lot.choice(house.describe(spec))
            try:
                print(house.canonical(house.build(spec, "", {info.name: lot.choice([value(lot), *info.values])})))
            except Exception as error:
                print(type(error).__name__, error)
        match = Match(registry.game(spec.id))
        for _ in range(40):
            match.deal(SeededDealer(3))
            if match.outcome:
                break
            match.play(lot.choice(match.position.legal))
        scene, position = spec.scene, match.position
        for language in ("en", "de"):
            print(
                msgspec.json.encode(
                    [scene.picture(match.game, language), scene.items(position, language), scene.choices(position, language)]
                )
            )
            print(msgspec.json.encode(scene.plates(position, language)))
        print(_encoded(spec, "fr"))


main()
