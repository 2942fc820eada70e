"""Print and play: sizes measured on the pages, no field cut, the right number of everything, the rules in force."""

import io
import os
import random
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from bridgehead.core import options, registry
from bridgehead.core.components import Area, Mat
from bridgehead.core.descriptions import about
from bridgehead.core.game import Game
from bridgehead.core.look import Art, Look, Style, parse_colour, read_style, symbols
from bridgehead.core.phrases import languages
from bridgehead.core.scene import Picture
from bridgehead.games.barricade.scene import layout
from bridgehead.games.burning_bridges.components import lengths
from bridgehead.printing import PAPERS, boards, book, glance
from bridgehead.printing.boards import tiling
from bridgehead.printing.paths import parse_path
from bridgehead.printing.pen import find_box, to_printable
from bridgehead.printing.pieces import counts
from bridgehead.printing.sheet import MARGIN, PAPER, POINT, Sheets
from printing.paper import Sheet, read
from variants import at_random

GAMES = ("barricade", "burning_bridges", "forty_bridges", "front_lines")
# Two places of a board of 200 by 200, and the colours that its material has there.
MATERIALS = {
    "barricade": [((30, 7), (92, 149, 133)), ((188, 190), (19, 56, 63))],  # lacquer
    "burning_bridges": [((20, 113), (224, 211, 178)), ((130, 74), (149, 183, 186))],  # the river
    "forty_bridges": [((10, 12), (84, 132, 138)), ((191, 150), (34, 59, 73))],  # water
    "front_lines": [((60, 4), (114, 94, 71)), ((190, 196), (94, 78, 57))],  # mud
}
BOARDS = [
    *(("barricade", {"board": board, "seats": 2}) for board in ("classic", "mini", "six")),
    *(("burning_bridges", {"board": f"star{n}", "seats": 3}) for n in (3, 4, 5, 6)),
    ("forty_bridges", {}),
    *(("front_lines", {"rows": rows}) for rows in (1, 3, 12)),
]


def game(name: str, **values: Any) -> Game:
    spec = registry.spec(name)
    return Game(spec, options.build(spec, "", values))


def pages(made: Game, paper: str = "a4", language: str = "en", parts: tuple[str, ...] = book.PARTS) -> list[Sheet]:
    return read(book.make_book(made, paper, language, parts))


def count(name: str, **values: Any) -> Mapping[str, int]:
    made = game(name, **values)
    return counts(made.spec.components.things(made, "en"))


def size(*millimetres: float) -> tuple[float, ...]:
    return tuple(round(POINT * each, 2) for each in millimetres)


# -- sizes -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", PAPERS)
def test_places_of_barricade_are_20_mm_wide_on_paper_and_hold_a_pawn(paper: str) -> None:
    mini = game("barricade", board="mini", seats=2)
    cover, *tiles = pages(mini, paper, parts=("board",))
    rings = {
        size(across, across) for across in (34 / 1.8, 20, 38 / 1.8)
    }  # a bowl; where a barricade starts, and the goal; before a home
    homes = sum(len(tray.slots) for tray in layout(mini.board).trays)
    pawn = mini.spec.components.things(mini, "en")[0].width
    assert pawn < 34 / 1.8
    for tile in tiles:
        middles = {(round(box.left + box.right), round(box.bottom + box.top)) for box in tile.boxes if box.size in rings}
        assert len(middles) == len(mini.board.squares) + homes
        assert sorted(tile.size) == pytest.approx([POINT * side for side in sorted(PAPERS[paper])])
    assert not [box for box in cover.boxes if box.size in rings]


def test_the_board_of_40_bridges_is_40_cm_wide_and_its_pieces_go_on_its_squares() -> None:
    made = game("forty_bridges")
    tile = pages(made, parts=("board",))[1]
    assert max(box.size for box in tile.boxes) == size(400, 400)
    width = made.spec.components.things(made, "en")[0].width
    narrowest = min(area.right - area.left for area in made.spec.components.mat(made, "en").whole.values())
    assert width < 400 / 984 * narrowest / 2**0.5  # the circle inside a square that stands on its corner


