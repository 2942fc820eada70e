"""Sentences: filled by parameters, in two languages, English where one is missing."""

from pathlib import Path

import pytest

from bridgehead.core.phrases import EXTRA, Catalogue, languages, phrase

EN = """
"taken" = "{seat} takes {n} pieces"
"taken_one" = "{seat} takes {n} piece"
"only.english" = "hello"
"seat.a" = "Black"
"""
DE = """
"taken" = "{seat} schlägt {n} Steine"
"taken_one" = "{seat} schlägt {n} Stein"
"seat.a" = "Schwarz"
"""


@pytest.fixture
def words(tmp_path: Path) -> Catalogue:
    return Catalogue(package(tmp_path / "game", en=EN, de=DE))


def package(folder: Path, **files: str) -> Path:
    """A package with sentences."""
    (folder / "languages").mkdir(parents=True)
    for language, text in files.items():
        (folder / "languages" / f"{language}.toml").write_text(text, "utf-8")
    return folder


def test_parameters_may_be_phrases_themselves(words: Catalogue) -> None:
    said = phrase("taken", seat=phrase("seat.a"), n=2)
    assert words.tell(said) == "Black takes 2 pieces"
    assert words.tell(said, "de") == "Schwarz schlägt 2 Steine"


def test_one_has_a_sentence_of_its_own(words: Catalogue) -> None:
    assert words.tell(phrase("taken", seat="B", n=1)) == "B takes 1 piece"
    assert words.tell(phrase("taken", seat="B", n=1), "de") == "B schlägt 1 Stein"


def test_a_missing_language_or_sentence_falls_back_to_english(words: Catalogue) -> None:
    assert words.tell(phrase("only.english"), "de") == "hello"
    assert words.tell(phrase("only.english"), "xx") == "hello"
    with pytest.raises(KeyError):
        words.tell(phrase("no.such.key"))


def test_text_in_a_parameter_is_never_a_template(words: Catalogue) -> None:
    assert words.tell(phrase("taken", seat="{n}{0.__class__}", n=3)) == "{n}{0.__class__} takes 3 pieces"


def test_plain_text_and_numbers_are_said_as_they_are(words: Catalogue) -> None:
    assert words.tell("c3") == "c3" and words.tell(4) == "4"


def test_later_packages_win_and_names_can_stand_for_keys(words: Catalogue, tmp_path: Path) -> None:
    over = package(tmp_path / "over", en='"seat.a" = "Noir"\n')
    said = phrase("taken", seat=phrase("seat.a"), n=2)
    assert Catalogue(tmp_path / "game", over).tell(said) == "Noir takes 2 pieces"
    assert words.tell(said, names={"seat.a": "Ada"}) == "Ada takes 2 pieces"


def test_english_of_a_later_package_wins_over_a_translation_of_an_earlier_one(words: Catalogue, tmp_path: Path) -> None:
    """Otherwise a sentence would be filled with the parameters of another one."""
    over = package(tmp_path / "over", en='"taken" = "{seat} removes {count}"\n')
    said = phrase("taken", seat="B", count="three")
    assert Catalogue(tmp_path / "game", over).tell(said, "de") == "B removes three"


def test_a_language_is_there_as_soon_as_the_core_has_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert languages()[:2] == ("en", "de")
    for name, text in (("core", '"yes" = "oui"'), ("game", '"taken" = "{seat} prend {n} pions"')):
        (tmp_path / "more" / name).mkdir(parents=True)
        (tmp_path / "more" / name / "xx.toml").write_text(text, "utf-8")
    monkeypatch.setenv(EXTRA, str(tmp_path / "more"))
    languages.cache_clear()
    try:
        assert "xx" in languages()
        words = Catalogue(package(tmp_path / "game", en=EN))
        assert words.tell(phrase("taken", seat=phrase("seat.a"), n=2), "xx") == "Black prend 2 pions"
    finally:
        monkeypatch.undo()
        languages.cache_clear()
