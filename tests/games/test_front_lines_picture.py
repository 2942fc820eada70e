"""The Front Lines: the picture on its side and upright."""

import random
from typing import Any

import pytest
from front_lines_table import go, start

from bridgehead.core.game import Game
from bridgehead.core.phrases import languages
from bridgehead.core.position import Position
from bridgehead.core.scene import Picture
from bridgehead.games.front_lines.scene import UPRIGHT_GROWN
from bridgehead.printing.paths import parse_path
from bridgehead.printing.pen import find_box

WIDTH = 8.7  # of a letter in the names of suits, on average at the most
RULES: list[dict[str, Any]] = [
    {},
    {"rows": 1},
    {"opposedSides": True, "lives": 9},
    {"drawPack": "J11Q12K13", "flip": "destination"},
]


def upright(game: Game) -> Picture:
    picture: Picture = game.spec.scene.picture(game, "en")
    assert picture.upright is not None
    return picture.upright


def places(position: Position) -> dict[str, tuple[float, float]]:
    """Where things lie on the upright picture."""
    return {item.id: (item.up.x, item.up.y) for item in position.game.spec.scene.items(position, "en")}


def test_the_upright_picture_has_the_same_fields_and_rows_that_run_upwards() -> None:
    for options in RULES:
        game = start(**options).game
        picture, rows = game.spec.scene.picture(game, "en"), int(game.law.rows)
        fields = {field.id: (field.x, field.y) for field in upright(game).fields}
        assert [field.id for field in picture.fields] == list(fields)
        columns, ups = (
            [fields[f"f:{column}1"][0] for column in "abcd"],
            [fields["f:start"][1], *(fields[f"f:a{row}"][1] for row in range(1, rows + 1)), fields["f:across"][1]],
        )
        assert columns == sorted(set(columns))
        assert ups == sorted(set(ups), reverse=True)
        assert all(
            fields[f"f:{column}{row}"] == (columns["abcd".index(column)], ups[row]) for column in "abcd" for row in (1, rows)
        )


def test_everything_lies_inside_both_pictures() -> None:
    rng = random.Random(8)
    for options in RULES:
        position = start(**options)
        picture = position.game.spec.scene.picture(position.game, "en")
        while not position.is_over:
            for item in position.game.spec.scene.items(position, "en"):
                assert 0 <= item.x <= picture.width and 0 <= item.y <= picture.height
                assert 0 <= item.up.x <= picture.upright.width and 0 <= item.up.y <= picture.upright.height, item.id
            position = position.play(rng.choice(position.legal))


def test_a_token_lies_on_its_upright_card_and_its_way_runs_upwards() -> None:
    position = go(start(), "3H", "b1=2H", "c2=4H")
    fields = {field.id: (field.x, field.y) for field in upright(position.game).fields}
    there = places(position)
    assert there["c:c2"] == fields["f:c2"]
    assert there["p:H"][0] == fields["f:c2"][0] and abs(there["p:H"][1] - fields["f:c2"][1]) < 20
    (trail,) = (item for item in position.game.spec.scene.items(position, "en") if item.id == "s:trail")
    wide, tall = ([float(n) for n in part.d[1:].replace("L", " ").split()] for part in (trail.parts[0], trail.up.parts[0]))
    assert wide[2] > wide[0] and tall[3] < tall[1]
    waiting = places(start())
    assert all(abs(waiting[f"p:{suit}"][1] - fields["f:start"][1]) < 20 for suit in "HDSC")
    assert len({waiting[f"p:{suit}"] for suit in "HDSC"}) == 4


def test_cards_of_the_upright_picture_do_not_overlap() -> None:
    cells = [(field.x, field.y) for field in upright(start().game).fields if field.id not in ("f:start", "f:across")]
    for i, (x, y) in enumerate(cells):
        assert all(abs(x - a) >= 62 * UPRIGHT_GROWN or abs(y - b) >= 84 * UPRIGHT_GROWN for a, b in cells[:i])


@pytest.mark.parametrize("language", languages())
def test_the_names_on_the_four_plates_are_of_one_size_and_end_before_the_lives(language: str) -> None:
    items = start().game.spec.scene.items(start(), language)
    plates = [each.up.parts if each.up and each.up.parts else () for each in items if each.id in ("t:H", "t:D", "t:S", "t:C")]
    names = [next(part for part in parts if part.cls == "plate-name") for parts in plates]
    assert len(names) == 4 and len({part.scale for part in names}) == 1
    lives = min(find_box(parse_path(part.d))[0] for parts in plates for part in parts if part.cls == "life")
    assert all(part.x + WIDTH * part.scale * len(part.text) < lives - 4 for part in names)
