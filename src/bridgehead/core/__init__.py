"""What a game is: position, match, record, chance, clauses, scene. Knows no game."""
