"""The WebAssembly modules that a package carries: two for each layout of state and law.

In one levels search at once; the other has the rules alone, for pages that follow a record (`wasm.RULES`): a fifth of its size.

`tools/modules.py` makes them. A list beside them has a hash of the sources that each game's modules were made of, and one of each
file: a module of other sources, or a damaged one, is never used.
"""

from __future__ import annotations

import functools
import hashlib
import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bridgehead.core import jit
from bridgehead.core.game import Game
from bridgehead.core.spec import Spec
from bridgehead.players.modules import layout

log = logging.getLogger("bridgehead")
FOLDER = Path(__file__).parents[1] / "shipped"  # not in git
LIST = "modules.json"


def write_modules(modules: Mapping[str, bytes], sources: Mapping[str, str]) -> None:
    """Write the modules of some games, by name (`name_module`), and their list. Those of other games stay as they are.

    sources: `hash_game` of each game, from before its modules were compiled.
    """
    FOLDER.mkdir(exist_ok=True)
    read_list.cache_clear()
    listed = read_list()
    listed["sources"] |= sources
    listed["files"] = {name: each for name, each in listed["files"].items() if name.rpartition("-")[0] not in sources}
    for name, content in modules.items():
        _replace(FOLDER / name, content)
        listed["files"][name] = hashlib.sha256(content).hexdigest()
    for file in FOLDER.glob("*.wasm"):
        if file.name not in listed["files"]:
            file.unlink()
    _replace(FOLDER / LIST, json.dumps(listed, indent=1, sort_keys=True).encode() + b"\n")
    read_list.cache_clear()
    is_current.cache_clear()


def _replace(file: Path, content: bytes) -> None:
    """Write a whole file at once: another process may read it now."""
    half = file.with_name(f"{file.name}.{os.getpid()}")
    half.write_bytes(content)
    half.replace(file)


@functools.cache
def read_list() -> dict[str, Any]:
    """The list of the modules; an empty one where there is none."""
    try:
        found: dict[str, Any] = json.loads((FOLDER / LIST).read_text("utf-8"))
    except (OSError, ValueError):
        return {"sources": {}, "files": {}}
    return found


def hash_game(spec: Spec) -> str:
    """A hash of the sources that a game's modules are made of."""
    return jit.hash_sources(spec.folder, Path(__file__).parent)


@functools.cache
def is_current(spec: Spec) -> bool:
    """Are there modules of a game, made of the present sources? A game under earlier rules has none."""
    sources = read_list()["sources"].get(spec.id)
    if sources is None or spec.rules_id != spec.id:
        return False
    if sources == hash_game(spec):
        return True
    log.warning("the compiled modules are of other sources and are not used: `make modules` makes them again")
    return False


def has_module(game: Game, rules_alone: bool = False) -> bool:
    """Is there a module for the rules and the layout of this game?"""
    return is_current(game.spec) and name_module(game, rules_alone) in read_list()["files"]


def read_module(game: Game, rules_alone: bool = False) -> bytes:
    """The module for a game that has one. Errors: OSError; ValueError for a damaged file."""
    name = name_module(game, rules_alone)
    content = (FOLDER / name).read_bytes()
    if hashlib.sha256(content).hexdigest() != read_list()["files"][name]:
        raise ValueError(f"{name} is damaged")
    return content


def name_module(game: Game, rules_alone: bool = False) -> str:
    """The name of a module's file."""
    return f"{game.spec.id}-{layout(game)}{'.rules' if rules_alone else ''}.wasm"
