"""Playing on a graphics card: the rules compile for one, its loops play the processor's games, and what is missing is told."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bridgehead import batch, game
from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError

pytestmark = pytest.mark.wide
ROOT = Path(__file__).parents[2]
GAMES = [*sorted(registry.specs()), "connect_four"]


def every_game(quick: str) -> pytest.MarkDecorator:
    """All games, which take long to compile; the others in `make test-long`."""
    others = (pytest.param(each, marks=pytest.mark.long) for each in GAMES if each != quick)
    return pytest.mark.parametrize("name", [quick, *others])


NAMED = """
import json, sys
import numpy as np
from bridgehead import batch
from bridgehead.core import registry
from bridgehead.workshop import devices as device
from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.kernels import kernels
from bridgehead.workshop.training_kernels import training_kernels
from connect_four import SPEC

def named(name, **options):
    return Game(SPEC, house.build(SPEC)) if name == "connect_four" else registry.game(name, **options)
"""

# A card of compute capability 9.0 is claimed, so that functions compile on a machine without one.
PTX = """
from types import SimpleNamespace
from unittest import mock
import numba
from numba import cuda

def ptx(game, name, *given, loops=kernels):
    kernel, claimed = device.kernel(game, name, loops), SimpleNamespace(compute_capability=(9, 0))
    with mock.patch("numba.cuda.dispatcher.get_current_device", lambda: claimed):
        return cuda.compile_ptx(kernel, (numba.typeof(device.laws(game)), numba.typeof(given)), cc=(9, 0))[0]

game = named(sys.argv[1])
states, words, numbers = game.new_states(2), np.zeros(2, np.uint64), np.zeros(2, np.int64)
loops = {"finish_games": (states, words, 100, numbers, np.zeros((2, game.seats)))}
if sys.argv[2:] == ["all"]:
    chosen, marks = np.zeros(2, np.int32), np.zeros(2, np.bool_)
    loops |= {"start_games": (states, words), "step_games": (states, words, chosen), "seat_games": (states, chosen),
              "legal_games": (states, np.zeros((2, 7), np.bool_)), "refused_games": (states, chosen, marks)}
for name, given in loops.items():
    print("\\n".join(line for line in ptx(game, name, *given).splitlines() if line.startswith((".target", ".visible .entry"))))
"""

SAME = """
SHORT = {"barricade": {"board": "mini", "turnLimit": 20}, "burning_bridges": {"seats": 2, "roundLimit": 4}}
game = named(sys.argv[1], **SHORT.get(sys.argv[1], {}))
here, there = batch.start(game, 9, 3), batch.start(game, 9, 3, device="cuda")
loaded = [device._loaded(game, "start_games", kernels) for _ in range(2)]
assert loaded[0] is loaded[1], "compiled once"
for _ in range(4):
    assert here.states.tobytes() == there.states.tobytes()
    assert here.actors.tolist() == there.actors.tolist()
    mask = here.legal_mask()
    assert mask.any() and (mask == there.legal_mask()).all()
    chosen = [int(np.flatnonzero(row)[0]) if row.any() else 0 for row in mask]
    here.step(chosen)
    there.step(chosen)
assert here.position(5) == there.position(5)
one, other = here.playout(), there.playout()
assert here.states.tobytes() == there.states.tobytes()
assert [column.tolist() for column in one] == [column.tolist() for column in other]
assert one.decisions.sum() > 0 and one.over.any()
running = batch.start(game, 3, 3, device="cuda")
for _ in range(6):  # fills a column of Connect Four
    running.step([int(np.flatnonzero(row)[0]) for row in running.legal_mask()])
legal = running.legal_mask()
try:
    running.step([int(np.flatnonzero(row)[0]) for row in legal[:2]] + [int(np.flatnonzero(~legal[2])[0])])
except BridgeheadError as refused:
    print("same", str(refused).split(":")[0])
"""


def run(code: str, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT / "examples")])
    env = os.environ | {"NUMBA_DISABLE_JIT": "0", "PYTHONPATH": path} | settings
    return subprocess.run([sys.executable, "-c", NAMED + code, *arguments], env=env, capture_output=True, text=True, timeout=280)


def made(code: str, *arguments: str, **settings: str) -> str:
    done = run(code, *arguments, **settings)
    why = "compiling for a graphics card needs numba-cuda and NVVM, which the extra `test` installs"
    assert done.returncode == 0, f"{why}\n{done.stderr}"
    return done.stdout


# The loops of environments, which a card gets with the arrays that all games share.
PTX_TRAINED = """
from bridgehead import environments
game = named(sys.argv[1])
games = environments.start(game, 2, threads=1)
one, actions, marks = games._arrays, np.zeros(2, np.int32), np.zeros(2, np.bool_)
looked = [one[name] for name in ("mask", "planes", "numbers")]
arrays = [one[name] for name in ("starts", "agents", "viewers", "actors", "lengths", "rewards", "terminated", "truncated")]
loops = {
    "look_games": (one["states"], games._seen, actions, *looked),
    "wrong_games": (one["states"], actions, marks, marks),
    "chosen_games": (one["states"], games._rngs, actions),
    "advance_games": (one["states"], games._seen, arrays[0], games._rngs, *arrays[1:], *looked, actions, marks, 9, 1, 0),
}
for name in sys.argv[2:] or loops:
    text = ptx(game, name, *games._tables, *loops[name], loops=training_kernels)
    print("\\n".join(line for line in text.splitlines() if line.startswith((".target", ".visible .entry"))))
