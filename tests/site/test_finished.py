"""The wheel of a release carries the finished site; `bridgehead site` writes that where nothing else is wanted."""

import zipfile
from pathlib import Path
from unittest import mock

import pytest

from bridgehead.core import registry
from bridgehead.site import build, finished

BUILT = {"index.html": b"built"}


@pytest.fixture
def carried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """The files of a finished site of all four games."""
    files = {"files.json": b"{}", "static/a.js": b"1", **{f"new-{game}.html": game.encode() for game in registry.specs()}}
    monkeypatch.setattr(finished, "FILE", tmp_path / "finished.zip")
    with zipfile.ZipFile(finished.FILE, "w") as archive:
        for name, content in files.items():
            archive.writestr(f"bridgehead-site/{name}", content)
    return files


def written(folder: Path, *games: str) -> dict[str, bytes]:
    """The files in a folder after `write`."""
    with mock.patch.object(build, "build_files", lambda games, boards, pyodide, progress: BUILT):
        assert build.write(folder, games)
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def test_the_finished_site_is_written_without_building(carried: dict[str, bytes], tmp_path: Path) -> None:
    assert written(tmp_path / "site") == carried


def test_some_of_the_games_are_built_and_so_is_everything_where_no_finished_site_is(
    carried: dict[str, bytes], tmp_path: Path
) -> None:
    assert written(tmp_path / "some", "barricade") == BUILT
    finished.FILE.unlink()
    assert written(tmp_path / "all") == BUILT


def test_a_site_with_an_own_game_is_built(carried: dict[str, bytes]) -> None:
    assert finished.load_finished_site(registry.specs()) == carried
    assert finished.load_finished_site([*registry.specs(), "hex"]) == {}
