"""The lab's former wrong answers beside the truth and its answers now. `python bench/wrong_answers.py [--write]`

Each question is asked of a game whose answer is known: the toy game of tests/lab/known, even chances, or a board. "Before" is
what reports said until 23 November 2026. --write puts the table into docs/notebook/lab.md, between its two marks.
"""

from __future__ import annotations

import argparse
import functools
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "bench"))

from bridgehead.core import registry  # noqa: E402
from bridgehead.workshop.lab.answers import questions, symmetry  # noqa: E402
from bridgehead.workshop.lab.answers.answer import Answer, Run, Thresholds  # noqa: E402
from bridgehead.workshop.lab.plan import Arm, Duel, Plan, Strength, check_plan  # noqa: E402
from bridgehead.workshop.lab.running import Results, finish  # noqa: E402
from bridgehead.workshop.statistics import Estimate, gap  # noqa: E402
from planted_faults import SPEC, with_known  # noqa: E402

PAGE = ROOT / "docs" / "notebook" / "lab.md"
MARKED = re.compile(r"(?<=<!-- wrong answers -->\n).*?(?=<!-- end -->)", re.DOTALL)
STUDIES, GAMES = 2000, 400  # simulated fair studies, and the games of each
CAPTAINS = 200  # games between two captains


class Row(NamedTuple):
    """A question: the game that it is asked of, the former answer, the truth, and how to get the answer now."""

    question: str
    asked: str
    before: str
    truth: str
    now: Callable[[], str]


def asked(question: Callable[[Run], Answer], games: int, duels: tuple[Duel, ...] = (), **rules: Any) -> Answer:
    """An answer on random games of the toy game."""
    plan = check_plan(Plan(SPEC.id, "", (Arm("as written", rules),), (Strength("random", games),), duels, weighed=games))
    return question(Run(finish(Results(plan)), plan.make_game(0), Thresholds(), 0))


def measure(answer: Answer, name: str) -> Estimate:
    """A measure of an answer."""
    return next(each.estimate for each in answer.measures if each.name == name)


def number(answer: Answer, name: str) -> str:
    """A measure in percent, with its interval."""
    value, low, high = (100 * each for each in measure(answer, name)[:3])
    return f"{value:.1f} % [{low:.1f}, {high:.1f}]"


def order() -> str:
    """Who begins is drawn and always wins."""
    answer = asked(questions.answer_seats, 2000, kind="begins")
    return f"{number(answer, 'order of play, number 1')}, light {answer.light}"


@functools.cache
def two_families() -> Run:
    """Burning Bridges between two captains, every position weighed."""
    plan = check_plan(
        Plan("burning_bridges", "", (Arm("as written", {"seats": 2}),), (Strength("captain", CAPTAINS),), weighed=CAPTAINS)
    )
    return Run(finish(Results(plan)), plan.make_game(0), Thresholds(), 0)


def false_alarms() -> str:
    """Fair studies in which the interval of the largest gap leaves 0 out, for three, four and five sides."""
    lot = np.random.default_rng(1)
    found = [np.mean([gap(lot.multinomial(GAMES, [1 / n] * n)).low > 0 for _ in range(STUDIES)]) for n in (3, 4, 5)]
    return ", ".join(f"{100 * each:.1f} %" for each in found)


def comebacks() -> str:
    """Winners of five even sides who came back."""
    return number(asked(questions.answer_tense, 100, kind="coin", seats=5), "comebacks")


def step() -> str:
    """A step of the ladder above 55 % whose interval reaches below even: the rungs that count."""
    answer = asked(questions.answer_skill, 2, (Duel("greedy", "random", 4),), kind="both")
    return f"{number(answer, 'against random')}: {measure(answer, 'rungs').value:.0f}"


def axes(name: str, board: dict[str, Any] | None = None) -> str:
    """The axes by which a board is its own mirror image."""
    game = registry.game(name, **({"board": board} if board else {}))
    return ", ".join(axis for axis in symmetry.AXES if symmetry.pairs(game, axis)) or "none"


def moved_home() -> dict[str, Any]:
    """Barricade's board with the entry of one home two squares nearer to the middle."""
    board: dict[str, Any] = json.loads((registry.spec("barricade").folder / "boards" / "classic.json").read_text("utf-8"))
    board["homes"][0]["entry"] = [4, 13]
    return board


ROWS = (
    Row("Order of play", "a game that the one who begins always wins; who begins is drawn", "none is favoured", "100 %", order),
    Row("Order of play", "Burning Bridges, two captains: wins of the first", "none is favoured", "73.9 % [71.6, 76.0]",
        lambda: number(questions.answer_seats(two_families()), "order of play, number 1")),
    Row("Win chances", "the same games: error of the chances", "16.5 %", "0 %",
        lambda: number(questions.answer_tense(two_families()), "calibration error of the win chances")),
    Row("Largest gap of 3, 4, 5 even sides", f"{STUDIES:,} fair studies of {GAMES} games", "false alarms in 12 to 31 %",
        "5 % at most", false_alarms),
    Row("Luck", "a coin", "50 %", "100 %", lambda: number(asked(questions.answer_luck, 400, kind="coin"), "luck")),
    Row("Luck", "a die that is seen once it has been used", "0 %", "100 %",
        lambda: number(asked(questions.answer_luck, 400, kind="die"), "luck")),
    Row("Comebacks", "five even sides", "all winners", "none", comebacks),
    Row("Length", "two decisions a player", "good", "bad",
        lambda: asked(questions.answer_length, 400, kind="coin", plies=4).light),
    Row("Steps of the ladder that skill wins", "a step that few games leave open", "1", "not known: 0", step),
    Row("Symmetric board", "Barricade, one home nearer to the goal", "left", "none", lambda: axes("barricade", moved_home())),
    Row("Symmetric board", "40 Bridges", "left, above", "rising, falling", lambda: axes("forty_bridges")),
    Row("Symmetric board", "The Front Lines", "left, above", "above", lambda: axes("front_lines")),
)  # fmt: skip


def table() -> str:
    """All rows as Markdown."""
    lines = ["| question | asked of | before | truth | now |", "|---|---|---|---|---|"]
    return "\n".join([*lines, *(f"| {' | '.join([*row[:4], row.now()])} |" for row in ROWS)]) + "\n"


def main() -> None:
    wanted = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    wanted.add_argument("--write", action="store_true", help="into docs/notebook/lab.md")
    options = wanted.parse_args()
    with_known()
    made = table()
    print(made, end="")
    if options.write:
        page, times = MARKED.subn(lambda _: made, PAGE.read_text("utf-8"))
        if times != 1:
            raise SystemExit(f"{PAGE} lacks the marks <!-- wrong answers --> and <!-- end -->")
        PAGE.write_text(page, "utf-8")


if __name__ == "__main__":
    main()