def test_cards_have_poker_size_and_their_backs_lie_behind_them() -> None:
    sheets = [
        sheet
        for sheet in pages(game("front_lines"), "letter", parts=("pieces",))
        if "pack" in sheet.text or "field" in sheet.text
    ]
    faces, backs = sheets[1::2], sheets[2::2]  # after the cover
    assert len(faces) == len(backs) == 6 + 5
    for face, back in zip(faces, backs, strict=True):
        width = face.size[0]
        cards = {(round(box.left), round(box.bottom)) for box in face.boxes if box.size == size(63, 88)}
        behind = {(round(width - box.right), round(box.bottom)) for box in back.boxes if box.size == size(63, 88)}
        assert cards == behind and 0 < len(cards) <= 9
        assert all(box.left >= 0 and box.bottom >= 4 * POINT and box.top <= face.size[1] - 4 * POINT for box in face.boxes)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("name", "values"), BOARDS)
def test_every_field_lies_wholly_on_a_tile(name: str, values: dict[str, Any], paper: str) -> None:
    made = game(name, **values)
    mat = made.spec.components.mat(made, "en")
    plan = tiling(mat, paper)
    fields = {field.id for field in mat.picture.fields if field.parts} - {"f:start", "f:across"}
    assert fields and fields <= set(mat.whole)
    for area in mat.whole.values():
        left, top, right, bottom = (mat.mm * side for side in (area.left, area.top, area.right, area.bottom))
        assert any(begin <= left and right <= end for begin, end in plan.columns)
        assert any(begin <= top and bottom <= end for begin, end in plan.rows)
    for spans, whole, room in zip(
        (plan.columns, plan.rows), (mat.picture.width, mat.picture.height), plan.page.room, strict=True
    ):
        assert spans[0][0] == 0 and spans[-1][1] == pytest.approx(mat.mm * whole)
        assert all(0 < end - begin <= room + 1e-9 for begin, end in spans)
        assert all(later[0] <= sooner[1] - 9.9 for sooner, later in zip(spans, spans[1:], strict=False))


def test_tiles_show_no_more_than_their_part_and_say_where_they_belong() -> None:
    made = game("barricade")
    plan = tiling(made.spec.components.mat(made, "de"), "a4")
    tiles = pages(made, language="de", parts=("board",))[1:]
    assert len(tiles) == plan.pages == len(plan.columns) * len(plan.rows) > 1
    for number, tile in enumerate(tiles):
        row, column = divmod(number, len(plan.columns))
        assert f"Reihe {row + 1} von {len(plan.rows)}, Spalte {column + 1} von {len(plan.columns)}" in tile.text
        (left, right), (top, bottom) = plan.columns[column], plan.rows[row]
        assert tile.windows[0].size == size(right - left, bottom - top)
        assert tile.windows[0].left == pytest.approx(MARGIN * POINT)


def test_what_fits_on_a_page_is_not_tiled() -> None:
    mat = Mat(Picture(270, 180, (), ()), 1.0, {"f:a": Area(0, 0, 20, 20)})
    assert [tiling(mat, paper).pages for paper in PAPERS] == [1, 1, 2]  # letter is 259 mm between its margins
    assert tiling(mat, "a4").page.width > tiling(mat, "a4").page.height


# -- what lies in the box --------------------------------------------------------------------------------------------


def test_cards_are_those_of_the_rules() -> None:
    assert count("front_lines") == {"The field": 48, "The draw pack": 40, "Characters": 4, "Lives of the characters": 8}
    other = count("front_lines", drawPack="J11Q12K13", jokersInField=2, lives=3)
    assert other == {"The field": 50, "The draw pack": 52, "Characters": 4, "Lives of the characters": 12}
    made = game("front_lines")
    cards = [each for each in made.spec.components.things(made, "en") if each.back]
    assert {each.back_seat for each in cards} == {"", "second"}
    assert len({(each.parts, each.seat, each.back_seat) for each in cards}) == 88


def test_pieces_are_those_of_the_rules() -> None:
    assert count("forty_bridges") == {"Pieces: Black": 8, "Pieces: Blue": 8}
    assert count("forty_bridges", setup="custom", layout="a1,b1,A1 e5,d5") == {"Pieces: Black": 3, "Pieces: Blue": 2}
    assert count("barricade", seats=2, pawns=3) == {"Pawns: Blue": 3, "Pawns: Yellow": 3, "Barricades": 11}
    assert sum(count("barricade", board="mini").values()) == 2 * 3 + 6
    assert count("burning_bridges", seats=3)["Torches"] == 50
    own = count("burning_bridges", seats=3, pins="10each", maxBridgesPerFamily=4)
    assert [own[f"Torches: {letter}"] for letter in ("Black", "Blue", "Yellow")] == [10, 10, 10]
    assert (
        own["Family: Black"] == 3 and own["Bridges: Black"] == 12
    )  # four for the short lines, four for longer ones, four for the longest


