"""Writes the static site: pages, browser modules, drawings, compiled rules, Python, and a list of all files with their hashes."""

from __future__ import annotations

import base64
import hashlib
import io
import itertools
import json
import os
import posixpath
import re
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path

import msgspec
from markupsafe import escape

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, convert_error
from bridgehead.core.game import Game
from bridgehead.core.phrases import Phrase, languages
from bridgehead.core.spec import Spec
from bridgehead.core.tutorial import has_tutorial
from bridgehead.players import process_pool, shipped_modules, wasm
from bridgehead.players.puzzles import puzzles
from bridgehead.players.subprocess_player import jit_mode
from bridgehead.server.http import rendering
from bridgehead.server.http.rendering import WEB, render_template
from bridgehead.server.rooms import views
from bridgehead.site import exports, msgspec_wheel, npm_packages, openings, sources
from bridgehead.site.boards import OwnBoard, read
from bridgehead.site.engine import DATA
from bridgehead.site.finished import load_finished_site
from bridgehead.site.in_browser import module
from bridgehead.site.precompiled import precompile_modules

SITE = WEB / "site"  # what only the site has: its worker, service worker, manifest, icons
LIST = "files.json"
HASHES = "PYTHONHASHSEED"
VERSION = "@VERSION@"  # in pages and scripts, replaced by the version of the build
TEXTS = {".html", ".js", ".webmanifest", ".css"}
MODULES = ("pyodide.mjs", "pyodide.asm.mjs")
LIBRARY, LOCK = "python_stdlib.zip", "pyodide-lock.json"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", LIBRARY, LOCK)
PACKED = ("pyodide.asm.mjs", "pyodide.asm.wasm")  # a plain file server does not compress, so the folder has them compressed
# Of the standard library: tools for developers, and for networks that a worker does not reach.
UNUSED = {
    "_pyio", "_pyrepl", "bdb", "cmd", "compileall", "doctest", "fileinput", "ftplib", "imaplib", "mailbox", "modulefinder",
    "optparse", "pdb", "pickletools", "plistlib", "poplib", "profile", "pstats", "pydoc", "pydoc_data",
    "smtplib", "socketserver", "timeit", "trace", "turtle", "unittest", "wave", "wsgiref", "xmlrpc",
}  # fmt: skip
ENCODINGS = {"", "__init__", "aliases", "ascii", "cp437", "idna", "latin_1", "punycode", "unicode_escape", "utf_8"}
POLICY = (
    "default-src 'self'; img-src 'self' blob:; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; object-src 'none'; "
    "form-action 'self'"
)
ADDRESS = re.compile(r"""(?<=[\s])(href|src)=(["'])/([^"']*)\2""")
XZ_PROGRAM = re.compile(r"data:application/wasm;base64,([\w+/=]+)")
MODULE = re.compile(r'<script type="module" src="([^"]+)">')
IMPORTED = re.compile(r'^(?:import|export)\b(?:[^;"(]*?\bfrom)? "(\.\.?/[^"]+)";', re.MULTILINE)  # not what is loaded later
STYLE = re.compile(r'<link rel="stylesheet" href="([^"]+)">')
WORDS_OF_PAGES = "static/words/en.json"  # every language needs it
Progress = Callable[[Phrase], object]  # is given a sentence for each stage of the work
TABLE = "t.html"
OF_TABLE = ("t", "replay", "verify")  # pages that show a table


def write(
    folder: Path, games: Iterable[str] = (), pyodide: Path | None = None, boards: Iterable[Path] = (),
    progress: Progress = lambda stage: None,
) -> dict[str, bytes]:  # fmt: skip
    """Write the site into a folder: the finished one of a release where that is what is wanted, else one that is built.

    Returns the files. games: ids, by default all installed ones. pyodide: a folder with its files. boards: files of own boards.
    Errors: BridgeheadError.
    """
    chosen = {spec.id: spec for spec in (map(registry.spec, games) if games else registry.specs().values())}
    own = [read(file, chosen.values()) for file in boards]
    make_folder(folder)
    files = {} if own or pyodide else load_finished_site(chosen)
    files = files or build_files(chosen, own, pyodide or npm_packages.folder(npm_packages.PYODIDE), progress)
    save(folder, files)
    return files


def make_folder(folder: Path) -> None:
    """Make the folder, and see that files can be written there, before the long work. Errors: BridgeheadError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise BridgeheadError(convert_error(error).phrase, str(folder)) from None


def save(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a folder. Errors: BridgeheadError."""
    try:
        for name, content in files.items():
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    except OSError as error:
        raise BridgeheadError(convert_error(error).phrase, str(folder)) from None


