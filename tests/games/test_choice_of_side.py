"""Choice of side (the pie rule): in place of the second turn, both sides change their owners, and nothing else changes."""

import random
from typing import Any

import numpy as np
import pytest
from bridges_table import phase
from forty_table import start

from bridgehead.core import link, record, registry
from bridgehead.core.errors import NotationError, OptionError, PositionError
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.position import Position
from bridgehead.core.spec import UNKNOWN
from bridgehead.games.burning_bridges.board import find_exchange, make_board, shipped_file
from bridgehead.games.burning_bridges.board import read as read_board
from bridgehead.games.burning_bridges.options import seated_families
from bridgehead.games.forty_bridges import endgames, evaluate, progress, scene
from bridgehead.players import player
from games.asked import ended, legal, played, refused

TWO: dict[str, Any] = {"seats": 2, "pie": True}
LANGUAGES = ("en", "de", "fr", "es")


def families(**options: Any) -> Position:
    """Two families before the first turn, the first seat to begin."""
    return registry.game("burning_bridges", **{**TWO, "firstPlayer": "seat0", **options}).start()


# -- when it is offered ------------------------------------------------------------------------------------------------


@pytest.mark.clause("FBQ-28")
def test_only_the_second_turn_of_40_bridges_may_exchange_sides() -> None:
    first = start(pie=True)
    assert refused(first, "swap") == "FBQ-28"
    second = played(first, "b1-c1")
    assert "swap" in legal(second) and refused(played(second, "d5-c5"), "swap") == "FBQ-28"
    assert refused(played(second, "swap"), "swap") == refused(played(second, "swap", "b2-b3"), "swap") == "FBQ-28"
    assert refused(start(pie=True, first="random"), "swap") == "FBQ-2"
    with pytest.raises(NotationError):
        played(start(), "b1-c1", "swap")


@pytest.mark.clause("BBQ-52")
def test_only_the_second_turn_of_two_families_may_exchange_sides_and_before_any_move() -> None:
    first = families()
    assert refused(first, "swap") == "BBQ-52"
    second = played(first, "end")
    assert "swap" in legal(second)
    assert refused(played(second, "walk L R7"), "swap") == refused(played(second, "end"), "swap") == "BBQ-52"
    assert refused(played(second, "swap"), "swap") == refused(played(second, "swap", "end"), "swap") == "BBQ-52"
    with pytest.raises(NotationError):
        played(registry.game("burning_bridges", seats=2, firstPlayer="seat0").start(), "end", "swap")


@pytest.mark.clause("BBQ-52", "BBQ-1")
def test_whoever_is_drawn_second_has_the_choice() -> None:
    drawn = registry.game("burning_bridges", **TWO).start()
    for text, second in (("first 1", 1), ("first 2", 0)):
        position = played(drawn, text, "end")
        assert position.actor == second and "swap" in legal(position)
        assert played(position, "swap").actor == 1 - second
    forty = played(start(pie=True, first="random"), "first 2", "d5-c5")
    assert forty.actor == 0 and "swap" in legal(forty)


@pytest.mark.clause("BBQ-52")
@pytest.mark.parametrize(
    "options",
    [{"seats": 3}, {"seats": 5}, {"seats": 2, "families": "0,1"}, {"seats": 2, "board": "star6", "families": "0,2"}],
)
def test_without_two_families_that_the_board_exchanges_the_rule_is_refused(options: dict[str, Any]) -> None:
    registry.game("burning_bridges", **options)
    with pytest.raises(OptionError, match="half turn or mirror") as caught:
        registry.game("burning_bridges", **options, pie=True)
    assert caught.value.where == "pie"


# -- what it does ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("FBQ-28")
def test_each_player_of_40_bridges_gets_the_pieces_of_the_other_seen_from_the_own_corner() -> None:
    position = played(start(pie=True), "b2-c2", "swap")
    assert position.actor == 0 and position.facts()["quiet"] == 0
    moved = {field for field, seat in position.facts()["pieces"].items() if seat == 1} ^ {
        field for field, seat in start().facts()["pieces"].items() if seat == 1
    }
    assert moved == {"d4", "c4"}
    assert {field for field, seat in position.facts()["pieces"].items() if seat == 0} == {
        field for field, seat in start().facts()["pieces"].items() if seat == 0
    }


