"""Ratings of people and levels on one scale, by OpenSkill's model of Plackett and Luce, with their uncertainty.

A rating belongs to a game, a number of seats and house rules. It is the fold of the results in their order, so it can be
computed again at any time (`bridgehead ratings`). The scale is Elo's: among two players, 400 points more are ten to one.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from bridgehead.server.people.results import Result

MU, SIGMA = 25.0, 25 / 3  # of somebody unknown
POINTS = 400 / math.log(10) / (math.sqrt(2) * 25 / 6)  # Elo points of one unit of OpenSkill's scale, among two players
MIDDLE = 1500  # rating of somebody unknown
SURE = 200  # a rating with a larger spread is provisional
FEW = 5  # so is one from fewer games


class Rating(NamedTuple):
    """A rating. mu, sigma: mean and standard deviation of the strength; games: rated ones."""

    games: int = 0
    mu: float = MU
    sigma: float = SIGMA

    @property
    def points(self) -> int:
        return round(MIDDLE + POINTS * (self.mu - MU))

    @property
    def spread(self) -> int:
        """Half of the interval that holds the true strength with 95 %."""
        return round(1.96 * POINTS * self.sigma)

    @property
    def provisional(self) -> bool:
        return self.games < FEW or self.spread > SURE


@functools.cache
def _model() -> Any:
    from openskill.models import PlackettLuce  # takes a while to import

    return PlackettLuce(mu=MU, sigma=SIGMA)


def update_ratings(before: Mapping[str, Rating], result: Result) -> dict[str, Rating]:
    """The ratings after a result of those who took part; {} if it does not count. Who holds several seats gets their mean.

    before: the ratings by name; whoever is missing is unknown so far.
    """
    if result.why or len({*result.who}) < 2:
        return {}
    model, sides = _model(), sorted({*result.sides})
    team = {side: [seat for seat, of in enumerate(result.sides) if of == side] for side in sides}
    now = [before.get(name, Rating()) for name in result.who]
    teams = [[model.rating(mu=now[seat].mu, sigma=now[seat].sigma) for seat in team[side]] for side in sides]
    after = model.rate(teams, ranks=[-result.returns[team[side][0]] for side in sides])
    found: dict[str, list[Any]] = {}
    for side, members in zip(sides, after, strict=True):
        for seat, member in zip(team[side], members, strict=True):
            found.setdefault(result.who[seat], []).append(member)
    return {
        name: Rating(
            before.get(name, Rating()).games + 1,
            sum(each.mu for each in seats) / len(seats),
            sum(each.sigma for each in seats) / len(seats),
        )
        for name, seats in found.items()
    }
