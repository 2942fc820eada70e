"""The design lab in the terminal: studies with a bar, stopped and gone on with."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bridgehead.core.game import Game
from bridgehead.lab import report
from bridgehead.lab import study as studies
from bridgehead.lab.answers.answer import thresholds
from bridgehead.lab.executors import on_cores
from bridgehead.lab.plan import Arm
from bridgehead.lab.running import Results
from bridgehead.terminal.arenas import _progress as progress

LIGHTS = {"good": "●", "watch": "◐", "bad": "○", "unknown": "·"}


def study(
    arms: Sequence[Game], players: str, games: int, seed: int, out: Path | None, limits_file: Path | None, workers: int
) -> None:
    """Play, answer, write. Errors: OptionError, BoardError, RecordError."""
    limits = thresholds(limits_file)
    names = [name.strip() for name in players.split(",") if name.strip()]
    told = tuple(Arm(_named(game), game.differences) for game in arms)
    plan = studies.usual(arms[0].spec.id, told, games, names, seed)
    folder = out or Path(f"lab-{plan.game}-{plan.id}")
    folder.mkdir(parents=True, exist_ok=True)
    results = Results(plan, folder)
    try:
        with progress("playing", results.wanted) as bar:
            for _ in results.run(on_cores(workers), bar):
                pass
    except KeyboardInterrupt:
        print(f"stopped at {results.done} of {results.wanted}; the same command goes on with {folder}", file=sys.stderr)
        raise
    command = f"bridgehead lab {plan.game} --games {games} --seed {seed}" + (f" --players {players}" if players else "")
    found = studies.written(results, limits, command, folder)
    (folder / "report.html").write_text(report.build(results, limits, command), "utf-8")
    for arm in found["arms"]:
        print(f"{arms[0].spec.title}, {arm['name']}")
        for answer in arm["answers"]:
            print(f"{answer['number']:3} {LIGHTS[answer['light']]} {answer['question']} {answer['sentence']}")
    print(f"written to {folder / 'report.html'}, with answers.json and the games as CSV beside it")


def _named(game: Game) -> str:
    """House rules as an arm is called."""
    return ", ".join(f"{name}={value}" for name, value in sorted(game.differences.items())) or "as written"