def build_files(games: Mapping[str, Spec], boards: Sequence[OwnBoard], pyodide: Path, progress: Progress) -> dict[str, bytes]:
    """The files of a site. Errors: BridgeheadError."""
    progress(Phrase("terminal:site.pages"))
    made = {**before_python(games, boards), **modules(games.values(), boards, progress)}
    progress(Phrase("terminal:site.python"))
    made |= {f"{DATA}/{spec.id}/{file.name}": file.read_bytes() for spec in games.values() for file in spec.folder.glob("*.xz")}
    made |= python(games, pyodide)
    return add_version(rename_for_hosts(made))


def before_python(games: Mapping[str, Spec], boards: Sequence[OwnBoard] = ()) -> dict[str, bytes]:
    """The files that pages load without Python: themselves, what they share, and their prepared answers."""
    return {**soon(pages(games, boards), scripts := collect_shared_files()), **scripts, **openings.files(games.values(), boards)}


def rename_for_hosts(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files with names for which every web host has a type: nginx 1.22 knows no `.mjs`, and a browser runs no such module."""
    made: dict[str, bytes] = {}
    for name, content in files.items():
        if name.startswith(("pyodide/", "site/")) and Path(name).suffix in (".js", ".mjs"):
            for module in MODULES:
                content = content.replace(module.encode(), module.replace(".mjs", ".js").encode())
        made[name.replace(".mjs", ".js") if name.startswith("pyodide/") else name] = content
    return made


def add_version(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files with their version, a hash of them all, and the list of all of them."""
    whole = hashlib.sha256()
    for name in sorted(files):
        whole.update(f"{name}\0{hashlib.sha256(files[name]).hexdigest()}\n".encode())
    version = whole.hexdigest()[:12]
    made = {
        name: content.replace(VERSION.encode(), version.encode()) if Path(name).suffix in TEXTS else content
        for name, content in sorted(files.items())
    }
    about = {name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)} for name, content in made.items()}
    return {**made, LIST: json.dumps({"version": version, "files": about}, indent=1).encode()}


def pages(games: Mapping[str, Spec], boards: Sequence[OwnBoard] = ()) -> dict[str, bytes]:
    """All pages, as files in one folder."""
    made = {
        "index.html": rendering.render_home(games.values(), boards),
        "t.html": render_template("table.html", table="", game_title="", game=""),
        "rules.html": rendering.render_rulebook_list(games.values()), "study.html": rendering.render_study(games.values()),
        **{f"{name}.html": render_template(f"{name}.html", table="") for name in ("replay", "verify")},
    }  # fmt: skip
    for spec in games.values():
        made[f"new-{spec.id}.html"] = rendering.render_new_table(spec, lab=False)
        made[f"rules-{spec.id}.html"] = rendering.render_rulebook(spec, games.values())
        made[f"position-{spec.id}.html"] = render_template("edit.html", game=views.listing(spec), positions=True)
        if spec.is_editable:
            made[f"edit-{spec.id}.html"] = render_template("edit.html", game=views.listing(spec))
        if puzzles(spec):
            made[f"puzzles-{spec.id}.html"] = render_template("puzzles.html", game=views.listing(spec))
        if has_tutorial(spec):
            made[f"learn-{spec.id}.html"] = render_template("learn.html", game=views.listing(spec))
    return {name: relative(page).encode() for name, page in made.items()}


def soon(pages: Mapping[str, bytes], scripts: Mapping[str, bytes]) -> dict[str, bytes]:
    """The pages with what the page of a table loads, which then comes at once and not one module after another.

    A page on which a game begins has it too, for page.js: it fetches all of it when Python is on its way.
    """
    needed = list_loaded_files(pages[TABLE].decode(), scripts)
    links = [f'<link rel="modulepreload" href="{each}">' for each in needed if each.endswith(".js")]
    links.append(f'<link rel="preload" as="fetch" crossorigin="anonymous" href="{WORDS_OF_PAGES}">')
    later = [f'<link data-soon href="{each}">' for each in (TABLE, *needed)]
    made = {}
    for name, page in pages.items():
        mine = links if name == TABLE else later if name.startswith("new-") else []
        made[name] = page.replace(b"</head>", "".join(f"{link}\n" for link in mine).encode() + b"</head>", 1)
    return made


