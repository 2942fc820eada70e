"""Write docs/lookup/clauses.md, which git ignores, from the rulebooks: every clause, its status, house rules and tests.

python tools/rulings.py            writes the file, as `make docs` does
python tools/rulings.py --count    counts in fuzzed play how often each clause fires (tests/proof/fired.json), then writes
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "lookup" / "clauses.md"
FIRED = ROOT / "tests" / "proof" / "fired.json"
MOST_TESTS = 4
PLIES = 20_000

HEAD = """# Every clause

Written by `tools/rulings.py` from the rulebooks of the games and from the tests; not kept in git.
[How the open points are ruled](rulings.md) explains the columns.
"""
BASIS = {"lit": "the words of the text", "geo": "geometry", "play": "how it plays", "src": "an outside source"}


def rows(name: str) -> Iterator[str]:
    """The part of one game: stated clauses, then those where the text is silent."""
    from bridgehead.core import registry
    from clause_matrix import matrix

    game = registry.game(name)
    book, tests, counts = game.rulebook, matrix()[name], load()[name]
    what = counts["clauses"]
    status = [clause.status for clause in book.clauses]
    yield f"\n## {game.spec.title}\n"
    yield (
        f"Rules version {game.spec.version}: {len(status)} clauses, {status.count('stated')} stated, "
        f"{status.count('ruled')} ruled, {status.count('option')} ruled with a house rule. "
        f"Fired: counted over {counts['plies']:,} plies in {counts['matches']:,} matches."
    )
    yield "\n### Stated in the text\n"
    yield "| clause | says | house rules | fired | tests |\n|---|---|---|---|---|"
    for clause in book.clauses:
        if clause.status == "stated":
            yield (
                f"| {clause.id} | {cell(clause.title, clause.text)} | {option_names(clause.options)} "
                f"| {times(what.get(clause.id))} | {shown(tests[clause.id])} |"
            )
    yield "\n### Where the text is silent\n"
    yield "| clause | ruling | status | why | house rules | fired | tests |\n|---|---|---|---|---|---|---|"
    for clause in book.clauses:
        if clause.status != "stated":
            why = ", ".join(BASIS[word.strip()] for word in clause.basis.split(",") if word.strip())
            yield (
                f"| {clause.id} | {cell(clause.title, clause.text)} | {clause.status} | {why} "
                f"| {option_names(clause.options)} | {times(what.get(clause.id))} | {shown(tests[clause.id])} |"
            )


def load() -> dict[str, Any]:
    """The stored counts: game -> plies, matches, clauses."""
    return json.loads(FIRED.read_text("utf-8"))


def times(row: dict[str, int] | None) -> str:
    """The counts of a clause in fuzzed play. None: the clause is newer than the counts."""
    if row is None:
        return "not counted yet: `python tools/rulings.py --count`"
    words = {"decided": "decided {}", "refused": "refused {}", "ended": "ended {}", "matches": "drawn in {} matches"}
    return ", ".join(text.format(f"{row[kind]:,}") for kind, text in words.items() if row.get(kind)) or "-"


def count() -> None:
    """Play, and store how often each clause fired."""
    from firing import fired

    from bridgehead.core import registry

    counts = {name: fired(name, PLIES) for name in registry.specs()}
    FIRED.write_text(json.dumps(counts, indent=1) + "\n", "utf-8")


def cell(title: str, text: str) -> str:
    whole = f"**{title}.** {text}" if title else text
    return whole.replace("|", "\\|").replace("\n", " ")


def option_names(options: tuple[str, ...]) -> str:
    return ", ".join(f"`{option}`" for option in options)


def shown(tests: list[str]) -> str:
    more = f" and {len(tests) - MOST_TESTS} more" if len(tests) > MOST_TESTS else ""
    return ", ".join(f"`{test.partition('::')[2]}`" for test in tests[:MOST_TESTS]) + more


def page() -> str:
    """The whole page."""
    from bridgehead.core import registry

    return HEAD + "\n".join(line for name in registry.specs() for line in rows(name)) + "\n"


def main() -> None:
    os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
    sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "proof"), str(ROOT / "tools")]
    if "--count" in sys.argv[1:]:
        count()
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
