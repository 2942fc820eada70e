"""Puzzles in the making: found in games between computer players, then chosen by what there is to find."""
