"""The position text of The Front Lines: writes it, and reads it with a check that the position can occur.

    H2 alive b7, D1 waiting b4, S2 alive start, C2 across | field b4=8S! b7=9H | used 7H 10D | drawn 7H left 4 over b6 b7
    | flip c8 | claim red | first red | last red | turn 12

Characters have lives, state and place; `!` marks an exploded mine; `over` are the cards of this turn. Empty sections
are left out.
"""

from __future__ import annotations

import re
from typing import Any

from bridgehead.core.bits import count
from bridgehead.core.errors import PositionError, refusing
from bridgehead.core.game import Game
from bridgehead.core.position import Position
from bridgehead.games.front_lines import rules
from bridgehead.games.front_lines.board import CARDS, COLUMNS, INDEX, JOKER, SUITS, cell_name
from bridgehead.games.front_lines.words import SIDES, STATES, place_name

refuse = refusing("front_lines", PositionError)

LONGEST = 2000  # characters
LAST_TURN = 2_000_000_000
CHARACTER = re.compile(r"([HDSC])([0-9]) (?:(alive|waiting|out) (start|[a-d][0-9]{1,2})|across)")
SECTIONS = ("field", "used", "drawn", "flip", "claim", "first", "last", "turn")


def dump(position: Position) -> str:
    state = position.state
    parts = [", ".join(_character(state, suit) for suit in range(4))]
    open_cells = [cell for cell in range(rules.CELLS) if int(state.field[cell]) != rules.DOWN]
    field = [f"{cell_name(c)}={CARDS[int(state.field[c])]}{'!' if rules.has(state.blown, c) else ''}" for c in open_cells]
    used = [CARDS[card] for card in range(JOKER) if rules.has(state.used, card)]
    parts += [f"field {' '.join(field)}"] * bool(field) + [f"used {' '.join(used)}"] * bool(used)
    if int(state.drawn) >= 0:
        over = "".join(f" {cell_name(cell)}" for cell in range(rules.CELLS) if rules.has(state.visited, cell))
        parts.append(f"drawn {CARDS[int(state.drawn)]} left {int(state.left)}" + (f" over{over}" if over else ""))
    if int(state.flipping) >= 0:
        parts.append(f"flip {cell_name(int(state.flipping))}")
    parts += [f"{name} {SIDES[int(state[name])]}" for name in ("claim", "first", "last") if int(state[name]) >= 0]
    return " | ".join([*parts, f"turn {int(state.turns)}"])


def _character(state: Any, suit: int) -> str:
    sentence = f"{SUITS[suit]}{int(state.lives[suit])} {STATES[int(state.status[suit])]}"
    return sentence if int(state.place[suit]) == rules.GONE else f"{sentence} {place_name(int(state.place[suit]))}"


def read(game: Game, text: str) -> Any:
    """The state that the text describes, even one that cannot occur. Errors: PositionError."""
    refuse(len(text) > LONGEST, "longer_than_characters", longest=LONGEST)
    states = game.blank()
    state = states[0]
    rules.setup(state, game.law)
    characters, *sections = text.strip().split(" | ")
    _read_characters(state, characters, game)
    reached = -1
    for section in sections:
        word, _, rest = section.partition(" ")
        refuse(word not in SECTIONS, "no_section_sections", "position", word=repr(word[:20]), sections=", ".join(SECTIONS))
        refuse(SECTIONS.index(word) <= reached, "sections_once_each_order", word, sections=", ".join(SECTIONS))
        reached = SECTIONS.index(word)
        READERS[word](state, rest, game)
    refuse(reached != SECTIONS.index("turn"), "number_finished_turns_missing_like", "turn")
    _check_drawn(state)
    return states


def _read_characters(state: Any, text: str, game: Game) -> None:
    parts = text.split(", ")
    refuse(len(parts) != 4, "four_characters_h_d_s", "characters")
    for suit, part in enumerate(parts):
        found = CHARACTER.fullmatch(part)
        if not found or found[1] != SUITS[suit]:
            raise PositionError(
                "front_lines:error.character_like_2_alive_b7",
                SUITS[suit],
                suits=SUITS[suit],
                suits2=SUITS[suit],
                part=repr(part[:40]),
            )
        state.lives[suit] = int(found[2])
        state.status[suit] = STATES.index(found[3] or "across")
        place = found[4]
        state.place[suit] = rules.GONE if place is None else rules.START if place == "start" else _cell(place, game, SUITS[suit])


