"""Positions of The Front Lines that people set up: characters, cards and mines in the field, lives, drawn and used cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bridgehead.core.editing import Tool, Toolbox, forbid, whole_number
from bridgehead.core.game import Game, Position
from bridgehead.core.positions import MOST_TURNS, PositionSetting
from bridgehead.core.scene import Part
from bridgehead.games.front_lines import rules
from bridgehead.games.front_lines.board import CARDS, COLUMNS, INDEX, JOKER, SUITS, cell_name
from bridgehead.games.front_lines.scene import card_parts, field_of, livery
from bridgehead.games.front_lines.words import suit_phrase

MOST_LIVES, MOST_USED = 9, 200  # lives of a character; characters of the used cards
FIRST = "7H"  # the card to lay before another one was chosen


def tools(position: Position, tool: str, language: str) -> tuple[Tool, ...]:
    """Tools for characters, cards and mines; then the drawn card, the used cards, lives, and finished turns."""
    game, state = position.game, position.state
    box = Toolbox(game.words.tell, language)
    used = " ".join(CARDS[card] for card in range(JOKER) if rules.has(state.used, card))
    drawn = CARDS[int(state.drawn)] if state.drawn >= 0 else ""
    lives = []
    for suit, letter in enumerate(SUITS):
        label = box.tell("edit.tool.lives", who=suit_phrase(suit))
        lives.append(Tool(f"lives:{letter}", label, "number", value=int(state.lives[suit]), high=MOST_LIVES))
    return (
        box.touch("put", 2),
        box.touch("fall", 2, parts=(Part(use="fl-down", scale=0.9),)),
        box.touch("mine", parts=(Part(use="fl-burst", scale=0.8),)),
        box.touch("off"),
        *_cards(game, box, tool.removeprefix("card:")),
        Tool("drawn", box.tell("edit.tool.drawn"), "text", value=drawn, high=3),
        Tool("used", box.tell("edit.tool.used"), "text", value=used, high=MOST_USED),
        *lives,
        box.number("turns", int(state.turns), 0, MOST_TURNS),
    )


def _cards(game: Game, box: Toolbox, chosen: str) -> list[Tool]:
    """The cards of the chosen suit, and the chosen rank of the other suits; where the layout is known, only that of each cell."""
    if game.law.laid_out:
        return [box.touch("open")]
    there = [CARDS[card] for card in range(JOKER) if rules.has(game.law.field_cards, card)]
    chosen = chosen if chosen in (*there, CARDS[JOKER]) else FIRST
    rank, suit = (FIRST[0], FIRST[1]) if chosen == CARDS[JOKER] else (chosen[:-1], chosen[-1])
    shown = [card for card in there if card[-1] == suit or card[:-1] == rank] + [CARDS[JOKER]] * bool(game.law.jokers)
    hint = box.tell("edit.hint.card")
    return [Tool(f"card:{card}", card, hint=hint, parts=_drawing(card), seat=_livery(card), group="cards") for card in shown]


def _drawing(card: str) -> tuple[Part, ...]:
    return card_parts(INDEX[card], False, 0.5)


def _livery(card: str) -> str:
    return "" if INDEX[card] == JOKER else livery(INDEX[card] // 13)


def _suit(thing: str) -> int:
    """The character that a thing is. Errors: NoStroke."""
    kind, _, name = thing.partition(":")
    forbid(kind != "p" or name not in SUITS, "no.character")
    return SUITS.index(name)


def _cell(setting: PositionSetting, thing: str) -> int:
    """The cell that a thing is, or on which a character stands. Errors: NoStroke."""
    names = [cell_name(cell) for cell in range(COLUMNS * int(setting.game.law.rows))]
    if thing.startswith("p:"):
        place = int(setting.state.place[_suit(thing)])
        forbid(place >= rules.CELLS, "no.cell")
        return place
    kind, _, name = thing.partition(":")
    forbid(kind not in ("c", "f") or name not in names, "no.cell")
    return names.index(name)


def _put(setting: PositionSetting, one: str, other: str) -> None:
    """A character goes to a cell, back to its start, or across; it is alive there."""
    suit, (game, state) = _suit(one), setting
    forbid(one == other, "two")
    forbid(not state.lives[suit], "no.lives")
    places = {field_of(game, suit, place): place for place in (rules.START, rules.GONE)}
    place = places[other] if other in places else _cell(setting, other)
    state.place[suit] = place
    state.status[suit] = rules.CROSSED if place == rules.GONE else rules.ALIVE


def _fall(setting: PositionSetting, one: str, other: str) -> None:
    """A character loses a life on the mine of a cell, and lies there."""
    suit, cell, state = _suit(one), _cell(setting, other), setting.state
    forbid(not state.lives[suit], "no.lives")
    state.lives[suit] -= 1
    state.place[suit], state.status[suit] = cell, rules.WAITING if state.lives[suit] else rules.OUT
    state.blown |= rules.bit(cell)


def _mine(setting: PositionSetting, thing: str) -> None:
    """The mine of a cell has gone off, or has not."""
    cell = _cell(setting, thing)
    forbid(int(setting.state.field[cell]) == rules.DOWN, "no.open", f"c:{cell_name(cell)}")
    setting.state.blown ^= rules.bit(cell)


def _down(state: Any, cell: int) -> None:
    """Turn the card of a cell face down."""
    state.field[cell] = rules.DOWN
    if rules.has(state.blown, cell):
        state.blown ^= rules.bit(cell)


def _off(setting: PositionSetting, thing: str) -> None:
    cell = _cell(setting, thing)
    forbid(int(setting.state.field[cell]) == rules.DOWN, "no.open", f"c:{cell_name(cell)}")
    _down(setting.state, cell)


def _card(setting: PositionSetting, name: str, thing: str) -> None:
    """A card lies face up in a cell, and nowhere else; the same card again is turned face down."""
    cell, (game, state) = _cell(setting, thing), setting
    forbid(name not in INDEX or game.law.laid_out, "nothing")
    forbid(INDEX[name] != JOKER and not rules.has(game.law.field_cards, INDEX[name]), "nothing")
    card, there = INDEX[name], int(state.field[cell])
    for each in range(rules.CELLS) if card != JOKER else ():
        if int(state.field[each]) == card:
            _down(state, each)
    _down(state, cell)
    if there != card:
        state.field[cell] = card


def _open(setting: PositionSetting, thing: str) -> None:
    """The card of a known layout is turned over."""
    cell, (game, state) = _cell(setting, thing), setting
    forbid(not game.law.laid_out, "nothing")
    was_open = int(state.field[cell]) != rules.DOWN
    _down(state, cell)
    if not was_open:
        state.field[cell] = game.law.layout[cell]


def _listed(text: str) -> Iterable[int]:
    """The cards of an input. Errors: NoStroke."""
    names = text.replace(",", " ").upper().split()
    forbid(not all(name in INDEX and INDEX[name] != JOKER for name in names), "no.named")
    return [INDEX[name] for name in names]


def _drawn(setting: PositionSetting, text: str) -> None:
    """The card that starts the turn; none: it is still to be drawn."""
    cards, state = [*_listed(text)], setting.state
    forbid(len(cards) > 1, "no.named")
    state.drawn = cards[0] if cards else -1
    if cards:
        forbid(int(state.status[cards[0] // 13]) != rules.ALIVE, "no.goes", f"p:{SUITS[cards[0] // 13]}")
        state.used |= rules.bit(cards[0])
        state.left = rules.value_of(cards[0])


def _used(setting: PositionSetting, text: str) -> None:
    state = setting.state
    state.used = rules.ZERO
    for card in _listed(text):
        state.used |= rules.bit(card)


def _lives(setting: PositionSetting, which: str, text: str) -> None:
    forbid(which not in SUITS or not which, "nothing")
    suit, state = SUITS.index(which), setting.state
    state.lives[suit] = whole_number(text, 0, MOST_LIVES)
    if not state.lives[suit]:
        state.status[suit] = rules.OUT
    elif state.status[suit] == rules.OUT:
        state.status[suit] = rules.ALIVE
    if state.status[suit] == rules.OUT and state.place[suit] == rules.GONE:
        state.place[suit] = rules.START


def _turns(setting: PositionSetting, text: str) -> None:
    setting.state.turns = whole_number(text, 0, MOST_TURNS)


STROKES: dict[tuple[str, int], Callable[..., None]] = {
    ("put", 2): _put,
    ("fall", 2): _fall,
    ("mine", 1): _mine,
    ("off", 1): _off,
    ("card:", 1): _card,
    ("open", 1): _open,
    ("drawn", 1): _drawn,
    ("used", 1): _used,
    ("lives:", 1): _lives,
    ("turns", 1): _turns,
}


def settle(setting: PositionSetting) -> None:
    """What follows from a change: the sets of open cards, a turn that begins with its card, the claim and the end."""
    law, state = setting.game.law, setting.state
    state.flipping = -1
    suit = int(state.drawn) // 13
    if state.drawn >= 0 and int(state.status[suit]) != rules.ALIVE:
        state.drawn = -1
    state.visited = rules.ZERO
    if state.drawn < 0:
        state.left = 0
    elif int(state.place[suit]) < rules.CELLS:
        state.visited = rules.bit(int(state.place[suit]))
    if state.drawn >= 0:
        state.left, state.used = rules.value_of(int(state.drawn)), state.used | rules.bit(int(state.drawn))
    across = [side for side in (rules.RED, rules.BLACK) if rules.across(state, side)]
    if int(state.first) not in across:
        state.first = across[0] if across else rules.NOBODY
    begun = state.turns > 0 or state.drawn >= 0
    moved = rules.side_of(suit) if state.drawn >= 0 else max(rules.RED, int(state.last))
    state.last = moved if law.alternate and begun else rules.NOBODY
    state.claim = state.winner = rules.NOBODY
    state.reason = 0
    rules.judge(state, law)
    if state.reason:
        state.drawn, state.left, state.visited = -1, 0, rules.ZERO
