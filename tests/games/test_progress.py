"""Sentences about positions: each is held against the two positions that it compares, by other functions than it is made with."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bridgehead.core import record, registry
from bridgehead.core.phrases import Phrase, languages
from bridgehead.core.position import Position
from bridgehead.games.barricade import rules as barricade
from bridgehead.games.burning_bridges import actions as bridge_actions
from bridgehead.games.burning_bridges import rules as bridges
from bridgehead.games.forty_bridges import rules as forty
from records import RECORDS, recorded

Holds = Callable[[Position, Position, int, dict[str, Any]], bool]
S = 2


def decisions(game: str, number: int = 7) -> list[tuple[Position, int]]:
    """Positions of played games, each with the action that was played and some others."""
    rng, found = random.Random(7), list[tuple[Position, int]]()
    for file in sorted(RECORDS.glob(f"{game}-*.txt")):
        match, _ = record.load(file.read_text("utf-8"))
        decided = [at for at, entry in enumerate(match.log) if entry.actor >= 0]
        for at in rng.sample(decided, min(number, len(decided))):
            position = match.positions[at]
            some = {match.log[at].action, *rng.sample(position.legal, min(3, len(position.legal)))}
            found += [(position, action) for action in sorted(some)]
    return found


# 40 Bridges: by where pieces can go, instead of by legal actions.


def goes(position: Position, seat: int) -> list[tuple[int, int]]:
    law, own = position.game.law, position.state.pieces[seat]
    empty = forty.empty_fields(position.read_only, law)
    ways = ((start, forty.fields_of(forty.destinations(law, own, empty, np.uint64(start)))) for start in forty.fields_of(own))
    return [(start, end) for start, ends in ways for end in ends]


def captured(position: Position, seat: int) -> set[str]:
    """The names of the opponent's pieces that a move of the seat would surround."""
    law, own = position.game.law, int(position.state.pieces[seat])
    found = set()
    for start, end in goes(position, seat):
        there = own & ~(1 << start) | 1 << end
        for field in forty.fields_of(position.state.pieces[1 - seat]):
            closed = (int(law.touch[field]) & there).bit_count()
            enough = int(law.touch[field]) >> end & 1 and closed >= position.game.options.sides_needed
            if enough and end != law.goal[seat]:
                found.add(position.game.board.names[field])
    return found


def enters(position: Position, seat: int) -> bool:
    return any(end == position.game.law.goal[seat] for _, end in goes(position, seat))


