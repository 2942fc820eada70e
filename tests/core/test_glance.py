"""A game at a glance: panels that the rules set up, and sentences short enough for one screen and one sheet."""

import re
from xml.etree import ElementTree

import pytest

from bridgehead.core import registry
from bridgehead.core.descriptions import about
from bridgehead.core.glance import ASPECT, FILE, GlanceError, glance, has_glance, read
from bridgehead.core.phrases import languages
from bridgehead.core.svg import draw_svg
from connect_four import SPEC

GAMES = ("barricade", "burning_bridges", "forty_bridges", "front_lines")
THREE = "[[panel]]\n" * 3
LONGEST = 190  # letters of a text: more than four lines on a desktop


@pytest.mark.parametrize("game", GAMES)
def test_a_game_shows_its_goal_a_turn_and_four_surprises_with_things_that_are_in_the_picture(game: str) -> None:
    spec = registry.spec(game)
    panels = glance(spec)
    assert len(panels) == 6
    for panel in panels:
        left, top, right, bottom = (getattr(panel.frame, side) for side in ("left", "top", "right", "bottom"))
        assert (right - left) / (bottom - top) == pytest.approx(ASPECT)
        for mark in panel.marks:
            if mark.id.startswith("ring:"):
                assert left < mark.x - mark.r and mark.x + mark.r < right and top < mark.y < bottom, mark.id
        drawn = draw_svg(panel.position, frame=panel.frame, marks=panel.marks).decode()
        assert f" {right - left:.2f}".rstrip("0").rstrip(".") in drawn and ("#0d6a52" in drawn) == bool(panel.marks)


@pytest.mark.parametrize("game", GAMES)
def test_pictures_of_a_page_share_what_they_draw(game: str) -> None:
    shapes = ElementTree.Element("defs")
    drawn = [
        draw_svg(each.position, frame=each.frame, marks=each.marks, shared=shapes).decode()
        for each in glance(registry.spec(game))
    ]
    page = ElementTree.tostring(shapes, "unicode") + "".join(drawn)
    defined = re.findall(r' id="(\w+)"', page)
    assert len(defined) == len({*defined}) and {*re.findall(r"#(s[0-9a-f]{10})\b", page)} == {*defined}
    assert max(map(len, drawn)) < 15_000 and len(page) < 120_000


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("game", GAMES)
def test_its_sentences_are_short(game: str, language: str) -> None:
    words = about(registry.spec(game), language)
    for number in range(1, 7):
        assert 0 < len(words.glance_title(number)) <= 40, (number, words.glance_title(number))
        assert 0 < len(words.glance_text(number)) <= LONGEST, (number, len(words.glance_text(number)))


def test_a_game_without_the_file_has_none() -> None:
    assert not has_glance(SPEC) and glance(SPEC) == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[panel]]\n", FILE),
        (THREE + "stpe = 1\n", FILE),
        (THREE + "step = 99\n", "panel 3.*tutorial has 10 steps"),
        (THREE + 'rings = ["f:z99"]\n', "panel 3.*f:z99"),
        (THREE + 'position = "nothing"\n', "panel 3"),
        (THREE + 'play = ["roll 9"]\n', "panel 3"),
        ("[[panel]]\n" * 7, "panel 7.*no glance.7.title"),
    ],
)
def test_a_panel_that_cannot_be_is_refused_by_its_number(text: str, told: str) -> None:
    with pytest.raises(GlanceError, match=f"(?s){told}"):
        read(registry.spec("barricade"), text)
