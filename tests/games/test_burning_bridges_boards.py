"""Burning Bridges: boards of one's own, house rules that do not fit, and position texts."""

import copy
import json
from collections import deque
from collections.abc import Callable
from typing import Any

import pytest
from bridges_table import at

from bridgehead.core import registry
from bridgehead.core.errors import BoardError, BridgeheadError, OptionError, PositionError
from games.asked import legal, played

SQUARE: dict[str, Any] = {
    "name": "square",
    "families": 2,
    "nodes": {"NW": [0, 0], "NE": [1, 0], "SE": [1, 1.5], "SW": [0, 1.5]},
    "edges": [["NW", "NE"], ["NE", "SE"], ["SE", "SW"], ["SW", "NW"]],
    "family": [
        {"id": 0, "color": "red", "start": {"L": "NW", "M": "NW", "S": "NW"}, "goals": ["SE"]},
        {"id": 1, "color": "blue", "start": {"L": "SE", "M": "SE", "S": "NE"}, "goals": ["NW", "SW"]},
    ],
}


# -- boards -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("BB-S.1", "BBQ-34", "BBQ-35")
@pytest.mark.parametrize(
    ("name", "pillars", "lines", "distances"),
    [("star5", 36, 85, [6, 6, 6]), ("star4", 29, 68, [5, 5, 4]), ("star3", 22, 51, [4, 5, 4]), ("star6", 43, 102, [6, 6, 6])],
)
def test_the_shipped_boards_are_those_of_the_rulebook(name: str, pillars: int, lines: int, distances: list[int]) -> None:
    board = registry.game("burning_bridges", board=name, seats=2).board
    assert (len(board.pillars), len(board.lines)) == (pillars, lines)
    for family in board.families:
        far = {family.start[0]: 0}
        todo = deque(far)
        while todo:
            here = todo.popleft()
            for there in (end for line in board.lines if here in line for end in line if end not in far):
                far[there] = far[here] + 1
                todo.append(there)
        assert [far[goal] for goal in family.goals] == distances


@pytest.mark.clause("BB-S.2")
def test_markers_can_be_rearranged_on_a_board_of_ones_own() -> None:
    game = registry.game("burning_bridges", seats=2, board=SQUARE, firstPlayer="seat0")
    pieces = game.start().facts()["pieces"]
    assert (pieces["bL"], pieces["bS"]) == (["SE", None], ["NE", None])
    position = played(game.start(), "walk L NE", "take bS", "build NE-NW", "term none", "end", "cross S NE a")
    assert position.facts()["bridges"] == {"NW-NE a": [False, 0, True]}


def largest() -> dict[str, Any]:
    """A ring of 64 pillars with 192 lines."""
    names = [f"P{i}" for i in range(64)]
    edges = [[names[i], names[(i + step) % 64]] for step in (1, 2, 3) for i in range(64)]
    starts = [{"L": names[i], "M": names[i], "S": names[i]} for i in range(0, 50, 10)]
    return {
        "name": "ring",
        "families": 5,
        "nodes": {name: [i, i * i] for i, name in enumerate(names)},
        "edges": edges,
        "family": [{"id": i, "color": "c", "start": start, "goals": [names[63 - i]]} for i, start in enumerate(starts)],
    }


@pytest.mark.clause("BB-S.2")
def test_the_largest_board_plays() -> None:
    board = largest()
    position = at("moves a 2", "aM P1, aL P63", bridges="P63-P2 e 0", board=board, untorchChoice="hostage", immunityTurns=3)
    assert legal(position, "build") == {"build P63-P1"}
    position = played(position, "torch P63-P2 e", "build P63-P1")
    assert position.game.load(position.text) == position


def test_a_position_takes_a_thousand_bytes_at_most() -> None:
    boards: list[dict[str, Any]] = [{}, {"seats": 2}, {"board": largest()}, {"pins": "10each", "roundLimit": 100_000}]
    assert {registry.game("burning_bridges", **options).new_states(1).itemsize for options in boards} == {1000}


