"""Hints: the strongest player's choice, with reasons in words. The player sees only what the table shows the seat."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Position
from bridgehead.core.phrases import Phrase, catalogue
from bridgehead.players import subprocess_player
from bridgehead.players.engine import engine
from bridgehead.players.win_chances import chances, consider_actions, likely

WORDS = catalogue(Path(__file__).parent)
MOST = 3  # actions in a hint
EFFORT = 30_000  # simulations at most
NEAR = 0.03  # smaller differences of win chances count as equal
EFFECTS = 3  # effects of an action that a hint names
HARM = 0.08  # loss of win chance from which a reply counts as a threat
ODD = 12  # outcomes of chance that are examined for the worst one
# Words for a win chance, each from its lower bound on, as if there were two sides.
STANDINGS = ((0.95, "won"), (0.75, "clear"), (0.58, "ahead"), (0.42, "even"), (0.25, "behind"), (0.05, "bad"), (0.0, "lost"))


def advise(name: str, options: str, text: str, names: list[str], language: str, seed: str) -> Assessment:
    """Runs in another process: a hint for a position given as text. Errors: BridgeheadError if no seat has to act."""
    position = registry.open_game(name, options).load(text)
    if position.actor < 0:
        raise BridgeheadError("players:error.no_seat_act", "position")
    return Adviser(position, names, language, seed=seed, stop=subprocess_player.stop()).advise()


class AdvisedAction(msgspec.Struct):
    """An action that a hint names: its notation, its sentence, a note, its effects, and the win chance after it."""

    action: int
    text: str
    label: str
    note: str
    chance: Annotated[float, Meta(ge=0, le=1)]
    proven: bool
    effects: list[str]


class Assessment(msgspec.Struct):
    """A hint: the seat's standing, its best actions, the reasons, the expected reply, the seat's own action after it with
    what that changes, and the threat after another action.

    alike: how many of the best actions, from the first on, are about equally good.
    """

    seat: int
    chance: Annotated[float, Meta(ge=0, le=1)]
    standing: str
    best: list[AdvisedAction]
    why: str
    answer: str
    plan: str
    threat: str
    alike: int


class ExpectedReply(NamedTuple):
    """The expected reply: a preceding outcome of chance (or None), the position, the action, and the adviser's win
    chance after it.
    """

    outcome: tuple[Position, int] | None
    position: Position
    action: int
    chance: float


class Adviser:
    """Advises the seat to act. names: of all seats, for its sentences; seconds: approximate thinking time."""

    def __init__(
        self, position: Position, names: Sequence[str], language: str = "en", seconds: float = 2.0, seed: int | str = 0,
        effort: int = EFFORT, stop: threading.Event | None = None,
    ) -> None:  # fmt: skip
        self.position, self.language, self.seconds, self.seed = position, language, seconds, seed
        self.effort, self.stop, self.names = effort, stop, names
        self.choices = {each.action: each for each in position.game.spec.scene.choices(position, language)}

    def advise(self) -> Assessment:
        """The hint for the current position."""
        position, seat = self.position, self.position.actor
        thought = consider_actions(position, self.effort, self.seed, 0.6 * self.seconds, self.stop)
        found = [(each.action, chance, each.proven) for each, chance in likely(position.game, thought, seat)]
        best = found[0]
        alike = sum(self._is_near(each, best) for each in found[:MOST])
        reply = self._reply(position.play(best[0]))
        return Assessment(
            seat=seat,
            chance=round(best[1], 3),
            standing=self._text(f"standing.{standing(best[1], len(set(position.game.sides)))}"),
            best=[self._advised(*each) for each in found[:MOST]],
            why=" ".join(filter(None, (self._why(found), self._risk(best[0]), *self._safe()))),
            answer="" if reply is None else self._replied("answer", reply),
            plan=self._plan(best[0], reply),
            threat=self._threat(found),
            alike=alike,
        )

    def _is_near(self, one: tuple[int, float, bool], best: tuple[int, float, bool]) -> bool:
        return one == best or abs(one[1] - best[1]) < NEAR

    def _advised(self, action: int, chance: float, proven: bool) -> AdvisedAction:
        choice, effects = self.choices[action], self._effects(self.position, action)
        return AdvisedAction(action, self.position.name(action), choice.label, choice.note, round(chance, 3), proven, effects)

    def _effects(self, position: Position, action: int) -> list[str]:
        """What an action of the seat changes, in words."""
        game = position.game
        found = game.spec.progress.effects(position, action)[:EFFECTS]
        return [game.words.tell(each, self.language, game.find_given_names(self.names)) for each in found]

    def _why(self, found: list[tuple[int, float, bool]]) -> str:
        """Explain the first action."""
        _, chance, proven = found[0]
        if len(self.position.legal) == 1:
            return self._text("why.only")
        if proven and chance in (0.0, 1.0):
            return self._text("why.wins" if chance else "why.loses")
        if len(found) > 1 and not self._is_near(found[1], found[0]):
            return self._text(
                "why.clear", percent=percent(chance), other=self.choices[found[1][0]].label, next=percent(found[1][1])
            )
        return self._text("why.same" if len(found) > 1 else "why.alone", percent=percent(chance))

    def _risk(self, action: int) -> str:
        """The exact risk of an action, in words, if the game's evaluation knows it; else ""."""
        chance = engine(self.position.game).risk(self.position, action)
        return self._text("risk", percent=percent(chance)) if chance else ""

    def _safe(self) -> list[str]:
        """Which seats can no longer lose, and why, in words."""
        game = self.position.game
        found = (safe(self.position, seat, self.language, self.names) for seat in range(game.seats))
        return [each for each in found if each]

    def _plan(self, best: int, reply: ExpectedReply | None) -> str:
        """What the seat would do after its best action, and after the expected reply, if no chance comes between; else "".

        Only an action that changes something which the game has words for is a plan.
        """
        after = self.position.play(best) if reply is None else reply.position.play(reply.action)
        if (reply and reply.outcome) or after.actor != self.position.actor:
            return ""
        action = consider_actions(after, max(50, self.effort // 20), self.seed, 0.1 * self.seconds, self.stop).action
        effects = "; ".join(self._effects(after, action))
        return self._text("plan", sentence=self._sentence(after, action), effects=effects) if effects else ""

    def _threat(self, found: list[tuple[int, float, bool]]) -> str:
        """A sentence on the threat after another action than the best; "" if there is none."""
        position, best = self.position, found[0]
        tried = {action for action, *_ in found}
        rest = [action for action in position.legal if action not in tried] or [found[-1][0]]
        if rest[0] == best[0]:
            return ""
        other = rest[len(rest) // 2]
        reply = self._reply(position.play(other))
        if reply is None or reply.chance >= best[1] - HARM:
            return ""
        return self._replied("threat", reply, other=self.choices[other].label, percent=percent(reply.chance))

    def _reply(self, after: Position) -> ExpectedReply | None:
        """Another side's reply to an action; if chance acts first, after the outcome that is worst for the seat."""
        game, seat = self.position.game, self.position.actor
        if after.is_over:
            return None
        if not after.is_chance:
            return self._answer(None, after) if game.sides[after.actor] != game.sides[seat] else None
        step = max(1, len(after.legal) // ODD)
        replies = []
        for action in after.legal[::step]:
            drawn = after.play(action)
            if drawn.actor >= 0 and game.sides[drawn.actor] != game.sides[seat]:
                replies.append(self._answer((after, action), drawn, len(after.legal) // step))
        return min(replies, key=lambda each: each.chance) if replies else None

    def _answer(self, outcome: tuple[Position, int] | None, after: Position, of: int = 1) -> ExpectedReply:
        thought = consider_actions(after, max(50, self.effort // 20 // of), self.seed, 0.2 * self.seconds / of, self.stop)
        return ExpectedReply(outcome, after, thought.action, self._chance(thought.expected))

    def _replied(self, key: str, reply: ExpectedReply, **more: Any) -> str:
        sentence = self._sentence(reply.position, reply.action)
        if reply.outcome is None:
            return self._text(key, sentence=sentence, **more)
        before, action = reply.outcome
        weight, whole = before.weights[before.legal.index(action)], sum(before.weights)
        odds = self._text("odds", n=1, of=round(whole / weight)) if weight else ""
        return self._text(f"{key}.after", odds=odds, outcome=self._sentence(before, action), sentence=sentence, **more)

    def _chance(self, expected: Sequence[float]) -> float:
        return chances(self.position.game, expected)[self.position.actor]

    def _sentence(self, position: Position, action: int) -> str:
        return narrate_action(position, action, self.language, self.names)

    def _text(self, key: str, **params: Any) -> str:
        return WORDS.tell(Phrase(key, params), self.language)


def narrate_action(position: Position, action: int, language: str, names: Sequence[str]) -> str:
    """The log's sentence for an action in a position, with the names of the seats."""
    text = position.sentence(action, language, position.game.find_given_names(names))
    return text if text.endswith((".", "!", "?")) else f"{text}."


def safe(position: Position, seat: int, language: str, names: Sequence[str]) -> str:
    """The sentence why a seat can no longer lose, with the names of the seats; "" if that is not proven."""
    game = position.game
    found = game.spec.progress.safe(position, seat)
    return "" if found is None else game.words.tell(found, language, game.find_given_names(names))


def percent(chance: float) -> int:
    """A chance in whole per cent; only a certain result is 0 or 100."""
    return round(100 * chance) if chance in (0.0, 1.0) else min(99, max(1, round(100 * chance)))


def standing(chance: float, sides: int) -> str:
    """The catalogue's key for a win chance among this many sides."""
    odds = (sides - 1) * chance
    even = odds / (odds + 1 - chance) if odds + 1 - chance else 1.0
    return next(word for least, word in STANDINGS if even >= least)
