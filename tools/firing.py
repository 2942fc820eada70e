"""Count how often each clause took effect in fuzzed play, in plain mode, by the lines of the rules that name it.

bridgehead.core.clause_marks traces the lines; an event of tests/proof/rare.py that shows the clause counts when it
happens. Also counted: action ids refused by the clause, games that it ended, and matches in which a house rule of the
clause was drawn.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
EVERY = 25  # plies between two positions with counted refusals


def fired(name: str, plies: int) -> dict[str, Any]:
    """Counts of one game: plies, matches, and for each clause its effects, refusals, endings and draws."""
    import random

    from make_refusals import reasons
    from rare import SHOWS, TELLERS
    from test_rare import RUNS

    from bridgehead.core import options as house
    from bridgehead.core import registry
    from bridgehead.core.clause_marks import Counting
    from variants import make, mixture_with, values

    spec = registry.spec(name)
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in ("refused", "ended", "matches")}
    of_rule = defaultdict(set)
    for clause in registry.game(name).rulebook.clauses:
        for rule in clause.options:
            of_rule[rule].add(clause.id)
    for info in house.describe(spec):
        of_rule[info.name].add(info.clause)
    rng, counting, played, matches = random.Random(f"firing {name}"), Counting(spec.folder), 0, 0
    turns, seen = values(name), Counter[str]()
    while played < plies:
        kinds = ({}, mixture_with(name, rng, 0.2, *turns[matches % len(turns)]), rng.choice(RUNS[name])[0])
        options: dict[str, Any] = kinds[matches % 3]
        position = make(name, options).start()
        matches, facts = matches + 1, position.facts()
        counts["matches"].update({clause for rule in options for clause in of_rule[rule]})
        for ply in range(rng.choice((150, 150, 150, 3_000))):
            if position.is_over:
                break
            if ply % EVERY == 0:
                counts["refused"].update({reason.split()[0]: number for reason, number in reasons(position).items()})
            weights = position.weights if position.is_chance else None
            action = rng.choices(position.legal, weights)[0]
            names, before, earlier = [position.name(each) for each in position.legal], facts, position
            sys.settrace(counting.calls)
            position = position.play(action)
            _ = position.legal, position.actor
            sys.settrace(None)
            played, facts = played + 1, position.facts()
            text = earlier.name(action)
            for event in TELLERS[name](before, text, facts, names) if not text.startswith("first") else ():
                seen.update(SHOWS[name].get(event, "").split())
        if position.outcome:
            counts["ended"][position.outcome.clause] += 1
    lines = counting.clauses()
    counts["decided"] = Counter({clause: max(lines[clause], seen[clause]) for clause in lines | seen})
    ids = [clause.id for clause in registry.game(name).rulebook.clauses]
    rows = {clause: {kind: counts[kind][clause] for kind in counts if counts[kind][clause]} for clause in ids}
    return {"plies": played, "matches": matches, "clauses": rows}
