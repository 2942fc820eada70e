"""BGF2 against the vectors of a second implementation, byte for byte."""

import json
from pathlib import Path
from typing import Any

import pytest

from bridgehead.fairness import bgf2, signatures
from bridgehead.fairness.bgf2 import Contribution, SeatHead, Terms, Tree
from fairness import second_bgf2

VECTORS: dict[str, Any] = json.loads(Path(__file__).with_name("vectors_bgf2.json").read_text("utf-8"))
GAME = bytes.fromhex(VECTORS["gid"])
raw = bytes.fromhex


def terms_of(era: dict[str, Any]) -> Terms:
    seats = tuple(SeatHead(seat["source"], seat["length"], raw(seat["head"])) for seat in era["seats"])
    rest = raw(era["rules"]), raw(era["root"]), era["depth"], era["level"]
    return Terms(GAME, era["number"], era["first"], *rest, seats)


def test_the_second_implementation_makes_the_vectors() -> None:
    assert second_bgf2.vectors() == VECTORS


def test_the_rules_and_their_sources_are_hashed_as_in_the_vectors() -> None:
    parts = VECTORS["rules"]
    assert bgf2.sources_hash((name, raw(content)) for name, content in VECTORS["files"].items()).hex() == parts["sources"]
    made = bgf2.rules_hash(parts["game"], parts["version"], raw(parts["sources"]), parts["options"], raw(parts["salt"]))
    assert made.hex() == parts["hash"]


@pytest.mark.parametrize("era", VECTORS["eras"], ids=lambda era: f"level {era['level']}")
def test_eras_and_draws_equal_the_vectors(era: dict[str, Any]) -> None:
    terms, tree = terms_of(era), Tree(raw(era["S"]), GAME, era["number"], era["depth"])
    assert tree.root == terms.root and terms.transcript.hex() == era["T"]
    chains = [bgf2.chain(raw(seat["seed"]), GAME, era["number"], at, seat["length"]) for at, seat in enumerate(era["seats"])]
    assert [chain[0].hex() for chain in chains] == [seat["head"] for seat in era["seats"]]
    assert all(bgf2.chain_length(era["level"], seat["source"]) == seat["length"] for seat in era["seats"])
    assert [chain[1].hex() for chain in chains] == era["opening"]
    opened = bgf2.combine_openings(terms.transcript, [chain[1] for chain in chains])
    assert opened.hex() == era["O"] and bgf2.four_words(opened) == era["words"]
    for draw in era["draws"]:
        e, key = draw["e"], tree.key(draw["e"])
        assert key.hex() == draw["key"] and [other.hex() for other in tree.path(e)] == draw["path"]
        assert bgf2.is_under(terms.root, terms.depth, e, key, tree.path(e))
        asked = bgf2.contributors(terms, draw["last"])
        assert list(asked) == draw["contributors"]
        links = [Contribution(seat, chains[seat][e + 2]) for seat in asked if seat not in draw["defaults"]]
        assert [[link.seat, link.value.hex()] for link in links] == draw["links"]
        assert all(bgf2.leads_to(terms, link.seat, e + 2, link.value) for link in links)
        shared = bgf2.entropy(opened, e, links)
        assert shared.hex() == draw["E"] and bgf2.outcome(key, shared, e, draw["weights"]) == draw["outcome"]


def test_statements_and_rows_equal_the_vectors() -> None:
    server = raw(VECTORS["server"])
    for era in VECTORS["eras"]:
        listed, row = era["listed"], GAME + bgf2.u32(era["number"])
        assert signatures.verify(server, bgf2.era_statement(GAME, era["number"], raw(era["T"])), raw(era["signature"]))
        link = bgf2.list_link(raw(listed["before"]), listed["n"], row, raw(era["T"]))
        assert link.hex() == listed["link"]
        assert signatures.verify(server, bgf2.list_statement(listed["n"], link), raw(listed["signature"]))


