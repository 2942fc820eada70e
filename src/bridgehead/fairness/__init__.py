"""Sealed chance (BGF1): dice and cards that nobody can influence, with a proof."""
