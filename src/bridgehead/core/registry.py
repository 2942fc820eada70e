"""The installed games: those of any package with the entry point `bridgehead.games`."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from typing import Any

from bridgehead.core import options as house
from bridgehead.core.errors import UnknownGame
from bridgehead.core.game import Game
from bridgehead.core.installed import entries
from bridgehead.core.spec import Spec


@functools.cache
def specs() -> Mapping[str, Spec]:
    """Every installed game by id, in the order of their ranks, then of their titles."""
    found = [entry.load() for entry in entries()]
    return {spec.id: spec for spec in sorted(found, key=lambda spec: (spec.rank, spec.title))}


def spec(name: str) -> Spec:
    """The game of that id; dashes count as underscores. Errors: UnknownGame."""
    found = specs().get(name.strip().lower().replace("-", "_"))
    if found is None:
        raise UnknownGame("error.no_game_installed", "game", name=repr(name), specs=", ".join(specs()))
    return found


def game(name: str, *, preset: str = "", **values: Any) -> Game:
    """A game under house rules: `game("barricade", board="mini", turnLimit=200)`.

    Errors: UnknownGame, OptionError, BoardError.
    """
    found = spec(name)
    return Game(found, house.build(found, preset, values))


@functools.lru_cache(16)
def open_game(rules_id: str, rules: str) -> Game:
    """A game by its house rules as JSON. rules_id: as `Spec.rules_id`. Errors: as `game`; UnknownGame for other rules."""
    name, _, version = rules_id.partition("@")
    today = spec(name)
    found = today.of_rules(version or today.version)
    if found is None:
        raise UnknownGame("error.no_game_installed", "game", name=repr(rules_id), specs=", ".join(specs()))
    return Game(found, house.build(found, "", json.loads(rules)))
