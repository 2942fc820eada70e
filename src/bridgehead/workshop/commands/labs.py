"""The design lab in the terminal: studies with a progress bar, resumable."""

from __future__ import annotations

import contextlib
import functools
import json
import shlex
import sys
import textwrap
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from bridgehead.core.errors import OptionError, convert_error
from bridgehead.core.game import Game
from bridgehead.core.own_boards import find_own_board, headline, name_file, write_arguments, write_board
from bridgehead.core.phrases import ENGLISH
from bridgehead.terminal.words import t
from bridgehead.workshop.commands.arenas import progress
from bridgehead.workshop.lab import bench, report, stages, sweeps
from bridgehead.workshop.lab import study as studies
from bridgehead.workshop.lab.answers.answer import chance, figure, name_player, thresholds
from bridgehead.workshop.lab.plan import AS_WRITTEN, Arm, Plan, Strength, check_plan
from bridgehead.workshop.lab.running import Executor, Results, on_cores
from bridgehead.workshop.lab.versus import differences
from bridgehead.workshop.lab.words import phrase, tell
from bridgehead.workshop.statistics import Estimate

KEPT = "\N{NO-BREAK SPACE}"
GAMES = 2000  # of the weakest player, where sets of rules are compared
LIGHTS = {"good": "●", "watch": "◐", "bad": "○", "unknown": "·"}


def where(workers: int, cluster: str) -> Executor:
    """The executor of a study: processes of this machine, or a Ray cluster. Errors: OptionError."""
    if not cluster:
        return on_cores(workers)
    from bridgehead.workshop.lab.cluster import on_ray

    return on_ray(cluster, workers)


def run_study(
    arms: Sequence[Game], players: str, games: int | None, seed: int, out: Path | None, limits_file: Path | None,
    executor: Executor, suggestions: Path | None = None, without: str = "", ladder: str = "", language: str = ENGLISH,
) -> None:  # fmt: skip
    """Play a study's games, answer its questions and write its report. Errors: OptionError, BoardError, RecordError.

    games: without a number, a study of one set of rules plays in stages until its lights are known.
    suggestions: a file with text for the designer in the report; without: kinds of actions to avoid in duels, comma-separated;
    ladder: players of the other duels.
    """
    limits, advice = thresholds(limits_file), _text(suggestions)
    names, kinds = _parts(players), _parts(without)
    variants = tuple(Arm(_named(game), game.differences) for game in arms)
    staged = games is None and len(arms) == 1
    number = games or (stages.BUDGET if staged else GAMES)
    plan = studies.usual(arms[0].spec.id, variants, number, names, seed, kinds, _parts(ladder))
    folder = _folder(plan, out)

    def play(results: Results) -> None:
        try:
            with time_stage(results, folder):
                _play(results, executor)
        except KeyboardInterrupt:
            print(t("lab.stopped", done=results.rows_made, wanted=results.wanted, folder=folder), file=sys.stderr)
            raise

    if staged:
        results = stages.until_known(plan, folder, limits, play)
    else:
        results = Results(plan, folder)
        play(results)
    command = _command(plan, players, games, without, ladder, language)
    found = studies.write_study(results, limits, command, folder, language)
    if find_own_board(results.plan.make_game(0)) is not None:
        write_board(results.plan.make_game(0), folder / name_file(results.plan.make_game(0)))
    (folder / "report.html").write_text(report.build_report(results, limits, command, advice, language), "utf-8")
    for arm in found["arms"]:
        print(f"{headline(arms[0])}, {tell(report.arm_label(arm['name']), language)}")
        for answer in arm["answers"]:
            print(f"{answer['number']:3} {LIGHTS[answer['light']]} {answer['question']} {answer['sentence']}")
    if len(variants) > 1:
        _compare(results, language)
    print(t("lab.written", language, file=folder / "report.html"))


def sweep(
    game: Game, values: str, wishes: str, players: str, games: int | None, seed: int, out: Path | None, limits_file: Path | None,
    executor: Executor, language: str = ENGLISH,
) -> None:  # fmt: skip
    """One house rule over a range or, with wishes, the setting that meets them. Errors: OptionError, BoardError, RecordError."""
    limits, wanted = thresholds(limits_file), sweeps.targets(wishes) if wishes else ()
    arms = sweeps.arms_over(game.differences, values)
    player = players.split(",")[-1].strip() or "greedy"
    games = games or GAMES
    plan = check_plan(Plan(game.spec.id, "", arms, (Strength(player, games),), seed=seed, weighed=games))
    if wanted:
        rounds = []
        for each in sweeps.seek(plan, wanted, limits, executor, games * len(arms)):
            rounds.append(each)
            print(t("lab.each", language, games=each.games))
            _show(each.points, language)
        print(t("lab.nearest", language, wishes=wishes, name=rounds[-1].points[0].arm.name))
        print(tell(sweeps.caution(rounds, len(arms)), language))
        return
    folder = _folder(plan, out)
    results = Results(plan, folder)
    _play(results, executor)
    found = sweeps.points(results, limits)
    _show(found, language)
    data = [{"setting": each.arm.name, **{name: value._asdict() for name, value in each.measures.items()}} for each in found]
    (folder / "sweep.json").write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    print(t("lab.swept", language, file=folder / "sweep.json"))


