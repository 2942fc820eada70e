"""What the others did since a player's last turn: which turns are listed, and the marks that stay."""

import random

import pytest

from bridgehead.core import registry
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE
from bridgehead.server.rooms.recent import turns_since
from bridgehead.server.rooms.views import TableText

GAMES = [("barricade", {"seats": 4}), ("burning_bridges", {"seats": 3}), ("forty_bridges", {}), ("front_lines", {"seats": 4})]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_every_decision_of_the_others_since_my_last_one_is_listed_once(game: str, options: dict[str, object]) -> None:
    rng, match = random.Random(7), Match(registry.game(game, **options))
    while not match.position.is_over and len(match.log) < 160:
        match.play(rng.choice(match.position.legal))
        if match.actor < 0:
            continue
        for seat in range(match.game.seats):
            turns = turns_since(match, frozenset([seat]))
            listed = [i for turn in turns for i in range(turn.first, turn.until) if match.log[i].actor != CHANCE]
            own = [i for i, entry in enumerate(match.log) if entry.actor == seat]
            playing = own and match.log[own[-1]].turn == match.position.turn
            since = 0 if not own else own[-1] + 1
            if not playing and len(turns) < 12:
                wanted = [i for i, entry in enumerate(match.log) if i >= since and entry.actor not in (seat, CHANCE)]
                assert listed == wanted
            assert seat not in [turn.seat for turn in turns]
            assert all(match.log[i].actor in (turn.seat, CHANCE) for turn in turns for i in range(turn.first, turn.until))


def test_the_list_stays_while_i_play_my_turn() -> None:
    rng, match = random.Random(1), Match(registry.game("burning_bridges", seats=3, firstPlayer="seat0"))
    while match.position.turn < 6 or match.actor != 0:
        match.play(rng.choice(match.position.legal))
    before = turns_since(match, frozenset([0]))
    assert {turn.seat for turn in before} == {1, 2}
    match.play(next(name for name in map(match.position.name, match.position.legal) if name.split()[0] in ("walk", "cross")))
    assert match.actor == 0 and turns_since(match, frozenset([0])) == before


def test_the_end_of_a_turn_leaves_the_last_real_move_marked() -> None:
    match = Match(registry.game("burning_bridges", seats=2, firstPlayer="seat0"))
    while match.position.is_chance:
        match.play(match.position.legal[0])
    match.play("walk L B0")
    narrator = TableText(match, ["Ada", "Ben"], "en")
    moved = narrator.last(len(match.log))
    assert moved[1] == "f:B0"
    match.play("end")
    assert narrator.last(len(match.log)) == moved
    (line,) = narrator.recent(frozenset([1]), match.actor)
    assert line.text == "moved L to B0" and line.marks == [moved]
    back = narrator.past(line.first, line.until)
    assert [each.sentence for each in back][1:] == [narrator.line(i) for i in range(line.first, line.until)]
    assert back[1].traces and not back[0].traces
