"""The server's sentences in all languages."""

from __future__ import annotations

from pathlib import Path

from bridgehead.core.phrases import Catalogue

WORDS = Catalogue(Path(__file__).with_name("words.toml"))