@pytest.mark.parametrize("name", GAMES)
def test_families_are_told_apart_without_colour(name: str) -> None:
    made = game(name)
    mine = {each.seat: each.parts for each in made.spec.components.things(made, "en") if each.seat in tuple("abcdef")}
    for seat, parts in mine.items():
        assert {part.use for part in parts if part.use.startswith("shape-")} == {f"shape-{seat}"}
    suits = {frozenset(part.use for part in each.parts if "suit" in part.use) for each in made.spec.components.things(made, "en")}
    assert len(mine) == made.seats or len(suits) >= 4


def test_bridges_reach_from_pillar_to_pillar() -> None:
    made = game("burning_bridges", seats=3)
    board = made.spec.components.mat(made, "en")
    places = {each.id: (each.x, each.y) for each in board.picture.fields}
    lines = [[places[f"f:{made.board.pillars[end]}"] for end in line] for line in made.board.lines]
    far = [board.mm * ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in lines]
    strips = lengths(made)
    for line in far:
        assert any(line - 27 - 11 < strip < line for strip in strips), line


@pytest.mark.parametrize("rows", [1, 3, 12])
def test_grass_and_sandbags_stay_on_the_banks_which_are_narrow_on_paper(rows: int) -> None:
    made = game("front_lines", rows=rows)
    banks = [each for each in made.spec.components.mat(made, "en").picture.fields if each.id in ("f:start", "f:across")]
    for bank in banks:
        (left, top, width, height), *inside = (find_box(parse_path(part.d)) for part in bank.parts if part.d)
        assert width <= 96 and len(inside) > 1
        for x, y, wide, high in inside:
            assert left <= x and x + wide <= left + width and top <= y and y + high <= top + height


# -- rules and the whole ---------------------------------------------------------------------------------------------


def test_the_rules_say_what_is_in_force() -> None:
    made = game("forty_bridges", sidesNeeded=4)
    text = " ".join(sheet.text for sheet in pages(made, parts=("rules",))[1:])
    assert "Sides to close: 4 (rulebook: 3)" in text and "Bent jumps: no" in text
    assert text.count("House rule in force: Sides to close: 4") == sum(
        "sidesNeeded" in clause.options for clause in made.rulebook.clauses
    )
    for clause in made.rulebook.clauses:
        assert clause.id in text and clause.text.split()[-1] in text
    german = " ".join(sheet.text for sheet in pages(made, language="de", parts=("rules",))[1:])
    assert "Seiten zum Schlagen: 4 (Regelbuch: 3)" in german and "schlägt" in german
    assert "All house rules have the standard values of the rulebook." in pages(game("forty_bridges"), parts=("rules",))[2].text


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", GAMES)
def test_the_rules_begin_with_one_sheet_of_pictures_on_which_everything_has_room(name: str, language: str, paper: str) -> None:
    made = game(name)
    sheets, words = Sheets("", language, made.spec.folder), about(made.spec, language)
    with patch.object(sheets, "write", wraps=sheets.write) as writing:
        glance.pages(sheets, made, paper)
    (sheet,) = read(sheets.bytes())
    width, height = PAPERS[paper]
    assert len(sheet.windows) == 6
    for window in sheet.windows:
        assert window.left >= MARGIN * POINT - 1 and window.right <= (width - MARGIN) * POINT + 1
    lows = [call.args[2] for call in writing.call_args_list]
    assert max(lows) <= height - MARGIN
    for number in range(1, 7):
        assert to_printable(words.glance_title(number)) in [call.args[0] for call in writing.call_args_list]
    for number, window in enumerate(sheet.windows, start=1):  # no line of text runs into the next picture
        above = [low for low in lows if low < height - window.top / POINT]
        assert number < 3 or max(above) < height - window.top / POINT - 1


