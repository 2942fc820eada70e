"""The scene of Barricade: the slab with its routed way, homes, pawns, barricades and the die. Units are the picture's."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterable
from typing import NamedTuple

from bridgehead.core.caching import cached_per_game
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import Choice, Face, Item, MovementTrace, Part, Picture, Ways, base, rectangle, whereabouts
from bridgehead.games.barricade import actions, progress, rules, words
from bridgehead.games.barricade.board import Board, Home, Point, column
from bridgehead.games.barricade.rules import Reason, first_move, ground, has_barricade, places_of
from bridgehead.games.barricade.walks import one_way

# -- layout: squares, home trays and the die; a cell is 48 wide --------------------------------------------------------
Spot = tuple[float, float]
CELL, EDGE, GAP, THICK = 48, 36, 14, 8
PAD = 26  # from the centre of an outer place of a home to the edge of its tray
BLOCKS = ((3, 4), (3, 3), (2, 3))  # sizes of a free block of cells for the die, the best first
ASIDE = 3  # columns added for the die if a board has no free cells


class Tray(NamedTuple):
    """A home as drawn: its rounded rectangle (left, top, width, height), the place of its letter, and its places for pawns.

    The place nearest to the entry comes first. The pawn on it represents all waiting pawns.
    """

    box: tuple[float, float, float, float] | None
    letter: Spot | None
    slots: tuple[Spot, ...]


class DrawingLayout(NamedTuple):
    """The whole drawing: its size, the centres of all squares, the homes, and the centre of the die's corner."""

    width: float
    height: float
    squares: tuple[Spot, ...]
    trays: tuple[Tray, ...]
    die: Spot


@functools.lru_cache(maxsize=16)
def layout(board: Board) -> DrawingLayout:
    """The drawing of a board."""
    lowest = max(y for _, y in board.squares)
    taken = {*board.squares, *(slot for home in board.homes for slot in home.slots)}
    trays = tuple(_tray(board, home, taken, lowest) for home in board.homes)
    used = taken | {cell for home in board.homes for cell in _cells(home)}
    rows = max(board.height, *(y + 1 for _, y in used))
    across, down, aside = _free_block(board.width, rows, used)
    centre = _at((across, down), lowest)
    width = EDGE * 2 + CELL * (board.width + aside)
    return DrawingLayout(width, EDGE * 2 + CELL * rows + GAP + THICK, tuple(_at(p, lowest) for p in board.squares), trays, centre)


def _at(point: Spot, lowest: int) -> Spot:
    """The centre of a cell. A small gap separates cells below the lowest row of squares."""
    x, y = point
    return EDGE + CELL * (x + 0.5), EDGE + CELL * (y + 0.5) + (GAP if y > lowest else 0)


def _cells(home: Home) -> list[Point]:
    """The rectangle of cells around a home's places, with one more row for its letter if all cells are places."""
    xs, ys = [x for x, _ in home.slots], [y for _, y in home.slots]
    cells = [(x, y) for y in range(min(ys), max(ys) + 1) for x in range(min(xs), max(xs) + 1)]
    if set(cells) <= set(home.slots):
        cells += [(x, max(ys) + 1) for x in range(min(xs), max(xs) + 1)]
    return cells


def _tray(board: Board, home: Home, taken: set[Point], lowest: int) -> Tray:
    ex, ey = board.squares[home.entry]
    slots = sorted(home.slots, key=lambda slot: (abs(slot[0] - ex) + abs(slot[1] - ey), slot))
    places = tuple(_at(slot, lowest) for slot in slots)
    cells = _cells(home)
    free = [cell for cell in cells if cell not in home.slots]
    if any(cell in taken for cell in free):
        return Tray(None, None, places)
    centres = [_at(cell, lowest) for cell in cells]
    left, top = min(x for x, _ in centres) - PAD, min(y for _, y in centres) - PAD + 2
    right, bottom = max(x for x, _ in centres) + PAD, max(y for _, y in centres) + PAD
    middle = (left + right) / 2
    letter = min((_at(cell, lowest) for cell in free), key=lambda at: (-at[1], abs(at[0] - middle)))
    if len({y for _, y in free}) == 1 and len(free) % 2 == 0:
        letter = (middle, letter[1])
    return Tray((left, top, right - left, bottom - top), letter, places)


