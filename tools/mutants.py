"""Mutation testing of the rules: do the tests notice wrong rules?

python tools/mutants.py run front_lines             every mutant without a verdict, then the page
python tools/mutants.py run front_lines --sample 50 --seed 1 --only rules.py
python tools/mutants.py list front_lines            the mutants
python tools/mutants.py show rules.apply            diffs and verdicts of mutants whose key contains this
python tools/mutants.py page                        writes docs/notebook/mutants.md from the verdicts and the explanations

Verdicts are stored in build/mutants and stay valid while the functions of the rules are the same; a complete run goes
into tests/proof/mutants.json. Survivors are explained by hand in tests/proof/survivors.toml. Needs `pip install
.[test,mutants]`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "build" / "mutants"
SUMMARY = ROOT / "tests" / "proof" / "mutants.json"
KILLS = ("killed", "hung")


def load(file: Path) -> dict[str, Any]:
    return json.loads(file.read_text("utf-8")) if file.exists() else {}


def save(file: Path, value: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_suffix(".new")
    fresh.write_text(json.dumps(value, indent=1, sort_keys=True) + "\n", "utf-8")
    fresh.replace(file)


def run(args: argparse.Namespace) -> int:
    """Judge the mutants of one game, one after the other, and print each survivor at once."""
    from mutant_killing import Court, collect
    from mutant_making import mutants
    from rule_functions import digest, files

    game, parts = args.game, args.only or files(args.game)
    every = mutants(game, parts)
    chosen = random.Random(args.seed).sample(every, min(args.sample, len(every))) if args.sample else every
    chosen = [mutant for mutant in chosen if args.match in mutant.key]
    file, made = KEPT / f"{game}.json", digest(game)
    kept = {} if args.fresh else load(file)
    rows: dict[str, Any] = {key: row for key, row in kept.get("verdicts", {}).items() if row["made"] == made or args.keep}
    again = ("survived", "unseen") if args.again else ()

    def judge(court: Court) -> None:
        before = kept.get("costs", {}) if kept.get("made") == made else {}
        costs = court.measure({k: v for k, v in before.items() if kept.get("tests", {}).get(k) == file_hash(k)})
        print(f"{game}: {len(court.costs)} of {len(court.items)} tests, {len(chosen)} of {len(every)} mutants", flush=True)
        began = time.monotonic()

        def keep() -> None:
            save(file, {"made": made, "verdicts": rows, "costs": costs, "tests": {k: file_hash(k) for k in costs}})

        keep()
        for number, mutant in enumerate(chosen, start=1):
            if mutant.key in rows and rows[mutant.key]["fate"] not in again:
                continue
            verdict = court.try_mutant(mutant)
            rows[mutant.key] = {"fate": verdict.fate, "by": verdict.by, "seconds": verdict.seconds, "made": made}
            if verdict.fate not in KILLS:
                print(f"\n{verdict.fate}: {mutant.key} line {mutant.line}\n{mutant.diff}", flush=True)
            if number % 20 == 0:
                keep()
                print(f"{number}/{len(chosen)}: {tally(rows, chosen)}, {time.monotonic() - began:.0f} s", flush=True)
        keep()

    status = collect(Court(game, parts, judge), ROOT)
    print(tally(rows, chosen))
    if len(chosen) == len(every) and parts == files(game) and all(mutant.key in rows for mutant in every):
        summary = load(SUMMARY)
        survivors = {m.key: m.diff.split("\n") for m in every if rows[m.key]["fate"] not in KILLS}
        fates = Counter(rows[m.key]["fate"] for m in every)
        found = {"made": made, "files": parts, "mutants": len(every), "fates": dict(fates), "survivors": survivors}
        summary[game] = {"date": time.strftime("%-d %B %Y"), **found}
        save(SUMMARY, summary)
    return 0 if status in (0, 5) else status


def file_hash(node: str) -> str:
    """A hash of the file of a test."""
    return hashlib.sha256((ROOT / node.partition("::")[0]).read_bytes()).hexdigest()[:12]


def tally(rows: dict[str, Any], chosen: list[Any]) -> str:
    """Killed and judged mutants, in words."""
    fates = Counter(rows[mutant.key]["fate"] for mutant in chosen if mutant.key in rows)
    total = sum(fates.values())
    dead = sum(fates[fate] for fate in KILLS)
    return f"{dead} of {total} killed ({100 * dead / max(1, total):.1f} %), {dict(fates)}"


def show(args: argparse.Namespace) -> int:
    """Diffs and verdicts."""
    from mutant_making import mutants
    from rule_functions import GAMES

    for game in sorted(folder.name for folder in GAMES.iterdir() if (folder / "rules.py").exists()):
        rows = load(KEPT / f"{game}.json").get("verdicts", {})
        for mutant in mutants(game):
            if args.part in mutant.key or args.part == game:
                row = rows.get(mutant.key, {})
                print(
                    f"{game} {mutant.key} line {mutant.line}: {row.get('fate', 'not judged')} {row.get('by', '')}\n{mutant.diff}"
                )
    return 0


def main() -> int:
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    os.environ.setdefault("BRIDGEHEAD_MUTANTS", "1")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("run")
    one.add_argument("game")
    one.add_argument("--only", action="append", help="a file of the rules; may be repeated")
    one.add_argument("--match", default="", help="only mutants whose key contains this")
    one.add_argument("--sample", type=int, default=0, help="this many, drawn by --seed")
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--fresh", action="store_true", help="forget earlier verdicts")
    one.add_argument("--keep", action="store_true", help="keep verdicts of older sources")
    one.add_argument("--again", action="store_true", help="judge survivors again")
    one.set_defaults(work=run)
    two = commands.add_parser("show")
    two.add_argument("part", help="a game, or part of a key")
    two.set_defaults(work=show)
    three = commands.add_parser("page")
    three.set_defaults(work=page)
    args = parser.parse_args()
    os.nice(10)
    return int(args.work(args))


def page(args: argparse.Namespace) -> int:
    """Write docs/notebook/mutants.md."""
    from mutant_page import write

    return write()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    raise SystemExit(main())
