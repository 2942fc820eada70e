"""Print and play: a game's board at playing size, its pieces and its rules, as a PDF."""
