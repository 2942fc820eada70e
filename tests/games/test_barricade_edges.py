"""Barricade at its edges: small cases in which one part of a rule alone decides."""

import pytest
from barricade_table import CLASSIC, LOOP, barricade, laid, landings, why

from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.games.barricade.rules import move_action, split_move
from games.asked import legal, refused


def played(game: Game, *actions: str) -> Match:
    match = Match(game)
    for action in actions:
        match.play(action)
    return match


@pytest.mark.clause("BAQ-24")
def test_who_is_out_of_the_roll_off_is_kept_in_the_text_and_forgotten_by_a_new_game() -> None:
    match = played(barricade(first="highestRoll", seats=3), "roll 4", "roll 2", "roll 4")
    assert match.game.load(match.position.text) == match.position
    states = match.position.copy_states()
    match.game.spec.rules.setup(states[0], match.game.law)
    assert states.tobytes() == match.game.start().copy_states().tobytes()


@pytest.mark.clause("BAQ-24")
def test_the_text_tells_what_was_rolled_for_the_first_turn() -> None:
    match = played(barricade(first="highestRoll", seats=3), "roll 4", "roll 6")
    assert match.position.text.startswith("roll-off b4 c6 d0;")
    assert match.game.load(match.position.text) == match.position


@pytest.mark.clause("BAQ-16", "BAQ-25")
def test_a_limit_of_one_turn_ends_the_game_after_the_first() -> None:
    outcome = played(barricade(turnLimit=1), "first 2", "roll 1", "home2-g1").position.outcome
    assert outcome is not None
    assert (outcome.reason, outcome.winners) == ("turn-limit", (1,))


@pytest.mark.clause("BAQ-1", "BAQ-15")
def test_who_is_blocked_may_pass_though_a_neighbour_is_not() -> None:
    game = barricade(**{"pass": "onlyIfBlocked"})
    blocked = laid(game, "b rolled 2", moved={"a3": "c1"})
    assert blocked.explain(blocked.read("pass")) is None
    assert refused(laid(game, "c rolled 2", moved={"a3": "c1"}), "pass") == "BAQ-1"


@pytest.mark.clause("BA-M.3")
def test_the_last_pawn_in_a_home_belongs_to_somebody_and_an_empty_home_to_nobody() -> None:
    one_left = laid(CLASSIC, "c rolled 1", "a1 b1 d1 e1")
    assert why(one_left, "home1-c1").phrase.key == "barricade:refused.foreignPawn"
    assert why(laid(CLASSIC, "c rolled 1", "a1 b1 d1 e1 f1"), "home1-c1").phrase.key == "barricade:refused.noPawn"


@pytest.mark.clause("BA-R.6", "BAQ-10", "BAQ-13")
@pytest.mark.parametrize("rule", [{"firstRowSafe": True}, {"teams": "0,2/1,3"}])
def test_an_own_pawn_is_no_landing_because_it_is_ones_own(rule: dict[str, object]) -> None:
    assert refused(laid(barricade(**rule), "b rolled 2", "b1 d1"), "b1-d1") == "BA-R.6"


@pytest.mark.clause("BAQ-10", "BAQ-13")
@pytest.mark.parametrize("rule", [{"firstRowSafe": True}, {"teams": "0,2/1,3"}])
@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_an_empty_square_of_the_first_row_is_open_to_everybody(rule: dict[str, object], seat: int) -> None:
    pawns = ["h1" if other == seat else "" for other in range(4)]
    assert "h1-i1" in legal(laid(barricade(**rule), f"{'bcde'[seat]} rolled 1", *pawns))


@pytest.mark.clause("BAQ-10", "BAQ-2")
def test_a_pawn_may_come_round_to_its_own_square_of_a_safe_first_row() -> None:
    game = barricade(board=LOOP, dieSides=8, firstRowSafe=True)
    assert "a1" in landings(laid(game, "b rolled 8", "a1"), "a1")


def test_the_id_of_a_move_tells_its_origin_and_its_landing() -> None:
    law = CLASSIC.law
    for origin, landing in ((0, 0), (0, 111), (64, 3), (115, 97)):
        action = move_action(law, origin, landing)
        assert split_move(law, action) == (origin, landing)
        assert CLASSIC.start().read(CLASSIC.start().name(action)) == action
