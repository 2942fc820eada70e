"""How far each family of Burning Bridges is, and what an action changes: the child's way, threats, and the next bridge."""

from __future__ import annotations

from collections.abc import Iterator

from bridgehead.core.interface import Distance
from bridgehead.core.phrases import Phrase, phrase
from bridgehead.core.position import Position
from bridgehead.games.burning_bridges import actions, rules
from bridgehead.games.burning_bridges.rules import NOBODY, L, M, S
from bridgehead.games.burning_bridges.words import family, join_names, piece


def _lines(position: Position, number: int) -> int:
    """Lines from a piece to the nearest goal of its family."""
    return int(position.game.law.goal_distance[number // 3, int(position.state.pos[number])])


def distance(position: Position, seat: int) -> Distance:
    """Lines from the family's child to a goal (BBQ-38), then those of its parents."""
    child, parents = _lines(position, 3 * seat + S), sum(_lines(position, 3 * seat + size) for size in (L, M))
    held = any(int(position.state.captor[3 * seat + size]) != NOBODY for size in (M, S))
    if child:
        words = phrase("far.child", n=child)
        words = phrase("far.family", child=words, parents=parents) if parents else words
    else:
        words = phrase("far.parents", n=parents) if parents else phrase("far.held" if held else "far.home")
    return Distance((child, parents, int(held)), words)


def _ways(position: Position, seat: int) -> set[int]:
    """The pillars nearer to home that a family's child could cross to now, if it were the family's turn."""
    law, state = position.game.law, position.supposing(turn=seat).read_only
    child = 3 * seat + S
    here = int(state.pos[child])
    near = (int(law.neighbour[here, i]) for i in range(int(law.degree[here])))
    nearer = [there for there in near if law.goal_distance[seat, there] < law.goal_distance[seat, here]]
    return {there for there in nearer if rules.cross_refusal(state, law, child, there, seat) == rules.Reason.OK}


def _threatened(position: Position, seat: int) -> set[int]:
    """The opponents' pieces that a family could take with its first move, if a turn of it began now."""
    law, found = position.game.law, set()
    supposed = position.supposing(turn=seat, phase=rules.MOVES, moves=2, mover=NOBODY, taken=0)
    for action in supposed.legal:
        made = actions.split(law, action)
        if made.kind == actions.SEIZE:
            found.add(made.piece)
        elif made.kind == actions.WALK:
            after = supposed.after(action)
            if after.state.phase == rules.TAKING:
                found |= {actions.split(law, taking).piece for taking in after.legal}
    return found - {NOBODY}


def _in_danger(position: Position, seat: int) -> set[int]:
    """A family's pieces that an opponent could take with one move."""
    others = (other for other in range(position.game.seats) if other != seat)
    return {number for other in others for number in _threatened(position, other) if number // 3 == seat}


def _next_bridge(position: Position, seat: int) -> int:
    """The line on which the family's parents can build now; NOBODY if there is none."""
    law, state = position.game.law, position.supposing(turn=seat).read_only
    line = int(law.line_of[state.pos[3 * seat + L], state.pos[3 * seat + M]])
    return line if line >= 0 and rules.build_refusal(state, law, line) == rules.Reason.OK else NOBODY


def _at_end(position: Position, seat: int) -> Position | None:
    """The position after the family ends its turn now; None if it cannot."""
    end = int(position.game.law.first_of[actions.END])
    return position.play(end) if position.actor == seat and end in position.legal else None


def _own(number: int) -> Phrase:
    """A piece of the family that acts."""
    return phrase(f"own.{'LMS'[number % 3]}")


def effects(before: Position, action: int) -> list[Phrase]:
    """What an action changes for the family that acts."""
    after = before.play(action)
    return [] if after.is_over else list(_compared(before, after, before.actor))


def _compared(before: Position, after: Position, seat: int) -> Iterator[Phrase]:
    law, names, child = before.game.law, before.game.board.pillars, 3 * seat + S

    def pillars(found: set[int]) -> str:
        return ", ".join(names[pillar] for pillar in sorted(found))

    if _lines(after, child) < _lines(before, child):
        left = _lines(after, child)
        yield phrase("effect.child", n=left) if left else phrase("effect.childHome")
    elif after.state.pos[child] == before.state.pos[child]:
        if opened := _ways(after, seat) - _ways(before, seat):
            yield phrase("effect.opens", pillars=pillars(opened))
        elif kept := _kept_open(before, after, seat):
            yield phrase("effect.keeps", pillars=pillars(kept))
    for other in range(law.seats):
        same = before.state.pos[3 * other + S] == after.state.pos[3 * other + S]
        if other != seat and same and (closed := _ways(before, other) - _ways(after, other)):
            yield phrase("effect.closes", other=family(other), pillars=pillars(closed))
    danger = _in_danger(after, seat)
    if saved := {number for number in _in_danger(before, seat) - danger if after.state.captor[number] == NOBODY}:
        yield phrase("effect.saves", pieces=join_names([_own(number) for number in sorted(saved)]))
    if threats := _threatened(after, seat) - _threatened(before, seat):
        yield phrase("effect.threatens", pieces=join_names([piece(number) for number in sorted(threats)]))
    line = _next_bridge(after, seat)
    if line not in (NOBODY, _next_bridge(before, seat)):
        yield phrase("effect.builds", line=before.game.board.line_name(line))
    for size in (L, M):
        if not _lines(after, 3 * seat + size) and _lines(before, 3 * seat + size):
            yield phrase("effect.parentHome", piece=_own(3 * seat + size))


def _kept_open(before: Position, after: Position, seat: int) -> set[int]:
    """The ways of the child that would close if the turn ended now, and do not close if it ends after the action."""
    ended, later = _at_end(before, seat), after if after.state.turn != before.state.turn else _at_end(after, seat)
    if ended is None or later is None:
        return set()
    return (_ways(before, seat) & _ways(after, seat) & _ways(later, seat)) - _ways(ended, seat)