def _cell(text: str, game: Game, where: str) -> int:
    found = re.fullmatch(r"([a-d])([1-9]|1[0-2])", text)
    if not found:
        raise PositionError("front_lines:error.no_cell_cells_a1_d", where, text=repr(text[:20]), rows=game.law.rows)
    cell = COLUMNS * (int(found[2]) - 1) + "abcd".index(found[1])
    refuse(cell >= COLUMNS * game.law.rows, "field_rows_no", where, rows=game.law.rows, text=text)
    return cell


def _known_card(text: str, where: str) -> int:
    refuse(text not in INDEX, "no_card_cards_written_like", where, name=repr(text[:20]))
    return INDEX[text]


def _read_field(state: Any, text: str, game: Game) -> None:
    for part in text.split(" "):
        name, equals, card_text = part.partition("=")
        refuse(not equals, "cells_cards_like_b4_8s", "field", part=repr(part[:20]))
        cell, card = _cell(name, game, "field"), _known_card(card_text.removesuffix("!"), name)
        refuse(int(state.field[cell]) != rules.DOWN, "named_twice", "field", name=name)
        refuse(card != JOKER and rules.has(state.seen, card), "lies_field_twice", name, cards=CARDS[card])
        state.field[cell] = card
        state.open |= rules.bit(cell)
        if card == JOKER:
            state.jokers += 1
        else:
            state.seen |= rules.bit(card)
        if card_text.endswith("!"):
            state.blown |= rules.bit(cell)


def _read_used(state: Any, text: str, game: Game) -> None:
    for part in text.split(" "):
        card = _known_card(part, "used")
        refuse(not rules.has(game.law.pack, card), "not_draw_pack", "used", part=part)
        refuse(rules.has(state.used, card), "named_twice", "used", name=part)
        state.used |= rules.bit(card)


def _read_drawn(state: Any, text: str, game: Game) -> None:
    found = re.fullmatch(r"(\S+) left ([0-9]{1,2})(?: over ((?:\S+ )*\S+))?", text)
    if not found:
        raise PositionError("front_lines:error.like_drawn_7h_left_4", "drawn", text=repr(text[:40]))
    state.drawn, state.left = _known_card(found[1], "drawn"), int(found[2])
    for part in (found[3] or "").split():
        cell = _cell(part, game, "drawn")
        refuse(rules.has(state.visited, cell), "named_twice", "drawn", name=part)
        state.visited |= rules.bit(cell)


def _read_flip(state: Any, text: str, game: Game) -> None:
    state.flipping = _cell(text, game, "flip")


def _read_side(field: str) -> Any:
    def read(state: Any, text: str, game: Game) -> None:
        refuse(text not in SIDES, "red_black_got", field, text=repr(text[:20]))
        setattr(state, field, SIDES.index(text))

    return read


def _read_turn(state: Any, text: str, game: Game) -> None:
    bad = not re.fullmatch(r"0|[1-9][0-9]{0,9}", text) or int(text) > LAST_TURN
    refuse(bad, "number_finished_turns_got", "turn", text=repr(text[:20]))
    state.turns = int(text)


READERS = {
    "field": _read_field,
    "used": _read_used,
    "drawn": _read_drawn,
    "flip": _read_flip,
    "claim": _read_side("claim"),
    "first": _read_side("first"),
    "last": _read_side("last"),
    "turn": _read_turn,
}


# -- checks that a position can occur ----------------------------------------------------------------------------------
def check(game: Game, state: Any) -> None:
    """Refuse a position that cannot occur, and set the result of a finished game. Errors: PositionError."""
    _check_field(state, game)
    for side in (rules.RED, rules.BLACK):
        _check_pair(state, game.law, 2 * side)
        _check_deaths(state, game.law, side)
    for suit in range(4):
        _check_place(state, game.law, suit)
    _check_memory(state, game.law)
    judged = state.copy()
    rules.judge(judged, game.law)
    refuse(int(judged.claim) != int(state.claim), "claim_held_side_across_dead", "claim")
    state.winner, state.reason = judged.winner, judged.reason
    refuse(int(state.reason) and (int(state.drawn) >= 0 or int(state.flipping) >= 0), "game_over_no_turn_running", "drawn")
    if int(state.drawn) >= 0:
        _check_turn(state, game.law)
    elif int(state.flipping) >= 0:
        raise PositionError("front_lines:error.card_turned_over_somebody_s", "flip")


