"""A bench of games whose faults are known beforehand: which does the lab find, name and mend, and where does it see one too many?

A folder holds games, each in one file, and `truths.toml`, which says what is known of them (docs/do/study.md).
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, OptionError, convert_error
from bridgehead.core.game import Game
from bridgehead.core.installed import add_game_files
from bridgehead.core.phrases import ENGLISH
from bridgehead.core.validation import ready
from bridgehead.workshop.lab import study
from bridgehead.workshop.lab.answers.answer import Light, Run, Thresholds
from bridgehead.workshop.lab.because import because
from bridgehead.workshop.lab.plan import Arm, Plan
from bridgehead.workshop.lab.running import Executor, Results, finish
from bridgehead.workshop.lab.tune.search import SearchRequest, SettingSearch
from bridgehead.workshop.lab.tune.settings import changes
from bridgehead.workshop.lab.tune.wishes import wishes
from bridgehead.workshop.lab.words import phrase, tell, whole
from bridgehead.workshop.statistics import Estimate, wilson

FILE = "truths.toml"
GAMES = 1000  # of the random player
PLAYERS, LADDER = "random,greedy,search:50=200,search:400=400", "random,greedy,search:50,search:400"
SEARCHED, FRESH, DEEPEST = 3000, 300, 2  # games of the search for a mend, fresh games of each proposal, most changes of it
Question = Annotated[int, Meta(ge=1, le=12)]


class Truth(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of a game by some house rules: a fault, or that some questions are fine.

    kind: of the fault, in words; game: a file of the folder without `.py`, or an installed game. question: the one whose light
    has to be red, none where no fault is known. cause: "because" has one of these parts of a sentence. wish, change: as of `tune`
    (played by `player`); mend: the house rule that a proposal has to change. fine: questions whose red light is false.
    """

    kind: Annotated[str, Meta(min_length=1)]
    game: str
    rules: dict[str, Any] = {}
    question: Question | None = None
    cause: tuple[str, ...] = ()
    wish: str = ""
    change: str = ""
    mend: str = ""
    player: str = "greedy"
    fine: tuple[Question, ...] = ()


class TruthCheck(NamedTuple):
    """What the lab said. light: of the fault's question, with its cause in words. missed: the wish, beyond doubt, before anything
    changed; change: the best proposal that meets it, "" if none does; mended: it changes the house rule of the fault.
    alarms: questions that are fine and red."""

    truth: Truth
    light: Light
    cause: str
    named: bool
    missed: bool
    change: str
    mended: bool
    alarms: list[int]
    seconds: float

    @property
    def is_found(self) -> bool:
        """Is the light of the fault red?"""
        return self.light == "bad"


