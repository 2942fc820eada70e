"""Learn the net that corrects the evaluation of 40 Bridges (games/forty_bridges/net.py).

play FILE: the computer plays itself; FILE gets each position with the score of its search. `--streams SEED:GAMES ...` are games
from one seed each, which may be shared among processes. `--net` plays with the net in the game's folder.
fit FILE... --out net.json: learns a net that, together with the linear evaluation, predicts these scores (as win chances), and
writes it with its manifest. One thread, numbers in a fixed order: the same files and seed give the same net to the digit.

A search sees some plies farther than the evaluation, so a net that predicts its score lets the next search see farther still.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

import numba
import numpy as np

from bridgehead.core import registry
from bridgehead.core.game import Position
from bridgehead.core.numerics import exp
from bridgehead.core.version import __version__
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.net import FINE, INPUTS, OFFSET, UNIT
from bridgehead.players.alphabeta import AlphaBeta
from bridgehead.players.deepening import GRAIN
from bridgehead.players.thoughts import Limit, Style

Numbers = np.ndarray[Any, Any]
GAME = registry.game("forty_bridges")
SCALE = GAME.spec.evaluate.SCALE
PIECES = 16
WANDER = 0.08  # share of random actions
OPENING = (2, 17)  # random actions at the beginning: at least, and below
MOST = 3000 / GRAIN / SCALE  # scores are kept within this, in units of SCALE
RATE, BATCH, BOUND = 2e-3, 512, 3.0  # of learning; of the weights
FIRST, SECOND = 0.9, 0.999  # Adam (D. Kingma, J. Ba, 2015): how long it remembers slopes and their squares
ROW = np.dtype([("pieces", "u8", (2,)), ("seat", "i1"), ("score", "i2"), ("result", "i1")])


def played(seed: int, number: int, positions: int, style: Style) -> list[tuple[Any, ...]]:
    """The rows of one game: position, seat to act, score of the search in 1/16 of the evaluation, result for that seat."""
    lot, search, rules = np.random.default_rng([seed, number]), AlphaBeta(1 << 16, style=style), GAME.spec.rules
    states, out = GAME.new_states(1), np.zeros(GAME.max_legal, np.int32)
    state = states[0]
    rules.setup(state, GAME.law)
    opening, seen, plies = int(lot.integers(*OPENING)), [], 0
    while state.reason == 0:
        count, seat = rules.legal(state, GAME.law, out), int(state.seat)
        if seat < 0 or plies < opening:
            action = int(out[lot.integers(count)])
        elif count == 1:
            action = int(out[0])
        else:
            line = search.think(Position(GAME, states.copy()), Limit(nodes=positions))
            if state.takes == 0:
                score = int(max(-30000, min(30000, line.score * GRAIN)))
                seen.append((tuple(map(int, state.pieces)), seat, score))
            action = int(out[lot.integers(count)]) if lot.random() < WANDER else line.action
        rules.apply(state, GAME.law, action)
        plies += 1
    winner = int(state.winner)
    return [(*each, 0 if winner < 0 else 1 if winner == each[1] else -1) for each in seen]


def play(file: Path, streams: list[str], positions: int, style: Style) -> None:
    """Play and store the games of some streams."""
    rows, games = [], 0
    for seed, count in (map(int, stream.split(":")) for stream in streams):
        for number in range(count):
            rows += played(seed, number, positions, style)
            games += 1
    about = {"streams": streams, "games": games, "positions": positions, "net": fingerprint() if style.net else None}
    np.savez_compressed(file, rows=np.array(rows, ROW), about=json.dumps(about))


def fingerprint() -> str:
    """A hash of the net in the game's folder."""
    return hashlib.sha256((GAME.spec.folder / "net.json").read_bytes()).hexdigest()


# Learning

