"""The scene of The Front Lines: the field from left to right, cards, tokens and the tray. Units are the picture's."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from bridgehead.core.bits import count, members
from bridgehead.core.caching import cached_per_game
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import (
    Choice,
    Face,
    Item,
    MovementTrace,
    Part,
    Picture,
    SeatPanel,
    Up,
    Ways,
    base,
    circle,
    lying,
    rectangle,
)
from bridgehead.games.front_lines import rules, walks
from bridgehead.games.front_lines.board import CARDS, COLUMNS, JOKER, SUITS, cell_name
from bridgehead.games.front_lines.words import (
    COURT,
    SIDES,
    card_phrase,
    lives_phrase,
    mover_of,
    seat,
    side_phrase,
    state_phrase,
    step_kind,
    suit_phrase,
    suits_of,
)

# -- places: rows run to the right, or upwards on a narrow screen ------------------------------------------------------
Spot = tuple[float, float]
EDGE, GAP = 12.0, 18.0  # board edge to bank, bank to cards
WIDTH, HEIGHT = 1000.0, 820.0
DX, DY, TOP = 70.0, 93.0, 62.0  # from card to card, and the first column's upper edge
TRAY_TOP, TRAY_GROWN = 452.0, 1.15  # upper edge of the tray; its plates and words are larger by this
LINE = 62.0  # from plate to plate
# Upright: the field scrolls in a window, as high as UPRIGHT_TRAY at least; the tray stays beside it.
UPRIGHT_WIDTH, UPRIGHT_DX, UPRIGHT_DY, UPRIGHT_LEFT, UPRIGHT_BANK = 360.0, 48.0, 60.0, 24.0, 42.0
UPRIGHT_GROWN, UPRIGHT_TRAY, UPRIGHT_LINE = 0.66, 266.0, 38.5
NAME, CLEAR = 18.0, 8.0  # height of a line of names; from a bank to the cards, upright


class Box(NamedTuple):
    """A rectangle: its middle, and its size."""

    x: float
    y: float
    width: float
    height: float


class FieldPlaces(NamedTuple):
    """Middles of cards by cell, banks by edge (start, far), a character's place on each bank, names, and the tray's things.

    grown: scale of cards and tokens. name_lines: places of the lines of a bank's name, from the bank's middle.
    """

    width: float
    height: float
    grown: float
    cells: tuple[Spot, ...]
    banks: tuple[Box, Box]
    lanes: tuple[tuple[Spot, ...], tuple[Spot, ...]]
    name_lines: tuple[float, float]
    row_names: tuple[Spot, ...]
    column_names: tuple[Spot, ...]
    tray: Box
    pack: Spot
    drawn: Spot
    sentences: Spot
    plates: tuple[Spot, ...]  # upper left corners


@cached_per_game
def place_field_both_ways(game: Game) -> tuple[FieldPlaces, FieldPlaces]:
    """The field's places in the wide and in the upright drawing."""
    return _wide(int(game.law.rows)), _upright(int(game.law.rows))