def list_loaded_files(page: str, scripts: Mapping[str, bytes]) -> list[str]:
    """The style sheets and modules that a page loads at once, and the modules that these import, in order."""
    found, waiting = STYLE.findall(page), MODULE.findall(page)
    while waiting:
        name = waiting.pop(0)
        if name not in found:
            found.append(name)
            waiting += [posixpath.normpath(f"{name}/../{each}") for each in IMPORTED.findall(scripts[name].decode())]
    return found


def relative(page: str) -> str:
    """A page of the server as a file of the site: relative addresses, its version, and what every page of the site loads."""
    page = ADDRESS.sub(lambda found: f"{found[1]}={found[2]}{address(found[3])}{found[2]}", page)
    policy = f'<head>\n<meta http-equiv="content-security-policy" content="{POLICY}">'
    theme = '<script src="static/base/first.js"></script>'
    more = (
        f'{theme}\n<script src="site/stopped.js"></script>\n<script type="module" src="site/page.js"></script>'
        '\n<link rel="manifest" href="manifest.webmanifest">'
    )
    sheet = '<link rel="stylesheet" href="site/site.css">\n</head>'  # the page's first sheet says the order of the layers
    page = page.replace("<head>", policy, 1).replace(theme, more, 1).replace("</head>", sheet, 1)
    page = page.replace("</header>", f"</header>\n{tell_stop_reasons()}", 1)
    return page.replace("<html ", f'<html data-site="{VERSION}" ', 1)


def tell_stop_reasons() -> str:
    """Why a page's modules do not run, in all languages. They cannot fetch the words, so `site/stopped.js` shows one of these."""
    lines = (
        f'<p lang="{language}" data-why="{key}" hidden>{escape(rendering.WORDS.text(f"site.{key}", language))}</p>'
        for key in ("folder", "failed")
        for language in languages()
    )
    return f'<div class="stopped stack" role="alert">{"".join(lines)}</div>'


def address(path: str) -> str:
    """The address of a page in the site, by its path on a server without the first slash."""
    path, hash_, fragment = path.partition("#")
    path, mark, query = path.partition("?")
    page, _, rest = (path := path.rstrip("/")).partition("/")
    if not path:
        return f"./{mark}{query}{hash_}{fragment}"
    if page == "static" or "." in path:
        return path + mark + query + hash_ + fragment
    if page in OF_TABLE and rest:
        return f"{page}.html?table={rest}{query and f'&{query}'}{hash_}{fragment}"
    return f"{path.replace('/', '-')}.html{mark}{query}{hash_}{fragment}"


def collect_shared_files() -> dict[str, bytes]:
    """The files that all pages share."""
    static, own = WEB / "static", (each for each in SITE.rglob("*") if each.is_file() and each.suffix != ".ts")
    made = {f"static/{each.relative_to(static).as_posix()}": each for each in static.rglob("*") if each.is_file()}
    made |= {each.relative_to(SITE).as_posix(): each for each in own}
    made["static/bip39.txt"] = Path(str(resources.files("bridgehead") / "fairness" / "words.txt"))
    words = {f"static/words/{language}.json": rendering.encode_words(language) for language in languages()}
    return {name: file.read_bytes() for name, file in made.items()} | words | {"art.svg": rendering.encode_symbols()}


def modules(
    games: Iterable[Spec], boards: Iterable[OwnBoard] = (), progress: Progress = lambda stage: None, rules_alone: bool = False
) -> dict[str, bytes]:
    """The compiled rules of each game (`variants`), and of own boards. They carry no law: a table brings its own.

    rules_alone: also modules without search, for pages that follow a record.
    """
    wanted = [*(game for spec in games for game in variants(spec)), *(board.game for board in boards)]
    wanted.sort(key=lambda game: game.spec.id)
    by_name = {shipped_modules.name_module(game): game for game in wanted}
    parts = (False, True) if rules_alone else (False,)
    before = os.environ.get(HASHES)
    os.environ[HASHES] = "0"  # the order in which Numba compiles depends on the hashes of texts

    def compiled(games: list[Game]) -> Iterable[tuple[str, bytes]]:
        title = games[0].spec.title
        progress(Phrase("terminal:site.compiling", {"title": title}))
        made = _load_or_compile(games, parts)
        progress(Phrase("terminal:site.compiled", {"title": title}))
        names = (f"wasm/{shipped_modules.name_module(game, part)}" for part in parts for game in games)
        return zip(names, made, strict=True)

    try:
        groups = [list(each) for _, each in itertools.groupby(by_name.values(), lambda game: game.spec.id)]
        with jit_mode(compiled=True), ThreadPoolExecutor(os.cpu_count()) as threads:
            return dict(itertools.chain.from_iterable(threads.map(compiled, groups)))
    finally:
        os.environ.pop(HASHES) if before is None else os.environ.update({HASHES: before})


