"""Causes: what a game's board, order of play and chance give to each seat, and which of it explains a measured fault."""
