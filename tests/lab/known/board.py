"""There is none."""

from __future__ import annotations

from typing import Any


def load(options: Any) -> None:
    """Nothing."""
