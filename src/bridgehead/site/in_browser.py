"""Runs in the browser's Python when the site is built (compile.mjs): compiles the modules that a start loads.

The folder `WORK` has the archives library.zip and sources.zip; they come back as library.new.zip and sources.new.zip.
"""

import asyncio
import importlib.util
import json
import marshal
import sys
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any

WORK = "/work"
UNCHECKED = (0b01).to_bytes(4, "little") + bytes(8)  # flags of a compiled file: valid without a look at its source
UNDATED = bytes(12)
PROTOCOL, PATIENCE = 1, 60.0  # seconds


class ForgetfulBrowser:
    """One that keeps nothing."""

    async def rows(self, table: str) -> str:
        return "[]"

    async def tables(self) -> str:
        return "[]"

    async def keep(self, rows: str) -> None:
        """Nothing."""

    def help(self, number: int) -> bool:
        """It has no page."""
        return False


async def first_view(host: Any, wish: Mapping[str, Any], language: str = "en") -> tuple[dict[str, Any], dict[str, Any]]:
    """Make a table by a body of `POST /api/tables`: the answer, and what its page sees first. Errors: TimeoutError, KeyError."""
    messages = asyncio.Queue[Any]()
    _, _, content = await host.request("POST", "/api/tables", json.dumps(wish))
    made = json.loads(content)
    page = host.connect(lambda text: messages.put_nowait(json.loads(text or "{}")))
    tokens = [token for token in made["tokens"] if token]
    hello = {"t": "hello", "p": PROTOCOL, "table": made["table"], "lang": language, "tokens": tokens, "host": made["host"]}
    page.receive(json.dumps(hello))
    while (view := await asyncio.wait_for(messages.get(), PATIENCE)).get("t") != "view":
        pass
    page.close()
    await page.serving
    return made, view


async def list_loaded_modules() -> set[str]:
    """The modules that a start loads from files, until the first move of each game can be made."""
    from bridgehead.core import registry
    from bridgehead.site import host, library  # noqa: F401

    opened = host.open_host(ForgetfulBrowser())
    for spec in registry.specs().values():
        await first_view(opened, {"game": spec.id, "seats": [{"kind": "person"}] * spec.seats[0]})
    await opened.close()
    return {name for name, module in sys.modules.items() if getattr(module.__spec__, "origin", "frozen") != "frozen"}


def code(name: str, source: bytes) -> bytes:
    """A compiled module. name: of its file."""
    return marshal.dumps(compile(source, name, "exec", dont_inherit=True))


def library(files: dict[str, bytes], names: set[str]) -> Iterator[tuple[str, bytes]]:
    """Only what is loaded: the archive is imported from as it is, so each module stands in it once."""
    for file, content in files.items():
        if module(file) in names:
            yield f"{file}c", importlib.util.MAGIC_NUMBER + UNDATED + code(f"/lib/{file}", content)


def sources(files: dict[str, bytes], names: set[str]) -> Iterator[tuple[str, bytes]]:
    """Everything. A compiled module keeps an empty file in its place, since a game's parts are found by their files."""
    for file, content in files.items():
        if module(file) in names:
            yield file, b""
            yield importlib.util.cache_from_source(file), importlib.util.MAGIC_NUMBER + UNCHECKED + code(f"/{file}", content)
        else:
            yield file, content


def module(file: str) -> str:
    """The module that a file has; "" for others."""
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".") if file.endswith(".py") else ""


async def main() -> None:
    names = await list_loaded_modules()
    for name, made in (("library", library), ("sources", sources)):
        with zipfile.ZipFile(f"{WORK}/{name}.zip") as archive:
            files = {each: archive.read(each) for each in archive.namelist()}
        with zipfile.ZipFile(f"{WORK}/{name}.new.zip", "w") as archive:
            for file, content in made(files, names):
                archive.writestr(file, content)
