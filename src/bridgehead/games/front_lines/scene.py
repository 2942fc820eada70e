"""What a screen shows of The Front Lines: the field from left to right, cards, tokens and the tray."""

# mypy: allow-untyped-calls

from __future__ import annotations

import msgspec

from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import Choice, Item, Part, Picture, Plate, Trace, lying
from bridgehead.games.front_lines import tray
from bridgehead.games.front_lines.board import CARDS, COLUMNS, JOKER, SUITS, cell_name
from bridgehead.games.front_lines.cards import is_known_mine
from bridgehead.games.front_lines.drawing import (
    CARD_R,
    LIFT,
    SHRINK,
    SPREAD,
    TOKEN_R,
    box,
    card_parts,
    circle,
    field_of,
    livery,
    rounded,
    token_parts,
)
from bridgehead.games.front_lines.places import Box, Places, places
from bridgehead.games.front_lines.state import (
    ACROSS,
    CELLS,
    CROSSED,
    DOWN,
    FLIP,
    GONE,
    START,
    STOP,
    TO,
    has,
    side_of,
    suit_of,
)
from bridgehead.games.front_lines.words import (
    card_phrase,
    cell_phrase,
    lives_phrase,
    mover_of,
    name,
    state_phrase,
    step_kind,
    suit_phrase,
)

GLYPHS = ("({})", "z{}", "x{}", "({})")  # of a token, by status: on the way, waiting, out, across
KINDS = {"unknown": "ask", "mine": "warn", "blown": "safe", "safe": "safe"}
MOST_TRIES = 2000  # steps of the search for the way that a turn took


def picture(game: Game, language: str) -> Picture:
    """Felt, row numbers and the tray; the fields are two banks and the places of the cards."""
    return msgspec.structs.replace(_picture(game, language, _places(game)), upright=_picture(game, language, _places(game, True)))


def _places(game: Game, upright: bool = False) -> Places:
    return places(int(game.law.rows), upright)


def _picture(game: Game, language: str, at: Places) -> Picture:
    width, height = at.width, at.height
    felt = (
        Part(d=rounded(0, 8, width, height - 8, 22), cls="felt-side"),
        Part(d=rounded(0, 0, width, height - 8, 22), cls="felt"),
        Part(d=rounded(9, 9, width - 18, height - 26, 15), cls="felt-line"),
    )
    rows = (
        Item(f"g:row-{row + 1}", *spot, (Part(text=str(row + 1), cls="row-no"),), cls="still")
        for row, spot in enumerate(at.row_names)
    )
    columns = (
        Item(f"g:column-{column}", *spot, (Part(text="abcd"[column], cls="row-no"),), cls="still")
        for column, spot in enumerate(at.column_names)
    )
    cells = (
        Item(f"f:{cell_name(cell)}", *spot, label=game.words.tell(cell_phrase(cell), language), r=CARD_R)
        for cell, spot in enumerate(at.cells)
    )
    ground = (Item("g:felt", 0, 0, felt, cls="still"), *rows, *columns, *tray.ground(at))
    return Picture(width, height, ground, (*_banks(game, language, at), *cells), window=True)


def _banks(game: Game, language: str, at: Places) -> tuple[Item, Item]:
    """Start line and safe bank; with sides opposed each edge is one side's start (FLQ-5)."""
    opposed = game.options.opposed_sides
    near = ("scene.red", "scene.start") if opposed else ("scene.start",)
    far = ("scene.black", "scene.start") if opposed else ("scene.safe", "scene.bank")
    labels = ("label.left", "label.right") if opposed else ("label.start", "label.across")
    return (
        _bank(game, "f:start", at.banks[0], near, labels[0], False, language),
        _bank(game, "f:across", at.banks[1], far, labels[1], not opposed, language),
    )


def _bank(game: Game, bank: str, at: Box, lines: tuple[str, ...], label: str, far: bool, language: str) -> Item:
    cls = "bank-text plate-name" if far else "bank-text"
    told = (game.words.tell(phrase(key), language) for key in lines)
    words = (Part(text=line, cls=cls, y=16 + 22 * (i - len(lines) / 2)) for i, line in enumerate(told))
    body = Part(d=box(at, 14), cls="bank far" if far else "bank")
    r = min(at.width / 2, at.height / 2, 44)
    return Item(bank, at.x, at.y, (body, *words), label=game.words.tell(phrase(label), language), r=r)


def items(position: Position, language: str) -> tuple[Item, ...]:
    """Cards, the way of this turn, ticks, tokens, and what lies in the tray; each with its place on the upright picture."""
    wide, upright = (_items(position, language, _places(position.game, stands)) for stands in (False, True))
    return tuple(map(lying, wide, upright))


