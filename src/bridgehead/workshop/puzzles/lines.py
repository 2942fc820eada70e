"""Lines of puzzles: own actions after the first, each clearly best in its turn, with the replies of other sides between.

A reply is forced, or the best by two searches, so all others are refuted: they leave the puzzle's side no worse off. Each line
is confirmed by a search that took no part in finding it, a tree search by UCT, also where alpha-beta or expectimax found it.
"""

from __future__ import annotations

from bridgehead.core.game import Position
from bridgehead.players.engine import engine
from bridgehead.players.puzzles import Followup
from bridgehead.players.thoughts import Budget
from bridgehead.players.win_chances import consider_actions
from bridgehead.workshop.puzzles.opinions import (
    HINT,
    MARGIN,
    NONE,
    QUICK,
    SURE,
    Opinion,
    even,
    is_clear,
    judge_position,
    propose_solution,
)

OWN = 3  # own actions of a line
REPLIES = 2  # of other sides between two of them
CHOICES = 3  # legal actions at least where a further one is to be found
CONFIRM = 16_000  # simulations of the independent search
NODES = 400_000  # of its tree


def find_line(position: Position, action: int, seed: str) -> list[Followup]:
    """What is to be found after the best action; empty if the line breaks off at once or a search does not confirm it."""
    line: list[Followup] = []
    first, seat = (position, action), position.actor
    while len(line) < OWN - 1:
        replies, position = _play_replies(position.play(action), seat, seed)
        opinions = _judge_twice(position, seed) if position.actor == seat and len(position.legal) >= CHOICES else []
        if not opinions or not all(is_clear(each, position.game) for each in opinions):
            break
        action = opinions[0].action
        if not (line or is_confirmed(*first)) or not is_confirmed(position, action):
            break
        chance, other = min(each.chance for each in opinions), max(each.other for each in opinions)
        rival = tell_rival(position, opinions[0], seed)
        line.append(Followup(position.name(action), round(chance, 3), round(other, 3), replies, rival))
    return line


def may_go_on(position: Position) -> bool:
    """Does an action leave somebody another before a die or a card comes?"""
    return any(position.play(action).actor >= 0 for action in position.legal)


def promises_line(position: Position, action: int, seed: str) -> bool:
    """Does a quick search see one best own action after the first, and after what others reply?"""
    seat, after = position.actor, position.play(action)
    for _ in range(REPLIES):
        if after.actor >= 0 and after.actor != seat:
            after = after.play(consider_actions(after, QUICK, seed).action)
    if after.actor != seat or len(after.legal) < CHOICES:
        return False
    quick = propose_solution(after, QUICK, seed)
    return quick.chance - quick.other >= HINT * MARGIN * even(after.game)


def is_confirmed(position: Position, action: int) -> bool:
    """Does a search that took no part in finding the action choose it?"""
    search = engine(position.game).search_tree
    return search(position, Budget(None, CONFIRM), "confirm", nodes=NODES).action == action


def tell_rival(position: Position, opinion: Opinion, seed: str) -> list[str]:
    """The second best action, and what another side answers."""
    if opinion.rival == NONE:
        return []
    answer = find_reply(position, opinion.rival, seed)
    return [position.name(opinion.rival), *([] if answer is None else [position.play(opinion.rival).name(answer)])]


def find_reply(position: Position, action: int, seed: str) -> int | None:
    """What another side answers; None if chance or the same side goes on, or if the game is over."""
    after, sides = position.play(action), position.game.sides
    if after.is_over or after.is_chance or sides[after.actor] == sides[position.actor]:
        return None
    return consider_actions(after, QUICK, seed).action


def _play_replies(position: Position, seat: int, seed: str) -> tuple[list[str], Position]:
    """What others reply until a seat is to act again, and the position then; where no reply is best, the one before it."""
    replies: list[str] = []
    while not position.is_over and not position.is_chance and position.actor != seat and len(replies) < REPLIES:
        opinions = _judge_twice(position, seed)
        if not opinions:
            break
        replies.append(position.name(opinions[0].action))
        position = position.play(opinions[0].action)
    return replies, position


def _judge_twice(position: Position, seed: str) -> list[Opinion]:
    """What two searches say that agree on the best action; empty if they do not."""
    if len(position.legal) == 1:
        return [Opinion(position.legal[0], 0.0, 0.0, NONE)]
    opinions = [judge_position(position, SURE, f"{seed}:{again}") for again in range(2)]
    return opinions if opinions[0].action == opinions[1].action else []
