"""The luck of finished games: true numbers by construction, counted once, stored, and told beside the results."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bridgehead.core import record, registry
from bridgehead.core.chance import SeededDealer
from bridgehead.core.match import Match
from bridgehead.core.spec import CHANCE
from bridgehead.players import analysis
from bridgehead.server.people import luck
from bridgehead.server.people.luck import luck_of
from server.clubs import Person, finished, new_table
from server.live import Live
from waiting import wait_for

EFFORT = 8


def won_game() -> tuple[Match, int]:
    """A whole game on the mini board, and its last draw: the roll that won it."""
    match, choice = Match(registry.game("barricade", board="mini", seats=2)), random.Random(5)
    dealer = SeededDealer("luck")
    match.deal(dealer)
    while match.outcome is None:
        match.play(choice.choice(match.position.legal))
        match.deal(dealer)
    return match, next(at for at in reversed(range(len(match.log))) if match.log[at].actor == CHANCE)


def test_a_roll_that_wins_gives_what_was_missing_to_a_sure_win_and_all_rolls_together_give_nothing() -> None:
    match, last = won_game()
    winner = match.log[-1].actor
    told = {}
    for roll in match.positions[last].legal:
        again = Match(match.game, [*match.actions[:last], roll])
        told[roll] = luck_of(record.dump(again), [last], EFFORT)[0]
    before = analysis.step(match, last, EFFORT).before[winner]
    assert told[match.log[last].action][winner] == pytest.approx(1 - before, abs=2e-4) and before < 1
    assert told[match.log[last].action][1 - winner] == pytest.approx(before - 1, abs=2e-4), "what one wins the other loses"
    assert sum(each[winner] for each in told.values()) == pytest.approx(0, abs=1e-3), "six equal rolls"


def tally(person: Person) -> dict[str, Any]:
    (found,) = person.ask()["tallies"]
    return dict(found)


def count(person: Person) -> dict[str, Any]:
    """Ask until nothing is left to be counted."""
    wait_for(lambda: not person.ask("luck")["going"])
    return person.ask("luck")


def test_a_game_without_chance_gives_no_luck_and_is_counted_on_demand(own: Live) -> None:
    ada, ben, table = Person(own, "Ada"), Person(own, "Ben"), new_table(own)
    ada.sit(table, 0), ben.sit(table, 1)
    finished(own, table, loser=1)
    assert (tally(ada)["games"], tally(ada)["counted"], tally(ada)["luck"]) == (1, 0, 0.0)
    assert count(ada) == {"left": 0, "going": False}
    for person in (ada, ben):
        assert (tally(person)["won"], tally(person)["counted"], tally(person)["luck"]) == (int(person is ada), 1, 0.0)


def test_luck_is_summed_by_game_and_opponent_from_what_is_stored_once(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, ben = Person(own, "Ada"), Person(own, "Ben")
    tables = [own.table("barricade", board="mini") for _ in range(2)]
    for table in tables:
        ada.sit(table, 0), ben.sit(table, 1)
        finished(own, table, loser=1)
    monkeypatch.setattr(luck, "BATCH", 1)
    monkeypatch.setattr(luck, "luck_of", a_fifth)
    assert ada.ask("luck")["left"] == 2
    wait_for(lambda: tally(ada)["counted"] == 1)
    assert count(ada)["left"] == 0, "the next request goes on with the next game"
    query = "select count(*) from event where kind = 'action' and by = 'chance'"
    ((draws,),) = own.store.read(query)
    mine, other = tally(ada), tally(ben)
    assert mine["counted"] == other["counted"] == mine["games"] == 2 and draws > 2
    assert mine["luck"] == pytest.approx(0.2 * draws) and other["luck"] == -mine["luck"]
    rows = own.store.read("select game from luck order by game")
    assert rows == sorted((each["table"],) for each in tables)


def a_fifth(text: str, draws: list[int]) -> list[tuple[float, float]]:
    """Each draw gives the first seat a fifth of a win."""
    return [(0.2, -0.2) for _ in draws]


def test_nobody_counts_without_a_profile_and_only_so_many_at_once(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, ben, table = Person(own, "Ada"), Person(own, "Ben"), new_table(own)
    ada.sit(table, 0), ben.sit(table, 1)
    finished(own, table, loser=1)
    assert own.http.post("/api/profile/luck", json={"key": "x" * 43}).status_code == 400
    monkeypatch.setattr(luck, "AT_ONCE", 0)
    assert ada.ask("luck", 400)["error"].startswith("The games of many people are being counted.")
