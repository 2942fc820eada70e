"""What actions are called."""

from typing import Any


def name(position: Any, action: int) -> str:
    """`do right`, `do wrong`, or what the coin shows."""
    return ("do wrong", "do right", "coin 1", "coin 2")[action]
