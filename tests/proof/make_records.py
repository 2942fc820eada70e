"""Writes the golden records and the tables of action numbers again: `python tests/proof/make_records.py`.

They pin behaviour: a change of them needs a new rules version of the game (CHANGELOG.md).
"""

import hashlib
import json
import os
import random
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
RECORDS, ACTIONS = HERE / "records", HERE / "actions"
LONGEST = 1_500  # actions of a record; longer games are cut and stay unfinished

# Game -> (what the record shows, house rules, seats that play greedily).
GAMES: dict[str, list[tuple[str, dict[str, Any], tuple[int, ...]]]] = {
    "barricade": [
        ("the standard game, greedy players", {}, (0, 1, 2, 3)),
        ("two players on the mini board, one of them at random", {"board": "mini", "seats": 2}, (0,)),
        ("the classic rules, drawn by the highest roll",
         {"board": "mini", "seats": 2, "pass": "onlyIfBlocked", "firstRowAllowed": False, "finalAllowed": False,
          "revisit": "noRepeat", "first": "highestRoll"}, (0, 1)),
        ("two teams of two", {"teams": "0,2/1,3", "turnLimit": 120}, (0, 1, 2)),
        ("two colours each, out of the house on a 6 only, another roll after a 6",
         {"seats": 2, "twoColours": True, "exitRoll": 6, "rollAgainOn6": True, "turnLimit": 100}, (1,)),
    ],
    "burning_bridges": [
        ("the standard game, greedy players", {}, (0, 1, 2, 3, 4)),
        ("two families", {"seats": 2}, (0, 1)),
        ("three families, one of them at random", {"seats": 3, "roundLimit": 60}, (0, 2)),
        ("the hostage picks the torch, None costs a move, destroying too",
         {"seats": 3, "untorchChoice": "hostage", "noneCost": 1, "destroyCost": "always1", "roundLimit": 40}, ()),
        ("must take, pieces are judged alone, ten pins each, own torches",
         {"seats": 2, "captureMandatory": True, "situationScope": "piece", "captureOnLeaving": True, "pins": "10each",
          "torchOwn": True, "ownerExtinguish": True, "idleCount": "table", "roundLimit": 60}, ()),
    ],
    "forty_bridges": [
        ("the standard game, greedy players", {}, (0, 1)),
        ("greedy against random", {}, (0,)),
        ("pieces along an edge, bent jumps", {"setup": "row", "bentJumps": True}, ()),
        ("at most two are captured", {"maxCaptures": 2, "sidesNeeded": 2, "first": "random"}, ()),
        ("no move into a surround, no third repetition", {"suicide": "forbidden", "repetition": "forbid", "quietLimit": 40}, ()),
    ],
    "front_lines": [
        ("the standard game, greedy players", {}, (0, 1, 2, 3)),
        ("two players", {"seats": 2}, (0,)),
        ("fallen soldiers", {"faceCards": "safeForAll"}, (0, 1, 2, 3)),
        ("leap: cards are turned over at the end of a walk only", {"flip": "destination"}, (1, 3)),
        ("Jokers, eight directions, stopping, three lives, from both sides",
         {"jokersInField": 2, "directions": "king8", "mayStop": True, "lives": 3, "opposedSides": True, "seats": 3,
          "allow3": True}, ()),
    ],
}  # fmt: skip


def play(name: str, options: dict[str, Any], greedy: tuple[int, ...], seed: int) -> Any:
    """A game by seeded players; the greedy ones take the action after which their position is worth most."""
    from bridgehead.core.chance import SeededDealer
    from bridgehead.core.match import Match
    from variants import make

    match, dealer, rng = Match(make(name, options)), SeededDealer(seed), random.Random(seed)
    value = match.game.spec.evaluate.value
    while not match.position.is_over and len(match.log) < LONGEST:
        position = match.position
        if position.is_chance:
            match.play(dealer.deal(position, match.chances))
            continue
        choices = list(position.legal)
        if position.actor in greedy:
            worths = [float(value(position.play(a).copy_states()[0], match.game.law, position.actor)) for a in choices]
            choices = [action for action, worth in zip(choices, worths, strict=True) if worth == max(worths)]
        match.play(rng.choice(choices))
    return match


def listing(name: str) -> str:
    """Every action of the standard game: ten a line, behind the number of the first."""
    from bridgehead.core import registry

    start = registry.game(name).start()
    names = [start.name(action) for action in range(start.game.action_count)]
    return "".join(f"{i:6}: {', '.join(names[i : i + 10])}\n" for i in range(0, len(names), 10))


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def main() -> None:
    from bridgehead.core import record

    shows = ["# Golden records", "", "Written by `make_records.py`; `bridgehead replay FILE` shows one.", ""]
    for name, games in GAMES.items():
        for number, (what, options, greedy) in enumerate(games, start=1):
            match = play(name, options, greedy, number)
            file = RECORDS / f"{name}-{number}.txt"
            file.write_text(record.dump(match), "utf-8")
            shows.append(f"- `{file.name}`: {what}; {len(match.log)} actions; {record.result(match)}.")
            print(shows[-1], flush=True)
    (RECORDS / "README.md").write_text("\n".join(shows) + "\n", "utf-8")
    digests = {}
    for name in GAMES:
        text = listing(name)
        (ACTIONS / f"{name}.txt").write_text(text, "utf-8")
        digests[name] = digest(text)
    (ACTIONS / "digests.json").write_text(json.dumps(digests, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
    sys.path.insert(0, str(HERE.parent))
    main()
