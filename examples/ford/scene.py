"""What a screen shows of Ford: two rows of stones."""

from ford.rules import ROW, SIDES


def places(game):
    """The stones by name: row a of seat 0, row b of seat 1."""
    return {f"{row}{x + 1}": (x, y) for y, row in enumerate("ab") for x in range(ROW)}


def pieces(position):
    """The seat of the walker on each stone."""
    stones = enumerate(places(position.game))
    return {name: stone // ROW for stone, name in stones if position.state.walkers[stone]}


def names(game):
    """The text of each action: `a1-a3`, `pass`, `roll 2`."""
    moves = (f"{row}{x + 1}-{row}{x + 1 + steps + 1}" for row in "ab" for x in range(ROW) for steps in range(SIDES))
    return (*moves, "pass", *(f"roll {die + 1}" for die in range(SIDES)))
