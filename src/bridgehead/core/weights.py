"""Weights of an evaluation: numbers that were learned, in a file beside the game that uses them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bridgehead.core.jit import COMPILED
from bridgehead.core.numbers import np


def weights(file: Path, features: Sequence[str]) -> Any:
    """The weights in the order of the features, for compiled rules as an array of NumPy.

    Errors: ValueError naming the features that differ between file and game.
    """
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))["weights"]
    odd = set(found) ^ set(features)
    if odd:
        raise ValueError(f"{file}: not in both the file and the evaluation: {', '.join(sorted(odd))}")
    values = [float(found[name]) for name in features]
    return np.array(values) if COMPILED else values
