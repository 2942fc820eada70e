"""Sentences in every language: a phrase is a key with parameters, and a catalogue has the sentence (docs/do/add_a_language.md)"""

from __future__ import annotations

import functools
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ENGLISH = "en"
UNKNOWN = "n/a"  # a figure
FOLDER = "languages"  # in the folder of a package: one file a language
EXTRA = "BRIDGEHEAD_LANGUAGES"  # a folder of more files: PACKAGE/LANGUAGE.toml


OPTIONS = ("--language", "--lang")
VARIABLES = ("LC_ALL", "LC_MESSAGES", "LANG")  # environment variables; the first one that is set decides


class Phrase(NamedTuple):
    """A sentence in no language yet: a catalogue key and its parameters.

    A parameter is a text, a number, a figure, a further phrase, or a function from a language to a text.
    """

    key: str
    params: Mapping[str, object] = {}


class Figure(str):
    """A number as printed in English; in a sentence it gets the marks of the language. "n/a": unknown."""

    __slots__ = ()


def phrase(key: str, **params: object) -> Phrase:
    """Short form: `phrase("took", piece=phrase("pawn"), field="c5")`."""
    return Phrase(key, params)


def toml(file: Path) -> dict[str, Any]:
    """The contents of a TOML file. Errors: ValueError, naming the file and the line."""
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file}: {error}") from None


class Catalogue:
    """The sentences of some packages by language and key; a later package wins.

    A sentence is a `str.format` template. A key ending in `_one` is used instead when parameter `n` is 1, and a key ending in
    `@PARAM` when that parameter is the reader's own seat: "{seat} rolled {n}." and, as `@seat`, "You rolled {n}."
    """

    def __init__(self, *packages: Path) -> None:
        self._packages = packages
        self._tables: dict[str, Mapping[str, str]] = {}

    def __repr__(self) -> str:
        return f"<Catalogue of {', '.join(package.name for package in self._packages)}>"

    def keys(self, language: str = ENGLISH) -> frozenset[str]:
        """The keys that have a sentence in this language."""
        return frozenset(self._own(language))

    def template(self, key: str) -> str:
        """The sentence in English, with its parameters in braces."""
        return self._table(ENGLISH)[key]

    def has(self, key: str) -> bool:
        return key in self._table(ENGLISH)

    def text(self, key: str, language: str, default: str = "") -> str:
        """A sentence without parameters; `default` where neither this language nor English has it."""
        return self._table(language).get(key, default)

    def tell(
        self, text: Phrase | str | int, language: str = ENGLISH, names: Mapping[str, str] | None = None, you: str = ""
    ) -> str:
        """The sentence in `language`; a missing translation falls back to English, a missing key is a KeyError.

        names: texts that replace the sentences of certain keys ("seat.a": "Ada"). you: the key of the reader's own seat.
        """
        if not isinstance(text, Phrase):
            return self._figure(text, language) if isinstance(text, Figure) else str(text)
        key, params = text
        if names and key in names:
            return names[key]
        table = self._table(language)
        if you and params:
            key = _to_reader(key, params, you, table)
        if params.get("n") == 1 and f"{key}_one" in table:
            key += "_one"
        template = table.get(key)
        if template is None:
            return self._elsewhere(text, language, names, you)
        if not params and "{" not in template:
            return template
        return template.format_map(
            {name: value if type(value) is str else self._param(value, language, names, you) for name, value in params.items()}
        )

    def _param(self, value: object, language: str, names: Mapping[str, str] | None, you: str) -> str:
        if isinstance(value, Phrase | Figure):
            return self.tell(value, language, names, you)
        return str(value(language) if callable(value) else value)

    def _figure(self, number: Figure, language: str) -> str:
        if number == UNKNOWN:
            return self.text("number.unknown", language)
        marks = {",": self.text("number.thousands", language), ".": self.text("number.decimal", language)}
        return "".join(marks.get(each, each) for each in number)

    def _elsewhere(self, text: Phrase, language: str, names: Mapping[str, str] | None, you: str) -> str:
        """A sentence of another package: its key is "PACKAGE:KEY"."""
        package, colon, key = text.key.partition(":")
        if not colon:
            raise KeyError(f"no sentence {text.key!r} in {self._packages[-1] / FOLDER / ENGLISH}.toml")
        return catalogue(_folder(package)).tell(Phrase(key, text.params), language, names, you)

    def _table(self, language: str) -> Mapping[str, str]:
        """The sentences in a language, English where it has none; read when first needed."""
        if language not in self._tables:
            if language not in languages():
                return self._table(ENGLISH)
            self._tables[language] = self._own(ENGLISH, language)
        return self._tables[language]

    def _own(self, *wanted: str) -> dict[str, str]:
        """The sentences in these languages, later ones first; a key of a later package wins in every language.

        A new sentence replaces the earlier one together with its forms for the reader (`@`).
        """
        own: dict[str, str] = {}
        for package in self._packages:
            for new in (new for language in wanted for new in _tables(package, language)):
                own = {key: text for key, text in own.items() if "@" not in key or key.partition("@")[0] not in new} | dict(new)
        return own


