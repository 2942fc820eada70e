"""A state machine of results and ratings: games end, are noted late or twice, people delete profiles, a host forges."""

from __future__ import annotations

import secrets
from typing import Any, cast

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from bridgehead.core.spec import OVER
from bridgehead.server.messages.tables import NewTable
from bridgehead.server.people.people import remove_profile
from bridgehead.server.people.profiles import Profile, Profiles
from bridgehead.server.people.result_store import ResultStore, recount
from bridgehead.server.people.results import PERSON
from bridgehead.server.rooms.room import Tasks
from bridgehead.server.tables.repository import GameCache, Repository
from server.clubs import StoreMachine

PEOPLE = 3
SHORT = {"game": "forty_bridges", "options": {"quietLimit": 2}, "seats": [{"kind": "person"}] * 2}  # a draw after two moves
person = st.integers(0, PEOPLE - 1)


class ManyResults(StoreMachine):
    """Three people play short games at two processes over one store. What is stored follows from the tables' logs, always."""

    def __init__(self) -> None:
        super().__init__()
        self.repositories = [Repository(self.store, GameCache(self.boards)) for _ in range(2)]
        self.results = [ResultStore(each, Tasks()) for each in self.repositories]
        self.profiles = Profiles(self.repositories[0], cast(Any, None), lambda table: None)
        self.people = [self.new() for _ in range(PEOPLE)]
        self.over: list[str] = []  # tables whose game is over
        self.noted: set[str] = set()
        self.forged = False

    def new(self) -> tuple[str, str]:
        """The key and the id of a new profile."""
        key = secrets.token_urlsafe(32)
        return key, self.run(self.profiles.save(key, Profile(f"Ada {key[:8]}"))).id

    @rule(one=person, other=person)
    def play(self, one: int, other: int) -> None:
        async def played() -> str:
            repository = self.repositories[0]
            table, tokens, _ = await repository.create(msgspec.convert(SHORT, NewTable))
            for token, (key, _) in zip(tokens, (self.people[one], self.people[other]), strict=True):
                await self.profiles.take(key, table.id, [cast(str, token)], "here")
            async with table.lock:
                while table.actor != OVER:
                    action = table.match.position.legal[0]
                    await table.act(frozenset([table.actor]), secrets.token_hex(16), table.version, action)
            return table.id

        self.over.append(self.run(played()))

    @precondition(lambda self: self.over)
    @rule(at=st.integers(0, 9), process=st.integers(0, 1))
    def note(self, at: int, process: int) -> None:
        """A process notes a game, perhaps again."""

        async def noted(name: str) -> None:
            table = await self.repositories[process].find(name)
            assert table is not None
            await self.results[process].note(table)

        name = self.over[at % len(self.over)]
        self.run(noted(name))
        self.noted.add(name)

    @rule(who=person)
    def delete(self, who: int) -> None:
        self.run(remove_profile(self.profiles, self.results[0], self.people[who][0]))
        self.people[who] = self.new()

    @rule(
        change=st.sampled_from(
            ["update rating set mu = 60", "delete from result", "update result set body = replace(body, '0.0', '1.0')"]
        )
    )
    def forge(self, change: str) -> None:
        """The host edits the database."""
        stored = self.store.read("select count(*) from result")[0][0]
        self.run(self.store.write((change, ())))
        self.forged = self.forged or bool(stored)

    @rule()
    def put_right(self) -> None:
        self.run(recount(self.repositories[1], True))
        assert self.run(recount(self.repositories[1], False)).differences == []
        self.noted, self.forged = set(self.over), False

    @invariant()
    def nobody_who_is_deleted_has_a_rating(self) -> None:
        there = {PERSON + profile for _, profile in self.people}
        assert {who for (who,) in self.store.read("select who from rating")} <= there

    @invariant()
    def what_is_stored_follows_from_the_logs(self) -> None:
        if not self.forged:
            found = self.run(recount(self.repositories[1], False)).differences
            assert {(each.what, each.name) for each in found if each.what != "rating"} <= {
                ("missing", name) for name in self.over if name not in self.noted
            }
            if self.noted == set(self.over):
                assert found == []


TestManyResults = ManyResults.TestCase
TestManyResults.settings = settings(max_examples=10, stateful_step_count=12, deadline=None)


def test_a_profile_that_is_deleted_before_its_last_result_is_noted_gets_no_rating() -> None:
    """A server was killed before it noted the result; then the person deletes the profile, and the opponent's page notes it."""
    state = ManyResults()
    state.play(0, 1)
    state.delete(0)
    state.note(0, 1)
    state.nobody_who_is_deleted_has_a_rating()
    state.what_is_stored_follows_from_the_logs()
    assert state.store.read("select count(*) from rating") == [(1,)], "the opponent keeps theirs"
    state.teardown()
