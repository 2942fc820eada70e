"""The search for puzzles in games between computer players (`bridgehead puzzles GAME FILE`).

A quick search proposes a puzzle, and a search with many times the effort has to agree, twice. The grade is the weakest level
that finds the action; what the weakest of all finds is no puzzle. A glance, a search of a tenth of the quick one, leaves out
most positions: of 52 that the quick one proposed without it, it kept 51. Where a line is wanted, quick searches look for its
second action, too, before any thorough one; and of a die, every roll is looked at, since few leave a seat two actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import PositionError
from bridgehead.core.game import Game, Position
from bridgehead.core.match import Match
from bridgehead.players import player
from bridgehead.players.engine import engine
from bridgehead.players.levels import NAMES
from bridgehead.players.puzzles import Kind, Puzzle
from bridgehead.workshop.puzzles import opinions
from bridgehead.workshop.puzzles.lines import find_line, may_go_on, promises_line
from bridgehead.workshop.puzzles.opinions import Opinion, is_clear, judge_position, propose_solution

PLAYERS = ("scout", "guide", "ranger", "engineer")  # play the games: errors of theirs make puzzles
OFTEN = 2  # of TRIES choices of a level, to have found the action
TRIES = 3
FEW = 6  # positions of one game that are examined
APART = 6  # actions between two of them
LONGEST = 1500  # actions of a game
SIDES = 12  # of a die, at most: cards are too many to look at each
SLIGHT = 4  # legal actions at least: fewer are no puzzle


def search(game: Game, seed: str, known: Iterable[str] = (), missed_by: int = 0, needs_line: bool = False) -> Iterator[Puzzle]:
    """New puzzles of one game between computer players; the same seed finds the same. known: positions of others.

    missed_by: the index of a level; what it finds is no puzzle. needs_line: what ends with its first action is none either.
    """
    seen = set(known)
    for position in candidates(game, seed, missed_by, needs_line):
        made = None if position.text in seen else puzzle(position, seed, needs_line)
        if made is not None and made.grade > missed_by:
            seen.add(position.text)
            yield made


def candidates(game: Game, seed: str, missed_by: int = 0, needs_line: bool = False) -> Iterator[Position]:
    """Positions of one game between computer players in which a quick search sees one best action that a level misses.

    needs_line: and a second one after it.
    """
    lot, match, last, found = SeededDealer(f"puzzles:{seed}"), Match(game), -APART, 0
    seats = [player(lot.pick(PLAYERS, seat), f"{seed}:{seat}") for seat in range(game.seats)]
    match.deal(lot)
    rolls: Sequence[Position] = ()
    while match.actor >= 0 and len(match.log) < LONGEST and found < FEW:
        at = len(match.log)
        for rolled in rolls or [match.position] if at >= last + APART else ():
            position = fresh(rolled) if not needs_line or may_go_on(rolled) else None
            if position is not None and is_promising(position, seed, missed_by, needs_line):
                last, found = at, found + 1
                yield position
                break
        match.play(seats[match.actor].choose(match.position))
        rolls = _find_rolls(match.position, at) if needs_line else ()
        match.deal(lot)


def _find_rolls(position: Position, turn: int) -> Sequence[Position]:
    """The positions after each roll of a die, another roll first each turn; empty if no die comes."""
    if not position.is_chance or len(position.legal) > SIDES:
        return ()
    first = turn % len(position.legal)
    rolled = [position.play(roll) for roll in (*position.legal[first:], *position.legal[:first])]
    return [each for each in rolled if each.actor >= 0]


def fresh(position: Position) -> Position | None:
    """The position without the history of its game; None if it cannot be had without, or if there is little to choose."""
    try:
        found = position.game.load(position.game.spec.text.fresh(position.text))
    except PositionError:
        return None
    return found if len(found.legal) >= SLIGHT else None


def is_promising(position: Position, seed: str, missed_by: int, needs_line: bool = False) -> bool:
    """Does a quick search see one best action, which a level misses, and after it a second one, if a line is wanted?

    What the weakest level misses, a glance sees; of what stronger ones miss, it sees little.
    """
    if not missed_by:
        glance = propose_solution(position, opinions.GLANCE, seed)
        is_hinted = glance.chance - glance.other >= opinions.HINT * opinions.MARGIN * opinions.even(position.game)
        if not is_hinted or finds(NAMES[0], position, glance.action, seed):
            return False
    quick = propose_solution(position, opinions.QUICK, seed)
    if not is_clear(quick, position.game) or (missed_by and finds(NAMES[missed_by], position, quick.action, seed)):
        return False
    return not needs_line or promises_line(position, quick.action, seed)


def puzzle(position: Position, seed: str, needs_line: bool = False) -> Puzzle | None:
    """The puzzle in a position; None unless two thorough searches agree on it, or if one action ends the game at once."""
    if engine(position.game).make_blunder_filter(position).winning() is not None:
        return None
    agreed: list[Opinion] = []
    for again, effort in enumerate((opinions.CHECK, opinions.SURE, opinions.SURE)):
        opinion = judge_position(position, effort, f"{seed}:{again}")
        if not is_clear(opinion, position.game) or any(opinion.action != each.action for each in agreed):
            return None
        agreed.append(opinion)
    action = agreed[0].action
    chance, other = min(each.chance for each in agreed[1:]), max(each.other for each in agreed[1:])
    kind: Kind = "win" if chance >= opinions.WON else "hold" if other <= opinions.LOST * opinions.even(position.game) else "best"
    line = find_line(position, action, seed)
    if (needs_line and not line) or (weakest := grade(position, action, seed)) == 0:
        return None
    rules = dict(position.game.differences)
    return Puzzle(position.text, position.name(action), kind, round(chance, 3), round(other, 3), weakest, rules, line=line)


def grade(position: Position, action: int, seed: str) -> int:
    """The index of the weakest level that finds an action, and that all stronger ones find too; the number of levels if none."""
    weakest = len(NAMES)
    for index in range(len(NAMES) - 1, -1, -1):
        if not finds(NAMES[index], position, action, seed):
            break
        weakest = index
    return weakest


def finds(level: str, position: Position, action: int, seed: str) -> bool:
    """Does a level find an action, in two of three tries?"""
    return sum(player(level, f"{seed}:{n}").choose(position) == action for n in range(TRIES)) >= OFTEN
