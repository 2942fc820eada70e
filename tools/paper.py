"""The paper's figures: `make paper` measures all of them and writes docs/paper/README.md; `--write` writes it from kept figures.

docs/paper/paper.md is the text with {{names}} in place of figures, docs/paper/data/*.json hold the figures as they were measured,
one file for each command. A measurement that another one disturbs is made again alone: `python tools/paper.py games`; on a busy
machine with shorter rounds: `python tools/paper.py games --rounds=3 --seconds=2`.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
os.environ.setdefault("NUMBA_DISABLE_JIT", "1")  # the checks run the rules as the tests do
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "examples"), str(ROOT / "bench")]
PAPER = ROOT / "docs" / "paper"
TEXT, PAGE, TRAIN = PAPER / "paper.md", PAPER / "README.md", ROOT / "docs" / "do" / "train.md"
BENCHES = {"games": "rules.py", "peers": "four.py", "environments": "train.py"}
FAULTS = "planted_faults.py"
PLIES, DRAWS, TRIALS, STUDIES = 3_000, 60_000, 20_000, 4_000
GAMES = {
    "barricade": "Barricade",
    "burning_bridges": "Burning Bridges",
    "forty_bridges": "40 Bridges",
    "front_lines": "The Front Lines",
}
LATER = "*not measured yet: `make paper`*"


# -- measurements ------------------------------------------------------------------------------------------------------
def bench(script: str) -> dict[str, Any]:
    """The result of a script of bench/."""
    more = [each for each in sys.argv if each.startswith(("--rounds", "--seconds"))]
    return json.loads(printed(script, "--json", *more))


def printed(script: str, *given: str) -> str:
    """What a script of bench/ prints with compiled rules."""
    command = [sys.executable, str(ROOT / "bench" / script), *given]
    env = {**os.environ, "NUMBA_DISABLE_JIT": "0"}
    return subprocess.run(command, stdout=subprocess.PIPE, env=env, text=True, check=False).stdout


def faults() -> dict[str, Any]:
    """The planted faults of bench/planted_faults.py: found, named and mended by what, or "no" and what came instead."""
    _, *body = rows_in(printed(FAULTS))

    def shown(answer: str, by: str) -> str:
        return by if answer == "yes" else f"no: {by}"

    rows = [[fault, game, *map(shown, (a, b, c), (x, y, z)), took] for fault, game, a, x, b, y, c, z, took in body]
    return {"rows": [["fault", "game", "found by", "named", "mended by", "processor s"], *rows]}


def rows_in(text: str) -> list[list[str]]:
    """The rows of a Markdown table, its head among them."""
    lines = [line for line in text.splitlines() if line.startswith("|") and not line.startswith("|---")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def checks() -> dict[str, Any]:
    """What the rules were compared with, game by game: oracles, symmetric games, mutants; and the clauses of their rulebooks."""
    import random

    from bridgehead.core import registry
    from test_symmetries import image, walk
    from variants import make, mixture
    from versus import fuzz

    mutants = json.loads((ROOT / "tests" / "proof" / "mutants.json").read_text("utf-8"))
    found = {}
    for name, spec in registry.specs().items():
        rng, mapped = random.Random(name), 0
        for seed in range(20):
            game = make(name, {"seats": 2} if name == "barricade" else mixture(name, rng) if name != "burning_bridges" else {})
            for symmetry in game.spec.symmetries.symmetries(game):
                for position, action in walk(game, seed, 60):
                    same = action < 0 or image(symmetry, position).after(int(symmetry.actions[action])) == image(
                        symmetry, position.after(action)
                    )
                    assert same, (name, position.text)
                    mapped += 1
        fates = mutants[name]["fates"]
        found[name] = {
            "oracle_plies": sum(match.plies for match in fuzz(name, "paper", PLIES)),
            "mapped": mapped,
            "clauses": len(make(name, {}).rulebook.clauses),
            "mutants": mutants[name]["mutants"],
            "killed": mutants[name]["mutants"] - fates.get("survived", 0),
            "lines": len((spec.folder / "rules.py").read_text("utf-8").splitlines()),
            "bytes": make(name, {}).new_states(1).itemsize,
        }
    return found


def statistics() -> dict[str, Any]:
    """How often intervals hold the truth, and how often tests raise a false alarm, in simulated studies."""
    import numpy as np

    from bridgehead.workshop import statistics as lab

    rng = np.random.default_rng(1)
    shares = [(p, n) for p in (0.05, 0.3, 0.5) for n in (100, 1000)]
    won = {(p, n): rng.binomial(n, p, TRIALS) for p, n in shares}
    held = {
        f"{p} of {n}": float(np.mean([each.low <= p <= each.high for each in (lab.wilson(int(k), n) for k in won[p, n])]))
        for p, n in shares
    }
    pairs = []
    for _ in range(STUDIES):  # both games of a pair share their chance: their results hang together
        luck = rng.random(300) < 0.4
        scores = np.where(luck, rng.random(300) < 0.5, (rng.random(300) < 0.5) * 0.5 + (rng.random(300) < 0.5) * 0.5)
        found = lab.pool_sets([(float(score), 1.0) for score in scores])
        pairs.append(found.low <= 0.5 <= found.high)
    fair = {sides: rng.multinomial(500, [1 / sides] * sides, STUDIES) for sides in (2, 3, 4, 5)}
    sets = [sequential_verdict(rng, 0.0) for _ in range(STUDIES // 4)]
    return {
        "shares": held,
        "pairs": float(np.mean(pairs)),
        "gap": {str(sides): float(np.mean([lab.gap(row).low > 0 for row in rows])) for sides, rows in fair.items()},
        "shares_test": {
            str(sides): float(np.mean([lab.equal_shares(row) < 0.05 for row in rows])) for sides, rows in fair.items()
        },
        "sequential": float(np.mean([each == "better" for each in sets])),
        "trials": TRIALS,
        "studies": STUDIES,
    }


def sequential_verdict(rng: Any, difference: float) -> str:
    """The verdict of a sequential test that looks after every 50 pairs, between players of this difference in Elo."""
    from bridgehead.workshop import statistics as lab

    scores: list[float] = []
    chance = lab.expected_score(difference)
    while len(scores) < 4000:
        scores += ((rng.random((50, 2)) < chance).mean(axis=1)).tolist()
        if (verdict := lab.sequential(scores).verdict) != "open":
            return verdict
    return "open"


def chance() -> dict[str, Any]:
    """Dice of sealed chance: chi-square tests of one die and of pairs of dice that follow each other."""
    import hashlib

    from scipy import stats

    from bridgehead.fairness import bgf2

    rolls = []
    for event in range(DRAWS):
        key, shared = (hashlib.sha256(f"{what} {event}".encode()).digest() for what in ("key", "shared"))
        rolls.append(bgf2.outcome(key, shared, event, [1] * 6))
    singles = [rolls.count(face) for face in range(6)]
    pairs = [0] * 36
    for one, two in zip(rolls[::2], rolls[1::2], strict=True):
        pairs[6 * one + two] += 1
    return {"draws": DRAWS, "p_single": float(stats.chisquare(singles).pvalue), "p_pairs": float(stats.chisquare(pairs).pvalue)}


OWN = {"checks": checks, "statistics": statistics, "chance": chance, "faults": faults}


def machine() -> dict[str, Any]:
    """The machine and the versions."""
    from importlib.metadata import version

    names = ("numba", "numpy", "scipy", "pettingzoo", "gymnasium")
    system = f"{platform.system()} {platform.machine()}"
    return {
        "cores": os.cpu_count(),
        "system": system,
        "python": platform.python_version(),
        **{name: version(name) for name in names},
    }


# -- the text ----------------------------------------------------------------------------------------------------------
def kept(name: str) -> Any:
    """The figures of a measurement; for a bench that has not run yet, a result without any."""
    file = PAPER / "data" / f"{name}.json"
    return (
        json.loads(file.read_text("utf-8")) if file.exists() or name not in BENCHES else {"rows": [], "ratios": [], "missing": {}}
    )


def rate(value: float) -> str:
    """Decisions per second in three figures."""
    return f"{value / 1e6:.3g} M" if value >= 1e6 else f"{value / 1e3:.3g} k"


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def factor(value: float) -> str:
    """A ratio in three figures."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def span(value: list[float], form: Any = factor) -> str:
    """A median with its lowest and highest round."""
    return f"{form(value[0])} ({form(value[1])}-{form(value[2])})"