@pytest.mark.clause("BBQ-31")
def test_idle_turns_have_less_room_where_very_many_bridges_could_lie() -> None:
    position = at("moves a 2", bridges="P63-P2 e 15, P62-P1 e 0", board=largest(), idleLimit=15, idleCount="table")
    assert position.facts()["bridges"] == {"P62-P1 e": [False, 0, False], "P63-P2 e": [False, 15, False]}
    assert position.play("end").facts()["bridges"] == {"P62-P1 e": [False, 1, False]}
    assert registry.game("burning_bridges", board="star6", idleLimit=99)
    for seats, most in ((5, 15), (4, 31), (3, 63)):
        assert registry.game("burning_bridges", seats=seats, board=largest(), idleLimit=most)
        with pytest.raises(OptionError, match=f"at most {most} with {seats} seats on a board of 192 lines") as refused:
            registry.game("burning_bridges", seats=seats, board=largest(), idleLimit=most + 1)
        assert refused.value.where == "idleLimit"


def changed(change: Callable[[Any], object]) -> dict[str, Any]:
    board = copy.deepcopy(SQUARE)
    change(board)
    return board


BAD_BOARDS: dict[str, Callable[[Any], object]] = {
    "board.name": lambda b: b.update(name=""),
    "board.colour": lambda b: b.update(colour="red"),
    "board.edges": lambda b: b.pop("edges"),
    "board.nodes": lambda b: b.update(nodes={"NW": [0, 0]}),
    "board.nodes.N-W": lambda b: b["nodes"].update({"N-W": [5, 5]}),
    "board.nodes.NE": lambda b: b["nodes"].update(NE=[float("nan"), 0]),
    "board.nodes.SE": lambda b: b["nodes"].update(SE=[0, 0]),
    "board.nodes.SW": lambda b: b["nodes"].update(SW=[0]),
    "board.nodes.X": lambda b: b["nodes"].update(X=[9, 9]),
    "board.edges[0]": lambda b: b["edges"].insert(0, ["NW", "NW"]),
    "board.edges[1][1]": lambda b: b["edges"].insert(1, ["NW", "R9"]),
    "board.edges[2]": lambda b: b["edges"].insert(2, ["NW"]),
    "board.edges[4]": lambda b: b["edges"].append(["NW", "SW"]),
    "board.families": lambda b: b.update(families=3),
    "board.family": lambda b: b["family"].pop(),
    "board.family[0]": lambda b: b["family"].__setitem__(0, "red"),
    "board.family[0].id": lambda b: b["family"][0].update(id=1),
    "board.family[0].color": lambda b: b["family"][0].update(color="re\nd"),
    "board.family[0].goal": lambda b: b["family"][0].update(goal=["SE"]),
    "board.family[0].goals": lambda b: b["family"][0].update(goals=[]),
    "board.family[0].start": lambda b: b["family"][0].update(goals=["NW"]),
    "board.family[0].start.S": lambda b: b["family"][0].update(start={"L": "NW", "M": "NW"}),
    "board.family[1].start.M": lambda b: b["family"][1]["start"].update(M="Q"),
    "board.family[1].goals[0]": lambda b: b["family"][1].update(goals=["ZZ"]),
    "board.family[1].goals[1]": lambda b: b["family"][1].update(goals=["NW", "NW"]),
}


@pytest.mark.parametrize("where", BAD_BOARDS)
def test_a_bad_board_is_refused_with_its_place(where: str) -> None:
    with pytest.raises(BoardError) as refused:
        registry.game("burning_bridges", seats=2, board=changed(BAD_BOARDS[where]))
    assert refused.value.where == where
    assert refused.value.what


