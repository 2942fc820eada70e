"""The scene of 40 Bridges: the tiling of octagons and squares, the forty bridges, pieces, and closed sides."""

from __future__ import annotations

import math

from msgspec.structs import replace

from bridgehead.core.caching import cached_per_game
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import Choice, Item, MovementTrace, Part, Picture, Ways, base, circle
from bridgehead.games.forty_bridges.board import FIELDS, Board
from bridgehead.games.forty_bridges.rules import FIRST, OPENING, PASS, SWAP, TAKE, fields_of, may_swap, possible_starts
from bridgehead.games.forty_bridges.words import field_phrase, losses, opening_moves, seat_phrase

HALF, EDGE = 98.0, 100.0  # half a grid step; from the board's edge to the centres of the corner squares
SIZE, THICK = 8 * HALF + 2 * EDGE, 8.0
SIDE = 2 * HALF / (1 + math.sqrt(2))  # all sides of octagons and squares are equal
DIAGONAL = SIDE / math.sqrt(2)
NAME_OF_SQUARE, NAME_OF_OCTAGON = DIAGONAL - 11, 76.0  # distance of a field's name below its centre
PIECE_R, SQUARE_R, OCTAGON_R = 36.0, 40.0, 56.0
PIECE_SCALE = 1.24
PRESSED_R = 41.0
TAKEN_X, TAKEN_Y, TAKEN_APART, TAKEN_SCALE, TAKEN_R = 52.0, 15.0, 34.0, 0.46, 18.0  # pieces beside the fields
# The place of the count, by the side that must be free for it; above if none is free.
BADGE_PLACES = {(0, -1): (0, -52), (0, 1): (0, 56), (1, 0): (62, 0), (-1, 0): (-62, 0), (0, 0): (0, -52)}
# Lines of grain: height, place of the bend, its depth, and the fall.
GRAIN = (
    (38, 0.62, -16, -4), (131, 0.4, 20, 3), (228, 0.55, -22, 6), (322, 0.35, 14, -5), (447, 0.6, -12, 8),
    (561, 0.45, 24, -3), (668, 0.65, -20, -6), (774, 0.38, 18, 4), (865, 0.5, -14, 5), (938, 0.58, 12, -4),
)  # fmt: skip


def place(game: Game, field: int) -> tuple[float, float]:
    """The place of a field's centre on the picture."""
    x, y = game.board.places[field]
    return EDGE + HALF * x, EDGE + HALF * (8 - y)


def picture(game: Game, language: str) -> Picture:
    """The board: slab, octagons, bridges, squares. The fields have names and touch areas."""
    return Picture(SIZE, SIZE + THICK, _ground(game), tuple(_field(game, field, language) for field in range(FIELDS)), swap=True)


def _ground(game: Game) -> tuple[Item, ...]:
    names, corners = game.board.names, game.board.corners
    squares = [field for field in range(FIELDS) if game.board.is_square(field)]
    octagons = [field for field in range(FIELDS) if not game.board.is_square(field)]
    grain = "".join(f"M4 {y}Q{SIZE * bend_at:.0f} {y + bend} {SIZE - 4:.0f} {y + fall}" for y, bend_at, bend, fall in GRAIN)
    return (
        replace(base("slab", SIZE, SIZE, grain), cls="still plain"),
        Item("g:basin", 0, 0, (Part(use="fb-basin"),), cls="still"),
        *(_still(game, names[field], field, "octagon") for field in octagons),
        *(_bridge(game, one, other) for one in squares for other in game.board.step[one] if one < other),
        *(_still(game, names[field], field, "square") for field in squares),
        *(_still(game, f"corner-{seat}", corners[seat], "corner", game.spec.seat_letter(seat)) for seat in (0, 1)),
        Item("g:light", 0, 0, (Part(use="fb-light"),), cls="still"),
    )


def _still(game: Game, name: str, field: int, symbol: str, seat: str = "") -> Item:
    return Item(f"g:{name}", *place(game, field), (Part(use=f"fb-{symbol}"),), seat, "" if seat else "still")


