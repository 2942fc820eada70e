"""Tables of the ends of steps and walks, made once for a set of house rules.

Rows count from the mover's own start line. Sets of cells are integers with bit 4 * row + column; bit 48 is
across. Lengths of walks are integers too: bit n means that a walk of exactly n steps exists.
"""

from __future__ import annotations

import functools

COLUMNS = 4
START = 48  # the place of a character that has not entered yet
ACROSS = 48  # the bit of the step that leaves the field
LONGEST = 13  # most steps of a drawn card (FLQ-2: K13)
LENGTHS = (1 << (LONGEST + 1)) - 1
OPEN_ROWS = 4  # with at least this many rows, king8 walks of every sufficient length exist
SIDEWAYS = {"F+diag+LR": (-1, 0, 1), "F+LR": (0,), "F": (0,), "king8": (-1, 0, 1)}  # columns of a forward step (FLQ-7)

Ends = tuple[tuple[int, ...], ...]


def list_steps(rows: int, directions: str, step_off: bool) -> tuple[int, ...]:
    """FLQ-6, FLQ-7, FLQ-10: for every place (cells, then the start line) the set of cells one step away, and across."""
    table = [0] * (START + 1)
    for cell in range(COLUMNS * rows):
        row, column = divmod(cell, COLUMNS)
        for forward, aside in _moves(directions):
            r, c = row + forward, column + aside
            if 0 <= r < rows and 0 <= c < COLUMNS:
                table[cell] |= 1 << (COLUMNS * r + c)
        if step_off and row == rows - 1:
            table[cell] |= 1 << ACROSS  # FLQ-24
    table[START] = (1 << COLUMNS) - 1
    return tuple(table)


def _moves(directions: str) -> list[tuple[int, int]]:
    moves = [(1, aside) for aside in SIDEWAYS[directions]]
    if directions != "F":
        moves += [(0, -1), (0, 1)]
    if directions == "king8":
        moves += [(-1, -1), (-1, 0), (-1, 1)]
    return moves


@functools.cache
def ends(rows: int, directions: str, step_off: bool, may_stop: bool) -> Ends:
    """FLQ-29: `ends[place][n]`, the cells where a walk of exactly n steps without a repeated card may end, and across.

    FLQ-30: with may_stop a walk may have any length up to n. Without step_off a walk ends as soon as it reaches the
    last row (FLQ-10), after at most n steps.
    """
    places = [*range(COLUMNS * rows), *([-1] * (START - COLUMNS * rows)), START]
    table = []
    for place in places:
        lengths = {} if place < 0 else _lengths(place, rows, directions, step_off)
        table.append(tuple(_ends(lengths, n, rows, step_off, may_stop) for n in range(LONGEST + 1)))
    return tuple(table)


def _ends(lengths: dict[int, int], n: int, rows: int, step_off: bool, may_stop: bool) -> int:
    up_to = (1 << (n + 1)) - 2  # lengths from 1 to n
    found = 0
    for target, walks in lengths.items():
        short = target == ACROSS or may_stop or (not step_off and target // COLUMNS == rows - 1)
        if walks & (up_to if short else 1 << n & ~1):
            found |= 1 << target
    return found


def _lengths(place: int, rows: int, directions: str, step_off: bool) -> dict[int, int]:
    """Target cell (or ACROSS) -> lengths of the walks from `place` to it."""
    if directions == "king8":
        return _king_lengths(place, rows, step_off)
    entered = [[0] * COLUMNS for _ in range(rows)]
    if place == START:
        entered[0] = [1 << 1] * COLUMNS
    else:
        entered[place // COLUMNS][place % COLUMNS] = 1
    lengths: dict[int, int] = {}
    for row in range(rows):
        stays = directions == "F" or (not step_off and row == rows - 1)
        for column in range(COLUMNS):
            # Without backward steps a row is walked in one direction, so no card can come twice.
            at = entered[row][column]
            if not stays:
                for origin in range(COLUMNS):
                    at |= entered[row][origin] << abs(column - origin)
            lengths[COLUMNS * row + column] = at
            if row + 1 < rows:
                for aside in SIDEWAYS[directions]:
                    if 0 <= column + aside < COLUMNS:
                        entered[row + 1][column + aside] |= at << 1
            elif step_off:
                lengths[ACROSS] = lengths.get(ACROSS, 0) | at << 1
    return lengths


def _king_lengths(place: int, rows: int, step_off: bool) -> dict[int, int]:
    """`_lengths` for king8, where walks may wind through all rows, except the last one if reaching it ends the walk."""
    inner = rows if step_off else rows - 1
    first = list(range(COLUMNS)) if place == START else [place]
    entry = 1 if place == START else 0  # steps until the field is entered (FLQ-6)
    lengths: dict[int, int] = {}
    for target in range(COLUMNS * rows):
        row = target // COLUMNS
        walks = 0
        for origin in first:
            if row >= inner:  # the last row, reached at any time
                walks |= _at_least(_distance(origin, target) + entry)
            elif origin == target:
                walks |= 1 << entry
            elif origin // COLUMNS < inner:
                walks |= _winding(inner, origin, target) << entry
        lengths[target] = walks & LENGTHS
    if step_off:
        lengths[ACROSS] = _at_least(min(rows - 1 - origin // COLUMNS for origin in first) + entry + 1)
    return lengths


def _distance(a: int, b: int) -> int:
    return max(abs(a // COLUMNS - b // COLUMNS), abs(a % COLUMNS - b % COLUMNS))


def _at_least(length: int) -> int:
    return LENGTHS & ~((1 << length) - 1)


def _winding(rows: int, origin: int, target: int) -> int:
    """Lengths of king8 walks between two cells of a field with this number of rows.

    With four rows every length from the distance to 13 exists (a test searches all). With more rows, two cells lie
    in four neighbouring rows, or the walk winds in its first four rows and then goes straight on.
    """
    if rows >= OPEN_ROWS:
        return _at_least(_distance(origin, target))
    return all_walks(rows, origin).get(target, 0)


@functools.cache
def all_walks(rows: int, origin: int) -> dict[int, int]:
    """Target -> lengths of all king8 walks from `origin` without a repeated card, by trying every set of cards."""
    cells = COLUMNS * rows
    near = [sum(1 << b for b in range(cells) if b != a and _distance(a, b) == 1) for a in range(cells)]
    walked = {1 << origin: 1 << origin}  # set of visited cells -> the cells where such a walk may stand
    lengths: dict[int, int] = {}
    for length in range(1, min(LONGEST, cells - 1) + 1):
        longer: dict[int, int] = {}
        for visited, stands in walked.items():
            for cell in range(cells):
                if not visited >> cell & 1 and near[cell] & stands:
                    key = visited | 1 << cell
                    longer[key] = longer.get(key, 0) | 1 << cell
        walked = longer
        for stands in walked.values():
            for cell in range(cells):
                if stands >> cell & 1:
                    lengths[cell] = lengths.get(cell, 0) | 1 << length
    return lengths
