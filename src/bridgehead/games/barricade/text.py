"""The position text of Barricade, such as

    b rolled 4; turn 12; home1 c1 k5 home home home; home2 g1 home home home home; barricades a3 e3 i3

The first part is the phase: `draw`, `roll-off b4 c- d0` (rolled, out, still to roll), `b rolls`,
`b rolled 4`, `b rolled 4 and places`, `b rolled 4 and won`, `turn limit reached`. `turn` counts finished turns.
"""

from __future__ import annotations

import re
from typing import Any

from bridgehead.core.errors import PositionError, refusing
from bridgehead.core.game import Game
from bridgehead.core.numbers import fill, uint64
from bridgehead.core.phrases import phrase
from bridgehead.core.position import Position
from bridgehead.games.barricade import rules
from bridgehead.games.barricade.options import barricade_squares
from bridgehead.games.barricade.rules import places_of, put
from bridgehead.games.barricade.words import barricades, place_name

refuse = refusing("barricade", PositionError)

LONGEST = 5000
MOST_TURNS = 1_000_000_000


def dump(position: Position) -> str:
    game, state = position.game, position.state
    law = game.law
    parts = [_dump_phase(game, state), f"turn {int(state.turns)}"]
    for colour in range(law.colours):
        words = ["home" if place >= law.squares else game.board.names[place] for place in places_of(law, state, colour)]
        parts.append(" ".join([place_name(game, int(law.home[colour])), *words]))
    parts.append(" ".join(["barricades", *(game.board.names[square] for square in barricades(position))]))
    return "; ".join(parts)


def _dump_phase(game: Game, state: Any) -> str:
    letter, phase = game.spec.seat_letter(int(state.seat)), int(state.phase)
    if phase == rules.ROLL_OFF:
        rolls = [int(rolled) for rolled in state.rolled[: game.law.seats]]
        return " ".join(["roll-off", *(game.spec.seat_letter(s) + ("-" if r < 0 else str(r)) for s, r in enumerate(rolls))])
    if state.reason:
        return f"{letter} rolled {int(state.die)} and won" if state.reason == rules.FINAL else "turn limit reached"
    if phase == rules.DRAW:
        return "draw"
    rolled = f"{letter} rolled {int(state.die)}"
    return f"{letter} rolls" if phase == rules.ROLL else rolled if phase == rules.MOVE else f"{rolled} and places"


def read(game: Game, text: str) -> Any:
    """The state that the text describes, even one that cannot occur. Errors: PositionError."""
    refuse(len(text) > LONGEST, "longer_than_characters", longest=LONGEST)
    parts = [part.split() for part in text.strip().split(";")]
    expected = 3 + game.law.colours
    refuse(len(parts) != expected or not all(parts), "parts_between_them_what_happen", expected=expected)
    states = game.blank()
    state = states[0]
    rules.setup(state, game.law)
    _load_phase(game, state, parts[0])
    state.turns = _load_turns(parts[1])
    fill(state.at_home, 0)
    rules.clear_pawns(state)
    for colour in range(game.law.colours):
        _load_home(game, state, colour, parts[2 + colour])
    _load_barricades(game, state, parts[-1])
    return states


def check(game: Game, state: Any) -> None:
    """Refuse a position that cannot occur. Errors: PositionError; `where` is the part of the position text."""
    _check_count(game, state)
    _check_start(game, state)
    _check_end(game, state)


def _load_phase(game: Game, state: Any, words: list[str]) -> None:
    law, line = game.law, " ".join(words)
    letters = "".join(game.spec.seat_letter(seat) for seat in range(law.seats))
    if words[0] == "roll-off":
        _load_roll_off(game, state, words[1:])
    elif line == "draw":
        state.phase = rules.DRAW
    elif line == "turn limit reached":
        state.phase, state.reason = rules.OVER, rules.TURN_LIMIT
    elif found := re.fullmatch(rf"([{letters}]) (rolls|rolled ([1-9]\d?)( and places| and won)?)", line):
        state.seat = letters.index(found[1])
        if found[3] and int(found[3]) > law.die_sides:
            raise PositionError("barricade:error.die_no", line, found=found[3])
        state.die = int(found[3] or 0)
        phases = {None: rules.MOVE if found[3] else rules.ROLL, " and places": rules.PLACE, " and won": rules.OVER}
        state.phase, state.reason = phases[found[4]], rules.FINAL if found[4] == " and won" else 0
    else:
        first, got = letters[0], repr(line[:60])
        raise PositionError("barricade:error.like_draw_rolls_rolled_4", letters=first, letters2=first, line=got)
    bad = state.phase in (rules.DRAW, rules.ROLL_OFF) and law.roll_off != (state.phase == rules.ROLL_OFF)
    refuse(bad, "house_rules_find_first_seat", line[:60])


