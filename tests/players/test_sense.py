"""Common sense: a win at hand is taken, foolish actions are left out, and where results hardly differ a level survives."""

from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest

from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.games.front_lines import evaluate
from bridgehead.players.judging import HARDLY
from bridgehead.players.levels import NAMES, LevelPlayer, levels
from bridgehead.players.sense import BlunderFilter
from bridgehead.workshop.arena.contest import decisions
from games.bridges_table import at
from games.forty_table import stand
from games.front_lines_table import go
from games.front_lines_table import stand as front_lines

pytestmark = pytest.mark.wide
SEEDS = 5
CAREFUL = {"forty_bridges": NAMES[2:], "front_lines": NAMES, "burning_bridges": NAMES}  # levels with common sense

# 40 Bridges: pieces of A, of B, and who moves. Found where a level without common sense lost its corner; the last is made up.
CORNERS = [
    ("b2,C2,C3,b4,C4,d5", "c1,D2,e5", "a"),
    ("b1,B2,c3,A3,B3,A4,d5", "c1,D3,D4,e5", "a"),
    ("b1,A2,B2,a3,c3,B3,c4", "c1,C1,d2,D2,D4,d5", "a"),
    ("D1,d2,A2,B3,C3,d4", "e3,a4,D4,b5,d5", "a"),
    ("b1,A2,B2,c3,c5", "D1,d3,A3,D3,a4,d4", "b"),
    ("b2,e2,A2,A3", "C2,D2,c3,C3,B4", "b"),
    ("a3,c3,b4,A3,B3,C3,A4", "c1", "a"),
]
# The Front Lines: a known mine beside a safe card; the second where nothing that Red does saves it.
MINES = [
    ("H2 alive b4, D2 alive start, S2 alive start, C2 alive start", "field b4=5H a5=2S b5=3D c5=7C | used 9H | turn 8"),
    (
        "H1 alive b4, D0 out a1, S2 alive d12, C2 across",
        "field a1=2C! a2=3C! b1=4S! b4=5H a5=2S b5=3D c5=7C d12=9S | used 9H | first black | turn 20",
    ),
    ("H2 alive d3, D2 alive a1, S2 alive d6, C2 alive start", "field a1=8H d3=6D c3=KH c4=QS d4=JC d6=4S | used 9H | turn 8"),
]


def choices(position: Position, name: str) -> set[str]:
    """What a level chooses, by several seeds."""
    return {position.name(LevelPlayer(name, seed).choose(position)) for seed in range(SEEDS)}


def foolish(position: Position) -> set[str]:
    sense = BlunderFilter(position)
    return {position.name(action) for action in position.legal if sense.is_blunder(action)}


def by_levels(game: str, which: int) -> dict[str, Any]:
    """A position of CORNERS or MINES: what is legal, what is foolish, and what each level chooses."""
    position = stand(*CORNERS[which]) if game == "forty_bridges" else go(front_lines(*MINES[which]), "3H")
    chosen = {name: sorted(choices(position, name)) for name in NAMES}
    return {"legal": sorted(map(position.name, position.legal)), "foolish": sorted(foolish(position)), "chosen": chosen}


@pytest.mark.parametrize("which", range(len(CORNERS)))
def test_the_home_corner_is_not_left_open_to_a_piece_that_walks_in(which: int, compiled: Callable[[str], Any]) -> None:
    found = compiled("forty_bridges")("test_sense", "by_levels", "forty_bridges", which)
    assert 0 < len(found["foolish"]) < len(found["legal"])
    for name in CAREFUL["forty_bridges"]:
        assert not {*found["chosen"][name]} & {*found["foolish"]}, name


@pytest.mark.parametrize("which", range(len(MINES)))
def test_no_level_steps_on_a_known_mine_beside_a_safe_card(which: int, compiled: Callable[[str], Any]) -> None:
    found = compiled("front_lines")("test_sense", "by_levels", "front_lines", which)
    assert 0 < len(found["foolish"]) < len(found["legal"])
    for name in NAMES:
        assert not {*found["chosen"][name]} & {*found["foolish"]}, name


def known_mines(name: str, games: int, lives: int) -> list[int]:
    """Games of a level in all seats: decisions with a known mine and a safe step to choose from, and mines that were chosen."""
    game, beside, chosen = registry.game("front_lines", lives=lives), 0, 0
    for number in range(games):
        match = Match(game)
        players = [LevelPlayer(name, f"{number}:{seat}") for seat in range(game.seats)]
        for position in decisions(match, SeededDealer(f"mines:{number}")):
            action, state = players[position.actor].choose(position), position.copy_states()[0]
            risks = {each: evaluate.risk(state, game.law, each) for each in position.legal}
            match.play(action)
            if 0.0 in risks.values() and 1.0 in risks.values():
                beside += 1
                chosen += risks[action] == 1.0 and not (match.outcome and position.actor in match.outcome.winners)
    return [beside, chosen]


