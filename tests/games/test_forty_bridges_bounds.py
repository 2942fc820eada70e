"""Positions of 40 Bridges in which a side can no longer lose: the endgame tables agree, and the moves of the proofs exist."""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.game import Game, Position
from bridgehead.core.jit import rule
from bridgehead.core.numbers import ALL
from bridgehead.games.forty_bridges import bounds, endgames, rules
from bridgehead.games.forty_bridges.board import FIELDS, standard
from bridgehead.games.forty_bridges.evaluate import value
from bridgehead.players.alphabeta import AlphaBeta
from bridgehead.players.deepening import Limit
from bridgehead.workshop.forty_bridges import endgames_check

GAME, BOARD = registry.game("forty_bridges"), standard()
RECOMMENDED = registry.game("forty_bridges", retreat=False, repetition="forbid")
SQUARES = [field for field in range(FIELDS) if BOARD.is_square(field)]
OCTAGONS = [field for field in range(FIELDS) if field not in SQUARES]
HERE, THERE = (rules.word([corner]) for corner in BOARD.corners)


def reason(own: str, other: str, rule_set: int) -> str:
    """The reason for the side in the corner a1."""
    mine, theirs = (rules.word(map(BOARD.names.index, each.split())) for each in (own, other))
    return bounds.REASONS[bounds.cannot_lose(mine, theirs, HERE, rule_set)]


@pytest.mark.parametrize(
    ("own", "other", "expected"),
    [
        ("c3", "B2 C2", "few"),
        ("c3", "B2 C2 B3", ""),
        ("c3", "B2 d4", ""),
        ("c3 c5", "A4 B4 C4 D4", "edge"),
        ("c3 C4", "A4 B4 C4 D4", ""),
        ("c5", "A4 B4 C4 e1", ""),
        ("a1 A1", "b1 a2", "home"),
        ("a1 D4", "b1 A1", "home"),
        ("a1 b1", "c1 c2", ""),
        ("b1 D4", "c1 c2", ""),
        ("a1 D4", "c1 c2 D1", ""),
    ],
)
def test_what_is_proven_and_what_is_not(own: str, other: str, expected: str) -> None:
    assert reason(own, other, bounds.STANDARD) == expected
    assert reason(own, other, bounds.ONWARD) == expected.replace("home", "")


