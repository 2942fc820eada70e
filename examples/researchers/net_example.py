"""A small net that corrects the evaluation of 40 Bridges: how it computes, plays, is learned, and is compared.

    python net_example.py play one.npz --streams 11:3800 --positions 1000
    python net_example.py fit one.npz --out net.json
    python net_example.py contest --sets 100 --positions 4000

play FILE: the computer plays itself; FILE gets each position with the score of its search. `--streams SEED:GAMES ...` are games
from one seed each, which may be shared among processes. `--net` plays with the net beside this file.
fit FILE... --out net.json: learns a net that, together with the linear evaluation, predicts these scores (as win chances), and
writes it with its manifest. One thread, numbers in a fixed order: the same files and seed give the same net to the digit.
contest: a search with the net beside this file against one without it. `--contempt`: how much worse than an even position a draw
is for the one with the net, in units of the evaluation.

A search sees some plies farther than the evaluation, so a net that predicts its score lets the next search see farther still.

The inputs are the pieces by field, seen from the seat to act: own ones, then the opponent's. Each hidden unit adds up its weights
of the pieces on the board, is kept between 0 and 1, and is squared. It computes in whole numbers, so that it says the same
everywhere. Four hidden units share a word of 64 bits, so one addition serves four. OFFSET, added to each weight, keeps every part
of a word positive, and 16 pieces and the bias together below 2 to the power of 16.
"""

from __future__ import annotations

import argparse
import copy
import dataclasses
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np

from bridgehead.core import registry
from bridgehead.core.bits import count, lowest
from bridgehead.core.game import Game, Position
from bridgehead.core.jit import COMPILED, rule
from bridgehead.core.match import Match
from bridgehead.core.numbers import int64, uint64
from bridgehead.core.numerics import exp
from bridgehead.core.version import __version__
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.players.alphabeta import AlphaBeta
from bridgehead.players.deepening import GRAIN
from bridgehead.players.thoughts import JudgingStyle, Limit
from bridgehead.workshop.statistics import mean_score

Numbers = np.ndarray[Any, Any]
GAME = registry.game("forty_bridges")
FILE = Path(__file__).with_name("net.json")
SCALE, plain_value = GAME.spec.evaluate.SCALE, GAME.spec.evaluate.value

# The net

INPUTS = 2 * FIELDS
UNIT = 256  # a hidden unit of 1
OFFSET = 1800  # beyond the largest weight
FINE = 20  # binary digits behind the point of the sum
LANES, BLOCK = 4, 8  # hidden units in a word, words that are added up together
ONE, MASK = uint64(1), uint64(0xFFFF)
SECOND, THIRD, FOURTH = uint64(16), uint64(32), uint64(48)


class Net(NamedTuple):
    """weights: a row of hidden units for each input, then the biases (1 is UNIT); output: of each hidden unit, and constant:
    in units of 1/16 of the evaluation, with FINE binary digits where a hidden unit of 1 counts UNIT squared."""

    weights: Sequence[Sequence[int]]
    output: Sequence[int]
    constant: int


def read(file: Path) -> Net:
    """The net of a file. Errors: ValueError if it does not fit the board or its words."""
    found = Net(**json.loads(file.read_text("utf-8")))
    width = len(found.output)
    fits = len(found.weights) == INPUTS + 1 and width % (LANES * BLOCK) == 0 and all(len(row) == width for row in found.weights)
    if not fits or any(abs(weight) >= OFFSET for row in found.weights for weight in row):
        raise ValueError(f"{file}: not a net of {INPUTS} inputs with weights below {OFFSET}")
    return found


def words(net: Net) -> Any:
    """The rows of weights one after the other, four to a word."""
    made = [
        sum(weight + OFFSET << 16 * lane for lane, weight in enumerate(row[first : first + LANES]))
        for row in net.weights
        for first in range(0, len(row), LANES)
    ]
    return np.array(made, np.uint64) if COMPILED else made


_NET = read(FILE)
WORDS, CONSTANT = words(_NET), _NET.constant
OUTPUT: Any = np.array(_NET.output, np.int64) if COMPILED else _NET.output
WIDTH = len(_NET.output) // LANES  # words in a row


@rule
def correction(state, seat):
    """What the net adds to the value of a running game for the seat to act, in units of 1/16 of the evaluation."""
    own, enemy = state.pieces[seat], state.pieces[1 - seat]
    less, total = OFFSET * int64(count(own | enemy) + ONE), CONSTANT
    for block in range(0, WIDTH, BLOCK):
        total += block_of(own, enemy, seat, block, less)
    return total >> FINE