def _items(position: Position, language: str, at: Places) -> tuple[Item, ...]:
    cards = (_card(position, cell, language, at) for cell in range(COLUMNS * position.game.law.rows))
    tokens = tuple(_token(position, suit, language, at) for suit in range(4))
    marks = (*_trail(position, at), *_ticks(position, at), *_ring(tokens, position))
    return (*cards, *marks, *tokens, *tray.items(position, language, at))


def _card(position: Position, cell: int, language: str, at: Places) -> Item:
    state, tell = position.state, position.game.words.tell
    card, field = int(state.field[cell]), f"f:{cell_name(cell)}"
    x, y = at.cells[cell]
    if card == DOWN:
        label = tell(phrase("label.down", cell=cell_phrase(cell)), language)
        return Item(f"c:{cell_name(cell)}", x, y, (Part(use="fl-back"),), "", "flips", label, field, CARD_R, z=1)
    blown = bool(has(state.blown, cell))
    label = tell(phrase("label.blown" if blown else "label.up", cell=cell_phrase(cell), card=card_phrase(card)), language)
    seat = "" if card == JOKER else livery(suit_of(card))
    glyph = f"!{CARDS[card][-1]}" if blown else CARDS[card]
    return Item(f"c:{cell_name(cell)}", x, y, card_parts(card, blown), seat, "flips", label, field, CARD_R, z=1, glyph=glyph)


def _token(position: Position, suit: int, language: str, at: Places) -> Item:
    state, game = position.state, position.game
    place, status = int(state.place[suit]), int(state.status[suit])
    together = _together(position, suit)
    if place in (START, GONE):
        x, y = at.lanes[field_of(game, suit, place) != "f:start"][suit]
    else:
        dx, dy = SPREAD[len(together)][together.index(suit)]
        x, y = at.cells[place]
        x, y = x + dx, y + dy + LIFT
    where = phrase("place.start") if place == START else cell_phrase(place) if place != GONE else phrase("place.across")
    lives = lives_phrase(int(state.lives[suit]))
    said = phrase("label.token", who=suit_phrase(suit), state=state_phrase(position, suit), lives=lives, place=where)
    label = game.words.tell(said, language)
    field, glyph = field_of(game, suit, place), GLYPHS[status].format(SUITS[suit])
    parts = token_parts(suit, status, SHRINK[len(together)])
    return Item(f"p:{SUITS[suit]}", x, y, parts, livery(suit), "piece", label, field, TOKEN_R, z=20, glyph=glyph)


def _together(position: Position, suit: int) -> list[int]:
    """The characters that share a card with this one; on a bank each has its own lane."""
    place = position.state.place
    return [suit] if int(place[suit]) >= CELLS else [other for other in range(4) if place[other] == place[suit]]


def _ring(tokens: tuple[Item, ...], position: Position) -> tuple[Item, ...]:
    """A ring round the character whose turn it is."""
    suit = mover_of(position)
    if suit < 0:
        return ()
    ring = Part(d=circle(0, 0, 25 * SHRINK[len(_together(position, suit))]), cls="m-hollow")
    return (Item("s:mover", tokens[suit].x, tokens[suit].y + 2, (ring,), cls="still", z=19),)


def _ticks(position: Position, at: Places) -> tuple[Item, ...]:
    """Small ticks on the face-up cards that are free of risk for the mover, where it was not in this turn."""
    suit = mover_of(position)
    if suit < 0:
        return ()
    state, law = position.copy_states()[0], position.game.law
    offered = {action - TO for action in position.legal} if not position.is_chance else set()
    found = []
    for cell in range(CELLS):
        if not has(state.open, cell) or has(state.visited, cell) or cell in offered:
            continue
        if not is_known_mine(state, law, side_of(suit), cell):
            x, y = at.cells[cell]
            found.append(Item(f"s:{cell_name(cell)}", x + 24, y - 34, (Part(use="fl-tick"),), cls="still", z=5))
    return tuple(found)


def _trail(position: Position, at: Places) -> tuple[Item, ...]:
    """The way of the running turn, as a dotted line."""
    way = _way(position)
    if len(way) < 2:
        return ()
    points = (at.cells[cell] for cell in way)
    d = "M" + "L".join(f"{x:.0f} {y + LIFT:.0f}" for x, y in points)
    return (Item("s:trail", 0, 0, (Part(d=d, cls="trail"),), cls="still", z=6),)


def _way(position: Position) -> list[int]:
    """The visited cards in an order in which they can have been walked, ending at the mover; empty if none is found soon."""
    suit = mover_of(position)
    if suit < 0 or int(position.state.place[suit]) >= CELLS:
        return []
    steps = position.game.law.steps[side_of(suit)]
    cells = [cell for cell in range(CELLS) if has(position.state.visited, cell)]
    tries = 0

    def back(way: list[int]) -> list[int]:
        nonlocal tries
        tries += 1
        if len(way) == len(cells) or tries > MOST_TRIES:
            return way
        for cell in cells:
            if cell not in way and has(steps[cell], way[-1]) and (longer := back([*way, cell])):
                return longer
        return []

    found = back([int(position.state.place[suit])])
    return found[::-1] if len(found) == len(cells) else []


