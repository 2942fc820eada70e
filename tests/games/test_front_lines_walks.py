"""Walks of The Front Lines with `flip=destination`: the tables against a plain search of every walk."""

import pytest
from front_lines_table import cells, go, stand, start

from bridgehead.games.front_lines import walks

DIRECTIONS = ("F+diag+LR", "F+LR", "F", "king8")
MOST_KING_STEPS = {3: 7, 5: 5}  # by rows: longer king8 walks are too many to be tried one by one


def every_walk(rows: int, directions: str, step_off: bool, place: int, most: int) -> dict[int, set[int]]:
    """Target (a cell, or across) -> lengths of the walks to it, by walking all of them."""
    steps = walks.list_steps(rows, directions, step_off)
    last = range(4 * (rows - 1), 4 * rows)
    found: dict[int, set[int]] = {}

    def walk(at: int, way: tuple[int, ...]) -> None:
        for cell in range(walks.ACROSS + 1):
            if not steps[at] >> cell & 1 or (cell in way and cell != walks.ACROSS):
                continue
            found.setdefault(cell, set()).add(len(way))
            is_last = cell == walks.ACROSS or (not step_off and cell in last)
            if len(way) < most and not is_last:
                walk(cell, (*way, cell))

    walk(place, (place,))
    return found


def ends(found: dict[int, set[int]], n: int, rows: int, step_off: bool, may_stop: bool) -> set[int]:
    """Where a walk of n steps may end: across, and a last row that ends walks, after fewer steps too."""
    last = range(4 * (rows - 1), 4 * rows)
    short = {cell for cell in found if cell == walks.ACROSS or (not step_off and cell in last) or may_stop}
    return {cell for cell, lengths in found.items() if (min(lengths) <= n if cell in short else n in lengths)}


@pytest.mark.clause("FLQ-29", "FLQ-30", "FLQ-10")
@pytest.mark.parametrize("may_stop", [False, True])
@pytest.mark.parametrize("step_off", [True, False])
@pytest.mark.parametrize("directions", DIRECTIONS)
@pytest.mark.parametrize("rows", [1, 2, 3, 5])
def test_the_ends_of_walks_are_those_found_by_trying_every_walk(
    rows: int, directions: str, step_off: bool, may_stop: bool
) -> None:
    most = MOST_KING_STEPS.get(rows, walks.LONGEST) if directions == "king8" else walks.LONGEST
    table = walks.ends(rows, directions, step_off, may_stop)
    standing = rows if step_off else rows - 1  # nobody stands alive on a last row that is reached
    for place in [walks.START, *range(0, 4 * standing, 3)]:
        found = every_walk(rows, directions, step_off, place, most)
        for n in range(1, most + 1):
            told = {cell for cell in range(walks.ACROSS + 1) if table[place][n] >> cell & 1}
            assert told == ends(found, n, rows, step_off, may_stop), (place, n)


@pytest.mark.clause("FLQ-29")
def test_king8_walks_in_four_rows_have_every_length_from_the_distance_to_13() -> None:
    for origin in (0, 1, 4, 5):  # every other cell is a mirror image of one of these
        lengths = walks.all_walks(4, origin)
        for target in range(16):
            if target != origin:
                distance = max(abs(origin // 4 - target // 4), abs(origin % 4 - target % 4))
                assert lengths[target] == walks.LENGTHS & ~((1 << distance) - 1), (origin, target)


@pytest.mark.clause("FLQ-29", "FLQ-5")
def test_walks_of_a_side_that_starts_at_the_far_edge_are_mirrored() -> None:
    rules = {"flip": "destination", "opposedSides": True, "rows": 5}
    red, black = go(start(**rules), "3H"), go(start(**rules), "3C")
    assert {cell[0] + str(6 - int(cell[1])) for cell in cells(red).split()} == set(cells(black).split())


@pytest.mark.clause("FLQ-29", "FL-T.3")
def test_the_longest_king8_walk_over_the_whole_field_is_offered_without_waiting() -> None:
    who = "H2 alive b6, D2 alive start, S2 alive start, C2 alive start"
    position = stand(who, "field b6=2H | used 2S | turn 1", flip="destination", directions="king8", drawPack="J11Q12K13")
    offered = cells(go(position, "KH")).split()
    assert len(offered) == 48 and "across" in offered and "b6" not in offered
