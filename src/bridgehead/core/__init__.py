"""The core of every game: positions, matches, records, chance, clauses and scenes. It imports no particular game."""