@pytest.mark.clause("BBQ-52")
def test_all_that_lies_on_the_board_changes_its_family() -> None:
    game = registry.game("burning_bridges", **TWO, board="star5", pins="10each", torchOwn=True)
    before = game.load(
        "moves b 2 round 0 turns 1; pieces aL B3, aM R5, aS R0, bL R4, bM B3 aL, bS R5; "
        "bridges R0-R1 a 3 torch by b, R3-R4 b 1 used torch by a, B0-R0 a 0; immune a>bS 2, b>aM 1; terms aL destroy R3-R4"
    )
    after = before.play("swap")
    assert phase(after) == "terms" and after.facts()["turn"] == 0, "the captor, now of family b, names its terms"
    image = {"B3": "B9", "R5": "R19", "R0": "R4", "R4": "R0"}
    other = {"a": "b", "b": "a"}

    def find_image(name: str) -> str:
        return other[name[0]] + name[1:]

    found = before.facts()["pieces"].items()
    pieces = {find_image(name): [image[pillar], captor and find_image(captor)] for name, (pillar, captor) in found}
    assert after.facts()["pieces"] == pieces
    assert after.facts()["bridges"] == {"R3-R4 b": [True, 3, False], "R0-R1 a": [True, 1, True], "B2-R4 b": [False, 0, False]}
    assert after.facts()["immune"] == {"b>aS": 2, "a>bM": 1} and after.facts()["terms"] == {}
    assert "torch by a" in after.text.partition("R3-R4 b")[2].partition(",")[0]
    assert "torch by b" in after.text.partition("R0-R1 a")[2].partition(",")[0]
    assert game.load(after.text) == after


def map_position(game: Game, position: Position) -> dict[str, Any]:
    """What stands on the board with both families exchanged, by the board's map and names alone."""
    image = find_exchange(game.board, seated_families(game.options, game.board))
    pillar = {name: game.board.pillars[image[number]] for number, name in enumerate(game.board.pillars)}
    facts, other = position.facts(), {"a": "b", "b": "a"}
    found = facts["pieces"].items()
    pieces = {other[name[0]] + name[1]: [pillar[at], held and other[held[0]] + held[1]] for name, (at, held) in found}
    bridges = {}
    for name, how in facts["bridges"].items():
        line, colour = name.split(" ")
        bridges[frozenset(pillar[end] for end in line.split("-")), other[colour]] = how
    return {"pieces": pieces, "bridges": bridges, "moves": facts["moves"], "phase": facts["phase"]}


def read_position(position: Position) -> dict[str, Any]:
    facts = position.facts()
    bridges = {(frozenset(name.split(" ")[0].split("-")), name[-1]): how for name, how in facts["bridges"].items()}
    return {"pieces": facts["pieces"], "bridges": bridges, "moves": facts["moves"], "phase": facts["phase"]}


def exchange_text(game: Game, text: str) -> str:
    """The action of the other family that corresponds to an action."""
    image = find_exchange(game.board, seated_families(game.options, game.board))
    names, lines = game.board.pillars, [game.board.line_name(line) for line in range(len(game.board.lines))]
    words = []
    for word in text.split(" "):
        if word in names:
            word = names[image[names.index(word)]]
        elif "-" in word:
            ends = [names[image[names.index(end)]] for end in word.split("-")]
            word = next(line for line in ("-".join(ends), "-".join(ends[::-1])) if line in lines)
        elif word in ("a", "b"):
            word = {"a": "b", "b": "a"}[word]
        elif len(word) == 2 and word[0] in "ab":
            word = {"a": "b", "b": "a"}[word[0]] + word[1]
        words.append(word)
    return " ".join(words)


@pytest.mark.clause("BBQ-52")
@pytest.mark.parametrize("board", ["star3", "star4", "star5", "star6"])
def test_after_the_exchange_the_game_goes_on_as_if_the_first_family_had_been_the_second(board: str) -> None:
    lot = random.Random(board)
    for _ in range(4):
        plain = families(board=board)
        while plain.facts()["turn"] == 0:
            plain = plain.play(lot.choice([text for text in legal(plain) if text != "end"] or ["end"]))
        game, taken = plain.game, plain.play("swap")
        assert taken.actor == 0
        for _ in range(60):
            assert read_position(taken) == map_position(game, plain)
            if plain.is_over:
                break
            assert legal(taken) == {exchange_text(game, text) for text in legal(plain) - {"swap"}}
            text = lot.choice(sorted(legal(plain) - {"swap"}))
            plain, taken = plain.play(text), taken.play(exchange_text(game, text))


