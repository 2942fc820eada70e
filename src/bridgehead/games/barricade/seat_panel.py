"""The seat panel of Barricade."""

from __future__ import annotations

from bridgehead.core.caching import kept
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import Plate
from bridgehead.games.barricade.state import places_of
from bridgehead.games.barricade.words import colours_of, seat_phrase


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
    told = [game.words.tell(line, language) for line in _plate_lines(game, seat, home, steps)]
    return Plate(letter, letter.upper(), game.words.tell(seat_phrase(game, seat), language), tuple(told))


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
