"""Takes out of Pyodide most names that its program exports: extension modules need them, and the site has only msgspec's."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from bridgehead.core.wasm_module import (
    A_FUNCTION,
    A_GLOBAL,
    EXPORT,
    IMPORT,
    MAGIC,
    SectionReader,
    imports,
    name,
    number,
    section,
    sections,
    vector,
)

NAME = re.compile(r"[A-Za-z_$][\w$]*")
LISTED = re.compile(r'(_\w+)=Module\["\1"\]=wasmExports\["(\w+)"\];')  # how the script takes each export
DECLARED = re.compile(r"\bvar (_\w+(?:,_\w+){99,})(?=[,;])")


def lighter(program: bytes, script: str, others: str, extension: bytes) -> tuple[bytes, str]:
    """Pyodide's program and its script without the exports that neither a script nor the extension module uses.

    others: its other script.
    """
    # The program asks for some of its own exports by the names of its imports.
    used = {
        *NAME.findall(DECLARED.sub("", LISTED.sub("", script))),
        *NAME.findall(others),
        *(each.name for made in (program, extension) for each in imports(dict(sections(made))[IMPORT])),
    }
    gone = {name for _, name in LISTED.findall(script) if name not in used and f"_{name}" not in used}
    script = LISTED.sub(lambda found: "" if found[2] in gone else found[0], script)
    script = DECLARED.sub(lambda found: f"var {','.join(each for each in found[1].split(',') if each[1:] not in gone)}", script)
    return b"".join(_exporting(program, used)), script


def _exporting(program: bytes, used: Container[str]) -> Iterator[bytes]:
    """The program in pieces, with fewer exports."""
    yield MAGIC
    for kind, content in sections(program):
        yield section(kind, vector(_kept(content, used)) if kind == EXPORT else content)


def _kept(content: bytes, used: Container[str]) -> Iterator[bytes]:
    """The exports that stay: all but functions and globals that no script uses."""
    reader = SectionReader(content)
    for _ in range(reader.number()):
        called, kind, index = reader.name(), reader.take(1)[0], reader.number()
        if kind not in (A_FUNCTION, A_GLOBAL) or called in used or f"_{called}" in used:
            yield name(called) + bytes([kind]) + number(index)
