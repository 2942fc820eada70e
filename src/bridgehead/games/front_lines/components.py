"""The printed components of The Front Lines: a board with a place for each card, both packs at poker size, and tokens."""

from __future__ import annotations

from bridgehead.core.components import Area, Mat, Thing, around
from bridgehead.core.game import Game
from bridgehead.core.phrases import phrase
from bridgehead.core.scene import Item, Part, Picture, circle, rectangle
from bridgehead.games.front_lines import scene
from bridgehead.games.front_lines.board import JOKER, SUITS
from bridgehead.games.front_lines.rules import ALIVE, WAITING, suit_of
from bridgehead.games.front_lines.scene import (
    EDGE,
    FieldPlaces,
    card_parts,
    draw_bank,
    livery,
    place_field_both_ways,
    token_parts,
)
from bridgehead.games.front_lines.words import suit_phrase

CARD = (63.0, 88.0)  # millimetres: poker size
PLACE = (62.0, 84.0)  # a card in the picture's units
MM = 1.016  # millimetres of a unit; a card has some room on its place
SIDE, TOP, BOTTOM = EDGE - 12, 8.0, 16.0  # width of the felt around the places
BANK, BANKS = 96.0, ("f:start", "f:across")  # a bank's width in units; their fields
NAME = (36.0, 14.0)  # from the middle of a bank's name to its ends
TOKEN, LIFE = 26.0, 16.0  # millimetres across


def mat(game: Game, language: str) -> Mat:
    """The board: both banks and a place for every card. No seam cuts a place or a bank's name."""
    at, drawn = place_field_both_ways(game)[0], scene.picture(game, language)
    height = max(y for _, y in at.cells) + PLACE[1] / 2 + BOTTOM - TOP
    felt = Item("g:felt", 0, 0, (Part(d=rectangle(0, 0, _across(at, at.width), height, 18), cls="felt"),))
    names = [each for each in drawn.ground if each.id.startswith(("g:row-", "g:column-"))]
    place = Part(d=rectangle(-PLACE[0] / 2, -PLACE[1] / 2 - 2, PLACE[0], PLACE[1] + 4, 7), cls="place")
    fields = [_bank(at, each) if each.id in BANKS else _laid(at, each, (place,)) for each in drawn.fields]
    mud = (Item(each.id, -SIDE, -TOP, each.parts) for each in drawn.ground if each.id == "g:field")
    ground = (felt, *mud, *(_laid(at, each, each.parts) for each in names))
    whole: dict[str, Area] = {each.id: around(each.x, each.y, PLACE[0] / 2, PLACE[1] / 2 + 2) for each in fields}
    whole = {name: area for name, area in whole.items() if name not in BANKS}
    whole |= {f"g:{each.id}": _named(each) for each in fields if each.id in BANKS}
    picture = Picture(_across(at, at.width), height, ground, tuple(fields))
    return Mat(picture, MM, whole, opening=_opening(game, at, language))


def _across(at: FieldPlaces, x: float) -> float:
    """Convert an x on the screen to an x on paper: printed banks are only as wide as their contents."""
    one, other = at.banks
    bank = min(one.width, BANK)
    cut = one.width - bank
    if x <= one.x + one.width / 2:
        return EDGE + bank / 2 - SIDE
    if x >= at.width:
        return x - 2 * cut - 2 * SIDE
    return x - cut - SIDE if x < other.x - other.width / 2 else at.width - 2 * cut - EDGE - bank / 2 - SIDE


def _laid(at: FieldPlaces, item: Item, parts: tuple[Part, ...]) -> Item:
    return Item(item.id, _across(at, item.x), item.y - TOP, parts, item.seat, z=item.z)


def _bank(at: FieldPlaces, item: Item) -> Item:
    """A bank with its name."""
    wide = at.banks[0]
    bank, name = wide._replace(width=min(wide.width, BANK)), (part for part in item.parts if part.text)
    return _laid(at, item, (*draw_bank(bank, "far" in item.parts[0].cls, item.id != BANKS[0], True), *name))


def _named(bank: Item) -> Area:
    """The name of a bank."""
    lines = [part.y for part in bank.parts if part.text]
    return around(bank.x, bank.y + (min(lines) + max(lines)) / 2 - 5, NAME[0], NAME[1] + (max(lines) - min(lines)) / 2)


def _opening(game: Game, at: FieldPlaces, language: str) -> tuple[Item, ...]:
    """The start: all cards face down, even those of a layout (FLQ-17), and the characters on their lines."""
    shown = (item for item in scene.items(game.start(), language) if item.id.startswith(("c:", "p:")))
    return tuple(_laid(at, each, each.parts) for each in shown)


