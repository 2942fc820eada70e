"""The law of Burning Bridges: which actions are legal, and what they do. Compiled.

Hostage situations are decided in hostages.py, bridges in bridges.py, movement and the course of turns in moves.py.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from bridgehead.core.jit import rule
from bridgehead.core.spec import CHANCE, OVER
from bridgehead.games.burning_bridges import bridges, hostages, kinds, moves
from bridgehead.games.burning_bridges import refusals as no
from bridgehead.games.burning_bridges.bridges import ZERO
from bridgehead.games.burning_bridges.refusals import REFUSALS as REFUSALS
from bridgehead.games.burning_bridges.state import (
    DRAW,
    ENDED,
    MOVES,
    NOBODY,
    RIDING,
    TAKING,
    TERM_IS_CHOICE,
    TERM_IS_DESTROY,
    TERM_IS_NONE,
    TERM_IS_UNTORCH,
    TERMS,
    UNNAMED,
    L,
    M,
    S,
)

REASONS = (("", ""), ("home", "BB-W.1"), ("round-limit", "BBQ-38"))


@rule
def setup(state, law):
    """All families on their start pillars; chance draws who begins, or seat 0 does (BBQ-1, BBQ-34)."""
    state.bridge[:] = ZERO
    state.torch[:] = ZERO
    state.placer[:] = ZERO
    state.age[:] = 0
    state.pins, state.pins_by[:], state.immune[:], state.term[:] = 0, 0, 0, UNNAMED
    state.pos[:], state.captor[:] = NOBODY, NOBODY
    for piece in range(3 * law.seats):
        state.pos[piece] = law.start[piece]
    state.rounds, state.turns, state.reason, state.winner, state.spare[:] = 0, 0, 0, NOBODY, 0
    state.phase, state.turn, state.moves, state.mover, state.taken = DRAW, NOBODY, 0, NOBODY, 0
    if not law.draw_first:
        moves.start_turn(state, law, 0)


@rule
def actor(state, law):
    """The family whose turn it is; while terms are named, the captor's owner (BBQ-23)."""
    if state.phase == DRAW:
        return CHANCE
    if state.phase == ENDED:
        return OVER
    if state.phase == TERMS:
        return hostages.unheard_captor(state) // 3
    return int(state.turn)


@rule
def weight(state, law, action):
    """Every family is as likely to begin (BBQ-1)."""
    return 1


@rule
def returns(state, law, out):
    """The winner takes all; a tie at the round limit is a draw (BBQ-38)."""
    for seat in range(law.seats):
        out[seat] = 0.0 if state.winner == NOBODY else 1.0 if state.winner == seat else -1.0


# -- legal actions ---------------------------------------------------------------------------------------------------


@rule
def legal(state, law, out):
    """Legal action ids, ascending; how many."""
    if state.phase == MOVES:
        return legal_moves(state, law, out)
    if state.phase == DRAW:
        for seat in range(law.seats):
            out[seat] = law.first_of[kinds.FIRST] + seat
        return law.seats
    if state.phase == TERMS:
        return legal_terms(state, law, out)
    if state.phase == TAKING:
        return legal_takes(state, law, out)
    return legal_rides(state, law, out) if state.phase == RIDING else 0


@rule
def legal_moves(state, law, out):
    """Everything that costs a move, and the end of the turn."""
    family = int(state.turn)
    n = add_walks(state, law, family, out, 0)
    n = add_crossings(state, law, family, out, n)
    n = add_seizures(state, law, family, out, n)
    line = int(law.line_of[int(state.pos[3 * family + L]), int(state.pos[3 * family + M])])
    if line >= 0 and bridges.build_refusal(state, law, family, line) == no.OK:
        out[n] = law.first_of[kinds.BUILD] + line
        n += 1
    n = bridges.add_torches(state, law, family, out, n)
    n = bridges.add_destructions(state, law, family, out, n)
    if law.owner_extinguish:
        for line in range(law.lines):
            if bridges.extinguish_refusal(state, law, family, line) == no.OK:
                out[n] = law.first_of[kinds.EXTINGUISH] + line
                n += 1
    for captor in range(3 * law.seats):
        if hostages.pay_refusal(state, captor) == no.OK:
            out[n] = law.first_of[kinds.PAY] + captor
            n += 1
    out[n] = law.first_of[kinds.END]
    n += 1
    return add_choices(state, law, out, n) if law.hostage_picks_torch else n


@rule
def add_walks(state, law, family, out, n):
    """BB-1.a: each parent to each adjacent pillar."""
    for piece in range(3 * family + L, 3 * family + S):
        here = int(state.pos[piece])
        for i in range(law.degree[here]):
            pillar = int(law.neighbour[here, i])
            if moves.walk_refusal(state, law, piece, pillar) == no.OK:
                out[n] = law.first_of[kinds.WALK] + piece % 3 * law.pillars + pillar
                n += 1
    return n


