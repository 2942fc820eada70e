"""Weights of an evaluation: numbers that were learned, in a file beside the game that uses them, and the small net among them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bridgehead.core.jit import COMPILED, rule
from bridgehead.core.numbers import np


def weights(file: Path, features: Sequence[str]) -> Any:
    """The weights in the order of the features, then those of the net if the file has one, for `answer`.

    For compiled rules an array of NumPy. Errors: ValueError naming the features that differ between file and game.
    """
    values = list_weights(json.loads(file.read_text("utf-8")), features, str(file))
    return np.array(values) if COMPILED else values


def list_weights(found: Mapping[str, Any], features: Sequence[str], file: str) -> list[float]:
    """The numbers of `weights` from what a file holds."""
    net = found.get("net")
    values = _row(found["weights"], features, file)
    if net is None:
        return values
    rows = [_row(unit["weights"], features, file) for unit in net["units"]]
    values += _row(net["weights"], features, file)
    values += [float(unit["bias"]) for unit in net["units"]] + [float(unit["output"]) for unit in net["units"]]
    return values + [row[number] for number in range(len(features)) for row in rows]


def _row(found: Mapping[str, Any], features: Sequence[str], file: str) -> list[float]:
    odd = set(found) ^ set(features)
    if odd:
        raise ValueError(f"{file}: not in both the file and the evaluation: {', '.join(sorted(odd))}")
    return [float(found[name]) for name in features]


@rule
def answer(weights: Any, counts: Any) -> Any:
    """The answer of the net in `weights` to the counts of the features: a linear part, and one layer of hidden units.

    A hidden unit adds up its weights of the counts and its bias; what lies above 0 counts, times the unit's output.
    """
    many = len(counts)
    units = (len(weights) - 2 * many) // (many + 2)
    bias, output = 2 * many, 2 * many + units
    hidden = np.empty(units, np.float64)
    for unit in range(units):
        hidden[unit] = weights[bias + unit]
    total, at = 0.0, output + units
    for number in range(many):
        count = counts[number]
        if count != 0.0:
            total += weights[many + number] * count
            for unit in range(units):
                hidden[unit] += weights[at + unit] * count
        at += units
    for unit in range(units):
        total += weights[output + unit] * max(hidden[unit], 0.0)
    return total
