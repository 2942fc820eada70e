"""The reasons to refuse an action of 40 Bridges. The catalogues have their sentences."""

from __future__ import annotations

from bridgehead.core.clauses import RefusalCode


class No(RefusalCode):
    """Reasons to refuse an action: the clause, and the key of the sentence."""

    OK = "", ""
    OVER = "FB-3", "over.refused"
    CHANCE = "FBQ-2", "chance.refused"
    DRAWN = "FBQ-2", "refused.drawn"
    CHOOSE = "FBQ-7", "refused.choose_captures"
    NOTHING = "FBQ-7", "refused.nothing_to_choose"
    UNSURROUNDED = "FB-5.a", "refused.not_surrounded"
    PASS = "FBQ-14", "refused.pass"
    SAME = "FB-4.a", "refused.same_field"
    PIECE = "FB-4.a", "refused.no_piece"
    YOURS = "FB-4.a", "refused.not_yours"
    OCCUPIED = "FB-4.b", "refused.occupied"
    TYPE = "FB-2.d", "refused.other_type"
    LANDING = "FB-4.d", "refused.landing_occupied"
    FRIEND = "FB-4.d", "refused.nobody_to_jump"
    OPPONENT = "FB-4.e", "refused.over_opponent"
    BENT = "FBQ-3", "refused.bent"
    TWO = "FB-4.f", "refused.two_jumps"
    FAR = "FB-4.b", "refused.too_far"
    SUICIDE = "FBQ-23", "refused.suicide"
    REPEAT = "FBQ-24", "refused.repetition"
