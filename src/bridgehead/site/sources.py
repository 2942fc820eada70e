"""The Python files that the site's worker needs: a module, everything that it imports, and their data files."""

from __future__ import annotations

import ast
import importlib.util
import io
import json
import lzma
import tokenize
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import bridgehead
from bridgehead.core import clause_marks, installed
from bridgehead.core.version import __version__
from bridgehead.site import msgspec_wheel

ENTRIES = ("bridgehead.site.host", "bridgehead.site.library")  # what boot.js imports
PURE = ("cachetools", "precis_i18n")  # packages of others, in plain Python, that go along
DATA = {".toml", ".json", ".txt", ".sql"}
# Of an archive: programs pack best without aligned numbers (pb), and a browser needs the memory of the dictionary.
XZ = [{"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 3, "lp": 0, "pb": 0, "nice_len": 273, "depth": 64, "dict_size": 8 << 20}]
TIME = (1980, 1, 1, 0, 0, 0)  # of every file in an archive, so that equal contents make equal archives


def bundle(games: Iterable[str]) -> dict[str, bytes]:
    """The files of a folder of the worker's `sys.path`. games: those that go along. Errors: BridgeheadError."""
    chosen = [entry for entry in installed.entries() if entry.name in set(games)]
    files: dict[str, bytes] = {}
    for name, file in sorted(
        find_import_closure([*ENTRIES, *(name for entry in chosen for name in _parts(entry.module))]).items()
    ):
        files[_place(name, file)] = file.read_bytes()
        if file.name == "__init__.py":
            files |= {_place(name, each, each.relative_to(file.parent)): each.read_bytes() for each in _data(file.parent)}
    packages = [entry.module for entry in chosen if (place := _file(entry.module)) and place.name == "__init__.py"]
    files |= {f"{package.replace('.', '/')}/{clause_marks.FILE}": _marks(package) for package in packages}
    files |= msgspec_wheel.load_files()
    about = f"bridgehead-{__version__}.dist-info"
    files[f"{about}/METADATA"] = f"Metadata-Version: 2.1\nName: bridgehead\nVersion: {__version__}\n".encode()
    entries = "".join(f"{entry.name} = {entry.value}\n" for entry in sorted(chosen))
    files[f"{about}/entry_points.txt"] = f"[{installed.GROUP}]\n{entries}".encode()
    return files


def _parts(package: str) -> list[str]:
    """A game's package and its modules, which are loaded by their names; or the module that is the whole game."""
    file = _file(package)
    is_package = file is not None and file.name == "__init__.py"
    names = sorted(each.stem for each in file.parent.glob("*.py")) if file and is_package else []
    return [package, *(f"{package}.{name}" for name in names if name != "__init__")]


def _marks(package: str) -> bytes:
    """The clauses that a game's modules name in their comments, which do not go along."""
    file = _file(package)
    found = clause_marks.of_folder(file.parent) if file else {}
    ordered = {name: {line: sorted(clauses) for line, clauses in sorted(lines.items())} for name, lines in found.items()}
    return json.dumps(ordered, separators=(",", ":")).encode()


def xz(content: bytes) -> bytes:
    """Pack by xz, as browsers unpack it (site/xz.js). It makes Python's program a quarter smaller than gzip."""
    return lzma.compress(content, lzma.FORMAT_XZ, lzma.CHECK_CRC32, filters=XZ)


def pack_files(files: Mapping[str, bytes]) -> bytes:
    """Files for boot.js, by xz: a line of JSON with their names and sizes, and what is in them, one after the other."""
    names = sorted(files)
    head = json.dumps({name: len(files[name]) for name in names}).encode()
    return xz(b"\n".join((head, b"".join(files[name] for name in names))))


def archive_files(files: Mapping[str, bytes]) -> bytes:
    """An archive that Python can import from: its files lie in it as they are, and xz packs it as a whole."""
    return xz(make_zip(files))


def make_zip(files: Mapping[str, bytes]) -> bytes:
    """The same unpacked. Modules are `lean`."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as whole:
        for name in sorted(files):
            whole.writestr(zipfile.ZipInfo(name, TIME), _leaned(name, files[name]))
    return made.getvalue()


def _leaned(name: str, content: bytes) -> bytes:
    return lean(content) if name.endswith(".py") else content


def lean(source: bytes) -> bytes:
    """A module without comments and docstrings, with the same lines: less to send and to parse.

    A module that this version of Python cannot read stays as it is.
    """
    try:
        tree, lines = ast.parse(source), source.splitlines(keepends=True)
        for place in (*_comments(source), *_without_docstrings(tree)):
            _blank(lines, *place)
        made = b"".join(lines)
        same = compile(made, "", "exec", dont_inherit=True) == compile(tree, "", "exec", dont_inherit=True)
    except (SyntaxError, tokenize.TokenError):
        return source
    return made if same else source


def _comments(source: bytes) -> Iterator[tuple[int, int, int, int]]:
    """The places of comments: first line and byte in it, last line and the byte behind it; lines count from 1."""
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        if token.type == tokenize.COMMENT:
            start = len(token.line[: token.start[1]].encode())
            yield token.start[0], start, token.end[0], start + len(token.string.encode())


def _without_docstrings(tree: ast.Module) -> Iterator[tuple[int, int, int, int]]:
    """Take docstrings out of a tree, but those that are all of a body; their places."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and len(node.body) > 1:
            first = node.body[0]
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
                del node.body[0]
                yield first.lineno, first.col_offset, first.end_lineno or 0, first.end_col_offset or 0


def _blank(lines: list[bytes], first: int, start: int, last: int, end: int) -> None:
    """Remove a text and the blanks before it; its lines stay."""
    lines[first - 1] = lines[first - 1][:start].rstrip(b" ") + b"\n" * (last - first) + lines[last - 1][end:]
    lines[first:last] = [b""] * (last - first)


def find_import_closure(begin: Iterable[str]) -> dict[str, Path]:
    """Some modules, all modules that they import, also inside functions, and their packages; by name."""
    found: dict[str, Path] = {}
    waiting, seen = list(begin), set[str]()
    while waiting:
        name = waiting.pop()
        package, _, _ = name.rpartition(".")
        if name in seen:
            continue
        seen.add(name)
        if not (file := _file(name)):
            continue
        found[name] = file
        waiting += [package] if package else []
        waiting += list_imports(ast.parse(file.read_bytes()), name if file.name == "__init__.py" else package)
    return found


def list_imports(tree: ast.Module, package: str) -> Iterator[str]:
    """The modules that a module may import; names that may be modules too."""
    for node in _running(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            base = ".".join(filter(None, (above, node.module)))
            yield base
            yield from (f"{base}.{each.name}" for each in node.names)


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only type checkers read."""
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.If) and isinstance(each.test, ast.Name) and each.test.id == "TYPE_CHECKING":
            for other in each.orelse:
                yield from (other, *_running(other))
            continue
        yield each
        yield from _running(each)


def _file(name: str) -> Path | None:
    """The source of a module that goes along; None if it is none of these. No module is run: it may lack an extra."""
    package, _, last = name.rpartition(".")
    if package:
        above = _file(package)
        if above is None or above.name != "__init__.py":  # a name in a module, not a module
            return None
        places = above.with_name(f"{last}.py"), above.parent / last / "__init__.py"
        return next((place for place in places if place.is_file()), None)
    if name not in PURE and not _is_ours(name):
        return None
    found = importlib.util.find_spec(name)
    return Path(found.origin) if found and found.origin and found.origin.endswith(".py") else None


def _is_ours(package: str) -> bool:
    """Bridgehead itself, or the package of an installed game."""
    return package == "bridgehead" or any(entry.module.partition(".")[0] == package for entry in installed.entries())


def _place(name: str, file: Path, inside: Path | None = None) -> str:
    """Where a file of a module goes."""
    parts = name.split(".")
    if inside is not None:
        return "/".join((*parts, *inside.parts))
    return "/".join((*parts, file.name) if file.name == "__init__.py" else (*parts[:-1], file.name))


def _data(folder: Path) -> Iterator[Path]:
    """The data files of a package: in its folder, and in those that hold no modules."""
    if folder == Path(bridgehead.__file__).parent:
        return
    for each in sorted(folder.iterdir()):
        if each.suffix in DATA:
            yield each
        elif each.is_dir() and not (each / "__init__.py").exists():
            yield from (file for file in sorted(each.rglob("*")) if file.suffix in DATA)