@rule
def block_of(own, enemy, seat, block, less):
    """The share of the hidden units in BLOCK words."""
    at = WIDTH * INPUTS + block
    a, b, c, d = WORDS[at], WORDS[at + 1], WORDS[at + 2], WORDS[at + 3]
    e, f, g, h = WORDS[at + 4], WORDS[at + 5], WORDS[at + 6], WORDS[at + 7]
    for side in range(2):
        rest = enemy if side else own
        while rest:
            field = int64(lowest(rest))
            rest &= rest - ONE
            at = WIDTH * (FIELDS * side + (FIELDS - 1 - field if seat else field)) + block
            a, b, c, d = a + WORDS[at], b + WORDS[at + 1], c + WORDS[at + 2], d + WORDS[at + 3]
            e, f, g, h = e + WORDS[at + 4], f + WORDS[at + 5], g + WORDS[at + 6], h + WORDS[at + 7]
    at = LANES * block
    total = four(a, at, less) + four(b, at + 4, less) + four(c, at + 8, less) + four(d, at + 12, less)
    return total + four(e, at + 16, less) + four(f, at + 20, less) + four(g, at + 24, less) + four(h, at + 28, less)


@rule
def four(word, at, less):
    """The share of the hidden units in a word."""
    total = OUTPUT[at] * squared(int64(word & MASK) - less)
    total += OUTPUT[at + 1] * squared(int64((word >> SECOND) & MASK) - less)
    total += OUTPUT[at + 2] * squared(int64((word >> THIRD) & MASK) - less)
    return total + OUTPUT[at + 3] * squared(int64((word >> FOURTH) & MASK) - less)


@rule
def squared(hidden):
    """A hidden unit, kept between 0 and 1, and squared."""
    hidden = min(max(hidden, 0), UNIT)
    return hidden * hidden


@rule
def corrected(state: Any, law: Any, seat: Any) -> Any:
    """The evaluation of 40 Bridges, corrected by the net, for the seat to act."""
    if state.reason != 0:
        return plain_value(state, law, seat)
    return plain_value(state, law, seat) + float(correction(state, seat)) / GRAIN


def with_net(game: Game = GAME) -> Game:
    """The same game with the corrected evaluation, for searches."""
    spec = dataclasses.replace(game.spec, version=f"{game.spec.version} with a net")  # searches are compiled for each version
    evaluate = copy.copy(game.spec.evaluate)
    vars(evaluate)["value"] = corrected
    vars(spec)["evaluate"] = evaluate
    return Game(spec, game.options)


# Playing

PIECES = 16
WANDER = 0.08  # share of random actions
OPENING = (2, 17)  # random actions at the beginning: at least, and below
MOST = 3000 / GRAIN / SCALE  # scores are kept within this, in units of SCALE
RATE, BATCH, BOUND = 2e-3, 512, 3.0  # of learning; of the weights
KEEP_SLOPES, KEEP_SQUARES = 0.9, 0.999  # Adam (D. Kingma, J. Ba, 2015): how long it remembers slopes and their squares
ROW = np.dtype([("pieces", "u8", (2,)), ("seat", "i1"), ("score", "i2"), ("result", "i1")])


def played(game: Game, seed: int, number: int, positions: int) -> list[tuple[Any, ...]]:
    """The rows of one game: position, seat to act, score of the search in 1/16 of the evaluation, result for that seat."""
    lot, search, rules = np.random.default_rng([seed, number]), AlphaBeta(1 << 16), GAME.spec.rules
    states, out = GAME.new_states(1), np.zeros(GAME.max_legal, np.int32)
    state = states[0]
    rules.setup(state, GAME.law)
    opening, seen, plies = int(lot.integers(*OPENING)), [], 0
    while state.reason == 0:
        choices, seat = rules.legal(state, GAME.law, out), int(state.seat)
        if seat < 0 or plies < opening:
            action = int(out[lot.integers(choices)])
        elif choices == 1:
            action = int(out[0])
        else:
            line = search.think(Position(game, states.copy()), Limit(nodes=positions))
            if state.takes == 0:
                score = int(max(-30000, min(30000, line.score * GRAIN)))
                seen.append((tuple(map(int, state.pieces)), seat, score))
            action = int(out[lot.integers(choices)]) if lot.random() < WANDER else line.action
        rules.apply(state, GAME.law, action)
        plies += 1
    winner = int(state.winner)
    return [(*each, 0 if winner < 0 else 1 if winner == each[1] else -1) for each in seen]


def play(file: Path, streams: list[str], positions: int, net: bool = False) -> None:
    """Play and store the games of some streams."""
    rows, games, game = [], 0, with_net() if net else GAME
    for seed, many in (map(int, stream.split(":")) for stream in streams):
        for number in range(many):
            rows += played(game, seed, number, positions)
            games += 1
    about = {"streams": streams, "games": games, "positions": positions, "net": fingerprint() if net else None}
    np.savez_compressed(file, rows=np.array(rows, ROW), about=json.dumps(about))


def fingerprint() -> str:
    """A hash of the net beside this file."""
    return hashlib.sha256(FILE.read_bytes()).hexdigest()


# Learning