@rule
def add_crossings(state, law, family, out, n):
    """BB-1.c: each piece over each bridge at its pillar."""
    for piece in range(3 * family + L, 3 * family + S + 1):
        here = int(state.pos[piece])
        if not bridges.any_at(state, law, here):
            continue
        for i in range(law.degree[here]):
            pillar, line = int(law.neighbour[here, i]), int(law.line_to[here, i])
            for colour in range(law.seats):
                if bridges.has_bridge(state, line, colour) and moves.cross_refusal(state, law, piece, pillar, colour) == no.OK:
                    out[n] = law.first_of[kinds.CROSS] + (piece % 3 * law.pillars + pillar) * law.seats + colour
                    n += 1
    return n


@rule
def add_seizures(state, law, family, out, n):
    """BBQ-16: each larger piece takes on its own pillar."""
    for captor in range(3 * family + L, 3 * family + S):
        if hostages.seizer_refusal(state, law, captor) == no.OK:
            for victim in range(3 * law.seats):
                if hostages.victim_refusal(state, captor, victim) == no.OK:
                    out[n] = law.first_of[kinds.SEIZE] + captor % 3 * 3 * law.seats + victim
                    n += 1
    return n


@rule
def add_choices(state, law, out, n):
    """House rule of BBQ-25: the hostage's family picks the torch it removes."""
    for captor in range(3 * law.seats):
        if state.term[captor] == TERM_IS_CHOICE:
            for line in range(law.lines):
                if hostages.pay_line_refusal(state, captor, line) == no.OK:
                    out[n] = law.first_of[kinds.PAY_LINE] + captor * law.lines + line
                    n += 1
    return n


@rule
def legal_terms(state, law, out):
    """BB-1.e.iii: what a captor may ask."""
    captor, n = hostages.unheard_captor(state), 0
    for line in range(law.lines):
        if hostages.term_destroy_refusal(state, line) == no.OK:
            out[n] = law.first_of[kinds.TERM_DESTROY] + line
            n += 1
    for line in range(law.lines):
        if hostages.term_untorch_refusal(state, law, captor, line) == no.OK:
            out[n] = law.first_of[kinds.TERM_UNTORCH] + line
            n += 1
    if hostages.term_choice_refusal(state, law, captor) == no.OK:
        out[n] = law.first_of[kinds.TERM_CHOICE]
        n += 1
    out[n] = law.first_of[kinds.TERM_NONE]
    return n + 1


@rule
def legal_takes(state, law, out):
    """Who can still be taken within this move, or being done (BBQ-15, BBQ-17)."""
    captor, n = int(state.mover), 0
    for victim in range(3 * law.seats):
        if hostages.victim_refusal(state, captor, victim) == no.OK:
            out[n] = law.first_of[kinds.TAKE] + victim
            n += 1
    if done_refusal(state, law) == no.OK:
        out[n] = law.first_of[kinds.DONE]
        n += 1
    return n


@rule
def legal_rides(state, law, out):
    """BBQ-32: within the move with which it arrived, the child may destroy one bridge."""
    out[0] = law.first_of[kinds.DONE]
    return bridges.add_destructions(state, law, int(state.turn), out, 1)


# -- refusals --------------------------------------------------------------------------------------------------------


@rule
def phase_refusal(state, kind):
    """Whether actions of this kind are asked for now."""
    if state.phase == ENDED:
        return no.GAME_OVER
    if state.phase == DRAW:
        return no.OK if kind == kinds.FIRST else no.DRAW_FIRST
    if kind == kinds.FIRST:
        return no.DRAWN
    naming = kinds.TERM_DESTROY <= kind <= kinds.TERM_NONE
    if state.phase == TERMS:
        return no.OK if naming else no.TERMS_FIRST
    if naming:
        return no.NO_TERMS_NOW
    if state.phase == TAKING:
        return no.OK if kind in (kinds.TAKE, kinds.DONE) else no.FINISH_TAKING
    if state.phase == RIDING:
        return no.OK if kind in (kinds.DESTROY, kinds.DONE) else no.FINISH_RIDE
    return no.NO_TAKE_NOW if kind in (kinds.TAKE, kinds.DONE) else no.OK


@rule
def done_refusal(state, law):
    """House rule of BBQ-44: a landing that can take must take one."""
    return no.MUST_TAKE if state.phase == TAKING and law.capture_mandatory and state.taken == 0 else no.OK


@rule
def refusal(state, law, action):
    """0 exactly when the action is legal, else an index into REFUSALS."""
    kind = int(law.kind[action])
    late = phase_refusal(state, kind)
    if late != no.OK or kind in (kinds.FIRST, kinds.END, kinds.TERM_NONE):
        return late
    rest, family = action - int(law.first_of[kind]), int(state.turn)
    if kind == kinds.TAKE:
        return hostages.victim_refusal(state, int(state.mover), rest)
    if kind == kinds.DONE:
        return done_refusal(state, law)
    if kinds.TERM_DESTROY <= kind <= kinds.TERM_CHOICE:
        return term_refusal(state, law, kind, rest)
    if kind <= kinds.SEIZE:
        return piece_refusal(state, law, family, kind, rest)
    return bridge_refusal(state, law, family, kind, rest)