def _check_field(state: Any, game: Game) -> None:
    law = game.law
    for cell in range(rules.CELLS):
        card, name = int(state.field[cell]), cell_name(cell)
        if card == rules.DOWN:
            continue
        refuse(card != JOKER and not rules.has(law.field_cards, card), "belongs_character_does_not_lie", name, cards=CARDS[card])
        if law.laid_out and card != int(law.layout[cell]):
            raise PositionError(
                "front_lines:error.layout_lies_here_not", name, cards=CARDS[int(law.layout[cell])], cards2=CARDS[card]
            )
        bad = rules.has(state.blown, cell) and not rules.kills(law, rules.RED, card) and not rules.kills(law, rules.BLACK, card)
        refuse(bad, "no_mine_cannot_gone_off", name, cards=CARDS[card])
    bad = not law.laid_out and rules.jokers_down(state, law) < 0
    refuse(bad, "jokers_most_lie_field", "field", jokers=int(state.jokers), jokers_in_field=law.jokers)
    bad = not law.laid_out and rules.cards_down(state, law) < rules.jokers_down(state, law)
    refuse(bad, "joker_must_lie_face_up", "field", jokers=law.jokers)


def _check_pair(state: Any, law: Any, suit: int) -> None:
    """FLQ-13, FLQ-32: states and lives of the two characters of a side."""
    pair = (suit, suit + 1)
    for one in pair:
        lives, status, where = int(state.lives[one]), int(state.status[one]), SUITS[one]
        refuse(lives > law.lives, "character_most_lives", where, lives=law.lives)
        refuse((lives == 0) != (status == rules.OUT), "character_without_lives_out_no", where)
        refuse(status == rules.WAITING and lives == law.lives, "character_waits_after_losing_life", where)
    gone = [one for one in pair if int(state.status[one]) in (rules.WAITING, rules.OUT)]
    if len(gone) == 2 and any(int(state.status[one]) == rules.WAITING for one in gone):
        raise PositionError("front_lines:error.character_waits_while_mate_alive", SUITS[gone[0]])
    refuse(not gone and any(int(state.lives[one]) < law.lives for one in pair), "after_death_side_waiting_out", SUITS[suit])
    if len(gone) == 1:
        ahead = int(state.lives[rules.mate_of(gone[0])]) - int(state.lives[gone[0]])
        refuse(ahead not in (0, 1), "two_side_die_turns_dead", SUITS[suit])
        bad = int(state.status[gone[0]]) == rules.OUT and int(state.lives[rules.mate_of(gone[0])]) != 1
        refuse(bad, "mate_character_out_life", SUITS[suit])


def _check_deaths(state: Any, law: Any, side: int) -> None:
    """FLQ-12: each life lost is one mine of the other colour that went off."""
    lost = 2 * law.lives - int(state.lives[2 * side]) - int(state.lives[2 * side + 1])
    blown = (cell for cell in range(rules.CELLS) if rules.has(state.blown, cell))
    mines = len([cell for cell in blown if rules.kills(law, side, int(state.field[cell]))])
    refuse(mines != lost, f"lives.{('red', 'black')[side]}", "field", lost=lost, mines=mines)


def _check_place(state: Any, law: Any, suit: int) -> None:
    status, place, where = int(state.status[suit]), int(state.place[suit]), SUITS[suit]
    if status == rules.CROSSED:
        return
    if status in (rules.WAITING, rules.OUT):
        _check_grave(state, law, suit)
        return
    if place == rules.START:
        return
    card = int(state.field[place])
    refuse(card == rules.DOWN, "lies_face_down_nobody", where, place=cell_name(place))
    bad = not rules.has(state.blown, place) and rules.kills(law, rules.side_of(suit), card)
    refuse(bad, "mine_not_gone_off_nobody", where, place=cell_name(place))
    refuse(law.reach_row and rules.has(law.last_row[rules.side_of(suit)], place), "who_alive_last_row_across", where)


