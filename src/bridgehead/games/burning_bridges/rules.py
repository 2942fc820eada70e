"""The rules of Burning Bridges: the law, the state, bridges and torches, hostages, movement, actions and refusals.

Pieces are numbered 3 * seat + size with sizes L 0, M 1, S 2: a smaller size number is a larger piece. A bridge of a colour
on a line is number colour * lines + line, in sets of bridges bit b % 64 of word b // 64. Idle turns are binary
numbers: their digits d are the sets of bridges in the words from d * law.words on.
"""

# ruff: noqa: SIM110 (any() of a generator is not compiled)

from __future__ import annotations

from typing import Any

from bridgehead.core.bits import count, lowest, write_each
from bridgehead.core.clauses import RefusalCode
from bridgehead.core.jit import rule
from bridgehead.core.law import pack_law
from bridgehead.core.numbers import ALL, fill, uint64
from bridgehead.core.options import numbers
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.games.burning_bridges import actions
from bridgehead.games.burning_bridges.board import MOST_LINES, MOST_PILLARS, Board, find_exchange
from bridgehead.games.burning_bridges.options import IDLE_WORDS, Options, seated_families

# -- the law and the state ---------------------------------------------------------------------------------------------
SEATS, PIECES, WORDS = 5, 15, 5 * MOST_LINES // 64
L, M, S = 0, 1, 2
NOBODY = -1
SUPPLY, SUPPLY_EACH = 50, 10  # BBQ-11

# Phases, in the order of their names.
PHASES = ("first", "terms", "moves", "take", "ride", "over", "bid", "choose")
DRAW, TERMS, MOVES, TAKING, RIDING, ENDED, BIDDING, CHOOSING = range(len(PHASES))

# Terms as stored for a captor: not named yet, None to be paid, a torch of the hostage's choice, or a bridge. During an
# action also: settled, so that its hostages go free.
SETTLED = -1
UNNAMED, TERM_IS_NONE, TERM_IS_CHOICE, TERM_IS_DESTROY = 0, 1, 2, 3
TERM_IS_UNTORCH = TERM_IS_DESTROY + MOST_LINES

OWNER, ROUND, TABLE = range(3)  # idleCount


MOST_ACTIONS = actions.laid_out(SEATS, MOST_PILLARS, MOST_LINES, True, True, True).firsts[-1]

# The law: tables of the board and the house rules, one read-only record. (As a tuple of arrays it would be copied, and its
# arrays counted, at every call: measured 20 times slower.)
LAW = [
    ("own", "uint64", (SEATS, WORDS)),  # the bridges of a family
    ("torchable", "uint64", (SEATS, WORDS)),  # the bridges that a family may torch
    ("bridges_at", "uint64", (MOST_PILLARS, WORDS)),  # the bridges, of every colour, at a pillar
    *((name, "int64") for name in numbers(Options())),  # the house rules that are numbers or words
    ("words", "int64"),  # of a set of bridges
    ("pillars", "int64"),
    ("lines", "int64"),
    ("most_bridges", "int64"),
    ("idle_digits", "int64"),  # binary digits of the idle limit
    ("first_of", "int32", (len(actions.KINDS) + 1,)),  # first action number of each kind, then the count
    ("start", "int16", (PIECES,)),  # pillar of each piece
    ("goal_distance", "int16", (SEATS, MOST_PILLARS)),  # number of lines to the nearest goal
    ("hops", "int16", (MOST_PILLARS, MOST_PILLARS)),  # number of lines between two pillars
    ("degree", "int16", (MOST_PILLARS,)),
    ("neighbour", "int16", (MOST_PILLARS, MOST_PILLARS)),  # ascending, one for each of `degree`
    ("line_to", "int16", (MOST_PILLARS, MOST_PILLARS)),  # the line to each neighbour
    ("line_of", "int16", (MOST_PILLARS, MOST_PILLARS)),  # the line between two pillars, or -1
    ("pillar_image", "int16", (MOST_PILLARS,)),  # in the exchange of two families (BBQ-52)
    ("line_image", "int16", (MOST_LINES,)),
    ("draw_first", "bool"),
    ("pins_each", "bool"),
    ("scope_piece", "bool"),
    ("hostage_picks_torch", "bool"),
    ("ride", "bool"),
    ("kind", "int8", (MOST_ACTIONS,)),  # kind of each action
]

STATE = [
    ("bridge", "uint64", (WORDS,)),
    ("torch", "uint64", (WORDS,)),
    ("used", "uint64", (WORDS,)),  # crossed or built since the last count of idle turns
    ("idle", "uint64", (IDLE_WORDS,)),  # idle turns at the last count
    ("placed", "int64", (SEATS,)),  # with pins 10each: bit i is set if the family placed the i-th torch
    ("immune", "int64", (SEATS,)),  # four bits a piece: own turns for which the family may not take it
    ("rounds", "int32"),
    ("turns", "int32"),
    ("term", "int16", (PIECES,)),  # of each captor, towards the family on turn
    ("pos", "int8", (PIECES,)),
    ("captor", "int8", (PIECES,)),
    ("pins", "int8"),
    ("phase", "int8"),
    ("turn", "int8"),
    ("moves", "int8"),
    ("mover", "int8"),  # the piece that takes, rides, or names its terms now
    ("taken", "int8"),
    ("reason", "int8"),
    ("winner", "int8"),
    ("more", "int8"),  # bid for the first turn of the last family
    ("spare", "int8", (3,)),  # always 0; makes the record a multiple of eight bytes
]


def make_law(options: Options, board: Board) -> Any:
    """The law of a board under house rules: a read-only record with the fields of LAW."""
    seated = seated_families(options, board)
    families = [board.families[family] for family in seated]
    hops = _hops(board)
    start = [pillar for family in families for pillar in family.start]
    tables = {
        "pillars": len(board.pillars),
        "lines": len(board.lines),
        "start": start + [NOBODY] * (PIECES - len(start)),
        "goal_distance": [[min(row[goal] for goal in family.goals) for row in hops] for family in families],
        "hops": hops,
    }
    image = find_exchange(board, seated) if options.pie else ()
    tables |= (
        _house_rules(options)
        | _lines(board)
        | _images(board, image)
        | _bridges(len(families), len(board.lines), options.torch_own, board)
    )
    layout = actions.laid_out(
        len(families), len(board.pillars), len(board.lines), bool(tables["hostage_picks_torch"]), options.pie, options.bid
    )
    tables["first_of"] = layout.firsts
    tables["kind"] = [kind for kind, number in enumerate(layout.counts) for _ in range(number)]
    return pack_law(tables, numbers(options), LAW)


def _house_rules(options: Options) -> dict[str, int]:
    return {
        "draw_first": options.first_player == "random",
        "most_bridges": options.max_bridges_per_family or MOST_LINES,
        "pins_each": options.pins == "10each",
        "scope_piece": options.situation_scope == "piece",
        "hostage_picks_torch": options.untorch_choice == "hostage",
        "idle_digits": options.idle_limit.bit_length(),
        "ride": options.destroy_cost == "ride",
    }


