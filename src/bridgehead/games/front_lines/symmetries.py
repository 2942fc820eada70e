"""Symmetries of The Front Lines: the columns mirrored, mates exchanged, and the colours exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bridgehead.core.symmetry import States, Symmetry, moved_values, permute_bits, permute_entries
from bridgehead.games.front_lines.board import COLUMNS, JOKER
from bridgehead.games.front_lines.rules import ACTIONS, CELLS, FACES, GONE, START
from bridgehead.games.front_lines.walks import LONGEST

SUITS = range(4)
QUEEN, KING = 11, 12
SWAPS = {
    "hearts and diamonds": (1, 0, 2, 3),
    "spades and clubs": (0, 1, 3, 2),
    "red and black": (3, 2, 1, 0),
}


def symmetries(game: Any) -> Sequence[Symmetry]:
    """The maps whose images of all tables of the law are the law itself. A layout laid out by a person keeps none."""
    rows = game.options.rows
    same = list(range(CELLS))
    mirrored = [cell // COLUMNS * COLUMNS + COLUMNS - 1 - cell % COLUMNS for cell in same]
    turned = [(rows - 1 - cell // COLUMNS) * COLUMNS + cell % COLUMNS if cell < COLUMNS * rows else cell for cell in same]
    wanted = [("columns mirrored", tuple(SUITS), mirrored)]
    for name, suits in SWAPS.items():
        wanted += [(f"{name} exchanged", suits, same), (f"{name} exchanged, rows turned", suits, turned)]
    return [_symmetry(game, *each) for each in wanted if not game.law.laid_out and _keeps(game.law, *each[1:])]


def _cards(law: Any, suits: Sequence[int]) -> list[int]:
    """The image of each card. A suit lacks its character's card, a queen or a king: where these differ, the two change places."""
    lacks = [int(law.field_cards) >> 13 * suit & 1 << QUEEN == 0 for suit in SUITS]
    ranks = [[*range(QUEEN), KING, QUEEN] if lacks[suit] != lacks[suits[suit]] else list(range(13)) for suit in SUITS]
    return [13 * suits[card // 13] + ranks[card // 13][card % 13] for card in range(JOKER)] + [JOKER]


def _sides(suits: Sequence[int]) -> list[int]:
    return [suits[2 * side] // 2 for side in range(2)]


def _keeps(law: Any, suits: Sequence[int], cells: Sequence[int]) -> bool:
    """Whether the law is its own image."""
    cards, sides, places = _cards(law, suits), _sides(suits), [*cells, START]
    moves_faces = int(law.pack) & FACES != 0 and not law.faces_redraw
    if moves_faces and any(cards[card] % 13 != card % 13 for card in range(JOKER)):
        return False  # a queen leads 12 steps, a king 13
    seats = {(int(law.seat_of[suit]), int(law.seat_of[suits[suit]])) for suit in SUITS}
    if len({one for one, _ in seats}) < len(seats) or len({other for _, other in seats}) < len(seats):
        return False  # two characters of one seat would come to two seats
    for sets, members in ((law.pack, cards), (law.field_cards, cards), (law.cells, cells)):
        if _image(sets, members) != sets:
            return False
    for side in range(2):
        image = sides[side]
        if _image(law.mines[side], cards) != law.mines[image] or _image(law.last_row[side], cells) != law.last_row[image]:
            return False
        for place in range(START + 1):
            if _image(law.steps[side, place], cells) != law.steps[image, places[place]]:
                return False
            for left in range(LONGEST + 1 if law.destination else 0):
                if _image(law.ends[side, place, left], cells) != law.ends[image, places[place], left]:
                    return False
    return True


def _image(members: Any, images: Sequence[int]) -> int:
    """The image of a set."""
    return int(permute_bits(np.array([members], np.uint64), images)[0])


def _symmetry(game: Any, name: str, suits: Sequence[int], cells: Sequence[int]) -> Symmetry:
    cards, sides = _cards(game.law, suits), _sides(suits)
    seats = {int(game.law.seat_of[suit]): int(game.law.seat_of[suits[suit]]) for suit in SUITS}

    def images(states: States) -> States:
        found = states.copy()
        for field in ("open", "blown", "visited"):
            found[field] = permute_bits(states[field][:, None], cells)[:, 0]
        for field in ("seen", "used"):
            found[field] = permute_bits(states[field][:, None], cards)[:, 0]
        found["field"] = permute_entries(moved_values(states["field"], cards), cells)
        found["place"] = permute_entries(moved_values(states["place"], [*cells, START, GONE]), suits)
        for field in ("lives", "status"):
            found[field] = permute_entries(states[field], suits)
        found["drawn"] = moved_values(states["drawn"], cards)
        found["flipping"] = moved_values(states["flipping"], cells)
        for field in ("claim", "first", "last", "winner"):
            found[field] = moved_values(states[field], sides)
        return found

    actions = np.array(ACTIONS.images({"drawn": cards, "card": cards, "cell": cells}), np.int32)
    return Symmetry(name, tuple(seats[seat] for seat in range(game.seats)), actions, images)
