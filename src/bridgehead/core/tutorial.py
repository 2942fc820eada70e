"""A game's tutorial: `tutorial.toml` in its folder, a match in steps with explanations, in which the learner moves.

options = { board = "mini", seats = 2 }   # house rules; also: seat (whose moves the learner makes), first (house rules
                                          # of a first game)
[[step]]
position = "..."                          # set up this position; default: go on from the last step
watch = ["roll 3"]                        # played for the learner
show = ["f:c5"]                           # things to point at
do = ["a1-a4"]                            # the learner plays any of these; default: the learner only reads
wrong = [{ actions = ["pass"] }]          # legal actions that this step does not accept

The sentences of step N are in the game's catalogue: `tutorial.N.text`, `tutorial.N.hint` if the learner moves,
`tutorial.N.after` (shown after the move), and `tutorial.N.wrong.K` for the K-th entry of `wrong`.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Collection
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError, convert_error
from bridgehead.core.game import Game, Position
from bridgehead.core.match import Match
from bridgehead.core.phrases import Catalogue, catalogue, phrase
from bridgehead.core.spec import Spec
from bridgehead.core.validation import ready

FILE = "tutorial.toml"


class WrongAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Legal actions that the step does not accept, and answers with one sentence."""

    actions: tuple[str, ...]


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step; see the module."""

    position: str = ""
    watch: tuple[str, ...] = ()
    show: tuple[str, ...] = ()
    do: tuple[str, ...] = ()
    wrong: tuple[WrongAnswer, ...] = ()


class Tutorial(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a tutorial file."""

    step: Annotated[tuple[Step, ...], Meta(min_length=2)]
    options: dict[str, Any] = {}
    seat: int = 0
    first: dict[str, Any] = {}


class TutorialError(BridgeheadError):
    """A tutorial that the rules do not allow; `where` names the step, counted from 1."""


class ShownStep(NamedTuple):
    """A step on the board. match: as it stands when the text appears; the learner watches its actions from `since` on.

    answers: the accepted actions; text, hint, after: keys of its sentences, "" for none; wrong: keys by action that it refuses.
    """

    step: Step
    match: Match
    since: int
    answers: tuple[int, ...]
    text: str
    hint: str
    after: str
    wrong: dict[int, str]

    @property
    def position(self) -> Position:
        return self.match.position


def has_tutorial(spec: Spec) -> bool:
    """Whether a game has a tutorial."""
    return (spec.folder / FILE).exists()


@functools.cache
def tutorial(spec: Spec) -> tuple[Tutorial, tuple[ShownStep, ...]]:
    """The tutorial of a game, played through. Errors: TutorialError, OptionError, BridgeheadError where there is none."""
    if not has_tutorial(spec):
        raise BridgeheadError("error.no_tutorial", "game", title=spec.title)
    return read(spec, (spec.folder / FILE).read_text("utf-8"))


def read(spec: Spec, text: str, words: Catalogue | None = None) -> tuple[Tutorial, tuple[ShownStep, ...]]:
    """A tutorial from its text, every action checked by the rules. Errors: TutorialError, OptionError.

    words: the catalogue of its sentences, if it is not the game's.
    """
    keys = (words or catalogue(spec.folder)).keys()
    try:
        found = msgspec.convert(tomllib.loads(text), ready(Tutorial))
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise TutorialError(convert_error(error).whole, FILE) from None
    house.build(spec, "", found.first)
    match, scenes = Match(Game(spec, house.build(spec, "", found.options))), list[ShownStep]()
    for number, step in enumerate(found.step, start=1):
        try:
            scene = _scene(step, match, found.seat, f"tutorial.{number}.", keys)
            _check(scene, number == len(found.step), bool(scenes) and len(scenes[-1].answers) > 1)
        except BridgeheadError as error:
            raise TutorialError(error.whole, phrase("error.step", number=number)) from None
        scenes.append(scene)
        match = scene.match.fork()
        if scene.answers:
            match.play(scene.answers[0])
    return found, tuple(scenes)


def _scene(step: Step, match: Match, seat: int, prefix: str, keys: Collection[str]) -> ShownStep:
    """Play a step on the board. prefix: the beginning of the keys of its sentences."""
    if step.position:
        match = Match(match.game, start=match.game.load(step.position))
    since = 0 if step.position else len(match.log)
    for action in step.watch:
        match.play(action)
    position = match.position
    if step.do and position.actor != seat:
        raise TutorialError("error.learner_seat_but_act", seat=seat, actor=position.actor)
    for action in (*step.do, *(each for wrong in step.wrong for each in wrong.actions)):
        position.play(action)
    answers = tuple(position.read(action) for action in step.do)
    wrong = {position.read(each): f"{prefix}wrong.{k}" for k, one in enumerate(step.wrong, 1) for each in one.actions}
    text, hint, after = (f"{prefix}{name}" for name in ("text", "hint", "after"))
    for key in (text, *wrong.values()):
        if key not in keys:
            raise TutorialError("error.catalogue_no", name=key)
    return ShownStep(step, match, since, answers, text, hint * (hint in keys), after * (after in keys), wrong)


def _check(scene: ShownStep, is_last: bool, is_after_several: bool) -> None:
    """Check a step's sentences and things to show, after its actions were played."""
    step, position, drawn = scene.step, scene.position, scene.match.game.spec.scene
    if bool(step.do) != bool(scene.hint):
        raise TutorialError("error.hint_belongs_every_step_which")
    if (scene.after or step.wrong) and not step.do:
        raise TutorialError("error.nothing_done_here_nothing_can")
    if is_last and step.do:
        raise TutorialError("error.last_step_reading")
    if is_after_several and not step.position:
        raise TutorialError("error.several_actions_were_allowed_before")
    if set(scene.answers) & set(scene.wrong):
        raise TutorialError("error.action_meant_called_wrong")
    things = {item.id for item in (*drawn.picture(scene.match.game, "en").fields, *drawn.items(position, "en"))}
    things |= {id for choice in drawn.choices(position, "en") for id in choice.path}
    unknown = set(step.show) - things
    if unknown:
        raise TutorialError("error.nothing_called_shown", unknown=", ".join(sorted(unknown)))
