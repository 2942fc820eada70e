"""Fortresses of 40 Bridges: kept positions hold by the rules, none that holds is missing, and all ways to compute them agree."""

import itertools
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bridgehead.core import record, registry
from bridgehead.core.errors import OptionError
from bridgehead.core.game import Position
from bridgehead.games.forty_bridges.board import FIELDS
from bridgehead.games.forty_bridges.rules import fields_of
from bridgehead.workshop.forty_bridges import fortress
from bridgehead.workshop.forty_bridges.fortress import BOARD, Fortress, build, family, load
from bridgehead.workshop.forty_bridges.fortress_check import (
    MIRROR,
    check,
    count_breaking_moves,
    encode_setup,
    found_at,
    is_kept,
    line,
    pieces_of,
    sizes,
)
from command_line import run

REGION = "a1 b1 a2 b2 A1 B1"
Pieces = tuple[frozenset[int], frozenset[int]]


def made(folder: Path, region: str, pieces: tuple[int, int], attackers: tuple[int, int], held: bool = True) -> Fortress:
    return build(family(region, pieces, attackers, held), folder, 1)


def kept(found: Fortress, own: frozenset[int], other: frozenset[int]) -> bool:
    mine, theirs = (np.uint64(sum(1 << field for field in each)) for each in (own, other))
    return bool(is_kept(mine, theirs, found.family.keys, found.kept, sizes(mine)))


def fell(found: Fortress, own: frozenset[int], other: frozenset[int]) -> int:
    """The sweep in which a position fell, 0 for a kept one."""
    assert found.falls is not None
    mine, theirs = (np.uint64(sum(1 << field for field in each)) for each in (own, other))
    return int(found.falls[*found_at(mine, theirs, found.family.keys, sizes(mine))])


# -- an oracle: sets of fields, and moves by the board's own lists -----------------------------------------------------
def moved(own: frozenset[int], other: frozenset[int]) -> Iterator[Pieces]:
    """Both sides' pieces after each move of `own`, with captures."""
    for start in own:
        ends = {*BOARD.step[start], *(end for over, end in BOARD.jump[start] if over in own)}
        for end in ends - own - other:
            mine = own - {start} | {end}
            taken = {field for field in other if len(mine & {*BOARD.touch[field]}) >= 3}
            alone = not taken and len(other & {*BOARD.touch[end]}) >= 3
            yield (mine - {end} if alone else mine), other - taken


def oracle(setups: set[frozenset[int]], attackers: tuple[int, int]) -> tuple[set[Pieces], dict[Pieces, int]]:
    """The kept positions, by taking away those that do not hold, round by round; and the round of those taken away."""
    squares, octagons = ([field for field in range(FIELDS) if BOARD.is_square(field) is kind] for kind in (True, False))
    theirs = [
        frozenset(each + other)
        for k, n in itertools.product(*(range(most + 1) for most in attackers))
        for each in itertools.combinations(squares, k)
        for other in itertools.combinations(octagons, n)
    ]
    left = {(own, other) for own in setups for other in theirs if not own & other and 0 not in other}
    after: dict[Pieces, list[list[Pieces]]] = {}
    for own, other in left:
        after[own, other] = []
        for attacked, rest in list(moved(other, own)) or [(other, own)]:
            lost = 0 in attacked
            replies = [] if lost else list(moved(rest, attacked)) or [(rest, attacked)]
            after[own, other].append([(mine, his) for mine, his in replies if mine in setups])
    rounds: dict[Pieces, int] = {}
    for number in itertools.count(1):
        gone = {each for each in left if each[1] and not all(any(reply in left for reply in one) for one in after[each])}
        if not gone:
            break
        left -= gone
        rounds |= dict.fromkeys(gone, number)
    return left, rounds


def surrounds(own: frozenset[int], other: frozenset[int]) -> bool:
    return any(len(own & {*BOARD.touch[field]}) >= 3 for field in other)


def test_the_kept_positions_are_those_of_an_oracle(tmp_path: Path) -> None:
    """Attackers of one square and one octagon, who can lock the defender in, so that he must leave the region."""
    fields = [BOARD.names.index(name) for name in ("a1", "b1", "a2", "A1")]
    setups = {frozenset({0, fields[3], other}) for other in fields[1:3]}
    expected, rounds = oracle(setups, (1, 1))
    found = made(tmp_path / "kept", "a1 b1 a2 A1", (2, 1), (1, 1))
    timed = build(found.family, tmp_path / "timed", 1, timed=True)
    assert (timed.kept == found.kept).all() and timed.falls is not None
    asked = 0
    for own in setups:
        for other in (frozenset(each) for n in (1, 2) for each in itertools.combinations(range(FIELDS), n)):
            few = sum(BOARD.is_square(field) for field in other)
            if few < 2 and len(other) - few < 2 and not own & other and 0 not in other and not surrounds(own, other):
                assert kept(found, own, other) == ((own, other) in expected), (own, other)
                assert fell(timed, own, other) == rounds.get((own, other), 0), (own, other)
                asked += 1
    assert asked == int(found.counts[0].sum() * 2 - 2) and 0 < found.counts[1].sum() < found.counts[0].sum()


