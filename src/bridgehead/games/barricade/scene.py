"""The scene of Barricade: the slab with its routed way, homes, pawns, barricades and the die."""

from __future__ import annotations

import random

from bridgehead.core.caching import kept
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import Choice, Item, Part, Picture, Plate, Trace, rectangle
from bridgehead.games.barricade import actions, rules
from bridgehead.games.barricade.board import column
from bridgehead.games.barricade.layout import CELL, THICK, Tray, layout
from bridgehead.games.barricade.moves import No, has_barricade
from bridgehead.games.barricade.state import first_move, ground, places_of
from bridgehead.games.barricade.walks import one_way
from bridgehead.games.barricade.words import (
    Meaning,
    barricade_bits,
    barricades,
    colours_of,
    meaning,
    name_of,
    place_name,
    seat_phrase,
)

SQUARE_R, HOME_R = 22.0, 70.0
PHONE, TOUCH = 360, 44  # pixels
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
    still = (_slab(drawn.width, drawn.height - THICK), _names(game), _channel(game), *_trays(game))
    fields = [_field(game, square, language) for square in range(len(game.board.squares))]
    for home in range(len(game.board.homes)):
        fields += _home_fields(game, home, language)
    fields.append(Item("f:hand", drawn.die[0], drawn.die[1] + 56))
    return Picture(drawn.width, drawn.height, still, tuple(fields), window=CELL * PHONE / drawn.width < TOUCH)


def _slab(width: float, height: float) -> Item:
    """A rounded wooden board with an edge below, a thin line inside, and a few faint lines of grain."""
    rng, lines = random.Random(4), []
    for _ in range(int(height / 42)):
        y, bend = rng.uniform(14, height - 14), rng.uniform(-26, 26)
        middle, end = width * rng.uniform(0.3, 0.7), min(max(y + rng.uniform(-10, 10), 14), height - 14)
        lines.append(f"M5 {y:.0f}Q{middle:.0f} {min(max(y + bend, 6), height - 6):.0f} {width - 5:.0f} {end:.0f}")
    parts = (
        Part(d=rectangle(0, THICK, width, height, 22), cls="slab-side"),
        Part(d=rectangle(0, 0, width, height, 22), cls="slab"),
        Part(d="".join(lines), cls="grain"),
        Part(d=rectangle(9, 9, width - 18, height - 18, 15), cls="slab-line"),
    )
    return Item("g:slab", 0, 0, parts, cls="still")


def _names(game: Game) -> Item:
    """Column letters along the upper edge and row numbers along the left edge, as in the sentences."""
    board, places = game.board, layout(game.board).squares
    across = {x: (column(x), places[square][0]) for square, (x, _) in enumerate(board.squares)}
    lowest = max(y for _, y in board.squares)
    down = {y: (str(lowest - y + 1), places[square][1]) for square, (_, y) in enumerate(board.squares)}
    letters = [Part(text=name, cls="field-name", x=x, y=27) for name, x in across.values()]
    numbers = [Part(text=name, cls="field-name", x=22, y=y + 4) for name, y in down.values()]
    return Item("g:names", 0, 0, (*letters, *numbers), cls="still")


def _channel(game: Game) -> Item:
    """The routed way: one thick line through all neighbouring squares."""
    places, line = layout(game.board).squares, []
    for square, near in enumerate(game.board.neighbours):
        for other in near:
            if other > square:
                (ax, ay), (bx, by) = places[square], places[other]
                line.append(f"M{ax:g} {ay:g}L{bx:g} {by:g}")
    d = "".join(line)
    return Item("g:channel", 0, 0, (Part(d=d, cls="channel-edge"), Part(d=d, cls="channel")))


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
            parts.append(Part(d=rectangle(*tray.box, 20), cls="tray" if letter else "slab-line"))
        parts += [Part(use="ba-slot" if letter else "ba-empty-slot", x=x, y=y) for x, y in tray.slots]
        if letter and tray.letter:
            parts += _letter(letter, *tray.letter)
        found.append(Item(f"g:home{game.board.homes[home].id}", 0, 0, tuple(parts), seat=letter))
    return found


