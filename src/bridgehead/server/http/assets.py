"""The files that pages load: their scripts, stylesheets, sentences, drawings and icons.

All of them stand at `/static/VERSION/`, where VERSION is a hash of their contents: browsers may keep them for ever, and whatever
changes has another address. A page names these addresses, its scripts and stylesheets as one file each (`bundles`). With
BRIDGEHEAD_MODULES set, as developers have it, pages name the modules as they are in the checkout. Those are served as ever, since
the one-file verifier, the worker that shows notifications and programs know their addresses.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import os
import queue
import re
import threading
import time
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import brotli
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from bridgehead.core import registry
from bridgehead.core.phrases import languages
from bridgehead.server.http import rendering
from bridgehead.server.http.bundles import EVERY_PAGE, Bundles, strip_sheet

UNBUILT = "BRIDGEHEAD_MODULES"  # an environment variable
FOR_EVER, AT_ONCE = "public, max-age=31536000, immutable", "no-cache"
VERSIONED = re.compile(r"([0-9a-f]{16})/(.+)")
ADDRESS = re.compile(r'( (?:src|href)=")/static/')
MODULE = re.compile(r'<script type="module" src="/static/([\w/]+)\.js"></script>\n?')
STYLE = re.compile(r'<link rel="stylesheet" href="/static/([\w/]+)\.css">\n?')
PACKED = {".js", ".css", ".json", ".svg", ".wasm"}
DRAWS = re.compile(r' data-art="(\w+)"')  # whose boards a page draws: those of a game, or of all
MATERIALS = "games/materials"  # the stylesheet of all boards, as in base/page.js
WORLDS = "barricade", "burning_bridges", "forty_bridges", "front_lines"  # games with a stylesheet of their own, as there
SHEETS = "styles/"  # where stylesheets of several stand
LOOK = 1.0  # seconds
LEAST = 500  # bytes of a file below which it is sent as it is
PACKERS: dict[str, Callable[[bytes], bytes]] = {  # by their names in headers, the best first
    "br": brotli.compress, "gzip": lambda content: gzip.compress(content, 9, mtime=0),
}  # fmt: skip


class Asset:
    """A file that pages load, in the forms in which it is sent."""

    def __init__(self, name: str, content: bytes, is_packed: bool = True) -> None:
        self.name, self.content = name, content
        self.media = mimetypes.guess_type(name)[0] or "application/octet-stream"
        self.tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
        self._forms = [*PACKERS] if is_packed and Path(name).suffix in PACKED and len(content) >= LEAST else []
        self._packed: dict[str, bytes] = {}

    def pack(self) -> None:
        """Make all forms, which takes a second for a large file; until then `gzip` is made when somebody asks."""
        for form in self._forms:
            self._packed.setdefault(form, PACKERS[form](self.content))

    def choose(self, accepted: str) -> tuple[dict[str, str], bytes]:
        """The headers of a form that a browser accepts, and the content in it."""
        names = {part.partition(";")[0].strip() for part in accepted.split(",") if not part.replace(" ", "").endswith(";q=0")}
        if "gzip" in names and "gzip" in self._forms and not self._packed:
            self._packed["gzip"] = PACKERS["gzip"](self.content)
        for form in self._forms:
            if form in names and form in self._packed:
                return {"vary": "accept-encoding", "content-encoding": form}, self._packed[form]
        return {"vary": "accept-encoding"}, self.content


class Assets:
    """The files that pages load, read from a folder when the server starts, and again where one has changed since."""

    def __init__(self, static: Path, modules: bool = False) -> None:
        self._static, self.modules, self._lock = static, modules, threading.Lock()
        self._assets: dict[str, Asset] = {}
        self._sheets: set[str] = set()  # the stylesheets that a page of this process has named
        self._looked, self._newest = 0.0, 0  # when the folder was last looked at, and the time of its newest file
        self._unpacked = queue.SimpleQueue[Asset]()

    @cached_property
    def _files(self) -> dict[str, bytes]:
        """The contents as they are in the folder, with the sentences of each language, the drawings, and words for eras."""
        files = {
            each.relative_to(self._static).as_posix(): each.read_bytes() for each in self._static.rglob("*") if each.is_file()
        }
        words = {f"words/{language}.json": rendering.encode_words(language) for language in languages()}
        eras = (rendering.WEB.parent / "fairness" / "words.txt").read_bytes()
        art = {f"art/{name}.svg": rendering.encode_symbols(name) for name in registry.specs()}
        return {**files, **words, **art, "art/all.svg": rendering.encode_symbols(), "bip39.txt": eras}

    @cached_property
    def _bundles(self) -> Bundles:
        modules = {name.removesuffix(".js"): content.decode() for name, content in self._files.items() if name.endswith(".js")}
        pages = {page for template in rendering.read_templates() for page in MODULE.findall(template)}
        return Bundles(modules, sorted(pages))

    @cached_property
    def version(self) -> str:
        """A hash of all that is served, which is made from these contents by these programs."""
        whole = hashlib.sha256()
        programs = [Path(__file__), Path(__file__).with_name("bundles.py")]
        for name, content in [*sorted(self._files.items()), *((each.name, each.read_bytes()) for each in programs)]:
            whole.update(f"{name}\0{hashlib.sha256(content).hexdigest()}\n".encode())
        return whole.hexdigest()[:16]

    def _forget_what_changed(self) -> None:
        """Forget all, if a file has changed: a page never names a bundle of older sources. It looks at most once in LOOK."""
        if self._looked and time.monotonic() < self._looked + LOOK:
            return
        newest = max(each.stat().st_mtime_ns for each in self._static.rglob("*"))
        with self._lock:
            if self._newest not in (0, newest):
                self._assets.clear()
                for name in ("_files", "_bundles", "version"):
                    self.__dict__.pop(name, None)
            self._looked, self._newest = time.monotonic(), newest

    def find(self, name: str) -> Asset | None:
        """A file by its name below the version.

        Stylesheets can be put together in more ways than there is memory. One that no page of this process has named, as after
        the page of another process, is neither kept nor packed.
        """
        with self._lock:
            if name not in self._assets:
                content = self._write(name)
                if content is None:
                    return None
                if name.startswith(SHEETS) and name not in self._sheets:
                    return Asset(name, content, is_packed=False)
                self._assets[name] = Asset(name, content)
                self._unpacked.put(self._assets[name])
            return self._assets[name]

    def _write(self, name: str) -> bytes | None:
        script = name.removesuffix(".js")
        if name != script and script in self._bundles.names:
            return self._bundles.write_script(script).encode()
        if name.startswith(SHEETS):
            parts = name.removeprefix(SHEETS).removesuffix(".css").split("+")
            styles = [self._read(f"{each.replace('.', '/')}.css") for each in parts]
            is_one = all(styles) and len({*parts}) == len(parts)
            return b"\n".join(each for each in styles if each is not None) if is_one else None
        return self._read(name)

    def _read(self, name: str) -> bytes | None:
        """A file of the folder; a stylesheet without what only its readers need."""
        content = self._files.get(name)
        return strip_sheet(content.decode()).encode() if content is not None and name.endswith(".css") else content

    def name_files(self, page: str) -> str:
        """A page with the addresses of its files: one script, one stylesheet, and what its script would ask for next."""
        if self.modules:
            return page
        self._forget_what_changed()
        place, scripts = f"/static/{self.version}", MODULE.findall(page)
        script = next((each for each in scripts if each != EVERY_PAGE), EVERY_PAGE)
        drawn = match[1] if (match := DRAWS.search(page)) else ""
        sheets = [MATERIALS, *(f"games/{each}" for each in WORLDS if drawn in (each, "all"))] if drawn else []
        styles = [*dict.fromkeys([*STYLE.findall(page), *sheets, *self._bundles.list_styles(script)])]
        asked = [f"words/{match[1]}.json" for match in re.finditer(r'<html lang="([\w-]+)"', page)]
        asked += [f"art/{drawn}.svg"] if drawn else []
        early = "".join(f'<link rel="preload" as="fetch" crossorigin href="/static/{each}">\n' for each in asked)
        sheet = f'<link rel="stylesheet" href="/static/{_name_sheet(styles)}">\n' if styles else ""
        self._sheets.add(_name_sheet(styles))
        page = MODULE.sub("", STYLE.sub("", page))
        page = page.replace("</head>", f'{sheet}<script type="module" src="/static/{script}.js"></script>\n{early}</head>', 1)
        page = page.replace("<html ", f'<html data-static="{place}" data-styles="{" ".join(styles)}" ', 1)
        return ADDRESS.sub(rf"\1{place}/", page)

    def pack_in_background(self) -> None:
        """Begin to pack the files, and then each one that is asked for first, in a thread that no request waits for."""
        if not self.modules:
            threading.Thread(target=self._pack, name="packing", daemon=True).start()

    def _pack(self) -> None:
        early = [name for name in self._files if name.startswith(("art/", "words/"))]
        for name in (*early, *(f"{each}.js" for each in self._bundles.names)):
            self.find(name)
        while True:
            self._unpacked.get().pack()


def _name_sheet(styles: Iterable[str]) -> str:
    """The name of the stylesheet that holds several."""
    return f"{SHEETS}{'+'.join(each.replace('/', '.') for each in styles)}.css"


class StaticAssets(StaticFiles):
    """ASGI application that serves `/static`."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file with its version, or as it is in the folder.

        A page that has been open since before an update asks by an older version, and gets the file of today.
        """
        assets: Assets = scope["app"].state.assets
        match = VERSIONED.fullmatch(path.replace(os.sep, "/"))
        asset = match and scope["method"] in ("GET", "HEAD") and assets.find(match[2])
        if not match or not asset:
            return await super().get_response(path, scope)
        request = Request(scope)
        form, content = asset.choose(request.headers.get("accept-encoding", ""))
        headers = {"etag": asset.tag, "cache-control": FOR_EVER if match[1] == assets.version else AT_ONCE}
        if request.headers.get("if-none-match") == asset.tag:
            return Response(status_code=304, headers={**headers, "vary": "accept-encoding"})
        return Response(content, headers=headers | form, media_type=asset.media)


def answer_page(request: Request, page: str, status: int = 200, **headers: Any) -> Response:
    """A page, with the addresses of its files. It is in the language that the request asks for."""
    assets: Assets = request.app.state.assets
    return HTMLResponse(assets.name_files(page), status, {"vary": "accept-language, cookie", **headers})