@pytest.mark.wide
@pytest.mark.parametrize("held", [True, False])
def test_every_kept_position_holds_by_the_rules_and_none_is_missing(held: bool, tmp_path: Path, compiled: Any) -> None:
    """With three attackers, who can capture; set-ups with and without a piece on a1."""
    counts, looked, wrong, missed = compiled("forty_bridges")("test_forty_bridges_fortress", "all_checked", str(tmp_path), held)
    assert wrong == missed == 0 and looked > 20_000
    every, some, safe = np.array(counts).reshape(3, -1).sum(1)
    assert some < safe < every


def all_checked(folder: str, held: bool) -> list[Any]:
    found = made(Path(folder), REGION + " c1 a3", (3, 1), (2, 1), held)
    game = registry.game("forty_bridges")
    sums = np.sum([check(game, found, setup) for setup in range(len(found.kept))], axis=0)
    return [found.counts.tolist(), *sums.tolist()]


@pytest.mark.wide
def test_a_check_finds_one_wrong_and_one_missing_position(tmp_path: Path, compiled: Any) -> None:
    assert compiled("forty_bridges")("test_forty_bridges_fortress", "damaged", str(tmp_path)) == [[0, 0], True, True]


def damaged(folder: str) -> list[Any]:
    """Failures in a sound fortress; whether a position put in, and one taken away, are found."""
    game, whole = registry.game("forty_bridges"), made(Path(folder), REGION + " c1 a3", (3, 1), (2, 1), True)
    t, words = fortress.tables(whole.family), np.array(whole.kept)
    assert encode_setup(pieces_of(int(whole.family.keys[0]))) == whole.family.keys[0]

    def failures(row: int, bit: int) -> list[int]:
        changed = words.copy()
        changed[0, row, 0] ^= np.uint64(bit)
        return list(check(game, whole._replace(kept=changed), 0)[1:])

    def lowest_of(word: int) -> int:
        return word & -word

    closed = int(fortress.placements_with_any(t, t.surrounds[0, 1], 0))
    real = [row for row in range(1, words.shape[1]) if fortress.is_real(t, 0, row)]
    gone = [(row, int(t.some[t.bit_kind[0], 0]) & ~int(words[0, row, 0]) & ~closed) for row in real]
    there = [(row, int(words[0, row, 0]) & ~closed) for row in real]
    more, fewer = (next((row, lowest_of(word)) for row, word in each if word) for each in (gone, there))
    return [failures(0, 0), failures(*more)[0] > 0, failures(*fewer)[1] > 0]


@pytest.mark.wide
def test_the_start_falls_by_a_line_in_which_every_other_reply_falls_sooner(tmp_path: Path, compiled: Any) -> None:
    text, longest = compiled("forty_bridges")("test_forty_bridges_fortress", "fallen", str(tmp_path))
    match, setups = record.load(text)[0], set(map(int, family("a1 b1 c1 a2 b2 A1 B1 A2 B2", (4, 4), (4, 4)).keys))
    assert len(match.log) == 2 * len(longest) - 1 and longest[0] <= longest[1] + 1
    assert longest == sorted(longest, reverse=True) and len({*longest}) == len(longest)
    assert not any(stands(match.position.play(action), setups) for action in match.position.legal), (
        "every reply leaves the family"
    )


def fallen(folder: str) -> list[Any]:
    """The line as a record, and in how many moves the defence falls, at most, whenever player 1 is to move."""
    mine = family("a1 b1 c1 a2 b2 A1 B1 A2 B2", (4, 4), (4, 4))
    found = build(mine, Path(folder), 1, timed=True)
    match = line(registry.game("forty_bridges"), found)
    assert match is not None
    return [record.dump(match), [count_breaking_moves(found, position) for position in match.positions[:-1:2]]]


def test_the_line_in_the_documentation_leaves_no_reply_within_the_family() -> None:
    page = (Path(__file__).parents[2] / "docs/understand/fortress.md").read_text("utf-8")
    match = record.load(page.partition("```text\n")[2].partition("```")[0])[0]
    region = next(line for line in page.splitlines() if "--line start.txt" in line).split('"')[1]
    setups = set(map(int, family(region, (4, 4), (4, 4)).keys))
    assert len(match.log) > 9 and all(stands(position, setups) for position in match.positions[:-1])
    assert not any(stands(match.position.play(action), setups) for action in match.position.legal)


def stands(position: Position, setups: set[int]) -> bool:
    """Whether the pieces of player 2, turned round, are a set-up of a family."""
    own = {FIELDS - 1 - field for field in fields_of(position.state.pieces[1])}
    images = (np.uint64(sum(1 << field for field in each)) for each in (own, {int(MIRROR[field]) for field in own}))
    return min(map(encode_setup, images)) in setups


