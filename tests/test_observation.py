"""What a seat sees: the pieces where the facts say they are, from the own side, and nothing of what lies face down."""

import random
from typing import Any

import numpy as np
import pytest

import bridgehead
from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game, Position
from bridgehead.environments import Observer, observer
from variants import make, mixture

ROW = ["2H", "9S", "KH", "5D"]
LAYOUTS = [[ROW, ["2S", "JC", "3C", "4D"]], [ROW, ["4D", "3C", "JC", "2S"]]]  # they differ in the second row


def walk(game: Game, seed: int, plies: int = 60) -> list[Position]:
    """The positions of a game at random."""
    positions, dealer, rng = [game.start()], SeededDealer(seed), random.Random(seed)
    while not positions[-1].is_over and len(positions) < plies:
        last = positions[-1]
        positions.append(last.after(dealer.deal(last, len(positions)) if last.is_chance else rng.choice(last.legal)))
    return positions


class Seen:
    """A seat's view by the names of planes and numbers, in the units of the layout."""

    def __init__(self, position: Position, seat: int) -> None:
        self.view: Observer = observer(position.game)
        self.arrays, self.mask = self.view.of(position, seat)

    def places(self, part: str, plane: str) -> set[tuple[int, ...]]:
        """The places with a number on a plane."""
        return {tuple(map(int, place)) for place in np.argwhere(self.arrays[part][self.view.names[part].index(plane)])}

    def number(self, name: str) -> float:
        """A number, in its unit."""
        most = next(each.most for each in self.view.layout.numbers if each.name == name)
        return round(float(self.arrays["numbers"][self.view.names["numbers"].index(name)]) * most, 4)


def variants(name: str, count: int) -> list[Game]:
    rng = random.Random(name)
    return [make(name, {}), *(make(name, mixture(name, rng)) for _ in range(count))]


def test_40_bridges_shows_both_sides_from_the_own_corner() -> None:
    for game in variants("forty_bridges", 3):
        for position in walk(game, 3):
            for seat in range(2):
                seen, facts = Seen(position, seat), position.facts()
                pieces = {0: set(), 1: set()}  # type: dict[int, set[tuple[int, ...]]]
                for field, owner in facts["pieces"].items():
                    x, y = game.board.places[game.board.field(field)]
                    pieces[owner].add((y, x) if seat == 0 else (8 - y, 8 - x))
                assert seen.places("fields", "own piece") == pieces[seat]
                assert seen.places("fields", "other's piece") == pieces[1 - seat]
                assert seen.places("fields", "own corner") == {(0, 0)} and seen.places("fields", "goal") == {(8, 8)}
                assert len(seen.places("fields", "square")) == 25 and len(seen.places("fields", "octagon")) == 16
                assert seen.number("quiet") == facts["quiet"]


@pytest.mark.parametrize(("name", "rules"), [("forty_bridges", {}), ("burning_bridges", {"seats": 2, "firstPlayer": "seat0"})])
def test_a_view_says_that_sides_may_be_exchanged_now(name: str, rules: dict[str, Any]) -> None:
    start = registry.game(name, pie=True, **rules).start()
    second = start
    while second.actor == 0:
        second = second.play(int(second.legal[-1]))
    after = second.play(second.action("swap"))
    assert [Seen(each, 1).number("sides may be exchanged") for each in (start, second, after)] == [0, 1, 0]
    assert "sides may be exchanged" not in observer(registry.game(name, **rules)).names["numbers"]


def test_barricade_shows_pawns_barricades_and_the_die() -> None:
    for game in variants("barricade", 3):
        place = dict(zip(game.board.names, ((y, x) for x, y in game.board.squares), strict=True))
        for position in walk(game, 4):
            facts = position.facts()
            for seat in {0, game.seats - 1}:
                seen = Seen(position, seat)
                assert seen.places("fields", "barricade") == {place[square] for square in facts["barricades"]}
                pawns = [seen.places("fields", name) for name in seen.view.names["fields"] if name.startswith("pawn of")]
                assert set.union(*pawns) == {place[p] for ps in facts["pawns"].values() for p in ps if p in place}
                colour = int(game.law.colour_of[seat, 0])
                home = str(game.board.homes[int(game.law.home[colour]) - len(place)].id)
                assert pawns[0] == {place[p] for p in facts["pawns"][home] if p in place}, "the own colour comes first"
                assert seen.number("pawns of colour 0 at home") == int(position.state.at_home[colour])
                rolled = [n for n in range(1, int(game.law.die_sides) + 1) if seen.number(f"the die shows {n}")]
                assert rolled == [facts["die"]] * bool(facts["die"])


