"""The finished site of all games, which the wheel of a release carries, so that nobody has to build it."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path

FILE = Path(__file__).with_name("finished.zip")  # only in such a wheel: tools/release.py makes it
FOLDER = "bridgehead-site/"  # of the files in the archive


def load_finished_site(games: Iterable[str]) -> dict[str, bytes]:
    """Its files; none where there is no finished site of exactly these games."""
    if not FILE.exists():
        return {}
    with zipfile.ZipFile(FILE) as archive:
        files = {name.removeprefix(FOLDER): archive.read(name) for name in archive.namelist()}
    has = {name for name in files if name.startswith("new-")}
    return files if has == {f"new-{game}.html" for game in games} else {}
