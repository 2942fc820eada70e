"""Programs of tools and bench as modules: they are scripts, in folders that are no packages."""

import importlib.util
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def program(name: str, folder: str = "tools") -> Any:
    """A program as a module of its own, read from its file at each call."""
    spec = importlib.util.spec_from_file_location(f"{folder}_{name}", ROOT / folder / f"{name}.py")
    assert spec is not None and spec.loader is not None, name
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
