"""Sentences: filled by parameters, in two languages, English where one is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridgehead.core.phrases import Catalogue, phrase

WORDS = """
[en]
"taken" = "{seat} takes {n} pieces"
"taken_one" = "{seat} takes {n} piece"
"only.english" = "hello"
[en.seat]
a = "Black"
[de]
"taken" = "{seat} schlägt {n} Steine"
"taken_one" = "{seat} schlägt {n} Stein"
"seat.a" = "Schwarz"
"""


@pytest.fixture
def words(tmp_path: Path) -> Catalogue:
    file = tmp_path / "words.toml"
    file.write_text(WORDS, "utf-8")
    return Catalogue(file)


def test_parameters_may_be_phrases_themselves(words: Catalogue) -> None:
    said = phrase("taken", seat=phrase("seat.a"), n=2)
    assert words.tell(said) == "Black takes 2 pieces"
    assert words.tell(said, "de") == "Schwarz schlägt 2 Steine"


def test_one_has_a_sentence_of_its_own(words: Catalogue) -> None:
    assert words.tell(phrase("taken", seat="B", n=1)) == "B takes 1 piece"
    assert words.tell(phrase("taken", seat="B", n=1), "de") == "B schlägt 1 Stein"


def test_a_missing_language_or_sentence_falls_back_to_english(words: Catalogue) -> None:
    assert words.tell(phrase("only.english"), "de") == "hello"
    assert words.tell(phrase("only.english"), "fr") == "hello"
    with pytest.raises(KeyError):
        words.tell(phrase("no.such.key"))


def test_text_in_a_parameter_is_never_a_template(words: Catalogue) -> None:
    assert words.tell(phrase("taken", seat="{n}{0.__class__}", n=3)) == "{n}{0.__class__} takes 3 pieces"


def test_plain_text_and_numbers_are_said_as_they_are(words: Catalogue) -> None:
    assert words.tell("c3") == "c3" and words.tell(4) == "4"


def test_later_files_win_and_names_can_stand_for_keys(words: Catalogue, tmp_path: Path) -> None:
    over = tmp_path / "over.toml"
    over.write_text('[en]\n"seat.a" = "Noir"\n', "utf-8")
    said = phrase("taken", seat=phrase("seat.a"), n=2)
    assert Catalogue(tmp_path / "words.toml", over).tell(said) == "Noir takes 2 pieces"
    assert words.tell(said, names={"seat.a": "Ada"}) == "Ada takes 2 pieces"
