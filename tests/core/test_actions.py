"""Action ids from one layout, refusals as one enum, and house rules as numbers of the law."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta

from bridgehead.core.actions import Actions, Kind
from bridgehead.core.clauses import RefusalCode
from bridgehead.core.jit import rule
from bridgehead.core.options import House, numbers

KINDS = (Kind("pass"), Kind("torch {line} {colour}", ("colour", "line")), Kind("{start}-{end}"), Kind("pay {piece} {line}"))
PASS, TORCH, MOVE, PAY = range(len(KINDS))
SIZES = {"line": 5, "colour": 3, "start": 4, "end": 4, "piece": 2}


def actions(absent: tuple[int, ...] = ()) -> Actions:
    return Actions(KINDS, SIZES, absent)


def test_kinds_have_consecutive_ids_and_their_last_part_counts_fastest() -> None:
    made = actions()
    assert made.firsts == (0, 1, 16, 32, 42)
    assert made.number(TORCH, line=4, colour=2) == 1 + 2 * 5 + 4
    assert made.number(TORCH, line=0, colour=1) == made.number(TORCH, line=4, colour=0) + 1
    assert made.split(16 + 4 * 3 + 2) == (MOVE, {"start": 3, "end": 2})


def test_every_id_is_read_from_its_notation() -> None:
    made = actions()
    names = [made.name(action, lambda part, value: str(value)) for action in range(made.firsts[-1])]
    assert names[0] == "pass" and names[1 + 4] == "torch 4 0" and names[16] == "0-0"
    assert len(set(names)) == len(names)
    assert [made.read(name, lambda part, word: int(word)) for name in names] == list(range(len(names)))


def test_a_text_of_no_kind_or_with_an_unknown_part_is_no_action() -> None:
    made = actions()
    for text in ("", "pas", "passe", "torch 1", "torch 1 2 3", "1-", "1-2-3"):
        assert made.read(text, lambda part, word: int(word) if word.isdecimal() else None) is None


def test_absent_kinds_have_no_ids_and_are_not_read() -> None:
    made = actions((MOVE,))
    assert made.firsts == (0, 1, 16, 16, 26)
    assert made.read("1-2", lambda part, word: int(word)) is None
    assert made.split(16) == (PAY, {"piece": 0, "line": 0})


class No(RefusalCode):
    """Refusals of a test."""

    OK = "", ""
    LATE = "T-1", "refused.late"
    FULL = "T-2", "refused.full"


@rule
def refusal(turns):
    """A rule that returns codes of the enum."""
    if turns == 3:
        return No.LATE
    return No.FULL if turns > 3 else No.OK


def test_a_refusal_is_a_number_for_rules_and_a_clause_with_a_sentence_for_players() -> None:
    assert [int(no) for no in No] == [0, 1, 2]
    assert [No(int(refusal(turns))) for turns in (0, 3, 5)] == [No.OK, No.LATE, No.FULL]
    refused = No.FULL.because(["f:a1"], column="a")
    assert (refused.clause, refused.show) == ("T-2", ("f:a1",))
    assert (refused.phrase.key, refused.phrase.params) == ("refused.full", {"column": "a"})


class Options(House, frozen=True):
    """House rules of every sort."""

    flag: bool = False
    word: Annotated[Literal["one", "two", "three"], Meta(extra={"clause": "T-1"})] = "one"
    mixed: Literal["any", 6] = "any"
    limit: Annotated[int, Meta(ge=1)] | None = None
    count: int = 7
    text: str | None = None
    board: Literal["small"] | dict[str, Any] = "small"


def test_house_rules_are_numbers_of_the_law() -> None:
    assert numbers(Options()) == {"flag": 0, "word": 0, "mixed": 0, "limit": 0, "count": 7}
    changed = Options(flag=True, word="three", mixed=6, limit=9, text="x", board={})
    assert numbers(changed) == {"flag": 1, "word": 2, "mixed": 6, "limit": 9, "count": 7}
