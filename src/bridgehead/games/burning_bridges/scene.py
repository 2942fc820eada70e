"""The scene of Burning Bridges: the valley with its pillars, bridges, torches and pyramids, and the seat panel."""

from __future__ import annotations

from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.core.scene import Item, Plate, Trace
from bridgehead.games.burning_bridges import actions
from bridgehead.games.burning_bridges.accessors import bridge_number, bridges_in, safe_turns
from bridgehead.games.burning_bridges.actions import split
from bridgehead.games.burning_bridges.bridges import has_bridge, pins_of
from bridgehead.games.burning_bridges.choosing import buttons as buttons
from bridgehead.games.burning_bridges.choosing import choices as choices
from bridgehead.games.burning_bridges.choosing import short
from bridgehead.games.burning_bridges.choosing import touched as touched
from bridgehead.games.burning_bridges.ground import families
from bridgehead.games.burning_bridges.ground import picture as picture
from bridgehead.games.burning_bridges.items import bridge_id, bridge_items, piece_items
from bridgehead.games.burning_bridges.names import piece_name
from bridgehead.games.burning_bridges.state import (
    NOBODY,
    SUPPLY,
    SUPPLY_EACH,
    TERM_IS_CHOICE,
    TERM_IS_DESTROY,
    TERM_IS_UNTORCH,
    UNNAMED,
    S,
)
from bridgehead.games.burning_bridges.words import family, listed

FEW_PINS = 10  # the panel mentions the common supply when at most this many pins are left


def items(position: Position, language: str) -> tuple[Item, ...]:
    """Bridges, torches and pieces."""
    return (*bridge_items(position, language), *piece_items(position, language))


# -- plates ----------------------------------------------------------------------------------------------------------


def plates(position: Position, language: str) -> tuple[Plate, ...]:
    """The panel of each family, urgent lines first: terms, captors and hostages, pieces at home, bridges, immunities, pins."""
    tell, found = position.game.words.tell, []
    for seat in range(position.game.seats):
        letter = position.game.spec.seat_letter(seat)
        lines = [*_terms(position, seat), *_hostages(position, seat), *_standing(position, seat)]
        lines += [*_safe(position, seat), *_pins(position, seat)]
        name = tell(phrase("scene.family", seat=family(seat)), language)
        found.append(Plate(letter, letter.upper(), name, tuple(tell(line, language) for line in lines)))
    return tuple(found)


def _standing(position: Position, seat: int) -> list[Phrase]:
    """The number of pieces that stand free on a goal of their own (BBQ-35), and the family's bridges."""
    state, goals = position.state, families(position.game)[seat].goals
    home = [piece for piece in range(3 * seat, 3 * seat + 3) if state.captor[piece] == NOBODY and int(state.pos[piece]) in goals]
    lines, sets = int(position.game.law.lines), (state.bridge, state.torch)
    lying, burning = (sum(bridge // lines == seat for bridge in bridges_in(words)) for words in sets)
    standing = phrase("scene.plate.standing", home=len(home), bridges=lying)
    return [standing, phrase("scene.plate.burning", burning=burning)] if burning else [standing]


def _hostages(position: Position, seat: int) -> list[Phrase]:
    captors = [int(captor) for captor in position.state.captor[: 3 * position.game.seats]]
    held = [piece for piece, captor in enumerate(captors) if captor != NOBODY and captor // 3 == seat]
    lines = [phrase("scene.plate.holds", hostages=listed([short(piece) for piece in held]))] if held else []
    lost = [piece for piece in range(3 * seat, 3 * seat + 3) if captors[piece] != NOBODY]
    return [*lines, *(phrase("scene.plate.held", piece=piece_name(p)[1], captor=short(captors[p])) for p in lost)]


def _safe(position: Position, seat: int) -> list[Phrase]:
    """The pieces that the family may not take, with the number of its own turns (BBQ-28)."""
    left = safe_turns(position).items()
    return [phrase("scene.plate.safe", piece=short(piece), n=turns) for (family, piece), turns in left if family == seat]


def _terms(position: Position, seat: int) -> list[Phrase]:
    if position.state.turn != seat:
        return []
    found = []
    for captor in range(3 * position.game.seats):
        term = int(position.state.term[captor])
        if term >= TERM_IS_DESTROY:
            key = "untorch" if term >= TERM_IS_UNTORCH else "destroy"
            line = term - (TERM_IS_UNTORCH if key == "untorch" else TERM_IS_DESTROY)
            found.append(phrase(f"scene.plate.{key}", captor=short(captor), line=position.game.board.line_name(line)))
        elif term != UNNAMED:
            found.append(phrase("scene.plate.choice" if term == TERM_IS_CHOICE else "scene.plate.none", captor=short(captor)))
    return found


def _pins(position: Position, seat: int) -> list[Phrase]:
    if position.game.law.pins_each:
        return [phrase("scene.plate.pins", pins=SUPPLY_EACH - int(pins_of(position.read_only, seat)))]
    left = SUPPLY - int(position.state.pins)
    return [phrase("scene.plate.pins", pins=left)] if left <= FEW_PINS else []


# -- the last action -------------------------------------------------------------------------------------------------


def traces(before: Position, action: int, after: Position) -> tuple[Trace, ...]:
    """The piece that moved, from pillar to pillar."""
    made = split(before.game.law, action)
    if made.kind not in (actions.WALK, actions.CROSS):
        return ()
    piece, pillars = 3 * int(before.state.turn) + made.size, before.game.board.pillars
    return (Trace(f"p:{piece_name(piece)}", (f"f:{pillars[int(before.state.pos[piece])]}", f"f:{pillars[made.pillar]}")),)


def last(before: Position, action: int) -> tuple[str, str]:
    """Where the last action began and ended: the pillars of a move, else the piece or the bridge concerned."""
    made, turn = split(before.game.law, action), int(before.state.turn)
    pillars = before.game.board.pillars
    if made.kind in (actions.WALK, actions.CROSS):
        return f"f:{pillars[int(before.state.pos[3 * turn + made.size])]}", f"f:{pillars[made.pillar]}"
    if made.kind in (actions.TAKE, actions.SEIZE, actions.PAY, actions.PAY_LINE):
        return "", f"p:{piece_name(made.piece)}"
    if made.kind == actions.DESTROY:
        return "", f"p:{piece_name(3 * turn + S)}"
    colour = {actions.TORCH: made.colour, actions.TERM_UNTORCH: before.actor}.get(made.kind, turn)
    after = before.play(action)
    stands = made.line != NOBODY and has_bridge(after.read_only, bridge_number(after.game.law, made.line, colour))
    return "", bridge_id(before.game, made.line, colour) if stands else ""
