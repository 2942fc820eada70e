"""What is said of a game itself: in German as in English, for every house rule, preset and heading."""

from __future__ import annotations

import pytest

from bridgehead.core import descriptions, registry
from bridgehead.core import options as house

GAMES = sorted(spec.id for spec in registry.specs().values() if spec.package.startswith("bridgehead."))
every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_every_house_rule_and_preset_has_a_german_name_and_description(name: str) -> None:
    spec = registry.spec(name)
    de, en = descriptions.about(spec, "de"), descriptions.about(spec, "en")
    names = [de.name(info.name) for info in house.describe(spec)]
    assert len({*names}) == len(names)
    for info in house.describe(spec):
        assert de.name(info.name) != info.name
        assert de.text(info.name, "") and de.text(info.name, info.description) != info.description, info.name
        assert en.name(info.name) == info.name and en.text(info.name, info.description) == info.description
        for value in info.values:
            if isinstance(value, str):
                assert de.value(info.name, value) != value, (info.name, value)
    for preset in spec.options.PRESETS:
        assert de.preset(preset) != preset
        assert de.preset_text(preset) and en.preset_text(preset) not in ("", de.preset_text(preset))


@every_game
def test_nothing_is_told_in_german_of_what_the_game_does_not_have(name: str) -> None:
    spec, told = registry.spec(name), descriptions.about(registry.spec(name), "de")._told
    options = {info.name: info for info in house.describe(spec)}
    assert told["options"].keys() == options.keys()
    assert told.get("presets", {}).keys() == spec.options.PRESETS.keys()
    for option, words in told["options"].items():
        assert {*words} <= {"name", "text", "values"}
        assert all(value in options[option].allowed.split(", ") for value in words.get("values", {})), option
    book = registry.game(name).rulebook
    assert told["titles"].keys() >= {clause.id for clause in book.clauses if clause.title}
    assert told["sections"].keys() >= {clause.section for clause in book.clauses if clause.section}
    assert all(clause in book for clause in told["titles"] if not clause.startswith("ALLQ"))


def test_values_are_told_in_words_and_what_nobody_translated_in_english() -> None:
    spec = registry.spec("barricade")
    de, en = descriptions.about(spec, "de"), descriptions.about(spec, "en")
    assert de.value("pass", "onlyIfBlocked") == "nur wer nicht ziehen kann"
    assert [de.value("exactFinal", value) for value in (True, False, None, 3)] == ["ja", "nein", "keine", "3"]
    assert [en.value("exactFinal", value) for value in (True, None)] == ["true", "none"]
    assert de.allowed("pawns", "none, 1 to 8", ()) == "keine, 1 bis 8"
    assert descriptions.about(spec, "fr").name("pass") == "pass" and descriptions.about(spec, "fr").line == spec.line