def _hops(board: Board) -> list[list[int]]:
    """Fewest lines between any two pillars."""
    pillars = range(len(board.pillars))
    hops = [[len(pillars) * (one != other) for other in pillars] for one in pillars]
    for one, other in board.lines:
        hops[one][other] = hops[other][one] = 1
    for middle in pillars:
        onward = hops[middle]
        hops = [[min(direct, row[middle] + rest) for direct, rest in zip(row, onward, strict=True)] for row in hops]
    return hops


def _lines(board: Board) -> dict[str, Any]:
    """The lines between pillars; -1 for none."""
    line_of = [[-1] * MOST_PILLARS for _ in range(MOST_PILLARS)]
    for line, (one, other) in enumerate(board.lines):
        line_of[one][other] = line_of[other][one] = line
    near = [[pillar for pillar, line in enumerate(row) if line >= 0] for row in line_of]
    return {
        "line_of": line_of,
        "degree": [len(pillars) for pillars in near],
        "neighbour": [pillars + [-1] * (MOST_PILLARS - len(pillars)) for pillars in near],
        "line_to": [
            [row[pillar] for pillar in near[here]] + [-1] * (MOST_PILLARS - len(near[here])) for here, row in enumerate(line_of)
        ],
    }


def _images(board: Board, image: tuple[int, ...]) -> dict[str, Any]:
    """The images of pillars and lines in the exchange of two families; -1 beyond, and where nothing is exchanged."""
    number = {frozenset(line): index for index, line in enumerate(board.lines)}
    lines = [number[frozenset(image[end] for end in line)] for line in board.lines] if image else []
    return {
        "pillar_image": [*image, *[-1] * (MOST_PILLARS - len(image))],
        "line_image": lines + [-1] * (MOST_LINES - len(lines)),
    }