def _free_block(width: int, rows: int, used: set[Point]) -> tuple[float, float, int]:
    """The centre of a free block of cells for the die, far left and near the middle row, or of extra columns beside the board."""
    for wide, high in BLOCKS:
        places = [(x, abs(y + high / 2 - rows / 2), y) for x in range(width - wide + 1) for y in range(rows - high + 1)]
        if found := [
            (x, far, y) for x, far, y in places if used.isdisjoint((x + i, y + j) for i in range(wide) for j in range(high))
        ]:
            x, _, y = min(found)
            return x + wide / 2 - 0.5, y + high / 2 - 0.5, 0
    return width + ASIDE / 2 - 0.5, rows / 2 - 0.5, ASIDE


# -- the scene ---------------------------------------------------------------------------------------------------------
SQUARE_R, HOME_R = 22.0, 70.0
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def picture(game: Game, language: str) -> Picture:
    """The board: slab, routed way, trays; squares and homes as fields."""
    drawn = layout(game.board)
    width, height, places, pairs = drawn.width, drawn.height - THICK, drawn.squares, enumerate(game.board.neighbours)
    way = channel((places[one], places[other]) for one, near in pairs for other in near if other > one)
    slab = base("slab", width, height, _grain(width, height), _panel(width, height))
    still = (slab, _painting(game.board), _names(game), Item("g:channel", 0, 0, way), *_trays(game))
    fields = [_field(game, square, language) for square in range(len(game.board.squares))]
    for home in range(len(game.board.homes)):
        fields += _home_fields(game, home, language)
    fields.append(Item("f:hand", drawn.die[0], drawn.die[1] + 56))
    return Picture(drawn.width, drawn.height, still, tuple(fields))


def _panel(width: float, height: float) -> tuple[Part, ...]:
    """The painted panel in its wooden edge, with two thin lines, and the light on it."""
    insets = ((13, 14, "lacquer"), (19, 10, "lacquer-line"), (24, 7, "lacquer-hair"), (13, 14, "lacquer-shine"))
    return tuple(Part(d=rectangle(a, a, width - 2 * a, height - 2 * a, r), cls=cls) for a, r, cls in insets)


