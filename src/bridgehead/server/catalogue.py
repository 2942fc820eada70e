"""The server's sentences in all languages."""

from __future__ import annotations

from pathlib import Path

from bridgehead.core.phrases import catalogue

WORDS = catalogue(Path(__file__).parent)