def test_the_front_lines_shows_open_cards_mines_and_the_own_character_first() -> None:
    suits = "HDSC"
    for game in variants("front_lines", 4):
        for position in walk(game, 5):
            facts = position.facts()
            for seat in range(game.seats):
                seen = Seen(position, seat)
                own = list(game.law.seat_of).index(seat)
                turned = bool(game.law.opposed_sides) and own >= 2
                to = {
                    "abcd"[c] + str(r + 1): (game.options.rows - 1 - r if turned else r, c) for r in range(12) for c in range(4)
                }
                assert seen.places("fields", "card face up") == {to[cell] for cell in facts["field"]}
                assert seen.places("fields", "exploded mine") == {to[cell] for cell in facts["blown"]}
                for who, name in enumerate(("own character", "mate", "first opponent", "second opponent")):
                    lives, _, place = facts["characters"][suits[own ^ who]]
                    assert seen.places("fields", name) == ({to[place]} if place in to else set())
                    assert seen.number(f"lives of {name}") == lives


def test_burning_bridges_shows_pieces_bridges_torches_and_hostages() -> None:
    for game in variants("burning_bridges", 3):
        pillar, line = game.board.pillars.index, {game.board.line_name(n): n for n in range(len(game.board.lines))}
        for position in walk(game, 6, 120)[::5]:
            facts = position.facts()
            for seat in {0, game.seats - 1}:
                seen = Seen(position, seat)

                def named(family: int, seat: int = seat, seats: int = game.seats) -> str:
                    after = (family - seat) % seats
                    return f"family {after} after the own one" if after else "own family"

                whole = {f"{chr(97 + f)}{size}": f"{size} of {named(f)}" for f in range(game.seats) for size in "LMS"}
                for piece, (at, captor) in facts["pieces"].items():
                    assert seen.places("pillars", whole[piece]) == {(pillar(at),)}
                    held = [other for other, name in whole.items() if seen.number(f"{whole[piece]} is held by {name}")]
                    assert held == [captor] * bool(captor)
                for family in range(game.seats):
                    here = {
                        key.split()[0]: value for key, value in facts["bridges"].items() if key.split()[1] == chr(97 + family)
                    }
                    assert seen.places("lines", f"bridge of {named(family)}") == {(line[each],) for each in here}


@pytest.mark.parametrize("name", ["connect_four", "ford"])
def test_a_game_that_declares_nothing_shows_every_field_of_its_record(name: str) -> None:
    module = __import__(name)
    game = Game(module.SPEC, house.build(module.SPEC))
    for position in walk(game, 7):
        seen = Seen(position, 1)
        values = dict(zip(seen.view.names["numbers"], seen.arrays["numbers"].tolist(), strict=True))
        assert (values["own seat 0"], values["own seat 1"]) == (0, 1)
        for field in game.dtype.names:
            for place, value in enumerate(np.atleast_1d(position.state[field])):
                key = f"{field}[{place}]" if game.dtype[field].shape else field
                if game.dtype[field].base == np.uint64:
                    assert sum(int(values[f"{key} bit {bit}"]) << bit for bit in range(64)) == int(value)
                else:
                    assert values[key] == int(value)


def test_equal_tables_look_the_same_whatever_lies_face_down() -> None:
    """Twins that differ in cards that nobody has turned over: step by step the same, until such a card is turned."""
    twins = [bridgehead.game("front_lines", rows=2, seats=2, layout=layout) for layout in LAYOUTS]
    places, shown = [game.start() for game in twins], 0
    for index in range(200):
        first = places[0]
        if first.is_over:
            break
        for seat in range(2):
            one, two = (Seen(each, seat) for each in places)
            assert all(np.array_equal(one.arrays[part], two.arrays[part]) for part in one.arrays)
            assert np.array_equal(one.mask, two.mask)
        if first.is_chance and first.legal != places[1].legal:
            shown += 1
            break
        action = SeededDealer(3).draw(first.legal, first.weights or [1] * len(first.legal), index)
        places = [each.play(action) for each in places]
    assert shown, "no card of the second row was reached"
    places = [each.play(each.legal[0]) for each in places]
    one, two = (Seen(each, 0) for each in places)
    assert not np.array_equal(one.arrays["numbers"], two.arrays["numbers"]), "what was turned over is seen"


def test_only_seats_look() -> None:
    game = make("forty_bridges", {})
    for seat in (-1, 2):
        with pytest.raises(BridgeheadError, match="seat"):
            observer(game).of(game.start(), seat)


def test_the_form_of_an_observation_is_known_before_the_first_game() -> None:
    facts: dict[str, Any] = {
        name: (observer(make(name, {})).shapes, len(observer(make(name, {})).low)) for name in registry.specs()
    }
    assert facts["forty_bridges"] == ({"fields": (7, 9, 9)}, 4)
    assert facts["front_lines"] == ({"fields": (11, 12, 4)}, 141)
    assert facts["barricade"][0] == {"fields": (12, 16, 17)}
    assert facts["burning_bridges"] == ({"pillars": (20, 36), "lines": (22, 85)}, 396)