def _wide(rows: int) -> FieldPlaces:
    bank = (WIDTH - DX * rows) / 2 - EDGE - GAP  # width beside the rows of cards
    edge = EDGE + bank / 2
    cells = tuple((EDGE + bank + GAP + DX * (r + 0.5), TOP + DY * (c + 0.5)) for r in range(rows) for c in range(COLUMNS))
    height = 4 * DY - 9
    banks = (Box(edge, TOP + height / 2, bank, height), Box(WIDTH - edge, TOP + height / 2, bank, height))
    lanes = tuple(y for _, y in cells[:COLUMNS])
    above, tray = -height / 2 - 12, Box(WIDTH / 2, (TRAY_TOP + HEIGHT - 26) / 2, WIDTH - 40, HEIGHT - 26 - TRAY_TOP)
    plates = tuple((388 + 298 * (suit % 2), tray.y + 16 + 76 * (suit // 2)) for suit in range(4))
    return FieldPlaces(
        width=WIDTH,
        height=HEIGHT,
        grown=1,
        cells=cells,
        banks=banks,
        lanes=(tuple((edge, y) for y in lanes), tuple((WIDTH - edge, y) for y in lanes)),
        name_lines=(above, above),
        row_names=tuple((x, TOP - 12) for x, _ in cells[::COLUMNS]),
        column_names=tuple((EDGE + bank + GAP / 2, y + 5) for _, y in cells[:COLUMNS]),
        tray=tray,
        pack=(106, tray.y - 8),
        drawn=(258, tray.y),
        sentences=(390, tray.y - 96),
        plates=plates,
    )


def _upright(rows: int) -> FieldPlaces:
    field = 2 + 2 * NAME + UPRIGHT_BANK + CLEAR  # the upper edge of the cards
    start, middle = field + UPRIGHT_DY * rows, UPRIGHT_LEFT + UPRIGHT_DX * COLUMNS / 2
    cells = tuple(
        (UPRIGHT_LEFT + UPRIGHT_DX * (c + 0.5), start - UPRIGHT_DY * (r + 0.5)) for r in range(rows) for c in range(COLUMNS)
    )
    near, far = start + CLEAR + UPRIGHT_BANK / 2, field - CLEAR - UPRIGHT_BANK / 2
    lanes, bank, left = [x for x, _ in cells[:COLUMNS]], UPRIGHT_DX * COLUMNS, UPRIGHT_LEFT + UPRIGHT_DX * COLUMNS + 8
    width = UPRIGHT_WIDTH - left - 8
    return FieldPlaces(
        width=UPRIGHT_WIDTH,
        height=max(near + UPRIGHT_BANK / 2 + NAME, UPRIGHT_TRAY) + 22,
        grown=UPRIGHT_GROWN,
        cells=cells,
        banks=(Box(middle, near, bank, UPRIGHT_BANK), Box(middle, far, bank, UPRIGHT_BANK)),
        lanes=(tuple((x, near) for x in lanes), tuple((x, far) for x in lanes)),
        name_lines=(UPRIGHT_BANK / 2 + 16, -UPRIGHT_BANK / 2 - 5),
        row_names=tuple((UPRIGHT_LEFT - 11, y + 4) for _, y in cells[::COLUMNS]),
        column_names=tuple((x, 15) for x in lanes),
        tray=Box(left + width / 2, UPRIGHT_TRAY / 2, width, UPRIGHT_TRAY - 16),
        pack=(left + 28, 38),
        drawn=(left + width - 36, 50),
        sentences=(left + 8, 98),
        plates=tuple((left + 4, 108 + UPRIGHT_LINE * suit) for suit in range(4)),
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
        return (body, *index, Part(use=f"fl-court-{rank}", y=12 * k, scale=2.125 * k))
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
MOST_SQUARES = 5  # a larger number of lives is written in digits
LETTERS = 9.9, 7.8  # the usual width of a letter of a name and of a state


class PlateSize(NamedTuple):
    """The size of a plate, the room for its token, and the scales of its texts and its token; the width of a life."""

    width: float
    height: float
    left: float
    text: float
    token: float
    square: float

    @property
    def empty(self) -> Part:
        return Part(d=rectangle(0, 0, self.width, self.height, 8), cls="plate")


WIDE_PLATE, SMALL_PLATE = PlateSize(252, 58, 58, 1, 1, 13), PlateSize(120, 36, 33, 0.82, 0.66, 9)


def scale_parts(parts: Iterable[Part], k: float) -> tuple[Part, ...]:
    """The same parts, larger by a factor."""
    return tuple(
        msgspec.structs.replace(part, x=round(part.x * k, 2), y=round(part.y * k, 2), scale=round(part.scale * k, 3))
        for part in parts
    )


def tray_ground(at: FieldPlaces, plate: Part) -> tuple[Item, ...]:
    """The tray itself, and the empty plates."""
    felt = Item("g:tray", at.tray.x, at.tray.y, (Part(d=box(at.tray, 16), cls="tray-felt"),), cls="still dock")
    plates = (Item(f"g:plate-{SUITS[suit]}", *at.plates[suit], (plate,), cls="still dock") for suit in range(4))
    desk = Item(
        "g:desk",
        0,
        0,
        (Part(use="fl-desk"), Part(use="fl-lantern", x=926, y=526)),
        cls="still dock",
    )
    lantern = Item(
        "g:lantern",
        0,
        0,
        (Part(use="fl-lantern", x=at.tray.x, y=UPRIGHT_TRAY + 52, scale=0.75),),
        cls="still dock",
    )
    return (felt, lantern, *plates) if at.grown < 1 else (felt, desk, *plates)


class TurnState(NamedTuple):
    """The state of a turn: drawn card, steps left, cell to be flipped; reason and winner at the end. -1: none."""

    drawn: int
    left: int
    flipping: int
    reason: int
    winner: int


def tray_items(position: Position, language: str) -> tuple[Item, ...]:
    """Pack, drawn card, its sentences, and the plates."""
    game, state = position.game, position.state
    turn = TurnState(int(state.drawn), int(state.left), int(state.flipping), int(state.reason), int(state.winner))
    left, claim = int(count(game.law.pack & ~state.used)), int(state.claim)
    stands = enumerate(zip(state.status, state.lives, strict=True))
    plates = (_plate(game, suit, status, lives, claim == rules.side_of(suit), language) for suit, (status, lives) in stands)
    found = [_pack(game, left, language), _drawn_card(game, turn, language), *plates]
    return (*found, _drawn(game, turn.drawn, language)) if turn.drawn >= 0 else tuple(found)


@cached_per_game
def _drawn(game: Game, drawn: int, language: str) -> Item:
    label = game.words.tell(phrase("label.drawn", card=card_phrase(drawn)), language)
    wide, upright = (
        Item("t:drawn", *at.drawn, card_parts(drawn, False, k), livery(rules.suit_of(drawn)), "flips dock", label, r=40)
        for at, k in zip(place_field_both_ways(game), (2.2, 0.94), strict=True)
    )
    return lying(wide, upright)


@cached_per_game
def _pack(game: Game, left: int, language: str) -> Item:
    label = game.words.tell(phrase("label.pack", n=left), language)
    wide, upright = (
        Item("t:pack", *at.pack, _backs(left, k), cls="dock", label=label, r=40)
        for at, k in zip(place_field_both_ways(game), (1.7, 0.62), strict=True)
    )
    return lying(wide, upright)


def _backs(left: int, k: float) -> tuple[Part, ...]:
    """The backs of the upper cards of the pack, and the number of cards under them."""
    backs = (Part(use="fl-back", x=-3 * n, y=-3 * n) for n in range(min(left, 3)))
    return (*scale_parts(backs, k), Part(text=str(left), cls="row-no left", y=42 * k + 14 + 2 * k, scale=max(1, 0.8 * k)))


@cached_per_game
def _drawn_card(game: Game, turn: TurnState, language: str) -> Item:
    """Title, sentence, and a pip for each step of the drawn card; upright only the pips, since the prompt says the rest."""
    tell = game.words.tell
    title, line = _sentences(game, turn)
    parts = [Part(text=tell(title, language), cls="tray-title", y=-24)]
    if line is not None:
        parts.append(Part(text=tell(line, language), cls="tray-text", y=2))
    wide, upright = place_field_both_ways(game)
    parts += _pips(game, turn, (10, 26), 8, 300)
    few = tuple(_pips(game, turn, (6, 0), 5, upright.tray.width - 24))
    return Item("t:said", *wide.sentences, scale_parts(parts, 1.35), cls="still dock", up=Up(*upright.sentences, few))


def _pips(game: Game, turn: TurnState, first: Spot, r: float, width: float) -> list[Part]:
    """A circle for each step of the drawn card, filled for those done."""
    if turn.drawn < 0:
        return []
    steps = int(rules.value_of(turn.drawn))
    apart = min(3.25 * r, width / max(1, steps - 1))
    pips = [circle(min(r, apart / 2.4), first[0] + apart * k, first[1]) for k in range(steps)]
    done = 0 if game.law.destination else steps - turn.left
    return [Part(d="".join(d), cls=cls) for d, cls in ((pips[:done], "step-done"), (pips[done:], "step-left")) if d]


def _sentences(game: Game, turn: TurnState) -> tuple[Phrase, Phrase | None]:
    if turn.reason:
        won = phrase("tray.won", side=side_phrase(game, turn.winner)) if turn.winner >= 0 else phrase("tray.none")
        return phrase("tray.over"), won
    if turn.drawn < 0:
        return phrase("tray.draw"), phrase("tray.suit")
    title, who, steps = card_phrase(turn.drawn), suit_phrase(int(rules.suit_of(turn.drawn))), int(rules.value_of(turn.drawn))
    if turn.flipping >= 0:
        return title, phrase("tray.flips", cell=cell_name(turn.flipping))
    if game.law.destination:
        return title, phrase("tray.walks", who=who, n=steps)
    return title, phrase("tray.moves", who=who, n=steps, done=steps - turn.left, left=turn.left)


def status_phrase(status: int, suit: int, claims: bool) -> Phrase:
    """A character's state, and whether its side holds the claim."""
    sentence = state_phrase(status, suit)
    if status == rules.CROSSED and claims:
        return phrase("list.two", a=sentence, b=phrase("claims"))
    return sentence


@cached_per_game
def _plate(game: Game, suit: int, status: int, lives: int, claims: bool, language: str) -> Item:
    tell, (wide, upright) = game.words.tell, place_field_both_ways(game)
    names = [tell(suit_phrase(each), language) for each in range(len(SUITS))]
    texts = (names[suit], max(map(len, names))), (state := tell(status_phrase(status, suit, claims), language), len(state))
    parts, small = (_plate_parts(game, suit, status, lives, texts, plate) for plate in (WIDE_PLATE, SMALL_PLATE))
    up = Up(*upright.plates[suit], small)
    return Item(f"t:{SUITS[suit]}", *wide.plates[suit], scale_parts(parts, TRAY_GROWN), livery(suit), "still dock", up=up)


def _plate_parts(
    game: Game, suit: int, status: int, lives: int, texts: tuple[tuple[str, int], ...], plate: PlateSize
) -> tuple[Part, ...]:
    """The token, name, state and lives of a character.

    texts: with the number of letters for which room is needed, of the longest of four names. What is too long is written smaller.
    """
    most, k = int(game.law.lives), plate.token
    x, y = plate.left / 2, plate.height / 2 - 2
    token = (msgspec.structs.replace(part, x=part.x + x, y=part.y + y) for part in token_parts(suit, status, k))
    room = plate.width - plate.left - 8
    count = f"{lives}/{most}" if most > MOST_SQUARES else ""
    aside = LETTERS[0] * plate.text * len(count) if count else (plate.square + 4) * most
    parts = list(token)
    lines = zip(texts, ("plate-name", "plate-state"), (0.43, 0.8), (room - aside, room), LETTERS, strict=True)
    for (text, letters), cls, y, left, letter in lines:
        scale = min(plate.text, left / (letter * letters))
        parts.append(Part(text=text, cls=cls, x=plate.left, y=plate.height * y, scale=round(scale, 2)))
    first, size = plate.width - 8 - aside, plate.square
    if count:
        parts.append(Part(text=count, cls="plate-name", x=first, y=plate.height * 0.43, scale=plate.text))
        return tuple(parts)
    boxes = [rectangle(first + (size + 4) * n, plate.height * 0.43 - size + 1, size, size, size / 4) for n in range(most)]
    return (*parts, *(Part(d="".join(d), cls=cls) for d, cls in ((boxes[:lives], "life"), (boxes[lives:], "life-gone")) if d))


# -- the scene ---------------------------------------------------------------------------------------------------------
GLYPHS = ("({})", "z{}", "x{}", "({})")  # of a token, by status: on the way, waiting, out, across
KINDS = {"unknown": "ask", "mine": "warn", "blown": "safe", "safe": "safe"}
MOST_TRIES = 2000  # most steps of the search for the way that a turn took


def picture(game: Game, language: str) -> Picture:
    """Felt, row numbers and the tray; the fields are two banks and the places of the cards."""
    wide, upright = (_picture(game, language, at) for at in place_field_both_ways(game))
    return msgspec.structs.replace(wide, upright=upright)


def _picture(game: Game, language: str, at: FieldPlaces) -> Picture:
    edges = [(f"row-{row + 1}", str(row + 1), spot) for row, spot in enumerate(at.row_names)]
    edges += [(f"column-{column}", "abcd"[column], spot) for column, spot in enumerate(at.column_names)]
    names = (Item(f"g:{name}", *spot, (Part(text=text, cls="row-no"),), cls=_name_class(name)) for name, text, spot in edges)
    labels = (cell_name(cell) for cell in range(len(at.cells)))
    r = round(CARD_R * at.grown, 1)
    cells = (Item(f"f:{name}", *at.cells[cell], label=name, r=r) for cell, name in enumerate(labels))
    plate = scale_parts([WIDE_PLATE.empty], TRAY_GROWN)[0] if at.grown == 1 else SMALL_PLATE.empty
    field = Item("g:field", 0, 0, (Part(use="fl-ground" if at.grown == 1 else "fl-ground-up"),), cls="still")
    dusk = Part(d=rectangle(0, 0, at.width, at.height - 8, 22), cls="dusk-light")
    soil = (base("felt", at.width, at.height - 8), field, Item("g:dusk", 0, 0, (dusk,), cls="still"))
    ground = (*soil, _names_ground(at), *tray_ground(at, plate), *names)
    return Picture(at.width, at.height, ground, (*_banks(game, language, at), *cells))


def _name_class(name: str) -> str:
    """The letters of the columns stay in sight on an upright picture."""
    return "still dock" if name.startswith("column-") else "still"


def _names_ground(at: FieldPlaces) -> Item:
    """Felt behind the letters of the columns, which cards pass on an upright picture."""
    felt = rectangle(at.banks[0].x - at.banks[0].width / 2, 2, at.banks[0].width, NAME) if at.grown < 1 else "M0 0"
    return Item("g:names", 0, 0, (Part(d=felt, cls="felt"),), cls="still dock names-ground")


def _banks(game: Game, language: str, at: FieldPlaces) -> tuple[Item, Item]:
    """Start line and safe bank; with sides opposed each edge is one side's start (FLQ-5)."""
    opposed = game.options.opposed_sides
    near = ("scene.red", "scene.start") if opposed else ("scene.start",)
    far = ("scene.black", "scene.start") if opposed else ("scene.safe", "scene.bank")
    labels = ("label.left", "label.right") if opposed else ("label.start", "label.across")
    return (
        _bank(game, "f:start", at, near, labels[0], False, language),
        _bank(game, "f:across", at, far, labels[1], not opposed, language),
    )


BAG_HALF = 12  # half the length of a sandbag


def _bank(game: Game, bank: str, places: FieldPlaces, lines: tuple[str, ...], label: str, far: bool, language: str) -> Item:
    at = places.banks[bank == "f:across"]
    texts = [game.words.tell(phrase(key), language) for key in lines]
    if places.grown < 1:
        texts = [" ".join(texts).replace("- ", "")]
    y = places.name_lines[bank == "f:across"]
    scale = 0.85 if places.grown < 1 else min(0.85, round(72 / (12.2 * max(map(len, texts))), 2))  # no wider than the edge
    words = (Part(text=line, cls="bank-text", y=y - NAME * (len(texts) - 1 - i), scale=scale) for i, line in enumerate(texts))
    r = min(at.width / 2, at.height / 2, 44)
    ground = draw_bank(at, far, bank != "f:start", places.grown == 1)
    return Item(bank, at.x, at.y, (*ground, *words), label=game.words.tell(phrase(label), language), r=r)


def draw_bank(at: Box, far: bool, turned: bool, upright: bool) -> tuple[Part, ...]:
    """A bank without its name. far: of grass, else a trench; turned: the trench looks back."""
    body = Part(d=box(at, 14), cls="bank far" if far else "bank")
    return (body, *(_meadow(at) if far else _bags(at, turned, upright)))


def _bags(at: Box, turned: bool, upright: bool) -> tuple[Part, ...]:
    """A trench: boards on its floor, and sandbags along the edge that looks towards the field. All are dashes of lines."""
    long, out = (at.height, at.width / 2 - 7) if upright else (at.width, at.height / 2 - 5)
    out = -out if upright and turned or not upright and not turned else out
    floor = (
        f"M{-4 if out > 0 else 4} {-long / 2 + 9:.0f}v{long - 18:.0f}" if upright else f"M{-long / 2 + 9:.0f} 2h{long - 18:.0f}"
    )
    begin = -long / 2 + BAG_HALF
    edge = f"M{out:.0f} {begin:.0f}V{-begin:.0f}" if upright else f"M{begin:.0f} {out:.0f}H{-begin:.0f}"
    layers = (floor, "duckboard"), (edge, "bag-edge"), (edge, "bag"), (edge, "bag-lit")
    return tuple(Part(d=d, cls=cls, x=-3 if upright and cls == "bag-lit" else 0) for d, cls in layers)


def _meadow(at: Box) -> tuple[Part, ...]:
    """Grass on the safe bank."""
    rng, blobs, blades = random.Random(6), list[str](), list[str]()
    for i in range(round(at.width * at.height / 250)):
        x, y = rng.uniform(-0.5, 0.5) * (at.width - 16), rng.uniform(-0.5, 0.5) * (at.height - 18)
        blades.append(f"M{x:.0f} {y:.0f}l-2-6m2 6v-8m0 8l2-6") if i % 3 else blobs.append(f"M{x:.0f} {y:.0f}h.1")
    return Part(d="".join(blobs), cls="turf-blob"), Part(d="".join(blades), cls="turf-weed")


def items(position: Position, language: str) -> tuple[Item, ...]:
    """Cards, the path of this turn, tokens and the tray's contents, each also with its place on the upright picture."""
    game, field, blown = position.game, position.state.field, int(position.state.blown)
    cards = (_card(game, cell, field[cell], bool(blown >> cell & 1), language) for cell in range(COLUMNS * int(game.law.rows)))
    tokens = _tokens(position, language)
    marks = (*_trail(position), *_ring(tokens, position))
    return (*cards, *marks, *tokens, *tray_items(position, language))


@cached_per_game
def _card(game: Game, cell: int, card: int, blown: bool, language: str) -> Item:
    wide, upright = (_lying_card(game, cell, card, blown, language, at) for at in place_field_both_ways(game))
    return lying(wide, upright)


def _lying_card(game: Game, cell: int, card: int, blown: bool, language: str, at: FieldPlaces) -> Item:
    tell, field = game.words.tell, f"f:{cell_name(cell)}"
    x, y = at.cells[cell]
    k, r = at.grown, round(CARD_R * at.grown, 1)
    if card == rules.DOWN:
        label = tell(phrase("label.down", cell=cell_name(cell)), language)
        return Item(f"c:{cell_name(cell)}", x, y, (Part(use="fl-back", scale=k),), "", "flips", label, field, r, z=1)
    label = tell(phrase("label.blown" if blown else "label.up", cell=cell_name(cell), card=card_phrase(card)), language)
    seat, cls = "" if card == JOKER else livery(rules.suit_of(card)), "flips bursts" if blown else "flips"
    glyph = f"!{CARDS[card][-1]}" if blown else CARDS[card]
    return Item(f"c:{cell_name(cell)}", x, y, card_parts(card, blown, k), seat, cls, label, field, r, z=1, glyph=glyph)


def ways(game: Game) -> Ways:
    """Steps of both sides between cells, from the start line, and across."""
    cells = COLUMNS * int(game.law.rows)
    joined = set[tuple[str, str]]()
    for suit in (0, len(SUITS) - 1):
        for place in (*range(cells), rules.START):
            steps = int(game.law.steps[rules.side_of(suit), place])
            ends = [cell for cell in range(cells) if steps >> cell & 1] + [rules.GONE] * (steps >> walks.ACROSS & 1)
            joined |= {(field_of(game, suit, place), field_of(game, suit, end)) for end in ends}
    roles = {field_of(game, 0, rules.START): "start", field_of(game, 0, rules.GONE): "across"}
    return Ways(frozenset(joined), dict.fromkeys(roles, "edge") if game.options.opposed_sides else roles)


def _tokens(position: Position, language: str) -> tuple[Item, ...]:
    state = position.state
    places, found = state.place, []
    for suit, stands in enumerate(zip(places, state.status, state.lives, strict=True)):
        together = _together(places, suit)
        found.append(_standing(position.game, suit, *stands, together.index(suit), len(together), language))
    return tuple(found)


@cached_per_game
def _standing(game: Game, suit: int, place: int, status: int, lives: int, index: int, number: int, language: str) -> Item:
    """A character on its place. index: its rank among the `number` of characters there."""
    spots = []
    for at in place_field_both_ways(game):
        if place in (rules.START, rules.GONE):
            spots.append(at.lanes[field_of(game, suit, place) != "f:start"][suit])
        else:
            (dx, dy), (x, y), k = SPREAD[number][index], at.cells[place], at.grown
            spots.append((x + dx * k, y + (dy + LIFT) * k))
    beside = {rules.START: "place.start", rules.GONE: "place.across"}
    where = phrase(beside[place]) if place in beside else cell_name(place)
    state, lives_left = state_phrase(status, suit), lives_phrase(lives)
    label = game.words.tell(phrase("label.token", who=suit_phrase(suit), state=state, lives=lives_left, place=where), language)
    field, glyph = field_of(game, suit, place), GLYPHS[status].format(SUITS[suit])
    cls = "piece" if status in (rules.WAITING, rules.OUT) else "piece rises"
    wide, upright = (
        Item(
            f"p:{SUITS[suit]}", *spot, token_parts(suit, status, k * SHRINK[number]), livery(suit), cls, label, field,
            round(TOKEN_R * k, 1), z=20, glyph=glyph,
        )
        for spot, k in zip(spots, (at.grown for at in place_field_both_ways(game)), strict=True)
    )  # fmt: skip
    return lying(wide, upright)


def _together(places: list[int], suit: int) -> list[int]:
    """The characters on the same card as this one, itself included. On a bank each has its own lane."""
    return [suit] if places[suit] >= rules.CELLS else [other for other, place in enumerate(places) if place == places[suit]]


def _ring(tokens: tuple[Item, ...], position: Position) -> tuple[Item, ...]:
    """A ring around the character that moves."""
    suit = mover_of(position)
    if suit < 0:
        return ()
    together, token = _together(position.state.place, suit), tokens[suit]
    ring = circle(25 * SHRINK[len(together)])
    assert token.up is not None
    large, small = (tuple(Part(d=ring, cls=cls, scale=k) for cls in ("m-ring-rim", "m-ring")) for k in (1.0, UPRIGHT_GROWN))
    up = Up(token.up.x, token.up.y + 2, small)
    return (Item("s:mover", token.x, token.y + 2, large, cls="still", z=19, up=up),)


def _trail(position: Position) -> tuple[Item, ...]:
    """The path of the running turn, as a dotted line."""
    way = _way(position)
    return (_dotted(position.game, tuple(way)),) if len(way) > 1 else ()


@cached_per_game
def _dotted(game: Game, way: tuple[int, ...]) -> Item:
    drawn = []
    for at in place_field_both_ways(game):
        d = "M" + "L".join(f"{x:.0f} {y + LIFT * at.grown:.0f}" for x, y in (at.cells[cell] for cell in way))
        drawn.append(Item("s:trail", 0, 0, (Part(d=d, cls="trail-rim"), Part(d=d, cls="trail")), cls="still", z=6))
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


@cached_per_game
def _steps(game: Game, side: int) -> list[int]:
    """For each cell the cells one step away, as bits of a whole number."""
    return [int(cells) for cells in game.law.steps[side]]


def goal(game: Game, seat: int) -> Phrase:
    if seat < 0:
        return phrase("goal")
    first, *more = suits_of(game, seat)
    names = {"who": suit_phrase(first), "mate": suit_phrase(int(rules.mate_of(first)))}
    return phrase("goal.own" if more else "goal.mate", **names, mines=phrase(f"cards.{SIDES[1 - int(rules.side_of(first))]}"))


def plates(position: Position, language: str, names: Mapping[str, str] | None = None, you: str = "") -> tuple[SeatPanel, ...]:
    """Each seat with its characters, their states and lives."""
    game = position.game
    status, lives, claim = position.state.status, position.state.lives, int(position.state.claim)
    found = []
    for number in range(game.seats):
        suits = suits_of(game, number)
        lines = tuple(_line(game, s, status[s], lives[s], claim == rules.side_of(s), len(suits) > 1, language) for s in suits)
        letter, name = "".join(SUITS[suit] for suit in suits), game.words.tell(seat(game, number), language)
        found.append(SeatPanel(livery(suits[0]), letter, name, lines))
    return tuple(found)


@cached_per_game
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
    confirm = tell(phrase("confirm.mine", cell=cell_name(cell), who=suit_phrase(suit)), language) if kind == "mine" else ""
    return Choice(action, text, label, (f"f:{cell_name(cell)}",), KINDS[kind], note, confirm=confirm)


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


def find_touched_action(position: Position, touch: tuple[str, ...]) -> int | None:
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


def traces(before: Position, action: int, after: Position) -> tuple[MovementTrace, ...]:
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
    return (MovementTrace(f"p:{SUITS[suit]}", tuple(via)),)


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
