"""What there is to find in a puzzle, in a word: by what its action and the expected reply change.

A game names changes itself (`progress.py`, "effect.guards"); the table says, game by game, which idea each stands for. How far
the seats are from winning, before and after, tells the rest.
"""

from __future__ import annotations

from bridgehead.core.game import Position
from bridgehead.players.puzzles import IDEAS, Idea, Kind

# The idea for which each change stands, by the names of a game's effects.
STANDS_FOR: dict[str, dict[str, Idea]] = {
    "forty_bridges": {
        "guards": "gate", "enters": "threat", "threatens": "threat", "nearer": "race", "saves": "defence", "escapes": "defence",
    },
    "burning_bridges": {
        "opens": "gate", "keeps": "gate", "builds": "gate", "closes": "block", "threatens": "threat", "saves": "defence",
        "child": "race", "childHome": "race", "parentHome": "race",
    },
    "front_lines": {
        "clear": "gate", "cards": "gate", "safe": "defence", "least": "defence", "rows": "race", "across": "race",
    },
    "barricade": {
        "costs": "block", "escapes": "defence", "threatens": "threat", "stops": "block", "stopsHome": "block", "nearer": "race",
    },
}  # fmt: skip
LOST = {"forty_bridges": 1, "burning_bridges": 2}  # the number of a seat's distance that counts what it has lost


def name_ideas(position: Position, action: int, rival: int | None, reply: int | None, kind: Kind) -> list[Idea]:
    """The ideas of a puzzle: what the action does, and the second best does not.

    reply: what another side is expected to answer; None if chance or its own side goes on.
    """
    own = _find_changes(position, action, reply)
    found = own if rival is None else own - _find_changes(position, rival, None) or own
    if kind == "hold":
        found.add("defence")
    return [idea for idea in IDEAS if idea in found]


def _find_changes(position: Position, action: int, reply: int | None) -> set[Idea]:
    game, seat = position.game, position.actor
    stands_for = STANDS_FOR.get(game.spec.id, {})
    effects = (each.key.rpartition("effect.")[2] for each in game.spec.progress.effects(position, action))
    found = {stands_for[effect] for effect in effects if effect in stands_for}
    after = position.play(action)
    after_reply = after if reply is None else after.play(reply)
    others = [other for other in range(game.seats) if game.sides[other] != game.sides[seat]]
    if _is_farther(position, after, seat) is False:
        found.add("race")
    if any(_is_farther(position, after, other) for other in others):
        found.add("block")
    takes = any(_loses(position, after_reply, other) for other in others)
    if _loses(position, after_reply, seat):
        found.add("trade" if takes else "sacrifice")
    elif takes:
        found.add("capture")
    return found


def _is_farther(before: Position, after: Position, seat: int) -> bool | None:
    """Whether a seat is farther from winning than before; None if it is as far, or if the game does not say."""
    one, other = (each.game.spec.progress.distance(each, seat) for each in (before, after))
    return None if one is None or other is None or one.numbers == other.numbers else other.numbers > one.numbers


def _loses(before: Position, after: Position, seat: int) -> bool:
    """Whether a seat has lost more than before."""
    at = LOST.get(before.game.spec.id)
    one, other = (each.game.spec.progress.distance(each, seat) for each in (before, after))
    return at is not None and one is not None and other is not None and other.numbers[at] > one.numbers[at]
