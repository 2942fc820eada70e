"""The Front Lines' players: exact risks, expectimax that agrees with a plain one, and nothing known that the table hides."""

import functools
import itertools
import math
from collections.abc import Callable
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.games.front_lines import evaluate, options, rules
from bridgehead.games.front_lines.board import CARDS
from bridgehead.games.front_lines.rules import FLIP, JOKER, TO, kills
from bridgehead.players.expectimax import TurnSearch
from bridgehead.players.thoughts import Limit
from bridgehead.workshop.arena.contest import greedy_against_random
from bridgehead.workshop.arena.search_players import make_entrant

pytestmark = pytest.mark.wide
HOUSES: tuple[dict[str, Any], ...] = (
    {},
    {"faceCards": "safeForAll", "jokersInField": 2},
    {"flip": "destination", "rows": 8},
    {"mayStop": True, "alternateTeams": True, "drawPack": "facesRedraw", "opposedSides": True},
)


def positions(game: Game, seed: int, number: int, player: str = "random") -> list[Position]:
    """Positions of games in which a seat is to act."""
    found: list[Position] = []
    while len(found) < number:
        match, dealer, seed = Match(game), SeededDealer(seed), seed + 1
        players = [make_entrant(player, f"{seed}:{seat}") for seat in range(game.seats)]
        match.deal(dealer)
        while match.outcome is None:
            found.append(match.position)
            match.play(players[match.position.actor].choose(match.position))
            match.deal(dealer)
    return found[:number]


def lives(position: Position) -> int:
    return int(sum(position.state.lives))


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_a_risk_is_the_share_of_the_outcomes_that_kill(house: dict[str, Any]) -> None:
    seen = set()
    for position in positions(registry.game("front_lines", **house), 3, 60)[::3]:
        state = position.copy_states()[0]
        for action in position.legal:
            after = position.play(action)
            told = evaluate.risk(state, position.game.law, action)
            if after.is_chance and int(after.state.flipping) >= 0:
                dies = [lives(after.play(card)) < lives(position) for card in after.legal]
                whole = sum(weight for weight, dead in zip(after.weights, dies, strict=True) if dead) / sum(after.weights)
                assert told == pytest.approx(whole, abs=1e-12) and 0 < whole < 1
            else:
                assert told == (lives(after) < lives(position))
            seen.add(told)
    assert len(seen) > 5


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_kinds_of_cards_are_as_likely_as_all_their_cards(house: dict[str, Any]) -> None:
    import numpy as np

    flips = 0
    for position in positions(registry.game("front_lines", **house), 4, 60)[::3]:
        law, out = position.game.law, np.empty(position.game.max_legal, np.int32)
        for after in map(position.play, position.legal):
            if not (after.is_chance and int(after.state.flipping) >= 0):
                continue
            state, flips = after.copy_states()[0], flips + 1
            kinds = [int(action) for action in out[: evaluate.search_legal(state, law, out)]]
            assert kinds == sorted(kinds) and len(kinds) <= 4
            weights = {action: evaluate.search_weight(state, law, action) for action in kinds}
            for action in kinds:
                like = [
                    weight
                    for card, weight in zip(after.legal, after.weights, strict=True)
                    if all(kills(law, side, card - FLIP) == kills(law, side, action - FLIP) for side in (0, 1))
                    and (card - FLIP == JOKER) == (action - FLIP == JOKER)
                ]
                assert weights[action] * sum(after.weights) == sum(like) * sum(weights.values())
    assert flips > 10


def plain(position: Position, seat: int, turns: int) -> float:
    """The result to be expected for a seat, to the end of a turn, by trying everything."""
    if position.outcome is not None:
        return position.outcome.returns[seat]
    game = position.game
    if position.turn >= turns:
        state = position.copy_states()[0]
        return math.tanh(evaluate.worth(state, game.law, seat, evaluate.WEIGHTS) / (2 * evaluate.SCALE))
    values = [plain(position.play(action), seat, turns) for action in position.legal]
    if position.is_chance:
        return sum(value * weight for value, weight in zip(values, position.weights, strict=True)) / sum(position.weights)
    return max(values)


