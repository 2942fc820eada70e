"""Contests in the terminal: relative strength of players, with confidence intervals."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from bridgehead.core.descriptions import about
from bridgehead.core.errors import BridgeheadError, OptionError
from bridgehead.core.game import Game
from bridgehead.core.jit import require_compiler
from bridgehead.core.phrases import detect_language
from bridgehead.players import level_named
from bridgehead.players.levels import NAMES
from bridgehead.terminal.shows import patiently
from bridgehead.terminal.words import t
from bridgehead.workshop import statistics
from bridgehead.workshop.arena import standings
from bridgehead.workshop.arena.contest import Contest, ContestSetting, Pair, greedy_against_random, score
from bridgehead.workshop.devices import cuda_here


def compete(
    game: Game, players: list[str], number: int, sets: int, of_levels: bool, alone: bool, sprt: str, out: Path | None, seed: int,
    as_json: bool,
) -> None:  # fmt: skip
    """`bridgehead arena`: players against each other; the levels; or, without players, greedy against random."""
    if of_levels and players:
        raise OptionError("terminal:error.players_named_levels_says_all", "PLAYERS")
    for option, given in {"--sprt": sprt, "--alone": alone, "--out": out}.items():
        if given and not players and not (of_levels and option == "--out"):
            raise OptionError("terminal:error.players_named", option)
    if of_levels:
        compete_levels(game, sets, seed, out, as_json)
    elif players:
        contest(game, players, sets, seed, sprt, out, as_json, alone)
    else:
        _greedy_against_random(game, number, seed, as_json)


def _greedy_against_random(game: Game, number: int, seed: int, as_json: bool) -> None:
    """Greedy plays each seat (or side) in turn, against random in all others."""
    result = patiently(t("progress.playing"), greedy_against_random, game, number, seed)
    if as_json:
        print(json.dumps(result._asdict() | {"share": result.share if result.decided else None}))
        return
    low, high = result.interval
    if not result.decided:
        print(t("greedy.nobody", title=game.spec.title, games=result.games, seed=seed))
        return
    print(t("greedy.won", title=game.spec.title, wins=result.wins, decided=result.decided))
    share, low_share, high_share = (f"{each:.1%}" for each in (result.share, low, high))
    print(t("greedy.share", share=share, low=low_share, high=high_share, games=result.games, seed=seed))


def contest(
    game: Game, entrants: list[str], sets: int, seed: int, sprt: str, file: Path | None, as_json: bool, alone: bool = False
) -> None:
    """Every entrant against every other; with `sprt`, two until the test is decided. Errors: OptionError, RecordError."""
    entrants = [level_named(game.spec, name) if name.isdecimal() else name for name in entrants]
    if len(set(entrants)) != len(entrants) or len(entrants) < 2:
        raise OptionError("terminal:error.contest_needs_two_more_different", "PLAYERS")
    bounds = _bounds(sprt)
    if bounds and len(entrants) != 2:
        raise OptionError("terminal:error.sequential_test_two_players", "--sprt")
    setting = ContestSetting(game.spec.id, json.dumps(game.differences, sort_keys=True), seed, tuple(entrants))
    made = Contest(setting, file, alone=alone)
    pairs: list[Pair] = list(itertools.combinations(entrants, 2))
    with progress(t("progress.playing"), len(pairs) * sets) as bar:
        try:
            for pair in made.run(pairs, sets, bar):
                if bounds and statistics.sequential(_scores(made, pair), *bounds).verdict != "open":
                    break
        except KeyboardInterrupt:
            print(t("arena.kept", file=file) if file else t("arena.stopped"), file=sys.stderr)
    result = _result(made, pairs, bounds)
    print(json.dumps(result, indent=1) if as_json else _in_words(game, result))


def compete_levels(game: Game, sets: int, seed: int, file: Path | None, as_json: bool) -> None:
    """Every level of a game against the one below and the one two below. Errors: OptionError, RecordError."""
    made = standings.contest(game, seed, file)
    pairs = standings.pairs()
    with progress(t("progress.playing"), len(pairs) * sets) as bar:
        try:
            for _ in made.run(pairs, sets, bar):
                pass
        except KeyboardInterrupt:
            print(t("arena.kept", file=file) if file else t("arena.stopped"), file=sys.stderr)
    summary = standings.summary(made)
    if as_json:
        print(json.dumps(summary, indent=1))
        return
    rows = standings.table(summary, detect_language())
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    print(t("arena.levels", title=game.spec.title, rules=summary["rules"], seed=seed, level=NAMES[0]))
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def train(
    game: Game,
    number: int,
    player: str,
    seed: int,
    file: Path,
    rounds: int = 1,
    start: Path | None = None,
    sets: int = 0,
    units: int = 0,
) -> None:
    """Learn weights, test them, and write them with their manifest. Errors: BridgeheadError."""
    require_compiler()
    from bridgehead.workshop.learning import training

    setting = ContestSetting(game.spec.id, json.dumps(game.differences, sort_keys=True), seed, (player,))
    course = training.Course(setting, player, number, rounds, start, sets, units=units)
    with progress(t("progress.learning"), rounds * number + sets) as report:
        before = {"testing": rounds * number} | {f"round {n + 1}": n * number for n in range(rounds)}
        made = training.train(course, file, lambda what, done, of: report(before[what] + done))
    for each in made["data"]:
        entropy, nothing = (f"{each[name]:.4f}" for name in ("cross-entropy", "of knowing nothing"))
        print(t("train.data", positions=each["positions"], games=each["games"], entropy=entropy, nothing=nothing))
    if test := made["result"]:
        share, verdict = _interval(*test["share"]), t(f"verdict.{test['verdict']}")
        print(t("train.test", against=test["against"], verdict=verdict, share=share, games=test["games"]))
    print(t("train.written", file=file, manifest=training.path(file)))


def endgames(game: Game, folder: Path, pieces: int, step: int, device: str) -> bool:
    """Compute the endgame tables of 40 Bridges. Do all `step`-th entries (0: none) agree with their successors?

    device: `cpu` or `cuda`. Errors: BridgeheadError for a device that is not there, or house rules without tables.
    """
    require_compiler()
    from bridgehead.games.forty_bridges import endgames
    from bridgehead.workshop.forty_bridges.endgames_check import check, count_positions, list_classes

    card: Any = None
    if _wants_gpu(device):
        from bridgehead.workshop.forty_bridges.endgames_gpu import GpuTables as card
    shown = ""
    with progress(t("progress.endgames"), 1000) as report:

        def tell(what: str, share: float) -> None:
            nonlocal shown
            report(int(1000 * share))
            if what != shown and not sys.stderr.isatty():
                print(f"{share:4.0%} {what}", file=sys.stderr, flush=True)
            shown = what

        made = endgames.build(game, pieces, folder, tell, card)
    positions = sum(count_positions(*which) for which in list_classes(made))
    print(t("endgames.made", entries=f"{len(made.values):,}", positions=f"{positions:,}", pieces=pieces, folder=folder))
    found = [check(game, made, *which, step) for which in list_classes(made) if step]
    if step:
        looked, wrong = (sum(counts) for counts in zip(*found, strict=True))
        print(t("endgames.checked", looked=f"{looked:,}", wrong=f"{wrong:,}"))
    return all(wrong == 0 for _, wrong in found)


def verify_endgames(game: Game, folder: Path | None, sample: int, seed: int) -> bool:
    """Check entries of endgame tables drawn by lot, and the hash of each class: is none wrong, none other than the published?

    folder: None means the tables that come with the game. Errors: BridgeheadError for a folder without finished tables, tables
    of other rules, or house rules without tables.
    """
    from bridgehead.games.forty_bridges import endgames
    from bridgehead.workshop.forty_bridges import endgames_check

    rule_set = endgames.require_rule_set(game)
    tables = endgames.larger(str(folder), rule_set) if folder else endgames.load_shipped_tables(rule_set)
    published, other = endgames.SHIPPED[rule_set].read_hashes(), 0
    for own, others in endgames_check.list_classes(tables):
        digest, name = endgames.hash_class(tables, own, others), f"{own}-{others}"
        same = published.get(name) == digest
        other += name in published and not same
        state = "same" if same else "other" if name in published else "unknown"
        print(f"{digest}  {name}  {t(f'endgames.{state}')}")
    looked, wrong = endgames_check.verify(game, tables, sample, seed)
    print(t("endgames.verified", sample=f"{sample:,}", positions=f"{looked:,}", wrong=f"{wrong:,}"))
    return not (wrong or other)


def compute_fortress(
    folder: Path, region: str, pieces: str, attackers: str, held: bool, step: int, line: Path | None, device: str
) -> bool:
    """Compute a fortress of 40 Bridges. Do all `step`-th positions (0: none) agree with the rules? device: see `endgames`.

    line: the record to write of a game in which the start falls. Errors: BridgeheadError.
    """
    require_compiler()
    from bridgehead.core import record, registry
    from bridgehead.workshop.forty_bridges import fortress as solving
    from bridgehead.workshop.forty_bridges import fortress_check

    card, game = None, registry.game("forty_bridges")
    if _wants_gpu(device):
        from bridgehead.workshop.forty_bridges.fortress_gpu import GpuSweeps as card  # type: ignore[assignment]
    made = solving.family(region, _pair(pieces, "--pieces"), _pair(attackers, "--attackers"), held)
    if line and (card or made.attackers != (solving.MOST, solving.MOST)):
        raise BridgeheadError("terminal:error.fortress_line", "--line")
    setups = len(made.keys)
    with progress(t("progress.endgames"), setups) as report:
        found = solving.build(made, folder, os.cpu_count() or 1, lambda sweep, left: report(setups - left), card, bool(line))
    print(t("fortress.made", setups=f"{setups:,}", positions=f"{found.counts[0].sum():,}", folder=folder))
    for squares, octagons in itertools.product(*(range(most + 1) for most in made.attackers)):
        every, kept, safe = (f"{number:,}" for number in found.counts[:, squares, octagons])
        print(t("fortress.row", squares=squares, octagons=octagons, all=every, kept=kept, safe=safe))
    if line and (match := fortress_check.line(game, found)):
        line.write_text(record.dump(match), "utf-8")
        print(t("fortress.line", n=(len(match.log) + 1) // 2, file=line))
    elif line:
        print(t("fortress.no_line"))
    if step:
        counted = [fortress_check.check(game, found, setup, step) for setup in range(setups)]
        looked, wrong, missed = (sum(counts) for counts in zip(*counted, strict=True))
        print(t("fortress.checked", looked=f"{looked:,}", wrong=f"{wrong:,}", missed=f"{missed:,}"))
        return not wrong and not missed
    return True


def _wants_gpu(device: str) -> bool:
    """Whether to compute on a graphics card, which is there. Errors: BridgeheadError."""
    if device == "cuda":
        cuda_here()
    return device == "cuda"


def _pair(text: str, option: str) -> tuple[int, int]:
    """Two numbers of pieces such as `4+4`. Errors: OptionError."""
    numbers = [int(part) for part in text.split("+") if part.isascii() and part.isdigit()]
    if len(numbers) != 2 or text.count("+") != 1:
        raise OptionError("terminal:error.two_numbers", option)
    return numbers[0], numbers[1]


@contextlib.contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar, if the output is a terminal."""
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
        if not math.isfinite(low - high):
            raise ValueError
    except ValueError:
        raise OptionError("terminal:error.two_differences_elo_like_0", "--sprt") from None
    if low >= high:
        raise OptionError("terminal:error.first_smaller_than_second", "--sprt")
    return low, high


