"""The scene of The Front Lines: the field from left to right, cards, tokens and the tray. Units are the picture's."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from bridgehead.core.bits import count, members
from bridgehead.core.caching import kept
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import Choice, Face, Item, Part, Picture, Plate, Trace, Up, base, circle, lying, rectangle
from bridgehead.games.front_lines import rules
from bridgehead.games.front_lines.board import CARDS, COLUMNS, JOKER, SUITS, cell_name
from bridgehead.games.front_lines.words import (
    COURT,
    SIDES,
    card_phrase,
    cell_phrase,
    lives_phrase,
    mover_of,
    state_phrase,
    step_kind,
    suit_phrase,
)

# -- places: rows run to the right, or upwards on a narrow screen ------------------------------------------------------
Spot = tuple[float, float]
EDGE, GAP = 26.0, 12.0  # board edge to bank, bank to cards
WIDTH, HEIGHT = 1120.0, 640.0
DX, DY, TOP = 71.0, 93.0, 62.0  # from card to card, and the first column's upper edge
TRAY = 532.0  # middle of the tray
UPRIGHT_WIDTH, UPRIGHT_DX, UPRIGHT_BANK = 440.0, 80.0, 64.0
LINE = 62.0  # from plate to plate


class Box(NamedTuple):
    """A rectangle: its middle, and its size."""

    x: float
    y: float
    width: float
    height: float


class Places(NamedTuple):
    """Middles of cards by cell, banks by edge (start, far), a character's place on each bank, names, and the tray's things."""

    width: float
    height: float
    cells: tuple[Spot, ...]
    banks: tuple[Box, Box]
    lanes: tuple[tuple[Spot, ...], tuple[Spot, ...]]
    row_names: tuple[Spot, ...]
    column_names: tuple[Spot, ...]
    tray: Box
    pack: Spot
    drawn: Spot
    sentences: Spot
    plates: tuple[Spot, ...]  # upper left corners


@kept
def both(game: Game) -> tuple[Places, Places]:
    """The places of a game's field, wide and upright."""
    return _wide(int(game.law.rows)), _upright(int(game.law.rows))


