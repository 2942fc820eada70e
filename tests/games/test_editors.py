"""Boards drawn by hand, for every game that can be drawn: strokes keep boards well-formed, and problems are named."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.editing import NoStroke, plain
from bridgehead.core.errors import BoardError
from bridgehead.core.game import Game
from bridgehead.core.phrases import catalogue, languages
from bridgehead.core.problems import problems, refusal
from bridgehead.core.spec import Spec

DRAWN = [spec for spec in registry.specs().values() if spec.is_editable]
SHIPPED = {"barricade": ("mini", "classic", "six"), "burning_bridges": ("star3", "star4", "star5", "star6")}
each_game = pytest.mark.parametrize("spec", DRAWN, ids=lambda spec: spec.id)


class Hand:
    """Somebody who draws: a draft, strokes at it, and what is still missing."""

    def __init__(self, game: str, start: str = "empty") -> None:
        self.spec = registry.spec(game)
        self.draft = self.spec.editor.read(self.spec.editor.starts()[start])

    def stroke(self, tool: str, *touch: str) -> Hand:
        self.draft = self.spec.editor.stroke(self.draft, tool, touch)
        return self

    def refused(self, tool: str, *touch: str) -> str:
        """The sentence that refuses a stroke."""
        with pytest.raises(NoStroke) as no:
            self.spec.editor.stroke(self.draft, tool, touch)
        return self.tell(no.value.phrase)

    def tell(self, said: Any, language: str = "en") -> str:
        return catalogue(self.spec.folder).tell(said, language)

    @property
    def missing(self) -> list[str]:
        return [self.tell(each.phrase) for each in problems(self.spec, self.draft)]

    @property
    def board(self) -> Any:
        return plain(self.draft)

    def game(self) -> Game:
        return Game(self.spec, house.build(self.spec, "", self.spec.editor.rules(self.draft)))


def things(spec: Spec, draft: Any, tool: str) -> list[str]:
    """What can be touched."""
    picture, items = spec.editor.sketch(draft, tool, "en")
    return [item.id for item in (*picture.fields, *items) if item.label]


@each_game
def test_a_game_that_is_played_alike_is_drawn_alike(spec: Spec) -> None:
    """All four games can be drawn, in both languages, and every picture and tool has its words."""
    starts = spec.editor.starts()
    assert "empty" in starts
    for name, data in starts.items():
        draft = spec.editor.read(data)
        for language in languages():
            assert catalogue(spec.folder).has(f"edit.start.{name}")
            tools = spec.editor.tools(draft, language)
            assert len({tool.id for tool in tools}) == len(tools)
            assert all(tool.label and (tool.hint or tool.kind in ("number", "text")) for tool in tools)
            for tool in tools:
                picture, items = spec.editor.sketch(draft, tool.id, language)
                ids = [item.id for item in (*picture.fields, *items)]
                assert len(set(ids)) == len(ids)
                assert all(item.at in {field.id for field in picture.fields} for item in items if item.at)


def test_all_four_games_can_be_drawn() -> None:
    assert [spec.id for spec in DRAWN] == ["burning_bridges", "forty_bridges", "front_lines", "barricade"]


@each_game
def test_every_board_to_begin_with_goes_through_the_editor_unchanged(spec: Spec) -> None:
    for data in spec.editor.starts().values():
        assert plain(spec.editor.read(data)) == data


@pytest.mark.parametrize(("game", "name"), [(game, name) for game, names in SHIPPED.items() for name in names])
def test_every_shipped_board_goes_through_the_editor_unchanged(game: str, name: str) -> None:
    spec = registry.spec(game)
    shipped = json.loads((spec.folder / "boards" / f"{name}.json").read_text("utf-8"))
    assert spec.editor.starts()[name] == shipped
    draft = spec.editor.read(shipped)
    assert plain(draft) == shipped
    assert problems(spec, draft) == []


@each_game
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_random_strokes_never_crash_and_a_board_without_problems_starts_a_game(spec: Spec, data: st.DataObject) -> None:
    editor = spec.editor
    rng = random.Random(data.draw(st.integers(0, 2**32), label="seed"))
    draft = editor.read(editor.starts()[data.draw(st.sampled_from(sorted(editor.starts())), label="start")])
    for _ in range(data.draw(st.integers(1, 40), label="strokes")):
        tool = rng.choice(editor.tools(draft, "en"))
        there = things(spec, draft, tool.id)
        touch = {
            "touch": tuple(rng.choice(there) for _ in range(tool.touches)),
            "number": (str(rng.randint(tool.low - 1, tool.high + 1)),),
            "text": (rng.choice(["", "x" * 41, "ours", "…"]),),
            "lot": (str(rng.random()),),
            "press": (),
        }[tool.kind]
        before = plain(draft)
        try:
            after = editor.stroke(draft, tool.id, touch)
        except NoStroke as no:
            assert all(catalogue(spec.folder).tell(no.phrase, language) for language in languages())
            continue
        assert plain(draft) == before  # a stroke makes a new board and leaves the old one for undo
        assert editor.read(plain(after)) == after
        draft = after
    found = problems(spec, draft)
    assert all(catalogue(spec.folder).tell(each.phrase, language) for each in found for language in languages())
    assert all(each.phrase.key != "edit.other" for each in found)
    assert bool(found) == (refusal(spec, editor.rules(draft)) is not None)
    if not found:
        game = Game(spec, house.build(spec, "", json.loads(json.dumps(editor.rules(draft)))))
        assert game.start().legal


@each_game
@settings(max_examples=60, deadline=None)
@given(tool=st.text(max_size=12), touch=st.lists(st.text(max_size=12), max_size=3), data=st.data())
def test_strokes_that_no_page_makes_are_refused(spec: Spec, tool: str, touch: list[str], data: st.DataObject) -> None:
    draft = spec.editor.read(data.draw(st.sampled_from(list(spec.editor.starts().values()))))
    named = data.draw(st.sampled_from([tool, *(each.id for each in spec.editor.tools(draft, "en"))]))
    try:
        assert spec.editor.read(plain(spec.editor.stroke(draft, named, tuple(touch))))
    except NoStroke as no:
        assert catalogue(spec.folder).tell(no.phrase, "de")


@each_game
@settings(max_examples=60, deadline=None)
@given(
    data=st.recursive(
        st.none() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["name", "squares", "nodes", "x"]), inner, max_size=3)
        ),
        max_leaves=8,
    )
)
def test_what_is_no_board_is_refused_by_name(spec: Spec, data: Any) -> None:
    try:
        draft = spec.editor.read(data)
    except BoardError as error:
        assert error.what
    else:
        assert spec.editor.sketch(draft, "", "en")


@pytest.mark.parametrize(
    ("game", "change", "where"),
    [
        ("barricade", {"final": [9, 0]}, "final[0]"),
        ("barricade", {"final": [77, 0]}, "final[0]"),
        ("barricade", {"squares": [[0, 0], [0, 0]]}, "squares[1]"),
        ("barricade", {"squares": [[0, 0], [0, "a"]]}, "squares[1][1]"),
        ("barricade", {"ascii": []}, "ascii"),
        ("burning_bridges", {"edges": [["R0", "Z9"]]}, "edges[0][1]"),
        ("burning_bridges", {"edges": [["R0", "R1"], ["R1", "R0"]]}, "edges[1]"),
        ("burning_bridges", {"nodes": {"A": [0, 0], "B": [0, 0]}}, "nodes.B"),
        ("burning_bridges", {"families": 4}, "families"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(game: str, change: dict[str, Any], where: str) -> None:
    spec = registry.spec(game)
    first = next(data for data in spec.editor.starts().values() if data["name"] != "own board")
    with pytest.raises(BoardError) as error:
        spec.editor.read({**first, **change})
    assert error.value.where == where
    assert error.value.what


def test_the_file_of_a_drawn_board_is_one_that_the_command_line_takes(tmp_path: Path) -> None:
    from bridgehead.cli import _game as from_command_line

    for name, start, extra in (("barricade", "mini", ""), ("front_lines", "sorted", "rows"), ("forty_bridges", "arrow", "")):
        hand = Hand(name, start)
        if extra:
            hand.stroke("rows", "5")
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(hand.board))
        assert from_command_line(name, "", str(file)).key == hand.game().key
