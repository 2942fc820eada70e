"""Symmetries commute with the rules, byte by byte, and are declared only where board and house rules keep them.

Burning Bridges declares none, since rounds end with the last seat; in everything else its star can be turned by a seat.
"""

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bridgehead.core.chance import SeededDealer
from bridgehead.core.game import Game, Position
from bridgehead.core.symmetry import Symmetry
from bridgehead.environments import observer
from variants import make

Rules = dict[str, Any]
Counted = Callable[[str, int, str], None]
KEPT: list[tuple[str, Rules, set[str]]] = [
    ("forty_bridges", {}, {"mirror", "half turn", "mirror and half turn"}),
    ("forty_bridges", {"first": "random", "bentJumps": True, "maxCaptures": 2}, {"mirror", "half turn", "mirror and half turn"}),
    ("forty_bridges", {"pie": True, "first": "random"}, {"mirror", "half turn", "mirror and half turn"}),
    ("forty_bridges", {"openings": "balanced", "first": "random"}, {"mirror", "half turn", "mirror and half turn"}),
    ("forty_bridges", {"repetition": "none", "suicide": "safe"}, {"mirror", "half turn", "mirror and half turn"}),
    ("forty_bridges", {"repetition": "forbid", "sidesNeeded": 2}, {"mirror", "half turn", "mirror and half turn"}),
    ("barricade", {"seats": 2}, {"mirror"}),
    ("barricade", {"seats": 2, "twoColours": True, "turnLimit": 30}, {"mirror"}),
    ("barricade", {"board": "mini", "seats": 2, "lowestTwoRows": "forbidden"}, {"mirror"}),
    ("front_lines", {}, {"columns mirrored", *(f"{each} exchanged" for each in
                         ("hearts and diamonds", "spades and clubs", "red and black"))}),
    ("front_lines", {"opposedSides": True, "alternateTeams": True}, {"columns mirrored", "hearts and diamonds exchanged",
                     "spades and clubs exchanged", "red and black exchanged, rows turned"}),
    ("front_lines", {"seats": 3, "allow3": True, "flip": "destination", "jokersInField": 2},
     {"columns mirrored", "hearts and diamonds exchanged", "spades and clubs exchanged"}),
    ("front_lines", {"drawPack": "J11Q12K13", "faceCards": "safeForAll"}, {"columns mirrored", "red and black exchanged"}),
    ("front_lines", {"drawPack": "facesRedraw", "lives": 3, "directions": "king8"}, {"columns mirrored", *(
                     f"{each} exchanged" for each in ("hearts and diamonds", "spades and clubs", "red and black"))}),
    ("front_lines", {"seats": 2, "across": "reachRow12", "revive": "start", "mayStop": True},
     {"columns mirrored", "hearts and diamonds exchanged", "spades and clubs exchanged", "red and black exchanged"}),
]  # fmt: skip
every_kept = pytest.mark.parametrize(("name", "rules", "names"), KEPT)


def image(symmetry: Symmetry, position: Position) -> Position:
    return Position(position.game, symmetry.of(position.copy_states()))


def walk(game: Game, seed: int, plies: int) -> list[tuple[Position, int]]:
    """Positions of a game at random, each with the action that follows. Bold players go straight for captures and repetition."""
    found, position, dealer, rng = [], game.start(), SeededDealer(seed), random.Random(seed)
    while not position.is_over and len(found) < plies:
        action = dealer.deal(position, len(found)) if position.is_chance else rng.choice(position.legal)
        found.append((position, action))
        position = position.after(action)
    return [*found, (position, -1)]


@every_kept
def test_a_mirrored_game_goes_on_as_the_mirror_of_the_game(name: str, rules: Rules, names: set[str], counted: Counted) -> None:
    game, plies = make(name, rules), 0
    maps = {each.name: each for each in game.spec.symmetries.symmetries(game)}
    assert set(maps) == names
    for symmetry in maps.values():
        assert sorted(symmetry.actions.tolist()) == list(range(game.action_count))
        assert sorted(symmetry.seats) == list(range(game.seats))
    for seed in range(3):
        for position, action in walk(game, seed, 90):
            plies += action >= 0
            for symmetry in maps.values():
                mapped = image(symmetry, position)
                if position.actor >= 0:
                    assert mapped.actor == symmetry.seats[position.actor]
                assert mapped.legal == tuple(sorted(int(symmetry.actions[each]) for each in position.legal)), symmetry.name
                if action >= 0:
                    there = mapped.after(int(symmetry.actions[action]))
                    assert there == image(symmetry, position.after(action)), (symmetry.name, position.text, mapped.text)
                elif position.outcome and mapped.outcome:
                    turned = [position.outcome.returns[symmetry.seats.index(seat)] for seat in range(game.seats)]
                    assert list(mapped.outcome.returns) == turned
    counted(name, plies, "plies")
    assert plies > 60


@pytest.mark.parametrize(("moves", "times"), [(0, 0), (3, 0), (4, 1), (5, 1), (7, 1)])
def test_the_image_keeps_how_often_a_position_occurred(moves: int, times: int) -> None:
    position = make("forty_bridges", {"setup": "custom", "layout": "a1,b2 d4,e5"}).start()
    for move in (("a1-a2", "e5-e4", "a2-a1", "e4-e5") * 2)[:moves]:
        position = position.play(move)
    view = observer(position.game)
    for symmetry in position.game.spec.symmetries.symmetries(position.game):
        for each in (position, image(symmetry, position)):
            assert view.of(each, 1)[0]["numbers"][view.names["numbers"].index("occurred")] == times


