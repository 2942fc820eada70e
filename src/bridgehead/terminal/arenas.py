"""Contests in the terminal: who is stronger, by how much, and how sure that is."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.players import level_named, standings, statistics
from bridgehead.players.contest import Contest, Pair, Setting, score
from bridgehead.players.levels import NAMES


def compete(
    game: Game, players: list[str], number: int, sets: int, of_levels: bool, alone: bool, sprt: str, out: Path | None, seed: int,
    as_json: bool,
) -> None:  # fmt: skip
    """`bridgehead arena`: players against one another; the levels; or, with neither, greedy against random."""
    asked = {"--sprt": bool(sprt), "--alone": alone, "--out": out is not None}
    if of_levels and players:
        raise OptionError("players are named, or --levels says that all levels play, not both", "PLAYERS")
    for option, given in asked.items():
        if given and not players and not (of_levels and option == "--out"):
            raise OptionError("is for players that are named", option)
    if of_levels:
        levels(game, sets, seed, out, as_json)
    elif players:
        contest(game, players, sets, seed, sprt, out, as_json, alone)
    else:
        from bridgehead.terminal import shows

        shows.arena(game, number, seed, as_json)


def contest(
    game: Game, entrants: list[str], sets: int, seed: int, sprt: str, file: Path | None, as_json: bool, alone: bool = False
) -> None:
    """Every entrant against every other; two with `sprt` until the test is decided. Errors: OptionError, RecordError."""
    entrants = [level_named(game.spec, name) if name.isdecimal() else name for name in entrants]
    if len(set(entrants)) != len(entrants) or len(entrants) < 2:
        raise OptionError("a contest needs two or more different players", "PLAYERS")
    bounds = _bounds(sprt)
    if bounds and len(entrants) != 2:
        raise OptionError("a sequential test is of two players", "--sprt")
    setting = Setting(game.spec.id, json.dumps(game.differences, sort_keys=True), seed, tuple(entrants))
    made = Contest(setting, file, alone=alone)
    pairs: list[Pair] = list(itertools.combinations(entrants, 2))
    with progress("playing", len(pairs) * sets) as bar:
        try:
            for pair in made.run(pairs, sets, bar):
                if bounds and statistics.sequential(_scores(made, pair), *bounds).verdict != "open":
                    break
        except KeyboardInterrupt:
            print("stopped; what was played counts" + (f" and is kept in {file}" if file else ""), file=sys.stderr)
    told = _told(made, pairs, bounds)
    print(json.dumps(told, indent=1) if as_json else _in_words(game, told))


def levels(game: Game, sets: int, seed: int, file: Path | None, as_json: bool) -> None:
    """Every level of a game against the one below and the one below that. Errors: OptionError, RecordError."""
    made = standings.contest(game, seed, file)
    pairs = standings.pairs()
    with progress("playing", len(pairs) * sets) as bar:
        try:
            for _ in made.run(pairs, sets, bar):
                pass
        except KeyboardInterrupt:
            print("stopped; what was played counts" + (f" and is kept in {file}" if file else ""), file=sys.stderr)
    told = standings.told(made)
    if as_json:
        print(json.dumps(told, indent=1))
        return
    rows = standings.table(told)
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    print(f"{game.spec.title}, rules {told['rules']}, seed {seed}: share of decided comparisons, rating in Elo above {NAMES[0]}.")
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def train(
    game: Game, number: int, player: str, seed: int, file: Path, rounds: int = 1, start: Path | None = None, sets: int = 0
) -> None:
    """Learn weights, test them, write them with their manifest. Errors: BridgeheadError where a game has none, OptionError."""
    from bridgehead.players import training_rounds

    setting = Setting(game.spec.id, json.dumps(game.differences, sort_keys=True), seed, (player,))
    course = training_rounds.Course(setting, player, number, rounds, start, sets)
    with progress("learning", rounds * number + sets) as told:
        before = {"testing": rounds * number} | {f"round {n + 1}": n * number for n in range(rounds)}
        made = training_rounds.school(course, file, lambda what, done, of: told(before[what] + done))
    for each in made["data"]:
        print(
            f"{each['positions']} positions of {each['games']} games; cross-entropy {each['cross-entropy']:.4f} "
            f"(knowing nothing {each['of knowing nothing']:.4f})"
        )
    if test := made["result"]:
        share, low, high = test["share"]
        print(f"against {test['against']}: {test['verdict']}, {share:.1%} [{low:.1%}, {high:.1%}] of {test['games']} games")
    print(f"written to {file} and {training_rounds.path(file)}")


def endgames(folder: Path, pieces: int, step: int) -> bool:
    """Work out the endgame tables of 40 Bridges, and compare every `step`-th entry (0: none) with those after it: all right?"""
    from bridgehead.core import registry
    from bridgehead.games.forty_bridges import checking, tables

    game, said = registry.game("forty_bridges"), ""
    with progress("working out", 1000) as told:

        def tell(what: str, share: float) -> None:
            nonlocal said
            told(int(1000 * share))
            if what != said and not sys.stderr.isatty():
                print(f"{share:4.0%} {what}", file=sys.stderr, flush=True)
            said = what

        made = tables.build(game, pieces, folder, tell)
    print(f"{len(made.values):,} positions of up to {pieces} pieces, in {folder}")
    found = [checking.check(game, made, *which, step) for n in range(2, pieces + 1) for which in tables.classes(n) if step]
    if step:
        looked, wrong = (sum(counts) for counts in zip(*found, strict=True))
        print(f"{looked:,} entries compared with what follows from them: {wrong:,} wrong")
    return all(wrong == 0 for _, wrong in found)


@contextlib.contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on the terminal, if it is one."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task(what, total=total)
        yield lambda done: shown.update(task, completed=done)


def _bounds(text: str) -> tuple[float, float] | None:
    if not text:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise OptionError("two differences in Elo, like 0,20", "--sprt") from None
    if not (math.isfinite(low) and math.isfinite(high)):
        raise OptionError("two differences in Elo, like 0,20", "--sprt")
    if low >= high:
        raise OptionError("the first has to be smaller than the second", "--sprt")
    return low, high


def _scores(made: Contest, pair: Pair) -> list[float]:
    return [score(games, pair[0], made.game) for games in made.sets(pair)]


def _told(made: Contest, pairs: list[Pair], bounds: tuple[float, float] | None) -> dict[str, Any]:
    """All that can be said of a contest, as plain data."""
    shares = {pair: statistics.mean_score(_scores(made, pair)) for pair in pairs}
    found: dict[str, Any] = {"setting": made.setting._asdict(), "rules": made.game.spec.version, "pairs": []}
    for pair, each in shares.items():
        games = [game for one in made.sets(pair) for game in one]
        told: dict[str, Any] = {
            "players": pair, "share": _finite(each.value), "low": each.low, "high": each.high, "sets": each.games,
            "games": len(games), "even": _even(made.game),
        }  # fmt: skip
        told["reasons"] = {reason: sum(game.reason == reason for game in games) for reason in sorted({g.reason for g in games})}
        told["mean actions"] = sum(game.actions for game in games) / len(games) if games else None
        if len(set(made.game.sides)) == 2:
            told["elo"] = [_finite(statistics.elo(part)) for part in (each.value, each.low, each.high)]
        if bounds:
            told["test"] = {"bounds": bounds, **statistics.sequential(_scores(made, pair), *bounds)._asdict()}
        found["pairs"].append(told)
    if len(made.setting.entrants) > 2 and len(set(made.game.sides)) == 2:
        points = {pair: (sum(_scores(made, pair)), each.games) for pair, each in shares.items()}
        rated = statistics.bradley_terry(points, made.setting.entrants)
        found["ratings"] = {name: rating._asdict() for name, rating in rated.items()}
    return found


def _finite(number: float) -> float | None:
    """A number as JSON may have it: what is infinite, or of nothing, is null there."""
    return number if math.isfinite(number) else None


def _even(game: Game) -> float:
    """The share that an entrant has who is neither stronger nor weaker."""
    sides = len(set(game.sides))
    return 0.5 if sides == 2 else 1 / sides


def _in_words(game: Game, told: dict[str, Any]) -> str:
    lines = [
        f"{game.spec.title}, rules {told['rules']}, seed {told['setting']['seed']}: same openings and chance, seats in turn."
    ]
    for each in told["pairs"]:
        one, other = each["players"]
        if each["games"] == 0:
            lines.append(f"{one} against {other}: nothing was played")
            continue
        lines.append(
            f"{one} against {other}: {each['share']:.1%} [{each['low']:.1%}, {each['high']:.1%}] of {each['games']} games "
            f"(even: {each['even']:.0%}); " + ", ".join(f"{reason} {count}" for reason, count in each["reasons"].items())
        )
        if "elo" in each:
            elo, low, high = (statistics.elo(each[part]) for part in ("share", "low", "high"))
            lines.append(f"  Elo {elo:+.0f} [{low:+.0f}, {high:+.0f}]")
        if "test" in each:
            test = each["test"]
            lines.append(
                f"  sequential test {test['bounds'][0]:g} against {test['bounds'][1]:g} Elo: {test['verdict']} "
                f"(log ratio {test['ratio']:.2f} of {test['low']:.2f} to {test['high']:.2f})"
            )
    for name, rating in sorted(told.get("ratings", {}).items(), key=lambda each: -each[1]["elo"]):
        lines.append(f"{name:12} {rating['elo']:+6.0f} [{rating['low']:+.0f}, {rating['high']:+.0f}]")
    return "\n".join(lines)
