"""Binds search templates to one game: its rules and evaluation replace the names that the templates declare.

The names of the rules are declared here once. A module of templates imports them for type checking only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.jit import bind, plain
from bridgehead.core.spec import Spec

if TYPE_CHECKING:
    actor: Any
    legal: Any
    weight: Any
    apply: Any
    returns: Any


def played(spec: Spec) -> dict[str, Any]:
    """The rules for a search: the game's, or the variants of its evaluation (`search_legal`, `search_weight`).

    Such a variant merges equivalent outcomes of chance and leaves out information that is hidden from all seats.
    """
    rules, evaluate = spec.rules, spec.evaluate
    return {
        "actor": rules.actor,
        "apply": rules.apply,
        "returns": rules.returns,
        "legal": evaluate.search_legal or rules.legal,
        "weight": evaluate.search_weight or rules.weight,
    }


def weighed(spec: Spec, hooks: dict[str, Any], weights: tuple[float, ...] | None) -> tuple[str, dict[str, Any]]:
    """Functions of the evaluation, bound to these weights, and the name under which they are compiled. Hooks may be None."""
    found = {name: hook for name, hook in hooks.items() if hook is not None}
    if weights is None:
        return spec.id, found
    check(spec, weights)
    mark = f"{spec.id}_{hashlib.sha256(repr(weights).encode()).hexdigest()[:16]}"  # a separate cache entry for these weights
    table = {"WEIGHTS": np.array(weights)}
    return mark, {name: bind(plain(each), table, mark, spec.folder) for name, each in found.items()}


def check(spec: Spec, weights: tuple[float, ...]) -> None:
    """Check the number of weights. Errors: BridgeheadError."""
    if len(weights) != len(spec.evaluate.WEIGHTS):
        raise BridgeheadError("players:error.weights_where", spec.id, count=len(weights), count2=len(spec.evaluate.WEIGHTS))


def bind_all(templates: Iterable[Callable[..., Any]], names: dict[str, Any], mark: str, folder: Path) -> None:
    """Bind each template to `names` and to the templates before it, and add it to `names`."""
    for template in templates:
        names[template.__name__.lstrip("_")] = bind(template, names, mark, folder)
