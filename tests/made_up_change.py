"""A made-up game whose behaviour changed: under rules 2 three in a row lose, under rules 1 they won."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:  # tests/conftest.py imports this before it says how rules run
    from bridgehead.core.spec import Spec

ROW = ("a1", "a2", "b1", "b2", "c1")  # seat 1 gets three in a row with the last of them


@pytest.fixture(scope="module")
def misere_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A game under rules 2: three in a row loses. Under rules 1 it won."""
    from bridgehead.terminal.new_game import write_package

    root = tmp_path_factory.mktemp("older")
    write_package("misere", root)
    folder = root / "misere"
    (folder / "rules_1").mkdir()
    shutil.copy(folder / "rules.py", folder / "rules_1")
    shutil.copy(folder / "rulebook.toml", folder / "rules_1")
    for file, old, new in (
        ("rules.py", "state.winner = seat", "state.winner = 1 - seat"),
        ("__init__.py", 'version="1"', 'version="2", older=("1",)'),
        ("rulebook.toml", 'id = "T-3"', 'id = "T-4"'),
    ):
        text = (folder / file).read_text("utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new), "utf-8")
    sys.path.insert(0, str(root))
    yield folder
    sys.path.remove(str(root))


@pytest.fixture
def misere(misere_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Spec:
    """The game as an installed one, under rules 2."""
    spec: Spec = importlib.import_module("misere").SPEC
    install(monkeypatch, spec)
    return spec


def install(monkeypatch: pytest.MonkeyPatch, spec: Spec) -> None:
    """Make it one of the installed games, in this version."""
    from bridgehead.core import registry

    known = {**registry.specs(), spec.id: spec}
    monkeypatch.setattr(registry, "specs", lambda: known)