def _scores(made: Contest, pair: Pair) -> list[float]:
    return [score(games, pair[0], made.game) for games in made.sets(pair)]


def _result(made: Contest, pairs: list[Pair], bounds: tuple[float, float] | None) -> dict[str, Any]:
    """The results of a contest as plain data."""
    shares = {pair: statistics.mean_score(_scores(made, pair)) for pair in pairs}
    found: dict[str, Any] = {"setting": made.setting._asdict(), "rules": made.game.spec.version, "pairs": []}
    for pair, each in shares.items():
        games = [game for one in made.sets(pair) for game in one]
        row: dict[str, Any] = {
            "players": pair, "share": _finite(each.value), "low": each.low, "high": each.high, "sets": each.games,
            "games": len(games), "even": 1 / len(set(made.game.sides)),
        }  # fmt: skip
        row["reasons"] = {reason: sum(game.reason == reason for game in games) for reason in sorted({g.reason for g in games})}
        row["mean actions"] = sum(game.actions for game in games) / len(games) if games else None
        if len(set(made.game.sides)) == 2:
            row["elo"] = [_finite(statistics.elo(part)) for part in (each.value, each.low, each.high)]
        if bounds:
            row["test"] = {"bounds": bounds, **statistics.sequential(_scores(made, pair), *bounds)._asdict()}
        found["pairs"].append(row)
    if len(made.setting.entrants) > 2 and len(set(made.game.sides)) == 2:
        points = {pair: (sum(_scores(made, pair)), each.games) for pair, each in shares.items()}
        rated = statistics.bradley_terry(points, made.setting.entrants)
        found["ratings"] = {name: rating._asdict() for name, rating in rated.items()}
    return found


