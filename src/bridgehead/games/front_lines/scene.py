"""The scene of The Front Lines: the field from left to right, cards, tokens and the tray."""

# mypy: allow-untyped-calls

from __future__ import annotations

import itertools
from collections.abc import Iterator

import msgspec

from bridgehead.core.bits import members
from bridgehead.core.caching import kept
from bridgehead.core.game import Game
from bridgehead.core.phrases import phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import Choice, Item, Part, Picture, Plate, Trace, Up, circle, lying, rectangle
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
    field_of,
    livery,
    token_parts,
)
from bridgehead.games.front_lines.places import Box, Places, both
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
MOST_TRIES = 2000  # most steps of the search for the way that a turn took


def picture(game: Game, language: str) -> Picture:
    """Felt, row numbers and the tray; the fields are two banks and the places of the cards."""
    wide, upright = (_picture(game, language, at) for at in both(game))
    return msgspec.structs.replace(wide, upright=upright)


def _picture(game: Game, language: str, at: Places) -> Picture:
    width, height = at.width, at.height
    felt = (
        Part(d=rectangle(0, 8, width, height - 8, 22), cls="felt-side"),
        Part(d=rectangle(0, 0, width, height - 8, 22), cls="felt"),
        Part(d=rectangle(9, 9, width - 18, height - 26, 15), cls="felt-line"),
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
    texts = (game.words.tell(phrase(key), language) for key in lines)
    words = (Part(text=line, cls=cls, y=16 + 22 * (i - len(lines) / 2)) for i, line in enumerate(texts))
    body = Part(d=box(at, 14), cls="bank far" if far else "bank")
    r = min(at.width / 2, at.height / 2, 44)
    return Item(bank, at.x, at.y, (body, *words), label=game.words.tell(phrase(label), language), r=r)


def items(position: Position, language: str) -> tuple[Item, ...]:
    """Cards, the path of this turn, ticks, tokens and the tray's contents, each also with its place on the upright picture."""
    game, field, blown = position.game, position.state.field.tolist(), int(position.state.blown)
    cards = (_card(game, cell, field[cell], bool(blown >> cell & 1), language) for cell in range(COLUMNS * int(game.law.rows)))
    tokens = _tokens(position, language)
    marks = (*_trail(position), *_ticks(position), *_ring(tokens, position))
    return (*cards, *marks, *tokens, *tray.items(position, language))


@kept
def _card(game: Game, cell: int, card: int, blown: bool, language: str) -> Item:
    wide, upright = (_lying_card(game, cell, card, blown, language, at) for at in both(game))
    return lying(wide, upright)


def _lying_card(game: Game, cell: int, card: int, blown: bool, language: str, at: Places) -> Item:
    tell, field = game.words.tell, f"f:{cell_name(cell)}"
    x, y = at.cells[cell]
    if card == DOWN:
        label = tell(phrase("label.down", cell=cell_phrase(cell)), language)
        return Item(f"c:{cell_name(cell)}", x, y, (Part(use="fl-back"),), "", "flips", label, field, CARD_R, z=1)
    label = tell(phrase("label.blown" if blown else "label.up", cell=cell_phrase(cell), card=card_phrase(card)), language)
    seat = "" if card == JOKER else livery(suit_of(card))
    glyph = f"!{CARDS[card][-1]}" if blown else CARDS[card]
    return Item(f"c:{cell_name(cell)}", x, y, card_parts(card, blown), seat, "flips", label, field, CARD_R, z=1, glyph=glyph)


def _tokens(position: Position, language: str) -> tuple[Item, ...]:
    state = position.state
    places, found = state.place.tolist(), []
    for suit, stands in enumerate(zip(places, state.status.tolist(), state.lives.tolist(), strict=True)):
        together = _together(places, suit)
        found.append(_standing(position.game, suit, *stands, together.index(suit), len(together), language))
    return tuple(found)


@kept
def _standing(game: Game, suit: int, place: int, status: int, lives: int, index: int, number: int, language: str) -> Item:
    """A character on its place. index: its rank among the `number` of characters there."""
    spots = []
    for at in both(game):
        if place in (START, GONE):
            spots.append(at.lanes[field_of(game, suit, place) != "f:start"][suit])
        else:
            (dx, dy), (x, y) = SPREAD[number][index], at.cells[place]
            spots.append((x + dx, y + dy + LIFT))
    where = phrase("place.start") if place == START else cell_phrase(place) if place != GONE else phrase("place.across")
    state, lives_left = state_phrase(status, suit), lives_phrase(lives)
    label = game.words.tell(phrase("label.token", who=suit_phrase(suit), state=state, lives=lives_left, place=where), language)
    field, glyph = field_of(game, suit, place), GLYPHS[status].format(SUITS[suit])
    parts, (x, y) = token_parts(suit, status, SHRINK[number]), spots[0]
    up = Up(*spots[1])
    return Item(f"p:{SUITS[suit]}", x, y, parts, livery(suit), "piece", label, field, TOKEN_R, z=20, glyph=glyph, up=up)


def _together(places: list[int], suit: int) -> list[int]:
    """The characters on the same card as this one, itself included. On a bank each has its own lane."""
    return [suit] if places[suit] >= CELLS else [other for other, place in enumerate(places) if place == places[suit]]


def _ring(tokens: tuple[Item, ...], position: Position) -> tuple[Item, ...]:
    """A ring around the character that moves."""
    suit = mover_of(position)
    if suit < 0:
        return ()
    together, token = _together(position.state.place.tolist(), suit), tokens[suit]
    ring = Part(d=circle(25 * SHRINK[len(together)]), cls="m-hollow")
    assert token.up is not None
    return (Item("s:mover", token.x, token.y + 2, (ring,), cls="still", z=19, up=Up(token.up.x, token.up.y + 2)),)


def _ticks(position: Position) -> tuple[Item, ...]:
    """Small ticks on the open cards that are safe for the mover and that it did not visit in this turn."""
    suit = mover_of(position)
    if suit < 0:
        return ()
    state, law = position.read_only, position.game.law
    offered = {action - TO for action in position.legal} if not position.is_chance else set()
    seen = members(int(state.open) & ~int(state.visited))
    free = [cell for cell in seen if cell not in offered and not is_known_mine(state, law, side_of(suit), cell)]
    return tuple(_tick(position.game, cell) for cell in free)


@kept
def _tick(game: Game, cell: int) -> Item:
    (x, y), (up_x, up_y) = (at.cells[cell] for at in both(game))
    up = Up(up_x + 24, up_y - 34)
    return Item(f"s:{cell_name(cell)}", x + 24, y - 34, (Part(use="fl-tick"),), cls="still", z=5, up=up)


def _trail(position: Position) -> tuple[Item, ...]:
    """The path of the running turn, as a dotted line."""
    way = _way(position)
    return (_dotted(position.game, tuple(way)),) if len(way) > 1 else ()


@kept
def _dotted(game: Game, way: tuple[int, ...]) -> Item:
    drawn = []
    for at in both(game):
        d = "M" + "L".join(f"{x:.0f} {y + LIFT:.0f}" for x, y in (at.cells[cell] for cell in way))
        drawn.append(Item("s:trail", 0, 0, (Part(d=d, cls="trail"),), cls="still", z=6))
    return lying(*drawn)


def _way(position: Position) -> list[int]:
    """A possible order of the visited cards, ending at the mover; empty if the search finds none in time."""
    suit = mover_of(position)
    if suit < 0 or int(position.state.place[suit]) >= CELLS:
        return []
    cells, end = members(position.state.visited), int(position.state.place[suit])
    walks = itertools.islice(_walks(_steps(position.game, int(side_of(suit))), cells, [end]), MOST_TRIES)
    return next((walk[::-1] for walk in walks if len(walk) == len(cells)), [])


def _walks(steps: list[int], cells: list[int], walk: list[int]) -> Iterator[list[int]]:
    """A walk, followed backwards, and all its continuations over these cells."""
    yield walk
    for cell in cells:
        if cell not in walk and steps[cell] >> walk[-1] & 1:
            yield from _walks(steps, cells, [*walk, cell])


@kept
def _steps(game: Game, side: int) -> list[int]:
    """For each cell the cells one step away, as bits of a whole number."""
    return [int(cells) for cells in game.law.steps[side]]


def plates(position: Position, language: str) -> tuple[Plate, ...]:
    """Each seat with its characters, their states and lives."""
    game = position.game
    status, lives, claim = position.state.status.tolist(), position.state.lives.tolist(), int(position.state.claim)
    found = []
    for seat in range(game.seats):
        suits = [suit for suit in range(4) if int(game.law.seat_of[suit]) == seat]
        lines = tuple(_line(game, s, status[s], lives[s], claim == side_of(s), len(suits) > 1, language) for s in suits)
        letter = "".join(SUITS[suit] for suit in suits)
        found.append(Plate(livery(suits[0]), letter, _seat_name(game, tuple(suits), language), lines))
    return tuple(found)


@kept
def _seat_name(game: Game, suits: tuple[int, ...], language: str) -> str:
    named = suit_phrase(suits[0]) if len(suits) == 1 else phrase("list.two", a=suit_phrase(suits[0]), b=suit_phrase(suits[1]))
    return game.words.tell(named, language)


@kept
def _line(game: Game, suit: int, status: int, lives: int, claims: bool, named: bool, language: str) -> str:
    """A character's state and lives; with its name if the seat has two characters."""
    texts = {"state": tray.status_phrase(status, suit, claims), "lives": lives_phrase(lives)}
    return game.words.tell(phrase("line", who=suit_phrase(suit), **texts) if named else phrase("line.own", **texts), language)


def choices(position: Position, language: str) -> tuple[Choice, ...]:
    """The legal steps (unknown, safe, or onto a known mine), across, and stop."""
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
    texts = [] if card == DOWN else [card_phrase(card), *([phrase("note.mine")] if kind == "mine" else [])]
    note = ", ".join(tell(each, language) for each in texts)
    return Choice(action, text, label, (f"f:{cell_name(cell)}",), KINDS[kind], note, confirm=kind == "mine")


def buttons(position: Position, language: str) -> dict[str, str]:
    """The button `!stop`, if the house rules allow a turn to end early (FLQ-30)."""
    law = position.game.law
    offered = law.may_stop and not law.destination
    return {"!stop": position.game.words.tell(phrase("choice.stop"), language)} if offered else {}


def touched(position: Position, touch: tuple[str, ...]) -> int | None:
    """The action meant by touching a card, a token on it, the mover's far bank, or the button."""
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
    """The mover's path to its new place, if it moved."""
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
    """The cell of a step or a flip."""
    return int(position.state.flipping) if action < TO else action - TO


def last(before: Position, action: int) -> tuple[str, str]:
    """The fields where the action began and ended."""
    suit = mover_of(before)
    if suit < 0 or action == STOP:
        return "", ""
    origin = field_of(before.game, suit, int(before.state.place[suit]))
    end = field_of(before.game, suit, GONE) if action == ACROSS else f"f:{cell_name(_cell_of(before, action))}"
    return origin, end
