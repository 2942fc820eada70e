"""`bridgehead new-game`: writes a package with a small working game, as the start of a new one. See docs/do/add_a_game.md.

`new_game_files` holds the package, and in `one_file` the same game as one module. NAME stands for its name, TITLE for its title;
in file names - for /, and they end in .txt.
"""

from __future__ import annotations

import keyword
import re
import sys
from pathlib import Path

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError

NAME = re.compile("[a-z][a-z0-9_]*[a-z0-9]")
FILES = Path(__file__).parent / "new_game_files"


def write_package(name: str, folder: Path, single: bool = False) -> list[Path]:
    """Write the package and list its files. single: the whole game as one module.

    Errors: BridgeheadError for a bad name, or a folder that is not empty.
    """
    if not NAME.fullmatch(name):
        raise BridgeheadError("error.game_name", "NAME")
    if keyword.iskeyword(name) or name in sys.stdlib_module_names or name in ("bridgehead", *registry.specs()):
        raise BridgeheadError("error.game_name_taken", "NAME", name=repr(name))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BridgeheadError("error.folder_in_use", str(folder))
    written = []
    for file in sorted((FILES / "one_file" if single else FILES).glob("*.txt")):
        path = folder / file.stem.replace("-", "/").replace("NAME", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = file.read_text("utf-8").replace("NAME", name)
        path.write_text(text.replace("TITLE", name.replace("_", " ").title()), "utf-8")
        written.append(path)
    return written