def _finite(number: float) -> float | None:
    """A number for JSON: infinity and NaN become null."""
    return number if math.isfinite(number) else None


def _interval(share: float, low: float, high: float) -> str:
    """A share with its interval in brackets."""
    return f"{share:.1%} [{low:.1%}, {high:.1%}]"


def _in_words(game: Game, result: dict[str, Any]) -> str:
    words = about(game.spec, detect_language())
    lines = [t("arena.setting", title=game.spec.title, rules=result["rules"], seed=result["setting"]["seed"])]
    for each in result["pairs"]:
        one, other = each["players"]
        if each["games"] == 0:
            lines.append(t("arena.nothing", one=one, other=other))
            continue
        share, even = _interval(each["share"], each["low"], each["high"]), f"{each['even']:.0%}"
        reasons = ", ".join(f"{words.reason(reason)} {count}" for reason, count in each["reasons"].items())
        lines.append(t("arena.pair", one=one, other=other, share=share, games=each["games"], even=even, reasons=reasons))
        if "elo" in each:
            elo, low, high = (statistics.elo(each[part]) for part in ("share", "low", "high"))
            lines.append(f"  Elo {elo:+.0f} [{low:+.0f}, {high:+.0f}]")
        if "test" in each:
            test = each["test"]
            least, most, ratio = (f"{test[name]:.2f}" for name in ("low", "high", "ratio"))
            bounds = dict(zip(("low", "high"), (f"{bound:g}" for bound in test["bounds"]), strict=True))
            verdict = t(f"verdict.{test['verdict']}")
            lines.append("  " + t("arena.test", verdict=verdict, ratio=ratio, least=least, most=most, **bounds))
    for name, rating in sorted(result.get("ratings", {}).items(), key=lambda each: -each[1]["elo"]):
        lines.append(f"{name:12} {rating['elo']:+6.0f} [{rating['low']:+.0f}, {rating['high']:+.0f}]")
    return "\n".join(lines)