def rows_of(result: dict[str, Any]) -> dict[str, list[float]]:
    return {row["name"]: list(row["value"].values()) for row in result["rows"]}


def ratios_of(result: dict[str, Any]) -> dict[str, list[float]]:
    return {each["name"]: list(each["value"].values()) for each in result["ratios"]}


def facts() -> dict[str, str]:
    """Every figure and table of the text by its name in it."""
    from bridgehead.core import options as house
    from bridgehead.core import registry
    from bridgehead.core.game import Game
    from bridgehead.environments import observer

    games, peers, environments = (kept(name) for name in BENCHES)
    checked, simulated, drawn, here = kept("checks"), kept("statistics"), kept("chance"), kept("machine")
    speeds, factors = ("decisions/s",), ("ratio", "median (lowest-highest)")
    heads = ("game", "lines of rules", "clauses", "plies against the oracle", "positions mapped", "mutants killed")
    versions = f"Python {here['python']}, Numba {here['numba']}, NumPy {here['numpy']}"
    played = [(GAMES[name], value, checked[name]["bytes"]) for name, value in rows_of(games).items() if name in GAMES]
    made = {
        "games": table(("game", *speeds, "bytes of a state"), [(name, span(value, rate), size) for name, value, size in played]),
        "environments": table(
            ("environment", *speeds), [(name, span(value, rate)) for name, value in rows_of(environments).items()]
        ),
        "environment_ratios": table(factors, [(name, span(value)) for name, value in ratios_of(environments).items()]),
        "peers": table(("Connect Four", *speeds), [(name, span(value, rate)) for name, value in rows_of(peers).items()]),
        "peer_ratios": table(factors, [(name, span(value)) for name, value in ratios_of(peers).items()]),
        "faults": table(*_head(kept("faults")["rows"])),
        "fault_seconds": str(sum(int(row[-1]) for row in kept("faults")["rows"][1:])),
        "checks": table(heads, [(GAMES[name], *_counts(each)) for name, each in checked.items()]),
        "coverage": table(("interval or test", "case", "result", "wanted"), coverage(simulated)),
        "trials": f"{simulated['trials']:,}",
        "studies": f"{simulated['studies']:,}",
        "draws": f"{drawn['draws']:,}",
        "p_single": f"{drawn['p_single']:.2f}",
        "p_pairs": f"{drawn['p_pairs']:.2f}",
        "machine": f"{here['cores']} cores, {here['system']}, {versions}",
    }
    own = rows_of(environments)
    for name, way in (("batch", "environments"), ("vector", "gymnasium"), ("zoo", "pettingzoo")):
        value = own.get(f"{way}: forty_bridges")
        made[name] = rate(value[0]) if value else LATER
    missing = [f"{name}: {why}" for result in (games, peers, environments) for name, why in result["missing"].items()]
    made["missing"] = "Not measured: " + "; ".join(missing) + "." if missing else ""
    views = [(GAMES[name], observer(Game(spec, house.build(spec)))) for name, spec in registry.specs().items()]
    shown = [
        (title, ", ".join(f"{part}: {' x '.join(map(str, shape))}" for part, shape in view.shapes.items()), len(view.low))
        for title, view in views
    ]
    made["shown"] = table(("game", "planes", "numbers"), shown)
    return made


