"""The rules in web/static/sealed/rules.json, which verifiers of proofs have at hand, do what the rules in Python do."""

import base64
import json
import random
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

import in_node
from bridgehead.core import options as house
from bridgehead.core import record as records
from bridgehead.core import registry
from bridgehead.core.match import Match
from fairness.test_follower import by_rules, line

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tools"))

import rules_at_hand  # noqa: E402

PROGRAM = """
import { rulesAtHand } from "./sealed/rules_at_hand.js";
const told = [];
for (const { all, proof, actions } of given) {
  const follower = await rulesAtHand(all, proof);
  const wrong = follower?.follow(actions);
  told.push(follower ? [wrong, ...follower.actors.map((actor, at) => [actor, follower.legal(at), follower.weights(at)])] : null);
}
console.log(JSON.stringify(told));
"""


def proof_of(match: Match) -> dict[str, Any]:
    """The parts of a proof by which its rules are found."""
    game = match.game
    rules = {"game": game.spec.id, "version": game.spec.version, "options": house.canonical(game.options)}
    return {"record": records.dump(match), "eras": [{"rules": rules}]}


@pytest.mark.wide
def test_they_do_what_the_rules_do(tmp_path: Path) -> None:
    """If this fails, the rules of a game have changed: run tools/rules_at_hand.py."""
    lot, all_rules = random.Random(4), json.loads(rules_at_hand.FILE.read_text("utf-8"))
    given, expected = list[Any](), list[Any]()
    for name in rules_at_hand.GAMES:
        for game in rules_at_hand.variants(name):
            actions = line(game, lot, [])
            given.append({"all": all_rules, "proof": proof_of(Match(game)), "actions": actions})
            expected.append(by_rules(game, actions))
    assert in_node.run(tmp_path, PROGRAM, given) == expected


def test_other_house_rules_versions_and_first_positions_are_not_at_hand(tmp_path: Path) -> None:
    all_rules = json.loads(rules_at_hand.FILE.read_text("utf-8"))
    other = proof_of(Match(registry.game("barricade", turnLimit=9)))
    old = proof_of(Match(registry.game("barricade")))
    old["eras"][0]["rules"]["version"] = "0"
    game = registry.game("forty_bridges")
    moved = proof_of(Match(game, start=game.start().after(game.start().legal[0])))
    given = [{"all": all_rules, "proof": each, "actions": []} for each in (other, old, moved)]
    assert in_node.run(tmp_path, PROGRAM, given) == [None] * 3


def test_they_are_those_of_the_installed_games() -> None:
    """If this fails, run tools/rules_at_hand.py."""
    made = json.loads(rules_at_hand.FILE.read_text("utf-8"))
    for name in rules_at_hand.GAMES:
        known, now = made[name], rules_at_hand.described(name, b"")
        assert (known["version"], known["rules"], unpacked(known["laws"])) == (
            now["version"],
            now["rules"],
            unpacked(now["laws"]),
        )


def unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text))
