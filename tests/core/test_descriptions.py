"""What is said of a game itself: in German as in English, for every house rule, preset and heading."""

import pytest

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.descriptions import about
from bridgehead.core.measured import often_has_no_winner
from bridgehead.core.phrases import catalogue, languages
from bridgehead.core.tutorial import tutorial

GAMES = sorted(spec.id for spec in registry.specs().values() if spec.package.startswith("bridgehead."))
every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_every_house_rule_and_preset_has_a_title_and_a_sentence(name: str) -> None:
    spec = registry.spec(name)
    de, en = about(spec, "de"), about(spec, "en")
    keys = catalogue(spec.folder).keys()
    for names in ([words.name(info.name) for info in house.describe(spec)] for words in (de, en)):
        assert len({*names}) == len(names)
    for info in house.describe(spec):
        assert de.name(info.name) != info.name
        assert de.text(info.name, "") and de.text(info.name, info.description) != info.description, info.name
        assert en.name(info.name) != info.name and en.text(info.name) == info.description
        for value in info.values:
            if isinstance(value, str):
                assert de.value(info.name, value) != value, (info.name, value)
                assert f"option.{info.name}.value.{value}" in keys, (info.name, value)
    for preset in spec.options.PRESETS:
        assert de.preset(preset) != preset and en.preset(preset) != preset
        assert de.preset_text(preset) and en.preset_text(preset) not in ("", de.preset_text(preset))


@every_game
def test_nothing_is_said_of_what_the_game_does_not_have(name: str) -> None:
    spec, words, book = registry.spec(name), catalogue(registry.spec(name).folder), registry.game(name).rulebook
    options = {info.name: info for info in house.describe(spec)}
    scenes = tutorial(spec)[1]
    known = {f"title.{clause.id}" for clause in book.clauses} | {f"clause.{clause.id}" for clause in book.clauses}
    known |= {f"section.{clause.section}" for clause in book.clauses} | {"game.players", "game.line"}
    known |= {f"option.{option}.{part}" for option in options for part in ("title", "text")}
    known |= {f"option.{option}.value.{each}" for option, info in options.items() for each in info.allowed.split(", ")}
    known |= {f"option.{name}.none" for name, kinds in house.kinds(spec).items() if type(None) in kinds}
    known |= {f"preset.{preset}.{part}" for preset in ("original", *spec.options.PRESETS) for part in ("title", "text")}
    known |= {"preset.recommended.title", "preset.recommended.brief"} | (
        {"preset.recommended.again"} if often_has_no_winner(spec) else set()
    )
    known |= {key for scene in scenes for key in (scene.text, scene.hint, scene.after, *scene.wrong.values())}
    kinds = tuple({key.partition(".")[0] + "." for key in known} - {"."})
    for language in languages():
        assert {key for key in words.keys(language) if key.startswith(kinds)} <= known


@every_game
def test_every_language_has_every_clause(name: str) -> None:
    book = registry.game(name).rulebook
    for clause in book.clauses:
        texts = [about(registry.spec(name), language).clause(clause.id) for language in languages()]
        assert clause.text and len({*texts}) == len(texts), clause.id
        titles = [about(registry.spec(name), language).title(clause.id) for language in languages()]
        assert bool(clause.title) == all(titles), clause.id


def test_values_are_told_in_words_and_what_nobody_translated_in_english() -> None:
    spec = registry.spec("barricade")
    de, en = about(spec, "de"), about(spec, "en")
    assert de.value("pass", "onlyIfBlocked") == "nur wer nicht ziehen kann"
    assert [de.value("exactFinal", value) for value in (True, False, None, 3)] == ["ja", "nein", "keine", "3"]
    assert [en.value("exactFinal", value) for value in (True, None)] == ["yes", "none"]
    assert de.describe_allowed("pawns", "none, 1 to 8", ()) == "keine, 1 bis 8"
    assert about(spec, "xx").name("pass") == en.name("pass") and about(spec, "xx").line == en.line
