"""Ten planted faults of ten kinds: which does the lab find, name and mend? `python bench/planted_faults.py [NAME...]`

Found: the light of the question is red, or the wish is missed beyond doubt. Named: the report's "because" has the word that is
expected. Mended: the best proposal meets the wish with fresh games, and changes the house rule in which the fault was planted.
The faults are house rules of the four games and of the toy game in tests/lab/known; each search may also change decoys.
"""

from __future__ import annotations

import argparse
import functools
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from bridgehead.core import registry  # noqa: E402
from bridgehead.core.game import Game  # noqa: E402
from bridgehead.games.burning_bridges.board import shipped_file  # noqa: E402
from bridgehead.workshop.lab.bench import Truth, judge_truth  # noqa: E402
from bridgehead.workshop.lab.plan import Arm, Duel, Plan, Strength, check_plan  # noqa: E402
from bridgehead.workshop.lab.running import serially  # noqa: E402
from lab.known import SPEC  # noqa: E402


def plant(
    kind: str, game: str, rules: dict[str, Any], question: int, word: str, wish: str, change: str, mend: str,
    player: str = "greedy",
) -> Truth:  # fmt: skip
    """A fault of some house rules, with a word of its cause and the house rule that mends it."""
    return Truth(kind, game, rules, question, (word,), wish, change, mend, player)


def near_board() -> dict[str, Any]:
    """The board for four families with the first family next to its goals."""
    board: dict[str, Any] = shipped_file("star4")
    first = board["family"][0]
    goal = first["goals"][0]
    near = [a if b == goal else b for a, b in board["edges"] if goal in (a, b)]
    first["start"] = {size: pillar for size, pillar in zip("LMS", [near[0], near[1 % len(near)], near[0]], strict=True)}
    return board


FAULTS = (
    plant("board: one home next to its goal", "burning_bridges", {"seats": 4, "board": near_board()}, 2, "step to go", "seats<15",
          "board=auto,immunityTurns=0..3,noneCost", "board"),
    plant("order: one seat always begins", "burning_bridges", {"seats": 2, "firstPlayer": "seat0"}, 2, "begins", "seats<10",
          "firstPlayer,immunityTurns=0..3,noneCost,torchOwn", "firstPlayer"),
    plant("option: too few lives", "front_lines", {"lives": 1}, 1, "Lives", "undecided<10",
          "lives,allow3,revive,claim", "lives"),
    plant("chance: a biased coin", "known", {"kind": "coin", "edge": 85, "plies": 4}, 2, "edge", "seats<10",
          "edge=20..80/15,plies=4..6", "edge", "random"),
    plant("set-up: only a six lets a pawn out", "barricade", {"exitRoll": 6, "seats": 2, "board": "mini"}, 3, "Coming out",
          "minutes>18", "exitRoll,firstRowSafe,revisit,finalAllowed", "exitRoll"),
    plant("dead rule: a stop that nobody makes", "front_lines", {"mayStop": True, "lives": 6}, 9, "stop", "dead",
          "mayStop,claim,revive", "mayStop"),
    plant("ending: a draw after two quiet moves", "forty_bridges", {"quietLimit": 2}, 1, "quiet", "undecided<30",
          "quietLimit=2|20|100|200,suicide,noMoves", "quietLimit"),
    plant("length: over in a few moves", "front_lines", {"flip": "destination"}, 3, "Turning over", "minutes>6",
          "flip,drawPack,claim", "flip"),
    plant("limit: the turns run out", "barricade", {"turnLimit": 8, "seats": 2, "board": "mini"}, 3, "Turn limit", "minutes>15",
          "turnLimit=8|100|1000,firstRowSafe,revisit", "turnLimit"),
    plant("skill: all is luck", "known", {"kind": "coin", "plies": 6}, 4, "draws", "skill", "kind,edge=40|60", "kind"),
)  # fmt: skip


def plan_quick(fault: Truth, game: Game) -> Plan:
    """300 games of one player and 300 random ones."""
    players = tuple(Strength(name, 300, 1500) for name in dict.fromkeys(("random", fault.player)))
    arm, duels, read = Arm("fault", game.differences), 3 * (Duel("greedy", "random", 600),), 20 if fault.question == 9 else 0
    plan = Plan(fault.game, "", (arm,), players, duels if fault.question == 4 else (), weighed=40, readings=read, longest=6000)
    return check_plan(plan)


def row(fault: Truth) -> list[str]:
    """A row of the table."""
    told = judge_truth(fault, functools.partial(plan_quick, fault), serially)
    found = f"{told.light} light, " + ("missed" if told.missed else "not missed beyond doubt")
    return [
        fault.kind, fault.game, "yes" if told.is_found or told.missed else "no", found, "yes" if told.named else "no",
        told.cause.removeprefix("Because: "), "yes" if told.mended else "no", told.change or "no proposal meets the wish",
        f"{told.seconds:.0f}",
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
