"""Writes a game's WebAssembly module from the command line."""

from __future__ import annotations

import gzip
from pathlib import Path

from bridgehead.core.errors import BridgeheadError, understood
from bridgehead.core.game import Game
from bridgehead.players import wasm
from bridgehead.terminal.words import t


def write(game: Game, file: Path, language: str) -> str:
    """Write the module, and return a sentence about it. Errors: BridgeheadError, also where the file cannot be written."""
    made = wasm.module(game)
    try:
        file.write_bytes(made)
    except OSError as error:
        raise BridgeheadError(understood(error).phrase, str(file)) from None
    sizes = {"size": f"{len(made) / 1000:.0f}", "packed": f"{len(gzip.compress(made)) / 1000:.0f}"}
    return t("wasm.written", language, file=file, title=game.spec.title, layout=wasm.layout(game), **sizes)