def test_boards_have_limits() -> None:
    nodes = {f"P{i}": [i, 0] for i in range(65)}
    with pytest.raises(BoardError, match="64 pillars"):
        registry.game("burning_bridges", seats=2, board=changed(lambda b: b.update(nodes=nodes)))
    with pytest.raises(BoardError, match="edges: at most 192"):
        registry.game("burning_bridges", seats=2, board=changed(lambda b: b.update(edges=[["NW", "NE"]] * 193)))


def test_every_spoiled_board_file_gives_a_named_error() -> None:
    """Each value of the file is replaced by each of some wrong ones."""
    wrong: list[Any] = [None, -1, 1e400, "", [], {}, "NW", [["NW"]], True]

    def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        return [path, *(place for key, each in inner for place in places(each, (*path, key)))]

    for path in places(SQUARE)[1:]:
        for bad in wrong:
            board = copy.deepcopy(SQUARE)
            parent = board
            for key in path[:-1]:
                parent = parent[key]
            parent[path[-1]] = bad
            try:
                registry.game("burning_bridges", seats=2, board=board)
            except BridgeheadError as error:
                assert error.where.startswith("board"), (path, bad, error)


# -- house rules ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"seats": 1}, "seats"),
        ({"seats": 6}, "seats"),
        ({"board": "star7"}, "board"),
        ({"board": "star3"}, "board"),
        ({"families": "0,1"}, "families"),
        ({"seats": 2, "families": "0,0"}, "families"),
        ({"seats": 2, "families": "0,4"}, "families"),
        ({"seats": 2, "families": "a,b"}, "families"),
        ({"seats": 2, "families": ""}, "families"),
        ({"seats": 2, "families": "0,²"}, "families"),
        ({"seats": 2, "board": SQUARE, "distinctGoals": True}, "distinctGoals"),
        ({"maxBridgesPerFamily": 0}, "maxBridgesPerFamily"),
        ({"pins": "shared"}, "pins"),
        ({"noneCost": 2}, "noneCost"),
        ({"immunityTurns": 10}, "immunityTurns"),
        ({"idleLimit": 0}, "idleLimit"),
        ({"roundLimit": 0}, "roundLimit"),
        ({"torchOwn": "yes"}, "torchOwn"),
    ],
)
def test_house_rules_that_do_not_fit_are_refused_by_name(options: dict[str, Any], where: str) -> None:
    with pytest.raises(OptionError) as refused:
        registry.game("burning_bridges", **options)
    assert refused.value.where == where


# -- position texts ---------------------------------------------------------------------------------------------------


def test_a_position_reads_like_a_sentence() -> None:
    position = at("moves b 2", "aL C, bS C aL", bridges="A0-C b 3 used, B0-R0 c 1 torch", terms="aL destroy A0-C", round=1)
    assert position.text == (
        "moves b 2 round 1 turns 6; pieces aL C, aM R0, aS R0, bL R4, bM R4, bS C aL, cL R8, cM R8, cS R8, "
        "dL R12, dM R12, dS R12, eL R16, eM R16, eS R16; bridges A0-C b 3 used, B0-R0 c 1 torch; terms aL destroy A0-C"
    )
    assert position.game.load(position.text) == position


@pytest.mark.parametrize(
    "position",
    [
        at("take a 1 L 0", "aL C, bM C"),
        at("take a 0 L 1", "aL C, bM C aL, bS C"),
        at("ride a 1", "aS B0", bridges="B0-R0 a 2 used, B0-B1 c 0 torch"),
        at("terms b 2", "aL C, bS C aL, cM A0, bM R4"),
        at("over a 1 home a", "aL R9, aM R9, aS R9"),
        at("over e 0 round-limit none", round=4, roundLimit=4),
        at("moves a 2", bridges="B0-R0 b 0 torch by c", pins="10each"),
        at("moves b 1", "aL C, bS C aL", terms="aL none", noneCost=1),
        at("moves b 1", "aL C, bS C aL", bridges="B0-R0 a 0 torch", terms="aL untorch", untorchChoice="hostage"),
    ],
    ids=lambda position: str(position.text.split(";")[0]),
)
def test_every_phase_has_a_text_that_loads_back(position: Any) -> None:
    assert position.game.load(position.text) == position


IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "the largest piece is never taken": {"pieces": "bL C aL, aL C"},
    "cannot hold a piece of its own family": {"pieces": "aS C aL, aL C"},
    "aM is not larger than its hostage bM": {"pieces": "bM C aM, aM C"},
    "aL and its hostage bS stand on different pillars": {"pieces": "bS A0 aL, aL C"},
    "is a hostage itself and cannot hold cS": {"pieces": "aL C, bM C aL, cS C bM"},
    "aL holds more than two hostages": {"pieces": "aL C, bM C aL, bS C aL, cS C aL"},
    "aL and aM cannot both hold hostages": {"pieces": "aL C, aM A0, bM C aL, cS A0 aM"},
    "the board has no line 'A0-R0'": {"bridges": "A0-R0 a 0"},
    "named twice": {"bridges": "A0-C a 0, A0-C a 0"},
    "idle for more than 6 turns": {"bridges": "A0-C a 7"},
    "only one bridge fits on a line": {"bridges": "A0-C a 0, A0-C b 0", "parallelBridges": False},
    "a has more than 1 bridges": {"bridges": "A0-C a 0, A1-C a 0", "maxBridgesPerFamily": 1},
    "needs `by`": {"bridges": "A0-C a 0 torch", "pins": "10each"},
    "a family cannot torch its own bridge": {"bridges": "A0-C a 0 torch by a", "pins": "10each"},
    "did not expect 'by'": {"bridges": "A0-C a 0 torch by b"},
    "at most 2 turns": {"immune": "a>bS 3"},
    "a piece cannot take a piece of its own family": {"immune": "a>aS 1"},
    "the largest piece is never taken (safety)": {"immune": "a>bL 1"},
    "the piece is a hostage of that family": {"pieces": "aL C, bS C aL", "immune": "a>bS 1"},
    "expected 1 or 2 moves left": {"head": "moves a 0"},
    "no captor has terms to name": {"head": "terms a 2"},
    "aL has not named its terms": {"head": "moves b 2", "pieces": "aL C, bS C aL"},
    "it holds nobody of a": {"bridges": "A0-C a 0", "terms": "bL destroy A0-C"},
    "what it asks for is not on the board": {"head": "moves b 2", "pieces": "aL C, bS C aL", "terms": "aL destroy A0-C"},
    "none is settled at once": {"head": "moves b 2", "pieces": "aL C, bS C aL", "terms": "aL none"},
    "the captor names the torch": {"head": "moves b 2", "pieces": "aL C, bS C aL", "terms": "aL untorch"},
    "the hostage's family picks the torch": {
        "head": "moves b 2", "pieces": "aL C, bS C aL", "terms": "aL untorch A0-C", "bridges": "A0-C a 0 torch",
        "untorchChoice": "hostage",
    },
    "captors name their terms in seat order": {
        "head": "terms b 2", "pieces": "aL C, bS C aL, cL A0, bM A0 cL", "bridges": "A0-C b 0", "terms": "cL destroy A0-C",
    },
    "the family of a is home": {"pieces": "aL R9, aM R9, aS R9"},
    "the winner's family is not home": {"head": "over a 0 home a"},
    "the last round is not over": {"head": "over a 0 round-limit none"},
    "not the child with the fewest lines left": {"head": "over e 0 round-limit a", "round": 4, "roundLimit": 4},
    "the game ends after 3 rounds": {"round": 3, "roundLimit": 3},
    "a child cannot take a piece": {"head": "take a 1 S 0"},
    "aL can take nobody": {"head": "take a 1 L 0", "pieces": "aL C"},
    "aL holds 0 hostages": {"head": "take a 1 L 1", "pieces": "aL C, bS C"},
    "a is in another hostage situation": {
        "head": "take a 1 L 0", "pieces": "aL C, bS C, aM A0 cL, cL A0", "bridges": "A0-C a 0", "terms": "cL destroy A0-C",
    },
    "the child can destroy nothing": {"head": "ride a 1"},
    "the child has come over no bridge of its own": {"head": "ride a 1", "bridges": "B0-R0 b 0 torch"},
    "the board has no pillar 'R99'": {"pieces": "aL R99"},
    "expected a family from a to e": {"bridges": "A0-C f 0"},
    "expected a number from 0 to 99": {"bridges": "A0-C a x"},
    "expected a phase": {"head": "sleep a 1"},
}  # fmt: skip