def _bridge(game: Game, one: int, other: int) -> Item:
    """A plank bridge between two squares, over the side that two octagons share."""
    (ax, ay), (bx, by) = place(game, one), place(game, other)
    part = Part(use="fb-bridge") if ay == by else Part(use="fb-bridge-up")
    name = f"g:{game.board.names[one]}-{game.board.names[other]}"
    return Item(name, (ax + bx) / 2, (ay + by) / 2, (part,), cls="still")


def _field(game: Game, field: int, language: str) -> Item:
    name, is_square = game.board.names[field], game.board.is_square(field)
    sentence = field_phrase(game, field)
    if field in game.board.corners:
        sentence = phrase("item.corner", field=sentence, seat=seat_phrase(game.board.corners.index(field)))
        written = Part(text=name, cls="field-name", x=-45, y=45)  # beside the corner's frame
    else:
        written = Part(text=name, cls="field-name", y=NAME_OF_SQUARE if is_square else NAME_OF_OCTAGON)
    x, y = place(game, field)
    label, r = game.words.tell(sentence, language), SQUARE_R if is_square else OCTAGON_R
    return Item(f"f:{name}", x, y, (written,), cls="field", label=label, r=r)


def items(position: Position, language: str) -> tuple[Item, ...]:
    """The pieces, and bars at the closed sides of each piece that is one side from capture."""
    game, pieces, gone, found = position.game, [*map(int, position.state.pieces)], count_gone(position), []
    enough, touching = max(1, game.options.sides_needed - 1), _touching(game)
    for seat in (0, 1):
        free = _free(game, seat, language)
        for field in fields_of(pieces[seat]):
            closed = touching[field] & pieces[1 - seat]
            number = closed.bit_count()
            if number < enough:
                found.append(free[field])
            else:
                found.append(_piece(game, seat, field, number, language))
                found += _pressed(game, field, tuple(fields_of(closed)), language)
    for seat in (0, 1):
        found += _taken(game, seat, gone[seat], language)
    return tuple(found)


def ways(game: Game) -> Ways:
    """Steps and jumps, the corners, and the fields with pieces at the start."""
    board, names = game.board, [f"f:{name}" for name in game.board.names]
    joined = {(names[one], names[other]) for one, near in enumerate(board.step) for other in near}
    joined |= {(names[one], names[other]) for one, jumps in enumerate(board.jump) for _, other in jumps}
    marked = {names[field]: "piece" for pieces in game.law.opening for field in fields_of(int(pieces))}
    return Ways(frozenset(joined), marked | {names[corner]: "corner" for corner in board.corners})


@cached_per_game
def _taken(game: Game, seat: int, gone: int, language: str) -> tuple[Item, ...]:
    """The pieces of a seat that left the board. They lie at the edge of the player who took them, each in its place."""
    return tuple(_aside(game, seat, place, gone, language) for place in range(gone))


def count_gone(position: Position) -> list[int]:
    """How many pieces each seat has lost for certain: after an exchange the board may not tell who began with how many."""
    left = [int(pieces).bit_count() for pieces in position.read_only.pieces]
    starts = possible_starts(position.game.law, position.read_only)
    lost = [[had.bit_count() - has for had, has in zip(start, left, strict=True)] for start in starts]
    fitting = [each for each in lost if min(each) >= 0] or lost[:1]
    return [max(0, min(each[seat] for each in fitting)) for seat in (0, 1)]


def _aside(game: Game, seat: int, place: int, gone: int, language: str) -> Item:
    """A taken piece. place: its number, from 0. The first one says how many there are."""
    x, y = TAKEN_X + TAKEN_APART * place, SIZE - TAKEN_Y if seat else TAKEN_Y
    letter = game.spec.seat_letter(seat)
    label = "" if place else game.words.tell(phrase("item.taken", n=gone, seat=seat_phrase(seat)), language)
    return Item(taken_id(seat, place), x if seat else SIZE - x, y, disc(letter, TAKEN_SCALE), letter, "", label, r=TAKEN_R, z=5)


def taken_id(seat: int, place: int) -> str:
    """The item of a taken piece."""
    return f"x:{seat}.{place}"


@cached_per_game
def _touching(game: Game) -> list[int]:
    """The fields that touch each field, as bits of a whole number."""
    return [int(fields) for fields in game.law.touch]