FLIPPED = np.array([9 * (2 * field % 9) + 2 * field // 9 for field in range(FIELDS)]) // 2  # mirrored in the long diagonal


@numba.njit
def inputs(pieces: Numbers, seats: Numbers, flipped: Numbers) -> Numbers:
    """The inputs that are 1, up to PIECES, then INPUTS: as the position is, and mirrored in the long diagonal."""
    found = np.full((2, len(pieces), PIECES), INPUTS, np.uint8)
    for i in range(len(pieces)):
        seat = seats[i]
        own, enemy = pieces[i, seat], pieces[i, 1 - seat]
        placed = 0
        for field in range(FIELDS):
            bit = np.uint64(1) << np.uint64(field)
            seen = field if seat == 0 else FIELDS - 1 - field
            if (own | enemy) & bit:
                first = 0 if own & bit else FIELDS
                found[0, i, placed], found[1, i, placed] = first + seen, first + flipped[seen]
                placed += 1
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
        means[i] = KEEP_SLOPES * means[i] + (1 - KEEP_SLOPES) * slope
        squares[i] = KEEP_SQUARES * squares[i] + (1 - KEEP_SQUARES) * slope * slope
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
            left *= np.array([KEEP_SLOPES, KEEP_SQUARES])
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
    base = (linear(rows["pieces"], rows["seat"], states, GAME.law, plain_value) / SCALE).astype(np.float32)
    wanted = chance(np.clip(rows["score"] / GRAIN / SCALE, -MOST, MOST)).astype(np.float32)
    active = inputs(rows["pieces"], rows["seat"], FLIPPED)
    net, losses = learned(active, base, wanted, width, epochs, seed)
    out.write_text(written(net), "utf-8")
    made = {
        "net": hashlib.sha256(out.read_bytes()).hexdigest(), "by": f"Bridgehead {__version__}", "rules": GAME.spec.version,
        "command": f"python net_example.py fit {' '.join(file.name for file in files)} --out {out.name}"
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
    """The net in whole numbers, as `read` reads it."""
    weights, bias, output, constant = (part.astype(np.float64) for part in net)
    unit = GRAIN * SCALE * (1 << FINE)
    rows = np.clip(np.round(np.concatenate([weights, bias[None]]) * UNIT), 1 - OFFSET, OFFSET - 1).astype(int).tolist()
    outputs = np.round(output * unit / UNIT**2).astype(int).tolist()
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    return f'{{\n "constant": {round(float(constant[0]) * unit)},\n "output": {outputs},\n "weights": [\n  {lines}\n ]\n}}\n'


# Comparing


def contest(sets: int, positions: int, contempt: float, seed: int) -> list[float]:
    """The shares that a search with the net wins of one without it: an opening of four random actions, played from both seats."""
    sides, limit, shares = (with_net(), GAME), Limit(nodes=positions), []
    for number in range(sets):
        share = 0.0
        for mine in (0, 1):
            lot, match = np.random.default_rng([seed, number]), Match(GAME)
            searches = AlphaBeta(1 << 16, style=JudgingStyle(contempt)), AlphaBeta(1 << 16)
            while match.outcome is None:
                legal, side = match.position.legal, int(match.position.actor != mine)
                seen = Position(sides[side], match.position.copy_states())
                match.play(int(lot.choice(legal)) if len(match.log) < 4 else searches[side].think(seen, limit).action)
            share += (1 + match.outcome.returns[mine]) / 4
        shares.append(share)
        found = mean_score(shares)
        print(f"{2 * len(shares)} games: {found.value:.1%} [{found.low:.1%}, {found.high:.1%}] with the net", flush=True)
    return shares


def main() -> None:
    asked = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    ways = asked.add_subparsers(dest="way", required=True)
    playing, fitting, comparing = (ways.add_parser(way) for way in ("play", "fit", "contest"))
    playing.add_argument("file", type=Path)
    playing.add_argument("--streams", nargs="+", required=True, metavar="SEED:GAMES")
    playing.add_argument("--positions", type=int, default=2500, help="of a search")
    playing.add_argument("--net", action="store_true", help="play with the net beside this file")
    fitting.add_argument("files", type=Path, nargs="+")
    fitting.add_argument("--out", type=Path, required=True)
    fitting.add_argument("--width", type=int, default=32, help="hidden units, a multiple of 32")
    fitting.add_argument("--epochs", type=int, default=12)
    fitting.add_argument("--seed", type=int, default=1)
    comparing.add_argument("--sets", type=int, default=100, help="of two games")
    comparing.add_argument("--positions", type=int, default=4000, help="of a search")
    comparing.add_argument("--contempt", type=float, default=0.0)
    comparing.add_argument("--seed", type=int, default=1)
    options = asked.parse_args()
    if options.way == "play":
        play(options.file, options.streams, options.positions, options.net)
    elif options.way == "contest":
        contest(options.sets, options.positions, options.contempt, options.seed)
    else:
        fit(options.files, options.out, options.width, options.epochs, options.seed)


if __name__ == "__main__":
    main()