def steps_to_corner(position: Position, seat: int) -> int:
    """The fewest steps along rows and columns of squares."""
    places, goal = position.game.board.places, int(position.game.law.goal[seat])
    (x, y), squares = places[goal], position.game.board.is_square
    own = [places[field] for field in forty.fields_of(position.state.pieces[seat]) if squares(field)]
    return min((round(abs(a - x) + abs(b - y)) // 2 for a, b in own), default=99)


def names(params: dict[str, Any]) -> set[str]:
    return {*params["fields"].split(", ")}


FORTY: dict[str, Holds] = {
    "effect.threatens": lambda b, a, s, p: names(p) <= captured(a, s) - captured(b, s),
    "effect.saves": lambda b, a, s, p: names(p) <= captured(b, 1 - s) - captured(a, 1 - s),
    "effect.escapes": lambda b, a, s, p: names(p) <= captured(b, 1 - s) and not names(p) & captured(a, 1 - s),
    "effect.enters": lambda b, a, s, p: enters(a, s) and not enters(b, s),
    "effect.guards": lambda b, a, s, p: enters(b, 1 - s) and not enters(a, 1 - s),
    "effect.nearer": lambda b, a, s, p: steps_to_corner(a, s) == p["corner"].params["n"] < steps_to_corner(b, s),
}


# Barricade: by the reasons to refuse a move, instead of by legal actions.


def may_land(position: Position, seat: int, die: int, origin: int, square: int) -> bool:
    action = int(barricade.move_action(position.game.law, origin, square))
    return position.supposing(phase=barricade.MOVE, seat=seat, die=die).refusal(action) == 0


def rolls_to(position: Position, seat: int, square: int) -> set[int]:
    """The rolls with which a pawn of the seat could land on a square."""
    law, found = position.game.law, set()
    places = [p for colour in law.colour_of[seat] if colour >= 0 for p in barricade.places_of(law, position.state, colour)]
    for die in range(1, int(law.die_sides) + 1):
        if any(may_land(position, seat, die, origin, square) for origin in places):
            found.add(die)
    return found


def nearer_rolls(position: Position, seat: int, origin: int) -> set[int]:
    """The rolls that bring a pawn of the seat nearer to the final square."""
    law = position.game.law
    squares = [square for square in range(law.squares) if law.steps[square, law.final] < law.steps[origin, law.final]]
    dice = range(1, int(law.die_sides) + 1)
    return {die for die in dice if any(may_land(position, seat, die, origin, square) for square in squares)}


def seat_of(position: Position, params: dict[str, Any]) -> int:
    letters = [position.game.spec.seat_letter(seat) for seat in range(position.game.seats)]
    return letters.index(params["other"].key.removeprefix("seat."))


def rolls(params: dict[str, Any]) -> set[int]:
    return {int(each) for each in params["rolls"].split(", ")}


def square_of(position: Position, params: dict[str, Any]) -> int:
    return int(position.game.board.names.index(params["square"]))


def nearest(position: Position, seat: int) -> int:
    law = position.game.law
    places = [p for colour in law.colour_of[seat] if colour >= 0 for p in barricade.places_of(law, position.state, colour)]
    return min(int(law.steps[place, law.final]) for place in places)


def own_squares(position: Position, seat: int) -> set[int]:
    """The squares with pawns of the seat's side."""
    law, owners = position.game.law, enumerate(position.state.owner)
    return {square for square, colour in owners if colour >= 0 and law.side[law.seat_of[colour]] == law.side[seat]}


def reached(position: Position, seat: int) -> set[int]:
    """The squares of the seat's side where an opponent could land with one roll."""
    law = position.game.law
    others = [other for other in range(position.game.seats) if law.side[other] != law.side[seat]]
    return {square for square in own_squares(position, seat) if any(rolls_to(position, other, square) for other in others)}


def escaped(before: Position, after: Position, seat: int) -> bool:
    old, new = own_squares(before, seat), own_squares(after, seat)
    return bool((old - new) & reached(before, seat)) and not (new - old) & reached(after, seat)


def sum_of_steps(position: Position, seat: int) -> int:
    law = position.game.law
    places = [p for colour in law.colour_of[seat] if colour >= 0 for p in barricade.places_of(law, position.state, colour)]
    return sum(int(law.steps[place, law.final]) for place in places)


BARRICADE: dict[str, Holds] = {
    "effect.costs": lambda b, a, s, p: sum_of_steps(a, seat_of(b, p)) - sum_of_steps(b, seat_of(b, p)) == p["n"] > 0,
    "effect.escapes": lambda b, a, s, p: escaped(b, a, s),
    "effect.threatens": lambda b, a, s, p: rolls_to(a, s, square_of(a, p)) == rolls(p) and not rolls_to(b, s, square_of(a, p)),
    "effect.nearer": lambda b, a, s, p: nearest(a, s) == p["n"] < nearest(b, s),
    "effect.stops": lambda b, a, s, p: (
        nearer_rolls(b, seat_of(b, p), square_of(b, p)) - nearer_rolls(a, seat_of(b, p), square_of(b, p)) == rolls(p)
    ),
    "effect.stopsHome": lambda b, a, s, p: any(
        nearer_rolls(b, seat_of(b, p), home) - nearer_rolls(a, seat_of(b, p), home) == rolls(p)
        for home in (int(b.game.law.home[c]) for c in b.game.law.colour_of[seat_of(b, p)] if c >= 0)
    ),
}


# The Front Lines: from the public facts.


def mine(position: Position, cell: str, suit: str) -> bool:
    facts, red = position.facts(), suit in "HD"
    card = facts["field"].get(cell)
    side = 0 if red else 1
    return card is not None and cell not in facts["blown"] and bool(
        int(position.game.law.mines[side]) >> position.read("flip " + card) - position.read("flip AH") & 1
    )  # fmt: skip


def suit_of(position: Position) -> str:
    return str(position.facts()["drawn"])[-1]


def rows_to_go(position: Position, suit: str) -> int:
    facts = position.facts()
    place = facts["flipping"] if facts["flipping"] and suit_of(position) == suit else facts["characters"][suit][2]
    law = position.game.law
    forward = bool(int(law.last_row["HDSC".index(suit) // 2]) >> 4 * (law.rows - 1) & 1)
    made = 0 if place == "start" else int(place[1:]) if forward else law.rows - int(place[1:]) + 1
    return int(law.rows) - made + (0 if law.reach_row else 1)


def unknown(position: Position, suit: str) -> int:
    """The fewest face-down cards on a way across without known mines, found by relaxing all steps again and again."""
    law, facts, index = position.game.law, position.facts(), "HDSC".index(suit)
    cells = [f"{'abcd'[cell % 4]}{cell // 4 + 1}" for cell in range(4 * law.rows)]
    place = facts["flipping"] or facts["characters"][suit][2]
    costs, old = {48 if place == "start" else cells.index(place): 0}, {}
    free = [near for near, name in enumerate(cells) if not mine(position, name, suit)]
    while old != costs:
        old = dict(costs)
        for cell, cost in old.items():
            for near in free:
                if int(law.steps[index // 2, cell]) >> near & 1:
                    costs[near] = min(costs.get(near, 99), cost + (cells[near] not in facts["field"]))
    last = int(law.last_row[index // 2])
    return min((cost for cell, cost in costs.items() if cell < 48 and last >> cell & 1), default=99)


def target(before: Position, after: Position) -> str:
    """The cell of the step."""
    now = after.facts()
    return str(now["flipping"] or now["characters"][suit_of(before)][2])


FRONT: dict[str, Holds] = {
    "effect.safe": lambda b, a, s, p: target(b, a) in b.facts()["field"] and not mine(b, target(b, a), suit_of(b)),
    "effect.least": lambda b, a, s, p: target(b, a) not in b.facts()["field"] or not mine(b, target(b, a), suit_of(b)),
    "effect.across": lambda b, a, s, p: a.facts()["characters"][suit_of(b)][1] == "across",
    "effect.rows": lambda b, a, s, p: rows_to_go(a, suit_of(b)) == p["rows"].params["n"] < rows_to_go(b, suit_of(b)),
    "effect.cards": lambda b, a, s, p: unknown(a, suit_of(b)) == p["n"] < unknown(b, suit_of(b)),
    "effect.clear": lambda b, a, s, p: unknown(a, suit_of(b)) == 0 < unknown(b, suit_of(b)),
}


# Burning Bridges: by legal actions, instead of by the reasons to refuse them.


def moves(position: Position, seat: int) -> list[bridge_actions.Action]:
    """What a family could do at the beginning of a turn with these pieces."""
    return [bridge_actions.split(position.game.law, action) for action in at_turn(position, seat).legal]


def at_turn(position: Position, seat: int) -> Position:
    return position.supposing(turn=seat, phase=bridges.MOVES, moves=2, mover=-1, taken=0)


def child_ways(position: Position, seat: int) -> set[str]:
    law, pillars = position.game.law, position.game.board.pillars
    far = law.goal_distance[seat]
    here = int(position.state.pos[3 * seat + S])
    crossings = (m for m in moves(position, seat) if m.kind == bridge_actions.CROSS and m.size == S)
    return {pillars[m.pillar] for m in crossings if far[m.pillar] < far[here]}


def taken_by(position: Position, seat: int) -> set[int]:
    """The pieces that a family could take by seizing or by walking there."""
    law, found = position.game.law, set()
    for m in moves(position, seat):
        if m.kind == bridge_actions.SEIZE:
            found.add(m.piece)
        if m.kind == bridge_actions.WALK:
            after = at_turn(position, seat).play(bridge_actions.number(law, m))
            if after.state.phase == bridges.TAKING:
                every = range(3 * law.seats)
                found |= {piece for piece in every if bridges.victim_refusal(after.read_only, int(after.state.mover), piece) == 0}
    return found


def in_danger(position: Position, seat: int) -> set[int]:
    others = (other for other in range(position.game.seats) if other != seat)
    return {piece for other in others for piece in taken_by(position, other) if piece // 3 == seat}


def pieces(text: Phrase | str, seat: int) -> set[int]:
    """The pieces that a phrase names."""
    assert isinstance(text, Phrase)
    if text.key.startswith("list."):
        return pieces(text.params["one"], seat) | pieces(text.params["other"], seat)  # type: ignore[arg-type]
    size = "LMS".index(text.key[-1])
    owner = text.params.get("seat")
    return {3 * ("abcde".index(owner.key[-1]) if isinstance(owner, Phrase) else seat) + size}


def ways(params: dict[str, Any]) -> set[str]:
    return {*params["pillars"].split(", ")}


def lines(position: Position, number: int) -> int:
    return int(position.game.law.goal_distance[number // 3, position.state.pos[number]])


def builds(position: Position, seat: int) -> set[str]:
    return {position.game.board.line_name(m.line) for m in moves(position, seat) if m.kind == bridge_actions.BUILD}


def other_of(params: dict[str, Any]) -> int:
    return "abcde".index(params["other"].key[-1])


BRIDGES: dict[str, Holds] = {
    "effect.child": lambda b, a, s, p: lines(a, 3 * s + S) == p["n"] < lines(b, 3 * s + S),
    "effect.childHome": lambda b, a, s, p: lines(a, 3 * s + S) == 0 < lines(b, 3 * s + S),
    "effect.opens": lambda b, a, s, p: child_ways(a, s) - child_ways(b, s) == ways(p),
    "effect.keeps": lambda b, a, s, p: ways(p) <= child_ways(b, s) & child_ways(a, s) - child_ways(b.play("end"), s),
    "effect.closes": lambda b, a, s, p: child_ways(b, other_of(p)) - child_ways(a, other_of(p)) == ways(p),
    "effect.saves": lambda b, a, s, p: pieces(p["pieces"], s) <= in_danger(b, s) - in_danger(a, s),
    "effect.threatens": lambda b, a, s, p: pieces(p["pieces"], s) == taken_by(a, s) - taken_by(b, s),
    "effect.builds": lambda b, a, s, p: {p["line"]} <= builds(a, s) - builds(b, s),
    "effect.parentHome": lambda b, a, s, p: all(lines(a, n) == 0 < lines(b, n) for n in pieces(p["piece"], s)),
}

GAMES: dict[str, tuple[dict[str, Holds], set[str]]] = {  # with the sentences that played games do not always need
    "barricade": (BARRICADE, set()),
    "burning_bridges": (BRIDGES, {"effect.keeps"}),
    "forty_bridges": (FORTY, {"effect.guards"}),
    "front_lines": (FRONT, {"effect.least", "effect.clear"}),
}


@pytest.mark.parametrize("name", GAMES)
def test_every_sentence_about_an_action_is_true_of_the_positions_before_and_after(name: str) -> None:
    holds, rare = GAMES[name]
    seen: Counter[str] = Counter()
    for before, action in decisions(name):
        after, seat = before.play(action), before.actor
        for sentence in before.game.spec.progress.effects(before, action):
            assert holds[sentence.key](before, after, seat, dict(sentence.params)), (before.text, before.name(action), sentence)
            texts = {before.game.words.tell(sentence, language) for language in languages()}
            assert len(texts) > 1 and not any("{" in text for text in texts)
            seen[sentence.key] += 1
    assert {*seen} | rare >= {*holds}, "each occurs"


def test_distances_are_the_games_own_measures() -> None:
    def told(game: str, number: int, at: int = -1) -> list[str]:
        match, _ = record.load(recorded(f"{game}-{number}"))
        found = [match.game.spec.progress.distance(match.positions[at], seat) for seat in range(match.game.seats)]
        return [match.game.words.tell(each.words) for each in found if each]

    assert told("barricade", 1) == [
        "0 steps from the top",
        "2 steps from the top",
        "27 steps from the top",
        "24 steps from the top",
    ]
    assert told("forty_bridges", 2) == ["0 steps from the corner, 8 pieces left", "4 steps from the corner, 2 pieces left"]
    assert told("burning_bridges", 1)[2] == "the child 1 line from home, the parents 1"
    assert told("burning_bridges", 1)[3] == "the child home, the parents 1 line away"
    assert told("front_lines", 3)[1:3] == ["1 across, the other one lost", "nobody across, 12 rows to go"]
    start = registry.game("barricade", seats=2).start()
    near, far = (start.game.spec.progress.distance(start, seat) for seat in (0, 1))
    assert near and far and near.numbers == far.numbers, "the fewer, the nearer"