@pytest.mark.parametrize("house", HOUSES[:3], ids=str)
def test_a_turn_is_worth_what_trying_everything_says(house: dict[str, Any]) -> None:
    found, wanted = 0, 3 if "flip" in house else 1
    for position in positions(registry.game("front_lines", **house), 5, 120):
        if int(position.state.left) > (9 if "flip" in house else 2) or found == wanted:
            continue
        thought = TurnSearch(turns=1).think(position, Limit(nodes=1 << 20))
        for each in thought.candidates:
            value = plain(position.play(each.action), position.actor, position.turn + 1)
            assert each.expected[position.actor] == pytest.approx(value, abs=1e-9)
        found += 1
    assert found == wanted


def laid(field: list[str]) -> Game:
    return registry.game("front_lines", layout=[field[i : i + 4] for i in range(0, 48, 4)])


def test_a_layout_that_the_table_hides_changes_nothing() -> None:
    field = [CARDS[card] for card in range(52) if registry.game("front_lines").law.field_cards >> card & 1]
    other = [field[0], *reversed(field[1:])]
    thoughts = []
    for game in (laid(field), laid(other), registry.game("front_lines")):
        position = Match(game, [5]).position  # the six of hearts is drawn
        position = position.play(TO)
        position = position.play(FLIP + CARDS.index(field[0]))
        if position.is_chance:
            position = position.play(next(card for card in position.legal if card // 13 == 0 and card % 13 == 4))
        thoughts.append(
            [
                TurnSearch().think(position, Limit(nodes=300)),
                make_entrant("search:8", 5).choose(position),
                make_entrant("lowest-risk", 5).choose(position),
                make_entrant("greedy", 5).choose(position),
            ]
        )
    assert thoughts[0] == thoughts[1] == thoughts[2]


def test_the_reference_takes_the_lowest_risk_and_then_the_way() -> None:
    for position in positions(registry.game("front_lines"), 6, 40, "lowest-risk"):
        state, law = position.copy_states()[0], position.game.law
        chosen = make_entrant("lowest-risk", 1).choose(position)
        risks = {action: evaluate.risk(state, law, action) for action in position.legal}
        ways = [evaluate.progress(state, law, action) for action in risks if risks[action] == min(risks.values())]
        assert risks[chosen] == min(risks.values()) and evaluate.progress(state, law, chosen) == max(ways)
    with pytest.raises(BridgeheadError, match="no risk"):
        make_entrant("lowest-risk", 1).choose(registry.game("forty_bridges").start())


def test_both_sides_see_the_same_position_and_one_sees_the_other_s_opposite() -> None:
    for house in HOUSES:
        for position in positions(registry.game("front_lines", **house), 11, 20, "lowest-risk"):
            state, law = position.copy_states()[0], position.game.law
            mine, theirs = (evaluate.worth(state, law, seat, evaluate.WEIGHTS) for seat in (0, 2))
            assert mine == pytest.approx(-theirs, abs=1e-9)
    assert evaluate.odds(0.4, 0.4, 0) == 0 < evaluate.odds(0.4, 0.4, 1) < evaluate.odds(0.5, 0.3, 1) < evaluate.odds(1.0, 0.0, 9)
    assert evaluate.odds(0.25, 0.0, 0) == pytest.approx(math.log(0.625 / 0.375)), "a win in four games and else a draw"


@pytest.mark.parametrize("house", HOUSES[:2], ids=str)
def test_the_chance_of_few_mines_is_counted_out(house: dict[str, Any]) -> None:
    for position in positions(registry.game("front_lines", **house), 12, 12, "lowest-risk")[::4]:
        state, law = position.copy_states()[0], position.game.law
        hidden, jokers = rules.unseen(state, law), max(rules.jokers_down(state, law), 0)
        mines, number = int(hidden & law.mines[0]).bit_count(), int(hidden).bit_count() + jokers
        drawn = list(itertools.combinations([True] * mines + [False] * (number - mines), 2))
        for lives in (1, 2):
            whole = sum(sum(two) < lives for two in drawn) / len(drawn)
            assert evaluate.fewer_mines(state, law, 0, 2, lives) == pytest.approx(whole)
        between = [evaluate.fewer_mines(state, law, 0, flips, 1) for flips in (1, 1.5, 2)]
        assert between[1] == pytest.approx((between[0] + between[2]) / 2) and between[0] > between[2]


def test_the_walks_that_are_still_needed_are_those_of_all_draws_on_average() -> None:
    @functools.cache
    def turned(steps: int) -> float:  # cards turned over until across, each draw being 1 to 10
        return sum((1 + turned(steps - drawn)) if drawn < steps else 0.0 for drawn in range(1, 11)) / 10

    position = Match(registry.game("front_lines", flip="destination"), [5]).position
    state, law = position.copy_states()[0], position.game.law
    for steps in range(1, 14):
        state.place[0] = 48 if steps == 13 else 4 * (12 - steps)
        assert evaluate.steps_left(state, law, 0) == steps
        assert evaluate.flips_expected(state, law, 0, 0) == pytest.approx(turned(steps), abs=0.02)


def test_a_card_that_is_being_turned_over_counts_as_where_the_character_will_be() -> None:
    position = Match(registry.game("front_lines"), [5]).position.play(TO)
    state, law = position.copy_states()[0], position.game.law
    assert (evaluate.rows_of(state, law, 0), evaluate.steps_left(state, law, 0)) == (1, 12)
    assert evaluate.flips_expected(state, law, 0, 0) == 12, "this card and eleven more"
    assert evaluate.rows_of(state, law, 1) == 0


def greedy_share(name: str, preset: str) -> float:
    """The share of 300 games that one look ahead wins against random actions."""
    return greedy_against_random(registry.game(name, **options.PRESETS[preset]), 300, 3).share


@pytest.mark.parametrize(
    ("name", "preset", "least"),
    [pytest.param("front_lines", "leap", 0.75, marks=pytest.mark.long), ("front_lines", "fallen-soldiers", 0.8)],
)
def test_one_look_ahead_beats_random_actions(name: str, preset: str, least: float, compiled: Callable[[str], Any]) -> None:
    assert compiled(name)("test_turns", "greedy_share", name, preset) > least


def test_it_stops_by_its_budget_or_when_told_and_says_the_same_again() -> None:
    import threading

    position, stop = positions(registry.game("front_lines"), 7, 9)[-1], threading.Event()
    search = TurnSearch()
    assert search.think(position, Limit(nodes=700)) == search.think(position, Limit(nodes=700))
    assert search.think(position, Limit(nodes=700)).simulations <= 700
    assert search.think(position, Limit(seconds=0.01)).simulations > 0
    stop.set()
    assert search.think(position, Limit(nodes=700), stop).simulations == 0
    with pytest.raises(BridgeheadError, match="seconds or positions"):
        search.think(position, Limit())


def test_games_of_more_sides_are_refused() -> None:
    match = Match(registry.game("burning_bridges", seats=3))
    match.deal(SeededDealer(1))
    with pytest.raises(BridgeheadError, match="two sides"):
        TurnSearch().think(match.position, Limit(nodes=10))


def test_an_end_that_follows_is_known_exactly() -> None:
    game = registry.game("front_lines", rows=1, lives=1)
    exact = [
        thought
        for position in positions(game, 8, 12)
        if (thought := TurnSearch().think(position, Limit(nodes=400))).candidates[0].proven
    ]
    assert exact and all(abs(each.expected[0]) <= 1 for each in exact)
