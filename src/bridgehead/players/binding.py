"""Templates of searches bound to one game: its rules and its evaluation in place of the names that the templates declare.

The rules' names are declared here, once; a module of templates imports them where types are checked, and nowhere else.
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
    """The rules that a search plays by: the game's, or what its evaluation has in their place (`search_legal`, `search_weight`).

    There a game puts together outcomes of chance that make no difference, and leaves out what no seat may know.
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
    """Functions of an evaluation, bound to these weights, and the name under which they are compiled. Hooks may be None."""
    found = {name: hook for name, hook in hooks.items() if hook is not None}
    if weights is None:
        return spec.id, found
    check(spec, weights)
    mark = f"{spec.id}_{hashlib.sha256(repr(weights).encode()).hexdigest()[:16]}"  # machine code in the cache is told apart by it
    table = {"WEIGHTS": np.array(weights)}
    return mark, {name: bind(plain(each), table, mark, spec.folder) for name, each in found.items()}


def check(spec: Spec, weights: tuple[float, ...]) -> None:
    """Errors: BridgeheadError where these are not as many weights as the evaluation has."""
    if len(weights) != len(spec.evaluate.WEIGHTS):
        raise BridgeheadError(f"{len(weights)} weights where there are {len(spec.evaluate.WEIGHTS)}", spec.id)


def bind_all(templates: Iterable[Callable[..., Any]], names: dict[str, Any], mark: str, folder: Path) -> None:
    """Bind templates one after the other, each to `names` and to those before it, which are added to `names`."""
    for template in templates:
        names[template.__name__.lstrip("_")] = bind(template, names, mark, folder)
