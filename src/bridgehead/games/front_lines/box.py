"""What lies in the box of The Front Lines: places for the cards, both packs at poker size, characters and their lives."""

from __future__ import annotations

from bridgehead.core.box import Area, Mat, Thing, around, circle, rectangle
from bridgehead.core.game import Game
from bridgehead.core.phrases import phrase
from bridgehead.core.scene import Item, Part, Picture
from bridgehead.games.front_lines import scene
from bridgehead.games.front_lines.board import JOKER, SUITS
from bridgehead.games.front_lines.drawing import card_parts, livery, token_parts
from bridgehead.games.front_lines.places import EDGE, both
from bridgehead.games.front_lines.state import ALIVE, WAITING, suit_of
from bridgehead.games.front_lines.words import suit_phrase

CARD = (63.0, 88.0)  # millimetres: poker size
PLACE = (62.0, 84.0)  # a card in the picture's units
MM = 1.016  # millimetres of a unit, so that a card has room on its place
SIDE, TOP, BOTTOM = EDGE - 2, 22.0, 16.0  # what is left of the felt around the places
NAME = (40.0, 26.0)  # from the middle of a bank to the ends of its name
TOKEN, LIFE = 26.0, 16.0  # millimetres across


def mat(game: Game, language: str) -> Mat:
    """Both banks and a place for every card; places are not cut. A field of few rows is as wide as its banks and rows."""
    at, drawn = both(game)[0], scene.picture(game, language)
    bottom = max(y for _, y in at.cells) + PLACE[1] / 2 + BOTTOM
    width, height = at.width - 2 * SIDE, bottom - TOP
    felt = Item("g:felt", 0, 0, (Part(d=rectangle(0, 0, width, height, 18), cls="felt"),), cls="still")
    names = [each for each in drawn.ground if each.id.startswith(("g:row-", "g:column-"))]
    place = Part(d=rectangle(-PLACE[0] / 2, -PLACE[1] / 2 - 2, PLACE[0], PLACE[1] + 4, 7), cls="place")
    fields = []
    for field in drawn.fields:
        parts = field.parts if field.id in ("f:start", "f:across") else (place,)
        fields.append(Item(field.id, field.x - SIDE, field.y - TOP, parts))
    ground = (felt, *(Item(each.id, each.x - SIDE, each.y - TOP, each.parts) for each in names))
    whole: dict[str, Area] = {each.id: around(each.x, each.y, PLACE[0] / 2, PLACE[1] / 2 + 2) for each in fields[2:]}
    whole |= {f"g:{each.id}": around(each.x, each.y, NAME[0], NAME[1]) for each in fields[:2]}
    return Mat(Picture(width, height, ground, tuple(fields)), MM, whole, opening=_opening(game, language))


def _opening(game: Game, language: str) -> tuple[Item, ...]:
    """All cards face down, and the characters on their lines; what lies there is nobody's to see (FLQ-17)."""
    shown = (item for item in scene.items(game.start(), language) if item.id.startswith(("c:", "p:")))
    return tuple(Item(each.id, each.x - SIDE, each.y - TOP, each.parts, each.seat, z=each.z) for each in shown)


def things(game: Game, language: str) -> tuple[Thing, ...]:
    """The field's cards and Jokers, the second pack, four characters and their lives."""
    tell = game.words.tell
    field, draw, short = (tell(phrase(key), language) for key in ("box.field", "box.draw", "box.draw.short"))
    k = CARD[0] / PLACE[0]
    back = (Part(d=rectangle(-CARD[0] / 2, -CARD[1] / 2, *CARD), cls="paper"), Part(use="fl-back", scale=k))
    second = (*back, Part(d=rectangle(-14, -6, 28, 12, 6), cls="pack-plate"), Part(text=short, cls="pack-title", y=1.9, scale=0.55))
    found = [_card(field, card, back, "", 1) for card in game.board.field_cards]
    if game.options.jokers_in_field:
        found.append(_card(field, JOKER, back, "", game.options.jokers_in_field))
    found += [_card(draw, card, second, "second", 1) for card in game.board.draw_pack]
    return (*found, *_tokens(game, language))


def needed(game: Game, language: str) -> tuple[str, ...]:
    """Nothing else."""
    return ()


def _card(name: str, card: int, back: tuple[Part, ...], back_seat: str, count: int) -> Thing:
    """A face: rank and suit in two corners, and the suit or the court letter, large, in the middle."""
    k = CARD[0] / PLACE[0]
    parts = [Part(d=rectangle(-CARD[0] / 2, -CARD[1] / 2, *CARD), cls="paper")]
    *index, middle = card_parts(card, False, k)[1:]
    if middle.cls == "suit":
        middle = Part(use=middle.use, cls="suit", scale=1.2 * middle.scale)
    turned = (Part(p.use, p.d, p.text, p.cls, -p.x, -p.y, 180, p.scale) for p in index)
    parts += [*index, middle, *turned]
    seat = "" if card == JOKER else livery(suit_of(card))
    return Thing(name, tuple(parts), *CARD, count, seat, back=back, back_seat=back_seat)


def _tokens(game: Game, language: str) -> list[Thing]:
    """Characters, standing on one side and waiting on the other; lives, whose other side is a mine that has gone off."""
    tell, found = game.words.tell, []
    keys = ("box.characters", "box.characters.note", "box.lives", "box.lives.note")
    characters, fold, lives, leave = (tell(phrase(key), language) for key in keys)
    for suit in range(4):
        front = (Part(d=circle(TOKEN / 2), cls="cut face"), Part(d=circle(TOKEN / 2 - 1.5), cls="ring"))
        front += _placed(token_parts(suit, ALIVE)[1:], -1.5, 0.52)
        back = (Part(d=circle(TOKEN / 2), cls="cut paper"), *_placed(token_parts(suit, WAITING), 0, 0.6))
        label = Part(text=tell(suit_phrase(suit), language), cls="token-name", y=9.6, scale=0.28)
        found.append(_folded(characters, fold, TOKEN, (*front, label), back, 1, livery(suit)))
    for suit in range(4):
        r = LIFE / 2
        symbol = Part(use=f"fl-suit-{SUITS[suit]}", cls="suit", scale=0.55 * r)
        front = (Part(d=circle(r), cls="cut paper"), Part(d=circle(r - 1.4), cls="suit-line"), symbol)
        back = (Part(d=circle(r), cls="cut cream"), Part(use="fl-burst", y=-0.6, scale=0.0125 * LIFE))
        found.append(_folded(lives, leave, LIFE, front, back, int(game.law.lives), livery(suit)))
    return found


def _placed(parts: tuple[Part, ...], down: float, scale: float) -> tuple[Part, ...]:
    return tuple(Part(p.use, p.d, p.text, p.cls, p.x * scale, p.y * scale + down, p.turn, p.scale * scale) for p in parts)


def _folded(
    name: str, note: str, across: float, front: tuple[Part, ...], back: tuple[Part, ...], count: int, seat: str
) -> Thing:
    """Two discs that touch where they are folded; the back stands on its head."""
    r = across / 2
    upper = tuple(Part(p.use, p.d, p.text, p.cls, -p.x, -p.y - r, p.turn + 180, p.scale) for p in back)
    lower = tuple(Part(p.use, p.d, p.text, p.cls, p.x, p.y + r, p.turn, p.scale) for p in front)
    fold = Part(d=f"M{-0.5 * r:g} 0h{r:g}", cls="fold")
    return Thing(name, (*upper, *lower, fold), across, 2 * across, count, seat, note)
