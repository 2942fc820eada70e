"""The reasons to refuse an action of Burning Bridges. The catalogues have their sentences."""

from __future__ import annotations

from bridgehead.core.clauses import RefusalCode


class No(RefusalCode):
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
