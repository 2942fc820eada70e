"""Ten planted faults of ten kinds: which does the lab find, name and mend? `python bench/planted_faults.py [NAME...]`

Found: the light of the question is red, or the wish is missed beyond doubt. Named: the report's "because" has the word that is
expected. Mended: the best proposal meets the wish with fresh games, and changes the house rule in which the fault was planted.
The faults are house rules of the four games and of the toy game in tests/lab/known; each search may also change decoys.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from bridgehead.core import registry  # noqa: E402
from bridgehead.core.game import Game  # noqa: E402
from bridgehead.games.burning_bridges.board import shipped_file  # noqa: E402
from bridgehead.workshop.lab import study  # noqa: E402
from bridgehead.workshop.lab.answers.answer import Run, Thresholds  # noqa: E402
from bridgehead.workshop.lab.because import because  # noqa: E402
from bridgehead.workshop.lab.plan import Arm, Duel, Plan, Strength, check_plan  # noqa: E402
from bridgehead.workshop.lab.running import Results, finish, serially  # noqa: E402
from bridgehead.workshop.lab.tune.search import SearchRequest, SettingSearch  # noqa: E402
from bridgehead.workshop.lab.tune.settings import changes  # noqa: E402
from bridgehead.workshop.lab.tune.wishes import wishes  # noqa: E402
from bridgehead.workshop.lab.words import tell  # noqa: E402
from lab.known import SPEC  # noqa: E402


class Fault(NamedTuple):
    """A planted fault: the rules, the question it belongs to, a word of its cause, the wish, and what may change."""

    kind: str
    game: str
    rules: dict[str, Any]
    question: int
    word: str
    wish: str
    allowed: str
    option: str  # of allowed: where it was planted
    player: str = "greedy"


def near_board() -> dict[str, Any]:
    """The board for four families with the first family next to its goals."""
    board: dict[str, Any] = shipped_file("star4")
    first = board["family"][0]
    goal = first["goals"][0]
    near = [a if b == goal else b for a, b in board["edges"] if goal in (a, b)]
    first["start"] = {size: pillar for size, pillar in zip("LMS", [near[0], near[1 % len(near)], near[0]], strict=True)}
    return board


FAULTS = (
    Fault("board: one home next to its goal", "burning_bridges", {"seats": 4, "board": near_board()}, 2, "step to go", "seats<15",
          "board=auto,immunityTurns=0..3,noneCost", "board"),
    Fault("order: one seat always begins", "burning_bridges", {"seats": 2, "firstPlayer": "seat0"}, 2, "begins", "seats<10",
          "firstPlayer,immunityTurns=0..3,noneCost,torchOwn", "firstPlayer"),
    Fault("option: too few lives", "front_lines", {"lives": 1}, 1, "Lives", "undecided<10",
          "lives,allow3,revive,claim", "lives"),
    Fault("chance: a biased coin", "known", {"kind": "coin", "edge": 85, "plies": 4}, 2, "edge", "seats<10",
          "edge=20..80/15,plies=4..6", "edge", "random"),
    Fault("set-up: only a six lets a pawn out", "barricade", {"exitRoll": 6, "seats": 2, "board": "mini"}, 3, "Coming out",
          "minutes>18", "exitRoll,firstRowSafe,revisit,finalAllowed", "exitRoll"),
    Fault("dead rule: a stop that nobody makes", "front_lines", {"mayStop": True, "lives": 6}, 9, "stop", "dead",
          "mayStop,claim,revive", "mayStop"),
    Fault("ending: a draw after two quiet moves", "forty_bridges", {"quietLimit": 2}, 1, "quiet", "undecided<30",
          "quietLimit=2|20|100|200,suicide,noMoves", "quietLimit"),
    Fault("length: over in a few moves", "front_lines", {"flip": "destination"}, 3, "Turning over", "minutes>6",
          "flip,drawPack,claim", "flip"),
    Fault("limit: the turns run out", "barricade", {"turnLimit": 8, "seats": 2, "board": "mini"}, 3, "Turn limit", "minutes>15",
          "turnLimit=8|100|1000,firstRowSafe,revisit", "turnLimit"),
    Fault("skill: all is luck", "known", {"kind": "coin", "plies": 6}, 4, "draws", "skill", "kind,edge=40|60", "kind"),
)  # fmt: skip


def looked(fault: Fault, game: Game) -> tuple[str, str]:
    """The light of the fault's question after 300 games of one player and 300 random ones, and the cause in words."""
    players = tuple(Strength(name, 300, 1500) for name in dict.fromkeys(("random", fault.player)))
    arm, duels, read = Arm("fault", game.differences), (Duel("greedy", "random", 60),), 20 if fault.question == 9 else 0
    plan = Plan(fault.game, "", (arm,), players, duels if fault.question == 4 else (), weighed=40, readings=read, longest=6000)
    plan = check_plan(plan)
    run = Run(finish(Results(plan)), game, Thresholds())
    answers = study.answer_questions(run)
    mine = answers[fault.question - 1]
    return mine.light, tell(because(run, mine._replace(light="bad"), answers))


def row(fault: Fault) -> list[str]:
    """A row of the table."""
    began, base = time.process_time(), registry.game(fault.game, **fault.rules)
    light, cause = looked(fault, base)
    asked = SearchRequest(fault.game, base.differences, fault.wish, fault.allowed, (fault.player,), 3000, 300, deepest=2)
    wanted = wishes(fault.wish, base)
    answer = SettingSearch(asked, base, wanted, changes(fault.allowed, base, 1), None, serially).answer()
    missed = answer.base.state(wanted[0]) == "missed"
    best = next((each for each in answer.proposals if each.meets(wanted)), None)
    mended = best is not None and fault.option in best.setting.options
    found = f"{light} light, " + ("missed" if missed else "not missed beyond doubt")
    named = fault.word in cause
    change = "; ".join(each[:60] for each in best.setting.words(base)) if best else "no proposal meets the wish"
    return [
        fault.kind, fault.game, "yes" if light == "bad" or missed else "no", found, "yes" if named else "no",
        cause.removeprefix("Because: "), "yes" if mended else "no", change, f"{time.process_time() - began:.0f}",
    ]  # fmt: skip


def with_known() -> None:
    """Put the toy game among the installed ones."""
    installed = {**registry.specs(), SPEC.id: SPEC}
    registry.specs = lambda: installed  # type: ignore[assignment]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="parts of the kinds of faults; default: all")
    names = parser.parse_args().names
    with_known()
    print(
        "| fault | game | found | by | named | cause | mended | proposal | processor s |\n|---|---|---|---|---|---|---|---|---|"
    )
    for fault in FAULTS:
        if not names or any(name in fault.kind for name in names):
            print("| " + " | ".join(row(fault)) + " |", flush=True)


if __name__ == "__main__":
    main()
