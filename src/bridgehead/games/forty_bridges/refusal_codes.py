"""Why an action is refused: a code for each reason, with its clause and the key of its sentence."""

from __future__ import annotations

REFUSALS = (
    ("", ""),
    ("FB-3", "over.refused"),
    ("FBQ-2", "chance.refused"),
    ("FBQ-2", "refused.drawn"),
    ("FBQ-7", "refused.choose_captures"),
    ("FBQ-7", "refused.nothing_to_choose"),
    ("FB-5.a", "refused.not_surrounded"),
    ("FBQ-14", "refused.pass"),
    ("FB-4.a", "refused.same_field"),
    ("FB-4.a", "refused.no_piece"),
    ("FB-4.a", "refused.not_yours"),
    ("FB-4.b", "refused.occupied"),
    ("FB-2.d", "refused.other_type"),
    ("FB-4.d", "refused.landing_occupied"),
    ("FB-4.d", "refused.nobody_to_jump"),
    ("FB-4.e", "refused.over_opponent"),
    ("FBQ-3", "refused.bent"),
    ("FB-4.f", "refused.two_jumps"),
    ("FB-4.b", "refused.too_far"),
    ("FBQ-23", "refused.suicide"),
    ("FBQ-24", "refused.repetition"),
)
NO_OVER, NO_CHANCE, NO_DRAWN, NO_CHOOSE, NO_NOTHING, NO_UNSURROUNDED, NO_PASS = 1, 2, 3, 4, 5, 6, 7
NO_SAME, NO_PIECE, NO_YOURS, NO_OCCUPIED, NO_TYPE, NO_LANDING, NO_FRIEND = 8, 9, 10, 11, 12, 13, 14
NO_OPPONENT, NO_BENT, NO_TWO, NO_FAR, NO_SUICIDE, NO_REPEAT = 15, 16, 17, 18, 19, 20
