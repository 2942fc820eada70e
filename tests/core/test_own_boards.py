"""An own board stays as it was drawn: presets leave it alone, what a house rule changes is said, and commands give it again."""

from __future__ import annotations

import json
import math
import random
import shlex
from pathlib import Path
from typing import Any

import pytest

from bridgehead.core import options as house
from bridgehead.core import registry
from bridgehead.core.descriptions import about
from bridgehead.core.editing import NoStroke, plain, reflect
from bridgehead.core.errors import BridgeheadError
from bridgehead.core.game import Game
from bridgehead.core.own_boards import (
    find_own_board,
    headline,
    list_board_notes,
    name_file,
    write_arguments,
    write_board,
)
from bridgehead.core.phrases import Phrase, catalogue, languages, phrase
from bridgehead.core.problems import problems
from bridgehead.core.spec import Spec
from bridgehead.terminal.board import named_game
from bridgehead.workshop.commands import labs, tunes
from bridgehead.workshop.lab import because
from bridgehead.workshop.lab.answers.answer import Answer, Thresholds
from bridgehead.workshop.lab.plan import Arm, Plan, Strength, check_plan
from bridgehead.workshop.lab.tune import pieces
from bridgehead.workshop.lab.tune.search import ConfirmedSetting
from bridgehead.workshop.lab.tune.settings import Setting, vary_boards
from bridgehead.workshop.lab.tune.words import list_commands, name_board_file

DRAWN = [spec for spec in registry.specs().values() if spec.is_editable]
each_game = pytest.mark.parametrize("spec", DRAWN, ids=lambda spec: spec.id)
BARRICADE = registry.spec("barricade")
NAMES = ["Windmill", "Vier Türen!", "-- --", "a/b; rm", "橋", "it's", "x=y, z"]


def own(**changes: Any) -> dict[str, Any]:
    """The shipped board for four with another name: eleven barricades."""
    return {**BARRICADE.editor.starts()["classic"], "name": "Windmill", **changes}


def draw(spec: Spec, rng: random.Random) -> Any:
    """A playable board after some random strokes at one of those to begin with."""
    editor = spec.editor
    starts = [name for name, data in editor.starts().items() if not problems(spec, editor.read(data))]
    while True:
        draft = editor.read(editor.starts()[rng.choice(starts)])
        for _ in range(rng.randint(0, 12)):
            tool = rng.choice([each for each in editor.tools(draft, "en") if each.kind in ("touch", "text")])
            picture, items = editor.sketch(draft, tool.id, "en")
            there = [item.id for item in (*picture.fields, *items) if item.label]
            touch = (rng.choice(NAMES),) if tool.kind == "text" else tuple(rng.choice(there) for _ in range(tool.touches))
            try:
                draft = editor.stroke(draft, tool.id, touch)
            except NoStroke:
                continue
        if not problems(spec, draft):
            return plain(draft)


def vary_rules(spec: Spec, board: Any, rng: random.Random) -> Game:
    """The board under some random house rules."""
    rules = spec.editor.rules(spec.editor.read(board))
    tried = {name: values for name, values in house.tries(spec).items() if values and name not in rules}
    while True:
        extra = {name: rng.choice(tried[name]) for name in rng.sample(sorted(tried), rng.randint(0, 4))}
        try:
            return registry.game(spec.id, **{**rules, **extra})
        except BridgeheadError:
            continue


