"""The map from the chances that a search expects to calibrated ones (players/calibration.py finds it)."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from bridgehead.core.spec import Spec
from bridgehead.players.levels import looks_of


class Bend(NamedTuple):
    """A map from raw to calibrated chances: odds to a power, then a part shared equally by all that may still win.

    sharpness: the power; above 1 the search is too cautious, below 1 too confident. lapse: the shared part, 0 to 1,
    from blunders.
    """

    sharpness: float = 1.0
    lapse: float = 0.0


class Table(NamedTuple):
    """The chance of the side that acts, by its raw chance: won[i] from edges[i - 1] to edges[i]. For evaluations that are not
    monotonous, since they do not see whose turn decides."""

    edges: tuple[float, ...]
    won: tuple[float, ...]


STRAIGHT = Bend()


@functools.cache
def kept(spec: Spec, player: str = "", seats: int = 0) -> Bend:
    """The stored map of a game (weights.json): the player's with so many seats, else the player's, else that for players who look
    as it does, else the one for all; the identity if there is none."""
    stored = _stored(spec)
    stored |= _of(spec, stored.get("players", {}), player) | _of(spec, _of_seats(stored, seats), player)
    return Bend(**{name: float(stored[name]) for name in Bend._fields if name in stored})


@functools.cache
def table(spec: Spec, seats: int, player: str) -> Table | None:
    """The stored table of a game with so many seats, for the player or for players who look as it does; None if there is none."""
    found = _of(spec, _of_seats(_stored(spec), seats), player)
    return Table(tuple(found["edges"]), tuple(found["won"])) if "edges" in found else None


def stored(spec: Spec, seats: int) -> str:
    """All maps and tables that a study with so many seats may read, as text: for fingerprints."""
    found = _stored(spec)
    return json.dumps([kept(spec), found.get("players", {}), _of_seats(found, seats)], sort_keys=True)


def _stored(spec: Spec) -> dict[str, Any]:
    file = spec.folder / "weights.json"
    return dict(json.loads(file.read_text("utf-8"))) if file.exists() else {}


def _of_seats(stored: dict[str, Any], seats: int) -> dict[str, Any]:
    """What is stored for so many seats, by player: maps and tables."""
    return dict(stored.get("tables", {}).get(str(seats), {}))


def _of(spec: Spec, players: dict[str, Any], player: str) -> dict[str, Any]:
    """What is stored for a player, or for players who look as it does."""
    return dict(players.get(player) or (players.get(looks_of(spec, player), {}) if players and player else {}))


def bent(likely: Sequence[float], bend: Bend) -> list[float]:
    """Calibrated chances of all seats. Their sum stays the same; certain results stay certain."""
    whole, open_ = sum(likely), sum(chance > 0 for chance in likely)
    powers = [min(max(chance, 1e-12), 1.0) ** bend.sharpness if chance > 0 else 0.0 for chance in likely]
    sharp, even = (1 - bend.lapse) * whole / max(sum(powers), 1e-300), bend.lapse * whole / max(open_, 1)
    return [sharp * power + even * (chance > 0) for power, chance in zip(powers, likely, strict=True)]