@pytest.mark.parametrize("reason", IMPOSSIBLE)
def test_an_impossible_position_is_refused_with_its_reason(reason: str) -> None:
    with pytest.raises(PositionError) as refused:
        at(**{"head": "moves a 2", **IMPOSSIBLE[reason]})
    assert reason.split(" (")[0] in refused.value.what
    assert refused.value.where


@pytest.mark.clause("BBQ-11")
def test_more_torches_than_there_are_cannot_be() -> None:
    board = registry.game("burning_bridges").board
    fires = [f"{board.line_name(line)} b 0 torch" for line in range(51)]
    assert at("moves a 2", bridges=", ".join(fires[:50]))
    with pytest.raises(PositionError, match="more than 50 torches"):
        at("moves a 2", bridges=", ".join(fires))
    with pytest.raises(PositionError, match="a has placed more than 10 torches"):
        at("moves b 2", bridges=", ".join(f"{fire} by a" for fire in fires[:11]), pins="10each")


def test_before_the_draw_everything_stands_at_its_start() -> None:
    game = registry.game("burning_bridges")
    text = game.start().text
    assert text.startswith("first round 0 turns 0; pieces aL R0, ")
    with pytest.raises(PositionError, match="before the draw"):
        game.load(text.replace("aL R0", "aL R1"))
    with pytest.raises(PositionError, match="not drawn"):
        registry.game("burning_bridges", firstPlayer="seat0").load(text)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "head"),
        ("moves", "head"),
        ("moves a 2 round 0", "head"),
        ("moves a 2 round 0 turns 0 now", "head"),
        ("moves a 2 round 0 turns 0", "pieces"),
        ("moves a 2 round 0 turns 0; pieces aL R0; pieces aM R0", "pieces"),
        ("moves a 2 round 0 turns 0; pieces aL R0, aL R0", "pieces: aL R0"),
        ("moves a 2 round 0 turns 0; pieces aX R0", "pieces: aX R0"),
        ("moves a 2 round 0 turns 0; bridge A0-C a 0", "part 'bridge A0-C a 0'"),
        ("moves a 2 round 0 turns 99999999999", "head"),
    ],
)
def test_a_text_that_cannot_be_read_is_refused_with_its_place(text: str, where: str) -> None:
    with pytest.raises(PositionError) as refused:
        registry.game("burning_bridges").load(text)
    assert refused.value.where == where


@pytest.mark.parametrize(
    ("text", "sound"),
    [("round 0 turns 3", False), ("round 1 turns 5", True), ("round 1 turns 1", True), ("round 1 turns 0", False)],
)
def test_rounds_and_turns_go_together(text: str, sound: bool) -> None:
    game = registry.game("burning_bridges")
    whole = at("moves a 2").text.replace("round 0 turns 0", text)
    if sound:
        assert game.load(whole).text == whole
    else:
        with pytest.raises(PositionError, match="do not fit together"):
            game.load(whole)


def test_a_board_of_ones_own_is_part_of_the_record() -> None:
    game = registry.game("burning_bridges", seats=2, board=SQUARE)
    again = registry.game("burning_bridges", **json.loads(game.key[2]))
    assert again == game
