"""Contests between players: equal openings and equal chance for both, rotated seats; repeatable and resumable."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np

from bridgehead.core import registry
from bridgehead.core.chance import Dealer, SeededDealer
from bridgehead.core.errors import BridgeheadError, RecordError
from bridgehead.core.game import Game, Position
from bridgehead.core.kernels import kernels
from bridgehead.core.match import Match
from bridgehead.players import process_pool
from bridgehead.players.levels import NAMES, fingerprint, levels_at
from bridgehead.players.watching import looking_back
from bridgehead.workshop.arena.search_players import make_entrant
from bridgehead.workshop.statistics import wilson

OPENING = 4  # number of random actions at the start of a game without chance, to vary the openings
LONGEST = 20_000  # limit of actions per game; an unfinished game counts as a draw


class ContestGame(NamedTuple):
    """One game of a contest: its set (same opening, same chance), the player of each seat, and each seat's result."""

    number: int
    seats: tuple[str, ...]
    returns: tuple[float, ...]
    reason: str
    actions: int


class ContestSetting(NamedTuple):
    """The setting of a contest: game, house rules as JSON, seed, and entrants by name."""

    game: str
    options: str
    seed: int
    entrants: tuple[str, ...]

    def make_game(self) -> Game:
        """The game under these house rules."""
        return registry.open_game(self.game, self.options)


def seatings(game: Game, entrants: Sequence[str], alone: bool = False) -> list[tuple[str, ...]]:
    """The seatings of one set of games: each side in turn for the first entrant, the rest for the second.

    With more than two sides, the first entrant takes one side and the second all others; then the reverse, unless `alone`.
    """
    one, other = entrants
    sides = sorted(set(game.sides))
    found = [tuple(one if side == mine else other for side in game.sides) for mine in sides]
    if len(sides) > 2 and not alone:
        found += [tuple(other if side == mine else one for side in game.sides) for mine in sides]
    return found


def play(setting: ContestSetting, number: int, seats: tuple[str, ...], game: Game | None = None) -> ContestGame:
    """Play game of set `number` in this seating."""
    game = game or setting.make_game()
    seed = f"{setting.seed}:{number}"
    match, dealer, lot = Match(game), SeededDealer(f"chance:{seed}"), SeededDealer(f"opening:{seed}")
    players = [make_entrant(name, f"{seed}:{seat}") for seat, name in enumerate(seats)]
    opening = OPENING if deals(game) == "never" else 0
    for position in decisions(match, dealer):
        if len(match.log) < opening:
            match.play(lot.pick(position.legal, len(match.log)))
        else:
            match.play(players[position.actor].choose(position, looking_back(match)))
    outcome = match.outcome
    returns = outcome.returns if outcome else (0.0,) * game.seats
    return ContestGame(number, seats, tuple(returns), outcome.reason if outcome else "unfinished", len(match.log))


def decisions(match: Match, dealer: Dealer) -> Iterator[Position]:
    """The positions in which a seat decides, to the end of a match or to LONGEST actions; the caller plays each decision."""
    while len(match.log) < LONGEST:
        match.deal(dealer)
        if match.outcome is not None:
            return
        yield match.position


def deals(game: Game) -> Literal["never", "first", "always"]:
    """When chance acts: never, only before the first decision (as in a draw for the first player), or later too.

    Judged by the first dozen actions. Games without later chance differ by a random opening.
    """
    match, decided, found = Match(game), False, False
    for _ in range(12):
        if match.outcome is not None:
            break
        if match.position.is_chance and decided:
            return "always"
        found = found or match.position.is_chance
        decided = decided or not match.position.is_chance
        match.play(match.position.legal[0])
    return "first" if found else "never"


Pair = tuple[str, str]


