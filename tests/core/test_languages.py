"""The catalogues: every language has every key of the English one, with the same parameters, and says it in its own words."""

from __future__ import annotations

import re
import string
import tomllib
from pathlib import Path

import pytest

import bridgehead
from bridgehead.core.phrases import ENGLISH, FOLDER, languages

FOLDERS = sorted(Path(bridgehead.__file__).parent.rglob(FOLDER))
WORD = re.compile(r"[^\W\d_]{2,}")
# What is the same in English and in another language.
SAME = {
    "de": {
        "90 % in", "Arena", "Buchholz", "Chat", "Computer", "Esc", "Joker", "Material", "Mint", "Name", "Orange", "Passkeys",
        "Bridgehead {version}", "Pause", "START", "Sonneborn-Berger",
        "Teams", "Wanderer", "1 · Wanderer", "mint", "orange", "p, Holm", "{n} min", "{player}: {end} in {share}",
    },
    "es": {
        "Arena", "Bridgehead {version}", "Buchholz", "Esc", "Idea", "Material", "No", "Sonneborn-Berger", "byte {number}", "mini",
        "no", "{n} min",
    },
    "fr": {
        "1 minute", "3 · Guide", "Actions", "Barricade", "Barricades", "Buchholz", "Destruction", "Directions", "Guide", "Joker",
        "Menu", "Message", "Mines", "Minutes", "Orange", "Pause", "Points", "Protection", "Sacrifice",
        "Sonneborn-Berger", "Table", "Table {n}", "Table {table}", "Torches", "action", "direct", "mini",
        "minutes", "option", "orange", "points", "{budget} positions", "{budget} simulations",
        "Bridgehead {version}", "six barricades", "{value} actions [{low}, {high}]",
        "{clause} ({points} points)", "{n} actions", "{n} min", "{n} minutes", "{value} minutes [{low}, {high}]",
    },
}  # fmt: skip
every_language = pytest.mark.parametrize("language", SAME)


def sentences(folder: Path, language: str) -> dict[str, str]:
    return tomllib.loads((folder / f"{language}.toml").read_text("utf-8"))


def parameters(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name is not None}


def words(template: str) -> list[str]:
    """The words of a template outside its parameters."""
    return WORD.findall("".join(text for text, *_ in string.Formatter().parse(template)))


def test_every_folder_of_sentences_is_looked_at() -> None:
    assert len(FOLDERS) >= 13 and {ENGLISH, *SAME} == {*languages()}


@every_language
def test_every_key_is_there_with_the_same_parameters(language: str) -> None:
    for folder in FOLDERS:
        english, own = sentences(folder, ENGLISH), sentences(folder, language)
        assert own.keys() == english.keys(), folder
        assert [key for key in own if parameters(own[key]) != parameters(english[key])] == [], folder


@every_language
def test_no_sentence_is_left_in_english(language: str) -> None:
    found = set()
    for folder in FOLDERS:
        english = sentences(folder, ENGLISH)
        found |= {text for key, text in sentences(folder, language).items() if text == english[key] and words(text)}
    assert found == SAME[language]
