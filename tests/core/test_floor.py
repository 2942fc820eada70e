"""The floor: games run on the standard library alone, and plain records behave as the records in memory do."""

import hashlib
import json
import os
import pickle
import random
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bridgehead.core import link, record, registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.jit import COMPILED
from bridgehead.core.law import as_records, memory
from bridgehead.core.layout import TAKEN, Layout
from bridgehead.core.match import Match
from bridgehead.core.numbers import np
from bridgehead.core.phrases import languages

FORBIDDEN = ("numpy", "numba", "llvmlite")
WITHOUT = f"""
import json, sys
class Forbidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {FORBIDDEN}:
            raise ImportError(name)
sys.meta_path.insert(0, Forbidden())
import test_floor
print(json.dumps([test_floor.told(*each) for each in json.loads(sys.argv[1])]))
"""
FIRST: dict[str, dict[str, Any]] = {
    "barricade": {"board": "mini", "turnLimit": 60},
    "burning_bridges": {"seats": 3, "roundLimit": 12},
    "forty_bridges": {"bentJumps": True, "quietLimit": 20},
    "front_lines": {"jokersInField": 2, "mayStop": True},
}
LANGUAGES = languages()


def told(name: str, rules: dict[str, Any]) -> str:
    """A digest of a random game to its end: positions, sentences, refusals, scenes, record and link."""
    game = registry.game(name, **rules)
    match, dealer, rng = Match(game), SeededDealer(7), random.Random(7)
    scene, found = game.spec.scene, hashlib.sha256(game.law.tobytes())
    for ply in range(2000):
        position, language = match.position, LANGUAGES[ply % len(LANGUAGES)]
        if position.is_over:
            break
        action = dealer.deal(position, ply) if position.is_chance else rng.choice(position.legal)
        refused = position.explain(rng.randrange(game.action_count))
        seen: list[Any] = [
            position.state.tobytes(),
            position.text,
            position.facts(),
            position.tell_prompt(language),
            position.sentence(action, language),
        ]
        seen += [
            position.legal,
            position.weights,
            refused and (refused.clause, game.words.tell(refused.phrase, language), refused.show),
        ]
        if ply % 10 == 0:
            seen += [scene.items(position, language), scene.choices(position, language), scene.plates(position, language)]
            seen += [
                game.load(position.text) == position,
                game.spec.progress.effects(position, action) if position.actor >= 0 else (),
                [game.spec.progress.safe(position, seat) for seat in range(game.seats)],
            ]
        found.update(repr(seen).encode())
        match.play(action)
    assert match.outcome is not None, name
    text = record.dump(match)
    again, _ = record.load(text)
    shared, _ = link.read(link.pack(match, [""] * game.seats))
    assert again.actions == shared.actions == match.actions
    found.update(repr((scene.picture(game, "en"), match.outcome, text)).encode())
    return found.hexdigest()