def _stem(entry: tuple[float, float], slot: tuple[float, float]) -> Part:
    """The short bar from the square in front of a home to its tray."""
    (ax, ay), (bx, by) = entry, slot
    far = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    dx, dy = (bx - ax) / far, (by - ay) / far
    d = f"M{ax + 18 * dx:g} {ay + 18 * dy:g}L{bx - 22 * dx:g} {by - 22 * dy:g}"
    return Part(d=d, cls="tray-stem")


def _letter(letter: str, x: float, y: float) -> list[Part]:
    """Shape and letter of a seat on its tray."""
    shape = f"shape-{letter}"
    return [
        Part(use=shape, cls="side", x=x, y=y - 9, scale=9.2),
        Part(use=shape, cls="face", x=x, y=y - 9, scale=7.4),
        Part(text=letter.upper(), cls="tray-letter", x=x, y=y + 16),
    ]


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
    return Item(f"f:{name}", x, y, (Part(use=symbol),), letter, "field", game.words.tell(sentence, language), r=SQUARE_R)


def _home_fields(game: Game, home: int, language: str) -> list[Item]:
    """The touch area of a home, and a point for each place in it."""
    tray, name = layout(game.board).trays[home], f"home{game.board.homes[home].id}"
    label = game.words.tell(phrase("label.homeField", home=game.board.homes[home].id), language)
    points = [Item(f"f:{name}.{k}", x, y) for k, (x, y) in enumerate(tray.slots)]
    x, y = tray.slots[0]
    return [*points, Item(f"f:{name}", x, y, cls="field", label=label if home_seat(game, home) else "", r=_reach(tray))]


def _reach(tray: Tray) -> float:
    """The radius of a home's touch area around its first place."""
    return HOME_R if tray.box else SQUARE_R


def items(position: Position, language: str) -> tuple[Item, ...]:
    """Barricades, pawns and the die."""
    game, state = position.game, position.state
    found = [_barricade(game, square, language) for square in barricades(position)]
    if state.phase == rules.PLACE:
        found.append(_hand(game, language))
    for colour, at_home in enumerate(state.at_home[: game.law.colours].tolist()):
        places = places_of(game.law, state, colour)
        ahead = [places[:i].count(place) for i, place in enumerate(places)]
        found += [_pawn(game, colour, *stands, at_home, language) for stands in zip(places, ahead, strict=True)]
    if state.phase != rules.DRAW:
        found.append(_die(game, int(state.die), int(state.seat), position.is_over, language))
    return tuple(found)


@kept
def _hand(game: Game, language: str) -> Item:
    """The barricade in hand."""
    label, (x, y) = game.words.tell(phrase("label.hand"), language), layout(game.board).die
    return Item("b:hand", x, y + 56, (Part(use="ba-barricade"),), "", "piece", label, "f:hand", z=10)


@kept
def _barricade(game: Game, square: int, language: str) -> Item:
    name, (x, y) = game.board.names[square], layout(game.board).squares[square]
    label = game.words.tell(phrase("label.barricade", square=name), language)
    return Item(f"b:{name}", x, y, (Part(use="ba-barricade"),), "", "piece", label, f"f:{name}", SQUARE_R, 10, "#")


@kept
def _pawn(game: Game, colour: int, place: int, ahead: int, at_home: int, language: str) -> Item:
    """A pawn; ahead: how many of its colour stand in front of it. At home, only the front pawn can be touched."""
    drawn, law = layout(game.board), game.law
    letter, seat, name = game.spec.seat_letter(colour), seat_phrase(game, int(law.seat_of[colour])), place_name(game, place)
    sentence, at, (x, y) = phrase("label.pawn", seat=seat, square=name), f"f:{name}", drawn.squares[min(place, law.squares - 1)]
    if place == int(law.home[colour]):
        x, y = drawn.trays[place - law.squares].slots[ahead]
        sentence = phrase("label.pawnHome", seat=seat, count=at_home)
        name, at = f"{name}.{ahead}", f"{at}.{ahead}" if ahead else at
    label = "" if ahead else game.words.tell(sentence, language)
    parts = (Part(use="disc", scale=0.6), Part(use=f"shape-{letter}", cls="shape", scale=6.3))
    glyph = letter.upper() if label else ""
    return Item(f"p:{letter}:{name}", x, y, parts, letter, "piece", label, at, SQUARE_R, 20, glyph)