class Truths(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the file."""

    truth: Annotated[tuple[Truth, ...], Meta(min_length=1)]


def open_bench(folder: Path) -> tuple[Truth, ...]:
    """The truths of a folder, whose games count as installed from now on. Errors: OptionError, which names the file."""
    file = folder / FILE
    try:
        found = msgspec.convert(tomllib.loads(file.read_text("utf-8")), type=ready(Truths)).truth
    except (msgspec.ValidationError, tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise OptionError(convert_error(error).whole, str(file)) from None
    games = [each for name in dict.fromkeys(each.game for each in found) if (each := folder / f"{name}.py").exists()]
    add_game_files(games)
    for each in games:
        module = find_spec(each.stem)
        if module is None or module.origin != str(each.resolve()):
            raise OptionError("lab:error.truth_other_module", str(each), file=str(module and module.origin))
    registry.specs.cache_clear()
    for number, truth in enumerate(found, start=1):
        try:
            _check(truth)
        except (BridgeheadError, ImportError, SyntaxError) as error:
            raise OptionError(convert_error(error).whole, f"{file}, {number}: {truth.kind}") from None
    return found


def _check(truth: Truth) -> None:
    """Errors: BridgeheadError for a truth that cannot be judged."""
    game = registry.game(truth.game, **truth.rules)
    if truth.question is None and not truth.fine:
        raise OptionError("lab:error.truth_empty", "question")
    if truth.question is None and (truth.cause or truth.wish) or truth.question in truth.fine:
        raise OptionError("lab:error.truth_question", "question")
    if bool(truth.wish) != bool(truth.mend):
        raise OptionError("lab:error.truth_mend", "mend")
    if truth.wish:
        wishes(truth.wish, game)
        if truth.mend not in {each.option for each in changes(truth.change, game, 1)}:
            raise OptionError("lab:error.truth_change", "mend")


def usual_plan(game: Game, games: int = GAMES, players: str = "", ladder: str = "", seed: int = 1) -> Plan:
    """The study of a truth. Errors: OptionError."""
    named, steps = ([part.strip() for part in text.split(",")] for text in (players or PLAYERS, ladder or LADDER))
    return study.usual(game.spec.id, (Arm("known", game.differences),), games, named, seed, steps=steps)


def judge_truth(truth: Truth, plan: Callable[[Game], Plan], executor: Executor, seed: int = 1) -> TruthCheck:
    """Study the game of a truth and search for its mend. Errors: OptionError."""
    began, base = time.process_time(), registry.game(truth.game, **truth.rules)
    run = Run(finish(Results(plan(base)), executor), base, Thresholds())
    answers = study.answer_questions(run)
    lights = {each.number: each.light for each in answers}
    shown, cause = lights.get(truth.question or 0, "unknown"), ""
    if truth.question:
        cause = tell(because(run, answers[truth.question - 1]._replace(light="bad"), answers))
    missed, change, mended = _mend(truth, base, executor, seed) if truth.wish else (False, "", False)
    named = any(part.casefold() in cause.casefold() for part in truth.cause)
    alarms = [number for number in truth.fine if lights[number] == "bad"]
    return TruthCheck(truth, shown, cause, named, missed, change, mended, alarms, time.process_time() - began)


def _mend(truth: Truth, base: Game, executor: Executor, seed: int) -> tuple[bool, str, bool]:
    """Whether the wish is missed, the best proposal that meets it, and whether it changes the house rule of the fault."""
    players = (truth.player,)
    asked = SearchRequest(truth.game, base.differences, truth.wish, truth.change, players, SEARCHED, FRESH, seed, DEEPEST)
    wanted = wishes(truth.wish, base)
    answer = SettingSearch(asked, base, wanted, changes(truth.change, base, seed), None, executor).answer()
    best = next((each for each in answer.proposals if each.meets(wanted)), None)
    change = "; ".join(each[:60] for each in best.setting.words(base)) if best else ""
    return answer.base.state(wanted[0]) == "missed", change, best is not None and truth.mend in best.setting.options


class Score(NamedTuple):
    """Shares with their intervals: of the faults, those that are found, green though they are faults, and found and named; of the
    faults with a wish, those mended; of the questions that are fine, those with a red light."""

    found: Estimate
    green: Estimate
    named: Estimate
    mended: Estimate
    alarms: Estimate


def count_score(verdicts: Sequence[TruthCheck]) -> Score:
    """The score of a bench."""
    faults = [each for each in verdicts if each.truth.question]
    caused, wished = [each for each in faults if each.truth.cause], [each for each in faults if each.truth.wish]
    return Score(
        wilson(sum(each.is_found for each in faults), len(faults)),
        wilson(sum(each.light == "good" for each in faults), len(faults)),
        wilson(sum(each.is_found and each.named for each in caused), len(caused)),
        wilson(sum(each.mended for each in wished), len(wished)),
        wilson(sum(len(each.alarms) for each in verdicts), sum(len(each.truth.fine) for each in verdicts)),
    )


def write_row(each: TruthCheck, language: str = ENGLISH) -> str:
    """A row of the table, as Markdown."""
    truth = each.truth
    yes = [tell(phrase(key), language) for key in ("bench.no", "bench.yes")]
    cells = [
        truth.kind, ", ".join([truth.game, *(f"{name}={value}" for name, value in truth.rules.items())]),
        f"{truth.question}: {tell(phrase(f'light.{each.light}'), language)}" if truth.question else "–",
        yes[each.is_found and each.named] if truth.cause else "–", yes[each.mended] if truth.wish else "–", each.change or "–",
        ", ".join(map(str, each.alarms)) or "–", f"{each.seconds:.0f}",
    ]  # fmt: skip
    return "| " + " | ".join(cells) + " |"


def write_score(verdicts: Sequence[TruthCheck], language: str = ENGLISH) -> list[str]:
    """A line for each share of the score."""
    lines = []
    for name, found in count_score(verdicts)._asdict().items():
        what, hits = phrase(f"bench.{name}"), round(found.value * found.games) if found.games else 0
        number, low, high = (whole(100 * each) for each in found[:3])
        share = phrase("bench.share", n=hits, of=found.games, value=number, low=low, high=high)
        lines.append(tell(phrase("bench.score", what=what, share=share if found.games else phrase("none")), language))
    return lines
