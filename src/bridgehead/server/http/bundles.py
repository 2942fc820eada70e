"""Puts the pages' modules together: one script a page, and one for each part that comes later.

The server makes them from the modules at its start: so an installation from PyPI, one from a checkout and a container serve the
same, and nobody needs Node. A bundler from npm was tried, esbuild 0.28.2. It makes a chunk for each set of scripts that share
modules, 53 for the page of a table alone, 12 of them before the first board, and cannot be told to make fewer. What it would save
by short names is a seventh of the page of a table after compression; sources as they are can be read in the browser, where
somebody may want to check what a page does with seals.

A module becomes an asynchronous function in one list for the whole page, called once, so it does not matter in how many scripts
it stands. A script of a later part is a module that exports what the part exports: who imports it need not know that it is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from bridgehead.core.javascript import IMPORT, list_exports, remove_exports, resolve_import, write_pattern

EVERY_PAGE = "pages/every_page"
# What a page imports as soon as it runs comes with it: each is a script or a round trip less. The other parts come when needed.
WITH_PAGES = frozenset({
    "board/animate", "board/answer_marks", "board/choosing", "board/keyboard", "board/log", "board/pen", "board/pointer",
    "board/seats", "board/touch", "people/saved_tables", "table/action_list", "table/announcer", "table/catch_up",
    "table/presence", "table/prompt", "table/proposals", "table/shortcuts", "table/view_queue", "verify/seals",
})  # fmt: skip
LATER = re.compile(r'\bimport\("(\.[\w./]+)\.js"\)')
STYLE = re.compile(r'^await style\("([\w/]+)"\)', re.M)
BLOCK, LINE = re.compile(r"[ \t]*/\*\*.*?\*/ ?(\n?)", re.S), re.compile(r"^\s*//.*\n|(?<=[;,{}()\[\]]) // [^\"'`\n]*$", re.M)
INDENT = re.compile(r"^\t+", re.M)
IN_SHEETS = re.compile(r"[ \t]*/\*.*?\*/\n?", re.S)
LIST = """const __modules = (window.bridgeheadModules ??= {});
const __once = (make) => { let made; return () => (made ??= make()); };
"""


class Bundles:
    """The scripts of all pages and of their later parts, from the modules by their names ("table/table")."""

    def __init__(self, modules: Mapping[str, str], pages: Iterable[str]) -> None:
        self._texts = {name: strip_comments(text) for name, text in modules.items()}
        self._styles = {name: STYLE.findall(text) for name, text in modules.items()}
        self._pages = [*pages]

    @cached_property
    def _imports(self) -> dict[str, list[str]]:
        """What each module imports when it is loaded, in order."""
        return {name: [resolve_import(name, path) for _, path in IMPORT.findall(text)] for name, text in self._texts.items()}

    @cached_property
    def _later(self) -> dict[str, list[str]]:
        """What each module imports when it is needed."""
        return {name: [resolve_import(name, path) for path in LATER.findall(text)] for name, text in self._texts.items()}

    def list_modules(self, *names: str) -> list[str]:
        """Modules with all that comes with them at once, each after those that it needs."""
        found: dict[str, None] = {}

        def add(name: str) -> None:
            if name not in found:
                for each in self._imports[name]:
                    add(each)
                found[name] = None
                for each in self._later[name]:
                    if each in WITH_PAGES:
                        add(each)

        for name in names:
            add(name)
        return [*found]

    def _list_of_page(self, page: str) -> list[str]:
        return self.list_modules(EVERY_PAGE, page)

    @cached_property
    def _on_pages(self) -> dict[str, frozenset[str]]:
        """The modules that every page has from which a part can be reached, by that part."""
        found: dict[str, frozenset[str]] = {}
        for page in self._pages:
            at_once = frozenset(self._list_of_page(page))
            new, reached = {*at_once}, set()
            while new:
                reached |= new
                new = {each for name in new for each in (*self._imports[name], *self._later[name])} - reached
            for name in reached - at_once:
                found[name] = found.get(name, at_once) & at_once
        return found

    @property
    def names(self) -> list[str]:
        """The scripts: of each page, and of each part that comes later."""
        parts = {each for later in self._later.values() for each in later} & self._on_pages.keys()
        return [*self._pages, *sorted(parts)]

    def write_script(self, name: str) -> str:
        """The script of a page, which runs, or of a part, which exports what the part exports."""
        if name in self._pages:
            whole = self._list_of_page(name)
            runs = dict.fromkeys((EVERY_PAGE, name))
            end = "".join(f"__modules[{each!r}]();\n" for each in runs)
        else:
            whole = [each for each in self.list_modules(name) if each not in self._on_pages[name]]
            end = f"export const {{ {', '.join(list_exports(self._texts[name]))} }} = await __modules[{name!r}]();\n"
        return LIST + "".join(map(self._write_function, whole)) + end

    def _write_function(self, name: str) -> str:
        text = self._texts[name]
        needed = ", ".join(f"__modules[{each!r}]()" for each in self._imports[name])
        patterns = ", ".join(write_pattern(imported) for imported, _ in IMPORT.findall(text))
        imports = f"const [{patterns}] = await Promise.all([{needed}]);\n" if needed else ""

        def replace(match: re.Match[str]) -> str:
            part = resolve_import(name, match[1])
            return f"__modules[{part!r}]()" if part in WITH_PAGES else f'import("../{part}.js")'

        body = LATER.sub(replace, remove_exports(IMPORT.sub("", text)))
        names = ", ".join(list_exports(text))
        return f"__modules[{name!r}] ??= __once(async () => {{\n{imports}{body}return {{ {names} }};\n}});\n"

    def list_styles(self, page: str) -> list[str]:
        """The stylesheets that the script of a page loads by itself as soon as it runs."""
        return [*dict.fromkeys(style for name in self._list_of_page(page) for style in self._styles[name])]


def strip_comments(text: str) -> str:
    """A module without its comments and indentation. No text of a module holds `/**`, and none has two lines."""
    return INDENT.sub("", LINE.sub("", BLOCK.sub("", text)))


def strip_sheet(text: str) -> str:
    """A stylesheet without its comments and indentation. No value holds `/*`."""
    return INDENT.sub("", IN_SHEETS.sub("", text))
