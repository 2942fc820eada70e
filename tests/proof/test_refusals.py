"""Why actions are refused, pinned: the number of action ids by clause and sentence in chosen positions."""

import json
from pathlib import Path
from typing import Any

import pytest
from make_refusals import KEPT, reasons
from pair import GAMES

from bridgehead.core import registry
from variants import make
from versus import refused

TABLE: dict[str, list[dict[str, Any]]] = json.loads(Path(__file__).with_name("refusals.json").read_text("utf-8"))


@pytest.mark.parametrize("number", range(KEPT))
@pytest.mark.parametrize("name", GAMES)
def test_actions_are_refused_for_the_reasons_written_down(name: str, number: int) -> None:
    row = TABLE[name][number]
    position = make(name, row["options"]).load(row["position"])
    assert reasons(position) == row["refused"]
    assert sum(row["refused"].values()) == position.game.action_count - len(position.legal)
    assert refused(position, position.legal) == []


@pytest.mark.parametrize("name", GAMES)
def test_the_positions_meet_every_reason_that_there_is(name: str) -> None:
    met = {reason for row in TABLE[name] for reason in row["refused"]}
    every = {f"{no.clause} {no.key}" for no in registry.spec(name).rules.REFUSALS if no}
    assert every - met == set()