def _painting(board: Board) -> Item:
    """Flowers in the free cells: bouquets in the large blocks, blossoms in the small ones, the same on both sides."""
    lowest, wide = max(y for _, y in board.squares), board.width
    used = {*board.squares, *(cell for home in board.homes for cell in _cells(home))}
    parts = []
    for symbol, across, down in (("ba-bouquet", 4, 4), ("ba-bouquet", 3, 3), ("ba-blossom", 1, 1)):
        scale = min(across, down) / 3 if symbol == "ba-bouquet" else 0.9
        for y in range(min(y for _, y in board.squares), lowest - down + 2):
            for x in range((wide + 1) // 2 - across // 2 if across > 1 else (wide + 1) // 2):
                one = {(x + i, y + j) for i in range(across) for j in range(down)}
                other = {(wide - 1 - i, j) for i, j in one}
                if (one | other) & used or (one & other and one != other):
                    continue
                if across == 1 and ((x + wide // 2) % 2 or not _enclosed(board, (x, y))):
                    continue
                used |= one | other
                for left in dict.fromkeys((x, wide - across - x)):
                    at_x, at_y = _at((left + across / 2 - 0.5, y + down / 2 - 0.5), lowest)
                    parts.append(Part(use=symbol, x=at_x, y=at_y, scale=round(scale, 2)))
    return Item("g:painting", 0, 0, tuple(parts), cls="still")


def _enclosed(board: Board, cell: Point) -> bool:
    """Whether squares lie on all four sides of a cell."""
    x, y = cell
    row, line = [u for u, v in board.squares if v == y], [v for u, v in board.squares if u == x]
    return bool(row and line) and min(row) < x < max(row) and min(line) < y < max(line)


def _grain(width: float, height: float) -> str:
    """A few faint lines of grain."""
    rng, lines = random.Random(4), []
    for _ in range(int(height / 42)):
        y, bend = rng.uniform(14, height - 14), rng.uniform(-26, 26)
        middle, end = width * rng.uniform(0.3, 0.7), min(max(y + rng.uniform(-10, 10), 14), height - 14)
        lines.append(f"M5 {y:.0f}Q{middle:.0f} {min(max(y + bend, 6), height - 6):.0f} {width - 5:.0f} {end:.0f}")
    return "".join(lines)


def _names(game: Game) -> Item:
    """Column letters along the upper edge and row numbers along the left edge, as in the sentences."""
    board, places = game.board, layout(game.board).squares
    across = {x: (column(x), places[square][0]) for square, (x, _) in enumerate(board.squares)}
    lowest = max(y for _, y in board.squares)
    down = {y: (str(lowest - y + 1), places[square][1]) for square, (_, y) in enumerate(board.squares)}
    letters = [Part(text=name, cls="field-name", x=x, y=27) for name, x in across.values()]
    numbers = [Part(text=name, cls="field-name", x=22, y=y + 4) for name, y in down.values()]
    return Item("g:names", 0, 0, (*letters, *numbers), cls="still")


def channel(ways: Iterable[tuple[Spot, Spot]]) -> tuple[Part, ...]:
    """The routed way: one thick line through these pairs of neighbouring squares."""
    d = "".join(f"M{ax:g} {ay:g}L{bx:g} {by:g}" for (ax, ay), (bx, by) in ways)
    layers = ("channel-edge", 0.0, 0.0), ("channel-in", 0.0, 0.0), ("channel", 0.6, 0.9)
    return Part(d=d, cls="board-cast", x=3, y=6), *(Part(d=d, cls=cls, x=x, y=y) for cls, x, y in layers)


def home_seat(game: Game, home: int) -> str:
    """The livery letter of a home of the board; "" for an unused home."""
    for colour in range(game.law.colours):
        if int(game.law.home[colour]) == len(game.board.squares) + home:
            return game.spec.seat_letter(colour)
    return ""


def _trays(game: Game) -> list[Item]:
    drawn, found = layout(game.board), []
    for home, tray in enumerate(drawn.trays):
        letter = home_seat(game, home)
        parts = [_stem(drawn.squares[game.board.homes[home].entry], tray.slots[0])] if letter else []
        if tray.box:
            box, (left, top, wide, high) = rectangle(*tray.box, 20), tray.box
            inner = rectangle(left + 5, top + 5, wide - 10, high - 10, 16)
            layers = (("tray-side", 6), ("tray", 0), ("tray-lit", 0)) if letter else (("slab-line", 0),)
            parts += [Part(d=box, cls=cls, y=y) for cls, y in layers]
            parts += [Part(d=inner, cls="tray-line")] if letter else []
        parts += [Part(use="ba-slot" if letter else "ba-empty-slot", x=x, y=y) for x, y in tray.slots]
        if letter and tray.letter:
            shape, (x, y) = f"shape-{letter}", tray.letter
            parts.append(Part(use=shape, cls="tray-shape", x=x, y=y - 9, scale=8.2))
            parts.append(Part(text=letter.upper(), cls="tray-letter", x=x, y=y + 16))
        found.append(Item(f"g:home{game.board.homes[home].id}", 0, 0, tuple(parts), seat=letter))
    return found


def _stem(entry: Spot, slot: Spot) -> Part:
    """The short bar from the square in front of a home to its tray."""
    (ax, ay), (bx, by) = entry, slot
    far = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    dx, dy = (bx - ax) / far, (by - ay) / far
    d = f"M{ax + 18 * dx:g} {ay + 18 * dy:g}L{bx - 22 * dx:g} {by - 22 * dy:g}"
    return Part(d=d, cls="tray-stem")


def _field(game: Game, square: int, language: str) -> Item:
    board, name = game.board, game.board.names[square]
    x, y = layout(board).squares[square]
    sentence, symbol, letter = phrase("label.square", square=name), "ba-well", ""
    if square == board.final:
        sentence, symbol = phrase("label.final", square=name), "ba-final"
    elif square in board.barricades:
        symbol = "ba-dark"
    for home, each in enumerate(board.homes):
        if each.entry == square:
            sentence, letter = phrase("label.entry", square=name, home=each.id), home_seat(game, home)
            symbol = "ba-entry" if letter else "ba-well"
    parts: tuple[Part, ...] = (Part(use=symbol),)
    if square in board.left_out and isinstance(game.options.board, dict):
        parts, sentence = (*parts, Part(use="ba-dark", scale=0.5)), phrase("label.left_out", square=name)
    return Item(f"f:{name}", x, y, parts, letter, "field", game.words.tell(sentence, language), r=SQUARE_R)


def _home_fields(game: Game, home: int, language: str) -> list[Item]:
    """The touch area of a home, and a point for each place in it."""
    tray, name = layout(game.board).trays[home], f"home{game.board.homes[home].id}"
    label = game.words.tell(phrase("label.homeField", home=game.board.homes[home].id), language)
    points = [Item(f"f:{name}.{k}", x, y) for k, (x, y) in enumerate(tray.slots)]
    x, y = tray.slots[0]
    return [
        *points,
        Item(f"f:{name}", x, y, cls="field", label=label if home_seat(game, home) else "", r=HOME_R if tray.box else SQUARE_R),
    ]


def items(position: Position, language: str) -> tuple[Item, ...]:
    """Barricades, pawns and the die."""
    game, state = position.game, position.state
    found = [_barricade(game, square, language) for square in words.barricades(position)]
    if state.phase == rules.PLACE:
        found.append(_hand(game, language))
    for colour, at_home in enumerate(state.at_home[: game.law.colours]):
        places = places_of(game.law, state, colour)
        ahead = [places[:i].count(place) for i, place in enumerate(places)]
        found += [_pawn(game, colour, *stands, at_home, language) for stands in zip(places, ahead, strict=True)]
    if state.phase != rules.DRAW:
        found.append(_die(game, int(state.die), int(state.seat), position.is_over, language))
    return tuple(found)


def ways(game: Game) -> Ways:
    """The ways between squares and from each home; the final square, seated homes, barricades, and the first row."""
    board, law = game.board, game.law
    names = [f"f:{name}" for name in board.names]
    joined = {(names[one], names[other]) for one, near in enumerate(board.neighbours) for other in near}
    marked = {names[square]: "first row" for square in board.first_row}
    marked |= {names[square]: "barricade" for square in board.barricades} | {names[board.final]: "goal"}
    for colour in range(int(law.colours)):
        home = board.homes[int(law.home[colour]) - law.squares]
        joined.add((f"f:home{home.id}", names[home.entry]))
        marked[f"f:home{home.id}"] = "home"
    return Ways(frozenset(joined), marked)


@cached_per_game
def _hand(game: Game, language: str) -> Item:
    """The barricade in hand."""
    label, (x, y) = game.words.tell(phrase("label.hand"), language), layout(game.board).die
    return Item("b:hand", x, y + 56, (Part(use="ba-barricade"),), "", "piece", label, "f:hand", z=10)


@cached_per_game
def _barricade(game: Game, square: int, language: str) -> Item:
    name, (x, y) = game.board.names[square], layout(game.board).squares[square]
    label = game.words.tell(phrase("label.barricade", square=name), language)
    return Item(f"b:{name}", x, y, (Part(use="ba-barricade"),), "", "piece", label, f"f:{name}", SQUARE_R, 10, "#")


@cached_per_game
def _pawn(game: Game, colour: int, place: int, ahead: int, at_home: int, language: str) -> Item:
    """A pawn; ahead: how many of its colour stand in front of it. At home, only the front pawn can be touched."""
    drawn, law = layout(game.board), game.law
    letter, seat, name = (
        game.spec.seat_letter(colour),
        words.seat_phrase(game, int(law.seat_of[colour])),
        words.place_name(game, place),
    )
    sentence, at, (x, y) = phrase("label.pawn", seat=seat, square=name), f"f:{name}", drawn.squares[min(place, law.squares - 1)]
    if place == int(law.home[colour]):
        x, y = drawn.trays[place - law.squares].slots[ahead]
        sentence = phrase("label.pawnHome", seat=seat, count=at_home)
        name, at = f"{name}.{ahead}", f"{at}.{ahead}" if ahead else at
    label = "" if ahead else game.words.tell(sentence, language)
    parts = (Part(use="ba-pawn"), Part(use=f"shape-{letter}", cls="shape", y=7, scale=5.6))
    glyph = letter.upper() if label else ""
    return Item(f"p:{letter}:{name}", x, y, parts, letter, "piece stands", label, at, SQUARE_R, 20, glyph)


def die_parts(number: int, scale: float = 1) -> list[Part]:
    """A die that shows a number; 0: nothing yet."""
    parts = [Part(use="ba-die", scale=scale)]
    if number in PIPS:
        parts += [Part(use="ba-pip", x=15 * scale * dx, y=15 * scale * dy, scale=scale) for dx, dy in PIPS[number]]
    elif number:
        parts.append(Part(text=str(number), cls="caption", y=11 * scale, scale=2 * scale))
    return parts


def face(position: Position, action: int, language: str) -> Face:
    """What the real die shows, or the first seat that was drawn."""
    made, text = words.meaning(position.game, action), position.name(action)
    if made.kind != actions.ROLL:
        return Face(action, text, position.sentence(action, language))
    label = position.game.words.tell(phrase("die.face", number=made.number), language)
    return Face(action, text, label, tuple(die_parts(made.number)), width=66, height=70)


@cached_per_game
def _die(game: Game, number: int, seat: int, over: bool, language: str) -> Item:
    """The die in the home of the seat that rolled it or will roll it. Its label is the same for every reader."""
    (x, y), scale = _die_place(game, seat)
    sentence = phrase("die.rolled" if number else "die.waiting", die=number)
    label = game.words.tell(sentence, language) if number or not over else ""
    letter, cls = game.spec.seat_letter(int(game.law.colour_of[seat][0])), "rolls" if number else ""
    return Item("d:die", x, y, tuple(die_parts(number, scale)), letter, cls, label, r=SQUARE_R, z=25)


def _die_place(game: Game, seat: int) -> tuple[Spot, float]:
    """The place of the die and its scale: over the letter of the home, or aside if the home has none."""
    drawn, law = layout(game.board), game.law
    tray = drawn.trays[int(law.home[int(law.colour_of[seat][0])]) - law.squares]
    if tray.letter is None or tray.box is None:
        x, y = drawn.die
        return (x, y - 30), 1
    return tray.letter, 0.8


def goal(game: Game, seat: int) -> Phrase:
    drawn = layout(game.board)
    x, y = drawn.squares[game.board.final]
    where = whereabouts(x, y, drawn.width, drawn.height)
    return phrase("goal", where=where) if seat < 0 else phrase("goal.own", where=where, colours=_colours(game, seat))


def _colours(game: Game, seat: int) -> Phrase:
    """The colours of a seat by name."""
    first, *more = (phrase(f"seat.{game.spec.seat_letter(colour)}") for colour in words.colours_of(game, seat))
    return phrase("both", one=first, two=more[0]) if more else first


def lines(position: Position, seat: int) -> list[Phrase]:
    """The seat's pawns at home and out, its nearest pawn, its colours, its mates."""
    game, colours = position.game, words.colours_of(position.game, seat)
    home = sum(int(position.state.at_home[colour]) for colour in colours)
    steps = progress.nearest(position, seat)
    found = [phrase("plate.pawns", home=home, out=int(game.law.pawns) * len(colours) - home)]
    found.append(phrase("plate.nearest", n=steps) if steps else phrase("plate.won"))
    if len(colours) == 2:
        found.append(phrase("plate.colours", colours=_colours(game, seat)))
    side = game.law.side
    mates = [words.seat_phrase(game, other) for other in range(game.seats) if side[other] == side[seat] and other != seat]
    if mates:
        together: Phrase = mates[0]
        for mate in mates[1:]:
            together = phrase("both", one=together, two=mate)
        found.append(phrase("plate.side", mates=together))
    return found


def choice(position: Position, action: int, language: str) -> Choice:
    game, act = position.game, words.meaning(position.game, action)
    tell = game.words.tell
    if act.kind == actions.MOVE:
        note, other = _note(position, act)
        return _move(game, action, _pawn_id(position, act.origin, 0), note, other, language)
    text = position.name(action)
    if act.kind == actions.PASS:
        return Choice(action, text, tell(phrase("label.pass"), language), ("!pass",), "button")
    if act.kind in (actions.ROLL, actions.FIRST):
        return Choice(action, text, position.sentence(action, language), (f"!{text}",), "button")
    square = game.board.names[act.square]
    label, confirm = (tell(phrase(key, square=square), language) for key in ("label.place", "confirm.place"))
    return Choice(action, text, label, (f"f:{square}",), confirm=confirm)


@cached_per_game
def _move(game: Game, action: int, pawn: str, note: str, other: int, language: str) -> Choice:
    """A pawn's move. note, other: the effect of its landing, and the seat concerned."""
    tell, act = game.words.tell, words.meaning(game, action)
    square = game.board.names[act.square]
    origin = words.place_name(game, act.origin) if act.origin < game.law.squares else phrase("home")
    label = tell(phrase("label.move", origin=origin, square=square), language)
    text = words.name_of(game, action)
    brings = phrase(note, other=words.seat_phrase(game, other)) if other >= 0 else phrase(note)
    kind = "take" if note and note != "note.final" else "go"
    return Choice(action, text, label, (pawn, f"f:{square}"), kind, tell(brings, language) if note else "")


def _note(position: Position, act: words.Meaning) -> tuple[str, int]:
    """The effect of a landing, and the seat of a taken pawn; "" and -1 if there is none."""
    if act.square == position.game.board.final:
        return "note.final", -1
    if has_barricade(position.read_only, act.square):
        return "note.barricade", -1
    colour = int(position.state.owner[act.square])
    if colour >= 0 and act.square != act.origin:
        return "note.pawn", int(position.game.law.seat_of[colour])
    return "", -1


def _pawn_id(position: Position, place: int, waiting: int) -> str:
    """The id of the pawn on a square, or of a pawn waiting at home, counted from the front."""
    game, law = position.game, position.game.law
    if place < law.squares:
        return f"p:{game.spec.seat_letter(int(position.state.owner[place]))}:{words.place_name(game, place)}"
    return f"p:{home_seat(game, place - law.squares)}:{words.place_name(game, place)}.{waiting}"


def _spot(position: Position, place: int, waiting: int) -> str:
    """The field under the pawn on a square, or under a pawn waiting at home."""
    name = words.place_name(position.game, place)
    return f"f:{name}" if place < position.game.law.squares or waiting == 0 else f"f:{name}.{waiting}"


def traces(before: Position, action: int, after: Position) -> tuple[MovementTrace, ...]:
    """The pawn along one legal way, then the pawn or barricade that it removed; a barricade from the hand to its square."""
    game, act = before.game, words.meaning(before.game, action)
    names = game.board.names
    if act.kind == actions.PLACE:
        return (MovementTrace(f"b:{names[act.square]}", ("f:hand", f"f:{names[act.square]}"), "lifts"),)
    if act.kind != actions.MOVE:
        return ()
    rolled = int(before.state.die)
    way = one_way(ground(game.options, game.board), act.origin, rolled, act.square, words.barricade_bits(before))
    start = _spot(before, act.origin, _waiting(before, act.origin) - 1)
    found = [MovementTrace(_pawn_id(after, act.square, 0), (start, *(f"f:{names[square]}" for square in way)))]
    there = f"f:{names[act.square]}"
    colour = int(before.state.owner[act.square])
    if colour >= 0 and act.square != act.origin:
        home = int(game.law.home[colour])
        last = _waiting(after, home) - 1
        found.append(MovementTrace(_pawn_id(after, home, last), (there, _spot(after, home, last)), "tips"))
    if after.state.phase == rules.PLACE:
        found.append(MovementTrace("b:hand", (there, "f:hand"), "lifts"))
    return tuple(found)


def _waiting(position: Position, home: int) -> int:
    """The number of pawns in a home; 1 for a square."""
    game = position.game
    if home < game.law.squares:
        return 1
    return int(position.state.at_home[game.law.colour_at[home - game.law.squares]])


def last(before: Position, action: int) -> tuple[str, str]:
    game, act = before.game, words.meaning(before.game, action)
    if act.kind == actions.PLACE:
        return "", f"f:{game.board.names[act.square]}"
    if act.kind != actions.MOVE:
        return "", ""
    return _spot(before, act.origin, _waiting(before, act.origin) - 1), f"f:{game.board.names[act.square]}"


def buttons(position: Position, language: str) -> dict[str, str]:
    """The button to pass."""
    return {"!pass": position.game.words.tell(phrase("label.pass"), language)}


def find_touched_action(position: Position, touch: tuple[str, ...]) -> int | None:
    game = position.game
    if not touch or position.state.phase not in (rules.MOVE, rules.PLACE):
        return None
    if touch[-1] == "!pass":
        return position.read("pass")
    places = [place for place in (_place(game, each) for each in touch) if place is not None]
    if not places:
        return None
    if position.state.phase == rules.PLACE:
        return position.read(f"place {words.place_name(game, places[-1])}") if places[-1] < game.law.squares else None
    if len(places) > 1 and places[-1] < game.law.squares:
        return position.read(f"{words.place_name(game, places[0])}-{words.place_name(game, places[-1])}")
    return _most_telling(position, places[0])


def _place(game: Game, touched: str) -> int | None:
    """The square or home of an id of the scene."""
    name = touched.rpartition(":")[2].partition(".")[0]
    count = len(game.board.squares)
    homes = {f"home{home.id}": count + index for index, home in enumerate(game.board.homes)}
    return game.board.names.index(name) if name in game.board.names else homes.get(name)


def _most_telling(position: Position, origin: int) -> int | None:
    """The refused move from a place with the most specific reason: a barricade on the way, else another reason."""
    law, state = position.game.law, position.read_only
    start = int(first_move(law)) + origin * law.squares
    codes = {action: int(rules.refusal(state, law, action)) for action in range(start, start + law.squares)}
    if Reason.OK in codes.values():
        return None
    general = (Reason.DISTANCE, Reason.TURNING_BACK, Reason.TWICE)
    order = {code: (code in general, code != Reason.BARRICADE) for code in set(codes.values())}
    return min(codes, key=lambda action: (order[codes[action]], int(law.steps[origin, action - start])))
