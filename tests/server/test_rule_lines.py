"""A table names its rules in a player's words."""

import pytest

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.phrases import languages
from bridgehead.server.rooms.views import rule_line
from server.live import Serve
from server.test_classroom import KEY

GAMES = sorted(spec.id for spec in registry.specs().values() if spec.package.startswith("bridgehead."))


@pytest.mark.parametrize("game", GAMES)
def test_the_original_rules_are_called_as_written_with_any_number_of_seats(game: str) -> None:
    fewest, most = registry.spec(game).seats
    seats = {} if fewest == most else {"seats": fewest}
    assert {rule_line(registry.game(game, **each), "en") for each in ({}, seats)} == {"Rules as written"}
    assert len({rule_line(registry.game(game), language) for language in languages()}) == len(languages())


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_the_recommended_rules_have_their_name_and_a_few_words(game: str, language: str) -> None:
    title, _, brief = rule_line(registry.game(game, preset=house.RECOMMENDED), language).partition(":")
    assert title and 4 < len(brief) < 30 and "{" not in brief


def test_a_set_of_house_rules_has_its_name_and_others_are_listed_in_words() -> None:
    assert rule_line(registry.game("barricade", preset="recommended", seats=2), "en") == "Recommended rules: six barricades"
    assert rule_line(registry.game("barricade", preset="classic"), "en") == "Classic"
    assert rule_line(registry.game("barricade", barricades=6), "en") == "Recommended rules: six barricades"
    assert rule_line(registry.game("forty_bridges", retreat=False), "en") == "House rules: Going back: no"
    assert rule_line(registry.game("front_lines", preset="recommended", rows=6), "en").startswith("House rules: ")


def test_the_name_of_an_own_board_stands_on_every_page_of_its_tables(serve: Serve) -> None:
    live = serve(host_key=KEY)
    rules = {"setup": "custom", "layout": {"layout": "d5 a5", "name": "One step"}}
    made = live.table(**rules)
    name, tokens = "One step (40 Bridges)", made["tokens"]
    page = live.page(made, 0, 1)
    assert page.view["title"] == name and f"<title>{name}" in live.http.get(f"/t/{made['table']}").text
    assert live.ask("/api/mine", {"tables": [{"table": made["table"], "tokens": tokens}]})["tables"][0]["title"] == name
    cup = live.ask("/api/tournaments", {"name": "Cup", "game": "forty_bridges", "options": rules}, 201)
    assert live.ask(f"/api/tournaments/{cup['id']}")["title"] == name
    ready = live.ask(
        "/api/tournaments", {"name": "Cup", "game": "forty_bridges", "options": rules, "kind": "arena", "tables": 1}, 201
    )
    shown = live.ask("/api/class", {"key": KEY})
    assert ready["id"] and [each["title"] for each in [*shown["news"], *shown["empty"]]] == [name, name]
    page.act("d5-e5")
    assert live.ask(f"/api/tables/{made['table']}/frames")["title"] == name
