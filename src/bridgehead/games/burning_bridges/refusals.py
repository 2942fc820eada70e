"""Why an action is refused: each code's clause and sentence. The sentences stand in the catalogue."""

from __future__ import annotations

REFUSALS = (
    ("", ""),
    # phases
    ("BB-W.1", "over.refused"),
    ("BBQ-1", "no.draw_first"),
    ("BBQ-1", "no.drawn"),
    ("BBQ-23", "no.terms_first"),
    ("BBQ-23", "no.terms_now"),
    ("BBQ-15", "no.take_now"),
    ("BBQ-15", "no.finish_taking"),
    ("BBQ-32", "no.finish_ride"),
    # moving
    ("BBQ-22", "no.hostage_moves"),
    ("BB-1.a", "no.child_walks"),
    ("BBQ-3", "no.line_there"),
    ("BB-1.c", "no.bridge_to_cross"),
    ("BBQ-5", "no.child_colour"),
    ("BB-1.d", "no.child_fire"),
    ("BBQ-14", "no.equal_blocks"),
    # taking
    ("BB-1.e", "no.own_piece"),
    ("BB-1.e", "no.elsewhere"),
    ("BBQ-13", "no.not_smaller"),
    ("BBQ-21", "no.covered"),
    ("BBQ-28", "no.immune"),
    ("BBQ-18", "no.protected"),
    ("BBQ-20", "no.family_in_situation"),
    ("BBQ-20", "no.piece_in_situation"),
    ("BBQ-44", "no.must_take"),
    # bridges
    ("BBQ-22", "no.hostage_builds"),
    ("BBQ-6", "no.parents_at_ends"),
    ("BBQ-7", "no.own_bridge_there"),
    ("BBQ-7", "no.line_taken"),
    ("BBQ-8", "no.more_bridges"),
    ("BBQ-10", "no.bridge_there"),
    ("BBQ-10", "no.torch_own"),
    ("BBQ-10", "no.burning_already"),
    ("BBQ-11", "no.pins_left"),
    ("BBQ-22", "no.hostage_destroys"),
    ("BB-3.a", "no.destroy_own"),
    ("BB-3.a", "no.not_burning"),
    ("BB-3.a", "no.child_at_base"),
    ("BBQ-12", "no.extinguishing"),
    ("BBQ-12", "no.own_fire"),
    ("BBQ-49", "no.parent_at_end"),
    # terms
    ("BBQ-26", "no.such_terms"),
    ("BBQ-25", "no.torch_unnamed"),
    ("BBQ-25", "no.torch_named"),
    ("BBQ-24", "no.hostage_bridge"),
    ("BBQ-24", "no.captor_torch"),
    ("BBQ-25", "no.hostage_picks"),
    ("BBQ-25", "no.captor_picks"),
)

(
    OK,
    GAME_OVER, DRAW_FIRST, DRAWN, TERMS_FIRST, NO_TERMS_NOW, NO_TAKE_NOW, FINISH_TAKING, FINISH_RIDE,
    HOSTAGE_MOVES, CHILD_WALKS, NO_LINE, NO_BRIDGE_TO_CROSS, CHILD_COLOUR, CHILD_FIRE, EQUAL_BLOCKS,
    OWN_PIECE, ELSEWHERE, NOT_SMALLER, COVERED, IMMUNE, PROTECTED, FAMILY_IN_SITUATION, PIECE_IN_SITUATION, MUST_TAKE,
    HOSTAGE_BUILDS, PARENTS_AT_ENDS, OWN_BRIDGE_THERE, LINE_TAKEN, NO_MORE_BRIDGES,
    NO_BRIDGE, TORCH_OWN, BURNING_ALREADY, NO_PINS,
    HOSTAGE_DESTROYS, DESTROY_OWN, NOT_BURNING, CHILD_AT_BASE,
    NO_EXTINGUISHING, NO_OWN_FIRE, PARENT_AT_END,
    NO_SUCH_TERMS, TORCH_UNNAMED, TORCH_NAMED, NO_HOSTAGE_BRIDGE, NO_CAPTOR_TORCH, HOSTAGE_PICKS, CAPTOR_PICKS,
) = range(len(REFUSALS))  # fmt: skip