def _check_grave(state: Any, law: Any, suit: int) -> None:
    """FL-R.11: a dead character lies on the mine that killed it, and a mine kills once."""
    place, where = int(state.place[suit]), SUITS[suit]
    refuse(
        place == rules.START
        or not rules.has(state.blown, place)
        or not rules.kills(law, rules.side_of(suit), int(state.field[place])),
        "dead_character_lies_mine_other",
        where,
    )
    mate = rules.mate_of(suit)
    bad = int(state.status[mate]) in (rules.WAITING, rules.OUT) and int(state.place[mate]) == place
    refuse(bad, "two_characters_cannot_die_mine", where)


def _check_memory(state: Any, law: Any) -> None:
    """Check the sections `first`, `last`, `claim` and `turn`, which describe the past."""
    crossed = [side for side in (rules.RED, rules.BLACK) if rules.across(state, side)]
    first = int(state.first)
    refuse((first >= 0) != bool(crossed) or (crossed and first not in crossed), "names_side_was_across_first", "first")
    claim = int(state.claim)
    refuse(claim >= 0 and (law.immediate or not rules.holds_one(state, claim)), "claim_held_side_across_dead_2", "claim")
    began = int(state.turns) > 0 or int(state.drawn) >= 0
    last = int(state.last)
    refuse((last >= 0) != bool(law.alternate and began), "names_side_moved_last_alternateteams", "last")
    bad = int(state.drawn) >= 0 and last >= 0 and last != rules.side_of(rules.suit_of(int(state.drawn)))
    refuse(bad, "side_whose_turn_running_moved", "last")
    lost = sum(law.lives - int(lives) for lives in state.lives)
    refuse(lost > int(state.turns), "lives_lost_turn_most_finished", "turn", lost=lost, turns=int(state.turns))
    refuse(int(state.turns) > 0 and state.used == rules.ZERO, "turn_was_played_card_was", "used")


def _check_drawn(state: Any) -> None:
    """Without such a card and a character that can go, there is no turn that could even be drawn."""
    drawn = int(state.drawn)
    if drawn < 0:
        return
    refuse(drawn == JOKER or not rules.has(state.used, drawn), "drawn_card_must_among_used", "drawn", cards=CARDS[drawn])
    suit = rules.mover(state)
    refuse(int(state.status[suit]) != rules.ALIVE, "cannot_go_card_starts_no", "drawn", suits=SUITS[suit])


def _check_turn(state: Any, law: Any) -> None:
    drawn, suit = int(state.drawn), rules.mover(state)
    before = state.copy()
    before.last = rules.NOBODY  # the position text omits the side that moved before this draw
    refuse(not rules.starts_turn(before, law, drawn), "used_up_starts_no_turn", "drawn", cards=CARDS[drawn])
    place, left, value = int(state.place[suit]), int(state.left), int(rules.value_of(drawn))
    refuse(not 1 <= left <= value, "gives_steps_1_left", "drawn", cards=CARDS[drawn], value=value, value2=value)
    refuse(law.destination and left != value, "walk_action_all_steps_left", "drawn")
    _check_way(state, law, place, value - left)
    aims, flipping = rules.targets(state, law), int(state.flipping)
    refuse(aims == rules.ZERO, "no_step_left_turn_over", "drawn")
    refuse(flipping >= 0 and not rules.has(aims & ~state.open, flipping), "card_being_turned_over_lies", "flip")


def _check_way(state: Any, law: Any, place: int, done: int) -> None:
    """FLQ-7, FLQ-23: the cards of a running turn, after so many steps."""
    side, cells = rules.side_of(rules.mover(state)), count(state.visited)
    if place == rules.START:
        refuse(done or cells, "who_taken_step_not_start", "drawn")
        return
    refuse(not rules.has(state.visited, place), "card_which_character_belongs_turn", "drawn")
    refuse(cells - done not in (0, 1), "steps_done_but_cards_turn", "drawn", done=done, cells=cells)
    for cell in range(rules.CELLS):
        if not rules.has(state.visited, cell):
            continue
        card = int(state.field[cell])
        refuse(card == rules.DOWN, "belongs_turn_lies_face_up", "drawn", cell=cell_name(cell))
        bad = rules.kills(law, side, card) and not rules.has(state.blown, cell)
        refuse(bad, "mine_mine_ends_turn", "drawn", cell=cell_name(cell))