def test_nobody_reads_in_the_rules_what_lies_face_down() -> None:
    laid = [["AH", "2H", "3H", "4H"]]
    text = " ".join(sheet.text for sheet in pages(game("front_lines", rows=1, layout=laid)))
    assert "Field: …" in text and "2H" not in text


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("paper", PAPERS)
def test_nothing_is_printed_beside_the_paper(name: str, paper: str) -> None:
    for sheet in pages(game(name), paper, "de"):
        for box in [] if sheet.windows else sheet.boxes:
            assert box.left >= -0.1 and box.bottom >= -0.1 and box.right <= sheet.size[0] + 0.1 and box.top <= sheet.size[1] + 0.1
        assert "box." not in sheet.text and "page." not in sheet.text


def test_see_through_colours_stay_so_on_the_board() -> None:
    made = book.make_book(game("barricade"), parts=("board",))
    assert b"/ca .55" in made and b"/SMask" in made and b"/ShadingType 2" in made and b"/ShadingType 3" in made


@pytest.mark.wide
def test_the_same_command_writes_the_same_bytes(tmp_path: Path) -> None:
    made = []
    for seed in "12":
        file = tmp_path / f"{seed}.pdf"
        done = command("print", "burning_bridges", "--rules", "seats=3", "--paper", "letter", "--out", str(file), seed=seed)
        assert done.returncode == 0 and str(file) in done.stdout, done.stderr
        made.append(file.read_bytes())
    assert made[0] == made[1] and made[0].startswith(b"%PDF")


def test_what_cannot_be_printed_is_refused_in_a_line(tmp_path: Path) -> None:
    own = tmp_path / "own.json"
    own.write_text("{}")
    for words, told in (
        (("--paper", "a5"), "--paper: 'a5' is none of: a4, a3, letter, whole"),
        (("--parts", "board,dice"), "expected some of board, pieces, rules, box"),
        (("--board", str(own)), "board"),
        (("--out", str(tmp_path / "none" / "x.pdf")), "no such file or folder"),
    ):
        done = command("print", "barricade", *words)
        assert done.returncode == 2 and told in done.stderr and len(done.stderr.splitlines()) == 1, done.stderr


def command(*words: str, seed: str = "0") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONHASHSEED": seed, "NUMBA_DISABLE_JIT": "1"}
    line = [sys.executable, "-m", "bridgehead.cli", *words]
    return subprocess.run(line, env=env, capture_output=True, text=True, timeout=100, check=False)


# -- drawing ---------------------------------------------------------------------------------------------------------


def test_arcs_become_curves_of_the_same_shape() -> None:
    first, *curves = parse_path("M10 0A10 10 0 0 1 0 10")
    assert first.points == ((10, 0),) and len(curves) == 1
    one, other, end = curves[0].points
    middle = tuple((a + 3 * b + 3 * c + d) / 8 for a, b, c, d in zip((10, 0), one, other, end, strict=True))
    assert end == pytest.approx((0, 10)) and middle == pytest.approx((50**0.5, 50**0.5), rel=1e-3)
    assert len(parse_path("M10 0A10 10 0 1 0 0 10")) == 4  # the long way round
    assert parse_path("M1 1l2 0 0 2H0v-1z")[1:] == parse_path("M1 1L3 1L3 3L0 3L0 2Z")[1:]
    assert parse_path("M0 0q1 1 2 0t2 0") == parse_path("M0 0Q1 1 2 0Q3 -1 4 0"), "goes on as the last curve ended"
    assert parse_path("M0 0c0 1 1 1 1 0s1 -1 1 0") == parse_path("M0 0C0 1 1 1 1 0C1 -1 2 -1 2 0")
    assert parse_path("M5 5S1 1 2 2") == parse_path("M5 5C5 5 1 1 2 2")
    with pytest.raises(ValueError, match="not a path"):
        parse_path("M0 0R1 1 2 2")


def list_paints(look: Look, style: Style, art: Art) -> list[object]:
    """The colours and gradients of a style; "" where it has none of its own, and would be black."""
    told = [look.get("fill", ""), look.get("stroke", "none")]
    return [each and (style.find_gradient(each, art, "b") or parse_colour(each)) for each in told]