def test_a_position_and_its_mirror_image_are_kept_alike(tmp_path: Path) -> None:
    found = made(tmp_path, "a1 b1 a2 A1 B1 A2", (2, 1), (1, 1))
    names = [("a1", "b1", "B1"), ("a1", "a2", "B1"), ("a1", "b1", "A2")]
    verdicts = set()
    for own in (frozenset(map(BOARD.names.index, each)) for each in names):
        for field in range(1, FIELDS):
            if field not in own:
                images = (frozenset(int(MIRROR[each]) for each in pieces) for pieces in (own, {field}))
                verdicts.add((kept(found, own, frozenset({field})), kept(found, *images)))
    assert verdicts <= {(True, True), (False, False)}


def test_an_interrupted_computation_goes_on_and_a_finished_one_is_loaded(tmp_path: Path) -> None:
    mine = family("a1 b1 a2 A1", (2, 1), (1, 1), True)
    whole = build(mine, tmp_path / "whole", 1)

    class Stopped(Exception):
        pass

    def stop(sweep: int, left: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        build(mine, tmp_path / "part", 1, stop)
    with pytest.raises(OptionError, match="no finished fortress"):
        load(tmp_path / "part")
    with pytest.raises(Stopped):
        build(mine, tmp_path / "part", 1, stop, timed=True)
    again = build(mine, tmp_path / "part", 1)
    assert (again.kept == whole.kept).all() and (again.counts == whole.counts).all()
    assert again.falls is None and load(tmp_path / "part").falls is None, "some fell before it was noted when"
    noted = [build(mine, tmp_path / "part", 1, timed=True).falls for _ in range(2)]
    assert noted[0] is not None and noted[0].max() > 1 and (noted[0] == noted[1]).all()
    stored = load(tmp_path / "whole")
    assert (stored.kept == whole.kept).all() and (stored.family.keys == mine.keys).all()
    with pytest.raises(OptionError, match="another kind"):
        build(family("a1 b1 a2 A1", (2, 1), (1, 0), True), tmp_path / "whole", 1)
    words = bytearray((tmp_path / "whole/kept.npy").read_bytes())
    words[-1] ^= 1
    (tmp_path / "whole/kept.npy").write_bytes(words)
    with pytest.raises(OptionError, match="damaged"):
        load(tmp_path / "whole")


@pytest.mark.parametrize(("region", "pieces"), [("a1 z9 A1", (1, 1)), ("a1 A1", (2, 1)), ("a1 A1", (1, 5)), ("A1 B1", (0, 1))])
def test_a_region_without_room_is_refused(region: str, pieces: tuple[int, int]) -> None:
    with pytest.raises(OptionError, match="a region needs fields"):
        family(region, pieces, (1, 1), True)


CARD = """
import sys
from pathlib import Path
import numpy as np
from bridgehead.core import registry
from bridgehead.games.forty_bridges import endgames
from bridgehead.workshop.forty_bridges import endgames_gpu, fortress, fortress_gpu
mine = fortress.family("a1 b1 a2 A1", (2, 1), (1, 1), True)
here, there = (fortress.build(mine, Path(sys.argv[1]) / str(card), 1, card=card) for card in (None, fortress_gpu.GpuSweeps))
print((here.kept == there.kept).all(), (here.counts == there.counts).all(), 0 < here.counts[1].sum() < here.counts[0].sum())
game, folder = registry.game("forty_bridges"), Path(sys.argv[1]) / "endgames"
shipped = endgames.part(endgames.load_shipped_tables(endgames.STANDARD), (1, 1))
print(*((endgames.build(game, 2, folder, card=endgames_gpu.GpuTables).values == shipped).all() for _ in range(2)))
tables = endgames_gpu.GpuTables(game, 2)
tables.put(endgames.load_shipped_tables(endgames.STANDARD), [(1, 1)])
counted = tables.count((1, 1))
print((counted.positions == np.bincount(shipped, minlength=256)).all())
print(all(shipped[place] == value for value, place in enumerate(counted.example) if counted.positions[value]))
"""


@pytest.mark.long
def test_a_graphics_card_finds_the_same_fortress_and_the_same_endgames(tmp_path: Path) -> None:
    """In the simulator of CUDA, which runs every thread of the card as one of Python."""
    env = {**os.environ, "NUMBA_DISABLE_JIT": "1", "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run([sys.executable, "-c", CARD, str(tmp_path)], env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True"] * 7


def test_the_command_counts_and_checks(tmp_path: Path) -> None:
    words = ("fortress", tmp_path, "--region", "a1 b1 a2 A1", "--pieces", "2+1", "--attackers", "1+0", "--check", "1")
    shown = run(*words)
    assert shown.returncode == 0, shown.stderr
    assert "0 wrong, 0 missing" in shown.stdout and shown.stdout.count("squares, ") == 2
    assert json.loads((tmp_path / "fortress.json").read_text("utf-8"))["region"] == "a1 b1 a2 A1"
    for option, wrong in (("--pieces", "four"), ("--device", "gpu"), ("--line", tmp_path / "line.txt")):
        refused = run("fortress", tmp_path, option, wrong)
        assert refused.returncode == 2 and option in refused.stderr
