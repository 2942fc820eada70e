"""Playing and reading in a terminal: text boards, typed moves, tables of figures."""
