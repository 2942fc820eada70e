"""The words of The Front Lines: notation, log sentences, prompts, refusals and facts (docs/lookup/notation.md)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bridgehead.core.caching import by_action
from bridgehead.core.clauses import Refusal
from bridgehead.core.errors import NotationError
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.games.front_lines import rules
from bridgehead.games.front_lines.board import CARDS, COLUMNS, INDEX, JOKER, SUITS, cell_name

STATES = ("alive", "waiting", "out", "across")  # by status
SIDES = ("red", "black")
COURT = "QKKQ"  # FLQ-4: queen of hearts, king of diamonds, king of spades, queen of clubs
PARTS = {
    "drawn": {card: number for card, number in INDEX.items() if number != JOKER},
    "card": INDEX,
    "cell": {cell_name(cell): cell for cell in range(rules.CELLS)},
}  # of actions: numbers by their texts


@by_action
def name(game: Game, action: int) -> str:
    """The action in notation: `draw 7H`, `flip JK`, `to b7`, `across`, `stop`."""
    return rules.ACTIONS.name(action, lambda part, value: cell_name(value) if part == "cell" else CARDS[value])


def read(position: Position, text: str) -> int:
    found = rules.ACTIONS.read(text, lambda part, word: PARTS[part].get(word))
    if found is None:
        raise NotationError("front_lines:error.draw_card_flip_card_cell", "action", text=repr(text[:40]))
    return found


def suit_phrase(suit: int) -> Phrase:
    """The character by its suit."""
    return phrase(f"suit.{SUITS[suit]}")


def card_phrase(card: int) -> Phrase:
    """A card by rank and suit."""
    if card == JOKER:
        return phrase("card.joker")
    rank = CARDS[card][:-1]
    return phrase("card", rank=phrase(f"rank.{rank}") if rank in "AJQK" else rank, suit=suit_phrase(rules.suit_of(card)))


def seat(game: Game, seat: int) -> Phrase:
    """The name of a seat: of its side if it plays both characters, else of its character."""
    suits = suits_of(game, seat)
    return phrase(f"seat.{SIDES[rules.side_of(suits[0])] if len(suits) > 1 else SUITS[suits[0]]}")


def suits_of(game: Game, seat: int) -> list[int]:
    """The characters of a seat."""
    return [suit for suit in range(4) if int(game.law.seat_of[suit]) == seat]


def side_phrase(game: Game, side: int) -> Phrase:
    """The name of a side: of its seat if one seat plays all of it."""
    seats = {int(game.law.seat_of[suit]) for suit in (2 * side, 2 * side + 1)}
    return seat(game, seats.pop()) if len(seats) == 1 else phrase(f"side.{SIDES[side]}")


def lives_phrase(lives: int) -> Phrase:
    return phrase("lives", n=lives) if lives else phrase("lives.none")


def state_phrase(status: int, suit: int) -> Phrase:
    """A character's state, as a phrase."""
    return phrase(f"state.{STATES[status]}", mate=suit_phrase(rules.mate_of(suit)))


def mover_of(position: Position) -> int:
    """The character that moves; -1 between turns."""
    drawn = int(position.state.drawn)
    return -1 if drawn < 0 else int(rules.suit_of(drawn))


def say(position: Position, action: int) -> Phrase:
    if action < rules.FLIP:
        return _say_draw(position, action - rules.DRAW)
    who = suit_phrase(mover_of(position))
    if action == rules.ACROSS:
        return phrase("say.across", who=who)
    if action == rules.STOP:
        return phrase("say.stop", who=who)
    if action < rules.TO:
        return _say_arrival(position, action, int(position.state.flipping), action - rules.FLIP, "say.safe", "say.mine")
    cell = action - rules.TO
    card = int(position.state.field[cell])
    if card == rules.DOWN:
        return phrase("say.choose", who=who, cell=cell_name(cell))
    return _say_arrival(position, action, cell, card, "say.step", "say.known_mine")


def _say_draw(position: Position, card: int) -> Phrase:
    state, law, suit = position.read_only, position.game.law, rules.suit_of(card)
    card_name = card_phrase(card)
    if law.faces_redraw and rules.is_face(card):
        return phrase("say.draw_face", card=card_name)
    if int(state.status[suit]) != rules.ALIVE:
        return phrase("say.draw_dead", card=card_name, who=suit_phrase(suit))
    if not rules.is_due(state, law, rules.side_of(suit)):
        return phrase("say.draw_not_due", card=card_name)
    key = "say.walk" if law.destination and not law.may_stop else "say.draw"
    return phrase(key, card=card_name, who=suit_phrase(suit), n=rules.value_of(card))


def _say_arrival(position: Position, action: int, cell: int, card: int, safe: str, mine: str) -> Phrase:
    suit = mover_of(position)
    after = position.play(action).state
    params = {"who": suit_phrase(suit), "cell": cell_name(cell), "card": card_phrase(card)}
    status = int(after.status[suit])
    if status == rules.ALIVE:
        return phrase(safe, **params)
    if status == rules.CROSSED:
        return phrase("say.reached", said=phrase(safe, **params), who=params["who"])
    key, mate = "say.out" if status == rules.OUT else "say.waits", rules.mate_of(suit)
    if position.state.status[mate] != after.status[mate]:
        key += "_back" if int(after.status[mate]) == rules.ALIVE else "_across"
    return phrase(mine, **params, state=phrase(key, mate=suit_phrase(mate)))


