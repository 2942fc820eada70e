"""Boards of somebody's own that are as much work as any may be."""

from typing import Any


def heavy_board(width: int = 12, height: int = 12, name: str = "heavy") -> dict[str, Any]:
    """An open field for Barricade: a die of six sides has nearly as many ways on it as a board may have."""
    squares = [[x, y] for y in range(height) for x in range(width)]
    homes = [{"id": n + 1, "color": "red", "entry": [n, height - 1], "slots": [[n, height + 1]]} for n in range(2)]
    return {
        "name": name, "width": width, "height": height + 3, "pawnsPerPlayer": 1, "squares": squares, "final": squares[0],
        "barricades": [], "homes": homes, "firstRowY": height - 1,
    }  # fmt: skip


def pillars(count: int = 64, lines: int = 192, name: str = "wide") -> dict[str, Any]:
    """A board for Burning Bridges of that size, in rows of eight."""
    names = [f"P{n}" for n in range(count)]
    pairs = [[names[n], names[n + step]] for step in (1, 8, 9, 7) for n in range(count - step)]
    family = [
        {"id": n, "color": f"c{n}", "start": dict(zip("LMS", names[n :: count // 4], strict=False)), "goals": [names[-1 - n]]}
        for n in range(5)
    ]
    places = {each: [n % 8 * 10 + n / 100, n // 8 * 10] for n, each in enumerate(names)}
    return {"name": name, "families": 5, "nodes": places, "edges": pairs[:lines], "family": family}