class Contest:
    """Sets of games between two entrants, played on all cores.

    file: stores results line by line; a file of the same contest is continued, one of another contest is refused.
    alone: see `seatings`.
    """

    def __init__(self, setting: ContestSetting, file: Path | None = None, workers: int = 0, alone: bool = False) -> None:
        self.setting, self.alone = setting, alone
        self.game = setting.make_game()
        for name in setting.entrants:
            make_entrant(name, 0)
        self.file = file
        self.workers = workers or os.cpu_count() or 1
        self.played: dict[tuple[Pair, int], list[ContestGame]] = {}
        self._read()

    def sets(self, pair: Pair) -> list[list[ContestGame]]:
        """The finished sets of this pair, in order."""
        return [self.played[key] for key in sorted(key for key in self.played if key[0] == pair)]

    def run(self, pairs: Sequence[Pair], number: int, report: Callable[[int], None] = lambda done: None) -> Iterator[Pair]:
        """Play the missing sets 0 to number - 1 of every pair; yields the pair after each set. The caller may stop any time."""
        missing = ((pair, n) for n in range(number) for pair in pairs if (pair, n) not in self.played)
        requests = ((self.setting, pair, n, self.alone) for pair, n in missing)
        here, several = ((each, _set(each)) for each in requests), process_pool.answers(_set, requests, self.workers)
        for (_, pair, n, _), games in here if self.workers == 1 else several:
            yield self._keep(pair, n, games)
            report(len(self.played))

    def _keep(self, pair: Pair, number: int, games: list[ContestGame]) -> Pair:
        self.played[pair, number] = games
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as out:
                out.write(json.dumps({"pair": pair, "set": number, "games": [list(each) for each in games]}) + "\n")
        return pair

    def _read(self) -> None:
        if self.file is None:
            return
        spec = self.game.spec
        setting = {"contest": self.setting.game, "rules": spec.version, **self.setting._asdict()}
        if named := [name for name in self.setting.entrants if name in NAMES]:
            setting["levels"] = fingerprint(spec, named, [levels_at(self.game)])
        if files := {name: Path(name.split(":", 2)[2]) for name in self.setting.entrants if name.count(":") > 1}:
            setting["weights"] = {name: hashlib.sha256(file.read_bytes()).hexdigest()[:16] for name, file in files.items()}
        if self.alone:
            setting["alone"] = True
        head = json.dumps(setting)
        try:
            text = self.file.read_text("utf-8") if self.file.exists() else ""
        except UnicodeDecodeError:
            raise RecordError("players:error.these_no_results_contest", str(self.file)) from None
        if head.startswith(text):  # an empty file, or a write interrupted within the first line
            self.file.write_text(head + "\n", "utf-8")
            return
        lines = text.splitlines()
        if lines[0] != head:
            raise RecordError("players:error.these_results_another_contest", str(self.file))
        for number, line in enumerate(lines[1:], start=2):
            try:
                setting = json.loads(line)
                pair, which = (str(setting["pair"][0]), str(setting["pair"][1])), int(setting["set"])
                games = [_played(each) for each in setting["games"]]
            except (ValueError, KeyError, TypeError, IndexError):
                if number == len(lines):  # the write was interrupted within this line, so the set is played again
                    self.file.write_text("\n".join(lines[:-1]) + "\n", "utf-8")
                    return
                raise RecordError("players:error.not_result", f"{self.file}, line {number}") from None
            self.played[pair, which] = games
        if not text.endswith("\n"):  # the write was interrupted before the line end, so begin a new line
            with self.file.open("a", encoding="utf-8") as out:
                out.write("\n")


def _played(row: list[Any]) -> ContestGame:
    number, seats, returns, reason, actions = row
    return ContestGame(int(number), tuple(seats), tuple(float(each) for each in returns), str(reason), int(actions))


def _set(request: tuple[ContestSetting, Pair, int, bool]) -> list[ContestGame]:
    """Runs in a worker: the games of one set."""
    setting, pair, number, alone = request
    game = setting.make_game()
    return [play(setting, number, seats, game) for seats in seatings(game, pair, alone)]


def score(games: Sequence[ContestGame], name: str, game: Game) -> float:
    """An entrant's score in a set, 0 to 1: for two sides, wins and half of the draws; for more, its share of wins."""
    total, count = 0.0, 0
    for each in games:
        mine = [each.returns[seat] for seat, who in enumerate(each.seats) if who == name]
        if mine and len(set(game.sides)) == 2:
            total += (1 + sum(mine) / len(mine)) / 2
            count += 1
        elif len(mine) == 1:
            total += mine[0] > 0
            count += 1
    if count == 0:
        raise BridgeheadError("players:error.entrant_did_not_play", name)
    return total / count


def compare_sides(games: Sequence[ContestGame], name: str, game: Game) -> tuple[float, int]:
    """Pairwise comparisons of an entrant's sides with the other's: (won, made). A tie is half a win.

    If a game has a winner, two losing sides are not compared. The share then estimates the score of the two in a game
    without other sides (R. Luce, Individual Choice Behavior, 1959). A game without a winner counts as half a win each.
    """
    won, made = 0.0, 0
    for each in games:
        results = {side: (each.seats[seat] == name, each.returns[seat]) for seat, side in enumerate(game.sides)}
        mine, others = ([result for own, result in results.values() if own == side] for side in (True, False))
        decided = len({result for _, result in results.values()}) > 1
        for one, other in itertools.product(mine, others):
            if one != other or not decided:
                won += 0.5 + 0.5 * ((one > other) - (one < other))
                made += 1
    if not games or made == 0:
        raise BridgeheadError("players:error.entrant_did_not_play", name)
    return won, made


class GreedyResult(NamedTuple):
    """Greedy (one side, each in turn) against random: `wins` of `decided` games, Wilson's 95 % interval."""

    game: str
    games: int
    seed: int
    decided: int
    wins: int
    share: float
    interval: tuple[float, float]


def greedy_against_random(game: Game, number: int, seed: int) -> GreedyResult:
    """Play `number` games; the greedy side changes from game to game. Only games with a winner are decided."""
    sides, loop, out = sorted(set(game.sides)), kernels(game.spec).play_games, np.empty(game.max_legal, np.int32)
    wins = decided = 0
    for index, side in enumerate(sides):
        count = number // len(sides) + (index < number % len(sides))
        skill = np.array([1 if s == side else 0 for s in game.sides], np.int64)
        seeds = np.random.default_rng((seed * len(sides) + index) % 2**64).integers(0, 2**63, count, np.uint64)
        results = np.zeros((count, game.seats))
        loop(game.new_states(count), game.law, seeds, LONGEST, skill, out, np.zeros(count, np.int64), results)
        decided += int((results.max(axis=1) > 0).sum())
        wins += int((results[:, game.sides.index(side)] > 0).sum())
    share = wilson(wins, decided)
    return GreedyResult(game.spec.id, number, seed, decided, wins, share.value, (share.low, share.high))
