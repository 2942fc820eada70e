"""A check of fortresses by the rules alone.

`fortress` works with tables of its own about moves and captures. Here each kept position is set up, every action of the attackers
is applied by the rules, and then the defender's actions, until one leads to a kept position again. Where all kept positions pass,
the defender can stay for ever, whatever `fortress` did to find them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.bits import count, lowest
from bridgehead.core.game import Game, Position
from bridgehead.core.jit import rule
from bridgehead.core.match import Match
from bridgehead.core.numbers import ALL, int64, uint64
from bridgehead.games.forty_bridges import rules
from bridgehead.games.forty_bridges.board import FIELDS, number_of, standard
from bridgehead.games.forty_bridges.endgames import CHOOSE, members
from bridgehead.games.forty_bridges.rules import rotate_pieces
from bridgehead.workshop.forty_bridges.endgames_check import place
from bridgehead.workshop.forty_bridges.fortress import Fortress

ONE, ZERO = uint64(1), uint64(0)
SQUARES = rules.word(field for field in range(FIELDS) if standard().is_square(field))
MIRROR = np.array([number_of((y, x)) for x, y in standard().places])


@rule
def rank(pieces, free, sizes):
    """The number of a set of fields among all sets of free fields: smaller sets first, sizes[n] sets with fewer than n fields."""
    found, taken = 0, 0
    while pieces:
        field = uint64(lowest(pieces))
        pieces &= pieces - ONE
        taken += 1
        found += CHOOSE[count(free & ((ONE << field) - ONE)), taken]
    return sizes[taken] + found


@rule
def encode_setup(own):
    """The set-up as a number: a bit for each square, then sixteen for the octagons."""
    found, square, octagon = 0, 16, 0
    for field in range(FIELDS):
        here = int64((own >> uint64(field)) & ONE)
        if (SQUARES >> uint64(field)) & ONE:
            found |= here << square
            square += 1
        else:
            found |= here << octagon
            octagon += 1
    return found


@rule
def mirror_pieces(pieces):
    """The pieces mirrored at the diagonal."""
    found = ZERO
    while pieces:
        found |= ONE << uint64(MIRROR[lowest(pieces)])
        pieces &= pieces - ONE
    return found


@rule
def found_at(own, other, keys, sizes):
    """Set-up, row and bit of the position with player 1 as the defender and player 2 to move; set-up -1 outside the family."""
    mine, image = encode_setup(own), mirror_pieces(own)
    if encode_setup(image) < mine:
        mine, own, other = encode_setup(image), image, mirror_pieces(other)
    setup = np.searchsorted(keys, mine)
    if setup == len(keys) or keys[setup] != mine:
        return -1, 0, 0
    free = ALL ^ own
    row = rank(other & SQUARES, free & SQUARES, sizes[0])
    return setup, row, rank(other & (ALL ^ SQUARES), ALL ^ SQUARES, sizes[1])


@rule
def is_kept(own, other, keys, kept, sizes):
    """Whether the position with player 1 as the defender, and player 2 to move, is among the kept ones."""
    setup, row, bit = found_at(own, other, keys, sizes)
    return setup >= 0 and (kept[setup, row, bit >> 6] >> uint64(bit & 63)) & ONE != ZERO


@rule
def has_reply(states, law, out, keys, kept, sizes):
    """Whether the defender, to move in states[1], keeps the fortress. A finished game counts if the attackers did not win it."""
    if states[1].reason != 0:
        return states[1].winner != 1
    for i in range(rules.legal(states[1], law, out[1])):
        states[2] = states[1]
        rules.apply(states[2], law, out[1, i])
        if states[2].reason != 0:
            if states[2].winner != 1:
                return True
        elif is_kept(states[2].pieces[0], states[2].pieces[1], keys, kept, sizes):
            return True
    return False


@rule
def stays(states, law, out, own, other, keys, kept, sizes):
    """Whether the defender has a reply to each action of the attackers."""
    place(states[0], law, own, other)
    states[0].seat = 1
    for i in range(rules.legal(states[0], law, out[0])):
        states[1] = states[0]
        rules.apply(states[1], law, out[0, i])
        if not has_reply(states, law, out, keys, kept, sizes):
            return False
    return True


@rule
def check_setup(states, law, out, own, most, keys, kept, sizes, step):
    """Check every `step`-th placement against a set-up. most: of squares and octagons.

    Returns how many kept positions were looked at, how many of them fail, and how many of the others hold all the same.
    """
    looked, wrong, missed, number = 0, 0, 0, 0
    squares, octagons = SQUARES & (ALL ^ own), law.board & (ALL ^ (SQUARES | own))
    for many in range(most[0] + 1):
        for first in range(CHOOSE[count(squares), many]):
            theirs = members(first, squares, many)
            for few in range(most[1] + 1):
                for second in range(CHOOSE[count(octagons), few]):
                    number += 1
                    other = theirs | members(second, octagons, few)
                    if number % step or other == ZERO or theirs & ONE or rules.find_captured(law, own, other, ZERO):
                        continue
                    held = is_kept(own, other, keys, kept, sizes)
                    looked += held
                    if held != stays(states, law, out, own, other, keys, kept, sizes):
                        wrong += held
                        missed += not held
    return looked, wrong, missed


def check(game: Game, found: Fortress, setup: int, step: int = 1) -> tuple[int, int, int]:
    """Check every `step`-th position of a set-up: kept ones, those of them that fail, and positions wrongly taken away."""
    states, out = game.new_states(3), np.zeros((2, game.max_legal), np.int32)
    own = pieces_of(int(found.family.keys[setup]))
    given: Any = states, game.law, out, own, np.array(found.family.attackers), found.family.keys, found.kept, sizes(own), step
    looked, wrong, missed = check_setup(*given)
    return int(looked), int(wrong), int(missed)


def pieces_of(number: int) -> Any:
    """The pieces of a set-up by its key."""
    squares, octagons = ([field for field in range(FIELDS) if standard().is_square(field) is kind] for kind in (True, False))
    chosen = [field for bit, field in enumerate([*octagons, *squares]) if number >> bit & 1]
    return rules.word(chosen)


def sizes(own: Any) -> Any:
    """For the squares free of a set-up, and for all octagons: the number of sets with fewer than n fields, by n."""
    free = [int(count(SQUARES & (ALL ^ own))), FIELDS - int(count(SQUARES))]
    return np.array([[sum(int(CHOOSE[each, k]) for k in range(n)) for n in range(6)] for each in free])


# -- how the attackers break a defence ---------------------------------------------------------------------------------
NEVER = 1000  # moves, where the defender holds


def count_breaking_moves(found: Fortress, position: Position) -> int:
    """Moves with which player 1 breaks the defence, at most, player 1 to move; 0 if it is broken, NEVER if it holds."""
    if position.outcome is not None:
        return 0 if position.state.winner == 0 else NEVER
    theirs, own = (np.uint64(rotate_pieces(np.uint64(pieces))) for pieces in position.state.pieces)
    setup, row, bit = (int(number) for number in found_at(own, theirs, found.family.keys, sizes(own)))
    if setup < 0:
        return 0
    assert found.falls is not None
    return int(found.falls[setup, row, bit]) or NEVER


def line(game: Game, found: Fortress) -> Match | None:
    """The game from the start in which player 1 drives player 2 out of the family; None if player 2 can stay.

    Every step is by the rules: player 1 chooses the move that leaves the fewest moves against the best reply, player 2 that
    reply. After the last move every reply leaves the family, or a piece is lost. found: with `falls`, against all attackers.
    """
    match = Match(game)
    while 0 < (limit := count_breaking_moves(found, match.position)) < NEVER:
        answers = {action: _longest(found, match.position.play(action)) for action in match.position.legal}
        action = min(answers, key=lambda each: answers[each][0])
        longest, reply = answers[action]
        assert longest < limit, "the defence holds longer than its table says"
        match.play(action)
        if not longest:
            return match
        match.play(reply)
    return None


def _longest(found: Fortress, position: Position) -> tuple[int, int]:
    """The reply of player 2 after which the defence holds longest: the moves that are left then, and the action."""
    if position.outcome is not None:
        return count_breaking_moves(found, position), -1
    return max((count_breaking_moves(found, position.play(action)), action) for action in position.legal)