def things(game: Game, language: str) -> tuple[Thing, ...]:
    """The field's cards and Jokers, the second pack, four characters and their lives."""
    tell = game.words.tell
    field, draw, short = (tell(phrase(key), language) for key in ("box.field", "box.draw", "box.draw.short"))
    k = CARD[0] / PLACE[0]
    back = (Part(d=rectangle(-CARD[0] / 2, -CARD[1] / 2, *CARD), cls="paper"), Part(use="fl-back", scale=k))
    second = (
        *back,
        Part(d=rectangle(-14, -6, 28, 12, 6), cls="pack-plate"),
        Part(text=short, cls="pack-title", y=1.9, scale=0.55),
    )
    found = [_card(field, card, back, "", 1) for card in game.board.field_cards]
    if game.options.jokers_in_field:
        found.append(_card(field, JOKER, back, "", game.options.jokers_in_field))
    found += [_card(draw, card, second, "second", 1) for card in game.board.draw_pack]
    return (*found, *_tokens(game, language))


def _card(name: str, card: int, back: tuple[Part, ...], back_seat: str, count: int) -> Thing:
    """A face: rank and suit in two corners, and the suit or the court letter, large, in the middle."""
    k = CARD[0] / PLACE[0]
    parts = [Part(d=rectangle(-CARD[0] / 2, -CARD[1] / 2, *CARD), cls="paper"), Part(use="fl-card", scale=k)]
    *index, middle = card_parts(card, False, k)[1:]
    if middle.cls == "suit":
        middle = Part(use=middle.use, cls="suit", scale=1.2 * middle.scale)
    turned = (Part(p.use, p.d, p.text, p.cls, -p.x, -p.y, 180, p.scale) for p in index)
    parts += [*index, middle, *turned]
    seat = "" if card == JOKER else livery(suit_of(card))
    return Thing(name, tuple(parts), *CARD, count, seat, back=back, back_seat=back_seat)


def _tokens(game: Game, language: str) -> list[Thing]:
    """Two-sided discs. Characters: alive and waiting. Lives: held and lost, the lost side showing an exploded mine."""
    tell, found = game.words.tell, []
    keys = ("box.characters", "box.characters.note", "box.lives", "box.lives.note")
    characters, fold, lives, leave = (tell(phrase(key), language) for key in keys)
    for suit in range(4):
        edge = (
            *(Part(d=circle(TOKEN / 2), cls=cls) for cls in ("cut face", "gloss low")),
            Part(d=circle(TOKEN / 2 - 1.2), cls="token-ring"),
        )
        face = _placed(token_parts(suit, ALIVE)[1:], -1.5, 0.52)
        rings = (Part(d=circle(r), cls=cls) for r, cls in ((18, "down"), (13.5, "milled"), (18, "gloss low")))
        waiting = (*rings, *token_parts(suit, WAITING)[1:])
        back = (Part(d=circle(TOKEN / 2), cls="cut paper"), *_placed(waiting, 0, 0.6))
        label = Part(text=tell(suit_phrase(suit), language), cls="token-name", y=9.6, scale=0.28)
        found.append(_folded(characters, fold, TOKEN, (*edge, *face, label), back, 1, livery(suit)))
    for suit in range(4):
        r = LIFE / 2
        symbol = Part(use=f"fl-suit-{SUITS[suit]}", cls="suit", scale=0.55 * r)
        own = (Part(d=circle(r), cls="cut paper"), Part(d=circle(r - 1.4), cls="suit-line"), symbol)
        burst = (Part(d=circle(r), cls="cut cream"), Part(use="fl-burst", y=-0.6, scale=0.0125 * LIFE))
        found.append(_folded(lives, leave, LIFE, own, burst, int(game.law.lives), livery(suit)))
    return found


def _placed(parts: tuple[Part, ...], down: float, scale: float) -> tuple[Part, ...]:
    return tuple(Part(p.use, p.d, p.text, p.cls, p.x * scale, p.y * scale + down, p.turn, p.scale * scale) for p in parts)


def _folded(name: str, note: str, across: float, front: tuple[Part, ...], back: tuple[Part, ...], count: int, seat: str) -> Thing:
    """Two discs to be folded together; the back is printed upside down."""
    r = across / 2
    upper = tuple(Part(p.use, p.d, p.text, p.cls, -p.x, -p.y - r, p.turn + 180, p.scale) for p in back)
    lower = tuple(Part(p.use, p.d, p.text, p.cls, p.x, p.y + r, p.turn, p.scale) for p in front)
    fold = Part(d=f"M{-0.5 * r:g} 0h{r:g}", cls="fold")
    return Thing(name, (*upper, *lower, fold), across, 2 * across, count, seat, note)