def without_numpy(games: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """The digests of these games, played in a process that has neither NumPy nor Numba."""
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    env = {**os.environ, "PYTHONPATH": path}
    run = subprocess.run([sys.executable, "-c", WITHOUT, json.dumps(games)], env=env, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_games_are_the_same_without_numpy_and_numba() -> None:
    games = [*FIRST.items(), ("forty_bridges", {}), ("front_lines", {})]
    assert without_numpy(games) == [told(*each) for each in games]


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(FIRST))
def test_a_game_is_the_same_with_compiled_rules(name: str, compiled: Callable[[str], Any]) -> None:
    assert compiled(name)("test_floor", "told", name, FIRST[name]) == told(name, FIRST[name])


@pytest.mark.skipif(COMPILED, reason="compiled rules read memory only")
@pytest.mark.parametrize("name", sorted(FIRST))
def test_whole_numbers_and_numbers_in_memory_play_the_same(name: str) -> None:
    """Random games under mixed house rules: no rule relies on the width of a number.

    `test_compiled` compares numbers in memory with machine code.
    """
    from variants import mixture  # here, because it may need more than the standard library

    rng, plies = random.Random(15), 0
    while plies < 300:
        game = registry.game(name, **mixture(name, rng))
        rules, law, position = game.spec.rules, memory(game.law), game.start()
        assert game.layout.nbytes == game.new_states(1).itemsize and len(game.law.tobytes()) == law.nbytes
        for _ in range(60):
            states, out = position.copy_states(), np.zeros(game.max_legal, np.int32)
            state = states[0]
            assert game.layout.unpack(states.tobytes()).tobytes() == states.tobytes()
            assert int(rules.actor(state, law)) == position.actor
            if position.is_over:
                result = np.zeros(game.seats)
                rules.returns(state, law, result)
                assert position.outcome is not None and result.tolist() == list(position.outcome.returns)
                break
            assert tuple(out[: rules.legal(state, law, out)].tolist()) == position.legal
            for action in rng.sample(range(game.action_count), 5):
                assert int(rules.refusal(state, law, action)) == position.refusal(action)
            action, plies = rng.choice(position.legal), plies + 1
            position = position.after(action)
            rules.apply(state, law, action)
            assert states.tobytes() == position.state.tobytes()


def test_no_field_has_the_name_of_an_attribute_of_numpy() -> None:
    assert {name for name in (*dir(np.record), *dir(np.ndarray)) if not name.startswith("_")} <= TAKEN


def test_a_plain_record_has_the_bytes_of_the_record_in_memory() -> None:
    inner = [("x", "uint16"), ("y", "int32", (2,))]
    layout = Layout([("a", "int8"), ("w", "uint64", (2,)), ("g", "int16", (2, 3)), ("rows", inner, (3,)), ("yes", "bool")])
    values = {"a": -3, "w": [2**64 - 1], "g": [[1, 2], [3]], "rows": {"x": [5, 6], "y": [[7], [8, 9]]}, "yes": True}
    record = layout.record(values)
    there = np.frombuffer(record.tobytes(), as_records(layout.dtype))[0]
    assert (int(there["a"]), there["w"].tolist(), there["g"].tolist()) == (-3, [2**64 - 1, 0], [[1, 2, 0], [3, 0, 0]])
    assert there["rows"]["y"].tolist() == [[7, 0], [8, 9], [0, 0]] and bool(there["yes"])
    assert (
        layout.unpack(record.tobytes()).tobytes() == record.tobytes()
        and Layout.of(there.dtype).nbytes == record.nbytes == there.nbytes
    )
    assert pickle.loads(pickle.dumps(layout)).unpack(record.tobytes()).g[1, 0] == 3


def test_a_frozen_record_does_not_change_and_its_copy_does() -> None:
    record = Layout([("a", "int8"), ("w", "uint64", (2,)), ("g", "int16", (2, 3))]).record({"g": [[1], [2]]})
    for change in ("record.a = 1", "record.w[0] = 1", "record.g[0, 0] = 1", "del record.w[0]"):
        with pytest.raises((ValueError, TypeError)):
            exec(change)  # noqa: S102
    copy = record.copy()
    copy.a, copy.w[1], copy.g[1, 0], copy.g[-1, -1] = 4, 5, 6, 7
    assert (copy.a, copy.w, copy.g[1], copy.g[1, 2], list(copy.g)) == (4, [0, 5], (6, 0, 7), 7, [(1, 0, 0), (6, 0, 7)])
    assert (record.a, record.w, record.g[1]) == (0, (0, 0), (2, 0, 0))


@pytest.mark.parametrize("place", [(2, 0), (0, 3), (-3, 0), 2])
def test_a_place_outside_of_a_table_is_an_error(place: Any) -> None:
    record = Layout([("g", "int16", (2, 3))]).blank()
    with pytest.raises(IndexError):
        record.g[place]
    with pytest.raises((IndexError, TypeError)):
        record.g[place] = 1


def test_a_number_that_its_field_cannot_hold_is_never_written() -> None:
    record = Layout([("a", "int8"), ("w", "uint64")]).blank()
    for name, value in (("a", 128), ("w", -1), ("w", 2**64)):
        changed = record.copy()
        setattr(changed, name, value)
        with pytest.raises(struct.error):
            changed.tobytes()
