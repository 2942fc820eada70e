"""What somebody who uses the library puts a hand on first."""

import itertools
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

import bridgehead
import ford
from bridgehead import batch, environments
from bridgehead.core import options as house
from bridgehead.core.errors import BridgeheadError, NotationError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.players import levels_of
from bridgehead.players.search import Search
from bridgehead.workshop.arena.search_players import make_entrant

FIRST = {
    "games": "bridgehead.games()",
    "game": "bridgehead.game('forty_bridges')",
    "player": "bridgehead.player('barricade')",
    "imported": "import bridgehead.games.barricade",
}


@pytest.mark.parametrize("order", list(itertools.permutations(["games", "game", "imported"])))
def test_the_public_names_work_in_every_order(order: tuple[str, ...]) -> None:
    calls = "; ".join(FIRST[each] for each in order)
    names = bridgehead.games()
    said = subprocess.run(
        [sys.executable, "-c", f"import bridgehead; {calls}; print(bridgehead.games()); {FIRST['player']}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout == f"{names}\n" and "forty_bridges" in names


def test_what_takes_an_action_takes_its_number_or_its_text() -> None:
    position = bridgehead.game("forty_bridges").start()
    legal, text = position.legal[0], position.name(position.legal[0])
    assert position.play(text) == position.play(np.int64(legal)) == position.play(legal)
    assert position.explain(text) is None
    other = next(action for action in range(position.game.action_count) if action not in position.legal)
    refused = position.explain(np.uint16(other))
    assert refused is not None and str(refused).endswith(".") and refused.clause in position.game.rulebook
    assert str(refused) == str(position.game.words.tell(refused.phrase))
    for wrong, said in ((None, "None is no action"), (3.0, "3.0 is no action"), ([1], "no action"), (True, "no action True")):
        for take in (position.play, position.explain):
            with pytest.raises(NotationError, match=said):
                take(wrong)  # type: ignore[arg-type]
    for wrong in (-1, position.game.action_count, 10**30):
        with pytest.raises(NotationError, match=f"has no action {wrong}"):
            position.explain(wrong)


def test_a_rulebook_is_read_clause_by_clause() -> None:
    book = bridgehead.game("barricade").rulebook
    assert len(book) == len([*book]) > 20 and repr(book) == f"<Rulebook of {len(book)} clauses>"
    assert all(book[clause.id] is clause for clause in book)


WHOLE = [int, *{np.dtype(code).type for code in np.typecodes["AllInteger"]}]


@pytest.mark.parametrize("kind", WHOLE)
def test_every_kind_of_whole_number_is_a_seed_an_action_and_a_house_rule(kind: type[Any]) -> None:
    game = bridgehead.game("barricade", seats=kind(2), board="mini")
    assert game == bridgehead.game("barricade", seats=2, board="mini")
    one, other = (environments.start(game, 3, seed=seed) for seed in (kind(7), 7))
    assert (one.states == other.states).all()
    assert (one.clone(seed=kind(3)).sample() == other.clone(seed=3).sample()).all()
    assert (batch.start(game, 3, kind(5)).playout().returns == batch.start(game, 3, 5).playout().returns).all()
    env, same = (bridgehead.env(game) for _ in range(2))
    env.reset(seed=kind(3))
    same.reset(seed=3)
    assert env.position == same.position


@pytest.mark.parametrize("wrong", [1.5, "7", None, True, np.float64(3), [1, 2], b"7"])
def test_what_is_no_whole_number_is_no_seed_and_says_so(wrong: object) -> None:
    game = bridgehead.game("forty_bridges")
    for start in (environments.start, batch.start):
        with pytest.raises(BridgeheadError, match="is no whole number|games need a seed each"):
            start(game, 3, wrong)  # type: ignore[operator]


def test_each_game_may_have_its_own_seed() -> None:
    game = bridgehead.game("barricade", board="mini", seats=2)
    assert (environments.start(game, 3, [7, 8, 9]).states == environments.start(game, 3, 7).states).all()


@pytest.mark.parametrize("name", bridgehead.games())
def test_what_a_program_holds_is_one_short_line_that_names_it(name: str) -> None:
    game = bridgehead.game(name)
    match = Match(game, [game.start().legal[0]])
    things: list[object] = [game, game.spec, game.start(), match, game.rulebook, game.layout, game.words, game.spec.rules]
    things += [game.start().state, game.law, batch.start(game, 2), environments.start(game, 2), Search(seed=5)]
    players = {level: bridgehead.player(name, level=level, seed=7) for level in levels_of(game.spec)}
    budgets = {name: make_entrant(name, 7) for name in ("search:50", "deep:1000", "turn:100", "lowest-risk")}
    for thing in (*things, *players.values(), *budgets.values()):
        said = repr(thing)
        assert "\n" not in said and " object at " not in said and len(said) < 2000, said
    assert repr(match) == f"<Match {name}, turn {match.position.turn + 1}, actions: 1>"
    assert repr(game) == f"<Game {name} rules {game.spec.version}, {game.seats} seats, {{}}>"
    for level, player in (players | budgets).items():
        assert repr(player) == f"<Player {level}, seed 7>"


def test_the_line_of_a_game_with_a_drawn_board_is_short_too() -> None:
    file = Path(bridgehead.__file__).parent / "games/barricade/boards/mini.json"
    board = json.loads(file.read_text("utf-8"))
    said = repr(bridgehead.game("barricade", seats=2, board={**board, "name": "own"}))
    assert said.startswith("<Game barricade") and said.endswith(" ...>") and len(said) < 160


@pytest.mark.parametrize("name", [*bridgehead.games(), "ford"])
def test_a_notebook_shows_a_position_and_a_game_as_a_picture_that_needs_no_other_file(name: str) -> None:
    game = Game(ford.SPEC, house.build(ford.SPEC)) if name == "ford" else bridgehead.game(name)
    position = game.start()
    made = position._repr_svg_()
    assert game._repr_svg_() == made and len(made) < 60_000
    root = ElementTree.fromstring(made.encode())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert not any(word in made for word in ("var(", "class=", "<style"))
    ids = {each.attrib["id"] for each in root.iterfind(".//*[@id]")}
    links, gradients = re.findall(r' href="([^"]*)"', made), re.findall(r"url\(([^)]*)\)", made)
    assert {*links, *gradients} == {f"#{name}" for name in ids} and len(ids) == made.count(" id=")
    assert position.play(position.legal[0])._repr_svg_() != made or position.is_chance


def test_the_prompt_is_a_property_as_its_neighbours_and_is_told_in_every_language() -> None:
    position = bridgehead.game("forty_bridges").start()
    assert position.prompt == position.tell_prompt("en") != position.tell_prompt("de")


def test_a_match_keeps_the_plain_number_of_whatever_action_it_is_given() -> None:
    match = Match(bridgehead.game("forty_bridges"))
    legal = match.position.legal[0]
    match.play(np.int64(legal))  # type: ignore[arg-type]
    assert type(match.log[0].action) is int and match.log[0].action == legal
    with pytest.raises(NotationError, match="no action"):
        match.play(None)  # type: ignore[arg-type]