@rule
def contradictions(law, pieces, values, starts, step):  # type: ignore[no-untyped-def]
    """Positions of a table class in which a side is said to be safe, and those where the table says that it loses."""
    own_count, other_count = pieces
    seconds = endgames.CHOOSE[FIELDS - own_count, other_count]
    found, wrong = np.zeros(4, np.int64), 0
    for index in range(0, endgames.CHOOSE[FIELDS, own_count] * seconds, step):
        own = endgames.members(index // seconds, law.board, own_count)
        other = endgames.members(index % seconds, law.board & (ALL ^ own), other_count)
        value = int(values[starts[own_count, other_count] + index])
        rule_set = bounds.find_rule_set(law)
        mine, theirs = bounds.cannot_lose(own, other, HERE, rule_set), bounds.cannot_lose(other, own, THERE, rule_set)
        found[mine] += 1
        found[theirs] += 1
        wrong += (mine != 0 and value > 0 and value % 2 == 0) or (theirs != 0 and value % 2 == 1)
    return found, wrong


def compared(step: int) -> list[Any]:
    """For each rule set: how often each reason holds in the shipped tables, and how often a table contradicts it."""
    both = []
    for game in (GAME, RECOMMENDED):
        rule_set = int(bounds.find_rule_set(game.law))
        tables, whole, wrong = endgames.load_shipped_tables(rule_set), np.zeros(4, np.int64), 0
        for each in endgames_check.list_classes(tables):
            found, more = contradictions(game.law, each, *tables, step)
            whole, wrong = whole + found, wrong + more
        both.append([whole.tolist(), int(wrong)])
    return both


def test_no_entry_of_the_endgame_tables_contradicts_a_bound() -> None:
    (found, wrong), (_, wrong_onward) = compared(40_009)
    assert wrong == 0 == wrong_onward and min(found) > 0


@pytest.mark.wide
def test_none_of_all_their_entries_does(compiled: Callable[[str], Any]) -> None:
    (found, wrong), (onward, wrong_onward) = compiled("forty_bridges")("test_forty_bridges_bounds", "compared", 1)
    assert wrong == 0 == wrong_onward and sum(found) > 2 * 23_000_000 and min(found) > 100_000
    assert sum(onward) > 2 * 1_400_000 and onward[bounds.HOME] == 0 and min(onward[:3]) > 10_000


def test_a_corner_cannot_be_held_by_octagons_that_never_go_back() -> None:
    """Two attackers, against whom it can be held by the rules as written: the tables of the recommended ones have losses."""
    lost, tables = 0, endgames.load_shipped_tables(bounds.ONWARD)
    seconds = int(endgames.CHOOSE[FIELDS - 2, 2])
    for index in np.flatnonzero((endgames.part(tables, (2, 2)) > 0) & (endgames.part(tables, (2, 2)) % 2 == 0))[::97]:
        own = endgames.members(int(index) // seconds, GAME.law.board, 2)
        other = endgames.members(int(index) % seconds, GAME.law.board & ~own, 2)
        lost += bounds.cannot_lose(own, other, HERE, bounds.STANDARD) == bounds.HOME
        assert not bounds.cannot_lose(own, other, HERE, bounds.ONWARD)
    assert lost > 5


def kept_up(position: Position, which: int) -> list[int]:
    """The moves of the proof: along the edge, or on octagons; any, where the attackers cannot win at all."""
    if which == bounds.FEW:
        return list(position.legal)
    among = bounds.BORDER if which == bounds.EDGE else ALL ^ bounds.SQUARES
    moves = [divmod(action, FIELDS) for action in position.legal if action < rules.PASS]
    steps = [(start, end) for start, end in moves if end in BOARD.step[start]]
    return [rules.move_id(start, end) for start, end in steps if among >> start & 1 and among >> end & 1]


def laid(lot: random.Random, which: int, game: Game = GAME) -> Position | None:
    """A position with up to eight defenders of the corner a1, and attackers against whom the bound holds."""
    squares, octagons = {bounds.FEW: (0, 2), bounds.EDGE: (0, lot.randint(3, 8)), bounds.HOME: (lot.randint(1, 2), 0)}[which]
    theirs = {*lot.sample(SQUARES[1:], squares), *lot.sample(OCTAGONS, octagons)}
    own = {0} if which == bounds.HOME else set()
    own |= set(lot.sample([field for field in range(FIELDS - 1) if field not in theirs], lot.randint(1, 7))) - theirs
    state = game.start().supposing(pieces=[rules.bits_of(own), rules.bits_of(theirs)], seat=lot.randrange(2), once=[0] * 4)
    mine = bounds.cannot_lose(*(rules.word(each) for each in (own, theirs)), HERE, bounds.find_rule_set(game.law))
    return state if mine == which and not any(map(surrounds(theirs), own)) else None


def surrounds(theirs: set[int]) -> Callable[[int], bool]:
    return lambda field: len(theirs & {*BOARD.touch[field]}) >= 3


@pytest.mark.parametrize(
    ("game", "which"),
    [*((GAME, which) for which in (bounds.FEW, bounds.EDGE, bounds.HOME)), (RECOMMENDED, bounds.FEW), (RECOMMENDED, bounds.EDGE)],
)
def test_a_defender_who_makes_the_moves_of_the_proof_never_loses(game: Game, which: int) -> None:
    lot, played = random.Random(which), 0
    while played < 12:
        position = laid(lot, which, game)
        if position is None:
            continue
        played += 1
        for _ in range(60):
            if position.is_over:
                break
            moves = kept_up(position, which) if position.actor == 0 else list(position.legal)
            assert moves, "the proof has no move"
            position = position.after(lot.choice(moves))
        assert position.outcome is None or position.outcome.returns[1] <= 0


@pytest.mark.parametrize(
    ("house", "expected"),
    [
        ({}, True),
        ({"quietLimit": 50}, True),
        ({"retreat": False}, False),
        ({"retreat": False, "repetition": "none"}, False),
        ({"repetition": "forbid"}, False),
        ({"sidesNeeded": 2}, False),
        ({"bentJumps": True}, False),
        ({"captureNeedsMover": True}, False),
        ({"maxCaptures": 2}, False),
        ({"suicide": "safe"}, False),
        ({"noMoves": "lose"}, False),
    ],
)
def test_a_seat_is_called_safe_under_the_rules_of_the_proof_only(house: dict[str, Any], expected: bool) -> None:
    for seat, layout in enumerate(("a1,c3,A1 e5,d5", "a1,b1 e5,c3,D4")):
        game = registry.game("forty_bridges", setup="custom", layout=layout, **house)
        safe = game.spec.progress.safe(game.start(), seat)
        assert (safe is not None) is expected is bool(bounds.find_rule_set(game.law))
        assert safe is None or "cannot lose any more: fewer than three pieces capture nothing" in game.words.tell(safe, "en")
        assert game.spec.progress.safe(game.start(), 1 - seat) is None


@pytest.mark.parametrize("house", [{}, {"quietLimit": 50}])
@pytest.mark.parametrize(
    ("seat", "layout", "reason"),
    [(0, "a1,c3,A1 D4,C4", "safe.few"), (1, "A1,B1,C1 e5,c3", "safe.edge"), (0, "a1,c3,A1 e5,d5", "")],
)
def test_where_no_piece_goes_back_a_seat_is_called_safe_but_not_for_holding_its_corner(
    house: dict[str, Any], seat: int, layout: str, reason: str
) -> None:
    game = registry.game("forty_bridges", **{**RECOMMENDED.differences, "setup": "custom", "layout": layout, **house})
    safe = game.spec.progress.safe(game.start(), seat)
    assert (safe.key if safe else "") == reason and bounds.find_rule_set(game.law) == bounds.ONWARD


def test_a_search_gives_a_side_that_cannot_lose_a_draw_at_least() -> None:
    """Positions in which the evaluation takes that side to be behind."""
    lot, looked_at = random.Random(7), 0
    while looked_at < 40:
        position = laid(lot, lot.choice([bounds.EDGE, bounds.HOME]))
        if position is None or position.is_over or value(position.read_only, GAME.law, 0) >= 0:
            continue
        looked_at += 1
        score = AlphaBeta(1 << 10).think(position, Limit(depth=2)).score
        assert (score if position.actor == 0 else -score) >= 0, position.text