def plates(position: Position, language: str) -> tuple[Plate, ...]:
    """Each seat with its characters, their states and lives."""
    game = position.game
    found = []
    for seat in range(game.seats):
        suits = [suit for suit in range(4) if int(game.law.seat_of[suit]) == seat]
        named = suit_phrase(suits[0]) if len(suits) == 1 else phrase("list.two", a=suit_phrase(suits[0]), b=suit_phrase(suits[1]))
        lines = tuple(game.words.tell(_line(position, suit, len(suits) > 1), language) for suit in suits)
        letter = "".join(SUITS[suit] for suit in suits)
        found.append(Plate(livery(suits[0]), letter, game.words.tell(named, language), lines))
    return tuple(found)


def _line(position: Position, suit: int, named: bool) -> Phrase:
    state, lives = tray.status_phrase(position, suit), lives_phrase(int(position.state.lives[suit]))
    return (
        phrase("line", who=suit_phrase(suit), state=state, lives=lives) if named else phrase("line.own", state=state, lives=lives)
    )


def choices(position: Position, language: str) -> tuple[Choice, ...]:
    """The steps that may be taken: unknown, safe, or onto a known mine; across; stop."""
    if position.is_over or position.is_chance:
        return ()
    return tuple(_choice(position, action, language) for action in position.legal)


def _choice(position: Position, action: int, language: str) -> Choice:
    tell, game, suit = position.game.words.tell, position.game, mover_of(position)
    text = name(position, action)
    if action == STOP:
        return Choice(action, text, tell(phrase("choice.stop"), language), ("!stop",), "button")
    if action == ACROSS:
        label = tell(phrase("choice.across"), language)
        return Choice(action, text, label, (field_of(game, suit, GONE),), "safe")
    cell = action - TO
    kind = step_kind(position, cell)
    card = int(position.state.field[cell])
    label = tell(phrase(f"choice.{kind}", cell=cell_name(cell)), language)
    told = [] if card == DOWN else [card_phrase(card), *([phrase("note.mine")] if kind == "mine" else [])]
    note = ", ".join(tell(each, language) for each in told)
    return Choice(action, text, label, (f"f:{cell_name(cell)}",), KINDS[kind], note, confirm=kind == "mine")


def buttons(position: Position, language: str) -> dict[str, str]:
    """`!stop`, where turns may be ended early step by step (FLQ-30)."""
    law = position.game.law
    offered = law.may_stop and not law.destination
    return {"!stop": position.game.words.tell(phrase("choice.stop"), language)} if offered else {}


def touched(position: Position, touch: tuple[str, ...]) -> int | None:
    """The action that touching these things would mean: a card, a token on it, the mover's far bank, or the button."""
    suit = mover_of(position)
    if not touch or suit < 0:
        return None
    if touch[-1] == "!stop":
        return STOP
    kind, _, named = touch[-1].partition(":")
    if kind == "p" and named in SUITS:
        place = int(position.state.place[SUITS.index(named)])
        field = field_of(position.game, SUITS.index(named), place)
    else:
        field = f"f:{named}" if kind in ("f", "c") else ""
    if field == field_of(position.game, suit, GONE):
        return ACROSS
    cells = {f"f:{cell_name(cell)}": cell for cell in range(COLUMNS * position.game.law.rows)}
    return TO + cells[field] if field in cells else None


def traces(before: Position, action: int, after: Position) -> tuple[Trace, ...]:
    """The mover's way to its new place, where it moved."""
    suit = mover_of(before)
    if suit < 0 or action == STOP or before.state.place[suit] == after.state.place[suit]:
        return ()
    game = before.game
    via = [field_of(game, suit, int(before.state.place[suit]))]
    if FLIP <= action < ACROSS:
        via.append(f"f:{cell_name(_cell_of(before, action))}")
    if int(after.state.status[suit]) == CROSSED:
        via.append(field_of(game, suit, GONE))
    return (Trace(f"p:{SUITS[suit]}", tuple(via)),)


def _cell_of(position: Position, action: int) -> int:
    """The cell that a step or a flip is about."""
    return int(position.state.flipping) if action < TO else action - TO


def last(before: Position, action: int) -> tuple[str, str]:
    """Where the action began and ended."""
    suit = mover_of(before)
    if suit < 0 or action == STOP:
        return "", ""
    origin = field_of(before.game, suit, int(before.state.place[suit]))
    end = field_of(before.game, suit, GONE) if action == ACROSS else f"f:{cell_name(_cell_of(before, action))}"
    return origin, end
