"""Standings of a game's levels: each plays the level below it and the one below that; ratings follow from all results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from bridgehead.core.errors import OptionError
from bridgehead.core.game import Game
from bridgehead.core.phrases import ENGLISH, Figure, Phrase
from bridgehead.core.version import __version__
from bridgehead.players.advice import WORDS
from bridgehead.players.levels import NAMES, fingerprint, levels, levels_at
from bridgehead.workshop import statistics
from bridgehead.workshop.arena.contest import Contest, ContestSetting, Pair, compare_sides

STEP = (0.60, 0.75)  # target share of a level against the one below
SURE = (0.55, 0.78)  # target for the whole interval of that share, at the default seats and rules


def contest(game: Game, seed: int, file: Path | None = None, workers: int = 0) -> Contest:
    """The contest of a game's levels. Errors: OptionError if it has none; as Contest."""
    if not levels(game.spec):
        raise OptionError("players:error.game_no_levels", game.spec.id)
    return Contest(ContestSetting(game.spec.id, json.dumps(game.differences, sort_keys=True), seed, NAMES), file, workers)


def pairs() -> list[Pair]:
    """Each level and the one below it, then each level and the one two below; the stronger first."""
    return [(one, other) for apart in (1, 2) for other, one in zip(NAMES, NAMES[apart:], strict=False)]


def summary(made: Contest) -> dict[str, Any]:
    """The results as plain data: shares, ratings with intervals, and the settings."""
    spec = made.game.spec
    found = {
        pair: statistics.pool_sets([compare_sides(games, pair[0], made.game) for games in made.sets(pair)]) for pair in pairs()
    }
    found = {pair: each for pair, each in found.items() if each.games}
    rated = statistics.bradley_terry({pair: statistics.effective_games(each) for pair, each in found.items()}, NAMES)
    lowest = rated[NAMES[0]].elo
    return {
        "game": spec.id, "rules": spec.version, "options": made.setting.options, "seed": made.setting.seed,
        "by": f"bridgehead arena --levels, {__version__}", "fingerprint": fingerprint(spec, tables=[levels_at(made.game)]),
        "levels": {name: msgspec.to_builtins(level) for name, level in levels_at(made.game).items()},
        "pairs": [_pair(made, pair, each) for pair, each in found.items()],
        "ratings": {name: [round(part - lowest, 1) for part in rating] for name, rating in rated.items()},
    }  # fmt: skip


def _pair(made: Contest, pair: Pair, found: statistics.Estimate) -> dict[str, Any]:
    games = [game for one in made.sets(pair) for game in one]
    decided = [won for one in made.sets(pair) if (won := [game for game in one if max(game.returns) > min(game.returns)])]
    drawn, of_decided = len(games) - sum(map(len, decided)), {}
    if drawn and decided:
        share = statistics.pool_sets([compare_sides(won, pair[0], made.game) for won in decided])
        of_decided = {"decided": [round(number, 4) for number in share[:3]]}
    reasons = {reason: sum(game.reason == reason for game in games) for reason in sorted({game.reason for game in games})}
    return {
        "players": pair, "share": round(found.value, 4), "low": round(found.low, 4), "high": round(found.high, 4),
        "sets": found.games, "games": len(games), "drawn": drawn, **of_decided,
        "mean actions": round(sum(game.actions for game in games) / len(games), 1), "reasons": reasons,
    }  # fmt: skip


def table(found: dict[str, Any], language: str = ENGLISH) -> list[list[str]]:
    """The table of ratings as plain text, header first, from the strongest to the weakest level that played."""
    shares = {tuple(each["players"]): each for each in found["pairs"]}
    heads = ("level", "looks", "below", "games", "two_below", "rating")
    rows = [[WORDS.text(f"standings.{head}", language) for head in heads]]
    for place, name in reversed(list(enumerate(NAMES))):
        if not any(name in pair for pair in shares):
            continue
        below = [shares.get((name, NAMES[place - apart])) if place >= apart else None for apart in (1, 2)]
        elo, low, high = found["ratings"][name]
        cells = ["" if each is None else f"{each['share']:.1%} [{each['low']:.1%}, {each['high']:.1%}]" for each in below]
        games = str(below[0]["games"]) if below[0] else ""
        doubt = f"{elo:.0f} ± {(high - low) / 2:.0f}"
        level = found["levels"][name]
        how = WORDS.tell(describe_search(level["looks"], level["budget"], level["slack"]), language)
        rows.append([name, how, cells[0], games, cells[1], doubt])
    return rows


def describe_search(kind: str, budget: int, slack: float = 0.0) -> Phrase:
    """How a level searches."""
    found = Phrase(f"players:looks.{kind}", {"budget": Figure(f"{budget:,}")})
    return Phrase("players:looks.slack", {"looks": found, "slack": Figure(f"{slack:g}")}) if slack else found
