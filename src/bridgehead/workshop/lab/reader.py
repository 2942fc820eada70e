"""Replays games with uncompiled rules, in a process of its own (`python -m bridgehead.workshop.lab.reader`): compiled rules have
no lines to trace.

It takes one line of JSON per game (game, rules, actions) and answers with one: for each side the clauses that took
effect while it was to act (chance counts for no side), for each field how often something came or was placed there and how often
a piece was taken there, and the field where the game ended.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from typing import Any

from bridgehead.core import registry
from bridgehead.core.clause_marks import Counting
from bridgehead.core.game import Game, Position

EXCHANGE = "swap"  # the action by which sides exchange what they have: nothing is entered, and nothing taken
MOST = 1500  # actions replayed per game: random games are long and repeat themselves


def read(game: Game, actions: list[int]) -> dict[str, Any]:
    """Replay one game. Needs uncompiled rules: otherwise no clause fires."""
    position = game.start()
    fired: list[list[str]] = [[] for _ in set(game.sides)]
    order = sorted(set(game.sides))
    entered, taken, last = Counter[str](), Counter[str](), ""
    counts = {side: Counting(game.spec.folder) for side in order}
    for action in actions[:MOST]:
        before, seat = position, position.actor
        if seat >= 0:
            sys.settrace(counts[game.sides[seat]].calls)
        position = before.play(action)
        _ = position.legal, position.actor
        sys.settrace(None)
        if game.spec.words.name(before, action) == EXCHANGE:
            continue
        for field in _entered(before, action, position):
            entered[field] += 1
            last = field
        taken.update(_taken(before, position))
    for i, side in enumerate(order):
        fired[i] = sorted(counts[side].clauses())
    return {"fired": fired, "entered": entered, "taken": taken, "last": last if position.is_over else ""}


def _entered(before: Position, action: int, after: Position) -> list[str]:
    """The field that a piece came to, then the fields where something was placed: a piece that is new and has not moved. A piece
    between fields, as a bridge, counts at each field that its id names."""
    scene, fields = before.game.spec.scene, {field.id for field in before.game.spec.scene.picture(before.game, "en").fields}
    ways = scene.traces(before, action, after)
    found = [next((at for at in reversed(trace.via) if at in fields), "") for trace in ways[:1] if len(trace.via) > 1]
    known = {item.id for item in scene.items(before, "en")} | {trace.item for trace in ways}
    for item in scene.items(after, "en"):
        if item.id[:2] in ("p:", "b:") and item.id not in known:
            at = [item.at] if item.at else [f"f:{name}" for name in re.split("[:-]", item.id[2:])]
            found += [field for field in at if field in fields]
    return [field for field in found if field]


def _taken(before: Position, after: Position) -> list[str]:
    """Fields from which a piece of another seat than the actor's has disappeared."""
    mine = before.game.spec.seat_letter(before.actor) if before.actor >= 0 else ""
    places = {item.id: item.at for item in after.game.spec.scene.items(after, "en")}
    return [
        item.at
        for item in before.game.spec.scene.items(before, "en")
        if item.at and item.id[:2] == "p:" and item.seat != mine and places.get(item.id) != item.at
    ]


class Reader:
    """The client of that process."""

    def __init__(self) -> None:
        plain = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-m", "bridgehead.workshop.lab.reader"]
        self._process = subprocess.Popen(command, env=plain, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self._process.kill)  # ends it at once, even in the middle of a long game

    def read(self, game: Game, actions: list[int]) -> dict[str, Any]:
        """Replay one game, as the function `read`."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps([game.spec.id, json.dumps(game.differences), actions]) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer


@functools.cache
def reader() -> Reader:
    """This process's reader, which ends with it."""
    return Reader()


def main() -> None:
    """Answer requests until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to all processes; the parent ends this one
    for line in sys.stdin:
        name, rules, actions = json.loads(line)
        print(json.dumps(read(registry.open_game(name, rules), actions)), flush=True)


if __name__ == "__main__":
    main()
