"""Turning, mirroring and relabelling a game commutes with playing it."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from bridgehead.core.position import Position
from variants import make

Facts = dict[str, Any]
Relabel = Callable[[str], str]
View = Callable[[Facts, bool], Any]
Counted = Callable[[str, int, str], None]


def commutes(
    one: Position, two: Position, act: Relabel, view: View, seed: int, most: int, stop: Callable[[Facts], bool] = lambda _: False
) -> int:
    """Play a game and its image side by side; the number of plies on which the image of the legal texts stayed legal.

    act maps an action's text. view maps facts of the first game to what the second must show, and (True) facts of the second.
    """
    rng = random.Random(seed)
    for ply in range(most):
        assert view(one.facts(), False) == view(two.facts(), True), one.text
        if one.is_over or stop(one.facts()):
            return ply
        assert {act(one.name(action)) for action in one.legal} == {two.name(action) for action in two.legal}, (one.text, two.text)
        choice = one.name(rng.choice(one.legal))
        one, two = one.play(choice), two.play(act(choice))
    return most


def by_words(relabel: Relabel) -> Relabel:
    """A map of an action's text, word by word."""
    return lambda text: re.sub(r"[A-Za-z0-9]+", lambda word: relabel(word[0]), text)


def same(text: str) -> str:
    return text


FIELDS_40 = [f"{c}{n}" for c in "abcde" for n in range(1, 6)] + [f"{c}{n}" for c in "ABCD" for n in range(1, 5)]


def mirror_40(word: str) -> str:
    """The mirror at the diagonal through both corners: c2 <-> b3."""
    if word not in FIELDS_40:
        return word
    row, base = int(word[1]), "a" if word[0].islower() else "A"
    return chr(ord(base) + row - 1) + str(ord(word[0]) - ord(base) + 1)


def turn_40(word: str) -> str:
    """Half a turn: a1 <-> e5, and the seats change places."""
    if word not in FIELDS_40:
        return {"1": "2", "2": "1"}.get(word, word)
    base, size = ("a", 5) if word[0].islower() else ("A", 4)
    return chr(2 * ord(base) + size - 1 - ord(word[0])) + str(size + 1 - int(word[1]))


@pytest.mark.clause("FBQ-2", "FB-1.a", "FBQ-1")
@pytest.mark.parametrize("seed", range(4))
def test_40_bridges_is_the_same_game_in_the_mirror(seed: int, counted: Counted) -> None:
    def view(facts: Facts, image: bool) -> Any:
        relabel = same if image else mirror_40
        return {relabel(f): s for f, s in facts["pieces"].items()}, facts["quiet"], facts["actor"], facts["winners"]

    start = make("forty_bridges", {}).start()
    plies = commutes(start, start, by_words(mirror_40), view, seed, 200)
    counted("forty_bridges", plies, "plies")
    assert plies > 20


@pytest.mark.clause("FBQ-2")
@pytest.mark.parametrize(
    "options", [{"first": "random"}, {"first": "random", "bentJumps": True}, {"first": "random", "suicide": "safe"}]
)
def test_40_bridges_is_the_same_game_from_the_other_side(options: Facts, counted: Counted) -> None:
    def view(facts: Facts, image: bool) -> Any:
        if image:
            return facts["pieces"], facts["actor"], facts["winners"], facts["reason"]
        swap = {0: 1, 1: 0}
        pieces = {turn_40(f): swap[s] for f, s in facts["pieces"].items()}
        return pieces, swap.get(facts["actor"], facts["actor"]), [swap[s] for s in facts["winners"]], facts["reason"]

    start = make("forty_bridges", options).start()
    plies = [commutes(start, start, by_words(turn_40), view, seed, 200) for seed in range(3)]
    counted("forty_bridges", sum(plies), "plies")
    assert min(plies) > 20


def mirror_barricade(width: int) -> Relabel:
    """Left and right change places: columns, homes and (two) seats."""

    def relabel(word: str) -> str:
        if re.fullmatch(r"home\d", word):
            return f"home{ {'1': '4', '4': '1'}[word[4]] }".replace(" ", "")
        if re.fullmatch(r"[a-z]\d+", word):
            return chr(2 * ord("a") + width - 1 - ord(word[0])) + word[1:]
        return word

    return relabel


@pytest.mark.clause("BA-M.1", "BAQ-14")
@pytest.mark.parametrize("seed", range(4))
def test_barricade_for_two_is_the_same_game_in_the_mirror(seed: int, counted: Counted) -> None:
    start, relabel = make("barricade", {"seats": 2}).start(), mirror_barricade(17)

    def view(facts: Facts, image: bool) -> Any:
        to, swap = (same, lambda s: s) if image else (relabel, lambda s: {0: 1, 1: 0}.get(s, s))
        pawns = {h if image else {"1": "4", "4": "1"}[h]: sorted(map(to, squares)) for h, squares in facts["pawns"].items()}
        return (
            pawns, sorted(map(to, facts["barricades"])), facts["die"], swap(facts["actor"]),
            [swap(s) for s in facts["winners"]],
        )  # fmt: skip

    plies = commutes(start.play("first 1"), start.play("first 2"), by_words(relabel), view, seed, 300)
    counted("barricade", plies, "plies")
    assert plies > 20


SUITS_SWAP = {"H": "C", "C": "H", "D": "S", "S": "D"}
SEATS_SWAP = {0: 3, 3: 0, 1: 2, 2: 1}


