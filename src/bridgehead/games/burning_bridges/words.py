"""The words of Burning Bridges: names, notation, facts, log sentences, prompts and refusals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bridgehead.core.bits import members
from bridgehead.core.caching import by_action
from bridgehead.core.clauses import Refusal, RefusalCode
from bridgehead.core.errors import NotationError, refusing
from bridgehead.core.game import Game
from bridgehead.core.numbers import uint64
from bridgehead.core.phrases import Phrase, join_phrases, phrase
from bridgehead.core.position import Position
from bridgehead.games.burning_bridges import actions, rules
from bridgehead.games.burning_bridges.actions import Action, split
from bridgehead.games.burning_bridges.board import SIZES

refuse = refusing("burning_bridges", NotationError)


def family_name(family: int) -> str:
    """A family's letter."""
    return "abcdef"[family]  # a board may have a sixth family, of which five play


def piece_name(piece: int) -> str:
    """A piece with its family's letter: `bM`."""
    return family_name(piece // 3) + SIZES[piece % 3]


def family_of(game: Game, text: str) -> int:
    """The seat of a family's letter. Errors: NotationError."""
    letters = "abcde"[: game.seats]
    if len(text) != 1 or text not in letters:
        raise NotationError("burning_bridges:error.family_from_got", "action", letters=letters[-1], text=repr(text))
    return letters.index(text)


def size_of(game: Game, text: str) -> int:
    """The size number of L, M or S. Errors: NotationError."""
    refuse(len(text) != 1 or text not in SIZES, "piece_l_m_s_got", "action", text=repr(text))
    return SIZES.index(text)


def piece_of(game: Game, text: str) -> int:
    """The number of a piece written like bM. Errors: NotationError."""
    refuse(len(text) != 2, "piece_like_bm_got", "action", text=repr(text))
    return 3 * family_of(game, text[0]) + size_of(game, text[1])


def pillar_of(game: Game, text: str) -> int:
    """The number of a pillar. Errors: NotationError."""
    refuse(text not in game.board.pillars, "board_no_pillar", "action", text=repr(text))
    return int(game.board.pillars.index(text))


def line_of(game: Game, text: str) -> int:
    """The number of a line, its ends in either order. Errors: NotationError."""
    ends = text.split("-")
    if len(ends) == 2:
        line = int(game.law.line_of[pillar_of(game, ends[0]), pillar_of(game, ends[1])])
        if line != rules.NOBODY:
            return line
    raise NotationError("burning_bridges:error.board_no_line", "action", text=repr(text))


# -- reading a state ---------------------------------------------------------------------------------------------------
def bridges_in(words: Any) -> list[int]:
    """The numbers in a set of bridges, ascending."""
    return members(sum(int(word) << 64 * i for i, word in enumerate(words)))


def bridge_number(law: Any, line: int, colour: int) -> int:
    """The number of a colour's bridge on a line."""
    return colour * int(law.lines) + line


def count_idle_turns(state: Any, law: Any, bridge: int) -> int:
    """Idle turns of the bridge at the last count."""
    words = [*map(int, state.idle)][bridge // 64 :: law.words]
    return sum((word >> bridge % 64 & 1) << digit for digit, word in enumerate(words[: law.idle_digits]))


def set_idle(state: Any, law: Any, bridge: int, turns: int) -> None:
    """Write the idle turns of a new bridge. Binary digits beyond those of the law are cut off."""
    for digit in range(law.idle_digits):
        if turns >> digit & 1:
            state.idle[digit * law.words + bridge // 64] |= uint64(1 << bridge % 64)


def bridge_states(position: Position) -> dict[tuple[int, int], tuple[bool, int, bool]]:
    """{(line, colour): (burning, idle turns when last counted, used since then)} for every bridge, by line."""
    law, state = position.game.law, position.state
    burning, used = set(bridges_in(state.torch)), set(bridges_in(state.used))
    found = {}
    for bridge in sorted(bridges_in(state.bridge), key=lambda bridge: (bridge % law.lines, bridge)):
        colour, line = divmod(bridge, int(law.lines))
        found[line, colour] = bridge in burning, count_idle_turns(state, law, bridge), bridge in used
    return found


def placer(position: Position, line: int, colour: int) -> int:
    """With pins 10each, the family that placed the torch in a burning bridge."""
    before = bridges_in(position.state.torch).index(bridge_number(position.game.law, line, colour))
    return next(family for family in range(position.game.seats) if int(position.state.placed[family]) >> before & 1)


def safe_turns(position: Position) -> dict[tuple[int, int], int]:
    """{(family, piece): own turns left for which the family may not take the piece} (BBQ-28)."""
    families, pieces = enumerate(map(int, position.state.immune)), range(3 * position.game.seats)
    found = {(family, piece): word >> 4 * piece & 15 for family, word in families if word for piece in pieces}
    return {place: left for place, left in found.items() if left}


# -- notation and facts ------------------------------------------------------------------------------------------------
PLAIN = str.maketrans("", "", "{}")


@by_action
def name(game: Game, action: int) -> str:
    def name_part(part: str, value: int) -> str:
        if part in ("pillar", "line"):
            return game.board.pillars[value] if part == "pillar" else str(game.board.line_name(value))
        if part == "more":
            return str(value)
        if part in ("size", "piece"):
            return SIZES[value] if part == "size" else piece_name(value)
        return family_name(value) if part == "colour" else str(value + 1)

    return actions.actions_of(game.law).name(action, name_part)


def read(position: Position, text: str) -> int:
    game, words = position.game, text.split(" ")
    readers = {"seat": _seat_of, "size": size_of, "pillar": pillar_of, "colour": family_of, "piece": piece_of, "line": line_of}
    readers["more"] = _more_of
    found = actions.actions_of(game.law).read(text, lambda part, word: readers[part](game, word))
    if found is not None:
        return found
    refuse(words[0] == "pay" and len(words) == 3, "captor_picks_torch_here_pay", "action")
    shapes = [kind.text.translate(PLAIN) for kind in actions.KINDS if kind.text.split(" ")[0] == words[0]]
    raise NotationError(
        "burning_bridges:error.got_2", "action", shapes=join_phrases("or", shapes or ["walk L R1"]), text=repr(text)
    )


def _seat_of(game: Game, word: str) -> int:
    bad = word not in [str(seat + 1) for seat in range(game.seats)]
    refuse(bad, "seat_from_1_got", "action", seats=game.seats, word=repr(word))
    return int(word) - 1


def _more_of(game: Game, word: str) -> int:
    bad = word not in [str(more) for more in range(1 + actions.MOST_MORE)]
    refuse(bad, "number_from_0_got", "action", most=actions.MOST_MORE, word=repr(word))
    return int(word)


def term_of(state: Any, captor: int) -> tuple[str, int]:
    """The captor's term and its line: `destroy`, `untorch`, `choice` (a torch of the hostage's choice), `none`, "" if unnamed."""
    term = int(state.term[captor])
    if term >= rules.TERM_IS_UNTORCH:
        return "untorch", term - rules.TERM_IS_UNTORCH
    if term >= rules.TERM_IS_DESTROY:
        return "destroy", term - rules.TERM_IS_DESTROY
    return {rules.TERM_IS_NONE: "none", rules.TERM_IS_CHOICE: "choice"}.get(term, ""), rules.NOBODY


def at_line(game: Game, line: int) -> dict[str, object]:
    """The parameter `line` of a sentence, if there is a line."""
    return {} if line == rules.NOBODY else {"line": game.board.line_name(line)}


def _term_text(game: Game, state: Any, captor: int) -> str:
    """A term as in its action's text, without the word `term`."""
    kind, line = term_of(state, captor)
    return f"{kind} {game.board.line_name(line)}" if line != rules.NOBODY else "untorch" if kind == "choice" else kind


def facts(position: Position) -> dict[str, Any]:
    game, state = position.game, position.state
    pieces, board = range(3 * game.seats), game.board
    captors = [None if captor == rules.NOBODY else piece_name(captor) for captor in state.captor]
    lying = {f"{board.line_name(line)} {family_name(c)}": [*how] for (line, c), how in bridge_states(position).items()}
    bid = {"more": int(state.more)} if game.law.bid else {}
    return {
        "pieces": {piece_name(p): [board.pillars[int(state.pos[p])], captors[p]] for p in pieces},
        "bridges": lying,
        "immune": {f"{family_name(family)}>{piece_name(piece)}": left for (family, piece), left in safe_turns(position).items()},
        "terms": {piece_name(p): _term_text(game, state, p) for p in pieces if state.term[p] != rules.UNNAMED},
        "moves": int(state.moves),
        "round": int(state.rounds),
        "turn": None if state.turn == rules.NOBODY else int(state.turn),
        "phase": rules.PHASES[int(state.phase)],
        **bid,
    }


# -- log sentences and prompts -----------------------------------------------------------------------------------------
def family(seat: int) -> Phrase:
    """A family by its seat."""
    return phrase(f"seat.{family_name(seat)}")


def piece(number: int) -> Phrase:
    """A piece by its size and family."""
    return phrase(f"piece.{'LMS'[number % 3]}", seat=family(number // 3))


def join_names(phrases: list[Phrase]) -> Phrase | str:
    """Several names as one: `a, b and c`."""
    if len(phrases) < 2:
        return phrases[0] if phrases else ""
    both = phrase("list.and", one=phrases[-2], other=phrases[-1])
    for each in reversed(phrases[:-2]):
        both = phrase("list.more", one=each, other=both)
    return both


def say(position: Position, action: int) -> Phrase:
    """The log sentence of a legal action, with the bridges that collapse."""
    made, fallen = split(position.game.law, action), _collapsed(position, action)
    if not fallen:
        return _said(position, made)
    collapse = phrase("say.collapse", bridges=join_names(fallen), n=len(fallen))
    return collapse if made.kind == actions.DONE else phrase("say.also", said=_said(position, made), more=collapse)


def is_logged(position: Position, action: int) -> bool:
    """Whoever takes nobody, or lets a bridge stand, has decided nothing that others see."""
    return split(position.game.law, action).kind != actions.DONE or bool(_collapsed(position, action))


def _said(position: Position, made: Action) -> Phrase:
    if made.kind == actions.FIRST:
        return phrase("say.drawn" if position.game.law.bid else "first.drawn", seat=family(made.seat))
    if made.kind == actions.DONE:
        return phrase("say.done.ride" if position.state.phase == rules.RIDING else "say.done.take", seat=family(position.actor))
    names = _parameters(position, made)
    if made.kind == actions.PAY:
        kind, line = term_of(position.state, made.piece)
        return phrase(f"say.pay.{kind}", **names, **at_line(position.game, line))
    key = "say.take" if made.kind == actions.SEIZE else f"say.{actions.VERBS[made.kind]}"
    leaves = made.kind in (actions.WALK, actions.CROSS) and _held_by(position, 3 * int(position.state.turn) + made.size)
    return Phrase(f"{key}.off", {**names, "freed": join_names([piece(p) for p in leaves])}) if leaves else Phrase(key, names)


# What a turn's actions are in a few words. Actions without a key (nobody taken, a bridge left standing) are left out.
RECAPS = {
    actions.WALK: "recap.walk", actions.CROSS: "recap.cross", actions.TAKE: "recap.take", actions.SEIZE: "recap.take",
    actions.BUILD: "recap.build", actions.TORCH: "recap.torch", actions.DESTROY: "recap.destroy",
    actions.EXTINGUISH: "recap.extinguish", actions.PAY: "recap.pay", actions.PAY_LINE: "recap.pay",
    actions.TERM_DESTROY: "recap.term.destroy", actions.TERM_UNTORCH: "recap.term.untorch",
    actions.TERM_CHOICE: "recap.term.choice", actions.TERM_NONE: "recap.term.none", actions.SWAP: "recap.swap",
    actions.BID: "recap.bid", actions.GO_FIRST: "recap.go.first", actions.GO_LAST: "recap.go.last",
}  # fmt: skip


OWNED = ("recap.cross", "recap.torch", "recap.destroy")  # recaps that name the owner of a bridge


def recap(moves: Sequence[tuple[Position, int]], viewer: int) -> Phrase | str:
    """A turn in a few words. Only a turn without any other action "ends"."""
    done = [(position, split(position.game.law, action)) for position, action in moves]
    parts = [_recap(position, made, viewer) for position, made in done if made.kind in RECAPS]
    return join_phrases("recap.list", parts or [phrase("recap.end")])


def _recap(position: Position, made: Action, viewer: int) -> Phrase:
    key, names = RECAPS[made.kind], name_parts(position, made)
    if made.size != rules.NOBODY:
        names["me"] = SIZES[made.size]
    if key == "recap.take":
        names["size"] = SIZES[made.piece % 3]
    owner = made.piece // 3 if key == "recap.take" else made.colour if key in OWNED else rules.NOBODY
    if owner == viewer != rules.NOBODY:
        return Phrase(f"{key}.you", names)
    return Phrase("recap.cross.own" if made.kind == actions.CROSS and owner == position.state.turn else key, names)


def name_parts(position: Position, made: Action) -> dict[str, object]:
    """The names in an action: an opponent's piece and its family, a pillar, a line, a colour."""
    game = position.game
    names: dict[str, object] = {}
    if made.piece != rules.NOBODY:
        names["other"], names["owner"] = piece(made.piece), family(made.piece // 3)
    if made.pillar != rules.NOBODY:
        names["pillar"] = game.board.pillars[made.pillar]
    names |= at_line(game, made.line)
    if made.colour != rules.NOBODY:
        names["colour"] = family(made.colour)
    if made.more != rules.NOBODY:
        names["n"] = made.more
    return names


def _held_by(position: Position, captor: int) -> list[int]:
    return [number for number, holder in enumerate(position.state.captor) if holder == captor]


def _waiting(position: Position) -> list[int]:
    """The hostages of the captor that names its terms now."""
    return [p for p in _held_by(position, int(position.state.mover)) if p // 3 == position.state.turn]


def _collapsed(position: Position, action: int) -> list[Phrase]:
    """The bridges that collapse because the action ends the turn."""
    after, board = position.play(action), position.game.board
    if after.turn == position.turn or split(position.game.law, action).kind >= actions.SWAP:
        return []
    removed = _removed(position, split(position.game.law, action))
    gone = bridges_in([old & ~new for old, new in zip(position.state.bridge, after.state.bridge, strict=True)])
    fallen = [divmod(bridge, int(position.game.law.lines)) for bridge in gone]
    return [phrase("bridge", line=board.line_name(line), seat=family(c)) for c, line in fallen if (line, c) != removed]


def _removed(position: Position, made: Action) -> tuple[int, int]:
    """The bridge that the action itself removes, as (line, colour)."""
    if made.kind == actions.DESTROY:
        return made.line, made.colour
    kind, line = term_of(position.state, made.piece) if made.kind == actions.PAY else ("", rules.NOBODY)
    return (line, int(position.state.turn)) if kind == "destroy" else (rules.NOBODY, rules.NOBODY)


def prompt(position: Position) -> Phrase:
    state, phase = position.state, int(position.state.phase)
    if phase == rules.DRAW:
        return phrase("prompt.first")
    if phase == rules.ENDED:
        if state.winner == rules.NOBODY:
            return phrase("prompt.draw")
        return phrase(f"prompt.won.{rules.REASONS[int(state.reason)][0]}", seat=family(int(state.winner)))
    names = {"seat": family(position.actor), "turn": family(int(state.turn)), "n": int(state.moves)}
    if phase == rules.TERMS:
        return phrase("prompt.terms", **names, hostages=join_names([piece(p) for p in _waiting(position)]))
    if phase in (rules.BIDDING, rules.CHOOSING):
        bid = phrase("prompt.bid", **names)
        return bid if phase == rules.BIDDING else phrase("prompt.choose", seat=names["seat"], n=int(state.more))
    if phase == rules.MOVES:
        if rules.may_swap(position.read_only, position.game.law):
            return phrase("prompt.swap", **names)
        return phrase("prompt.pay" if any(term != rules.UNNAMED for term in state.term) else "prompt.moves", **names)
    here = position.game.board.pillars[int(state.pos[state.mover])]
    key = "ride" if phase == rules.RIDING else "take.more" if state.taken else "take"
    return phrase(f"prompt.{key}", **names, piece=piece(int(state.mover)), pillar=here)


# -- refusals ----------------------------------------------------------------------------------------------------------
CHILD = (rules.Reason.CHILD_AT_BASE, rules.Reason.HOSTAGE_DESTROYS)
PARENTS = (rules.Reason.PARENTS_AT_ENDS, rules.Reason.HOSTAGE_BUILDS, rules.Reason.PARENT_AT_END)


def explain(position: Position, action: int) -> Refusal | None:
    no = position.refusal(action)
    if no == rules.Reason.OK:
        return None
    if position.state.phase in (rules.DRAW, rules.ENDED):
        return no.because()
    made = split(position.game.law, action)
    return no.because(_show(position, made, no), **_parameters(position, made))


def _parameters(position: Position, made: Action) -> dict[str, object]:
    """All parameters that a sentence about an action may use."""
    game, state, turn = position.game, position.state, int(position.state.turn)
    names = {
        "seat": family(position.actor),
        "turn": family(turn),
        "most": int(game.law.most_bridges),
        **name_parts(position, made),
    }
    names |= {part: piece(3 * turn + size) for size, part in enumerate(("large", "medium", "child"))}
    moving = 3 * turn + made.size if made.size != rules.NOBODY else int(state.mover)
    if moving != rules.NOBODY:
        names["piece"], names["here"] = piece(moving), game.board.pillars[int(state.pos[moving])]
    if made.piece != rules.NOBODY:
        names["n"] = safe_turns(position).get((turn, made.piece), 0)
    freed = _waiting(position) if state.phase == rules.TERMS else [p for p in _held_by(position, made.piece) if p // 3 == turn]
    return {**names, "freed": join_names([piece(p) for p in freed])}


def _show(position: Position, made: Action, no: RefusalCode) -> tuple[str, ...]:
    """Ids of the things concerned: pieces, pillars, a bridge."""
    game, state = position.game, position.state
    pillars, turn = game.board.pillars, int(state.turn)
    mover = int(state.mover) if state.phase != rules.TERMS else rules.NOBODY
    concerned = (3 * turn + made.size if made.size != rules.NOBODY else mover, made.piece)
    pieces = [number for number in concerned if number != rules.NOBODY and made.kind != actions.DONE]
    pieces += [3 * turn + rules.S] if no in CHILD else [3 * turn + rules.L, 3 * turn + rules.M] if no in PARENTS else []
    if no in (rules.Reason.FAMILY_IN_SITUATION, rules.Reason.PIECE_IN_SITUATION):
        pieces += _situation(position)
    shown = [f"p:{piece_name(number)}" for number in pieces]
    if made.pillar != rules.NOBODY:
        shown.append(f"f:{pillars[made.pillar]}")
    if made.line != rules.NOBODY:
        shown += [f"f:{pillars[end]}" for end in game.board.lines[made.line]]
        for colour in range(game.seats) if made.colour == rules.NOBODY else (made.colour,):
            if rules.has_bridge(position.read_only, bridge_number(game.law, made.line, colour)):
                shown.append(f"b:{game.board.line_name(made.line)}:{family_name(colour)}")
    return tuple(dict.fromkeys(shown))


def _situation(position: Position) -> list[int]:
    """Captors and hostages in situations of the family on turn."""
    state, turn = position.state, int(position.state.turn)
    pairs = [(number, int(captor)) for number, captor in enumerate(state.captor) if captor != rules.NOBODY]
    return [number for pair in pairs if turn in (pair[0] // 3, pair[1] // 3) for number in pair]