@cached_per_game
def _free(game: Game, seat: int, language: str) -> tuple[Item, ...]:
    """A piece of a seat on each field, far from capture."""
    return tuple(_piece(game, seat, field, 0, language) for field in range(FIELDS))


@cached_per_game
def _piece(game: Game, seat: int, field: int, closed: int, language: str) -> Item:
    letter, name = game.spec.seat_letter(seat), game.board.names[field]
    where = {"field": field_phrase(game, field), "seat": seat_phrase(seat)}
    sentence = phrase("item.pressed" if closed else "item.piece", closed=closed, needed=game.options.sides_needed, **where)
    parts, label = disc(letter, PIECE_SCALE), game.words.tell(sentence, language)
    at = f"f:{name}"
    return Item(f"p:{seat}:{name}", *place(game, field), parts, letter, "piece", label, at, PIECE_R, 20, letter.upper())


def disc(letter: str, scale: float = 1) -> tuple[Part, Part]:
    """A piece: a disc with the seat's shape."""
    shape = Part(use=f"shape-{letter}", cls="shape", y=-4 * scale, scale=10.5 * scale)
    return Part(use="disc", y=-4 * scale, scale=scale), shape


@cached_per_game
def _pressed(game: Game, field: int, closed: tuple[int, ...], language: str) -> list[Item]:
    """A bar towards each closed side of a piece, and the number of closed sides at a free side."""
    name, (x, y) = game.board.names[field], place(game, field)
    bars, sides = [], set()
    for other in closed:
        ox, oy = place(game, other)
        far = math.hypot(ox - x, oy - y)
        across, down = (ox - x) / far, (oy - y) / far
        part = Part(use="fb-bar", turn=round(math.degrees(math.atan2(down, across))))
        bars.append(Item(f"d:{name}-{game.board.names[other]}", x + PRESSED_R * across, y + PRESSED_R * down, (part,), z=30))
        sides.add((round(across), round(down)) if 0 in (round(across, 1), round(down, 1)) else ())
    dx, dy = next(place for side, place in BADGE_PLACES.items() if side not in sides or side == (0, 0))
    needed = int(game.options.sides_needed)
    pips = [circle(5, 16 * (i - (needed - 1) / 2), 0) for i in range(needed)]  # one for each side, filled where it is closed
    on, off = "".join(pips[: len(closed)]), "".join(pips[len(closed) :])
    parts = (Part(use="fb-badge"), *(Part(d=d, cls=cls) for d, cls in ((on, "press-on"), (off, "press-off")) if d))
    return [*bars, Item(f"d:{name}", x + dx, y + dy, parts, z=31)]


def goal(game: Game, seat: int) -> Phrase:
    if seat < 0:
        return phrase("goal")
    corner = game.board.names[game.board.corners[1 - seat]]
    return phrase("goal.own", corner=corner, other=seat_phrase(1 - seat), colour=seat_phrase(seat))


def lines(position: Position, seat: int) -> list[Phrase]:
    """Pieces left and pieces lost."""
    gone = count_gone(position)[seat]
    left = phrase("plate.pieces", n=len(fields_of(position.state.pieces[seat])))
    return [left, phrase("plate.gone", n=gone)] if gone else [left]


def choice(position: Position, action: int, language: str) -> Choice:
    game, seat, text = position.game, position.actor, position.name(action)
    names, tell = game.board.names, game.words.tell
    if action == SWAP:
        return Choice(action, text, tell(phrase("choice.swap"), language), ("!swap",), "button")
    if action >= FIRST:
        place = "!opening" if action >= OPENING else "!first"
        return Choice(action, text, position.sentence(action, language), (place,), "button")
    if action >= TAKE:
        label = tell(phrase("choice.take", field=field_phrase(game, action - TAKE)), language)
        return Choice(action, text, label, (f"p:{1 - seat}:{names[action - TAKE]}",), "take")
    if action == PASS:
        return Choice(action, text, tell(phrase("choice.pass"), language), ("!pass",), "button")
    start, end = action // FIELDS, action % FIELDS
    kind, note = _consequence(position, action, language)
    confirm = tell(phrase("confirm.lost", end=names[end]), language) if kind == "warn" else ""
    over = ", ".join(names[field] for field in jumped_over(position, start, end))
    kind = "leap" if over and kind == "go" else kind
    sentence = phrase("choice.jump" if over else "choice.step", start=names[start], end=names[end], over=over)
    path = (f"p:{seat}:{names[start]}", f"f:{names[end]}")
    return Choice(action, text, tell(sentence, language), path, kind, note, confirm=confirm)