def _bridges(seats: int, lines: int, torch_own: bool, board: Board) -> dict[str, Any]:
    """The sets of bridges in the law."""
    own, torchable, at = ([[0] * WORDS for _ in range(rows)] for rows in (SEATS, SEATS, MOST_PILLARS))
    for bridge in range(seats * lines):
        (colour, line), word, bit = divmod(bridge, lines), bridge // 64, 1 << bridge % 64
        own[colour][word] |= bit
        for end in board.lines[line]:
            at[end][word] |= bit
        for family in range(seats):
            if torch_own or family != colour:
                torchable[family][word] |= bit
    return {"words": -(-seats * lines // 64), "own": own, "torchable": torchable, "bridges_at": at}


def state_dtype(law: Any) -> list[tuple[Any, ...]]:
    """The record's fields. They are the same for every law, so the rules are compiled once."""
    return STATE


def action_count(law: Any) -> int:
    return int(law.first_of[-1])


def max_legal(law: Any) -> int:
    near = int(max(law.degree))
    moving = 2 * near + (2 * law.seats + 1) * near + 2 * 2 * law.seats + 1
    bridges = law.seats * law.lines + law.seats * near + 2 * near + 2 * (law.lines + 1) + 2
    return int(max(moving + bridges, 2 * law.lines + 2))


class Reason(RefusalCode):
    """Reasons to refuse an action: the clause, and the key of the sentence."""

    OK = "", ""
    # phases
    GAME_OVER = "BB-W.1", "over.refused"
    DRAW_FIRST = "BBQ-1", "no.draw_first"
    DRAWN = "BBQ-1", "no.drawn"
    TERMS_FIRST = "BBQ-23", "no.terms_first"
    NO_TERMS_NOW = "BBQ-23", "no.terms_now"
    NO_TAKE_NOW = "BBQ-15", "no.take_now"
    FINISH_TAKING = "BBQ-15", "no.finish_taking"
    FINISH_RIDE = "BBQ-32", "no.finish_ride"
    # moving
    HOSTAGE_MOVES = "BBQ-22", "no.hostage_moves"
    CHILD_WALKS = "BB-1.a", "no.child_walks"
    NO_LINE = "BBQ-3", "no.line_there"
    NO_BRIDGE_TO_CROSS = "BB-1.c", "no.bridge_to_cross"
    CHILD_COLOUR = "BBQ-5", "no.child_colour"
    CHILD_FIRE = "BB-1.d", "no.child_fire"
    EQUAL_BLOCKS = "BBQ-14", "no.equal_blocks"
    # taking
    OWN_PIECE = "BB-1.e", "no.own_piece"
    ELSEWHERE = "BB-1.e", "no.elsewhere"
    NOT_SMALLER = "BBQ-13", "no.not_smaller"
    COVERED = "BBQ-21", "no.covered"
    IMMUNE = "BBQ-28", "no.immune"
    PROTECTED = "BBQ-18", "no.protected"
    FAMILY_IN_SITUATION = "BBQ-20", "no.family_in_situation"
    PIECE_IN_SITUATION = "BBQ-20", "no.piece_in_situation"
    MUST_TAKE = "BBQ-44", "no.must_take"
    # bridges
    HOSTAGE_BUILDS = "BBQ-22", "no.hostage_builds"
    PARENTS_AT_ENDS = "BBQ-6", "no.parents_at_ends"
    OWN_BRIDGE_THERE = "BBQ-7", "no.own_bridge_there"
    LINE_TAKEN = "BBQ-7", "no.line_taken"
    NO_MORE_BRIDGES = "BBQ-8", "no.more_bridges"
    NO_BRIDGE = "BBQ-10", "no.bridge_there"
    TORCH_OWN = "BBQ-10", "no.torch_own"
    BURNING_ALREADY = "BBQ-10", "no.burning_already"
    NO_PINS = "BBQ-11", "no.pins_left"
    HOSTAGE_DESTROYS = "BBQ-22", "no.hostage_destroys"
    DESTROY_OWN = "BB-3.a", "no.destroy_own"
    NOT_BURNING = "BB-3.a", "no.not_burning"
    CHILD_AT_BASE = "BB-3.a", "no.child_at_base"
    NO_EXTINGUISHING = "BBQ-12", "no.extinguishing"
    NO_OWN_FIRE = "BBQ-12", "no.own_fire"
    PARENT_AT_END = "BBQ-49", "no.parent_at_end"
    # terms
    NO_SUCH_TERMS = "BBQ-26", "no.such_terms"
    TORCH_UNNAMED = "BBQ-25", "no.torch_unnamed"
    TORCH_NAMED = "BBQ-25", "no.torch_named"
    NO_HOSTAGE_BRIDGE = "BBQ-24", "no.hostage_bridge"
    NO_CAPTOR_TORCH = "BBQ-24", "no.captor_torch"
    HOSTAGE_PICKS = "BBQ-25", "no.hostage_picks"
    CAPTOR_PICKS = "BBQ-25", "no.captor_picks"
    SWAP_LATE = "BBQ-52", "no.swap_late"
    # before the first turn
    BID_FIRST = "BBQ-53", "no.bid_first"
    CHOOSE_FIRST = "BBQ-53", "no.choose_first"
    ORDER_SETTLED = "BBQ-53", "no.order_settled"


# -- bridges and torches -----------------------------------------------------------------------------------------------
ZERO, ONE = uint64(0), uint64(1)


@rule
def bit(bridge):
    """The bit of a bridge in its word."""
    return ONE << uint64(bridge & 63)


@rule
def has_bridge(state, bridge):
    """Whether the bridge lies on the board."""
    return (state.bridge[bridge >> 6] & bit(bridge)) != ZERO


@rule
def is_burning(state, bridge):
    """Whether the bridge lies there with a torch in it."""
    return (state.torch[bridge >> 6] & bit(bridge)) != ZERO


@rule
def has_any_bridge(state, law, line):
    """Whether a bridge of any colour lies on the line."""
    for colour in range(law.seats):
        if has_bridge(state, colour * law.lines + line):
            return True
    return False


@rule
def has_torches(state, law, colour):
    """Whether any bridge of that colour burns."""
    burning = ZERO
    for w in range(law.words):
        burning |= state.torch[w] & law.own[colour, w]
    return burning != ZERO


@rule
def count_bridges(state, law, colour):
    """The number of bridges of that colour on the board."""
    bridges = 0
    for w in range(law.words):
        bridges += count(state.bridge[w] & law.own[colour, w])
    return bridges


@rule
def pins_of(state, family):
    """The number of pins that the family has placed, if each family has its own supply."""
    return count(uint64(state.placed[family]))


# -- changing --------------------------------------------------------------------------------------------------------
@rule
def build(state, bridge):
    """A new bridge; building counts as use (BBQ-31)."""
    state.bridge[bridge >> 6] |= bit(bridge)
    state.used[bridge >> 6] |= bit(bridge)


@rule
def torches_before(state, bridge):
    """The number of torches in bridges of lower numbers."""
    torches = count(state.torch[bridge >> 6] & (bit(bridge) - ONE))
    for w in range(bridge >> 6):
        torches += count(state.torch[w])
    return torches


@rule
def place_torch(state, law, bridge, family):
    """Put a pin of the family into a bridge."""
    state.torch[bridge >> 6] |= bit(bridge)
    state.pins += 1
    if law.pins_each:
        before = torches_before(state, bridge)
        for each in range(law.seats):
            state.placed[each] += state.placed[each] >> before << before  # later torches move up by one
        state.placed[family] += 1 << before


@rule
def remove_torch(state, law, bridge):
    """Take the pin out of a burning bridge; it returns to the supply (BBQ-11)."""
    state.torch[bridge >> 6] &= ALL ^ bit(bridge)
    state.pins -= 1
    if law.pins_each:
        before = torches_before(state, bridge)
        for each in range(law.seats):
            placed = int(state.placed[each])
            state.placed[each] = placed - (placed >> before << before) + (placed >> before + 1 << before)


@rule
def remove_bridge(state, law, bridge):
    """Remove a destroyed or collapsed bridge; its pin returns to the supply (BB-3.a.i, BBQ-11)."""
    w, others = bridge >> 6, ALL ^ bit(bridge)
    if is_burning(state, bridge):
        remove_torch(state, law, bridge)
    state.bridge[w] &= others
    state.used[w] &= others
    for digit in range(law.idle_digits):
        state.idle[digit * law.words + w] &= others


@rule
def idle_too_long(state, law, w, unused):
    """The unused bridges that have already been idle for the whole limit."""
    for digit in range(law.idle_digits):
        idle = state.idle[digit * law.words + w]
        unused &= idle if law.idle_limit >> digit & 1 else ~idle
    return unused


@rule
def age_bridges(state, law, w, counted):
    """Count one idle turn for the bridges in a word. Bridges idle for longer than the limit collapse (BB-2.c, BBQ-31)."""
    if state.bridge[w] == ZERO:
        return
    unused = state.bridge[w] & counted & ~state.used[w]
    collapsing = idle_too_long(state, law, w, unused)
    carried = unused
    for digit in range(law.idle_digits):
        idle = state.idle[digit * law.words + w]
        state.idle[digit * law.words + w] = (idle ^ carried) & ~(state.used[w] & counted)
        carried &= idle
    state.used[w] &= ALL ^ counted
    while collapsing != ZERO:
        remove_bridge(state, law, 64 * w + lowest(collapsing))
        collapsing &= collapsing - ONE


@rule
def age_after_turn(state, law, family):
    """Age bridges at the end of a family's turn. A house rule decides which turns count (BBQ-31)."""
    if law.idle_count != ROUND or family == law.seats - 1:
        for w in range(law.words):
            age_bridges(state, law, w, law.own[family, w] if law.idle_count == OWNER else ALL)


# -- refusals --------------------------------------------------------------------------------------------------------
@rule
def has_pin(state, law, family):
    """Whether a pin is left for the family (BBQ-11)."""
    return pins_of(state, family) < SUPPLY_EACH if law.pins_each else state.pins < SUPPLY


@rule
def torch_refusal(state, law, bridge):
    """BB-1.d: torch any opponent's bridge. Nothing to check for the parent: L is never a hostage (BBQ-10, BBQ-13)."""
    family = int(state.turn)
    if not has_bridge(state, bridge):
        return Reason.NO_BRIDGE
    if (law.torchable[family, bridge >> 6] & bit(bridge)) == ZERO:
        return Reason.TORCH_OWN
    if is_burning(state, bridge):
        return Reason.BURNING_ALREADY
    return Reason.OK if has_pin(state, law, family) else Reason.NO_PINS


@rule
def build_refusal(state, law, line):
    """BB-1.b: both parents are free and on the two ends of the line (BBQ-6); the line has room (BBQ-7, BBQ-8)."""
    family = int(state.turn)
    large, medium = 3 * family + L, 3 * family + M
    if law.line_of[state.pos[large], state.pos[medium]] != line:
        return Reason.PARENTS_AT_ENDS
    if state.captor[medium] != NOBODY:
        return Reason.HOSTAGE_BUILDS
    if has_bridge(state, family * law.lines + line):
        return Reason.OWN_BRIDGE_THERE
    if not law.parallel_bridges and has_any_bridge(state, law, line):
        return Reason.LINE_TAKEN
    return Reason.OK if count_bridges(state, law, family) < law.most_bridges else Reason.NO_MORE_BRIDGES


@rule
def destroy_refusal(state, law, bridge):
    """BB-3.a: a free child at the base of a burning opponent bridge, either end (BBQ-32)."""
    family = int(state.turn)
    if not has_bridge(state, bridge):
        return Reason.NO_BRIDGE
    if bridge // law.lines == family:
        return Reason.DESTROY_OWN
    if not is_burning(state, bridge):
        return Reason.NOT_BURNING
    if not is_at(law, bridge, state.pos[3 * family + S]):
        return Reason.CHILD_AT_BASE
    return Reason.OK if state.captor[3 * family + S] == NOBODY else Reason.HOSTAGE_DESTROYS


@rule
def is_at(law, bridge, pillar):
    """Whether the bridge begins or ends at the pillar."""
    return (law.bridges_at[pillar, bridge >> 6] & bit(bridge)) != ZERO


@rule
def extinguish_refusal(state, law, line):
    """House rule of BBQ-12: a free own parent at either end of the own burning bridge (BBQ-49)."""
    family = int(state.turn)
    bridge = family * law.lines + line
    if not law.owner_extinguish:
        return Reason.NO_EXTINGUISHING
    if not is_burning(state, bridge):
        return Reason.NO_OWN_FIRE
    for piece in range(3 * family + L, 3 * family + S):
        if is_at(law, bridge, state.pos[piece]) and state.captor[piece] == NOBODY:
            return Reason.OK
    return Reason.PARENT_AT_END


# -- legal actions -----------------------------------------------------------------------------------------------------
@rule
def add_torches(state, law, out, n):
    """BB-1.d: a pin into any bridge that may be torched."""
    family = int(state.turn)
    if has_pin(state, law, family):
        for w in range(law.words):
            unlit = state.bridge[w] & ~state.torch[w] & law.torchable[family, w]
            n = write_each(unlit, law.first_of[actions.TORCH] + 64 * w, out, n)
    return n


@rule
def destroyable(state, law, w):
    """BB-3.a: the bridges of one word that the family's child can destroy from its pillar."""
    family = int(state.turn)
    child = 3 * family + S
    if state.captor[child] != NOBODY:
        return ZERO
    return state.torch[w] & law.bridges_at[state.pos[child], w] & (ALL ^ law.own[family, w])


@rule
def can_destroy_any(state, law):
    """Whether the family's child can destroy a bridge from its pillar."""
    for w in range(law.words):
        if state.torch[w] != ZERO and destroyable(state, law, w) != ZERO:
            return True
    return False


@rule
def add_destructions(state, law, out, n):
    """BB-3.a: burning opponent bridges at the child's pillar."""
    for w in range(law.words if can_destroy_any(state, law) else 0):
        n = write_each(destroyable(state, law, w), law.first_of[actions.DESTROY] + 64 * w, out, n)
    return n


# -- hostage situations: taking ----------------------------------------------------------------------------------------
FAMILY = uint64(7)  # the pieces of the first family, one bit each
EACH_PIECE = sum(1 << 4 * piece for piece in range(15))


@rule
def in_situations(state, law):
    """All captors and hostages, one bit for each piece."""
    found = ZERO
    for hostage in range(3 * law.seats):
        captor = int(state.captor[hostage])
        if captor != NOBODY:
            found |= bit(hostage) | bit(captor)
    return found


@rule
def situation_refusal(state, law, piece):
    """BB-1.e.vi: no taking during a hostage situation of the family, or, by house rule, of the piece (BBQ-20)."""
    involved = in_situations(state, law)
    if law.scope_piece:
        return Reason.PIECE_IN_SITUATION if involved & bit(piece) != ZERO else Reason.OK
    return Reason.FAMILY_IN_SITUATION if involved & FAMILY << uint64(piece - piece % 3) != ZERO else Reason.OK


@rule
def is_protected(state, victim, captor):
    """BB-1.f: a free larger piece of its family on the pillar, not smaller than the captor (BBQ-18)."""
    for protector in range(victim - victim % 3, victim):
        if state.captor[protector] == NOBODY and state.pos[protector] == state.pos[victim] and protector % 3 <= captor % 3:
            return True
    return False


@rule
def victim_refusal(state, captor, victim):
    """Whether a piece may take the victim on its pillar, ignoring its own situation (BB-1.e)."""
    if captor // 3 == victim // 3:
        return Reason.OWN_PIECE
    if state.pos[captor] != state.pos[victim]:
        return Reason.ELSEWHERE
    if captor % 3 >= victim % 3:
        return Reason.NOT_SMALLER  # BB-1.e.i
    if state.captor[victim] != NOBODY:
        return Reason.COVERED  # BBQ-21
    if safe_turns(state, captor // 3, victim) > 0:
        return Reason.IMMUNE  # BB-1.e.iv
    return Reason.PROTECTED if is_protected(state, victim, captor) else Reason.OK


@rule
def victims(state, law, captor):
    """The pieces on the captor's pillar that it can take, one bit each."""
    here, found, near = state.pos[captor], ZERO, ZERO
    for piece in range(3 * law.seats):
        if state.pos[piece] == here:
            near |= bit(piece)
    near &= ~(FAMILY << uint64(captor - captor % 3))
    while near != ZERO:
        victim = lowest(near)
        if victim_refusal(state, captor, victim) == Reason.OK:
            found |= bit(victim)
        near &= near - ONE
    return found


@rule
def seizer_refusal(state, law, captor):
    """BBQ-16: a free piece may take on its own pillar, if no hostage situation forbids it."""
    return Reason.HOSTAGE_MOVES if state.captor[captor] != NOBODY else situation_refusal(state, law, captor)


@rule
def seize_refusal(state, law, captor, victim):
    """BBQ-16: a free larger piece takes a piece on its own pillar."""
    refusal = seizer_refusal(state, law, captor)
    return refusal if refusal != Reason.OK else victim_refusal(state, captor, victim)


@rule
def free_hostages(state, law, captor):
    """Free all hostages of a captor without immunity: it walked off or was taken (BB-1.e.v, BBQ-21, BBQ-46)."""
    for piece in range(3 * law.seats):
        if state.captor[piece] == captor:
            state.captor[piece] = NOBODY
    state.term[captor] = UNNAMED


# -- safety ----------------------------------------------------------------------------------------------------------
@rule
def safe_turns(state, family, piece):
    """Own turns left for which the family may not take the piece (BB-1.e.iv, BBQ-28)."""
    return state.immune[family] >> 4 * piece & 15


@rule
def pass_safe_turn(state, family):
    """Count down one safe turn of every piece that is safe from the family (BBQ-28)."""
    safe = int(state.immune[family])
    state.immune[family] = safe - ((safe | safe >> 1 | safe >> 2 | safe >> 3) & EACH_PIECE)


@rule
def release(state, law, captor):
    """Free the family's pieces under the captor, with immunity from the captor's family (BBQ-28, BBQ-47)."""
    for piece in range(3 * state.turn + M, 3 * state.turn + 3):
        if state.captor[piece] == captor:
            state.captor[piece] = NOBODY
            state.immune[captor // 3] |= law.immunity_turns << 4 * piece
    state.term[captor] = UNNAMED


# -- terms -----------------------------------------------------------------------------------------------------------
@rule
def unnamed_captor(state):
    """The first captor, in seat order, that has not named its terms to the family on turn; NOBODY if all have (BBQ-42)."""
    first = NOBODY
    for piece in range(3 * state.turn + M, 3 * state.turn + 3):
        captor = int(state.captor[piece])
        if captor != NOBODY and state.term[captor] == UNNAMED and (first == NOBODY or captor < first):
            first = captor
    return first


@rule
def name_term(state, law, kind, line):
    """The captor's owner names its term (BBQ-23); None frees at once unless it has a price (BBQ-27)."""
    term = TERM_IS_NONE if law.none_cost else SETTLED
    if kind == actions.TERM_DESTROY:
        term = TERM_IS_DESTROY + line
    elif kind == actions.TERM_UNTORCH:
        term = TERM_IS_UNTORCH + line
    elif kind == actions.TERM_CHOICE:
        term = TERM_IS_CHOICE
    state.term[state.mover] = term


@rule
def is_settled(state, law, captor):
    """Whether the captor's term is carried out, or its bridge or torch has vanished (BBQ-42)."""
    term = int(state.term[captor])
    if term >= TERM_IS_UNTORCH:
        return not is_burning(state, captor // 3 * law.lines + term - TERM_IS_UNTORCH)
    if term >= TERM_IS_DESTROY:
        return not has_bridge(state, int(state.turn) * law.lines + term - TERM_IS_DESTROY)
    return term == SETTLED or (term == TERM_IS_CHOICE and not has_torches(state, law, captor // 3))


@rule
def settle_terms(state, law):
    """Free the hostages of settled terms at once, with immunity; a vanished bridge or torch counts as None (BBQ-42)."""
    for piece in range(3 * state.turn + M, 3 * state.turn + 3):
        captor = int(state.captor[piece])
        if captor != NOBODY and is_settled(state, law, captor):
            release(state, law, captor)


@rule
def pay(state, law, captor, line):
    """Carry out the captor's term; `line` matters where the hostage picks the torch (BB-1.e.iii, BBQ-26)."""
    term = int(state.term[captor])
    if TERM_IS_DESTROY <= term < TERM_IS_UNTORCH:
        remove_bridge(state, law, int(state.turn) * law.lines + term - TERM_IS_DESTROY)
    elif term != TERM_IS_NONE:
        untorched = line if term == TERM_IS_CHOICE else term - TERM_IS_UNTORCH
        remove_torch(state, law, captor // 3 * law.lines + untorched)
    state.term[captor] = SETTLED


@rule
def pay_refusal(state, captor):
    """BBQ-26: paying needs terms from that captor. If the hostage's family picks the torch, it names it too (BBQ-25)."""
    if state.term[captor] == UNNAMED:
        return Reason.NO_SUCH_TERMS
    return Reason.TORCH_UNNAMED if state.term[captor] == TERM_IS_CHOICE else Reason.OK


@rule
def pay_line_refusal(state, law, captor, line):
    """BBQ-25: the hostage's family picks a torch in a bridge of the captor's colour."""
    if state.term[captor] == UNNAMED:
        return Reason.NO_SUCH_TERMS
    if state.term[captor] != TERM_IS_CHOICE:
        return Reason.TORCH_NAMED
    return Reason.OK if is_burning(state, captor // 3 * law.lines + line) else Reason.NO_CAPTOR_TORCH


@rule
def term_refusal(state, law, kind, line):
    """BBQ-24, BBQ-25: a term demands a bridge of the hostage's colour or a torch in a bridge of the captor's, or is None."""
    owner = int(state.mover) // 3
    if kind == actions.TERM_DESTROY:
        return Reason.OK if has_bridge(state, int(state.turn) * law.lines + line) else Reason.NO_HOSTAGE_BRIDGE
    if kind == actions.TERM_UNTORCH:
        if law.hostage_picks_torch:
            return Reason.HOSTAGE_PICKS
        return Reason.OK if is_burning(state, owner * law.lines + line) else Reason.NO_CAPTOR_TORCH
    if kind == actions.TERM_CHOICE:
        if not law.hostage_picks_torch:
            return Reason.CAPTOR_PICKS
        return Reason.OK if has_torches(state, law, owner) else Reason.NO_CAPTOR_TORCH
    return Reason.OK


# -- walking and crossing, getting home, the course of turns and rounds ------------------------------------------------
HOME, ROUND_LIMIT = 1, 2  # reasons


@rule
def equal_blocks(state, law, piece, pillar):
    """House rule of BBQ-14: a free opposing piece of equal size keeps the piece off its pillar."""
    if law.equal_blocks:
        for other in range(piece % 3, 3 * law.seats, 3):
            if other != piece and state.pos[other] == pillar and state.captor[other] == NOBODY:
                return True
    return False


@rule
def walker_refusal(state, piece):
    """BB-1.a: a free parent may walk; the child never does (BBQ-5)."""
    if piece % 3 == S:
        return Reason.CHILD_WALKS
    return Reason.HOSTAGE_MOVES if state.captor[piece] != NOBODY else Reason.OK


@rule
def walk_refusal(state, law, piece, pillar):
    """BB-1.a: a walker to an adjacent pillar."""
    refusal = walker_refusal(state, piece)
    if refusal != Reason.OK:
        return refusal
    if law.line_of[state.pos[piece], pillar] < 0:
        return Reason.NO_LINE
    return Reason.EQUAL_BLOCKS if equal_blocks(state, law, piece, pillar) else Reason.OK


@rule
def far_end(law, pillar, line):
    """The pillar at the other end of a line at a pillar."""
    i = 0
    while law.line_to[pillar, i] != line:
        i += 1
    return int(law.neighbour[pillar, i])


@rule
def cross_refusal(state, law, piece, pillar, colour):
    """BB-1.c: parents over any bridge, the child over its own colour only, and not through fire (BB-1.d, BBQ-4, BBQ-5)."""
    if state.captor[piece] != NOBODY:
        return Reason.HOSTAGE_MOVES
    line = int(law.line_of[state.pos[piece], pillar])
    if line < 0:
        return Reason.NO_LINE
    bridge = colour * law.lines + line
    if not has_bridge(state, bridge):
        return Reason.NO_BRIDGE_TO_CROSS
    if piece % 3 == S:
        if colour != piece // 3:
            return Reason.CHILD_COLOUR
        if is_burning(state, bridge):
            return Reason.CHILD_FIRE
    return Reason.EQUAL_BLOCKS if equal_blocks(state, law, piece, pillar) else Reason.OK


@rule
def land(state, law, piece, pillar):
    """Move the piece without its hostages. Within the same move it may then take; a child may destroy (BBQ-15, BBQ-32)."""
    if law.capture_on_leaving:
        free_hostages(state, law, piece)
    may_take = situation_refusal(state, law, piece) == Reason.OK  # decided when the action is chosen (BBQ-41)
    free_hostages(state, law, piece)
    state.pos[piece] = pillar
    if may_take and victims(state, law, piece) != ZERO:
        state.phase, state.mover = TAKING, piece
    elif piece % 3 == S and law.ride and can_destroy_any(state, law):
        state.phase, state.mover = RIDING, piece


@rule
def take_hostage(state, law, captor, victim):
    """Make the victim a hostage, and free its own hostages (BBQ-21). A move takes at most two pieces (BBQ-17)."""
    free_hostages(state, law, victim)
    state.captor[victim] = captor
    state.taken += 1
    more = state.taken < 2 and victims(state, law, captor) != ZERO
    state.phase, state.mover = TAKING if more else MOVES, captor


@rule
def is_home(state, law, family):
    """BB-W.1: all three pieces free on goals of their colour (BBQ-35, BB-W.3)."""
    large, medium, small = 3 * family + L, 3 * family + M, 3 * family + S
    for piece in range(small, large - 1, -1):
        if law.goal_distance[family, state.pos[piece]] != 0 or state.captor[piece] != NOBODY:
            return False
    if law.distinct_goals:
        return (
            state.pos[large] != state.pos[medium]
            and state.pos[medium] != state.pos[small]
            and state.pos[small] != state.pos[large]
        )
    return True


@rule
def family_at_home(state, law):
    """The family that has won: the family on turn, else the first in seat order; NOBODY if none is home (BBQ-36)."""
    first = NOBODY
    for family in range(law.seats):
        if is_home(state, law, family) and (first == NOBODY or family == state.turn):
            first = family
    return first


@rule
def is_won(state, law):
    """End the game if a family is home."""
    winner = family_at_home(state, law)
    if winner != NOBODY:
        state.phase, state.reason, state.winner = ENDED, HOME, winner
    return winner != NOBODY


@rule
def is_turn_over(state, law):
    """After each move with its takes and its ride, check for a win (BBQ-36), then whether it was the last move (BBQ-48)."""
    if state.phase != MOVES:
        return False  # the move is not complete
    state.mover, state.taken = NOBODY, 0
    return not is_won(state, law) and state.moves == 0


@rule
def next_terms(state):
    """Let the next captor name its terms to the family, or begin the family's moves after the last captor (BBQ-42)."""
    captor = unnamed_captor(state)
    state.mover, state.phase = captor, MOVES if captor == NOBODY else TERMS


@rule
def finish_naming(state, law):
    """After a named term: check for a win (BBQ-43), then go on to the next captor or the family's moves."""
    state.mover = NOBODY
    if not is_won(state, law):
        next_terms(state)


@rule
def full_turn(state, law):
    """The moves of a whole turn: two, and more in the first turn of the last family (BB-1, BBQ-50, BBQ-53)."""
    return 2 + law.last_moves + state.more if state.turns == law.seats - 1 else 2


@rule
def start_turn(state, law, family):
    """BB-1.e.iii: begin a turn; captors of the family's pieces first name their terms."""
    state.turn, state.moves = family, full_turn(state, law)
    next_terms(state)


@rule
def end_turn(state, law):
    """Age bridges, count down immunities, and begin the next family's turn."""
    family = int(state.turn)
    age_after_turn(state, law, family)
    pass_safe_turn(state, family)
    pass_turn(state, law, family)


@rule
def pass_turn(state, law, family):
    """Begin the turn of the family after this one, unless the last round is over."""
    for captor in range(3 * law.seats):
        state.term[captor] = UNNAMED
    state.turns += 1
    if state.turns == law.seats:
        state.more = 0  # used
    if family == law.seats - 1:
        state.rounds += 1
        if state.rounds == law.round_limit:
            state.phase, state.reason, state.winner = ENDED, ROUND_LIMIT, nearest_family(state, law)
            return
    start_turn(state, law, (family + 1) % law.seats)


# -- bidding for the first turn (BBQ-53) -----------------------------------------------------------------------------------
@rule
def begin(state, law, family):
    """The family that the lot names has the first turn, or, by house rule, bids (BBQ-53)."""
    if law.bid:
        state.turn, state.phase = family, BIDDING
    else:
        start_turn(state, law, family)


@rule
def settle_order(state, law, kind, more):
    """One family names the number of more moves; then the other goes first or last."""
    other = 1 - int(state.turn)
    if kind == actions.BID:
        state.more, state.turn, state.phase = more, other, CHOOSING
    else:
        start_turn(state, law, int(state.turn) if kind == actions.GO_FIRST else other)


@rule
def add_order(state, law, out):
    """The numbers of more moves that may be bid, or the two places in the order (BBQ-53)."""
    count = 1 + actions.MOST_MORE if state.phase == BIDDING else 2
    first = int(law.first_of[actions.BID if state.phase == BIDDING else actions.GO_FIRST])
    for i in range(count):
        out[i] = first + i
    return count


# -- exchanging sides (BBQ-52) -------------------------------------------------------------------------------------------
@rule
def may_swap(state, law):
    """Whether the family on turn may exchange sides, in place of the second turn of the game."""
    return law.pie != 0 and state.turns == 1 and state.phase == MOVES and state.moves == full_turn(state, law)


@rule
def swap_sides(state, law):
    """Exchange what the two families have on the board, by the half turn or mirror that exchanges them. Nothing ages."""
    for one in range(3):
        other = 3 + one
        state.pos[one], state.pos[other] = law.pillar_image[state.pos[other]], law.pillar_image[state.pos[one]]
        state.captor[one], state.captor[other] = other_piece(state.captor[other]), other_piece(state.captor[one])
    for line in range(law.lines):
        swap_bridges(state, law, line, int(law.lines + law.line_image[line]))
    first, second = int(state.immune[0]), int(state.immune[1])
    state.immune[0], state.immune[1] = second >> 12 | (second & 4095) << 12, first >> 12 | (first & 4095) << 12
    pass_turn(state, law, int(state.turn))


@rule
def other_piece(piece):
    """The other family's piece of the same size; NOBODY stays."""
    return NOBODY if piece == NOBODY else (piece + 3) % 6


@rule
def swap_bridges(state, law, one, other):
    """Exchange a bridge of the first family and one of the second, each with its torch and its idle turns."""
    by_one, by_other = placer_of(state, law, one), placer_of(state, law, other)
    if by_one != NOBODY:
        remove_torch(state, law, one)
    if by_other != NOBODY:
        remove_torch(state, law, other)
    swap_bits(state.bridge, 0, one, other)
    swap_bits(state.used, 0, one, other)
    for digit in range(law.idle_digits):
        swap_bits(state.idle, digit * law.words, one, other)
    if by_one != NOBODY:
        place_torch(state, law, other, 1 - by_one)
    if by_other != NOBODY:
        place_torch(state, law, one, 1 - by_other)


@rule
def placer_of(state, law, bridge):
    """The family that placed the torch in a bridge, 0 if nobody counts them; NOBODY without a torch."""
    if not is_burning(state, bridge):
        return NOBODY
    return int(state.placed[1] >> torches_before(state, bridge) & 1) if law.pins_each else 0


@rule
def swap_bits(words, first, one, other):
    """Exchange two members of the set in the words from `first` on."""
    here, there = first + (one >> 6), first + (other >> 6)
    if (words[here] & bit(one) != ZERO) != (words[there] & bit(other) != ZERO):
        words[here] ^= bit(one)
        words[there] ^= bit(other)


@rule
def nearest_family(state, law):
    """The family with the fewest lines from its child to a goal; NOBODY for a tie (BBQ-38)."""
    nearest, fewest = NOBODY, law.pillars
    for family in range(law.seats):
        left = int(law.goal_distance[family, state.pos[3 * family + S]])
        if left < fewest:
            nearest, fewest = family, left
        elif left == fewest:
            nearest = NOBODY
    return nearest


# -- actions -----------------------------------------------------------------------------------------------------------
REFUSALS = Reason
REASONS = (("", ""), ("home", "BB-W.1"), ("round-limit", "BBQ-38"))


@rule
def setup(state, law):
    """All families on their start pillars; the first family is drawn, or is seat 0 (BBQ-1, BBQ-34)."""
    fill(state.bridge, ZERO)
    fill(state.torch, ZERO)
    fill(state.used, ZERO)
    fill(state.idle, ZERO)
    for piece in range(PIECES):
        state.pos[piece], state.captor[piece], state.term[piece] = law.start[piece], NOBODY, UNNAMED
        state.immune[piece // 3] = state.placed[piece // 3] = 0
    state.rounds = state.turns = 0
    state.pins = state.moves = state.taken = state.reason = state.more = 0
    state.turn = state.mover = state.winner = NOBODY
    state.phase = DRAW
    if not law.draw_first:
        begin(state, law, 0)


@rule
def actor(state, law):
    """The family on turn; while terms are named, the captor's owner (BBQ-23)."""
    if state.phase == DRAW:
        return CHANCE
    if state.phase == ENDED:
        return OVER
    return int(state.mover // 3 if state.phase == TERMS else state.turn)


@rule
def returns(state, law, out):
    """1.0 for the winner, -1.0 for all others; a tie at the round limit is a draw (BBQ-38)."""
    for seat in range(law.seats):
        out[seat] = 0.0 if state.winner == NOBODY else 1.0 if state.winner == seat else -1.0


# -- legal actions ---------------------------------------------------------------------------------------------------
@rule
def legal(state, law, out):
    n = 0
    if state.phase == MOVES:
        n = add_moves(state, law, out)
    elif state.phase == DRAW:
        for seat in range(law.seats):
            out[n] = law.first_of[actions.FIRST] + seat
            n += 1
    elif state.phase == TERMS:
        n = add_terms(state, law, out)
    elif state.phase == TAKING:
        n = add_takes(state, law, out)
    elif state.phase == RIDING:  # BBQ-32: within the move with which it arrived, the child may destroy one bridge
        out[n] = law.first_of[actions.DONE]
        n = add_destructions(state, law, out, n + 1)
    elif state.phase in (BIDDING, CHOOSING):
        n = add_order(state, law, out)
    return n


@rule
def add_moves(state, law, out):
    """Actions that cost a move, and the end of the turn."""
    n = add_walks(state, law, out)
    n = add_crossings(state, law, out, n)
    n = add_seizures(state, law, out, n)
    line = int(law.line_of[state.pos[3 * state.turn + L], state.pos[3 * state.turn + M]])
    if line >= 0 and build_refusal(state, law, line) == Reason.OK:
        out[n] = law.first_of[actions.BUILD] + line
        n += 1
    n = add_torches(state, law, out, n)
    n = add_destructions(state, law, out, n)
    if law.owner_extinguish:
        for line in range(law.lines):
            if extinguish_refusal(state, law, line) == Reason.OK:
                out[n] = law.first_of[actions.EXTINGUISH] + line
                n += 1
    for captor in range(3 * law.seats):
        if state.term[captor] != UNNAMED and pay_refusal(state, captor) == Reason.OK:
            out[n] = law.first_of[actions.PAY] + captor
            n += 1
    out[n] = law.first_of[actions.END]
    n += 1
    if law.hostage_picks_torch:
        n = add_choices(state, law, out, n)
    if may_swap(state, law):
        out[n] = law.first_of[actions.SWAP]
        n += 1
    return n


@rule
def add_walks(state, law, out):
    """BB-1.a: each parent to each adjacent pillar."""
    n = 0
    for size in range(L, S):
        piece = 3 * state.turn + size
        here = state.pos[piece]
        for i in range(law.degree[here] if walker_refusal(state, piece) == Reason.OK else 0):
            pillar = int(law.neighbour[here, i])
            if not law.equal_blocks or not equal_blocks(state, law, piece, pillar):
                out[n] = law.first_of[actions.WALK] + size * law.pillars + pillar
                n += 1
    return n


@rule
def add_crossings(state, law, out, n):
    """BB-1.c: each piece over each bridge at its pillar."""
    for size in range(L, S + 1):
        piece = 3 * state.turn + size
        here = state.pos[piece]
        first, begun = law.first_of[actions.CROSS] + size * law.pillars * law.seats, n
        for w in range(law.words):
            near = state.bridge[w] & law.bridges_at[here, w]
            while near != ZERO:
                bridge = 64 * w + lowest(near)
                colour, pillar = bridge // law.lines, far_end(law, here, bridge % law.lines)
                if cross_refusal(state, law, piece, pillar, colour) == Reason.OK:
                    n = add_in_order(first + pillar * law.seats + colour, out, begun, n)
                near &= near - ONE
    return n


@rule
def add_in_order(action, out, begun, n):
    """Insert an action into the ascending ones that begin at index `begun`."""
    at = n
    while at > begun and out[at - 1] > action:
        out[at] = out[at - 1]
        at -= 1
    out[at] = action
    return n + 1


@rule
def add_seizures(state, law, out, n):
    """BBQ-16: each larger piece takes on its own pillar."""
    for size in range(L, S):
        captor = 3 * state.turn + size
        found = victims(state, law, captor)
        if found != ZERO and seizer_refusal(state, law, captor) == Reason.OK:
            n = write_each(found, law.first_of[actions.SEIZE] + size * 3 * law.seats, out, n)
    return n


@rule
def add_choices(state, law, out, n):
    """House rule of BBQ-25: the hostage's family picks the torch it removes."""
    for captor in range(3 * law.seats):
        if state.term[captor] == TERM_IS_CHOICE:
            for line in range(law.lines):
                if pay_line_refusal(state, law, captor, line) == Reason.OK:
                    out[n] = law.first_of[actions.PAY_LINE] + captor * law.lines + line
                    n += 1
    return n


@rule
def add_terms(state, law, out):
    """BB-1.e.iii: the terms that a captor may name; None is always among them (BBQ-24)."""
    turn, owner, n = int(state.turn), int(state.mover) // 3, 0
    for w in range(law.words):
        first = law.first_of[actions.TERM_DESTROY] + 64 * w - turn * law.lines
        n = write_each(state.bridge[w] & law.own[turn, w], first, out, n)
    for w in range(0 if law.hostage_picks_torch else law.words):
        first = law.first_of[actions.TERM_UNTORCH] + 64 * w - owner * law.lines
        n = write_each(state.torch[w] & law.own[owner, w], first, out, n)
    if law.hostage_picks_torch and has_torches(state, law, owner):
        out[n] = law.first_of[actions.TERM_CHOICE]
        n += 1
    out[n] = law.first_of[actions.TERM_NONE]
    return n + 1


@rule
def add_takes(state, law, out):
    """The pieces that can still be taken within this move, and the end of taking (BBQ-15, BBQ-17)."""
    captor, n = 3 * state.turn + state.mover % 3, 0
    n = write_each(victims(state, law, captor), law.first_of[actions.TAKE] + 0, out, n)
    if done_refusal(state, law) == Reason.OK:
        out[n] = law.first_of[actions.DONE]
        n += 1
    return n


# -- refusals --------------------------------------------------------------------------------------------------------
@rule
def phase_refusal(state, kind):
    """Whether the phase allows actions of this kind."""
    if state.phase == ENDED:
        return Reason.GAME_OVER
    if state.phase == DRAW:
        return Reason.OK if kind == actions.FIRST else Reason.DRAW_FIRST
    if kind == actions.FIRST:
        return Reason.DRAWN
    if state.phase == BIDDING:
        return Reason.OK if kind == actions.BID else Reason.BID_FIRST
    if state.phase == CHOOSING:
        return Reason.OK if kind in (actions.GO_FIRST, actions.GO_LAST) else Reason.CHOOSE_FIRST
    if kind >= actions.BID:
        return Reason.ORDER_SETTLED
    naming = actions.TERM_DESTROY <= kind <= actions.TERM_NONE
    if state.phase == TERMS:
        return Reason.OK if naming else Reason.TERMS_FIRST
    if naming:
        return Reason.NO_TERMS_NOW
    if state.phase == TAKING:
        return Reason.OK if kind in (actions.TAKE, actions.DONE) else Reason.FINISH_TAKING
    if state.phase == RIDING:
        return Reason.OK if kind in (actions.DESTROY, actions.DONE) else Reason.FINISH_RIDE
    return Reason.NO_TAKE_NOW if kind in (actions.TAKE, actions.DONE) else Reason.OK


@rule
def done_refusal(state, law):
    """BBQ-44: why a family may not end taking: by the house rule, a piece that can take must."""
    return Reason.MUST_TAKE if state.phase == TAKING and law.capture_mandatory and state.taken == 0 else Reason.OK


@rule
def refusal(state, law, action):
    kind = int(law.kind[action])
    late = phase_refusal(state, kind)
    if late != Reason.OK or kind in (actions.FIRST, actions.END) or kind >= actions.BID:
        return late
    rest = action - int(law.first_of[kind])
    if kind == actions.SWAP:
        return Reason.OK if may_swap(state, law) else Reason.SWAP_LATE
    if kind == actions.TAKE:
        return victim_refusal(state, int(state.mover), rest)
    if kind == actions.DONE:
        return done_refusal(state, law)
    if actions.TERM_DESTROY <= kind <= actions.TERM_NONE:
        return term_refusal(state, law, kind, rest)
    if kind <= actions.SEIZE:
        return piece_refusal(state, law, kind, rest)
    return bridge_refusal(state, law, kind, rest)


@rule
def piece_refusal(state, law, kind, rest):
    """The refusal of a walk, a crossing or a seizure by the family's pieces."""
    first = 3 * int(state.turn)
    if kind == actions.WALK:
        return walk_refusal(state, law, first + rest // law.pillars, rest % law.pillars)
    if kind == actions.CROSS:
        place, colour = rest // law.seats, rest % law.seats
        return cross_refusal(state, law, first + place // law.pillars, place % law.pillars, colour)
    return seize_refusal(state, law, first + rest // (3 * law.seats), rest % (3 * law.seats))


@rule
def bridge_refusal(state, law, kind, rest):
    """The refusal of building, torching, extinguishing, destroying or paying."""
    if kind == actions.BUILD:
        return build_refusal(state, law, rest)
    if kind == actions.TORCH:
        return torch_refusal(state, law, rest)
    if kind == actions.DESTROY:
        return destroy_refusal(state, law, rest)
    if kind == actions.EXTINGUISH:
        return extinguish_refusal(state, law, rest)
    if kind == actions.PAY:
        return pay_refusal(state, rest)
    return pay_line_refusal(state, law, rest // law.lines, rest % law.lines)


# -- playing ---------------------------------------------------------------------------------------------------------
@rule
def apply(state, law, action):
    kind = int(law.kind[action])
    rest = int(action - law.first_of[kind])
    if kind == actions.FIRST:
        begin(state, law, rest)
    elif kind >= actions.BID:
        settle_order(state, law, kind, rest)
    elif actions.TERM_DESTROY <= kind <= actions.TERM_NONE:
        name_term(state, law, kind, rest)
        settle_terms(state, law)
        finish_naming(state, law)
    elif kind == actions.SWAP:
        swap_sides(state, law)
    else:
        if kind != actions.END:
            apply_move(state, law, kind, rest)
        if kind == actions.END or is_turn_over(state, law):
            end_turn(state, law)


@rule
def apply_move(state, law, kind, rest):
    """Play a move, or a decision within one: takes and rides belong to the move before them (BBQ-15, BBQ-32)."""
    first = 3 * int(state.turn)
    if state.phase == MOVES:
        state.moves -= 1
    elif state.phase == RIDING or kind == actions.DONE:
        state.phase = MOVES
    if kind in (actions.WALK, actions.CROSS):
        apply_step(state, law, kind, rest)
    elif kind == actions.TAKE or kind == actions.SEIZE:
        captor = int(state.mover) if kind == actions.TAKE else first + rest // (3 * law.seats)
        take_hostage(state, law, captor, rest % (3 * law.seats))
    elif kind != actions.DONE:
        apply_to_bridge(state, law, kind, rest)
        settle_terms(state, law)


@rule
def apply_step(state, law, kind, rest):
    """Walk, or cross a bridge. Every crossing counts as use of the bridge (BBQ-31)."""
    place = rest // law.seats if kind == actions.CROSS else rest
    piece, pillar = 3 * int(state.turn) + place // law.pillars, place % law.pillars
    if kind == actions.CROSS:
        bridge = rest % law.seats * law.lines + law.line_of[state.pos[piece], pillar]
        state.used[bridge >> 6] |= bit(bridge)
    land(state, law, piece, pillar)


@rule
def apply_to_bridge(state, law, kind, rest):
    """Build, torch, extinguish or destroy a bridge, or pay for a hostage with it."""
    family = int(state.turn)
    if kind == actions.BUILD:
        build(state, family * law.lines + rest)
    elif kind == actions.TORCH:
        place_torch(state, law, rest, family)
    elif kind == actions.DESTROY:
        remove_bridge(state, law, rest)
    elif kind == actions.EXTINGUISH:
        remove_torch(state, law, family * law.lines + rest)
    elif kind == actions.PAY:
        pay(state, law, rest, rest)
    else:
        pay(state, law, rest // law.lines, rest % law.lines)
