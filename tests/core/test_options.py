"""House rules: typed as words, checked, and told as a difference from the standard."""

import msgspec
import pytest

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.errors import OptionError, UnknownGame

FORTY = registry.spec("forty_bridges")


def test_rules_are_typed_with_commas_or_blanks() -> None:
    expected = {"sidesNeeded": 4, "suicide": "safe", "bentJumps": True}
    assert house.read(FORTY, "sidesNeeded=4,suicide=safe,bentJumps=true") == expected
    assert house.read(FORTY, " sidesNeeded=4 suicide=safe, bentJumps=true ") == expected
    assert house.read(FORTY, "") == {}


def test_a_value_may_hold_commas_and_blanks() -> None:
    assert house.read(FORTY, "setup=custom layout=a1,b1 e5,d5 suicide=safe") == {
        "setup": "custom",
        "layout": "a1,b1 e5,d5",
        "suicide": "safe",
    }
    assert house.read(registry.spec("barricade"), "homes=1,4,pass=always") == {"homes": "1,4", "pass": "always"}


def test_none_is_no_limit_where_a_rule_allows_it_and_a_word_where_it_is_one() -> None:
    assert house.read(FORTY, "quietLimit=none,maxCaptures=none,repetition=none") == {
        "quietLimit": None,
        "maxCaptures": None,
        "repetition": "none",
    }


def test_a_preset_is_named_like_a_rule_and_explicit_rules_win_over_it() -> None:
    barricade = registry.spec("barricade")
    assert house.read(barricade, "classic")["pass"] == "onlyIfBlocked"
    assert house.read(barricade, "pass=always,classic")["pass"] == "always"
    assert house.read(barricade, "homes=1,4 classic")["homes"] == "1,4"
    assert house.build(barricade, "classic", {"revisit": "noReversal"}).revisit == "noReversal"


@pytest.mark.parametrize("words", ["nonsense", "noRule=1", "=3", "sidesNeeded"])
def test_words_that_are_no_rules_are_refused(words: str) -> None:
    with pytest.raises(OptionError):
        house.read(FORTY, words)


@pytest.mark.parametrize("value", ["--5", "²", "9" * 50, "3.0", "", "three"])
def test_a_number_that_is_none_is_refused_with_what_is_allowed(value: str) -> None:
    with pytest.raises(OptionError, match="allowed: 1 to 8") as caught:
        house.build(FORTY, "", house.read(FORTY, f"sidesNeeded={value}"))
    assert caught.value.where == "sidesNeeded"


def test_differences_and_their_one_line_leave_the_standard_out() -> None:
    options = house.build(FORTY, "", {"quietLimit": None, "suicide": "removed", "bentJumps": True})
    assert house.list_differences(options) == {"quietLimit": None, "bentJumps": True}
    assert house.canonical(options) == '{"bentJumps":true,"quietLimit":null}'
    assert house.canonical(house.build(FORTY)) == "{}"


def test_options_are_frozen() -> None:
    with pytest.raises(AttributeError):
        house.build(FORTY).suicide = "safe"


def test_rules_are_described_with_what_is_allowed() -> None:
    infos = {info.name: info for info in house.describe(FORTY)}
    assert infos["quietLimit"].allowed == "none, 2 to 1000" and infos["quietLimit"].default == 100
    assert infos["maxCaptures"].allowed == "none, 2"
    assert infos["suicide"].values == ("removed", "forbidden", "safe")
    assert infos["bentJumps"].allowed == "true, false"


def test_a_type_inside_annotations_keeps_its_limits() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"quietLimit": 1}, FORTY.options.Options)


def test_an_unknown_game_is_refused_with_those_installed() -> None:
    with pytest.raises(UnknownGame, match="forty_bridges"):
        registry.spec("chess")
    assert registry.spec(" Forty-Bridges ") is FORTY
