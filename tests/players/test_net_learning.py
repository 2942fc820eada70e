"""The net of 40 Bridges is learned again to the digit, and what is learned is a net that the game reads."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from programs import program

pytestmark = pytest.mark.wide


def test_the_same_games_and_seed_give_the_same_net(compiled: Callable[[str], Any], tmp_path: Path) -> None:
    one, two = compiled("forty_bridges")("net_learning", "twice", str(tmp_path))
    assert one["net"] == two["net"] and one["manifest"] == two["manifest"]
    manifest = one["manifest"]
    errors = manifest["mean squared error by epoch"]
    assert manifest["rows"] > 200 and errors[-1] < errors[0] / 1.2
    assert manifest["net"] == hashlib.sha256(one["net"].encode()).hexdigest()
    assert manifest["data"][0]["streams"] == ["3:4", "4:2"] and manifest["data"][0]["games"] == 6
    read = program("net_example", "examples/researchers").read(tmp_path / "one" / "net.json")
    assert len(read.output) == 32 and any(read.output)