@rule
def term_refusal(state, law, kind, line):
    """Terms with something to pay (BBQ-24)."""
    captor = hostages.unheard_captor(state)
    if kind == kinds.TERM_DESTROY:
        return hostages.term_destroy_refusal(state, line)
    if kind == kinds.TERM_UNTORCH:
        return hostages.term_untorch_refusal(state, law, captor, line)
    return hostages.term_choice_refusal(state, law, captor)


@rule
def piece_refusal(state, law, family, kind, rest):
    """Walks, crossings and seizures of the family's pieces."""
    if kind == kinds.WALK:
        return moves.walk_refusal(state, law, 3 * family + rest // law.pillars, rest % law.pillars)
    if kind == kinds.CROSS:
        place, colour = rest // law.seats, rest % law.seats
        return moves.cross_refusal(state, law, 3 * family + place // law.pillars, place % law.pillars, colour)
    return hostages.seize_refusal(state, law, 3 * family + rest // (3 * law.seats), rest % (3 * law.seats))


@rule
def bridge_refusal(state, law, family, kind, rest):
    """Building, burning, destroying and paying."""
    line, other = rest % law.lines, rest // law.lines
    if kind == kinds.BUILD:
        return bridges.build_refusal(state, law, family, line)
    if kind == kinds.TORCH:
        return bridges.torch_refusal(state, law, family, line, other)
    if kind == kinds.DESTROY:
        return bridges.destroy_refusal(state, law, family, line, other)
    if kind == kinds.EXTINGUISH:
        return bridges.extinguish_refusal(state, law, family, line)
    return hostages.pay_refusal(state, rest) if kind == kinds.PAY else hostages.pay_line_refusal(state, other, line)


# -- playing ---------------------------------------------------------------------------------------------------------


@rule
def apply(state, law, action):
    """Play a legal action."""
    kind = int(law.kind[action])
    rest = action - int(law.first_of[kind])
    if kind == kinds.FIRST:
        moves.start_turn(state, law, rest)
    elif kinds.TERM_DESTROY <= kind <= kinds.TERM_NONE:
        apply_term(state, law, kind, rest)
    else:
        if kind != kinds.END:
            apply_move(state, law, kind, rest)
        if kind == kinds.END or moves.is_turn_over(state, law):
            moves.end_turn(state, law)


@rule
def apply_move(state, law, kind, rest):
    """A move, or a decision within one: takes and rides are part of the move before (BBQ-15, BBQ-32)."""
    if state.phase == MOVES:
        state.moves -= 1
    elif state.phase == RIDING or kind == kinds.DONE:
        state.phase = MOVES
    if kind == kinds.TAKE:
        moves.take_hostage(state, law, int(state.mover), rest)
    elif kind <= kinds.SEIZE and kind != kinds.DONE:
        apply_to_piece(state, law, int(state.turn), kind, rest)
    elif kind != kinds.DONE:
        apply_to_bridge(state, law, int(state.turn), kind, rest)
        hostages.settle_void_terms(state, law)


@rule
def apply_term(state, law, kind, line):
    """The captor's owner names its term (BBQ-23)."""
    captor = hostages.unheard_captor(state)
    term = TERM_IS_NONE
    if kind == kinds.TERM_DESTROY:
        term = TERM_IS_DESTROY + line
    elif kind == kinds.TERM_UNTORCH:
        term = TERM_IS_UNTORCH + line
    elif kind == kinds.TERM_CHOICE:
        term = TERM_IS_CHOICE
    hostages.name_term(state, law, captor, term)
    moves.finish_naming(state, law)


@rule
def apply_to_piece(state, law, family, kind, rest):
    """A piece walks, crosses a bridge, or seizes."""
    if kind == kinds.WALK:
        moves.land(state, law, 3 * family + rest // law.pillars, rest % law.pillars)
    elif kind == kinds.CROSS:
        place, colour = rest // law.seats, rest % law.seats
        piece, pillar = 3 * family + place // law.pillars, place % law.pillars
        bridges.use(state, int(law.line_of[int(state.pos[piece]), pillar]), colour)
        moves.land(state, law, piece, pillar)
    else:
        moves.take_hostage(state, law, 3 * family + rest // (3 * law.seats), rest % (3 * law.seats))


@rule
def apply_to_bridge(state, law, family, kind, rest):
    """A bridge is built, burns, is put out, is destroyed, or pays for a hostage."""
    line, other = rest % law.lines, rest // law.lines
    if kind == kinds.BUILD:
        bridges.build(state, line, family)
    elif kind == kinds.TORCH:
        bridges.place_torch(state, law, line, other, family)
    elif kind == kinds.DESTROY:
        bridges.remove_bridge(state, law, line, other)
    elif kind == kinds.EXTINGUISH:
        bridges.remove_torch(state, law, line, family)
    elif kind == kinds.PAY:
        hostages.pay(state, law, rest, 0)
    else:
        hostages.pay(state, law, other, line)