def recap(moves: Sequence[tuple[Position, int]], viewer: int) -> Phrase | str:
    """A turn in a few words: the card that was drawn, and where its character ended."""
    drawn = [action - rules.DRAW for _, action in moves if action < rules.FLIP]
    before, action = [each for each in moves if mover_of(each[0]) >= 0][-1]
    suit, after = mover_of(before), before.play(action).state
    status, place = int(after.status[suit]), int(before.state.place[suit])
    if status == rules.CROSSED:
        done = phrase("recap.across")
    elif status != rules.ALIVE:
        cell = int(before.state.flipping) if action < rules.TO else action - rules.TO
        done = phrase("recap.out" if status == rules.OUT else "recap.mine", cell=cell_name(cell))
    elif rules.TO <= action < rules.ACROSS:
        done = phrase("recap.to", cell=cell_name(action - rules.TO))
    else:
        cell = int(before.state.flipping) if action < rules.TO else place
        done = phrase("recap.to", cell=place_name(cell))
    return phrase("recap.lead", lead=phrase("recap.drew", card=card_phrase(drawn[-1])), rest=done) if drawn else done


def prompt(position: Position) -> Phrase:
    state, law = position.state, position.game.law
    if int(state.reason):
        winner = int(state.winner)
        key = f"over.{rules.REASONS[int(state.reason)][0]}"
        return phrase(key, side=side_phrase(position.game, winner)) if winner >= 0 else phrase(key)
    if int(state.drawn) < 0:
        return phrase("prompt.refill" if state.used == law.pack else "prompt.draw")
    if int(state.flipping) >= 0:
        return phrase("prompt.flip", cell=cell_name(int(state.flipping)))
    alone = len(suits_of(position.game, position.actor)) == 1
    step = "prompt.own" if alone else "prompt.step"
    key = step if not law.destination else "prompt.walk_short" if law.may_stop else "prompt.walk"
    return phrase(key, seat=seat(position.game, position.actor), who=suit_phrase(mover_of(position)), n=int(state.left))


def explain(position: Position, action: int) -> Refusal | None:
    no = position.refusal(action)
    if no == rules.Reason.OK:
        return None
    state, suit = position.state, mover_of(position)
    params: dict[str, object] = {}
    show: list[str] = []
    if suit >= 0:
        params["who"] = suit_phrase(suit)
        show.append(f"p:{SUITS[suit]}")
    if action < rules.TO:
        params["card"] = card_phrase(action - (rules.DRAW if action < rules.FLIP else rules.FLIP))
    if int(state.flipping) >= 0:
        params["cell"] = cell_name(int(state.flipping))
        show.append(f"f:{cell_name(int(state.flipping))}")
    elif rules.TO <= action < rules.ACROSS:
        params["cell"] = cell_name(action - rules.TO)
        if action - rules.TO < COLUMNS * position.game.law.rows:
            show.append(f"f:{cell_name(action - rules.TO)}")
    params["n"] = position.game.law.rows if no == rules.Reason.ROW else int(state.left)
    return no.because(show, **params)


def place_name(place: int) -> str:
    """A character's place in notation: a cell, `start` or `across`."""
    return "start" if place == rules.START else "across" if place == rules.GONE else cell_name(place)


def facts(position: Position) -> dict[str, Any]:
    state = position.state
    drawn, flipping = int(state.drawn), int(state.flipping)
    return {
        "field": {cell_name(c): CARDS[int(state.field[c])] for c in range(rules.CELLS) if int(state.field[c]) != rules.DOWN},
        "blown": sorted(cell_name(c) for c in range(rules.CELLS) if rules.has(state.blown, c)),
        "characters": {
            SUITS[s]: [int(state.lives[s]), STATES[int(state.status[s])], place_name(int(state.place[s]))] for s in range(4)
        },
        "used": sorted(CARDS[c] for c in range(JOKER) if rules.has(state.used, c)),
        "drawn": CARDS[drawn] if drawn >= 0 else None,
        "left": int(state.left),
        "visited": sorted(cell_name(c) for c in range(rules.CELLS) if rules.has(state.visited, c)),
        "flipping": cell_name(flipping) if flipping >= 0 else None,
        "claim": SIDES[int(state.claim)] if int(state.claim) >= 0 else None,
    }


def step_kind(position: Position, cell: int) -> str:
    """The kind of a step to this cell: `unknown`, `mine`, `blown` or `safe`."""
    state, law = position.read_only, position.game.law
    if int(state.field[cell]) == rules.DOWN:
        return "unknown"
    if rules.is_known_mine(state, law, rules.side_of(mover_of(position)), cell):
        return "mine"
    return "blown" if rules.has(state.blown, cell) else "safe"
