"""Symmetries of Barricade: left and right exchanged, on boards and homes that are alike on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bridgehead.core.symmetry import States, Symmetry, moved_values, permute_bits, permute_entries
from bridgehead.games.barricade import actions
from bridgehead.games.barricade.rules import DRAW, TURN_LIMIT


def symmetries(game: Any) -> Sequence[Symmetry]:
    """The mirror, if it keeps the order of turns. Rolling for the first seat has an order of its own, so it keeps none."""
    law, board = game.law, game.board
    middle = min(x for x, _ in board.squares) + max(x for x, _ in board.squares)
    index = {place: square for square, place in enumerate(board.squares)}
    if law.roll_off or any((middle - x, y) not in index for x, y in board.squares):
        return ()
    squares = [index[middle - x, y] for x, y in board.squares]
    entries = {home.entry: number for number, home in enumerate(board.homes)}
    if any(squares[entry] not in entries for entry in entries) or squares[board.final] != board.final:
        return ()
    homes = [entries[squares[home.entry]] for home in board.homes]
    number_of = {int(law.home[colour]) - len(squares): colour for colour in range(law.colours)}
    if any(homes[home] not in number_of for home in number_of):
        return ()
    colours = [number_of[homes[int(law.home[colour]) - len(squares)]] for colour in range(law.colours)]
    seats = [colours[seat] % game.seats for seat in range(game.seats)]
    may_hold = np.array([*law.may_hold], np.uint64)
    turns_kept = all(seats[(seat + 1) % game.seats] == (seats[seat] + 1) % game.seats for seat in range(game.seats))
    colours_kept = all(colours[colour] % game.seats == seats[colour % game.seats] for colour in range(law.colours))
    if not (turns_kept and colours_kept and (permute_bits(may_hold[None], squares)[0] == may_hold).all()):
        return ()
    return (_mirror(game, squares, [len(squares) + home for home in homes], colours, seats),)


def _mirror(game: Any, squares: list[int], homes: list[int], colours: list[int], seats: list[int]) -> Symmetry:
    places = [*squares, *homes]

    def images(states: States) -> States:
        found = states.copy()
        found["barricades"] = permute_bits(states["barricades"], squares)
        pawns = np.moveaxis(permute_bits(states["pawns"], places), 1, -1)
        found["pawns"] = np.moveaxis(permute_entries(pawns, seats), -1, 1)
        found["owner"] = permute_entries(moved_values(states["owner"], colours), squares)
        found["at_home"], found["rolled"] = permute_entries(states["at_home"], colours), permute_entries(states["rolled"], seats)
        counts = (states["phase"] != DRAW) & (states["reason"] != TURN_LIMIT)  # elsewhere the seat is 0 and means nothing
        found["seat"] = np.where(counts, moved_values(states["seat"], seats), states["seat"])
        return found

    parts = {"seat": seats, "square": squares, "origin": places}
    return Symmetry("mirror", tuple(seats), np.array(actions.laid_out(game.law).images(parts), np.int32), images)
