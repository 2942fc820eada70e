"""Binds search templates (`core.kernels`) to one game: the rules for a search, and the evaluation with other weights."""

from __future__ import annotations

import hashlib
from types import ModuleType
from typing import Any

import numpy as np

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.interface import Rule
from bridgehead.core.jit import bind, get_python_function
from bridgehead.core.kernels import rules_of
from bridgehead.core.spec import Spec


def layout(**names: str) -> np.dtype[Any]:
    """A record type, its fields by the type of their numbers: `layout(int8="seat", float32="total:8")`; the total is eight."""
    fields = [(kind, *each.split(":")) for kind, of_it in names.items() for each in of_it.split()]
    return np.dtype([(name, kind, tuple(map(int, count))) for kind, name, *count in fields], align=True)


def search_rules_of(spec: Spec, **hooks: Rule | None) -> ModuleType:
    """The rules for a search: the game's, or the variants of its evaluation (`search_legal`, `search_weight`).

    Such a variant merges equivalent outcomes of chance and leaves out information that is hidden from all seats.
    hooks: functions of the evaluation.
    """
    own = {"legal": spec.evaluate.search_legal or spec.rules.legal, "weight": spec.evaluate.search_weight or spec.rules.weight}
    return rules_of(spec, **own, **hooks)


def bind_weights(spec: Spec, hooks: dict[str, Any], weights: tuple[float, ...] | None) -> tuple[str, dict[str, Any]]:
    """Functions of the evaluation, bound to these weights, and the name under which they are compiled. Hooks may be None."""
    found = {name: hook for name, hook in hooks.items() if hook is not None}
    if weights is None:
        return spec.id, found
    check(spec, weights)
    mark = f"{spec.id}_{hashlib.sha256(repr(weights).encode()).hexdigest()[:16]}"  # a separate cache entry for these weights
    table = {"WEIGHTS": np.array(weights)}
    return mark, {name: bind(get_python_function(each), table, mark, spec.folder) for name, each in found.items()}


def check(spec: Spec, weights: tuple[float, ...]) -> None:
    """Check the number of weights, with or without those of a net. Errors: BridgeheadError."""
    many, beyond = len(spec.evaluate.FEATURES), len(weights) - len(spec.evaluate.FEATURES)
    if beyond and (spec.evaluate.counts is None or beyond < many or (beyond - many) % (many + 2)):
        raise BridgeheadError("players:error.weights_where", spec.id, count=len(weights), count2=len(spec.evaluate.WEIGHTS))