def _load_roll_off(game: Game, state: Any, words: list[str]) -> None:
    seats = game.law.seats
    refuse(len(words) != seats, "seats", "roll-off", seats=seats)
    rolls = []
    for seat, word in enumerate(words):
        letter = game.spec.seat_letter(seat)
        found = re.fullmatch(letter + r"(-|\d\d?)", word)
        if not found or (found[1] != "-" and int(found[1]) > game.law.die_sides):
            raise PositionError("barricade:error.like_4_got", "roll-off", seat_letter=letter, word=repr(word[:20]))
        rolls.append(-1 if found[1] == "-" else int(found[1]))
    rolling = [roll for roll in rolls if roll >= 0]
    refuse(len(rolling) < 2 or 0 not in rolling or any(rolling[rolling.index(0) :]), "two_more_seats_roll_their", "roll-off")
    state.phase = rules.ROLL_OFF
    state.rolled[:seats] = rolls
    state.seat = rolls.index(0)


def _load_turns(words: list[str]) -> int:
    bad = len(words) != 2 or words[0] != "turn" or not re.fullmatch(r"\d{1,10}", words[1]) or int(words[1]) > MOST_TURNS
    refuse(bad, "like_turn_12_got", "turn", words=repr(" ".join(words)[:40]))
    return int(words[1])


def _load_home(game: Game, state: Any, colour: int, words: list[str]) -> None:
    law, board = game.law, game.board
    title, home = place_name(game, int(law.home[colour])), int(law.home[colour])
    refuse(words[0] != title, "pawns_got", title, title=title, words=repr(words[0][:20]))
    bad = len(words) - 1 != law.pawns
    refuse(bad, "pawns.many" if len(words) > law.pawns else "pawns.few", title, count=len(words) - 1, pawns=law.pawns)
    for word in words[1:]:
        refuse(word != "home" and word not in board.names, "board_no_square", title, word=repr(word[:20]))
        place = home if word == "home" else board.names.index(word)
        refuse(word != "home" and state.owner[place] >= 0, "two_pawns", title, word=word)
        put(state, law, colour, place)


def _load_barricades(game: Game, state: Any, words: list[str]) -> None:
    board = game.board
    refuse(words[0] != "barricades", "barricades_got", "barricades", words=repr(words[0][:20]))
    may_hold, bits = barricade_squares(game.options, board), 0
    for word in words[1:]:
        refuse(word.startswith("home"), "barricade_never_put_home_base", "barricades", word=word[:20])
        refuse(word not in board.names, "board_no_square", "barricades", word=repr(word[:20]))
        square = board.names.index(word)
        refuse(bits >> square & 1, "two_barricades", "barricades", word=word)
        refuse(state.owner[square] >= 0, "pawn_barricade", "barricades", word=word)
        bad = square not in may_hold and square not in board.barricades
        refuse(bad, "house_rules_keep_free_barricades", "barricades", word=word)
        bits |= 1 << square
    for i in range(len(state.barricades)):
        state.barricades[i] = uint64(bits >> 64 * i & 0xFFFF_FFFF_FFFF_FFFF)


def _check_count(game: Game, state: Any) -> None:
    board = game.board
    count = sum(int(word).bit_count() for word in state.barricades)
    full = len(board.barricades)
    in_hand = state.phase == rules.PLACE
    # BAQ-26: the winner may have removed the barricade from the final square
    removed = state.reason == rules.FINAL and count == full - 1 and board.final in barricade_squares(game.options, board)
    bad = count != full - in_hand and not removed
    refuse(bad, "barricades.hand" if in_hand else "barricades", "barricades", count=count, full=full - in_hand)


def _check_start(game: Game, state: Any) -> None:
    """Before the first roll and the first move, all pieces stand as set up (BA-C.3, BA-C.4)."""
    law = game.law
    moved = any(colour >= 0 for colour in state.owner) or list(state.barricades) != list(law.start)
    before = state.phase in (rules.DRAW, rules.ROLL_OFF)
    refuse(before and state.turns, "first_seat_found_before_first", "turn")
    bad = moved and (before or (state.turns == 0 and not law.roll_again_on_6 and state.phase in (rules.ROLL, rules.MOVE)))
    refuse(bad, "nothing_moved_before_first_turn", "turn")


def _check_end(game: Game, state: Any) -> None:
    law = game.law
    own = [int(colour) for colour in law.colour_of[int(state.seat)] if colour >= 0]
    winner = int(state.owner[law.final])
    bad = (winner >= 0) != (state.reason == rules.FINAL) or (winner >= 0 and winner not in own)
    refuse(bad, "game_won_exactly_when_pawn", names=game.board.names[law.final])
    bad = state.reason == rules.TURN_LIMIT and state.turns != law.turn_limit
    refuse(bad, "turn_limit", "turn", turn_limit=law.turn_limit or phrase("allowed.none"))
    bad = law.turn_limit and state.reason != rules.TURN_LIMIT and state.turns >= law.turn_limit
    refuse(bad, "game_ends_after_turns", "turn", turn_limit=law.turn_limit)
    bad = state.phase == rules.PLACE and all(state.owner[square] not in own for square in range(law.squares))
    refuse(bad, "no_pawn_out_could_taken", "barricades")