def test_every_value_of_the_terms_changes_the_transcript() -> None:
    terms = terms_of(VECTORS["eras"][1])
    other = {
        "game_id": bytes(16), "number": 3, "first": 4, "rules": bytes(32), "root": bytes(32), "depth": 9, "level": 1,
        "seats": terms.seats[::-1],
    }  # fmt: skip
    assert other.keys() == {*Terms._fields}
    for name, value in other.items():
        assert terms._replace(**{name: value}).transcript != terms.transcript, name  # type: ignore[arg-type]
    for changed in (SeatHead(1, 1025, terms.seats[0].head), SeatHead(0, 1024, terms.seats[0].head), SeatHead(0, 1025, bytes(32))):
        assert terms._replace(seats=(changed, *terms.seats[1:])).transcript != terms.transcript


def test_a_key_or_link_belongs_to_its_place_only() -> None:
    era = VECTORS["eras"][1]
    terms, tree = terms_of(era), Tree(raw(era["S"]), GAME, era["number"], era["depth"])
    for e in (0, 1, 31, 32, 1023):
        key, path = tree.key(e), tree.path(e)
        assert bgf2.is_under(terms.root, 10, e, key, path)
        assert not bgf2.is_under(terms.root, 10, e ^ 1, key, path) and not bgf2.is_under(terms.root, 10, e, tree.key(e ^ 1), path)
        assert not bgf2.is_under(terms.root, 11, e, key, path) and not bgf2.is_under(terms.root, 10, e + 1024, key, path)
    chain = bgf2.chain(raw(era["seats"][0]["seed"]), GAME, 2, 0, 1025)
    for j in (1, 2, 1025):
        assert bgf2.leads_to(terms, 0, j, chain[j]) and bgf2.leads_to(terms, 0, j, chain[j], (j - 1, chain[j - 1]))
        assert bgf2.leads_to(terms, 0, j, chain[j], (5, chain[5]))
        assert not bgf2.leads_to(terms, 0, j + 1, chain[j]) and not bgf2.leads_to(terms, 3, j, chain[j])
    assert not bgf2.leads_to(terms, 0, 0, chain[0]) and not bgf2.leads_to(terms, 9, 1, chain[1])
    assert not bgf2.leads_to(terms._replace(number=1), 0, 1, chain[1]) and not bgf2.leads_to(
        terms._replace(game_id=bytes(16)), 0, 1, chain[1]
    )


def test_contributors_are_the_last_to_decide_and_the_next_that_sealed() -> None:
    terms = terms_of(VECTORS["eras"][1])  # seat 1 is the server's
    assert [bgf2.contributors(terms, last) for last in range(4)] == [(0, 2), (2, 3), (2, 3), (3, 0)]
    alone = terms._replace(seats=tuple(seat if at == 2 else seat._replace(source=1) for at, seat in enumerate(terms.seats)))
    assert [bgf2.contributors(alone, last) for last in range(4)] == [(2,)] * 4
    nobody = terms._replace(seats=tuple(seat._replace(source=1) for seat in terms.seats))
    assert bgf2.contributors(nobody, 0) == () and bgf2.contributors(terms_of(VECTORS["eras"][0]), 0) == ()


def test_an_era_supplies_no_more_events_than_every_contributor_has_links() -> None:
    one, two = map(terms_of, VECTORS["eras"])
    assert (one.room, two.room) == (4096, 1024)
    assert two._replace(seats=(two.seats[0]._replace(length=8), *two.seats[1:])).room == 7
    assert two._replace(seats=tuple(seat._replace(source=1) for seat in two.seats)).room == 1024


@pytest.mark.parametrize("weights", [[], [0], [-1, 2], [2**32, 1]])
def test_what_is_no_list_of_weights_has_no_outcome(weights: list[int]) -> None:
    assert bgf2.outcome(b"k" * 32, b"e" * 32, 0, weights or [0]) == -1