@pytest.mark.clause("FBQ-28")
@pytest.mark.parametrize("options", [{}, {"setup": "row", "bentJumps": True}, {"retreat": False, "repetition": "forbid"}])
def test_after_the_exchange_40_bridges_goes_on_as_if_the_first_player_had_been_the_second(options: dict[str, Any]) -> None:
    fields = start().game.board.names
    turned = dict(zip(fields, fields[::-1], strict=True))
    lot = random.Random(str(options))
    for _ in range(4):
        plain = start(pie=True, **options)
        plain = plain.play(lot.choice(sorted(legal(plain))))
        taken = plain.play("swap")
        for ply in range(60):
            pieces = {turned[field]: 1 - seat for field, seat in plain.facts()["pieces"].items()}
            assert taken.facts()["pieces"] == pieces and taken.is_over == plain.is_over
            if plain.is_over:
                break
            moves = {text: "-".join(turned[field] for field in text.split("-")) if "-" in text else text for text in legal(plain)}
            if ply < 4:  # later the two may differ in what counts as a repetition
                assert legal(taken) == {moves[text] for text in moves if text != "swap"}
            text = lot.choice(sorted(text for text in moves if text != "swap" and moves[text] in legal(taken)))
            plain, taken = plain.play(text), taken.play(moves[text])


@pytest.mark.clause("FBQ-28", "FBQ-15")
def test_positions_before_the_exchange_are_not_counted() -> None:
    position = played(start(pie=True), "b1-c1", "swap")
    assert position.text.split(" ")[3:7] == ["2", "0", "-", "-"], "two turns, none of them quiet, nothing seen"
    again = ("b1-c1", "d4-c4", "c1-b1", "c4-d4")
    once = played(position, *again)
    assert not once.is_over and ended(played(once, *again)) == ("repetition", ())
    assert once.game.load(once.text) == once


@pytest.mark.clause("BBQ-52", "BBQ-31", "BBQ-50", "BBQ-38")
def test_no_bridge_ages_in_the_exchange_and_it_counts_as_the_turn() -> None:
    position = played(families(board="star5", lastMoves=2, roundLimit=2), "walk M R1", "build R0-R1", "swap")
    assert position.facts()["bridges"] == {"R3-R4 b": [False, 0, False]}
    assert (position.facts()["moves"], position.facts()["round"]) == (2, 1), "the longer first turn is given up"
    assert played(position, "end", "end").is_over


# -- players and pages -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", ["greedy", "strategist"])
def test_a_level_exchanges_sides_after_a_strong_first_turn_only(level: str) -> None:
    strong = played(families(board="star5", maxBridgesPerFamily=2), "walk M R1", "build R0-R1")
    idle = played(families(board="star5", maxBridgesPerFamily=2), "end")
    assert strong.name(player(level, 1).choose(strong)) == "swap"
    assert idle.name(player(level, 1).choose(idle)) != "swap"


def test_a_searching_player_of_40_bridges_takes_a_winning_side() -> None:
    position = start(pie=True, setup="custom", layout="d4,a1,b1 b3,c2,c3").play("d4-e4")
    assert position.name(player("captain", 1).choose(position)) == "swap"
    reply = played(position, "swap")
    reply = reply.play(sorted(legal(reply))[0])
    assert ended(played(reply, reply.name(player("captain", 1).choose(reply)))) == ("corner", (1,))


@pytest.mark.parametrize("name", ["forty_bridges", "burning_bridges"])
def test_the_exchange_is_a_button_of_its_moment_with_words_in_every_language(name: str) -> None:
    first = families() if name == "burning_bridges" else start(pie=True)
    second = first.play(sorted(legal(first))[0])
    while second.actor == 0:
        second = second.play("end")
    drawn, swap = second.game.spec.scene, second.read("swap")
    for language in LANGUAGES:
        assert "!swap" not in drawn.buttons(first, language)
        assert drawn.buttons(second, language)["!swap"] == drawn.choice(second, swap, language).label
        assert second.sentence(swap, language) and second.prompt
    assert drawn.choice(second, swap, "en").path == ("!swap",)
    assert drawn.find_touched_action(second, ("!swap",)) == swap


def test_a_record_with_an_exchange_is_read_again() -> None:
    for name, moves in (("forty_bridges", ["b2-c2", "swap", "b2-b3"]), ("burning_bridges", ["end", "swap", "walk L R1"])):
        rules = {"pie": True} | ({"seats": 2, "firstPlayer": "seat0"} if name == "burning_bridges" else {})
        match = Match(registry.game(name, **rules))
        for text in moves:
            match.play(match.position.read(text))
        for again, _ in (record.load(record.dump(match, ["", ""])), link.read(link.pack(match, ["", ""]))):
            assert again.position == match.position


def test_proofs_and_tables_of_40_bridges_wait_until_the_sides_are_settled() -> None:
    """A side that cannot lose says nothing about a seat, as long as the other may take it."""
    layout, moves = "a1,A1,e1 d5,D4", ("e1-e2", "d5-d4", "e2-e1")
    for pie in (False, True):
        position = start(pie=pie, setup="custom", layout=layout)
        for turn in range(3):
            known = not pie or turn >= 2
            tables = evaluate.endgames(position.game)
            found = int(evaluate.look_up_plies(position.read_only, position.game.law, tables.values, tables.starts))
            assert (progress.safe(position, 0) is not None, found != UNKNOWN) == (known, known)
            assert (endgames.find_stored_tables(position) is not None) == known
            position = position.play(moves[turn])


