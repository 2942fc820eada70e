"""Self-play and learning of the net of 40 Bridges with compiled rules (net_example.py), for test_net_learning.py."""

import json
from pathlib import Path
from typing import Any

from programs import program


def twice(folder: str) -> list[dict[str, Any]]:
    """Play six games and learn from them, two times from the beginning: the net as text, and its manifest."""
    nets, found = program("net_example", "examples/researchers"), []
    for name in ("one", "two"):
        place = Path(folder) / name
        place.mkdir()
        nets.play(place / "games.npz", ["3:4", "4:2"], 60)
        nets.fit([place / "games.npz"], place / "net.json", 32, 4, 1)
        manifest = json.loads((place / "net.manifest.json").read_text("utf-8"))
        found.append({"net": (place / "net.json").read_text("utf-8"), "manifest": manifest})
    return found
