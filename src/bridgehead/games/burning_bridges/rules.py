"""The rules of Burning Bridges: legal actions and their effects. Compiled.

See hostages.py for hostage situations, bridges.py for bridges, and moves.py for movement and the order of turns.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from bridgehead.core.bits import lowest
from bridgehead.core.jit import rule
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.games.burning_bridges import actions, bridges, hostages, moves
from bridgehead.games.burning_bridges.bridges import ONE, ZERO
from bridgehead.games.burning_bridges.options import IDLE_WORDS
from bridgehead.games.burning_bridges.refusals import No
from bridgehead.games.burning_bridges.state import (
    DRAW,
    ENDED,
    MOVES,
    NOBODY,
    PIECES,
    RIDING,
    TAKING,
    TERM_IS_CHOICE,
    TERMS,
    UNNAMED,
    WORDS,
    L,
    M,
    S,
)

REFUSALS = No
REASONS = (("", ""), ("home", "BB-W.1"), ("round-limit", "BBQ-38"))


@rule
def setup(state, law):
    """All families on their start pillars; the first family is drawn, or is seat 0 (BBQ-1, BBQ-34)."""
    for w in range(WORDS):
        state.bridge[w] = state.torch[w] = state.used[w] = ZERO
    for w in range(IDLE_WORDS):
        state.idle[w] = ZERO
    for piece in range(PIECES):
        state.pos[piece], state.captor[piece], state.term[piece] = law.start[piece], NOBODY, UNNAMED
        state.immune[piece // 3] = state.placed[piece // 3] = 0
    state.rounds = state.turns = 0
    state.pins = state.moves = state.taken = state.reason = 0
    state.turn = state.mover = state.winner = NOBODY
    state.phase = DRAW
    if not law.draw_first:
        state.turn, state.moves, state.phase = 0, 2, MOVES


@rule
def actor(state, law):
    """The family on turn; while terms are named, the captor's owner (BBQ-23)."""
    if state.phase == DRAW:
        return CHANCE
    if state.phase == ENDED:
        return OVER
    return int(state.mover // 3 if state.phase == TERMS else state.turn)


@rule
def weight(state, law, action):
    """All families have the same chance to begin (BBQ-1)."""
    return 1


@rule
def returns(state, law, out):
    """1.0 for the winner, -1.0 for all others; a tie at the round limit is a draw (BBQ-38)."""
    for seat in range(law.seats):
        out[seat] = 0.0 if state.winner == NOBODY else 1.0 if state.winner == seat else -1.0


# -- legal actions ---------------------------------------------------------------------------------------------------


@rule
def legal(state, law, out):
    """Write the legal action ids, ascending; return their number."""
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
        n = bridges.add_destructions(state, law, out, n + 1)
    return n


@rule
def add_moves(state, law, out):
    """Actions that cost a move, and the end of the turn."""
    n = add_walks(state, law, out)
    n = add_crossings(state, law, out, n)
    n = add_seizures(state, law, out, n)
    line = int(law.line_of[state.pos[3 * state.turn + L], state.pos[3 * state.turn + M]])
    if line >= 0 and bridges.build_refusal(state, law, line) == No.OK:
        out[n] = law.first_of[actions.BUILD] + line
        n += 1
    n = bridges.add_torches(state, law, out, n)
    n = bridges.add_destructions(state, law, out, n)
    if law.owner_extinguish:
        for line in range(law.lines):
            if bridges.extinguish_refusal(state, law, line) == No.OK:
                out[n] = law.first_of[actions.EXTINGUISH] + line
                n += 1
    for captor in range(3 * law.seats):
        if hostages.pay_refusal(state, captor) == No.OK:
            out[n] = law.first_of[actions.PAY] + captor
            n += 1
    out[n] = law.first_of[actions.END]
    return add_choices(state, law, out, n + 1) if law.hostage_picks_torch else n + 1


@rule
def add_walks(state, law, out):
    """BB-1.a: each parent to each adjacent pillar."""
    n = 0
    for size in range(L, S):
        piece = 3 * state.turn + size
        here = state.pos[piece]
        for i in range(law.degree[here] if moves.walker_refusal(state, piece) == No.OK else 0):
            pillar = int(law.neighbour[here, i])
            if not moves.equal_blocks(state, law, piece, pillar):
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
                colour, pillar = bridge // law.lines, moves.far_end(law, here, bridge % law.lines)
                if moves.cross_refusal(state, law, piece, pillar, colour) == No.OK:
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
        found = hostages.victims(state, law, captor)
        if found != ZERO and hostages.seizer_refusal(state, law, captor) == No.OK:
            n = bridges.add_each(found, law.first_of[actions.SEIZE] + size * 3 * law.seats, out, n)
    return n


@rule
def add_choices(state, law, out, n):
    """House rule of BBQ-25: the hostage's family picks the torch it removes."""
    for captor in range(3 * law.seats):
        if state.term[captor] == TERM_IS_CHOICE:
            for line in range(law.lines):
                if hostages.pay_line_refusal(state, law, captor, line) == No.OK:
                    out[n] = law.first_of[actions.PAY_LINE] + captor * law.lines + line
                    n += 1
    return n


@rule
def add_terms(state, law, out):
    """BB-1.e.iii: the terms that a captor may name; None is always among them (BBQ-24)."""
    turn, owner, n = int(state.turn), state.mover // 3, 0
    for w in range(law.words):
        first = law.first_of[actions.TERM_DESTROY] + 64 * w - turn * law.lines
        n = bridges.add_each(state.bridge[w] & law.own[turn, w], first, out, n)
    for w in range(0 if law.hostage_picks_torch else law.words):
        first = law.first_of[actions.TERM_UNTORCH] + 64 * w - owner * law.lines
        n = bridges.add_each(state.torch[w] & law.own[owner, w], first, out, n)
    if law.hostage_picks_torch and bridges.has_torches(state, law, owner):
        out[n] = law.first_of[actions.TERM_CHOICE]
        n += 1
    out[n] = law.first_of[actions.TERM_NONE]
    return n + 1


@rule
def add_takes(state, law, out):
    """The pieces that can still be taken within this move, and the end of taking (BBQ-15, BBQ-17)."""
    captor, n = 3 * state.turn + state.mover % 3, 0
    n = bridges.add_each(hostages.victims(state, law, captor), law.first_of[actions.TAKE] + 0, out, n)
    if done_refusal(state, law) == No.OK:
        out[n] = law.first_of[actions.DONE]
        n += 1
    return n


# -- refusals --------------------------------------------------------------------------------------------------------


@rule
def phase_refusal(state, kind):
    """Whether the phase allows actions of this kind."""
    if state.phase == ENDED:
        return No.GAME_OVER
    if state.phase == DRAW:
        return No.OK if kind == actions.FIRST else No.DRAW_FIRST
    if kind == actions.FIRST:
        return No.DRAWN
    naming = actions.TERM_DESTROY <= kind <= actions.TERM_NONE
    if state.phase == TERMS:
        return No.OK if naming else No.TERMS_FIRST
    if naming:
        return No.NO_TERMS_NOW
    if state.phase == TAKING:
        return No.OK if kind in (actions.TAKE, actions.DONE) else No.FINISH_TAKING
    if state.phase == RIDING:
        return No.OK if kind in (actions.DESTROY, actions.DONE) else No.FINISH_RIDE
    return No.NO_TAKE_NOW if kind in (actions.TAKE, actions.DONE) else No.OK


@rule
def done_refusal(state, law):
    """House rule of BBQ-44: a piece that lands where it can take must take a piece."""
    return No.MUST_TAKE if state.phase == TAKING and law.capture_mandatory and state.taken == 0 else No.OK


@rule
def refusal(state, law, action):
    """Why the action is not legal; `No.OK`, which is 0, exactly when it is."""
    kind = int(law.kind[action])
    late = phase_refusal(state, kind)
    if late != No.OK or kind in (actions.FIRST, actions.END):
        return late
    rest = action - int(law.first_of[kind])
    if kind == actions.TAKE:
        return hostages.victim_refusal(state, int(state.mover), rest)
    if kind == actions.DONE:
        return done_refusal(state, law)
    if actions.TERM_DESTROY <= kind <= actions.TERM_NONE:
        return hostages.term_refusal(state, law, kind, rest)
    if kind <= actions.SEIZE:
        return piece_refusal(state, law, kind, rest)
    return bridge_refusal(state, law, kind, rest)


@rule
def piece_refusal(state, law, kind, rest):
    """The refusal of a walk, a crossing or a seizure by the family's pieces."""
    first = 3 * int(state.turn)
    if kind == actions.WALK:
        return moves.walk_refusal(state, law, first + rest // law.pillars, rest % law.pillars)
    if kind == actions.CROSS:
        place, colour = rest // law.seats, rest % law.seats
        return moves.cross_refusal(state, law, first + place // law.pillars, place % law.pillars, colour)
    return hostages.seize_refusal(state, law, first + rest // (3 * law.seats), rest % (3 * law.seats))


@rule
def bridge_refusal(state, law, kind, rest):
    """The refusal of building, torching, extinguishing, destroying or paying."""
    if kind == actions.BUILD:
        return bridges.build_refusal(state, law, rest)
    if kind == actions.TORCH:
        return bridges.torch_refusal(state, law, rest)
    if kind == actions.DESTROY:
        return bridges.destroy_refusal(state, law, rest)
    if kind == actions.EXTINGUISH:
        return bridges.extinguish_refusal(state, law, rest)
    if kind == actions.PAY:
        return hostages.pay_refusal(state, rest)
    return hostages.pay_line_refusal(state, law, rest // law.lines, rest % law.lines)


# -- playing ---------------------------------------------------------------------------------------------------------


@rule
def apply(state, law, action):
    """Play a legal action."""
    kind = int(law.kind[action])
    rest = int(action - law.first_of[kind])
    if kind == actions.FIRST:
        moves.start_turn(state, rest)
    elif actions.TERM_DESTROY <= kind <= actions.TERM_NONE:
        hostages.name_term(state, law, kind, rest)
        hostages.settle_terms(state, law)
        moves.finish_naming(state, law)
    else:
        if kind != actions.END:
            apply_move(state, law, kind, rest)
        if kind == actions.END or moves.is_turn_over(state, law):
            moves.end_turn(state, law)


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
        moves.take_hostage(state, law, captor, rest % (3 * law.seats))
    elif kind != actions.DONE:
        apply_to_bridge(state, law, kind, rest)
        hostages.settle_terms(state, law)


@rule
def apply_step(state, law, kind, rest):
    """Walk, or cross a bridge. Every crossing counts as use of the bridge (BBQ-31)."""
    place = rest // law.seats if kind == actions.CROSS else rest
    piece, pillar = 3 * int(state.turn) + place // law.pillars, place % law.pillars
    if kind == actions.CROSS:
        bridge = rest % law.seats * law.lines + law.line_of[state.pos[piece], pillar]
        state.used[bridge >> 6] |= bridges.bit(bridge)
    moves.land(state, law, piece, pillar)


@rule
def apply_to_bridge(state, law, kind, rest):
    """Build, torch, extinguish or destroy a bridge, or pay for a hostage with it."""
    family = int(state.turn)
    if kind == actions.BUILD:
        bridges.build(state, family * law.lines + rest)
    elif kind == actions.TORCH:
        bridges.place_torch(state, law, rest, family)
    elif kind == actions.DESTROY:
        bridges.remove_bridge(state, law, rest)
    elif kind == actions.EXTINGUISH:
        bridges.remove_torch(state, law, family * law.lines + rest)
    elif kind == actions.PAY:
        hostages.pay(state, law, rest, rest)
    else:
        hostages.pay(state, law, rest // law.lines, rest % law.lines)