def jumped_over(position: Position, start: int, end: int) -> list[int]:
    """The own pieces under a jump (a bent jump may have two ways with the same result)."""
    law = position.game.law
    between = int(law.between[start, end]) | int(law.between_bent[start, end])
    return fields_of(between & int(position.state.pieces[position.actor]))


def _consequence(position: Position, action: int, language: str) -> tuple[str, str]:
    """The mark of a move's target and a note about its effect, found by playing it."""
    game, after = position.game, position.play(action)
    taken, lost = losses(position, after)
    if taken:
        fields = ", ".join(game.board.names[field] for field in taken)
        kind, note = "take", [phrase("note.takes", fields=fields)]
    elif after.state.takes:
        kind, note = "take", [phrase("note.choose")]
    elif lost:
        kind, note = "warn", [phrase("note.lost")]
    else:
        kind, note = "go", []
    if after.outcome:
        ending = {(position.actor,): "note.wins", (): "note.draws"}.get(after.outcome.winners, "note.loses")
        note.append(phrase(ending))
    return kind, ", ".join(game.words.tell(part, language) for part in note)


def traces(before: Position, action: int, after: Position) -> tuple[MovementTrace, ...]:
    """The path of the piece that moved, then those of the pieces that left the board."""
    if action >= OPENING:
        return tuple(_moved(before.game, *move) for move in opening_moves(before, action))
    if before.is_chance or action == SWAP:
        return ()
    names, seat, found = before.game.board.names, before.actor, []
    taken, lost = losses(before, after)
    if action < PASS:
        start, end = f"f:{names[action // FIELDS]}", f"f:{names[action % FIELDS]}"
        if not lost:
            found.append(_moved(before.game, seat, *divmod(action, FIELDS)))
    gone = [(seat, (start, end)) for _ in lost] + [(1 - seat, (f"f:{names[field]}",)) for field in taken]
    for owner in (0, 1):
        ways = [way for each, way in gone if each == owner]
        lying = count_gone(after)[owner]
        ids = [taken_id(owner, place) for place in range(max(0, lying - len(ways)), lying)]
        found += [MovementTrace(item, (*way, item), "tips") for item, way in zip(ids, ways, strict=False)]
    return tuple(found)


def _moved(game: Game, seat: int, start: int, end: int) -> MovementTrace:
    """The path of a piece that moves."""
    names, leaps = game.board.names, end not in game.board.step[start]
    return MovementTrace(f"p:{seat}:{names[end]}", (f"f:{names[start]}", f"f:{names[end]}"), "leaps" if leaps else "")


def last(before: Position, action: int) -> tuple[str, str]:
    names = before.game.board.names
    if action < PASS:
        return f"f:{names[action // FIELDS]}", f"f:{names[action % FIELDS]}"
    return "", f"f:{names[action - TAKE]}" if TAKE <= action < FIRST else ""


def buttons(position: Position, language: str) -> dict[str, str]:
    """The buttons to exchange sides, while that is possible, and to pass, if a blocked player passes."""
    game = position.game
    names = ["swap"] if may_swap(position.read_only, game.law) else []
    names += ["pass"] if game.options.no_moves == "pass" else []
    return {f"!{name}": game.words.tell(phrase(f"choice.{name}"), language) for name in names}


def find_touched_action(position: Position, touch: tuple[str, ...]) -> int | None:
    board: Board = position.game.board
    if touch[-1:] == ("!pass",):
        return PASS
    if touch[-1:] == ("!swap",):
        return SWAP if position.game.law.pie else None
    fields = [field for field in (board.field(each.rpartition(":")[2]) for each in touch) if field is not None]
    if not fields:
        return None
    if position.state.takes:
        return TAKE + fields[-1]
    if len(fields) > 1:
        return fields[0] * FIELDS + fields[-1]
    if any(action // FIELDS == fields[0] for action in position.legal):
        return None
    return fields[0] * FIELDS + board.step[fields[0]][0]  # an opposing piece, or one without a move
