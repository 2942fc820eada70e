"""Why an action is refused: a code for each reason, with its clause and the key of its sentence."""

from __future__ import annotations

LEGAL = 0
IS_OVER = 1
DRAW_FIRST = 2
ROLL_OFF_FIRST = 3
ROLL_FIRST = 4
DRAWN = 5
ROLLED = 6
PLACE_FIRST = 7
NONE_IN_HAND = 8
PASS = 9
ON_BARRICADE = 10
ON_PAWN = 11
SQUARE_CLOSED = 12
NO_PAWN = 13
FOREIGN_PAWN = 14
MATES_PAWN = 15
EXIT = 16
DISTANCE = 17
TURNING_BACK = 18
TWICE = 19
BARRICADE = 20
OWN_PAWN = 21
MATE_THERE = 22
SAFE = 23

REFUSALS = (
    ("", ""),
    ("BA-M.2", "over.refused"),
    ("BA-M.1", "refused.draw"),
    ("BAQ-12", "refused.rollOff"),
    ("BA-M.3", "refused.roll"),
    ("BA-M.1", "refused.drawn"),
    ("BAQ-19", "refused.rolled"),
    ("BAQ-9", "refused.placeFirst"),
    ("BA-R.7", "refused.noneInHand"),
    ("BAQ-1", "refused.pass"),
    ("BA-R.7", "refused.onBarricade"),
    ("BA-R.7", "refused.onPawn"),
    ("BAQ-8", "refused.squareClosed"),
    ("BA-M.3", "refused.noPawn"),
    ("BA-M.3", "refused.foreignPawn"),
    ("BA-T.2", "refused.matesPawn"),
    ("BAQ-4", "refused.exit"),
    ("BA-R.1", "refused.distance"),
    ("BA-R.3", "refused.turningBack"),
    ("BAQ-2", "refused.twice"),
    ("BA-R.5", "refused.barricade"),
    ("BA-R.6", "refused.ownPawn"),
    ("BA-T.3", "refused.mateThere"),
    ("BAQ-10", "refused.safe"),
)
