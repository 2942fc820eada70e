"""Self-play and learning of the net of 40 Bridges with compiled rules (tools/nets.py), for test_net_learning.py."""

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any


def tool() -> ModuleType:
    told = importlib.util.spec_from_file_location("nets_tool", Path(__file__).parents[2] / "tools" / "nets.py")
    assert told is not None and told.loader is not None
    made = importlib.util.module_from_spec(told)
    told.loader.exec_module(made)
    return made


def twice(folder: str) -> list[dict[str, Any]]:
    """Play six games and learn from them, two times from the beginning: the net as text, and its manifest."""
    nets, found = tool(), []
    for name in ("one", "two"):
        place = Path(folder) / name
        place.mkdir()
        nets.play(place / "games.npz", ["3:4", "4:2"], 60, nets.Style())
        nets.fit([place / "games.npz"], place / "net.json", 32, 4, 1)
        manifest = json.loads((place / "net.manifest.json").read_text("utf-8"))
        found.append({"net": (place / "net.json").read_text("utf-8"), "manifest": manifest})
    return found
