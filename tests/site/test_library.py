"""A start has a part of the standard library; the first import of another module brings the rest of it."""

import importlib
import lzma
import sys
from pathlib import Path

import pytest

from bridgehead.site import sources
from bridgehead.site.in_browser import module
from bridgehead.site.library import Rest

PART = {"first_part_xy.py": b"import json\nx = 1\n", "rest_pack_xy/__init__.py": b""}
WHOLE = PART | {"second_part_xy.py": b"y = 2\n", "rest_pack_xy/inner.py": b"z = 3\n"}


def test_the_first_import_of_a_missing_module_brings_the_whole_library_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, asked = tmp_path / "library.zip", list[int]()
    archive.write_bytes(sources.make_zip(PART))

    def fetch() -> bytes:
        asked.append(1)
        if len(asked) == 1:
            raise ImportError("no network")
        return lzma.compress(sources.make_zip(WHOLE))

    monkeypatch.syspath_prepend(str(archive))
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path, Rest(["second_part_xy", "rest_pack_xy.inner"], archive, fetch)])
    assert importlib.import_module("first_part_xy").x == 1 and not asked
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("third_part_xy")
    assert not asked
    with pytest.raises(ImportError, match="no network"):
        importlib.import_module("second_part_xy")
    assert importlib.import_module("rest_pack_xy.inner").z == 3 and importlib.import_module("second_part_xy").y == 2
    assert len(asked) == 2


def test_a_file_stands_for_its_module() -> None:
    assert [module(name) for name in ("a/b.py", "a/__init__.py", "a/b.toml", "c.py")] == ["a.b", "a", "", "c"]