def run_bench(
    folder: Path, players: str, ladder: str, games: int | None, seed: int, executor: Executor, language: str = ENGLISH
) -> None:
    """Judge every truth of a folder and print the table and the score, as Markdown. Errors: OptionError."""
    found = []
    print(tell(phrase("bench.head"), language) + "\n|---|---|---|---|---|---|---|---|", flush=True)
    for truth in bench.open_bench(folder):
        plan = functools.partial(bench.usual_plan, games=games or bench.GAMES, players=players, ladder=ladder, seed=seed)
        found.append(bench.judge_truth(truth, plan, executor, seed))
        print(bench.write_row(found[-1], language), flush=True)
    print("\n" + "\n".join(f"- {line}" for line in bench.write_score(found, language)))


def _folder(plan: Plan, out: Path | None) -> Path:
    """The folder of a plan's results."""
    folder = out or Path(f"lab-{plan.game}-{plan.id}")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _play(results: Results, executor: Executor) -> None:
    """Play the games that are missing."""
    with progress(t("progress.playing"), results.wanted) as bar:
        for _ in results.run(executor, bar):
            pass


def _show(points: Sequence[sweeps.Point], language: str = ENGLISH) -> None:
    """Print each setting with its measures and their intervals, wrapped for narrow screens."""
    for each in points:
        found = [f"{name} {_interval(estimate, language)}" for name, estimate in each.measures.items()]
        lines = textwrap.wrap("; ".join(part.replace(" ", KEPT) for part in found), 74)
        print("\n  ".join([each.arm.name, *lines]).replace(KEPT, " "))


def _interval(found: Estimate, language: str, sign: str = "") -> str:
    """A number with its interval in brackets."""
    value, low, high = (figure(each, sign) for each in found[:3])
    return tell(phrase("interval.brackets", value=value, low=low, high=high), language)


def _compare(results: Results, language: str = ENGLISH) -> None:
    """Print what the second set of rules changes, measure by measure, with adjusted p-values."""
    one, other = (tell(report.arm_label(arm.name), language) for arm in results.plan.arms)
    print(t("lab.compared", language, other=other, one=one))
    for each in differences(results):
        both = tell(phrase("interval.both", one=figure(each.first.value), other=figure(each.second.value)), language)
        found = f"{_interval(each.change, language, '+')}, p {tell(chance(each.all), language)}"
        if each.obstacle:
            found = tell(phrase("lacking", why=each.obstacle), language)
        print(f"    {tell(name_player(each.player), language)}, {tell(each.label, language)}: {both}; {found}")


def _named(game: Game) -> str:
    """The name of an arm: its house rules; an own board by its name."""
    rules = dict(game.differences)
    if isinstance(rules.get("board"), dict):
        rules["board"] = game.board.name
    return ", ".join(f"{name}={value}" for name, value in sorted(rules.items())) or AS_WRITTEN


def _text(file: Path | None) -> str:
    """The content of a file, or ""."""
    try:
        return file.read_text("utf-8") if file else ""
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(convert_error(error).whole, str(file)) from None


def _parts(text: str) -> list[str]:
    """The parts between commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


@contextlib.contextmanager
def time_stage(results: Results, folder: Path) -> Iterator[None]:
    """Append start, rows made and seconds to took.csv. Times stay out of the report, so one command always gives one report."""
    begun, clock, before = datetime.now(UTC), time.monotonic(), results.rows_made
    try:
        yield
    finally:
        if results.rows_made > before:
            with (folder / "took.csv").open("a", encoding="utf-8") as file:
                file.write(f"{begun:%Y-%m-%dT%H:%M:%SZ},{results.rows_made - before},{time.monotonic() - clock:.1f}\n")


def _command(plan: Plan, players: str, games: int | None, without: str, ladder: str, language: str = ENGLISH) -> str:
    """The command that repeats the study. The report has the file of an own board."""
    rules = write_arguments(plan.make_game(0))
    other = write_arguments(plan.make_game(1)) if len(plan.arms) > 1 else []
    versus = (other[other.index("--rules") + 1] if "--rules" in other else "standard") if len(plan.arms) > 1 else ""
    options = {
        "--versus": versus, "--games": str(games or ""),
        "--seed": str(plan.seed), "--players": players, "--without": without, "--ladder": ladder,
    }  # fmt: skip
    given = [part for name, value in options.items() if value for part in (name, value)]
    return shlex.join(["bridgehead", "--language", language, "lab", plan.game, *rules, *given])
