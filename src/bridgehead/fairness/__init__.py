"""Sealed chance (BGF1): dice and cards that nobody can steer, and the means to check it."""
