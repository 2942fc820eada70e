"""The state record of Burning Bridges and its law: board tables and house rules.

Pieces are numbered 3 * seat + size with sizes L 0, M 1, S 2: a smaller size number is a larger piece. A bridge of a colour
on a line is number colour * lines + line, in sets of bridges bit b % 64 of word b // 64. Idle turns are binary
numbers: their digits d are the sets of bridges in the words from d * law.words on.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

import numpy as np

from bridgehead.core.law import as_records
from bridgehead.core.options import numbers
from bridgehead.games.burning_bridges import actions
from bridgehead.games.burning_bridges.board import MOST_LINES, MOST_PILLARS, Board
from bridgehead.games.burning_bridges.options import IDLE_WORDS, Options, seated_families

SEATS, PIECES, WORDS = 5, 15, 5 * MOST_LINES // 64
L, M, S = 0, 1, 2
NOBODY = -1
SUPPLY, SUPPLY_EACH = 50, 10  # BBQ-11

# Phases, in the order of their names.
PHASES = ("first", "terms", "moves", "take", "ride", "over")
DRAW, TERMS, MOVES, TAKING, RIDING, ENDED = range(len(PHASES))

# Terms as stored for a captor: not named yet, None to be paid, a torch of the hostage's choice, or a bridge. During an
# action also: settled, so that its hostages go free.
SETTLED = -1
UNNAMED, TERM_IS_NONE, TERM_IS_CHOICE, TERM_IS_DESTROY = 0, 1, 2, 3
TERM_IS_UNTORCH = TERM_IS_DESTROY + MOST_LINES

OWNER, ROUND, TABLE = range(3)  # idleCount


MOST_ACTIONS = actions.laid_out(SEATS, MOST_PILLARS, MOST_LINES, True).firsts[-1]

# The law: tables of the board and the house rules, one read-only record. (As a tuple of arrays it would be copied, and its
# arrays counted, at every call: measured 20 times slower.)
LAW = np.dtype(
    [
        ("own", np.uint64, (SEATS, WORDS)),  # the bridges of a family
        ("torchable", np.uint64, (SEATS, WORDS)),  # the bridges that a family may torch
        ("bridges_at", np.uint64, (MOST_PILLARS, WORDS)),  # the bridges, of every colour, at a pillar
        *((name, np.int64) for name in numbers(Options())),  # the house rules that are numbers or words
        ("words", np.int64),  # of a set of bridges
        ("pillars", np.int64),
        ("lines", np.int64),
        ("most_bridges", np.int64),
        ("idle_digits", np.int64),  # binary digits of the idle limit
        ("first_of", np.int32, (len(actions.KINDS) + 1,)),  # first action number of each kind, then the count
        ("start", np.int16, (PIECES,)),  # pillar of each piece
        ("goal_distance", np.int16, (SEATS, MOST_PILLARS)),  # number of lines to the nearest goal
        ("hops", np.int16, (MOST_PILLARS, MOST_PILLARS)),  # number of lines between two pillars
        ("degree", np.int16, (MOST_PILLARS,)),
        ("neighbour", np.int16, (MOST_PILLARS, MOST_PILLARS)),  # ascending, one for each of `degree`
        ("line_to", np.int16, (MOST_PILLARS, MOST_PILLARS)),  # the line to each neighbour
        ("line_of", np.int16, (MOST_PILLARS, MOST_PILLARS)),  # the line between two pillars, or -1
        ("draw_first", np.bool_),
        ("pins_each", np.bool_),
        ("scope_piece", np.bool_),
        ("hostage_picks_torch", np.bool_),
        ("ride", np.bool_),
        ("kind", np.int8, (MOST_ACTIONS,)),  # kind of each action
    ]
)

STATE = np.dtype(
    [
        ("bridge", np.uint64, (WORDS,)),
        ("torch", np.uint64, (WORDS,)),
        ("used", np.uint64, (WORDS,)),  # crossed or built since the last count of idle turns
        ("idle", np.uint64, (IDLE_WORDS,)),  # idle turns at the last count
        ("placed", np.int64, (SEATS,)),  # with pins 10each: bit i is set if the family placed the i-th torch
        ("immune", np.int64, (SEATS,)),  # four bits a piece: own turns for which the family may not take it
        ("rounds", np.int32),
        ("turns", np.int32),
        ("term", np.int16, (PIECES,)),  # of each captor, towards the family on turn
        ("pos", np.int8, (PIECES,)),
        ("captor", np.int8, (PIECES,)),
        ("pins", np.int8),
        ("phase", np.int8),
        ("turn", np.int8),
        ("moves", np.int8),
        ("mover", np.int8),  # the piece that takes, rides, or names its terms now
        ("taken", np.int8),
        ("reason", np.int8),
        ("winner", np.int8),
        ("spare", np.int8, (4,)),  # always 0; makes the record a multiple of eight bytes
    ]
)


def make_law(options: Options, board: Board) -> Any:
    """The law of a board under house rules: a read-only record of type LAW."""
    laws = np.zeros(1, as_records(LAW))
    law = laws[0]
    families = [board.families[family] for family in seated_families(options, board)]
    law.pillars, law.lines = len(board.pillars), len(board.lines)
    _write_house_rules(law, options)
    _write_lines(law, board)
    _write_bridges(law, board)
    hops = law.hops[: law.pillars, : law.pillars]
    hops[:] = _hops(board)
    law.start[:] = NOBODY
    law.start[: 3 * law.seats] = [pillar for family in families for pillar in family.start]
    for seat, family in enumerate(families):
        law.goal_distance[seat, : law.pillars] = hops[:, list(family.goals)].min(axis=1)
    _number_actions(law)
    laws.flags.writeable = False
    return laws[0]


def _write_house_rules(law: Any, options: Options) -> None:
    for name, value in numbers(options).items():
        law[name] = value
    law.draw_first = options.first_player == "random"
    law.most_bridges = options.max_bridges_per_family or MOST_LINES
    law.pins_each = options.pins == "10each"
    law.scope_piece = options.situation_scope == "piece"
    law.hostage_picks_torch = options.untorch_choice == "hostage"
    law.idle_digits = options.idle_limit.bit_length()
    law.ride = options.destroy_cost == "ride"


def _hops(board: Board) -> np.ndarray[Any, Any]:
    """Fewest lines between any two pillars."""
    pillars = len(board.pillars)
    hops = np.full((pillars, pillars), pillars, np.int16)
    np.fill_diagonal(hops, 0)
    for one, other in board.lines:
        hops[one, other] = hops[other, one] = 1
    for middle in range(pillars):
        hops = np.minimum(hops, hops[:, middle, None] + hops[None, middle, :])
    return hops


def _write_lines(law: Any, board: Board) -> None:
    law.line_of[:], law.neighbour[:], law.line_to[:] = -1, -1, -1
    for line, (one, other) in enumerate(board.lines):
        law.line_of[one, other] = law.line_of[other, one] = line
    law.degree[:] = (law.line_of >= 0).sum(axis=1)
    for pillar in range(law.pillars):
        near = np.flatnonzero(law.line_of[pillar] >= 0)
        law.neighbour[pillar, : len(near)] = near
        law.line_to[pillar, : len(near)] = law.line_of[pillar, near]


def _write_bridges(law: Any, board: Board) -> None:
    """The sets of bridges in the law."""
    law.words = -(-law.seats * law.lines // 64)
    for bridge in range(law.seats * law.lines):
        (colour, line), word, bit = divmod(bridge, int(law.lines)), bridge // 64, np.uint64(1 << bridge % 64)
        law.own[colour, word] |= bit
        for end in board.lines[line]:
            law.bridges_at[end, word] |= bit
        for family in range(law.seats):
            if law.torch_own or family != colour:
                law.torchable[family, word] |= bit


def _number_actions(law: Any) -> None:
    """First id of each kind, and the kind of each id; those that a house rule adds come last."""
    layout = actions.actions_of(law)
    law.first_of[:] = layout.firsts
    law.kind[: layout.firsts[-1]] = np.repeat(np.arange(len(layout.counts)), layout.counts)


def state_dtype(law: Any) -> np.dtype[Any]:
    """The record's type. It is the same for every law, so the rules are compiled once."""
    return STATE


def action_count(law: Any) -> int:
    """The number of action ids."""
    return int(law.first_of[-1])


def max_legal(law: Any) -> int:
    """A bound on legal actions in one position."""
    near = int(law.degree.max())
    moving = 2 * near + (2 * law.seats + 1) * near + 2 * 2 * law.seats + 1
    bridges = law.seats * law.lines + law.seats * near + 2 * near + 2 * (law.lines + 1) + 1
    return int(max(moving + bridges, 2 * law.lines + 2))
