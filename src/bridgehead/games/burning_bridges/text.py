"""Positions as one readable line.

    moves a 2 round 3 turns 14; pieces aL R0, aM R0, aS B1 bM, ...; bridges A0-B0 a 3 used torch; immune b>aS 2;
    terms bM destroy A0-B0

The first part is the phase, the family on turn, its moves left (`take a 1 L 0`: the piece that takes and the number
that it took; `over a 0 home b`: the reason and the winner), finished rounds and turns, and `more 3` while so many moves are
bid for the first turn of the last family. A piece has its pillar and captor; a
bridge its colour, idle turns, `used`, `torch` (with pins 10each `torch by c`). Empty parts are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bridgehead.core.errors import NotationError, PositionError, refusing
from bridgehead.core.game import Game
from bridgehead.core.numbers import ALL, uint64
from bridgehead.core.phrases import join_phrases, phrase
from bridgehead.core.position import Position
from bridgehead.games.burning_bridges import actions, rules, words
from bridgehead.games.burning_bridges.board import SIZES

refuse = refusing("burning_bridges", PositionError)

SECTIONS = ("pieces", "bridges", "immune", "terms")


def dump(position: Position) -> str:
    game, public = position.game, words.facts(position)
    pieces = [f"{piece} {pillar}" + (f" {captor}" if captor else "") for piece, (pillar, captor) in public["pieces"].items()]
    bridges = []
    for key, (torch, idle, used) in public["bridges"].items():
        line, colour = (reader(game, word) for reader, word in zip((words.line_of, words.family_of), key.split(" "), strict=True))
        by = f" by {words.family_name(words.placer(position, line, colour))}" if torch and game.law.pins_each else ""
        bridges.append(f"{key} {idle}{' used' * used}{' torch' * torch}{by}")
    sections = {
        "pieces": pieces,
        "bridges": bridges,
        "immune": [f"{key} {left}" for key, left in public["immune"].items()],
        "terms": [f"{captor} {term}" for captor, term in public["terms"].items()],
    }
    head = f"{_head(position)} round {public['round']} turns {position.turn}"
    head += f" more {int(position.state.more)}" if position.state.more else ""
    return "; ".join([head, *(f"{name} {', '.join(items)}" for name, items in sections.items() if items)])


def _head(position: Position) -> str:
    state = position.state
    given = [rules.PHASES[state.phase]]
    if state.phase == rules.DRAW:
        return given[0]
    given += [words.family_name(int(state.turn)), str(state.moves)]
    if state.phase == rules.TAKING:
        given += [SIZES[state.mover % 3], str(state.taken)]
    if state.phase == rules.ENDED:
        given += [
            rules.REASONS[state.reason][0],
            "none" if state.winner == rules.NOBODY else words.family_name(int(state.winner)),
        ]
    return " ".join(given)


def read(game: Game, text: str) -> Any:
    """The state that the text describes, even one that cannot occur. Errors: PositionError; `where` is the part of the text."""
    parts = [part.strip() for part in text.split(";")]
    sections: dict[str, list[str]] = {}
    for part in parts[1:]:
        name, _, items = part.partition(" ")
        if name not in SECTIONS:
            where = phrase("burning_bridges:error.part", part=repr(part[:20]))
            raise PositionError("burning_bridges:error.got", where, sections=", ".join(SECTIONS), name=repr(name))
        refuse(name in sections, "part_comes_twice", name)
        sections[name] = [item.strip() for item in items.split(",")]
    states = game.blank()
    rules.setup(states[0], game.law)
    _read("head", lambda: _read_head(game, states[0], parts[0].split()))
    seen: set[object] = set()
    for name, reader in (("pieces", _piece), ("bridges", _bridge), ("immune", _immune), ("terms", _term)):
        for item in sections.get(name, []):
            key = (name, _read(f"{name}: {item}", lambda reader=reader, item=item: reader(game, states[0], item.split())))  # type: ignore[misc]
            refuse(key in seen, "named_twice_2", f"{name}: {item}")
            seen.add(key)
    for piece in range(3 * game.seats):
        refuse(("pieces", piece) not in seen, "missing_2", "pieces", piece=words.piece_name(piece))
    if states[0].phase == rules.TERMS:
        states[0].mover = rules.unnamed_captor(states[0])
    _check_hostages(game, states[0])  # others cannot even be drawn
    return states


def _read(where: str, reader: Callable[[], object]) -> object:
    """Call a reader; add the place in the text to its errors."""
    try:
        return reader()
    except (NotationError, PositionError) as error:
        raise PositionError(error.phrase, where) from None


def _number(word: str, most: int) -> int:
    bad = not word.isascii() or not word.isdigit() or len(word) > 9 or int(word) > most
    refuse(bad, "number_from_0_got", most=most, word=repr(word))
    return int(word)


def _word(given: list[str], index: int) -> str:
    refuse(index >= len(given), "something_missing_end")
    return given[index]


def _finished(given: list[str], length: int) -> None:
    if len(given) > length:
        raise PositionError("burning_bridges:error.did_not_expect", words=repr(given[length]))


def _read_head(game: Game, state: Any, given: list[str]) -> None:
    phase = _word(given, 0)
    refuse(phase not in rules.PHASES, "phase_got", phases=", ".join(rules.PHASES), phase=repr(phase))
    state.phase, state.turn, state.moves = rules.PHASES.index(phase), rules.NOBODY, 0
    at = 1
    if state.phase != rules.DRAW:
        state.turn, state.moves, at = words.family_of(game, _word(given, 1)), _number(_word(given, 2), most_moves(game)), 3
    if state.phase == rules.TAKING:
        state.mover, state.taken, at = 3 * state.turn + words.size_of(game, _word(given, 3)), _number(_word(given, 4), 1), 5
    if state.phase == rules.RIDING:
        state.mover = 3 * state.turn + rules.S
    if state.phase == rules.ENDED:
        reasons = [reason for reason, _ in rules.REASONS]
        if _word(given, 3) not in reasons:
            raise PositionError("burning_bridges:error.reason_got", reasons=", ".join(reasons[1:]), words=repr(given[3]))
        state.reason, winner, at = reasons.index(given[3]), _word(given, 4), 5
        state.winner = rules.NOBODY if winner == "none" else words.family_of(game, winner)
    refuse([_word(given, at), _word(given, at + 2)] != ["round", "turns"], "round_n_turns_n")
    state.rounds, state.turns = (_number(_word(given, at + i), 10**9) for i in (1, 3))
    if given[at + 4 : at + 5] == ["more"]:
        state.more, at = _number(_word(given, at + 5), actions.MOST_MORE), at + 2
    _finished(given, at + 4)


def _piece(game: Game, state: Any, given: list[str]) -> object:
    piece = words.piece_of(game, _word(given, 0))
    state.pos[piece] = words.pillar_of(game, _word(given, 1))
    state.captor[piece] = words.piece_of(game, given[2]) if len(given) > 2 else rules.NOBODY
    _finished(given, 3)
    return piece


def _bridge(game: Game, state: Any, given: list[str]) -> object:
    line, colour, idle = (
        words.line_of(game, _word(given, 0)),
        words.family_of(game, _word(given, 1)),
        _number(_word(given, 2), 99),
    )
    bridge = words.bridge_number(game.law, line, colour)
    refuse(rules.has_bridge(state, bridge), "named_twice_2")
    rules.build(state, bridge)
    at = 4 if given[3:4] == ["used"] else 3
    refuse(idle > game.law.idle_limit, "idle_more_than_turns", idle_limit=game.law.idle_limit)
    words.set_idle(state, game.law, bridge, idle)
    if at == 3:
        state.used[bridge >> 6] &= ALL ^ uint64(rules.bit(bridge))  # compiled, a bit is a plain number here
    if given[at : at + 1] == ["torch"]:
        at += 1
        by_family = rules.NOBODY
        if game.law.pins_each:
            refuse(given[at : at + 1] != ["by"], "pins_10each_torch_needs_family")
            by_family, at = words.family_of(game, _word(given, at + 1)), at + 2
            refuse(by_family == colour and not game.law.torch_own, "nobody_torches_own_bridge")
        if not rules.has_pin(state, game.law, by_family):
            refuse(game.law.pins_each, "torches.own", family=words.family_name(by_family), most=rules.SUPPLY_EACH)
            raise PositionError("burning_bridges:error.torches", most=rules.SUPPLY)
        rules.place_torch(state, game.law, bridge, by_family)
    _finished(given, at)
    return line, colour


def _immune(game: Game, state: Any, given: list[str]) -> object:
    family, _, piece = _word(given, 0).partition(">")
    place = words.family_of(game, family), words.piece_of(game, piece)
    owner, held = place
    state.immune[owner] |= _number(_word(given, 1), 9) << 4 * held
    _finished(given, 2)
    return place


def _term(game: Game, state: Any, given: list[str]) -> object:
    captor = words.piece_of(game, _word(given, 0))
    kind, line = _word(given, 1), words.line_of(game, given[2]) if len(given) > 2 else rules.NOBODY
    terms = {("none", False): rules.TERM_IS_NONE, ("untorch", False): rules.TERM_IS_CHOICE}
    terms |= {("destroy", True): rules.TERM_IS_DESTROY + line, ("untorch", True): rules.TERM_IS_UNTORCH + line}
    state.term[captor] = terms.get((kind, line != rules.NOBODY), rules.UNNAMED)
    refuse(state.term[captor] == rules.UNNAMED, "none_untorch_untorch_line_destroy")
    _finished(given, 3)
    return captor


# -- checks that a position can occur ----------------------------------------------------------------------------------
def most_moves(game: Game) -> int:
    """The moves of the longest turn under these house rules."""
    return 2 + (actions.MOST_MORE if game.law.bid else int(game.law.last_moves))


def moves_in_phase(game: Game, state: Any) -> range:
    """The numbers of moves left that can occur in a phase of this turn."""
    full = int(rules.full_turn(state, game.law))
    return {
        rules.TERMS: range(full, full + 1),
        rules.MOVES: range(1, full + 1),
        rules.TAKING: range(full),
        rules.RIDING: range(full),
        rules.ENDED: range(most_moves(game) + 1),
    }[int(state.phase)]


def check(game: Game, state: Any) -> None:
    """Refuse a position that cannot occur. Errors: PositionError; `where` is the part of the position text."""
    _check_bid(game, state)
    if state.phase in (rules.DRAW, rules.BIDDING, rules.CHOOSING):
        _check_start(game, state)
        return
    _check_bridges(game, state)
    _check_immunity(game, state)
    _check_clock(game, state)
    _check_terms(game, state)
    _check_landing(game, state)
    _check_end(game, state)


def _check_bid(game: Game, state: Any) -> None:
    """Check the number of moves that is bid (BBQ-53)."""
    bids = state.phase in (rules.BIDDING, rules.CHOOSING)
    refuse((bids or state.more != 0) and not game.law.bid, "no_bid_under", "head")
    is_early = state.phase in (rules.DRAW, rules.BIDDING)
    refuse(state.more != 0 and (is_early or state.turns >= game.seats), "more_when", "head")
    first = rules.BIDDING if state.phase == rules.BIDDING else rules.CHOOSING
    refuse(bids and not game.law.draw_first and state.turn != first - rules.BIDDING, "rounds_turns_family_whose_turn", "head")


def _check_start(game: Game, state: Any) -> None:
    """Check a position before the first turn: nothing but the family on turn and the bid differs from the start."""
    start = game.blank()
    rules.setup(start[0], game.law)
    drawing = state.phase == rules.DRAW
    refuse(drawing and not game.law.draw_first, "first_family_not_drawn_under", "head")
    if not drawing:
        start[0].phase, start[0].turn, start[0].more = state.phase, state.turn, state.more
    moved = start[0].tobytes() != state.tobytes()
    refuse(moved, "before_draw_everything_start" if drawing else "before_turn_everything_start", "head")


def _check_hostages(game: Game, state: Any) -> None:
    held: dict[int, list[int]] = {}
    for piece in range(3 * game.seats):
        captor = int(state.captor[piece])
        if captor == rules.NOBODY:
            continue
        name, holder = words.piece_name(piece), words.piece_name(captor)
        where = f"pieces: {name}"
        refuse(piece % 3 == rules.L, "cannot_hostage_largest_piece_never", where, name=name)
        refuse(captor // 3 == piece // 3, "cannot_hold_piece_own_family", where, holder=holder)
        refuse(captor % 3 >= piece % 3, "not_larger_than_hostage", where, holder=holder, name=name)
        refuse(state.pos[captor] != state.pos[piece], "hostage_different_pillars", where, holder=holder, name=name)
        refuse(state.captor[captor] != rules.NOBODY, "hostage_itself_cannot_hold", where, holder=holder, name=name)
        held.setdefault(captor, []).append(piece)
        refuse(len(held[captor]) > 2, "holds_more_than_two_hostages", where, holder=holder)
    if not game.law.scope_piece:
        captors = sorted(held)
        for one, other in zip(captors, captors[1:], strict=False):
            bad = one // 3 == other // 3
            refuse(bad, "cannot_both_hold_hostages", "pieces", one=words.piece_name(one), other=words.piece_name(other))


def _check_bridges(game: Game, state: Any) -> None:
    law = game.law
    for line in range(law.lines):
        colours = [colour for colour in range(game.seats) if rules.has_bridge(state, words.bridge_number(law, line, colour))]
        where = f"bridges: {game.board.line_name(line)}"
        refuse(not law.parallel_bridges and len(colours) >= 2, "bridge_fits_line_under_these", where)
    for family in range(game.seats):
        name = words.family_name(family)
        bad = rules.count_bridges(state, law, family) > law.most_bridges
        refuse(bad, "more_than_bridges", "bridges", name=name, most_bridges=law.most_bridges)


def _check_immunity(game: Game, state: Any) -> None:
    for family in range(game.seats):
        for piece in range(3 * game.seats):
            left = int(rules.safe_turns(state, family, piece))
            if left:
                where = f"immune: {words.family_name(family)}>{words.piece_name(piece)}"
                refuse(left > game.law.immunity_turns, "most_turns", where, immunity_turns=game.law.immunity_turns)
                refuse(family == piece // 3, "nobody_takes_piece_own_family", where)
                refuse(piece % 3 == rules.L, "largest_piece_never_taken", where)
                captor = int(state.captor[piece])
                refuse(captor != rules.NOBODY and captor // 3 == family, "piece_hostage_family", where)


def _check_clock(game: Game, state: Any) -> None:
    moves = moves_in_phase(game, state)
    numbers = join_phrases("or", [str(each) for each in moves])
    refuse(int(state.moves) not in moves, "moves_left_phase", "head", numbers=numbers)
    at_limit = state.phase == rules.ENDED and state.reason == rules.ROUND_LIMIT
    rounds, turns, limit = int(state.rounds), int(state.turns), int(game.law.round_limit)
    if at_limit:
        refuse(limit <= 0 or rounds != limit or turns <= 0, "last_round_not_over", "head")
        refuse(state.turn != game.seats - 1, "round_ends_last_seat_s", "head")
        rounds, turns = rounds - 1, turns - 1
    else:
        refuse(limit != 0 and rounds >= limit, "game_ends_after_rounds", "head", limit=limit)
    first = rounds * game.seats + int(state.turn) - turns  # the seat that had the first turn
    firsts = range(game.seats if game.law.draw_first or game.law.bid else 1)
    refuse(first not in firsts, "rounds_turns_family_whose_turn", "head")


def _check_terms(game: Game, state: Any) -> None:
    law, turn = game.law, int(state.turn)
    waiting = int(rules.unnamed_captor(state))
    at_limit = state.phase == rules.ENDED and state.reason == rules.ROUND_LIMIT
    if state.phase == rules.TERMS:
        refuse(waiting == rules.NOBODY, "nobody_terms_name", "head")
    else:
        refuse(waiting != rules.NOBODY and not at_limit, "not_named_terms", "terms", waiting=words.piece_name(waiting))
    for captor in range(3 * game.seats):
        term = int(state.term[captor])
        if term == rules.UNNAMED:
            continue
        where, own = f"terms: {words.piece_name(captor)}", state.captor[3 * turn : 3 * turn + 3]
        refuse(at_limit, "terms_end_turn", where)
        refuse(captor not in own, "holds_nobody", where, turn=words.family_name(turn))
        refuse(state.phase == rules.TERMS and captor >= waiting, "captors_name_their_terms_seat", where)
        refuse(term == rules.TERM_IS_NONE and law.none_cost != 1, "none_settled_once_under_these", where)
        picks = term == rules.TERM_IS_CHOICE
        bad = picks and (not law.hostage_picks_torch or not rules.has_torches(state, law, captor // 3))
        refuse(bad, "captor_names_torch", where)
        named = term >= rules.TERM_IS_UNTORCH
        refuse(named and law.hostage_picks_torch, "hostage_s_family_picks_torch", where)
        refuse(term >= rules.TERM_IS_DESTROY and rules.is_settled(state, law, captor), "what_asks_not_board", where)


def _check_landing(game: Game, state: Any) -> None:
    """Check a phase within a move: a decision must be left."""
    law, turn, mover = game.law, int(state.turn), int(state.mover)
    if state.phase == rules.TAKING:
        held = [piece for piece in range(3 * game.seats) if state.captor[piece] == mover]
        refuse(mover % 3 == rules.S, "child_takes_nobody", "head")
        refuse(state.captor[mover] != rules.NOBODY, "hostage", "head", mover=words.piece_name(mover))
        refuse(len(held) != state.taken, "holds_hostages", "head", mover=words.piece_name(mover), count=len(held))
        refuse(not rules.victims(state, law, mover), "can_take_nobody", "head", mover=words.piece_name(mover))
        if not law.scope_piece:
            free = all(state.captor[piece] == rules.NOBODY for piece in range(3 * turn, 3 * turn + 3))
            refuse(not free, "another_hostage_situation", "head", turn=words.family_name(turn))
    if state.phase == rules.RIDING:
        refuse(not law.ride or not rules.can_destroy_any(state, law), "child_can_destroy_nothing_within", "head")
        refuse(not _came_over_a_bridge(game, state, turn), "child_come_over_no_bridge", "head")


def _came_over_a_bridge(game: Game, state: Any, family: int) -> bool:
    here = int(state.pos[3 * family + rules.S])
    law = game.law
    own = [words.bridge_number(law, int(law.line_to[here, i]), family) for i in range(law.degree[here])]
    return any(each in words.bridges_in(state.used) and not rules.is_burning(state, each) for each in own)


def _check_end(game: Game, state: Any) -> None:
    home, winner = int(rules.family_at_home(state, game.law)), int(state.winner)
    if state.phase in (rules.TERMS, rules.MOVES):
        refuse(home != rules.NOBODY, "family_home_game_over", "head", home=words.family_name(home))
    if state.phase == rules.ENDED and state.reason == rules.HOME:
        refuse(home == rules.NOBODY or winner != home, "winner_s_family_not_home", "head")
    if state.phase == rules.ENDED and state.reason == rules.ROUND_LIMIT:
        refuse(home != rules.NOBODY, "family_home", "head", home=words.family_name(home))
        refuse(winner != rules.nearest_family(state, game.law), "not_child_fewest_lines_left", "head")