LAYOUT = [["2H", "9S", "KH", "5D"], ["2S", "JC", "3C", "4D"]]
LOPSIDED: Rules = {
    "name": "lopsided", "width": 5, "height": 4, "pawnsPerPlayer": 1, "final": [2, 0], "barricades": [], "firstRowY": 1,
    "squares": [[2, 0], [0, 1], [1, 1], [2, 1], [3, 1], [4, 1], [0, 2]],
    "homes": [{"id": n, "color": str(n), "entry": [x, 1], "slots": [[x, 3]]} for n, x in ((1, 0), (2, 4))],
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("barricade", {}),  # the mirror would turn the order of four seats round
        ("barricade", {"seats": 2, "first": "highestRoll"}),  # seats roll in order
        ("barricade", {"seats": 2, "board": LOPSIDED}),
        ("barricade", {"seats": 2, "homes": "1,2"}),
        ("front_lines", {"rows": 2, "layout": LAYOUT}),  # the cards that lie there are not symmetric
        ("burning_bridges", {"seats": 2}),  # rounds end with the last seat, and the goals of a family lie to one side
    ],
)
def test_no_map_is_declared_where_the_law_does_not_keep_it(name: str, rules: Rules) -> None:
    game = make(name, rules)
    assert list(game.spec.symmetries.symmetries(game)) == []


@pytest.mark.parametrize("rules", [{}, {"first": "random", "bentJumps": True}])
def test_both_players_of_40_bridges_see_the_same_from_their_own_side(rules: Rules) -> None:
    """A position for player 2 looks as its half turn does for player 1, with the same numbers of actions."""
    game = make("forty_bridges", rules)
    view = observer(game)
    turn = next(each for each in game.spec.symmetries.symmetries(game) if each.name == "half turn")
    for position, _ in walk(game, 3, 60):
        if position.actor < 0:
            continue
        mapped = image(turn, position)
        (one, mask), (other, mapped_mask) = view.of(position, position.actor), view.of(mapped, mapped.actor)
        assert all(np.array_equal(one[name], other[name]) for name in one)
        assert (mask[view.ids[position.actor]] == mapped_mask[view.ids[mapped.actor]]).all()


def turn_star(families: int) -> Callable[[str], str]:
    """The board turned by one seat: every family becomes its neighbour."""

    def relabel(word: str) -> str:
        found = re.fullmatch(r"([ABR])(\d+)", word)
        if found:
            steps, ring = {"A": (1, families), "B": (2, 2 * families), "R": (4, 4 * families)}[found[1]]
            return f"{found[1]}{(int(found[2]) + steps) % ring}"
        if re.fullmatch(r"[a-e][LMS]?", word):
            return chr(ord("a") + (ord(word[0]) - ord("a") + 1) % families) + word[1:]
        return word

    return relabel


def line_image(line: str, relabel: Callable[[str], str]) -> str:
    """A line's name is written with its pillars in the board file's order, which turning may reverse."""
    return "-".join(sorted(relabel(pillar) for pillar in line.split("-")))


@pytest.mark.clause("BBQ-1", "BBQ-3", "BBQ-34")
@pytest.mark.parametrize("families", [3, 4, 5])
def test_burning_bridges_is_the_same_game_turned_by_a_seat(families: int, counted: Counted) -> None:
    relabel = turn_star(families)

    def act(text: str) -> str:
        if text.startswith("first"):
            return f"first {int(text.split()[1]) % families + 1}"
        words = text.split(" ")
        return " ".join(line_image(w, relabel) if "-" in w else relabel(w) for w in words)

    def view(facts: dict[str, Any], image: bool) -> Any:
        """What the image must show of facts of the first game, and what it shows."""
        if image:
            bridges = {k: v[:1] for k, v in facts["bridges"].items()}
            return facts["pieces"], bridges, facts["immune"], facts["actor"], facts["winners"]
        next_seat = {s: (s + 1) % families for s in range(families)}
        pieces = {relabel(p): [relabel(at), c and relabel(c)] for p, (at, c) in facts["pieces"].items()}
        bridges = {line_image(k.split()[0], relabel) + " " + relabel(k.split()[1]): v[:1] for k, v in facts["bridges"].items()}
        immune = {">".join(relabel(p) for p in key.split(">")): n for key, n in facts["immune"].items()}
        return pieces, bridges, immune, next_seat.get(facts["actor"], facts["actor"]), [next_seat[s] for s in facts["winners"]]

    plies = 0
    for seed in range(3):
        rng, one = random.Random(seed), make("burning_bridges", {"seats": families}).start()
        two = one
        for _ in range(250):
            assert view(one.facts(), False) == view(two.facts(), True), one.text
            if one.is_over or has_two_captors(one.facts()):
                break
            assert {act(one.name(action)) for action in one.legal} == {two.name(action) for action in two.legal}, one.text
            choice = one.name(rng.choice(one.legal))
            one, two = one.play(choice), two.play(act(choice))
            plies += 1
    counted("burning_bridges", plies, "plies")
    assert plies > 60


def has_two_captors(facts: dict[str, Any]) -> bool:
    """Whether there are captors of two families: they speak in absolute seat order (ALLQ-3)."""
    captors = [(piece[0], captor) for piece, (_, captor) in facts["pieces"].items() if captor]
    return len({captor for _, captor in captors}) > 1