@kept
def _die(game: Game, number: int, seat: int, over: bool, language: str) -> Item:
    """The die: its number, and the seat that rolled it or will roll it."""
    x, y = layout(game.board).die
    parts = [Part(use="ba-die")]
    if number in PIPS:
        parts += [Part(use="ba-pip", x=15 * dx, y=15 * dy) for dx, dy in PIPS[number]]
    elif number:
        parts.append(Part(text=str(number), cls="caption", y=11, scale=2))
    sentence = phrase("die.rolled" if number else "die.waiting", seat=seat_phrase(game, seat), die=number)
    caption = game.words.tell(sentence, language) if number or not over else ""
    parts.append(Part(text=caption, cls="caption", y=58))
    return Item("d:die", x, y - 30, tuple(parts), label=caption, r=34, z=5)


def plates(position: Position, language: str) -> tuple[Plate, ...]:
    """Each seat: its pawns at home and out, its nearest pawn, its colours, its mates."""
    game, found = position.game, []
    for seat in range(game.seats):
        colours = colours_of(game, seat)
        home = sum(int(position.state.at_home[colour]) for colour in colours)
        standing = [place for colour in colours for place in places_of(game.law, position.state, colour)]
        steps = int(game.law.steps[standing, game.board.final].min())
        found.append(_plate(game, seat, home, steps, language))
    return tuple(found)


@kept
def _plate(game: Game, seat: int, home: int, steps: int, language: str) -> Plate:
    letter = game.spec.seat_letter(seat)
    texts = [game.words.tell(line, language) for line in _plate_lines(game, seat, home, steps)]
    return Plate(letter, letter.upper(), game.words.tell(seat_phrase(game, seat), language), tuple(texts))


def _plate_lines(game: Game, seat: int, home: int, steps: int) -> list[Phrase]:
    colours = colours_of(game, seat)
    lines = [phrase("plate.pawns", home=home, out=int(game.law.pawns) * len(colours) - home)]
    lines.append(phrase("plate.nearest", n=steps) if steps else phrase("plate.won"))
    if len(colours) == 2:
        letters = [game.spec.seat_letter(colour).upper() for colour in colours]
        lines.append(phrase("plate.colours", one=letters[0], two=letters[1]))
    side = game.law.side
    mates = [seat_phrase(game, other) for other in range(game.seats) if side[other] == side[seat] and other != seat]
    if mates:
        together: Phrase = mates[0]
        for mate in mates[1:]:
            together = phrase("both", one=together, two=mate)
        lines.append(phrase("plate.side", mates=together))
    return lines


def choices(position: Position, language: str) -> tuple[Choice, ...]:
    """A pawn and its landing square; the square of a barricade; the button to pass."""
    return tuple(_choice(position, action, language) for action in position.legal)


def _choice(position: Position, action: int, language: str) -> Choice:
    game, act = position.game, meaning(position.game, action)
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
    return Choice(action, text, tell(phrase("label.place", square=square), language), (f"f:{square}",))


@kept
def _move(game: Game, action: int, pawn: str, note: str, other: int, language: str) -> Choice:
    """A pawn's move. note, other: the effect of its landing, and the seat concerned."""
    tell, act = game.words.tell, meaning(game, action)
    square = game.board.names[act.square]
    origin = place_name(game, act.origin) if act.origin < game.law.squares else phrase("home")
    label = tell(phrase("label.move", origin=origin, square=square), language)
    text = name_of(game, action)
    brings = phrase(note, other=seat_phrase(game, other)) if other >= 0 else phrase(note)
    kind = "take" if note and note != "note.final" else "go"
    return Choice(action, text, label, (pawn, f"f:{square}"), kind, tell(brings, language) if note else "")