def _to_reader(key: str, params: Mapping[str, object], you: str, table: Mapping[str, str]) -> str:
    """The key of the sentence that addresses the reader, if one of the parameters is the reader's seat; else the key itself."""
    for name, value in params.items():
        if isinstance(value, Phrase) and value.key.rpartition(":")[2] == you and f"{key}@{name}" in table:
            return f"{key}@{name}"
    return key


CORE = Path(__file__).parent


_games: dict[str, Path] = {}
_written: dict[Path, Mapping[str, Mapping[str, str]]] = {}


def register(game: str, folder: Path, sentences: Mapping[str, Mapping[str, str]]) -> None:
    """Let keys "GAME:KEY" be found in the game's folder. sentences: those that stand in a game's module, by language."""
    _games.setdefault(game, folder)
    _written.setdefault(folder, sentences)


def _folder(package: str) -> Path:
    """The folder of a game, of a package of Bridgehead, or of one in its workshop."""
    inside = CORE.parent / "workshop" / package
    return _games.get(package) or (inside if inside.is_dir() else CORE.parent / package)


def sentence(text: Phrase | str, language: str = ENGLISH) -> str:
    """A phrase of any package as a sentence."""
    return catalogue(CORE).tell(text, language)


def join_phrases(key: str, parts: Sequence[Phrase | str]) -> Phrase | str:
    """Join parts into one phrase by a key that joins two: "list" (a, b) or "or" (a or b)."""
    *rest, last = parts
    return functools.reduce(lambda after, part: Phrase(key, {"first": part, "rest": after}), reversed(rest), last)


def plain(text: str) -> Phrase:
    """A text as a phrase that is the same in every language."""
    return Phrase("plain", {"text": text})


@functools.cache
def languages() -> tuple[str, ...]:
    """All languages, English first: those in which the core has sentences."""
    found = {file.stem for file in _files(CORE, "*.toml")}
    return (ENGLISH, *sorted(found - {ENGLISH}))


def _files(package: Path, name: str) -> list[Path]:
    """The files of that name with sentences of a package: its own first, then the one in the extra folder."""
    extra = os.environ.get(EXTRA)
    folders = [package / FOLDER, *([Path(extra) / package.stem] if extra else [])]
    return [file for folder in folders for file in sorted(folder.glob(name))]


def _tables(package: Path, language: str) -> Iterator[Mapping[str, str]]:
    """The sentences of a package in a language: of its module, then of each of its files."""
    if language in (own := _written.get(package, {})):
        yield own[language]
    yield from (toml(file) for file in _files(package, f"{language}.toml"))


def translations(package: Path) -> frozenset[str]:
    """The languages in which a package has sentences."""
    return frozenset({*_written.get(package, {}), *(file.stem for file in _files(package, "*.toml"))})


@functools.cache
def catalogue(package: Path) -> Catalogue:
    """The sentences of one package's folder, over those of the core."""
    return Catalogue(CORE, package)


def detect_language() -> str:
    """The language of `--language`, else that of LC_ALL, LC_MESSAGES or LANG if it has sentences, else English.

    Help texts are made before the command line is read, so the option is looked for here.
    """
    words = sys.argv[1:]
    for word, after in zip(words, [*words[1:], ""], strict=False):
        option, equals, value = word.partition("=")
        if option in OPTIONS and (found := value if equals else after) in languages():
            return found
    system = next((os.environ[name] for name in VARIABLES if os.environ.get(name)), "")[:2]
    return system if system in languages() else ENGLISH
