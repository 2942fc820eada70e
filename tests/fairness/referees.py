"""The rules of a game as the pages' follower takes them, for modules in Node (FOLLOWER makes one of `given`)."""

import base64
import functools
import json
from typing import Any

from bridgehead.core.game import Game
from bridgehead.core.position import Position
from bridgehead.core.wasm_module import sections
from bridgehead.players import process_pool
from bridgehead.players.modules import layout
from bridgehead.players.subprocess_player import jit_mode
from bridgehead.players.wasm import RULES, kept_rules_module

FOLLOWER = """
import { followerOf } from "./sealed/follower.js";
const unpacked = (text) => new Uint8Array(Buffer.from(text, "base64"));
const ready = ({ module, most, law, start }) =>
  followerOf({ module: unpacked(module), most, law: unpacked(law), start: unpacked(start) });
"""
MADE: dict[tuple[str, str], bytes] = {}


def referee(game: Game, start: Position | None = None) -> dict[str, Any]:
    """What `ready` of FOLLOWER takes."""
    key = game.spec.id, layout(game)
    if key not in MADE:
        MADE[key] = _made(game)
    return {
        "module": text(MADE[key]), "most": game.max_legal, "law": text(game.law.tobytes()),
        "start": text((start or game.start()).state.tobytes()),
    }  # fmt: skip


def text(data: bytes) -> str:
    return base64.b64encode(data).decode()


@functools.cache
def _compiling() -> Any:
    with jit_mode(compiled=True):
        pool = process_pool.processes(1)
        pool.submit(int).result()
    return pool


def _made(game: Game) -> bytes:
    """Rules are not compiled in the processes of tests."""
    made: bytes = _compiling().submit(kept_rules_module, game).result()
    assert set(describe_module(made)["entries"]) == set(RULES), "the rules alone"
    return made


def describe_module(module: bytes) -> dict[str, Any]:
    """What a module says about itself."""
    text = next(content for kind, content in sections(module) if not kind and content[1:11] == b"bridgehead")
    about: dict[str, Any] = json.loads(text[11:])
    return about