def _note(position: Position, act: Meaning) -> tuple[str, int]:
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
        return f"p:{game.spec.seat_letter(int(position.state.owner[place]))}:{place_name(game, place)}"
    return f"p:{home_seat(game, place - law.squares)}:{place_name(game, place)}.{waiting}"


def _spot(position: Position, place: int, waiting: int) -> str:
    """The field under the pawn on a square, or under a pawn waiting at home."""
    name = place_name(position.game, place)
    return f"f:{name}" if place < position.game.law.squares or waiting == 0 else f"f:{name}.{waiting}"


def traces(before: Position, action: int, after: Position) -> tuple[Trace, ...]:
    """The pawn along one legal way, then the pawn or barricade that it removed; a barricade from the hand to its square."""
    game, act = before.game, meaning(before.game, action)
    names = game.board.names
    if act.kind == actions.PLACE:
        return (Trace(f"b:{names[act.square]}", ("f:hand", f"f:{names[act.square]}")),)
    if act.kind != actions.MOVE:
        return ()
    rolled = int(before.state.die)
    way = one_way(ground(game.options, game.board), act.origin, rolled, act.square, barricade_bits(before))
    start = _spot(before, act.origin, _waiting(before, act.origin) - 1)
    found = [Trace(_pawn_id(after, act.square, 0), (start, *(f"f:{names[square]}" for square in way)))]
    there = f"f:{names[act.square]}"
    colour = int(before.state.owner[act.square])
    if colour >= 0 and act.square != act.origin:
        home = int(game.law.home[colour])
        last = _waiting(after, home) - 1
        found.append(Trace(_pawn_id(after, home, last), (there, _spot(after, home, last))))
    if after.state.phase == rules.PLACE:
        found.append(Trace("b:hand", (there, "f:hand")))
    return tuple(found)


def _waiting(position: Position, home: int) -> int:
    """The number of pawns in a home; 1 for a square."""
    game = position.game
    if home < game.law.squares:
        return 1
    return int(position.state.at_home[game.law.colour_at[home - game.law.squares]])


def last(before: Position, action: int) -> tuple[str, str]:
    """The fields where the last action began and ended."""
    game, act = before.game, meaning(before.game, action)
    if act.kind == actions.PLACE:
        return "", f"f:{game.board.names[act.square]}"
    if act.kind != actions.MOVE:
        return "", ""
    return _spot(before, act.origin, _waiting(before, act.origin) - 1), f"f:{game.board.names[act.square]}"


def buttons(position: Position, language: str) -> dict[str, str]:
    """The button to pass."""
    return {"!pass": position.game.words.tell(phrase("label.pass"), language)}


def touched(position: Position, touch: tuple[str, ...]) -> int | None:
    """The action meant by touching these things in this order, legal or not; None if there is none."""
    game = position.game
    if not touch or position.state.phase not in (rules.MOVE, rules.PLACE):
        return None
    if touch[-1] == "!pass":
        return position.read("pass")
    places = [place for place in (_place(game, each) for each in touch) if place is not None]
    if not places:
        return None
    if position.state.phase == rules.PLACE:
        return position.read(f"place {place_name(game, places[-1])}") if places[-1] < game.law.squares else None
    if len(places) > 1 and places[-1] < game.law.squares:
        return position.read(f"{place_name(game, places[0])}-{place_name(game, places[-1])}")
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
    if No.OK in codes.values():
        return None
    general = (No.DISTANCE, No.TURNING_BACK, No.TWICE)
    order = {code: (code in general, code != No.BARRICADE) for code in set(codes.values())}
    return min(codes, key=lambda action: (order[codes[action]], int(law.steps[origin, action - start])))
