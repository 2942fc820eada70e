"""Words: a phrase is a key with parameters, told in any language from a catalogue. English is the fallback."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

LANGUAGES = ("en", "de")


class Phrase(NamedTuple):
    """Something to say: a catalogue key and its parameters (texts, numbers, or further phrases)."""

    key: str
    params: Mapping[str, object] = {}


def phrase(key: str, **params: object) -> Phrase:
    """Short form: `phrase("took", piece=phrase("pawn"), field="c5")`."""
    return Phrase(key, params)


class Catalogue:
    """Sentences by language and key, read from a `words.toml` with one table a language.

    A sentence is a `str.format` template. A key ending in `_one` is used instead when parameter `n` is 1.
    """

    def __init__(self, *files: Path) -> None:
        self._tables: dict[str, dict[str, str]] = {language: {} for language in LANGUAGES}
        for file in files:
            for language, table in tomllib.loads(file.read_text("utf-8")).items():
                self._tables.setdefault(language, {}).update(_flat(table))

    def keys(self, language: str) -> frozenset[str]:
        return frozenset(self._tables[language])

    def template(self, key: str) -> str:
        """The sentence in English, with its parameters in braces."""
        return self._tables["en"][key]

    def has(self, key: str) -> bool:
        return key in self._tables["en"]

    def tell(self, said: Phrase | str | int, language: str = "en", names: Mapping[str, str] | None = None) -> str:
        """The sentence in `language`; a missing translation falls back to English, a missing key is a KeyError.

        names: what to say for certain keys instead ("seat.a": "Ada").
        """
        if not isinstance(said, Phrase):
            return str(said)
        key, params = said
        if names and key in names:
            return names[key]
        if params.get("n") == 1 and f"{key}_one" in self._tables["en"]:
            key += "_one"
        table = self._tables.get(language, {})
        template = table[key] if key in table else self._tables["en"][key]
        if not params and "{" not in template:
            return template
        return template.format_map(
            {
                name: self.tell(value, language, names) if isinstance(value, Phrase) else str(value)
                for name, value in params.items()
            }
        )


def _flat(table: Mapping[str, object], prefix: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = str(value)
    return flat


@functools.cache
def catalogue(folder: Path) -> Catalogue:
    """The words of one game's folder, over the words common to all."""
    return Catalogue(Path(__file__).with_name("words.toml"), folder / "words.toml")
