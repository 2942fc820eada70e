"""How the pages' modules import and export: for programs that put several into one file. Biome keeps this form."""

from __future__ import annotations

import posixpath
import re

IMPORT = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "(\.[\w./]+)\.js";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|let|class|function\*?) ([\w$]+))", re.M)
EXPORT_PARTS = re.compile(r"^export (?=const \{ (.*) \} = )", re.M)  # parts of an object; none of them has a comma in it


def resolve_import(name: str, path: str) -> str:
    """The module that a module imports by a relative path."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def list_exports(text: str) -> list[str]:
    """The names that a module exports."""
    return EXPORT.findall(text) + [part.split()[0] for parts in EXPORT_PARTS.findall(text) for part in parts.split(",")]


def remove_exports(text: str) -> str:
    """The module with all that it exports as its own."""
    return EXPORT_PARTS.sub("", EXPORT.sub("", text))


def write_pattern(imported: str) -> str:
    """What an import names, as a declaration names it: `{ a as b }` becomes `{ a: b }`, and `* as all` becomes `all`."""
    return " ".join(imported.removeprefix("* as ").replace(" as ", ": ").split())