@pytest.mark.parametrize("name", GAMES)
def test_each_symbol_has_colours_or_gradients_of_its_own(name: str) -> None:
    art, style = symbols(game(name).spec.folder), read_style(game(name).spec.folder, PAPER)
    elements = [each for symbol in art.values() if symbol.tag.endswith("symbol") for each in symbol.iter() if each.get("class")]
    found = {
        each.attrib["class"]: list_paints(style.resolve_style({}, each.attrib["class"], {}, "b"), style, art) for each in elements
    }
    assert len(found) > 20 and [cls for cls, (fill, stroke) in found.items() if fill == "" or not (fill or stroke)] == []


@pytest.mark.parametrize("name", GAMES)
def test_each_class_of_a_scene_and_of_printed_parts_has_a_colour_or_a_gradient(name: str) -> None:
    made = game(name)
    scene, components, art = made.spec.scene, made.spec.components, symbols(made.spec.folder)
    picture, mat, style = scene.picture(made, "en"), components.mat(made, "en"), read_style(made.spec.folder, PAPER)
    positions = at_random(made, random.Random(7), 80).positions[::8]
    items = [*picture.ground, *picture.fields, *mat.picture.ground, *(each for at in positions for each in scene.items(at, "en"))]
    things = components.things(made, "en")
    parts = [part for each in (*(each.parts for each in items), *((*each.parts, *each.back) for each in things)) for part in each]
    bare = {each for each, symbol in art.items() if not any(element.get("class") for element in symbol.iter())}
    drawn = {part.cls for part in parts if not part.use or part.use in bare}
    found = {cls: list_paints(style.resolve_style({}, cls, {}, "b"), style, art) for cls in drawn}
    assert len(found) > 12 and [cls for cls, (fill, stroke) in found.items() if fill == "" or not (fill or stroke)] == []


def test_looks_are_those_of_the_stylesheets() -> None:
    style = read_style(game("front_lines").spec.folder, PAPER)
    assert style.resolve_style({}, "face", {}, "d")["fill"] == "#d55e00"
    assert style.resolve_style({"fill": "#fff"}, "", {}, "a")["fill"] == "#fff"
    assert (
        style.resolve_style({}, "bank far", {}, "")["fill"]
        == style.resolve_style({}, "", {"fill": "var(--g-grass-2)"}, "")["fill"]
    )
    assert style.resolve_style({}, "row-no", {}, "")["opacity"] == "1", "names of places are shown"
    glow = style.find_gradient("url(#fl-lamp)", symbols(game("front_lines").spec.folder), "")
    assert glow and [stop.opacity for stop in glow.stops] == [0.34, 0.153, 0]
    slot = read_style(game("barricade").spec.folder).resolve_style({}, "slot", {}, "d")["fill"]
    assert slot == "#9c4704", "66 % of orange in brown"


@pytest.mark.parametrize("name", GAMES)
def test_a_printed_board_shows_its_material(name: str) -> None:
    pytest.importorskip("pypdfium2")
    image = pytest.importorskip("PIL.Image")
    wish = book.SheetWish(paper="whole", scale=0.3, parts=("board",))
    packed = zipfile.ZipFile(io.BytesIO(book.draw_sheets(book.print_book(game(name), wish, "en"), 254)))
    board = image.open(io.BytesIO(packed.read("02.png"))).convert("RGB")
    for place, colour in MATERIALS[name]:
        assert board.resize((200, 200)).getpixel(place) == pytest.approx(colour, abs=12)


# -- as a designer wishes it -------------------------------------------------------------------------------------------


def own(**changes: Any) -> Game:
    """A board for four that a designer drew."""
    board = registry.spec("barricade").editor.starts()["classic"]
    return game("barricade", board={**board, "name": "Windmill", "author": "Ada L.", "note": "For rainy days", **changes})


def print_as(made: Game, **how: Any) -> list[Sheet]:
    return read(book.print_book(made, book.SheetWish(**how), "en"))


def test_every_sheet_has_the_name_of_an_own_board_and_what_is_wished_stands_in_its_place() -> None:
    found = print_as(own())
    assert found[0].text.startswith("Windmill (Barricade)") and "by Ada L." in found[0].text
    assert all("Windmill" in sheet.text for sheet in found if "Barricade:" in sheet.text or "rules, page" in sheet.text)
    mine = print_as(own(), title="Storm", author="Bob", words="# Goal\n\nBe first.", parts=("board", "box"))
    assert all("Storm" in sheet.text for sheet in mine)
    assert "by Bob" in mine[0].text and "Ada" not in mine[0].text and "For rainy days" in mine[0].text
    assert "Goal" in mine[-1].text and "Be first." in mine[-1].text, "the rules in own words"
    assert "11 × Barricades" in mine[-2].text, "the lid names what is inside"


