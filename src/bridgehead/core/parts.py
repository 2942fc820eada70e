"""Joins the modules of a game's folder with the defaults of their interface (`core.interface`)."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Protocol, TypeVar

from bridgehead.core.errors import BridgeheadError

T = TypeVar("T")


def members(kind: type) -> dict[str, bool]:
    """The members of a part by name, and whether a game must define them."""
    of_bases = [each for each in reversed(kind.__mro__) if issubclass(each, Protocol) and each is not Protocol]
    valued = {name: value for each in of_bases for name, value in vars(each).items()}
    named = {**{name: None for each in of_bases for name in vars(each).get("__annotations__", {})}, **valued}
    needed = kind.__abstractmethods__ | {name for name in named if name not in valued}  # type: ignore[attr-defined]
    return {name: name in needed for name in named if not name.startswith("_")}


def part(kind: type[T], module: ModuleType | None, **usual: Callable[[], Any]) -> T:
    """A part of a game: the members of its module, and the defaults. usual: makes defaults that are not in the `Protocol`.

    The members are attributes of the object itself, where Python finds them fastest. Errors: BridgeheadError naming missing ones.
    """
    given = vars(module) if module else {}
    found = {name: given[name] for name in members(kind) if name in given}
    found |= {name: make() for name, make in usual.items() if name not in found}
    lacking = [name for name, needed in members(kind).items() if needed and name not in found]
    if lacking:
        where = module.__name__ if module else f"{kind.__name__.lower()}.py"
        raise BridgeheadError("error.game_lacks", where, members=", ".join(lacking))
    name = f"<{kind.__name__} of {module.__name__}>" if module else f"<{kind.__name__}, all by default>"
    made: Any = type(kind.__name__, (kind,), {"__repr__": lambda _: name})
    made.__abstractmethods__ = frozenset()
    whole: T = made()
    vars(whole).update(found)
    return whole


def gives(part: object, name: str) -> bool:
    """Whether a game defines this member of a part itself."""
    return name in vars(part)
