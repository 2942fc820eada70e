"""A pseudo-language: every sentence of every catalogue in marks, so that a sentence from anywhere else is seen to be bare.

The marks stand round the words of a sentence and not round its parameters: what fills these has to be marked itself.
"""

import json
import re
import string
import tomllib
from collections.abc import Iterable
from pathlib import Path

import bridgehead
from bridgehead.core import options, registry
from bridgehead.core.phrases import EXTRA as EXTRA

LANGUAGE = "xx"
ROOT = Path(bridgehead.__file__).parent
MARKED = re.compile(r"⟦[^⟦⟧]*⟧")
QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|https?://\S+|/\S+")
NOTATION = re.compile(r"\b[A-Z]{2,4}-[\w.]+|\b\w*\d\w*\b")  # ids of clauses; squares, cards, numbers
WORD = re.compile(r"[^\W\d_]{2,}")


def write(folder: Path) -> Path:
    """The files of the pseudo-language in a folder that `BRIDGEHEAD_LANGUAGES` may name."""
    for file in ROOT.rglob("languages/en.toml"):
        sentences = tomllib.loads(file.read_text("utf-8"))
        lines = [f"{json.dumps(key)} = {json.dumps(marked(text), ensure_ascii=False)}\n" for key, text in sentences.items()]
        made = folder / file.parent.parent.name / f"{LANGUAGE}.toml"
        made.parent.mkdir(parents=True)
        made.write_text("".join(lines), "utf-8")
    return folder


def marked(template: str) -> str:
    """A template with marks round its words."""
    parts = []
    for text, name, form, conversion in string.Formatter().parse(template):
        said = text.replace("{", "{{").replace("}", "}}")
        parts.append(f"⟦{said}⟧" if WORD.search(text) else said)
        if name is not None:
            parts.append("{" + name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "") + "}")
    return "".join(parts)


def bare(text: str, known: Iterable[str] = ()) -> list[str]:
    """The words of a text that stand in no mark and in no quotation, other than those that are known to be no sentence."""
    rest, before = NOTATION.sub(" ", text), ""
    while rest != before:
        before, rest = rest, MARKED.sub(" ", rest)
    names = {word.lower() for each in known for word in WORD.findall(each)}
    return [word for word in WORD.findall(QUOTED.sub(" ", rest)) if word.lower() not in names]


def names() -> set[str]:
    """Proper names and what is typed as it is: games, house rules and their values, levels, types of JSON."""
    found = {"Bridgehead", "null", "int", "str", "bool", "array", "object", "float", "JSON", "random", "greedy"}
    for spec in registry.specs().values():
        found |= {spec.id, spec.title, *spec.options.PRESETS}
        for info in options.describe(spec):
            found |= {info.name, *(str(value) for value in info.values), info.allowed}
    return found