def _wide(rows: int) -> Places:
    bank = (WIDTH - DX * rows) / 2 - EDGE - GAP  # width beside the rows of cards
    edge = EDGE + bank / 2
    cells = tuple((EDGE + bank + GAP + DX * (r + 0.5), TOP + DY * (c + 0.5)) for r in range(rows) for c in range(COLUMNS))
    height = 4 * DY - 9
    banks = (Box(edge, TOP + height / 2, bank, height), Box(WIDTH - edge, TOP + height / 2, bank, height))
    lanes = tuple(TOP + DY * (suit + 0.5) + (-16 if suit < 2 else 2) for suit in range(4))  # leaves room for the bank's name
    return Places(
        width=WIDTH,
        height=HEIGHT,
        cells=cells,
        banks=banks,
        lanes=(tuple((edge, y) for y in lanes), tuple((WIDTH - edge, y) for y in lanes)),
        row_names=tuple((x, TOP - 12) for x, _ in cells[::COLUMNS]),
        column_names=tuple((EDGE + bank + GAP / 2, y + 4) for _, y in cells[:COLUMNS]),
        tray=Box(WIDTH / 2, TRAY + 1, WIDTH - 48, 142),
        pack=(78, TRAY - 6),
        drawn=(176, TRAY - 4),
        sentences=(240, TRAY),
        plates=tuple((564 + 264 * (suit % 2), TRAY - 58 + LINE * (suit // 2)) for suit in range(4)),
    )


def _upright(rows: int) -> Places:
    middle = UPRIGHT_WIDTH / 2
    first, start = EDGE + UPRIGHT_BANK + GAP, EDGE + UPRIGHT_BANK + GAP + DY * rows  # upper and lower edge of the field
    left = middle - UPRIGHT_DX * COLUMNS / 2
    cells = tuple((left + UPRIGHT_DX * (c + 0.5), start - DY * (r + 0.5)) for r in range(rows) for c in range(COLUMNS))
    near, far = start + 2 * GAP + UPRIGHT_BANK / 2, first - GAP - UPRIGHT_BANK / 2
    lanes = tuple(x + (-20 if suit < 2 else 20) for suit, (x, _) in enumerate(cells[:COLUMNS]))  # leaves room for the bank's name
    bank, tray = UPRIGHT_DX * COLUMNS + GAP * 2, near + UPRIGHT_BANK / 2 + GAP
    return Places(
        width=UPRIGHT_WIDTH,
        height=tray + 388,
        cells=cells,
        banks=(Box(middle, near, bank, UPRIGHT_BANK), Box(middle, far, bank, UPRIGHT_BANK)),
        lanes=(tuple((x, near) for x in lanes), tuple((x, far) for x in lanes)),
        row_names=tuple((left - 20, y + 4) for _, y in cells[::COLUMNS]),
        column_names=tuple((x, start + 14) for x, _ in cells[:COLUMNS]),
        tray=Box(middle, tray + 178, UPRIGHT_WIDTH - 40, 356),
        pack=(88, tray + 152),
        drawn=(88, tray + 284),
        sentences=(44, tray + 56),
        plates=tuple((156, tray + 104 + LINE * suit) for suit in range(4)),
    )


# -- cards and tokens --------------------------------------------------------------------------------------------------
CARD_R, TOKEN_R = 30.0, 22.0
LIFT = 10.0  # offset of a token below the middle of its card, so the card's index stays visible
SPREAD = {1: ((0, 0),), 2: ((-14, -3), (14, 7)), 3: ((-14, -12), (14, -12), (0, 13))}
SPREAD[4] = ((-14, -14), (14, -14), (-14, 14), (14, 14))
SHRINK = {1: 1.0, 2: 0.8, 3: 0.72, 4: 0.72}  # scale of tokens by their number on a card: all stay recognisable


def box(middle: Box, r: float) -> str:
    """Path data of a box with round corners, about its middle."""
    return rectangle(-middle.width / 2, -middle.height / 2, middle.width, middle.height, r)


def field_of(game: Game, suit: int, place: int) -> str:
    """The field id of a character's place. With opposed sides, black starts at the far edge (FLQ-5)."""
    if place not in (rules.START, rules.GONE):
        return f"f:{'abcd'[place % COLUMNS]}{place // COLUMNS + 1}"
    turned = bool(game.options.opposed_sides) and rules.side_of(suit) == 1
    return "f:start" if (place == rules.START) != turned else "f:across"


def card_parts(card: int, blown: bool, k: float = 1) -> tuple[Part, ...]:
    """A card's face; a blown mine is greyed and has a hole instead of its large suit."""
    body = Part(use="fl-card-blown" if blown else "fl-card", scale=k)
    if card == JOKER:
        return (body, Part(text="JK", cls="rank", x=-24 * k, y=-24 * k, scale=k), Part(use="fl-joker", y=5 * k, scale=k))
    rank, suit = CARDS[card][:-1], f"fl-suit-{SUITS[rules.suit_of(card)]}"
    corner = Part(text=rank, cls="rank", x=-24 * k, y=-24 * k, scale=k)
    index = (corner, Part(use=suit, cls="suit", x=-19 * k, y=-15 * k, scale=5 * k))
    if blown:
        return (body, *index, Part(use="fl-burst", scale=k))
    if rank in "JQK":
        return (body, *index, Part(text=rank, cls="court", y=12 * k, scale=2.125 * k))
    return (body, *index, Part(use=suit, cls="suit", y=3 * k, scale=14 * k))


def token_parts(suit: int, status: int, k: float = 1) -> tuple[Part, ...]:
    """A character: standing with suit and court letter, turned over while it waits, struck out when it is out."""
    symbol = f"fl-suit-{SUITS[suit]}"
    if status in (rules.WAITING, rules.OUT):
        down = (Part(use="fl-down", scale=k), Part(use=symbol, cls="down-suit", y=0.5 * k, scale=7 * k))
        return (*down, Part(use="fl-out", scale=k)) if status == rules.OUT else down
    return (
        Part(use="disc", scale=0.72 * k),
        Part(use=symbol, cls="shape", x=-5.5 * k, scale=6.5 * k),
        Part(text=COURT[suit], cls="token-letter", x=k, y=5 * k, scale=k),
    )


def livery(suit: int) -> str:
    """The colour class of a suit."""
    return SIDES[rules.side_of(suit)]


# -- the tray: draw pack, drawn card, a plate for each character -------------------------------------------------------
PLATE_WIDTH, PLATE_HEIGHT = 252.0, 54.0
MOST_SQUARES = 5  # a larger number of lives is written in digits


def tray_ground(at: Places) -> tuple[Item, ...]:
    """The tray itself, and the empty plates."""
    felt = Item("g:tray", at.tray.x, at.tray.y, (Part(d=box(at.tray, 16), cls="tray-felt"),), cls="still")
    plate = Part(d=rectangle(0, 0, PLATE_WIDTH, PLATE_HEIGHT, 10), cls="plate")
    plates = (Item(f"g:plate-{SUITS[suit]}", *at.plates[suit], (plate,), cls="still") for suit in range(4))
    return (felt, *plates)


class Turn(NamedTuple):
    """The state of a turn: drawn card, steps left, cell to be flipped; reason and winner at the end. -1: none."""

    drawn: int
    left: int
    flipping: int
    reason: int
    winner: int


def tray_items(position: Position, language: str) -> tuple[Item, ...]:
    """Pack, drawn card, its sentences, and the plates."""
    game, state = position.game, position.state
    turn = Turn(int(state.drawn), int(state.left), int(state.flipping), int(state.reason), int(state.winner))
    left, claim = int(count(game.law.pack & ~state.used)), int(state.claim)
    stands = enumerate(zip(state.status.tolist(), state.lives.tolist(), strict=True))
    plates = (_plate(game, suit, status, lives, claim == rules.side_of(suit), language) for suit, (status, lives) in stands)
    found = [_pack(game, left, language), _drawn_card(game, turn, language), *plates]
    return (*found, _drawn(game, turn.drawn, language)) if turn.drawn >= 0 else tuple(found)


@kept
def _drawn(game: Game, drawn: int, language: str) -> Item:
    wide, upright = both(game)
    label, parts = game.words.tell(phrase("label.drawn", card=card_phrase(drawn)), language), card_parts(drawn, False, 1.26)
    return Item("t:drawn", *wide.drawn, parts, livery(rules.suit_of(drawn)), "flips", label, r=40, up=Up(*upright.drawn))


@kept
def _pack(game: Game, left: int, language: str) -> Item:
    wide, upright = both(game)
    label = game.words.tell(phrase("label.pack", n=left), language)
    backs = tuple(Part(use="fl-back", x=-3 * k, y=-3 * k) for k in range(min(left, 3)))
    parts = (*backs, Part(text=str(left), cls="row-no", y=62))
    return Item("t:pack", *wide.pack, parts, label=label, r=40, up=Up(*upright.pack))


@kept
def _drawn_card(game: Game, turn: Turn, language: str) -> Item:
    """Title, sentence, and a pip for each step of the drawn card."""
    tell = game.words.tell
    title, line = _sentences(game, turn)
    parts = [Part(text=tell(title, language), cls="tray-title", y=-24)]
    if line is not None:
        parts.append(Part(text=tell(line, language), cls="tray-text", y=2))
    if turn.drawn >= 0:
        steps = int(rules.value_of(turn.drawn))
        apart = min(26.0, 300.0 / steps)
        pips = [circle(8, 10 + apart * k, 26) for k in range(steps)]
        done = 0 if game.law.destination else steps - turn.left
        parts += [Part(d="".join(d), cls=cls) for d, cls in ((pips[:done], "step-done"), (pips[done:], "step-left")) if d]
    wide, upright = both(game)
    return Item("t:said", *wide.sentences, tuple(parts), cls="still", up=Up(*upright.sentences))


def _sentences(game: Game, turn: Turn) -> tuple[Phrase, Phrase | None]:
    if turn.reason:
        won = phrase("tray.won", side=phrase(f"side.{SIDES[turn.winner]}")) if turn.winner >= 0 else phrase("tray.none")
        return phrase("tray.over"), won
    if turn.drawn < 0:
        return phrase("tray.draw"), phrase("tray.suit")
    title, who, steps = card_phrase(turn.drawn), suit_phrase(int(rules.suit_of(turn.drawn))), int(rules.value_of(turn.drawn))
    if turn.flipping >= 0:
        return title, phrase("tray.flips", cell=cell_phrase(turn.flipping))
    if game.law.destination:
        return title, phrase("tray.walks", who=who, n=steps)
    return title, phrase("tray.moves", who=who, n=steps, done=steps - turn.left, left=turn.left)


def status_phrase(status: int, suit: int, claims: bool) -> Phrase:
    """A character's state, and whether its side holds the claim."""
    sentence = state_phrase(status, suit)
    if status == rules.CROSSED and claims:
        return phrase("list.two", a=sentence, b=phrase("claims"))
    return sentence


@kept
def _plate(game: Game, suit: int, status: int, lives: int, claims: bool, language: str) -> Item:
    tell, most = game.words.tell, game.law.lives
    parts = [
        *(msgspec.structs.replace(part, x=part.x + 30, y=part.y + 25) for part in token_parts(suit, status)),
        Part(text=tell(suit_phrase(suit), language), cls="plate-name", x=58, y=23),
        Part(text=tell(status_phrase(status, suit, claims), language), cls="plate-state", x=58, y=42),
    ]
    if most > MOST_SQUARES:
        parts.append(Part(text=f"{lives}/{most}", cls="plate-name", x=206, y=23))
    else:
        first = PLATE_WIDTH - 12 - 18 * most
        squares = [rectangle(first + 18 * n, 10, 13, 13, 3) for n in range(most)]
        parts += [Part(d="".join(d), cls=cls) for d, cls in ((squares[:lives], "life"), (squares[lives:], "life-gone")) if d]
    wide, upright = both(game)
    return Item(f"t:{SUITS[suit]}", *wide.plates[suit], tuple(parts), livery(suit), "still", up=Up(*upright.plates[suit]))


# -- the scene ---------------------------------------------------------------------------------------------------------
GLYPHS = ("({})", "z{}", "x{}", "({})")  # of a token, by status: on the way, waiting, out, across
KINDS = {"unknown": "ask", "mine": "warn", "blown": "safe", "safe": "safe"}
MOST_TRIES = 2000  # most steps of the search for the way that a turn took


def picture(game: Game, language: str) -> Picture:
    """Felt, row numbers and the tray; the fields are two banks and the places of the cards."""
    wide, upright = (_picture(game, language, at) for at in both(game))
    return msgspec.structs.replace(wide, upright=upright)


def _picture(game: Game, language: str, at: Places) -> Picture:
    edges = [(f"row-{row + 1}", str(row + 1), spot) for row, spot in enumerate(at.row_names)]
    edges += [(f"column-{column}", "abcd"[column], spot) for column, spot in enumerate(at.column_names)]
    names = (Item(f"g:{name}", *spot, (Part(text=text, cls="row-no"),), cls="still") for name, text, spot in edges)
    labels = (game.words.tell(cell_phrase(cell), language) for cell in range(len(at.cells)))
    cells = (Item(f"f:{cell_name(cell)}", *at.cells[cell], label=label, r=CARD_R) for cell, label in enumerate(labels))
    ground = (base("felt", at.width, at.height - 8), *names, *tray_ground(at))
    return Picture(at.width, at.height, ground, (*_banks(game, language, at), *cells), window=True)


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
    return (*cards, *marks, *tokens, *tray_items(position, language))


@kept
def _card(game: Game, cell: int, card: int, blown: bool, language: str) -> Item:
    wide, upright = (_lying_card(game, cell, card, blown, language, at) for at in both(game))
    return lying(wide, upright)


def _lying_card(game: Game, cell: int, card: int, blown: bool, language: str, at: Places) -> Item:
    tell, field = game.words.tell, f"f:{cell_name(cell)}"
    x, y = at.cells[cell]
    if card == rules.DOWN:
        label = tell(phrase("label.down", cell=cell_phrase(cell)), language)
        return Item(f"c:{cell_name(cell)}", x, y, (Part(use="fl-back"),), "", "flips", label, field, CARD_R, z=1)
    label = tell(phrase("label.blown" if blown else "label.up", cell=cell_phrase(cell), card=card_phrase(card)), language)
    seat = "" if card == JOKER else livery(rules.suit_of(card))
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
        if place in (rules.START, rules.GONE):
            spots.append(at.lanes[field_of(game, suit, place) != "f:start"][suit])
        else:
            (dx, dy), (x, y) = SPREAD[number][index], at.cells[place]
            spots.append((x + dx, y + dy + LIFT))
    beside = {rules.START: "place.start", rules.GONE: "place.across"}
    where = phrase(beside[place]) if place in beside else cell_phrase(place)
    state, lives_left = state_phrase(status, suit), lives_phrase(lives)
    label = game.words.tell(phrase("label.token", who=suit_phrase(suit), state=state, lives=lives_left, place=where), language)
    field, glyph = field_of(game, suit, place), GLYPHS[status].format(SUITS[suit])
    parts, (x, y) = token_parts(suit, status, SHRINK[number]), spots[0]
    up = Up(*spots[1])
    return Item(f"p:{SUITS[suit]}", x, y, parts, livery(suit), "piece", label, field, TOKEN_R, z=20, glyph=glyph, up=up)


def _together(places: list[int], suit: int) -> list[int]:
    """The characters on the same card as this one, itself included. On a bank each has its own lane."""
    return [suit] if places[suit] >= rules.CELLS else [other for other, place in enumerate(places) if place == places[suit]]


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
    offered = {action - rules.TO for action in position.legal} if not position.is_chance else set()
    seen = members(int(state.open) & ~int(state.visited))
    free = [cell for cell in seen if cell not in offered and not rules.is_known_mine(state, law, rules.side_of(suit), cell)]
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
    if suit < 0 or int(position.state.place[suit]) >= rules.CELLS:
        return []
    cells, end = members(position.state.visited), int(position.state.place[suit])
    walks = itertools.islice(_walks(_steps(position.game, int(rules.side_of(suit))), cells, [end]), MOST_TRIES)
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
        lines = tuple(_line(game, s, status[s], lives[s], claim == rules.side_of(s), len(suits) > 1, language) for s in suits)
        letter, named = "".join(SUITS[suit] for suit in suits), suit_phrase(suits[0])
        if len(suits) > 1:
            named = phrase("list.two", a=named, b=suit_phrase(suits[1]))
        found.append(Plate(livery(suits[0]), letter, game.words.tell(named, language), lines))
    return tuple(found)


@kept
def _line(game: Game, suit: int, status: int, lives: int, claims: bool, named: bool, language: str) -> str:
    """A character's state and lives; with its name if the seat has two characters."""
    texts = {"state": status_phrase(status, suit, claims), "lives": lives_phrase(lives)}
    return game.words.tell(phrase("line", who=suit_phrase(suit), **texts) if named else phrase("line.own", **texts), language)


def choices(position: Position, language: str) -> tuple[Choice, ...]:
    """The legal steps (unknown, safe, or onto a known mine), across, and stop."""
    if position.is_over or position.is_chance:
        return ()
    return tuple(_choice(position, action, language) for action in position.legal)


def _choice(position: Position, action: int, language: str) -> Choice:
    tell, game, suit = position.game.words.tell, position.game, mover_of(position)
    text = position.name(action)
    if action == rules.STOP:
        return Choice(action, text, tell(phrase("choice.stop"), language), ("!stop",), "button")
    if action == rules.ACROSS:
        label = tell(phrase("choice.across"), language)
        return Choice(action, text, label, (field_of(game, suit, rules.GONE),), "safe")
    cell = action - rules.TO
    kind = step_kind(position, cell)
    card = int(position.state.field[cell])
    label = tell(phrase(f"choice.{kind}", cell=cell_name(cell)), language)
    texts = [] if card == rules.DOWN else [card_phrase(card), *([phrase("note.mine")] if kind == "mine" else [])]
    note = ", ".join(tell(each, language) for each in texts)
    return Choice(action, text, label, (f"f:{cell_name(cell)}",), KINDS[kind], note, confirm=kind == "mine")


def face(position: Position, action: int, language: str) -> Face:
    """The real card that was drawn or turned over."""
    tell, card = position.game.words.tell, action - (rules.DRAW if action < rules.FLIP else rules.FLIP)
    suit = -1 if card == JOKER else int(rules.suit_of(card))
    row = tell(card_phrase(card) if suit < 0 else suit_phrase(suit), language)
    parts, seat = card_parts(card, False), "" if suit < 0 else livery(suit)
    return Face(action, position.name(action), tell(card_phrase(card), language), parts, seat, row, 70, 94)


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
        return rules.STOP
    kind, _, named = touch[-1].partition(":")
    if kind == "p" and named in SUITS:
        place = int(position.state.place[SUITS.index(named)])
        field = field_of(position.game, SUITS.index(named), place)
    else:
        field = f"f:{named}" if kind in ("f", "c") else ""
    if field == field_of(position.game, suit, rules.GONE):
        return rules.ACROSS
    cells = {f"f:{cell_name(cell)}": cell for cell in range(COLUMNS * position.game.law.rows)}
    return rules.TO + cells[field] if field in cells else None


def traces(before: Position, action: int, after: Position) -> tuple[Trace, ...]:
    """The mover's path to its new place, if it moved."""
    suit = mover_of(before)
    if suit < 0 or action == rules.STOP or before.state.place[suit] == after.state.place[suit]:
        return ()
    game = before.game
    via = [field_of(game, suit, int(before.state.place[suit]))]
    if rules.FLIP <= action < rules.ACROSS:
        via.append(f"f:{cell_name(_cell_of(before, action))}")
    if int(after.state.status[suit]) == rules.CROSSED:
        via.append(field_of(game, suit, rules.GONE))
    return (Trace(f"p:{SUITS[suit]}", tuple(via)),)


def _cell_of(position: Position, action: int) -> int:
    """The cell of a step or a flip."""
    return int(position.state.flipping) if action < rules.TO else action - rules.TO


def last(before: Position, action: int) -> tuple[str, str]:
    suit = mover_of(before)
    if suit < 0 or action == rules.STOP:
        return "", ""
    origin = field_of(before.game, suit, int(before.state.place[suit]))
    end = field_of(before.game, suit, rules.GONE) if action == rules.ACROSS else f"f:{cell_name(_cell_of(before, action))}"
    return origin, end
