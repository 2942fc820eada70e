"""What many tables have in common is made once."""

from bridgehead.core import registry
from bridgehead.core.match import Match
from bridgehead.server.rooms.views import TableText


def test_a_board_is_drawn_once_for_all_tables_that_play_on_it() -> None:
    def picture(language: str, **rules: object) -> object:
        return TableText(Match(registry.game("barricade", **rules)), ["A"] * 4, language).picture

    assert picture("en") is picture("en")
    assert picture("en") is not picture("de") and picture("en") is not picture("en", board="mini")
