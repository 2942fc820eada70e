"""What a search says of a position: the best action, how much better it is than all others, and which is the next best."""

from __future__ import annotations

from typing import NamedTuple

from bridgehead.core.game import Game, Position
from bridgehead.players.win_chances import chances, consider_actions, outlook

GLANCE, QUICK, CHECK = 40, 400, 500  # effort of a glance, of the search that proposes, of the first that has to agree
SURE = 4000  # effort of the two others that have to agree
MARGIN = 0.25  # of an even win chance: by so much the best action is better than all others
HINT = 0.5  # of MARGIN: by so much the best action is better at a glance
RIVALS = 5  # other actions that are searched as thoroughly as the best
NONE = -1  # no action
WON, LOST = 0.97, 0.2  # a win chance from which a position is won; the part of an even one up to which it is lost


class Opinion(NamedTuple):
    """What a search says: the best action, its win chance, that of the next action, and that action (or NONE)."""

    action: int
    chance: float
    other: float
    rival: int


def propose_solution(position: Position, effort: int, seed: str) -> Opinion:
    """The best action of a short search with its win chance, and the chance of the next best one that the search examined."""
    thought, seat = consider_actions(position, effort, seed), position.actor
    seen = [each for each in thought.candidates if each.visits or each.proven] or thought.candidates
    worth = {each.action: chances(position.game, each.expected)[seat] for each in seen}
    others = ((chance, action) for action, chance in worth.items() if action != thought.action)
    other, rival = max(others, default=(0.0, NONE))
    return Opinion(thought.action, worth[thought.action], other, rival)


def judge_position(position: Position, effort: int, seed: str) -> Opinion:
    """What a thorough search says: the best action, and what follows it and the RIVALS next best, each searched alike."""
    order = [each.action for each in consider_actions(position, effort, seed).candidates]
    worth = [outlook(position.play(action), effort // 2, f"{seed}:{action}")[position.actor] for action in order[: RIVALS + 1]]
    other, rival = max(zip(worth[1:], order[1:], strict=False), default=(0.0, NONE))
    return Opinion(order[0], worth[0], other, rival)


def even(game: Game) -> float:
    """The win chance of each side if all are equally strong."""
    return 1 / len(set(game.sides))


def is_clear(opinion: Opinion, game: Game) -> bool:
    """Is one action better than all others, in a game that is not lost?"""
    return opinion.chance - opinion.other >= MARGIN * even(game) and opinion.chance > LOST * even(game)