@pytest.mark.parametrize(
    ("games", "lives"), [(3, 6), pytest.param(200, 2, marks=pytest.mark.long), pytest.param(200, 6, marks=pytest.mark.long)]
)
@pytest.mark.parametrize("name", NAMES)
def test_in_whole_games_no_known_mine_is_taken(name: str, games: int, lives: int, compiled: Callable[[str], Any]) -> None:
    beside, chosen = compiled("front_lines")("test_sense", "known_mines", name, games, lives)
    assert beside >= games // 2 and chosen == 0


def test_a_character_that_is_as_good_as_lost_takes_the_safe_way_that_leads_farthest() -> None:
    position = go(front_lines(*MINES[0]), "3H")
    sense = BlunderFilter(position)
    same = dict.fromkeys(position.legal, -0.99)
    assert [position.name(action) for action in sense.find_safest(same)] == ["to b5"]
    apart = {action: -0.99 + HARDLY * (position.name(action) == "to a4") for action in position.legal}
    assert {position.name(action) for action in sense.find_safest(apart)} == {*map(position.name, position.legal)} - foolish(
        position
    )


def test_stopping_is_no_way_to_survive() -> None:
    position = go(front_lines(*MINES[0], mayStop=True), "3H", "b5")
    assert "stop" in map(position.name, position.legal)
    chosen = [position.name(action) for action in BlunderFilter(position).find_safest(dict.fromkeys(position.legal, 0.0))]
    assert chosen and "stop" not in chosen


@pytest.mark.parametrize("name", NAMES)
def test_every_level_takes_a_win_at_hand(name: str, compiled: Callable[[str], Any]) -> None:
    for game in (each for each, careful in CAREFUL.items() if name in careful):
        legal, chosen, winning = compiled("forty_bridges")("test_sense", "wins", name, game)
        assert len(legal) > 1 and {*chosen} <= {*winning}, game


def wins(name: str, game: str) -> list[list[str]]:
    """A position in which an action wins: what is legal, what a level chooses, what wins."""
    position = {
        "forty_bridges": lambda: stand("e4,a3,b3", "c5,B4,c4"),
        "front_lines": lambda: go(front_lines(*LAST_STEP), "5H"),
        "burning_bridges": lambda: at("moves a 2", "aL R8, aM R9, aS R10"),
    }[game]()
    winning = [action for action in position.legal if position.actor in won_by(position.play(action))]
    return [[*map(position.name, position.legal)], sorted(choices(position, name)), [*map(position.name, winning)]]


def won_by(position: Position) -> tuple[int, ...]:
    return position.outcome.winners if position.outcome else ()


LAST_STEP = (
    "H2 alive a12, D1 waiting b4, S1 waiting c1, C2 alive start",
    "field a12=5H b4=2S! c1=3H! b12=6H | used 7H | turn 20",
)


def test_nobody_sets_fire_to_a_bridge_of_the_own_child() -> None:
    position = at("moves a 2", bridges="B0-R0 a 0, B0-R1 b 0", torchOwn=True)
    assert {name for name in map(position.name, position.legal) if name.startswith("torch") and name.endswith("a")} == foolish(
        position
    )
    assert len(foolish(position)) == 1


def test_where_every_action_is_foolish_the_level_plays_on() -> None:
    position = stand("d3,C4", "b1,b2")
    assert foolish(position) == {*map(position.name, position.legal)}
    assert choices(position, "guide") <= {*map(position.name, position.legal)}


def test_the_first_draw_of_a_level_with_common_sense_is_that_of_one_without() -> None:
    position = registry.game("forty_bridges").start()
    plain = levels(position.game.spec)["wanderer"]
    for seed in range(4):
        both = [LevelPlayer("wanderer", seed, level) for level in (plain, msgspec.structs.replace(plain, careful=True))]
        assert len({player.choose(position) for player in both}) == 1
    assert np.isfinite(plain.slack)


@pytest.mark.parametrize("game", ["barricade", *CAREFUL])
def test_which_levels_have_common_sense(game: str) -> None:
    careful = tuple(name for name, level in levels(registry.spec(game)).items() if level.careful)
    assert careful == CAREFUL.get(game, ())
