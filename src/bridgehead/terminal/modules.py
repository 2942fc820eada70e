"""Writes a game's WebAssembly module from the command line, and the script that loads it."""

from __future__ import annotations

import gzip
import tempfile
from pathlib import Path

import bridgehead
from bridgehead.core.errors import BridgeheadError, convert_error
from bridgehead.core.game import Game
from bridgehead.players import wasm
from bridgehead.terminal.words import t

LOADER = Path(bridgehead.__file__).parent / "web" / "static" / "wasm" / "wasm_rules.js"


def write_module(game: Game, file: Path, language: str) -> str:
    """Write both into one folder, and return a sentence about them. Errors: BridgeheadError, also where it cannot be written."""
    try:
        tempfile.TemporaryFile(dir=file.parent).close()  # compiling takes seconds, so ask first whether the folder can be written
        made = wasm.module(game)
        file.write_bytes(made)
        file.with_name(LOADER.name).write_bytes(LOADER.read_bytes())
    except OSError as error:
        raise BridgeheadError(convert_error(error).phrase, str(file)) from None
    sizes = {"size": f"{len(made) / 1000:.0f}", "packed": f"{len(gzip.compress(made)) / 1000:.0f}"}
    return t("wasm.written", language, file=file, loader=LOADER.name, title=game.spec.title, layout=wasm.layout(game), **sizes)