def relabel_suits(word: str) -> str:
    """Hearts and clubs change places, diamonds and spades too: red is black, and the pack stays the same pack."""
    return word[:-1] + SUITS_SWAP[word[-1]] if re.fullmatch(r"(10|[2-9AJQK])[HDSC]", word) else word


def mirror_columns(word: str) -> str:
    return "dcba"["abcd".index(word[0])] + word[1:] if re.fullmatch(r"[abcd]\d+", word) else word


FRONT_LINES_RULES = [
    {}, {"flip": "destination"}, {"faceCards": "safeForAll", "lives": 3}, {"directions": "king8", "mayStop": True},
]  # fmt: skip


@pytest.mark.clause("FL-R.2", "FL-R.3", "FLQ-4", "FLQ-27")
@pytest.mark.parametrize("options", FRONT_LINES_RULES)
def test_the_front_lines_is_the_same_game_with_the_colours_changed(options: Facts, counted: Counted) -> None:
    def view(facts: Facts, image: bool) -> Any:
        if image:
            return facts["characters"], facts["field"], facts["blown"], facts["actor"], facts["winners"], facts["reason"]
        characters = {SUITS_SWAP[s]: c for s, c in facts["characters"].items()}
        field = {cell: relabel_suits(card) for cell, card in facts["field"].items()}
        actor = SEATS_SWAP.get(facts["actor"], facts["actor"])
        return characters, field, facts["blown"], actor, sorted(SEATS_SWAP[s] for s in facts["winners"]), facts["reason"]

    start = make("front_lines", options).start()
    plies = sum(commutes(start, start, by_words(relabel_suits), view, seed, 400) for seed in range(3))
    counted("front_lines", plies, "plies")
    assert plies > 100


@pytest.mark.clause("FL-S.4", "FLQ-7", "FLQ-6")
@pytest.mark.parametrize("options", FRONT_LINES_RULES)
def test_the_front_lines_is_the_same_game_with_the_columns_mirrored(options: Facts, counted: Counted) -> None:
    def view(facts: Facts, image: bool) -> Any:
        to = same if image else mirror_columns
        characters = {s: [lives, state, to(place)] for s, (lives, state, place) in facts["characters"].items()}
        field = {to(cell): card for cell, card in facts["field"].items()}
        return characters, field, sorted(map(to, facts["blown"])), facts["actor"], facts["winners"], facts["reason"]

    start = make("front_lines", options).start()
    plies = sum(commutes(start, start, by_words(mirror_columns), view, seed, 400) for seed in range(3))
    counted("front_lines", plies, "plies")
    assert plies > 100


def turn_star(families: int) -> Relabel:
    """The board turned by one seat: every family becomes its neighbour."""

    def relabel(word: str) -> str:
        found = re.fullmatch(r"([ABR])(\d+)", word)
        if found:
            steps, ring = {"A": (1, families), "B": (2, 2 * families), "R": (4, 4 * families)}[found[1]]
            return f"{found[1]}{(int(found[2]) + steps) % ring}"
        if re.fullmatch(r"[a-e][LMS]?", word):
            return chr(ord("a") + (ord(word[0]) - ord("a") + 1) % families) + word[1:]
        return word

    return relabel


def line_image(line: str, relabel: Relabel) -> str:
    """A line's name is written with its pillars in the board file's order, which turning may reverse."""
    return "-".join(sorted(relabel(pillar) for pillar in line.split("-")))


@pytest.mark.clause("BBQ-1", "BBQ-3", "BBQ-34")
@pytest.mark.parametrize("families", [3, 4, 5])
def test_burning_bridges_is_the_same_game_turned_by_a_seat(families: int, counted: Counted) -> None:
    relabel = turn_star(families)

    def act(text: str) -> str:
        if text.startswith("first"):
            return f"first {int(text.split()[1]) % families + 1}"
        words = text.split(" ")
        return " ".join(line_image(w, relabel) if "-" in w else relabel(w) for w in words)

    def view(facts: Facts, image: bool) -> Any:
        if image:
            bridges = {k: v[:1] for k, v in facts["bridges"].items()}
            return facts["pieces"], bridges, facts["immune"], facts["actor"], facts["winners"]
        next_seat = {s: (s + 1) % families for s in range(families)}
        pieces = {relabel(p): [relabel(at), c and relabel(c)] for p, (at, c) in facts["pieces"].items()}
        bridges = {line_image(k.split()[0], relabel) + " " + relabel(k.split()[1]): v[:1] for k, v in facts["bridges"].items()}
        immune = {">".join(relabel(p) for p in key.split(">")): n for key, n in facts["immune"].items()}
        return pieces, bridges, immune, next_seat.get(facts["actor"], facts["actor"]), [next_seat[s] for s in facts["winners"]]

    start = make("burning_bridges", {"seats": families}).start()
    plies = sum(commutes(start, start, act, view, seed, 250, stop=two_captors) for seed in range(3))
    counted("burning_bridges", plies, "plies")
    assert plies > 60


def two_captors(facts: Facts) -> bool:
    """Whether there are captors of two families: they speak in absolute seat order (ALLQ-3)."""
    captors = [(piece[0], captor) for piece, (_, captor) in facts["pieces"].items() if captor]
    return len({captor for _, captor in captors}) > 1
