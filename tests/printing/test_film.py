"""Films and pictures: their frames, their captions, and refused spans."""

import io
import re
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from bridgehead.core import record, registry, svg
from bridgehead.core.chance import SeededDealer
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.look import read_style
from bridgehead.core.match import Match
from bridgehead.core.spec import OVER
from bridgehead.printing import film
from bridgehead.terminal import films

GAMES = ("barricade", "burning_bridges", "forty_bridges", "front_lines")


def played(name: str, actions: int = 12) -> Match:
    """A match whose seats always take the first action."""
    match, dealer = Match(registry.game(name)), SeededDealer(3)
    while len(match.log) < actions and match.actor != OVER:
        if not match.deal(dealer):
            match.play(match.position.legal[0])
    return match


def opened(made: bytes) -> Any:
    return Image.open(io.BytesIO(made))


@pytest.mark.parametrize("kind", film.KINDS)
@pytest.mark.parametrize("name", GAMES)
def test_a_film_has_a_frame_before_and_one_after_each_action_that_the_log_shows(name: str, kind: str) -> None:
    match = played(name)
    shots = film.list_shots(match, 1, 0, "en")
    logged = match.game.spec.words.is_logged
    shown = [i for i, entry in enumerate(match.log) if logged(match.positions[i], entry.action)]
    assert [shot.position for shot in shots] == [match.positions[0], *(match.positions[i + 1] for i in shown)]
    assert [shot.caption for shot in shots[1:]] == [
        f"{match.log[i].turn + 1}. {match.positions[i].sentence(match.log[i].action, 'en')}" for i in shown
    ]
    made = opened(film.render_film(shots[:5], "en", kind, 0.5, 320))
    assert made.n_frames == 5 and made.width == 320 and made.format == kind.upper()
    seen, times = set(), []
    for at in range(5):
        made.seek(at)
        made.load()
        seen.add(made.convert("RGB").tobytes())
        times.append(made.info["duration"])
    assert len(seen) == 5 and times == [500, 500, 500, 500, 1500]


def test_a_span_is_counted_in_turns() -> None:
    match = played("barricade", 30)
    turns = [entry.turn + 1 for entry in match.log]
    shots = film.list_shots(match, 3, 4, "de")
    assert shots[0].position == match.positions[turns.index(3)]
    assert shots[-1].position == match.positions[len(turns) - turns[::-1].index(4)]
    assert {shot.caption.partition(".")[0] for shot in shots[1:]} == {"3", "4"}
    assert film.list_shots(match, turns[-1], 0, "de") == film.list_shots(match, turns[-1], turns[-1], "de")


@pytest.mark.parametrize("span", [(0, 0), (1, 999), (3, 2), (999, 0)])
def test_turns_that_the_game_has_not_are_refused(span: tuple[int, int]) -> None:
    with pytest.raises(BridgeheadError, match="the game has the turns 1 to"):
        film.list_shots(played("barricade"), *span, "en")
    with pytest.raises(BridgeheadError, match="the game has the turns 1 to 0"):
        film.list_shots(Match(registry.game("barricade")), 1, 0, "en")


def test_a_film_that_is_too_long_is_refused_before_it_is_drawn() -> None:
    shots = film.list_shots(played("forty_bridges"), 1, 0, "en")
    with pytest.raises(BridgeheadError, match="13 frames; a film here has 12 at most"):
        film.render_film(shots, "en", "gif", 1, 320, most=12)


def test_a_picture_has_the_colours_of_the_screen_and_the_same_bytes_again() -> None:
    position = played("front_lines").position
    made = film.render_picture(position, "en", 500)
    assert made == film.render_picture(position, "en", 500) != film.render_picture(position, "de", 500)
    image = opened(made)
    assert image.format == "PNG" and image.width == 500
    assert image.getpixel((0, 0)) == (0xDC, 0xDA, 0xC9), "the room of the game"
    colours = image.crop((0, 0, 500, 400)).getcolors(1 << 20)
    assert sum(count for count, (red, _, blue) in colours if 40 < red < 150 and blue < red) > 100_000, "mud and canvas"
    assert len(image.crop((20, 20, 120, 60)).getcolors(1 << 20)) > 100, "no flat colour"


@pytest.mark.parametrize("name", GAMES)
def test_a_card_has_the_size_that_chat_programs_show(name: str) -> None:
    assert opened(film.render_preview(played(name).position, "fr")).size == film.CARD


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_as_svg_stands_alone_and_shows_what_the_scene_has(name: str) -> None:
    position = played(name).position
    made = svg.draw_svg(position, "en", 640)
    root = ElementTree.fromstring(made)
    assert root.attrib["width"] == "640" and made == svg.draw_svg(position, "en", 640)
    assert not re.search(rb"var\(|class=|<style|url\((?!#)", made), "no style sheet is needed"
    shapes = {shape.attrib["id"]: shape for shape in root.iterfind("{*}defs/*")}
    used = {each.attrib["href"].removeprefix("#") for each in root.iter("{http://www.w3.org/2000/svg}use")}
    assert used | {*re.findall(r"url\(#(\w+)\)", made.decode())} == shapes.keys()
    still = [shapes[each.attrib["href"].removeprefix("#")] for each in root.findall("{*}use")[:2]]
    drawn = [each for group in (*still, root.findall("./*")[5:]) for each in group]
    scene = position.game.spec.scene
    picture = scene.picture(position.game, "en")
    items = [*picture.ground, *picture.fields, *scene.items(position, "en")]
    style = read_style(position.game.spec.folder)
    parts = [part for item in items for part in item.parts if style.resolve_style({}, part.cls, {}, "").get("display") != "none"]
    shown = (shapes.get(each.get("href", "#")[1:], each) for each in drawn)  # an outline in several styles is defined once
    kinds = Counter({"g": "use"}.get(each.tag.rpartition("}")[2], each.tag.rpartition("}")[2]) for each in shown)
    assert kinds["use"] == sum(bool(part.use) for part in parts)
    assert kinds["path"] == sum(bool(part.d and not part.use) for part in parts)
    texts = Counter(node.text for node in drawn if node.tag.endswith("text"))
    assert texts == Counter(part.text for part in parts if not part.use and not part.d)


def test_the_command_writes_a_picture_as_svg_of_the_turn_asked_for(tmp_path: Path) -> None:
    match = played("forty_bridges")
    said = films.write_film(record.dump(match), tmp_path / "a.svg", 1, 2, 1, 300, "en")
    assert said.startswith(f"written to {tmp_path / 'a.svg'}: 40 Bridges, frames: 1, ")
    shown = film.list_shots(match, 1, 2, "en")[-1].position
    assert (tmp_path / "a.svg").read_bytes() == svg.draw_svg(shown, "en", 300)


def test_the_command_writes_films_and_pictures(tmp_path: Path) -> None:
    text = record.dump(played("forty_bridges"))
    for name, count in (("a.gif", 4), ("a.webp", 4), ("a.PNG", 1)):
        said = films.write_film(text, tmp_path / name, 2, 4, 1, 200, "en")
        assert said.startswith(f"written to {tmp_path / name}: 40 Bridges, frames: {count}, ")
        assert getattr(Image.open(tmp_path / name), "n_frames", 1) == count
    with pytest.raises(BridgeheadError, match=r"ends in \.gif, \.webp, \.png or \.svg"):
        films.write_film(text, tmp_path / "a.mp4", 1, 0, 1, 200, "en")
    with pytest.raises(BridgeheadError, match="no such file or folder"):
        films.write_film(text, tmp_path / "no" / "a.png", 1, 0, 1, 200, "en")