"""


@pytest.mark.long
def test_the_loops_of_environments_compile_for_a_graphics_card() -> None:
    text = made(PTX.rpartition("game = named")[0] + PTX_TRAINED, "connect_four")
    assert text.count(".target sm_90") == 4 and "_on_device__connect_four__advance_games" in text


@pytest.mark.parametrize("name", sorted(registry.specs()))
def test_a_step_of_every_game_compiles_for_a_graphics_card(name: str) -> None:
    text = made(PTX.rpartition("game = named")[0] + PTX_TRAINED, name, "advance_games", "wrong_games")
    assert all(f"_on_device__{name}__{loop}" in text for loop in ("advance_games", "wrong_games"))


@pytest.mark.long
@every_game("barricade")
def test_whole_playouts_of_every_game_compile_for_a_graphics_card(name: str) -> None:
    lines = made(PTX, name).splitlines()
    assert lines[0] == ".target sm_90"
    assert len(lines) == 2 and f"_on_device__{name}__finish_games" in lines[1]


@pytest.mark.long
def test_all_loops_over_a_batch_compile_for_a_graphics_card() -> None:
    text = made(PTX, "connect_four", "all")
    for loop in ("start", "step", "seat", "legal", "refused", "finish"):
        assert f"_on_device__connect_four__{loop}_games" in text
    assert text.count(".target sm_90") == 6


@pytest.mark.long
@every_game("connect_four")
def test_the_loops_of_a_graphics_card_play_the_games_of_the_processor(name: str) -> None:
    """In the simulator of CUDA, which runs every thread of the card as one of Python."""
    assert made(SAME, name, NUMBA_DISABLE_JIT="1", NUMBA_ENABLE_CUDASIM="1").split() == ["same", "game", "2"]


TRAINED = """
from bridgehead import environments

SHORT = {"barricade": {"board": "mini", "turnLimit": 6}, "burning_bridges": {"seats": 2, "roundLimit": 2},
         "forty_bridges": {"quietLimit": 6}, "front_lines": {"rows": 2}}
game = named(sys.argv[1], **SHORT.get(sys.argv[1], {}))
here, there = (environments.start(game, 3, 3, device=device, limit=9) for device in ("cpu", "cuda"))
for _ in range(12):
    actions = here.sample()
    assert actions.tolist() == there.sample().copy_to_host().tolist()
    one, other = here.step(actions), there.step(actions)
    assert here.states.tobytes() == there.states.tobytes()
    pairs = [(one[place], other[place]) for place in range(1, 6)]
    pairs += [(array, other.observations[name]) for name, array in one.observations.items()]
    for ours, theirs in pairs:
        assert (ours == theirs.numpy()).all() and (ours == np.from_dlpack(theirs)).all()
        assert np.from_dlpack(theirs).__array_interface__["data"][0] == theirs.array._ary.ctypes.data + theirs._first, "no copy"
alike, other = there.clone(), there.clone(seed=5)
assert alike.states.tobytes() == there.states.tobytes()
alike.step(there.sample())
try:
    there.step([-1, game.action_count, -1])
except BridgeheadError as refused:
    print("same")
"""


@every_game("connect_four")
def test_environments_on_a_graphics_card_are_those_of_the_processor(name: str) -> None:
    """In the simulator of CUDA; a DLPack capsule of its arrays is a view of their memory."""
    assert made(TRAINED, name, NUMBA_DISABLE_JIT="1", NUMBA_ENABLE_CUDASIM="1").split() == ["same"]


MISSING = """
try:
    batch.start(named("connect_four"), 2, device="cuda")
except BridgeheadError as missing:
    print(missing)
"""


def test_without_a_graphics_card_the_error_says_so() -> None:
    assert made(MISSING, CUDA_VISIBLE_DEVICES="-1").strip() == "device: no NVIDIA graphics card with a working driver was found"


def test_plain_rules_are_not_sent_to_a_graphics_card() -> None:
    assert "NUMBA_DISABLE_JIT=1" in made(MISSING, NUMBA_DISABLE_JIT="1", NUMBA_ENABLE_CUDASIM="0")


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bridgehead.core.extras.find_spec", lambda name: None)
    with pytest.raises(BridgeheadError, match=r"pip install 'bridgehead\[cuda\]'"):
        batch.start(game("forty_bridges"), 1, device="cuda")


BENCH = """
sys.path.insert(0, sys.argv[1])
import card
print(card.differences(named("connect_four"), 6), card.rate(named("forty_bridges"), 3, 1, "cuda") > 0)
class OtherSeeds:
    start = staticmethod(lambda game, n, seed, device="cpu": batch.start(game, n, seed + (device == "cuda"), device=device))
card.batch = OtherSeeds
print(card.differences(named("connect_four"), 6))
"""


def test_the_measurement_on_a_card_compares_with_the_processor_first() -> None:
    same, other = made(BENCH, str(ROOT / "bench"), NUMBA_DISABLE_JIT="1", NUMBA_ENABLE_CUDASIM="1").splitlines()
    assert same == "[] True"
    assert "connect_four: states differ between card and processor" in other


@pytest.mark.long
def test_the_measurement_says_when_there_is_no_card() -> None:
    env = os.environ | {"NUMBA_DISABLE_JIT": "0", "CUDA_VISIBLE_DEVICES": "-1", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, ROOT / "bench" / "card.py"], env=env, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    assert "NOT MEASURED: the graphics card: no NVIDIA graphics card with a working driver was found" in done.stdout


def test_a_device_that_does_not_exist_is_refused() -> None:
    with pytest.raises(BridgeheadError, match="no device 'gpu'; there are: cpu, cuda"):
        batch.start(game("forty_bridges"), 1, device="gpu")