def test_the_search_tells_a_position_with_the_choice_from_the_same_one_without() -> None:
    game = registry.game("forty_bridges", pie=True)
    early = played(game.start(), "b1-c1")
    late = played(early, "d5-c5", "c1-b1", "c5-d5", "b1-c1")
    assert early.facts()["pieces"] == late.facts()["pieces"] and early.actor == late.actor
    assert evaluate.identity(early.read_only, game.law) != evaluate.identity(late.read_only, game.law)


@pytest.mark.parametrize("name", ["forty_bridges", "burning_bridges"])
def test_evaluations_give_whoever_has_the_choice_the_better_side(name: str) -> None:
    def second_of(pie: bool) -> Position:
        if name == "forty_bridges":
            return start(pie=pie, setup="custom", layout="d4,a1,b1 b3,c2,c3").play("d4-e4")
        return played(families(board="star5", pie=pie), "walk M R1", "build R0-R1")

    behind, ahead = second_of(False), second_of(True)
    value = behind.game.spec.evaluate.value
    assert value is not None
    worst = value(behind.read_only, behind.game.law, 1)
    assert worst < 0
    assert [value(ahead.read_only, ahead.game.law, seat) for seat in (0, 1)] == [worst, -worst]
    if judge := ahead.game.spec.evaluate.judge:
        expected = np.zeros(2)
        judge(ahead.read_only, ahead.game.law, expected)
        assert expected[1] == -expected[0] > 0


# -- set-ups and boards of people ----------------------------------------------------------------------------------------


@pytest.mark.clause("FBQ-28", "FBQ-13")
def test_a_second_player_without_a_move_may_exchange_unless_the_game_is_over_by_it() -> None:
    enclosed: dict[str, Any] = {"pie": True, "setup": "custom", "layout": "e3,d1,c2,D2,d2,c1,C2 e1", "sidesNeeded": 8}
    assert legal(played(start(**enclosed), "c2-e2")) == {"pass", "swap"}
    assert ended(played(start(**enclosed, noMoves="lose"), "c2-e2")) == ("blocked", (0,))


@pytest.mark.clause("FBQ-28")
def test_after_an_exchange_uneven_sides_are_read_again_and_nobody_has_lost_a_piece() -> None:
    position = played(start(pie=True, setup="custom", layout="a1,b1,A1 d5,e5"), "b1-c1", "swap")
    game = position.game
    assert game.load(position.text) == position
    assert not [item.id for item in scene.items(position, "en") if item.id.startswith("x:")]
    assert [[game.words.tell(each, "en") for each in scene.lines(position, seat)] for seat in (0, 1)] == [
        ["2 pieces"],
        ["3 pieces"],
    ]
    for early in ("a1,b1 D4,c5,d5 b 1 0 - - -", "a1,b1,A1 D4,c5,d5 a 2 0 - - -"):
        with pytest.raises(PositionError, match="began with"):
            game.load(early)


@pytest.mark.clause("FBQ-28")
def test_a_piece_taken_after_an_exchange_is_never_laid_beside_the_wrong_side() -> None:
    uneven = registry.game("forty_bridges", pie=True, setup="custom", layout="a1,b1,A1 c5,d5,e5,D4", sidesNeeded=1)
    certain = {"a1,b1 c5,d5,e5,D4": [1, 0], "a1,b1,c1,A1 d5,e5": [0, 1], "a1,b1,A1 d5,e5,D4": [0, 0]}
    for pieces, gone in certain.items():
        assert scene.count_gone(uneven.load(f"{pieces} a 4 0 - - -")) == gone, pieces
    before = uneven.load("a1,b1,b3,A1 d3,d5,D4 b 5 0 - - -")
    after = played(before, "d3-c3")
    assert scene.count_gone(after) == [0, 0], "three against three may have begun either way"
    shown = {item.id for item in scene.items(after, "en")}
    assert [trace.item for trace in scene.traces(before, before.read("d3-c3"), after)] == ["p:1:c3"] and "p:0:b3" not in shown


@pytest.mark.clause("BBQ-52")
@pytest.mark.parametrize("shared", [("L",), ("L", "M", "S")])
def test_a_mirror_is_found_where_both_families_have_pieces_on_its_axis(shared: tuple[str, ...]) -> None:
    file = shipped_file("star3")
    plain = make_board(read_board(file))
    image = find_exchange(plain, (0, 1))
    for family in file["family"][:2]:
        family["start"] |= dict.fromkeys(shared, "C")
    assert find_exchange(make_board(read_board(file)), (0, 1)) == image != ()
