"""The map from the chances that a search expects to calibrated ones (players/calibration.py finds it)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from bridgehead.core import caching
from bridgehead.core.game import Game
from bridgehead.players.levels import looks_of


class CalibrationCurve(NamedTuple):
    """A map from raw to calibrated chances: odds to a power, then a part shared equally by all that may still win.

    sharpness: the power; above 1 the search is too cautious, below 1 too confident. lapse: the shared part, 0 to 1,
    from blunders.
    """

    sharpness: float = 1.0
    lapse: float = 0.0


class ChanceTable(NamedTuple):
    """The chance of the side that acts, by its raw chance: won[i] from edges[i - 1] to edges[i]. For evaluations that are not
    monotonous, since they do not see whose turn decides."""

    edges: tuple[float, ...]
    won: tuple[float, ...]


STRAIGHT = CalibrationCurve()


@caching.cached_per_game
def load_curve(game: Game, player: str = "") -> CalibrationCurve:
    """The stored map of a game: the player's, else that for players who look as it does, else the one for all; the identity if
    there is none."""
    found = load_stored_curves(game) | _of(game, player)
    return CalibrationCurve(**{name: float(found[name]) for name in CalibrationCurve._fields if name in found})


@caching.cached_per_game
def table(game: Game, player: str) -> ChanceTable | None:
    """The stored table of a game for the player, or for players who look as it does; None if there is none."""
    found = _of(game, player)
    return ChanceTable(tuple(found["edges"]), tuple(found["won"])) if "edges" in found else None


def load_stored_curves(game: Game) -> dict[str, Any]:
    """The maps and tables stored for a game in its weights.json: those of the first of `rules` whose house rules it has, else
    those for all rules."""
    file = game.spec.folder / "weights.json"
    found = json.loads(file.read_text("utf-8")) if file.exists() else {}
    own = (each for each in found.get("rules", ()) if each["house"].items() <= game.differences.items())
    found = next(own, found)
    return {name: found[name] for name in (*CalibrationCurve._fields, "players") if name in found}


def _of(game: Game, player: str) -> dict[str, Any]:
    """What is stored for a player, or for players who look as it does."""
    players = load_stored_curves(game).get("players", {})
    return dict(players.get(player) or (players.get(looks_of(game.spec, player), {}) if players and player else {}))


def calibrate(likely: Sequence[float], bend: CalibrationCurve) -> list[float]:
    """Calibrated chances of all seats. Their sum stays the same; certain results stay certain."""
    whole, open_ = sum(likely), sum(chance > 0 for chance in likely)
    powers = [min(max(chance, 1e-12), 1.0) ** bend.sharpness if chance > 0 else 0.0 for chance in likely]
    sharp, even = (1 - bend.lapse) * whole / max(sum(powers), 1e-300), bend.lapse * whole / max(open_, 1)
    return [sharp * power + even * (chance > 0) for power, chance in zip(powers, likely, strict=True)]
