"""Batches on a graphics card: random playouts, against the processor and against Pgx on the same card.

First 10,000 games of every kind run on both, and every state, result and length must be equal. Then rounds alternate:
the card with a large batch, all cores with a smaller one, and for Connect Four Pgx (installed with JAX for CUDA into an
environment of its own). Rates are decisions per second of wall time, from started games on the card to results in
memory, without compiling. Without a card or the extra `cuda`, it prints the reason and exits with 1.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import shared
from bridgehead import batch, environments
from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from shared import Missing, Ratio, Result, Row

CLAIM = "Batches on a graphics card"
EQUAL = 10_000  # games that must be equal on both
GAMES: Mapping[str, tuple[int, int]] = {
    "connect_four": (1 << 22, 1 << 20),
    "forty_bridges": (1 << 19, 1 << 15),
    "front_lines": (1 << 20, 1 << 16),
    "burning_bridges": (1 << 16, 1 << 12),
    "barricade": (1 << 16, 1 << 10),
}  # played at once on the card, on all cores
TRAINED = "forty_bridges"  # its environments are measured too, with masks and observations
STEPPING = {"cuda": 1 << 16, "cpu": 1 << 12}  # games that step together
PGX_BATCHES = (1 << 14, 1 << 17, 1 << 20)  # the best is reported


def named(name: str) -> Game:
    """A game under the house rules that all measurements use."""
    spec = shared.find(name)
    return Game(spec, house.build(spec, values=shared.RULES.get(name, {})))


def differences(game: Game, number: int = EQUAL, seed: int = 1) -> list[str]:
    """The differences between the card's games and the processor's; empty if there is none."""
    here, there = batch.start(game, number, seed), batch.start(game, number, seed, device="cuda")
    ours, theirs = here.playout(), there.playout()
    equal = {
        "states": here.states.tobytes() == there.states.tobytes(),
        "lengths": bool((ours.decisions == theirs.decisions).all()),
        "results": bool((ours.returns == theirs.returns).all()),
    }
    return [f"{game.spec.id}: {what} differ between card and processor" for what, same in equal.items() if not same]


def rate(game: Game, number: int, seed: int, device: str) -> float:
    """Decisions per second of wall time, of games played to their end."""
    games = batch.start(game, number, seed, device=device)
    began = time.perf_counter()
    decisions = int(games.playout().decisions.sum())
    return decisions / (time.perf_counter() - began)


def stepping(game: Game, seed: int, device: str, seconds: float) -> float:
    """Random steps per second of wall time in environments for learning agents, with masks and observations."""
    games = environments.start(game, STEPPING[device], seed, device=device)
    games.step(games.sample(), check=False)
    steps, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        games.step(games.sample(), check=False)
        steps += len(games)
    return steps / (time.perf_counter() - began)


def measure(wanted: Sequence[str], rounds: int, seconds: float) -> tuple[dict[str, list[float]], dict[str, str]]:
    """Rates by contestant and round, and what could not be measured."""
    runs: dict[str, Callable[[int], float]] = {}
    missing: dict[str, str] = {}
    for name in wanted:
        (on_card, on_cores), game = GAMES[name], named(name)
        runs[f"{name}, card"] = lambda seed, game=game, number=on_card: rate(game, number, seed, "cuda")
        runs[f"{name}, all cores"] = lambda seed, game=game, number=on_cores: rate(game, number, seed, "cpu")
    for device, where in (("cuda", "card"), ("cpu", "all cores")) if TRAINED in wanted else ():
        game, name = named(TRAINED), f"{TRAINED}, environments, {where}"
        runs[name] = lambda seed, game=game, device=device: stepping(game, seed, device, seconds / rounds)
    try:
        if "connect_four" in wanted:
            pgx = shared.best_pgx("pgx-cuda", PGX_BATCHES, 1.0, "cuda")
            runs["connect_four, Pgx on the card"] = lambda seed: pgx.play(seconds / rounds).rate
    except Missing as error:
        missing["Pgx on the card"] = str(error)
    for run in runs.values():
        run(0)  # compiles
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for seed in range(1, rounds + 1):
        for name, run in runs.items():
            rates[name].append(run(seed))
    return rates, missing


def compare(rates: Mapping[str, list[float]], missing: dict[str, str], wrong: list[str]) -> Result:
    """The result: rates, card relative to all cores, and ours relative to Pgx."""
    rows = [Row(name, shared.middle(found), "decisions/s") for name, found in rates.items()]
    pairs = [(f"{name}, card", f"{name}, all cores") for name in (*GAMES, f"{TRAINED}, environments")]
    pairs.append(("connect_four, card", "connect_four, Pgx on the card"))
    ratios = [Ratio(f"{a} / {b}", shared.ratio(rates[a], rates[b])) for a, b in pairs if a in rates and b in rates]
    return Result(CLAIM, rows, ratios, missing, wrong)


def main() -> None:
    parser = shared.player(__doc__, seconds=10.0)
    parser.add_argument("--games", nargs="+", choices=[*GAMES], default=[*GAMES], help="which games")
    wanted = parser.parse_args()
    try:
        wrong = [found for name in wanted.games for found in differences(named(name))]
    except BridgeheadError as error:
        shared.finish(Result(CLAIM, missing={"the graphics card": error.what}), wanted.json)
    shared.finish(compare(*measure(wanted.games, wanted.rounds, wanted.seconds), wrong), wanted.json)


if __name__ == "__main__":
    main()