def run_in(folder: Path, arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> Game:
    """The game that these arguments of a command give in a folder."""
    monkeypatch.chdir(folder)
    given = dict(zip(arguments[1::2], arguments[2::2], strict=True))
    assert set(given) <= {"--board", "--rules"}
    return named_game(arguments[0], given.get("--rules", ""), given.get("--board", ""))


@each_game
@pytest.mark.parametrize("seed", range(12))
def test_a_command_with_the_board_file_gives_the_same_game(
    spec: Spec, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(seed)
    board = draw(spec, rng)
    game = vary_rules(spec, board, rng)
    assert find_own_board(game) == board or board in [*spec.editor.starts().values()]
    write_board(game, tmp_path / name_file(game)) if find_own_board(game) is not None else None
    typed = shlex.split(shlex.join([spec.id, *write_arguments(game)]))
    assert not any(word.startswith("-") for word in typed[2::2])
    assert run_in(tmp_path, typed, monkeypatch).key == game.key


@pytest.mark.parametrize("name", ["barricade", "burning_bridges"])
@pytest.mark.parametrize("seed", range(4))
def test_the_commands_of_a_proposal_give_its_game_with_the_file_that_the_page_saves(
    name: str, seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec, rng = registry.spec(name), random.Random(seed)
    base = vary_rules(spec, draw(spec, rng), rng)
    for number, change in enumerate(vary_boards(base, seed, 3), 1):
        proposal = ConfirmedSetting(Setting((change,)), {}, [])
        game = proposal.setting.make_game(base)
        assert game is not None
        file = name_board_file(proposal, base, number)
        assert file.endswith(f"-{number}.json")
        (tmp_path / file).write_text(json.dumps(find_own_board(game)))
        for command, text in list_commands(proposal, base, file).items():
            program, verb, *arguments = shlex.split(text)
            assert (program, verb) == ("bridgehead", command)
            assert run_in(tmp_path, arguments, monkeypatch).key == game.key


@pytest.mark.parametrize("seed", range(6))
def test_the_commands_of_reports_name_the_board_and_all_rules(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a study, of a search and of the advice in a report; the board file has the name that the report gives it."""
    rng = random.Random(seed)
    spec = rng.choice([BARRICADE, registry.spec("burning_bridges"), registry.spec("forty_bridges")])
    game = vary_rules(spec, draw(spec, rng), rng)
    if find_own_board(game) is not None:
        write_board(game, tmp_path / name_file(game))
    plan = check_plan(Plan(spec.id, "", (Arm("mine", game.differences),), (Strength("random", 2),)))
    study = labs._command(plan, "random=2", None, "", "")
    search = tunes._command(pieces.request(game, "fair", False), game)
    red = Answer(2, "bad", phrase("none"), [])
    advice = because.remedies(game, [red], Thresholds())[-1]
    assert isinstance(advice, Phrase)
    for text in (study, search, str(advice.params["command"])):
        words = shlex.split(text)
        words = words[words.index(spec.id) :]
        kept = [part for at, word in enumerate(words) if word in ("--board", "--rules") for part in words[at : at + 2]]
        assert run_in(tmp_path, [spec.id, *kept], monkeypatch).key == game.key, text


@each_game
def test_a_preset_leaves_an_own_board_as_it_was_drawn(spec: Spec) -> None:
    for data in spec.editor.starts().values():
        if problems(spec, spec.editor.read(data)):
            continue
        drawn = spec.editor.rules(spec.editor.read(data))
        without = registry.game(spec.id, **drawn)
        for preset in spec.options.PRESETS:
            game = Game(spec, house.build(spec, preset, drawn))
            parts = house.list_board_parts(spec)
            assert {name: value for name, value in game.differences.items() if name in parts} == {
                name: value for name, value in without.differences.items() if name in parts
            }
            assert game.board == without.board and list_board_notes(game, "en") == list_board_notes(without, "en")


def test_the_recommended_rules_keep_all_barricades_of_an_own_board_also_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(own()))
    assert len(registry.game("barricade", preset="recommended").board.barricades) == 6
    assert len(Game(BARRICADE, house.build(BARRICADE, "recommended", {"board": own()})).board.barricades) == 11
    assert len(named_game("barricade", "recommended", str(file)).board.barricades) == 11
    assert len(named_game("barricade", "recommended barricades=9", str(file)).board.barricades) == 9
    assert len(named_game("barricade", "recommended", "classic").board.barricades) == 6


def test_what_house_rules_change_on_an_own_board_is_said_and_shown_on_it() -> None:
    game = registry.game("barricade", board=own(), barricades=9, seats=3, pawns=2)
    assert list_board_notes(game, "en") == [
        "2 of 11 barricades are left out.",
        "Each home has 2 pawns instead of 5.",
        "Home 2 stays empty.",
    ]
    assert all(len(list_board_notes(game, language)) == 3 for language in languages())
    labels = [field.label for field in BARRICADE.scene.picture(game, "en").fields]
    assert sum("left out" in label for label in labels) == 2
    assert list_board_notes(registry.game("barricade", board=own()), "en") == []
    assert list_board_notes(registry.game("barricade", preset="recommended"), "en") == []


def test_the_rules_of_an_own_board_name_it_wherever_they_stand() -> None:
    from bridgehead.server.rooms.views import rule_line

    game = registry.game("barricade", board=own(), barricades=9)
    assert headline(game) == "Windmill (Barricade)"
    for language in languages():
        line = rule_line(game, language)
        assert "Windmill" in line and list_board_notes(game, language)[0] in line
    assert headline(registry.game("barricade")) == "Barricade"


def test_the_editor_refuses_homes_that_no_table_can_seat() -> None:
    six = BARRICADE.editor.starts()["six"]
    draft = BARRICADE.editor.read(six)
    assert BARRICADE.editor.rules(draft)["seats"] == 6 and not problems(BARRICADE, draft)
    free = [field.id for field in BARRICADE.editor.sketch(draft, "", "en")[0].fields][0]
    assert not any(tool.id == "home:7" for tool in BARRICADE.editor.tools(draft, "en"))
    with pytest.raises(NoStroke) as no:
        BARRICADE.editor.stroke(draft, "home:7", (free,))
    assert "seats 6 at most" in catalogue(BARRICADE.folder).tell(no.value.phrase, "en")
    used = {tuple(point) for home in six["homes"] for point in home["slots"]} | {tuple(point) for point in six["squares"]}
    empty = [[x, y] for y in range(six["height"]) for x in range(six["width"]) if (x, y) not in used]
    entry = next(p for p in six["squares"] if p not in [six["final"], *six["barricades"], *(h["entry"] for h in six["homes"])])
    more = {**six, "homes": [*six["homes"], {"id": 7, "color": "black", "entry": entry, "slots": empty[:8]}]}
    found = problems(BARRICADE, BARRICADE.editor.read(more))
    assert [each.phrase.key for each in found] == ["edit.bad.seats"] and found[0].show


@pytest.mark.parametrize("spec", [spec for spec in registry.specs().values() if spec.package.startswith("bridgehead.")])
def test_no_clause_shows_a_raw_value_of_a_house_rule(spec: Spec) -> None:
    raw = {value for values in house.tries(spec).values() for value in values if isinstance(value, str) and not value.islower()}
    names = {info.name for info in house.describe(spec) if not info.name.islower()}
    for language in languages():
        words = about(spec, language)
        for clause in spec.rulebook.clauses:
            text = words.clause(clause.id)
            assert not {word for word in raw | names if word in text.split()}, (clause.id, text)
            assert "`" not in text, (clause.id, text)
        for info in house.describe(spec):
            for value in (info.default, *house.tries(spec)[info.name]):
                shown = words.short(info.name, value)
                assert shown not in raw, (info.name, shown)


# -- board files -----------------------------------------------------------------------------------------------------


def paths(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a file."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path] * bool(path) + [found for key, value in inner for found in paths(value, (*path, key))]


def damage(data: Any, rng: random.Random) -> Any:
    """A copy with one place made wrong."""
    copy = json.loads(json.dumps(data))
    *way, last = rng.choice(paths(copy))
    place = copy
    for step in way:
        place = place[step]
    if rng.random() < 0.25 and isinstance(place, dict):
        place.pop(last)
    elif rng.random() < 0.2 and isinstance(place, dict):
        place["surprise"] = 1
    else:
        place[last] = rng.choice([None, True, -1, 3.5, 10**6, "", "x" * 300, [], {}, [[1]], {"id": 1}, "A1"])
    return copy


@pytest.mark.parametrize("name", ["barricade", "burning_bridges"])
@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_board_file_is_refused_in_words_that_name_the_place(name: str, seed: int) -> None:
    spec, rng = registry.spec(name), random.Random(seed)
    start = next(data for key, data in spec.editor.starts().items() if key != "empty")
    bad = damage({**start, "author": "Ada", "note": "Rainy days"}, rng)
    try:
        draft = spec.editor.read(bad)
    except BridgeheadError as error:
        assert error.where
        for language in languages():
            text = catalogue(spec.folder).tell(error.phrase, language)
            assert not any(sign in text for sign in ("`", "{", "Expected", "Object", "wrong.", "fault.")), text
            assert not any(word in text.split() for word in ("int", "array", "str", "object", "dict")), text
    else:
        assert plain(draft)["name"] == bad["name"]


def test_faults_of_types_are_told_without_words_of_programs() -> None:
    for data, where, words in (
        ({**own(), "squares": 3}, "squares", "a list belongs here, not a whole number"),
        ({**own(), "squares": [[0, "a"]]}, "squares[0][1]", "a whole number belongs here, not a text"),
        ({**own(), "final": "a1"}, "final", "a list or nothing (null) belongs here, not a text"),
        ({**own(), "name": "x" * 41}, "name", "at most 40 characters have room here"),
        ({**own(), "note": "x" * 201}, "note", "at most 200 characters have room here"),
        ({**own(), "squares": [[0]]}, "squares[0]", "2 entries belong here, not 1"),
        ({**own(), "width": 0}, "width", "the number is too small; the smallest is 1"),
        ({**own(), "ascii": []}, "ascii", "“ascii” is no part of a board"),
        ({key: value for key, value in own().items() if key != "homes"}, "homes", "“homes” is missing"),
    ):
        with pytest.raises(BridgeheadError) as error:
            BARRICADE.editor.read(data)
        assert (error.value.where, error.value.what) == (where, words)


@pytest.mark.parametrize("name", ["barricade", "burning_bridges", "forty_bridges", "front_lines"])
def test_the_author_and_the_note_of_a_board_are_drawn_kept_and_printed(name: str) -> None:
    from bridgehead.printing import book
    from printing.paper import read

    spec = registry.spec(name)
    draft = spec.editor.read(next(data for key, data in spec.editor.starts().items() if key != "empty"))
    assert "author" not in plain(draft)
    for tool, text in (("author", " Ada L. "), ("note", "For rainy days")):
        draft = spec.editor.stroke(draft, tool, (text,))
    assert {tool.id: tool.value for tool in spec.editor.tools(draft, "en")} | {"author": "Ada L."} == {
        tool.id: tool.value for tool in spec.editor.tools(draft, "en")
    }
    assert spec.editor.read(plain(draft)) == draft and plain(draft)["note"] == "For rainy days"
    with pytest.raises(NoStroke):
        spec.editor.stroke(draft, "note", ("x" * 201,))
    game = registry.game(name, **spec.editor.rules(draft))
    cover = read(book.make_book(game, parts=("board",)))[0].text
    assert "by Ada L." in cover and "For rainy days" in cover


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("forty_bridges", {"setup": "custom", "layout": {"layout": 3, "name": "Bad"}}),
        ("forty_bridges", {"setup": "custom", "layout": {"layout": "a1 b1", "pawns": 2}}),
        ("front_lines", {"layout": {"layout": [[[], "AH", "2H", "3H"]], "note": "bad"}}),
        ("front_lines", {"layout": {"note": "nothing"}}),
    ],
)
def test_a_signed_layout_with_a_fault_is_refused_in_words(name: str, rules: dict[str, Any]) -> None:
    with pytest.raises(BridgeheadError) as error:
        registry.game(name, **rules)
    assert error.value.what and "`" not in error.value.what


def test_a_signed_layout_is_the_same_game_and_its_name_stands_beside_its_title() -> None:
    from bridgehead.core.own_boards import headline

    bare = registry.game("forty_bridges", setup="custom", layout="a1,b1 e5")
    signed = registry.game("forty_bridges", setup="custom", layout={"layout": "a1,b1 e5", "name": "Duel"})
    assert headline(signed) == "Duel (40 Bridges)" and signed.start().text == bare.start().text


@pytest.mark.parametrize("axis", ["across", "down", "half"])
def test_the_mirror_makes_a_board_the_same_on_both_sides(axis: str) -> None:
    draft = BARRICADE.editor.read({**BARRICADE.editor.starts()["mini"], "name": "Half"})
    for point in ("s:8,2", "s:8,7"):
        draft = BARRICADE.editor.stroke(draft, "erase", (point,))
    mirrored = BARRICADE.editor.stroke(draft, f"mirror:{axis}", ())
    image, slots = reflect(draft.squares, axis), {slot for home in draft.homes for slot in home.slots}
    assert {*draft.squares} < {*mirrored.squares} and {*draft.barricades} <= {*mirrored.barricades}, "nothing is taken away"
    for points in (mirrored.squares, mirrored.barricades):
        assert {*map(image, points)} - slots <= {*points}
    assert BARRICADE.editor.stroke(mirrored, f"mirror:{axis}", ()) == mirrored and mirrored.homes == draft.homes


@pytest.mark.parametrize("axis", ["across", "down", "half"])
def test_a_drawn_graph_gets_the_mirror_images_of_its_pillars_and_lines(axis: str) -> None:
    editor = registry.spec("burning_bridges").editor
    draft = editor.read(editor.starts()["star5"])
    mirrored = editor.stroke(draft, f"mirror:{axis}", ())
    image, places = reflect([*draft.nodes.values()], axis), mirrored.nodes
    near = {name: min(places, key=lambda other: math.dist(places[other], image(places[name]))) for name in places}
    assert all(math.dist(places[near[name]], image(places[name])) < 1 for name in places)
    lines = {frozenset(line) for line in mirrored.edges}
    assert {frozenset(line) for line in draft.edges} <= lines == {frozenset(near[each] for each in line) for line in lines}
    assert mirrored.family == draft.family and len(lines) == len(mirrored.edges)
    again = editor.stroke(mirrored, f"mirror:{axis}", ())
    assert len(again.nodes) == len(mirrored.nodes) and len(again.edges) == len(mirrored.edges)


def test_pieces_are_mirrored_as_those_of_the_other_player_and_cards_as_their_partners() -> None:
    forty, front = registry.spec("forty_bridges").editor, registry.spec("front_lines").editor
    found = {axis: forty.stroke(forty.read("a1,B1 e2"), f"mirror:{axis}", ()).layout for axis in ("across", "down", "half")}
    assert found == {"across": "a1,B1,a2 e1,C1,e2", "down": "a1,B1,e4 e2,B4,a5", "half": "a1,B1,a4 e2,C4,e5"}
    cards = front.stroke(front.read(front.starts()["empty"]), "move", ("c:7H", "f:a1"))
    spots = {axis: front.stroke(cards, f"mirror:{axis}", ()).layout for axis in ("across", "down", "half")}
    laid = {
        axis: {(x, y): card for x, row in enumerate(rows) for y, card in enumerate(row) if card} for axis, rows in spots.items()
    }
    assert laid == {
        "across": {(0, 0): "7H", (11, 0): "7C"}, "down": {(0, 0): "7H", (0, 3): "7D"}, "half": {(0, 0): "7H", (11, 3): "7S"},
    }  # fmt: skip
    full = front.read(front.starts()["sorted"])
    assert front.stroke(full, "mirror:down", ()) == full, "no card lies twice"
    with pytest.raises(NoStroke):
        front.stroke(cards, "mirror:sideways", ())


@pytest.mark.parametrize("name", ["barricade", "burning_bridges"])
def test_steps_are_counted_for_each_seat(name: str) -> None:
    from bridgehead.core.own_boards import count_steps

    game = registry.game(name)
    steps = [count_steps(game, seat) for seat in range(game.seats)]
    assert None not in steps and len(set(steps)) == 1