def test_a_board_in_one_piece_has_its_size_with_the_bleed_around_it() -> None:
    mat = own().spec.components.mat(own(), "en")
    sides = mat.mm * mat.picture.width, mat.mm * mat.picture.height
    board = print_as(own(), paper="whole", bleed=3.0, parts=("board",))[1]
    assert board.size == pytest.approx(size(*(side + 6 for side in sides)), abs=0.02)


def draw_pages(made: Game, **how: Any) -> list[Any]:
    """The sheets as pictures of ten dots a millimetre."""
    pytest.importorskip("pypdfium2")
    image = pytest.importorskip("PIL.Image")
    packed = zipfile.ZipFile(io.BytesIO(book.draw_sheets(book.print_book(made, book.SheetWish(**how), "en"), 254)))
    return [image.open(io.BytesIO(packed.read(name))).convert("L") for name in packed.namelist()[1:]]


def test_tiles_and_cards_have_a_bleed_that_goes_on_where_they_are_cut() -> None:
    def dark(sheet: Any, x: float, y: float) -> bool:
        return bool(sheet.getpixel((round(10 * x), round(10 * y))) < 235)

    bare, bled = (draw_pages(own(), bleed=bleed, parts=("board",)) for bleed in (0.0, 3.0))
    assert len(bare) == len(bled) > 1
    plan = tiling(own().spec.components.mat(own(), "en"), "a4", 3.0)
    across, down = plan.columns[0][1] - plan.columns[0][0], plan.rows[0][1] - plan.rows[0][0]
    around = [
        (MARGIN - 2, MARGIN + 80),
        (MARGIN + 70, MARGIN - 2),
        (MARGIN + across + 2, MARGIN + 80),
        (MARGIN + 70, MARGIN + down + 2),
    ]
    assert all(dark(bled[0], *place) and not dark(bare[0], *place) for place in around)
    assert not dark(bled[0], MARGIN - 4, MARGIN + 80), "no wider than wished"
    wide = tiling(own().spec.components.mat(own(), "en"), "a4", 10.0)
    assert wide.bleed == boards.WIDEST_BLEED
    cards = draw_pages(game("front_lines"), bleed=3.0, parts=("pieces",))
    back = cards[2]
    left, top = (210 - 2 * 69) / 2, (297 - 3 * 94) / 2
    assert dark(back, left + 1.5, top + 47) and dark(back, left + 69 - 1.5, top + 47) and dark(back, left + 69 + 1.5, top + 47)
    assert len(cards) > len(draw_pages(game("front_lines"), parts=("pieces",))), "each card takes more room"


def test_a_board_is_scaled_with_its_pieces_and_fitted_where_that_saves_pages() -> None:
    half, whole = (print_as(own(), scale=scale, parts=("pieces",)) for scale in (0.5, 1.0))
    sides = [max(round(box.size[0], 1) for box in sheets[1].boxes if box.size[0] < 100) for sheets in (half, whole)]
    assert sides[0] == pytest.approx(sides[1] / 2, abs=0.2)
    mat = own().spec.components.mat(own(), "en")
    for paper in PAPERS:
        fitted = boards.fit_board(mat, paper)
        assert 0.85 * mat.mm <= fitted.mm <= mat.mm and tiling(fitted, paper).pages <= tiling(mat, paper).pages
    tall = Mat(Picture(100, 297 - 20 + 5, (), ()), 1.0, {})
    assert tiling(tall, "a4").pages == 2 and tiling(boards.fit_board(tall, "a4"), "a4").pages == 1, "no thin strip"


def test_each_sheet_is_a_picture_for_print_services() -> None:
    pytest.importorskip("pypdfium2")
    pdf = book.print_book(own(), book.SheetWish(paper="whole", bleed=3.0, parts=("board",)), "en")
    packed = zipfile.ZipFile(io.BytesIO(book.draw_sheets(pdf, 50)))
    assert packed.namelist() == ["01.png", "02.png"]
    assert all(packed.read(name).startswith(b"\x89PNG") for name in packed.namelist())