def _load_or_compile(games: list[Game], parts: Sequence[bool]) -> list[bytes]:
    """The modules of a game, of an earlier build if they were compiled then: all or none, since names depend on the order."""
    about = hashlib.sha256(msgspec.json.encode([parts, *map(wasm.describe, games)])).hexdigest()
    file = wasm.find_cache_folder(games[0]) / f"{games[0].spec.id}-site-{about[:16]}.modules"
    made = wasm.load_or_make(file, lambda: msgspec.msgpack.encode(_compiled(games, parts)))
    return msgspec.msgpack.decode(made, type=list[bytes])


def _compiled(games: list[Game], parts: Sequence[bool]) -> list[bytes]:
    """The modules of a game, from a process of their own: names in them depend on what a process has compiled before."""
    with process_pool.working(1) as pool:
        return pool.submit(_modules, games, parts).result()


def _modules(games: list[Game], parts: Sequence[bool]) -> list[bytes]:
    return [wasm.rules_module(game) if part else wasm.module(game, with_law=False) for part in parts for game in games]


def variants(spec: Spec) -> list[Game]:
    """The games of which a module is compiled: one for each layout of states and laws that options and boards lead to."""
    rules = spec.options
    wanted = [registry.game(spec.id, preset=preset) for preset in ("", *rules.PRESETS)]
    games = [*wanted, *(registry.game(spec.id, **values) for values in rules.LAYOUTS)]
    return list({wasm.layout(game): game for game in reversed(games)}.values())


def python(games: Iterable[str], folder: Path) -> dict[str, bytes]:
    """Pyodide, Python for browsers, and its modules: what a start loads is compiled. folder: with Pyodide's files."""
    try:
        made = {f"pyodide/{name}": (folder / name).read_bytes() for name in PYODIDE}
    except OSError as error:
        raise BridgeheadError(convert_error(error).phrase, str(folder)) from None
    script, program, other = (f"pyodide/pyodide{end}" for end in (".asm.mjs", ".asm.wasm", ".mjs"))
    extension = (bundled := sources.bundle(games))[msgspec_wheel.EXTENSION]
    made[program], text = exports.lighter(made[program], made[script].decode(), made[other].decode(), extension)
    made[script] = text.encode()
    with zipfile.ZipFile(io.BytesIO(made.pop(f"pyodide/{LIBRARY}"))) as whole:
        library = {name: whole.read(name) for name in whole.namelist() if name[-1] != "/" and is_needed(name)}
    made |= {f"pyodide/{name}.xz": sources.xz(made[f"pyodide/{name}"]) for name in PACKED}
    del made["pyodide/pyodide.asm.wasm"]
    made[f"pyodide/{LOCK}"] = json.dumps({**json.loads(made[f"pyodide/{LOCK}"]), "packages": {}}).encode()
    needed, own = precompile_modules(folder, library, bundled)
    made[f"pyodide/{Path(msgspec_wheel.EXTENSION).name}.xz"] = sources.xz(own.pop(msgspec_wheel.EXTENSION))
    later = sorted(filter(None, map(module, library.keys() - {name.removesuffix("c") for name in needed})))
    own["bridgehead/site/library.txt"] = "\n".join(later).encode()
    made |= {"pyodide/start.zip.xz": sources.archive_files(needed), "pyodide/library.zip.xz": sources.archive_files(library)}
    return {**made, "python.xz": sources.pack_files(own), "site/xz.wasm": unpacker()}


def unpacker() -> bytes:
    """The WebAssembly by which browsers unpack xz: its npm package has it inside a script. Errors: BridgeheadError."""
    script = npm_packages.folder(npm_packages.XZ) / "dist" / "package" / "xz-decompress.js"
    try:
        (found,) = XZ_PROGRAM.findall(script.read_text("utf-8"))
    except OSError as error:
        raise BridgeheadError(convert_error(error).phrase, str(script)) from None
    return base64.b64decode(found)


def is_needed(name: str) -> bool:
    """Is a file of the standard library needed? name: as in its archive."""
    module, _, rest = name.removesuffix(".py").partition("/")
    return module not in UNUSED and (module != "encodings" or rest in ENCODINGS)
