"""Refusals in another language: they are raised in English, and looked up by what stays the same in them."""

from __future__ import annotations

import functools
import re
import tomllib
from pathlib import Path

from bridgehead.core import registry
from bridgehead.core.phrases import Phrase

LONGEST = 600  # characters of a sentence that is looked up
DEPTH = 4  # sentences within sentences
FRAMES = ("{}; allowed: {}", "{} - at `{}`")  # what stands around other sentences, and is looked for first

Pattern = tuple[re.Pattern[str], str]


def told(sentence: str, language: str, depth: int = DEPTH) -> str:
    """A refusal in a language; a sentence that nobody has translated stays as it is."""
    if language == "en" or len(sentence) > LONGEST or not depth:
        return sentence
    for pattern, template in _patterns(language):
        if found := pattern.fullmatch(sentence):
            return template.format(*(told(part, language, depth - 1) for part in found.groups()))
    return sentence


def phrased(said: Phrase, language: str) -> Phrase:
    """A sentence that quotes a refusal as its parameter `what`, for telling it in a language."""
    what = said.params.get("what")
    return Phrase(said.key, {**said.params, "what": told(what, language)}) if isinstance(what, str) else said


@functools.cache
def _patterns(language: str) -> list[Pattern]:
    """The sentences of the server and of all games, those first that say most."""
    sentences: dict[str, str] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8")).get(language, {})
    for spec in registry.specs().values():
        file = spec.folder / "about.toml"
        if file.exists():
            sentences |= tomllib.loads(file.read_text("utf-8")).get(language, {}).get("refused", {})
    order = sorted(sentences, key=lambda each: (each not in FRAMES, -len(each.replace("{}", ""))))
    return [(pattern(each), sentences[each]) for each in order]


def pattern(template: str) -> re.Pattern[str]:
    """What a sentence looks like, with anything in place of each pair of braces."""
    return re.compile("(.*?)".join(re.escape(part) for part in template.split("{}")), re.DOTALL)
