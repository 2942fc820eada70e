"""A game's tutorial: `tutorial.toml` in its folder, a record with words in which the learner makes the moves.

options = { board = "mini", seats = 2 }   # house rules; also: seat (whose moves the learner makes), first (house rules
                                          # of a first game)
[[step]]
position = "..."                          # the board is set up so; else it stays as it is
watch = ["roll 3"]                        # played for the learner
en = "Roll, then move."                   # what is said then, and in which language
de = "Erst wuerfeln, dann ziehen."
show = ["f:c5"]                           # things to point at
do = ["a1-a4"]                            # what the learner is to play now: any of these; none: only to be read
hint = { en = "...", de = "..." }
after = { en = "...", de = "..." }        # what is said when it has been played
wrong = [{ actions = ["pass"], en = "...", de = "..." }]   # what to say of a legal choice that is not meant
"""

from __future__ import annotations

import functools
import tomllib
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.core.spec import Spec
from bridgehead.core.validation import ready

FILE = "tutorial.toml"
Sentence = Annotated[str, Meta(min_length=1)]


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing in every language."""

    en: Sentence
    de: Sentence

    def tell(self, language: str) -> str:
        return self.de if language == "de" else self.en


class Wrong(Said, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What to say of legal actions that are not meant."""

    actions: tuple[str, ...]


class Step(Said, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One step; see the module."""

    position: str = ""
    watch: tuple[str, ...] = ()
    show: tuple[str, ...] = ()
    do: tuple[str, ...] = ()
    hint: Said | None = None
    after: Said | None = None
    wrong: tuple[Wrong, ...] = ()


class Tutorial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tutorial as its file says it."""

    step: Annotated[tuple[Step, ...], Meta(min_length=2)]
    options: dict[str, Any] = {}
    seat: int = 0
    first: dict[str, Any] = {}


class TutorialError(BridgeheadError):
    """A tutorial that the rules do not allow; `where` names the step, counted from 1."""


class Scene(NamedTuple):
    """A step on the board: the match as it stands when its text is said, of which the actions from `since` on are watched.

    answers: the actions that are meant; wrong: what to say of others.
    """

    step: Step
    match: Match
    since: int
    answers: tuple[int, ...]
    wrong: dict[int, Wrong]

    @property
    def position(self) -> Position:
        return self.match.position


def has_tutorial(spec: Spec) -> bool:
    """Whether a game brings a tutorial."""
    return (spec.folder / FILE).exists()


@functools.cache
def tutorial(spec: Spec) -> tuple[Tutorial, tuple[Scene, ...]]:
    """The tutorial of a game, played through. Errors: TutorialError, OptionError, BridgeheadError where there is none."""
    if not has_tutorial(spec):
        raise BridgeheadError(f"{spec.title} has no tutorial", "game")
    return read(spec, (spec.folder / FILE).read_text("utf-8"))


def read(spec: Spec, text: str) -> tuple[Tutorial, tuple[Scene, ...]]:
    """A tutorial from its text, every action checked by the rules. Errors: TutorialError, OptionError."""
    try:
        told = msgspec.convert(tomllib.loads(text), ready(Tutorial))
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise TutorialError(str(error), FILE) from None
    house.build(spec, "", told.first)
    match, scenes = Match(Game(spec, house.build(spec, "", told.options))), list[Scene]()
    for number, step in enumerate(told.step, start=1):
        try:
            scene = _scene(step, match, told.seat)
            _check(scene, number == len(told.step), bool(scenes) and len(scenes[-1].answers) > 1)
        except BridgeheadError as error:
            raise TutorialError(str(error), f"step {number}") from None
        scenes.append(scene)
        match = scene.match.fork()
        if scene.answers:
            match.play(scene.answers[0])
    return told, tuple(scenes)


def _scene(step: Step, match: Match, seat: int) -> Scene:
    if step.position:
        match = Match(match.game, start=match.game.load(step.position))
    since = 0 if step.position else len(match.log)
    for action in step.watch:
        match.play(action)
    position = match.position
    if step.do and position.actor != seat:
        raise TutorialError(f"the learner has seat {seat}, but {position.actor} is to act")
    for action in (*step.do, *(each for wrong in step.wrong for each in wrong.actions)):
        position.play(action)
    answers = tuple(position.read(action) for action in step.do)
    wrong = {position.read(action): each for each in step.wrong for action in each.actions}
    return Scene(step, match, since, answers, wrong)


def _check(scene: Scene, is_last: bool, is_after_several: bool) -> None:
    """What actions alone do not show."""
    step, position, drawn = scene.step, scene.position, scene.match.game.spec.scene
    if bool(step.do) != bool(step.hint):
        raise TutorialError("a hint belongs to every step in which something is to be done, and to no other")
    if (step.after or step.wrong) and not step.do:
        raise TutorialError("nothing is to be done here, so nothing can be said of it")
    if is_last and step.do:
        raise TutorialError("the last step is for reading")
    if is_after_several and not step.position:
        raise TutorialError("several actions were allowed before, so the board has to be set up here")
    if set(scene.answers) & set(scene.wrong):
        raise TutorialError("an action that is meant is called wrong")
    things = {item.id for item in (*drawn.picture(scene.match.game, "en").fields, *drawn.items(position, "en"))}
    things |= {id for choice in drawn.choices(position, "en") for id in choice.path}
    unknown = set(step.show) - things
    if unknown:
        raise TutorialError(f"there is nothing called {', '.join(sorted(unknown))} to be shown")
