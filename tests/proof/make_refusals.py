"""Writes refusals.json again: `python tests/proof/make_refusals.py`. What is refused for which reason, in chosen positions.

For each game: positions under mixed house rules, chosen so that together they meet every reason that random play meets,
each with the number of action ids that are refused by each clause and sentence. They pin what `explain` says.
"""

import json
import os
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("refusals.json")
TRIED, KEPT, EACH = 1200, 36, 2  # positions looked at, positions kept, how many of them should meet each reason

# Positions of reasons that random play meets too seldom.
EXTRA: dict[str, list[tuple[dict[str, Any], str]]] = json.loads(FILE.with_name("refusals_extra.json").read_text("utf-8"))


def reasons(position: Any) -> Counter[str]:
    """How many action ids are refused, by clause and sentence."""
    game = position.game
    state, rules = position.copy_states()[0], game.spec.rules
    codes = Counter(int(rules.refusal(state, game.law, action)) for action in range(game.action_count))
    return Counter({f"{(no := rules.REFUSALS(code)).clause} {no.key}": number for code, number in codes.items() if code})


def tried(name: str) -> list[tuple[dict[str, Any], Any]]:
    """Positions of random games under mixed house rules, most of them after some actions."""
    from rare import pick
    from test_rare import RUNS

    from variants import make, mixture_with, values

    rng, found = random.Random(f"refusals {name}"), [(options, make(name, options).load(text)) for options, text in EXTRA[name]]
    turns, biased = values(name), RUNS[name]
    for number in range(TRIED):
        options: dict[str, Any] = {}
        favourites: tuple[str, ...] = ()
        if number % 4 == 3:
            options, _, _, favourites = biased[number // 4 % len(biased)]
        elif number % 4:
            options = mixture_with(name, rng, 0.25, *turns[number % len(turns)])
        position, left = make(name, options).start(), rng.choice((0, 3, 10, 30, 80, 150))
        while not position.is_over and left:
            names = [position.name(action) for action in position.legal]
            position, left = position.play(position.legal[pick(position, names, rng, favourites)]), left - 1
        found.append((options, position))
    return found


def chosen(name: str) -> list[dict[str, Any]]:
    """The fewest positions that meet every reason twice, more or less: always the one that adds most."""
    from bridgehead.core import registry

    rows = [(options, position.text, reasons(position)) for options, position in tried(name)]
    met: Counter[str] = Counter()
    kept: list[dict[str, Any]] = []
    while len(kept) < KEPT:

        def gain(row: tuple[dict[str, Any], str, Counter[str]]) -> float:
            return sum(1 / (1 + met[reason]) for reason in row[2] if met[reason] < EACH) + 0.01 * len(row[0])

        best = rows[0] if len(kept) < len(EXTRA[name]) else max(rows, key=gain)
        rows.remove(best)
        met.update(set(best[2]))
        kept.append({"options": best[0], "position": best[1], "refused": dict(sorted(best[2].items()))})
    every = {f"{no.clause} {no.key}" for no in registry.spec(name).rules.REFUSALS if no}
    print(f"{name}: {len(met)} of {len(every)} reasons; without: {sorted(every - set(met))}", flush=True)
    return kept


def main() -> None:
    from pair import GAMES

    table = {name: chosen(name) for name in GAMES}
    games = (f' "{name}": [\n  ' + ",\n  ".join(json.dumps(row) for row in rows) + "\n ]" for name, rows in table.items())
    FILE.write_text("{\n" + ",\n".join(games) + "\n}\n", "utf-8")


if __name__ == "__main__":
    os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
    sys.path.insert(0, str(Path(__file__).parents[1]))
    main()
