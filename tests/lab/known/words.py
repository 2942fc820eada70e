"""What actions are called."""

from typing import Any


def name(position: Any, action: int) -> str:
    """`do right`, `do wrong`, what the coin shows, or a way of painting."""
    return ("do wrong", "do right", "coin 1", "coin 2", "paint red", "paint blue")[action]