def _head(rows: list[list[str]]) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    return tuple(rows[0]), [tuple(row) for row in rows[1:]]


def _counts(each: dict[str, Any]) -> tuple[Any, ...]:
    share = percent(each["killed"] / each["mutants"])
    killed = f"{each['killed']:,} of {each['mutants']:,} ({share})"
    return each["lines"], each["clauses"], f"{each['oracle_plies']:,}", f"{each['mapped']:,}", killed


def coverage(simulated: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """Rows for intervals and tests: what, in which case, the result, and what is wanted."""
    sides = "{} equal sides, 500 games".format
    rows = [
        ("Wilson interval holds the truth", f"a share of {case}", value, "95 %") for case, value in simulated["shares"].items()
    ]
    rows.append(("interval of pairs holds the truth", "300 pairs with shared chance", simulated["pairs"], "95 %"))
    rows += [("largest gap: false alarm", sides(count), value, "at most 5 %") for count, value in simulated["gap"].items()]
    rows += [("chi-square test: false alarm", sides(count), value, "5 %") for count, value in simulated["shares_test"].items()]
    rows.append(("sequential test says better", "equal players", simulated["sequential"], "at most 5 %"))
    return [(what, case, percent(value), wanted) for what, case, value, wanted in rows]


def table(head: tuple[str, ...], lines: list[tuple[Any, ...]]) -> str:
    """A table of Markdown."""
    if not lines:
        return LATER
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in (head, ("---",) * len(head), *lines))


def filled(text: str, found: dict[str, str]) -> str:
    """The text with every {{name}} replaced."""
    return re.sub(r"\{\{(\w+)\}\}", lambda name: found[name[1]], text)


def marked(page: str, found: dict[str, str]) -> str:
    """A page with what stands between <!-- name --> and <!-- /name --> written again."""
    return re.sub(r"(<!-- (\w+) -->)(.*?)(<!-- /\2 -->)", lambda part: part[1] + found[part[2]] + part[4], page, flags=re.DOTALL)


def main() -> None:
    wanted = [each for each in sys.argv[1:] if not each.startswith("--")]
    for name in wanted or ([] if "--write" in sys.argv else [*BENCHES, *OWN]):
        print(f"{name} …", file=sys.stderr, flush=True)
        result = bench(BENCHES[name]) if name in BENCHES else OWN[name]()
        (PAPER / "data" / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n", "utf-8")
        (PAPER / "data" / "machine.json").write_text(json.dumps(machine(), indent=1) + "\n", "utf-8")
    found = facts()
    PAGE.write_text(filled(TEXT.read_text("utf-8"), found), "utf-8")
    found |= {name: f"\n{found[name]}\n" for name in ("shown",)}
    TRAIN.write_text(marked(TRAIN.read_text("utf-8"), found), "utf-8")


if __name__ == "__main__":
    main()
