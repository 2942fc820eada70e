"""What somebody who uses the library puts a hand on first."""

import itertools
import subprocess
import sys

import numpy as np
import pytest

import bridgehead
from bridgehead.core.errors import NotationError

FIRST = {
    "games": "bridgehead.games()",
    "game": "bridgehead.game('forty_bridges')",
    "player": "bridgehead.player('barricade')",
    "imported": "import bridgehead.games.barricade",
}


@pytest.mark.parametrize("order", list(itertools.permutations(["games", "game", "imported"])))
def test_the_public_names_work_in_every_order(order: tuple[str, ...]) -> None:
    calls = "; ".join(FIRST[each] for each in order)
    names = bridgehead.games()
    said = subprocess.run(
        [sys.executable, "-c", f"import bridgehead; {calls}; print(bridgehead.games()); {FIRST['player']}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout == f"{names}\n" and "forty_bridges" in names


def test_what_takes_an_action_takes_its_number_or_its_text() -> None:
    position = bridgehead.game("forty_bridges").start()
    legal, text = position.legal[0], position.name(position.legal[0])
    assert position.play(text) == position.play(np.int64(legal)) == position.play(legal)
    assert position.explain(text) is None
    other = next(action for action in range(position.game.action_count) if action not in position.legal)
    refused = position.explain(np.uint16(other))
    assert refused is not None and str(refused).endswith(".") and refused.clause in position.game.rulebook
    assert str(refused) == str(position.game.words.tell(refused.phrase))
    for wrong, said in ((None, "None is no action"), (3.0, "3.0 is no action"), ([1], "no action"), (True, "no action True")):
        for take in (position.play, position.explain):
            with pytest.raises(NotationError, match=said):
                take(wrong)  # type: ignore[arg-type]
    for wrong in (-1, position.game.action_count, 10**30):
        with pytest.raises(NotationError, match=f"has no action {wrong}"):
            position.explain(wrong)


def test_a_rulebook_is_read_clause_by_clause() -> None:
    book = bridgehead.game("barricade").rulebook
    assert len(book) == len([*book]) > 20 and repr(book) == f"<Rulebook of {len(book)} clauses>"
    assert all(book[clause.id] is clause for clause in book)