FLIPPED = np.array([9 * (2 * field % 9) + 2 * field // 9 for field in range(FIELDS)]) // 2  # mirrored in the long diagonal


@numba.njit
def inputs(pieces: Numbers, seats: Numbers, flipped: Numbers) -> Numbers:
    """The inputs that are 1, up to PIECES, then INPUTS: as the position is, and mirrored in the long diagonal."""
    found = np.full((2, len(pieces), PIECES), INPUTS, np.uint8)
    for i in range(len(pieces)):
        seat = seats[i]
        own, enemy = pieces[i, seat], pieces[i, 1 - seat]
        count = 0
        for field in range(FIELDS):
            bit = np.uint64(1) << np.uint64(field)
            seen = field if seat == 0 else FIELDS - 1 - field
            if (own | enemy) & bit:
                first = 0 if own & bit else FIELDS
                found[0, i, count], found[1, i, count] = first + seen, first + flipped[seen]
                count += 1
    return found


@numba.njit
def linear(pieces: Numbers, seats: Numbers, states: Any, law: Any, value: Any) -> Numbers:
    """The evaluation of each position for the seat to act."""
    found = np.zeros(len(pieces))
    for i in range(len(pieces)):
        states[0].pieces[0], states[0].pieces[1], states[0].seat = pieces[i, 0], pieces[i, 1], seats[i]
        found[i] = value(states[0], law, seats[i])
    return found


@numba.njit
def chance(odds: Numbers) -> Numbers:
    """The chances that belong to the logarithms of odds."""
    found = np.zeros(len(odds))
    for i in range(len(odds)):
        found[i] = 1 / (1 + exp(-odds[i]))
    return found


@numba.njit
def forward(active: Numbers, weights: Numbers, bias: Numbers, output: Numbers, constant: Any, hidden: Numbers) -> Any:
    """The net's answer; writes the hidden units before they are bounded."""
    hidden[:] = bias
    for k in range(PIECES):
        if active[k] == INPUTS:
            break
        for j in range(len(bias)):
            hidden[j] += weights[active[k], j]
    total = constant
    for j in range(len(bias)):
        unit = min(max(hidden[j], np.float32(0)), np.float32(1))
        total += output[j] * (unit * unit)
    return total


@numba.njit
def adapt(numbers: Numbers, slopes: Numbers, means: Numbers, squares: Numbers, rate: Any, left: Any) -> None:
    """One step of Adam; clears the slopes. left: what is left of the first step in the two means."""
    for i in range(len(numbers)):
        slope = slopes[i] * (1.0 / BATCH)
        means[i] = FIRST * means[i] + (1 - FIRST) * slope
        squares[i] = SECOND * squares[i] + (1 - SECOND) * slope * slope
        numbers[i] -= rate * (means[i] / (1 - left[0]) / (np.sqrt(squares[i] / (1 - left[1])) + 1e-8))
        slopes[i] = 0


@numba.njit
def epoch(active: Numbers, base: Numbers, wanted: Numbers, order: Numbers, net: Any, memory: Any, left: Any, rate: Any) -> float:
    """Learn from each position once; the mean squared error on the way. order: twice the position, plus 1 if mirrored."""
    weights, bias, output, constant = net
    slopes, means, squares = memory
    width, loss = len(bias), 0.0
    hidden = np.zeros(width, np.float32)
    for i in range(len(order)):
        mirrored, at = order[i] & 1, order[i] >> 1
        now = active[mirrored, at]
        likely = 1 / (1 + exp(-(forward(now, weights, bias, output, constant[0], hidden) + base[at])))
        miss = np.float32(likely - wanted[at])
        loss += miss * miss
        slopes[3][0] += miss
        for j in range(width):
            raw = hidden[j]
            unit = min(max(raw, np.float32(0)), np.float32(1))
            slopes[2][j] += miss * (unit * unit)
            hidden[j] = miss * output[j] * (np.float32(2) * raw) if 0 < raw < 1 else np.float32(0)
            slopes[1][j] += hidden[j]
        for k in range(PIECES):
            if now[k] == INPUTS:
                break
            for j in range(width):
                slopes[0][now[k], j] += hidden[j]
        if (i + 1) % BATCH == 0 or i == len(order) - 1:
            left *= np.array([FIRST, SECOND])
            for f in range(INPUTS):
                adapt(weights[f], slopes[0][f], means[0][f], squares[0][f], rate, left)
            np.clip(weights, np.float32(-BOUND), np.float32(BOUND), weights)
            adapt(bias, slopes[1], means[1], squares[1], rate, left)
            adapt(output, slopes[2], means[2], squares[2], rate, left)
            adapt(constant, slopes[3], means[3], squares[3], rate, left)
    return loss / len(order)


def fit(files: list[Path], out: Path, width: int, epochs: int, seed: int) -> None:
    """Learn a net from the positions of some files, and write it with its manifest."""
    read = [np.load(file) for file in files]
    rows, about = np.concatenate([each["rows"] for each in read]), [json.loads(str(each["about"])) for each in read]
    states = GAME.new_states(1)
    GAME.spec.rules.setup(states[0], GAME.law)
    base = (linear(rows["pieces"], rows["seat"], states, GAME.law, GAME.spec.evaluate.value) / SCALE).astype(np.float32)
    wanted = chance(np.clip(rows["score"] / GRAIN / SCALE, -MOST, MOST)).astype(np.float32)
    active = inputs(rows["pieces"], rows["seat"], FLIPPED)
    net, losses = learned(active, base, wanted, width, epochs, seed)
    out.write_text(written(net), "utf-8")
    made = {
        "net": hashlib.sha256(out.read_bytes()).hexdigest(), "by": f"Bridgehead {__version__}", "rules": GAME.spec.version,
        "command": f"python tools/nets.py fit {' '.join(file.name for file in files)} --out {out.name}"
        f" --width {width} --epochs {epochs} --seed {seed}",
        "data": about, "rows": len(rows), "mean squared error by epoch": [round(each, 6) for each in losses],
    }  # fmt: skip
    out.with_name(f"{out.stem}.manifest.json").write_text(json.dumps(made, indent=1) + "\n", "utf-8")
    print(f"{len(rows):,} positions, mean squared error {losses[0]:.5f} in the first epoch, {losses[-1]:.5f} in the last")


def learned(active: Numbers, base: Numbers, wanted: Numbers, width: int, epochs: int, seed: int) -> tuple[Any, list[float]]:
    """A net (weights, bias, output, constant) and its error in each epoch, in which the rate of learning falls to nothing."""
    lot = np.random.default_rng(seed)
    weights, output = ((lot.random(shape) - 0.5) * spread for shape, spread in (((INPUTS, width), 0.8), (width, 1.6)))
    net = tuple(part.astype(np.float32) for part in (weights, np.full(width, 0.3), output, np.zeros(1)))
    memory = tuple(tuple(np.zeros_like(part) for part in net) for _ in range(3))
    left, losses = np.ones(2), []
    for number in range(epochs):
        turns = np.argsort(lot.integers(0, 2**62, len(base)), kind="stable")
        order = (turns << 1) | lot.integers(0, 2, len(base))
        losses.append(epoch(active, base, wanted, order, net, memory, left, np.float32(RATE * (1 - number / epochs))))
    return net, losses


def written(net: Any) -> str:
    """The net as the game reads it (`games.forty_bridges.net.Net`), in whole numbers."""
    weights, bias, output, constant = (part.astype(np.float64) for part in net)
    unit = GRAIN * SCALE * (1 << FINE)
    rows = np.clip(np.round(np.concatenate([weights, bias[None]]) * UNIT), 1 - OFFSET, OFFSET - 1).astype(int).tolist()
    outputs = np.round(output * unit / UNIT**2).astype(int).tolist()
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    return f'{{\n "constant": {round(float(constant[0]) * unit)},\n "output": {outputs},\n "weights": [\n  {lines}\n ]\n}}\n'


def main() -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    ways = asked.add_subparsers(dest="way", required=True)
    playing, fitting = ways.add_parser("play"), ways.add_parser("fit")
    playing.add_argument("file", type=Path)
    playing.add_argument("--streams", nargs="+", required=True, metavar="SEED:GAMES")
    playing.add_argument("--positions", type=int, default=2500, help="of a search")
    playing.add_argument("--net", action="store_true", help="play with the net in the game's folder")
    fitting.add_argument("files", type=Path, nargs="+")
    fitting.add_argument("--out", type=Path, required=True)
    fitting.add_argument("--width", type=int, default=32, help="hidden units, a multiple of 32")
    fitting.add_argument("--epochs", type=int, default=12)
    fitting.add_argument("--seed", type=int, default=1)
    options = asked.parse_args()
    if options.way == "play":
        play(options.file, options.streams, options.positions, Style(net=options.net))
    else:
        fit(options.files, options.out, options.width, options.epochs, options.seed)


if __name__ == "__main__":
    main()
