"""The recorded games of the proofs."""

from pathlib import Path

RECORDS = Path(__file__).parent / "proof" / "records"


def recorded(name: str) -> str:
    """A record, such as `barricade-1`."""
    return (RECORDS / f"{name}.txt").read_text("utf-8")
