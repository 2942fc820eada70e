"""Kinds of actions, in the order of their numbers."""

KINDS = 17
(
    FIRST, WALK, CROSS, TAKE, DONE, SEIZE, BUILD, TORCH, DESTROY, EXTINGUISH, PAY, END,
    TERM_DESTROY, TERM_UNTORCH, TERM_CHOICE, TERM_NONE, PAY_LINE,
) = range(KINDS)  # fmt: skip
