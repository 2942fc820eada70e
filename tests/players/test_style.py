"""The style of alpha-beta: what a draw is worth to the seat that searches."""

import math
from types import SimpleNamespace

import pytest

from bridgehead.core import registry
from bridgehead.core.game import Position
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.rules import move_id
from bridgehead.players.alphabeta import AlphaBeta, repeats
from bridgehead.players.deepening import ENTRIES, judging
from bridgehead.players.levels import Level, estimate_actions, levels
from bridgehead.players.thoughts import PLAIN, JudgingStyle, Limit
from bridgehead.workshop.arena.search_players import STYLES, make_entrant

pytestmark = pytest.mark.wide
GAME = registry.game("forty_bridges")


def back(action: int) -> int:
    """The move from where a move ends to where it began."""
    return move_id(action % FIELDS, action // FIELDS)


def shuffled() -> tuple[Position, int]:
    """Both seats moved a piece to and fro until the next move back is a draw by repetition: the position, and that move."""
    position = GAME.start()
    one = position.legal[0]
    other = position.after(one).legal[0]
    for action in (one, other, back(one), back(other), one, other, back(one)):
        position = position.after(action)
    assert position.after(back(other)).is_over and position.after(back(other)).outcome.reason == "repetition"
    return position, back(other)


@pytest.mark.parametrize("contempt, wanted", [(100.0, False), (-100.0, True)])
def test_a_draw_is_worth_what_the_style_says(contempt: float, wanted: bool) -> None:
    position, repeats = shuffled()
    assert (AlphaBeta(16, style=JudgingStyle(contempt)).think(position, Limit(depth=1)).action == repeats) is wanted
    ranked = AlphaBeta(16, style=JudgingStyle(contempt)).rank_actions(position, Limit(depth=1)).candidates
    drawn = next(each for each in ranked if each.action == repeats)
    assert drawn.expected[position.actor] == pytest.approx(math.tanh(-contempt / 20))


def test_a_position_that_recurs_on_the_path_is_seen_with_the_same_seat_to_act_only() -> None:
    plies = [SimpleNamespace(key=key) for key in (5, 1, 5, 1, 5, 1, 5, 2)]
    assert [bool(repeats(plies, ply, 0)) for ply in range(8)] == [False] * 4 + [True] * 3 + [False]
    assert not repeats(plies, 4, 1) and not repeats([SimpleNamespace(key=key) for key in (5, 1, 2, 5)], 3, 0)


def test_either_seat_avoids_the_draw_for_itself() -> None:
    position, _ = shuffled()
    assert position.actor == 1 and judging(position, JudgingStyle(2.5)) == (40, 0)
    assert judging(GAME.start(), JudgingStyle(2.5)) == (-40, 0) and judging(position, JudgingStyle(0, 1.5)) == (0, 24)


AHEAD = "b1,a2,b2,c2 d4,c4,e4 a 0 0 - - -"  # four pieces against three, more than the endgame tables have


@pytest.mark.parametrize("material", [0.0, 20.0])
def test_a_piece_counts_as_much_as_the_style_says(material: float) -> None:
    position = GAME.load(AHEAD)
    plain, found = (
        AlphaBeta(16, style=each).think(position, Limit(depth=1)).score for each in (PLAIN, JudgingStyle(material=material))
    )
    assert found - plain == pytest.approx(material)


def test_every_level_of_40_bridges_counts_pieces() -> None:
    assert {level.material for level in levels(GAME.spec).values()} == {20.0}
    position = GAME.load(AHEAD)
    for slack in (0.0, 0.1):
        level, style = Level("deep", 300, slack=slack, material=500.0), JudgingStyle(material=500.0)
        searched = AlphaBeta(ENTRIES, style=style)
        limit = Limit(nodes=300)
        wanted = {each.action: each.expected[0] for each in searched.rank_actions(position, limit).candidates}
        assert estimate_actions(position, level, "") == (wanted if slack else {searched.think(position, limit).action: 1.0})


def test_a_contest_names_the_styles() -> None:
    position, repeats = shuffled()
    for kind, style in STYLES.items():
        found = AlphaBeta(1 << 16, style=style).think(position, Limit(nodes=40)).action
        assert make_entrant(f"{kind}:40", 1).choose(position) == found
    assert make_entrant("keen:40", 1).choose(position) != repeats
    assert STYLES["deep"] == PLAIN and STYLES["keen"].contempt > 0
