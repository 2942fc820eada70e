"""The words of Barricade: notation, log sentences, prompts and refusals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from bridgehead.core.actions import Actions
from bridgehead.core.bits import members
from bridgehead.core.caching import by_action, cached_per_game
from bridgehead.core.clauses import Refusal
from bridgehead.core.errors import NotationError, refusing
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, join_phrases, phrase
from bridgehead.core.position import Position
from bridgehead.games.barricade import actions, rules
from bridgehead.games.barricade.rules import NOBODY, Reason, has_barricade, places_of

refuse = refusing("barricade", NotationError)
NUMBER, HOME, SQUARE = (re.compile(each, re.ASCII) for each in (r"[1-9]\d?", r"home[1-9]\d?", r"[a-z]{1,2}\d{1,2}"))


class Meaning(NamedTuple):
    """An action id taken apart: its kind and its parts. `number` also holds a seat, counted from 1."""

    kind: int
    number: int = 0
    origin: int = 0
    square: int = 0


@cached_per_game
def meaning(game: Game, action: int) -> Meaning:
    """The kind and the parts of an action id."""
    kind, parts = _actions(game).split(action)
    return Meaning(kind, parts.get("number", parts.get("seat", -1)) + 1, parts.get("origin", 0), parts.get("square", 0))


@cached_per_game
def _actions(game: Game) -> Actions:
    return actions.laid_out(game.law)


def place_name(game: Game, place: int) -> str:
    """The name of a square, or `home1` for a place at home."""
    names: Sequence[str] = game.board.names
    return names[place] if place < len(names) else f"home{game.board.homes[place - len(names)].id}"


def name_of(game: Game, action: int) -> str:
    """The action in notation; it does not depend on the position."""

    def name_part(part: str, value: int) -> str:
        return str(value + 1) if part in ("number", "seat") else place_name(game, value)

    return _actions(game).name(action, name_part)


name = by_action(name_of)


def read(position: Position, text: str) -> int:
    game = position.game

    def value(part: str, word: str) -> int | None:
        if part == "number" and NUMBER.fullmatch(word):
            return _numbered(int(word), int(game.law.die_sides), "die")
        if part == "seat" and NUMBER.fullmatch(word):
            return _numbered(int(word), game.seats, "seat")
        if part == "origin" and HOME.fullmatch(word):
            return _home(game.board, word)
        return _square(game.board, word) if part in ("origin", "square") and SQUARE.fullmatch(word) else None

    found = _actions(game).read(text, value)
    if found is None:
        raise NotationError("barricade:error.no_action_like_c1_g1", text=repr(text[:40]))
    return found


def _numbered(number: int, most: int, kind: str) -> int:
    refuse(number > most, kind, number=number, most=most)
    return number - 1


def _square(board: Any, text: str) -> int:
    refuse(text not in board.names, "board_no_square", word=repr(text))
    return int(board.names.index(text))


def _home(board: Any, text: str) -> int:
    ids = [f"home{home.id}" for home in board.homes]
    refuse(text not in ids, "board_no_2", text=repr(text), ids=", ".join(ids))
    return len(board.squares) + ids.index(text)


def seat_phrase(game: Game, seat: int) -> Phrase:
    """The name of a seat: the letter of its first colour."""
    return phrase(f"seat.{game.spec.seat_letter(seat)}")


def colours_of(game: Game, seat: int) -> list[int]:
    """The colours of a seat: one, or two with twoColours."""
    return [int(colour) for colour in game.law.colour_of[seat] if colour != NOBODY]


def owner_phrase(position: Position, square: int) -> Phrase:
    """The owner of the pawn on the square."""
    colour = int(position.state.owner[square])
    return seat_phrase(position.game, int(position.game.law.seat_of[colour]))


def _place_phrase(game: Game, place: int) -> Phrase | str:
    return phrase("home") if place >= len(game.board.squares) else place_name(game, place)


def say(position: Position, action: int) -> Phrase:
    game, state = position.game, position.state
    act = meaning(game, action)
    seat = seat_phrase(game, int(state.seat))
    if act.kind == actions.ROLL:
        return phrase("rolledOff" if state.phase == rules.ROLL_OFF else "rolled", seat=seat, number=act.number)
    if act.kind == actions.FIRST:
        return phrase("first.drawn", seat=seat_phrase(game, act.number - 1))
    if act.kind == actions.PASS:
        return phrase("passed", seat=seat)
    square = place_name(game, act.square)
    if act.kind == actions.PLACE:
        return phrase("placed", seat=seat, square=square)
    params = {"seat": seat, "origin": _place_phrase(game, act.origin), "square": square}
    if act.square == game.board.final:
        return Phrase("moved.final", params)
    if state.owner[act.square] != NOBODY and act.square != act.origin:
        return Phrase("moved.pawn", {**params, "other": owner_phrase(position, act.square)})
    return Phrase("moved.barricade" if has_barricade(position.read_only, act.square) else "moved", params)


def recap(moves: Sequence[tuple[Position, int]], viewer: int) -> Phrase | str:
    """A turn in a few words: the roll, and what became of it."""
    parts = [part for position, action in moves for part in _recap(position, meaning(position.game, action), viewer)]
    rolled = [part for part in parts if part.key == "recap.rolled"][-1:]
    done = [part for part in parts if part.key != "recap.rolled"]
    return (
        phrase("recap.lead", lead=rolled[0], rest=join_phrases("recap.list", done))
        if rolled and done
        else join_phrases("recap.list", parts)
    )


def _recap(position: Position, act: Meaning, viewer: int) -> list[Phrase]:
    game, square = position.game, place_name(position.game, act.square)
    if act.kind == actions.ROLL:
        return [phrase("recap.rolled", number=act.number)]
    if act.kind in (actions.PASS, actions.FIRST):
        return [phrase("recap.passed")] if act.kind == actions.PASS else []
    if act.kind == actions.PLACE:
        return [phrase("recap.placed", square=square)]
    moved = phrase("recap.moved", origin=_place_phrase(game, act.origin), square=square)
    if act.square == game.board.final:
        return [moved, phrase("recap.final")]
    colour = int(position.state.owner[act.square])
    if colour == NOBODY or act.square == act.origin:
        return [moved]
    other = int(game.law.seat_of[colour])
    return [moved, phrase("recap.took.you") if other == viewer else phrase("recap.took", other=seat_phrase(game, other))]


def barricades(position: Position) -> list[int]:
    """The squares with a barricade, ascending."""
    return members(barricade_bits(position))


def barricade_bits(position: Position) -> int:
    """The squares with a barricade, as bits of one whole number."""
    return sum(word << 64 * i for i, word in enumerate(map(int, position.state.barricades)))


def prompt(position: Position) -> Phrase:
    game, state = position.game, position.state
    seat = seat_phrase(game, int(state.seat))
    if position.is_over:
        return _over(position)
    if state.phase == rules.DRAW:
        return phrase("prompt.first")
    if state.phase == rules.ROLL_OFF:
        return phrase("prompt.rollOff", seat=seat)
    if state.phase == rules.ROLL:
        return phrase("prompt.roll", seat=seat)
    if state.phase == rules.PLACE:
        return phrase("prompt.place", seat=seat)
    may_pass = name(position, position.legal[0]) == "pass"
    key = "prompt.move" if not may_pass else "prompt.stuck" if len(position.legal) == 1 else "prompt.moveOrPass"
    return phrase(key, seat=seat, die=int(state.die))


def _over(position: Position) -> Phrase:
    outcome = position.outcome
    assert outcome is not None
    if not outcome.winners:
        return phrase("over.draw")
    winners: Phrase = seat_phrase(position.game, outcome.winners[0])
    for seat in outcome.winners[1:]:
        winners = phrase("both", one=winners, two=seat_phrase(position.game, seat))
    return phrase("over.final" if position.state.reason == rules.FINAL else "over.limit", seats=winners)


def explain(position: Position, action: int) -> Refusal | None:
    no = position.refusal(action)
    if no == Reason.OK:
        return None
    game, state, board = position.game, position.state, position.game.board
    act = meaning(game, action)
    params: dict[str, object] = {"seat": seat_phrase(game, int(state.seat)), "die": int(state.die)}
    show: list[int] = []
    if act.kind in (actions.PLACE, actions.MOVE):
        params["square"] = board.names[act.square]
        show = [act.square]
        if state.owner[act.square] != NOBODY:
            params["other"] = owner_phrase(position, act.square)
    if act.kind == actions.MOVE:
        params["origin"] = _place_phrase(game, act.origin)
        params["n"] = int(game.law.steps[act.origin, act.square])
    if no in (Reason.FOREIGN_PAWN, Reason.MATES_PAWN):
        params["other"] = _pawn_owner(position, act.origin)
        show = [act.origin]
    if no == Reason.NO_PAWN:
        show = [act.origin]
    if no == Reason.BARRICADE:
        show = _barricades_between(position, act)
        params["barricade"] = board.names[show[0]]
    if no == Reason.PASS:
        move = meaning(game, position.legal[0])
        show = [move.origin, move.square]
        params |= {"origin": _place_phrase(game, move.origin), "square": board.names[move.square]}
    return no.because((f"f:{place_name(game, place)}" for place in show), **params)


def _pawn_owner(position: Position, origin: int) -> Phrase:
    law = position.game.law
    if origin < law.squares:
        return owner_phrase(position, origin)
    colour = int(law.colour_at[origin - law.squares])
    return seat_phrase(position.game, int(law.seat_of[colour]))


def _barricades_between(position: Position, act: Meaning) -> list[int]:
    """The barricades on the least obstructed way (BA-R.5)."""
    law, state = position.game.law, position.state
    index = act.origin * law.die_sides + int(state.die) - 1
    ways = [law.way[number] for number in range(law.ways[index], law.ways[index + 1])]
    standing = barricade_bits(position)
    between = (sum(int(word) << 64 * i for i, word in enumerate(way.between)) for way in ways if way.landing == act.square)
    return members(min((standing & squares for squares in between), key=int.bit_count))


def facts(position: Position) -> dict[str, Any]:
    game, state = position.game, position.state
    law, board = game.law, game.board
    pawns = {}
    for colour in range(law.colours):
        home = board.homes[int(law.home[colour]) - law.squares]
        names = ("home" if place >= law.squares else board.names[place] for place in places_of(law, state, colour))
        pawns[str(home.id)] = sorted(names)
    return {
        "pawns": pawns,
        "barricades": sorted(board.names[square] for square in barricades(position)),
        "die": int(state.die),
        "placing": bool(state.phase == rules.PLACE),
        "turns": int(state.turns),
    }
