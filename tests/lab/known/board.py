"""There is none."""

from typing import Any


def load(options: Any) -> None:
    """Nothing."""
