"""Ten thousand damaged inputs: each is refused with a named error, or means something that can be played; none hangs."""

import copy
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from pair import GAMES

from bridgehead.core import options as house
from bridgehead.core import record, registry
from bridgehead.core.errors import BridgeheadError, NotationError, PositionError, RecordError
from bridgehead.core.game import Game
from bridgehead.server.messages.client import ClientMessage, decode_message
from bridgehead.server.messages.tables import NewTable
from variants import at_random, make, mixture

pytestmark = pytest.mark.wide
BOARDS = Path(__file__).parents[2] / "src" / "bridgehead" / "games"
NUMBERS = {"positions": 4_500, "actions": 1_800, "records": 900, "house rules": 1_500, "words": 900, "boards": 900}
LONGEST = 5.0  # CPU seconds that an input may take
VALUES: list[Any] = [None, True, -1, 0, 1, 2, 7, 10**30, 0.5, "", "x", "a1", "\0", [], [1], [[0, 0]], {}, {"a": 1}, "é" * 300]
MESSAGES = [
    {"t": "hello", "p": 1, "table": "ABCDE", "tokens": ["abc"], "lang": "en"},
    {"t": "act", "k": "0" * 32, "v": 3, "a": 17},
    {"t": "undo", "k": "f" * 32, "v": 3},
    {"t": "why", "k": "0" * 32, "touch": ["f:a1", "p:1"]},
    {"t": "ping", "n": 12},
]
TABLE = {"game": "barricade", "preset": "", "options": {"seats": 2}, "seats": [{"kind": "person", "name": "Ada"}], "seed": 5}


def scratched(text: str, rng: random.Random) -> str:
    """The text with one to three small damages: letters replaced, left out, put in, a part twice, an end cut off."""
    pool = sorted(set(text)) + ["\0", "é", "\n", " ", "9" * 30]
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text) + 1)
        beyond = at + rng.randrange(1, 6)
        kind = rng.randrange(6)
        if kind == 0:
            text = text[:at] + text[beyond:]
        elif kind == 1:
            text = text[:beyond] + text[at:]
        elif kind == 2 and rng.random() < 0.1:
            text = text[:at]
        else:
            text = text[:at] + rng.choice(pool) + text[at + kind % 3 :]
    return text


def spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in nested lists and objects, as (holder, key)."""
    for key in range(len(value)) if isinstance(value, list) else list(value) if isinstance(value, dict) else ():
        yield value, key
        yield from spots(value[key])


def bent(value: Any, rng: random.Random) -> Any:
    """The value with one or two parts replaced, left out, doubled or exchanged."""
    value = copy.deepcopy(value)
    for _ in range(rng.randrange(1, 3)):
        places = list(spots(value))
        if not places:
            return rng.choice(VALUES)
        holder, key = rng.choice(places)
        kind = rng.randrange(4)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        elif kind == 2:
            other, there = rng.choice(places)
            holder[key] = copy.deepcopy(other[there]) if there in range(len(other)) or there in other else None
        else:
            holder[key] = rng.choice(VALUES)
    return value


def meet(number: int, attempt: Callable[[], object], *named: type[Exception]) -> Counter[str]:
    """Try so often; how many were refused by a named error and how many were understood. Nothing else may happen."""
    told: Counter[str] = Counter()
    for _ in range(number):
        began = time.process_time()
        try:
            attempt()
        except named as error:
            assert str(error).strip()
            told["refused"] += 1
        else:
            told["understood"] += 1
        assert time.process_time() - began < LONGEST
    return told


def bad_positions(name: str, rng: random.Random, number: int) -> Counter[str]:
    games = [make(name, {})] + [make(name, mixture(name, rng)) for _ in range(3)]
    texts = [(game, position.text) for game in games for position in rng.sample(at_random(game, rng, 120).positions, 2)]

    def attempt() -> None:
        game, text = rng.choice(texts)
        position = game.load(scratched(text, rng))
        assert game.load(position.text) == position
        assert position.is_over or position.legal

    return meet(number, attempt, PositionError)


def bad_actions(name: str, rng: random.Random, number: int) -> Counter[str]:
    positions = [p for p in at_random(make(name, {}), rng, 80).positions if p.legal]

    def attempt() -> None:
        position = rng.choice(positions)
        text = scratched(position.name(rng.choice(position.legal)), rng)
        action = position.read(text)
        assert 0 <= action < position.game.action_count
        assert (position.explain(action) is None) == (action in position.legal)

    return meet(number, attempt, NotationError)


def bad_records(name: str, rng: random.Random, number: int) -> Counter[str]:
    texts = [record.dump(at_random(make(name, mixture(name, rng)), rng, 12), ["Ada"]) for _ in range(3)]

    def attempt() -> None:
        try:
            match, names = record.load(scratched(rng.choice(texts), rng))
        except RecordError as error:
            assert error.where.startswith("line ")
            raise
        assert record.load(record.dump(match, names))[0].position == match.position

    return meet(number, attempt, RecordError)


def playable(name: str, options: Any) -> None:
    """What is not refused can be begun."""
    spec = registry.spec(name)
    built = house.build(spec, "", options)
    board = spec.board.load(built)
    spec.options.check(built, board)
    start = Game(spec, built).start()
    assert start.is_over or start.legal


def bad_house_rules(name: str, rng: random.Random, number: int) -> Counter[str]:
    sound = [mixture(name, rng, 0.2) for _ in range(12)]

    def attempt() -> None:
        options = bent(rng.choice(sound), rng)
        if not isinstance(options, dict):
            options = {rng.choice(["", "seats", "board", "layout", "é"]): options}
        playable(name, {str(rule): value for rule, value in options.items()})

    return meet(number, attempt, BridgeheadError)


def bad_words(name: str, rng: random.Random, number: int) -> Counter[str]:
    spec = registry.spec(name)
    sound = [{"seats": 2}] + [mixture(name, rng, 0.2) for _ in range(12)]

    def attempt() -> None:
        told = ",".join(f"{rule}={value}" for rule, value in rng.choice(sound).items())
        house.build(spec, "", house.read(spec, scratched(told or "=", rng)))

    return meet(number, attempt, BridgeheadError)


def bad_boards(name: str, rng: random.Random, number: int) -> Counter[str]:
    board = {"barricade": "mini", "burning_bridges": "star3"}.get(name)
    whole: Any = json.loads((BOARDS / name / "boards" / f"{board}.json").read_text("utf-8")) if board else None
    layouts: dict[str, Any] = {
        "forty_bridges": {"setup": "custom", "layout": "a1,b1,A1 e5,d5,D4"},
        "front_lines": {"rows": 2, "layout": [["2S", "3S", "2C", "3C"], ["2H", "3H", "2D", "3D"]]},
    }

    def attempt() -> None:
        if board:
            playable(name, {"seats": 2, "board": bent(whole, rng)})
        else:
            layout = layouts[name]["layout"]
            playable(name, {**layouts[name], "layout": scratched(layout, rng) if isinstance(layout, str) else bent(layout, rng)})

    return meet(number, attempt, BridgeheadError)


KINDS = {
    "positions": bad_positions, "actions": bad_actions, "records": bad_records, "house rules": bad_house_rules,
    "words": bad_words, "boards": bad_boards,
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", GAMES)
def test_damaged_input_is_refused_by_name_or_can_be_played(name: str, kind: str, counted: Any) -> None:
    told = KINDS[kind](name, random.Random(f"bad {name} {kind}"), NUMBERS[kind])
    counted(name, sum(told.values()), "inputs")
    assert sum(told.values()) == NUMBERS[kind]
    assert told["refused"] > NUMBERS[kind] // 10, told


@pytest.mark.parametrize("decode", [decode_message, msgspec.json.Decoder(NewTable).decode], ids=["socket", "request"])
def test_damaged_messages_are_refused_or_understood(decode: Callable[[bytes], ClientMessage], counted: Any) -> None:
    rng = random.Random("messages")

    def attempt() -> None:
        message = rng.choice(MESSAGES) if decode is decode_message else TABLE
        text = json.dumps(bent(message, rng) if rng.random() < 0.5 else message, ensure_ascii=False)
        decode((scratched(text, rng) if rng.random() < 0.7 else text).encode("utf-8", "replace"))

    told = meet(5_000, attempt, msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError)
    counted("", 5_000, "inputs")
    assert told["refused"] > 500 and told["understood"] > 0
