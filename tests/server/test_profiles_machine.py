"""A state machine of profiles: whatever people and thieves do in whatever order, a key opens its own profile and seats only."""

from __future__ import annotations

import secrets
from typing import Any, cast

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from bridgehead.core.errors import BridgeheadError
from bridgehead.server.messages.tables import NewTable
from bridgehead.server.people.profiles import NoProfile, Profile, Profiles, seat_token
from bridgehead.server.tables.repository import GameCache, Repository
from bridgehead.server.tables.stored_seats import digest
from server.clubs import StoreMachine

PEOPLE, TABLES, SEATS = 3, 2, 2
person, table, seat = st.integers(0, PEOPLE - 1), st.integers(0, TABLES - 1), st.integers(0, SEATS - 1)


class ManyProfiles(StoreMachine):
    """Three people make, rename, lose and delete profiles and take seats at two tables. The model: who has which key and seat."""

    def __init__(self) -> None:
        super().__init__()
        self.repository = Repository(self.store, GameCache(self.boards))
        self.profiles = Profiles(self.repository, cast(Any, None), lambda table: None)
        wish = msgspec.convert({"game": "forty_bridges", "seats": [{"kind": "person"}] * SEATS}, NewTable)
        made = [self.run(self.repository.create(wish)) for _ in range(TABLES)]
        self.tables, self.links = [each[0] for each in made], [each[1] for each in made]
        self.keys = [secrets.token_urlsafe(32) for _ in range(PEOPLE)]
        self.ended: list[str] = []  # keys that open nothing any more
        self.known: dict[int, tuple[str, str]] = {}  # people with a profile: its id and name
        self.called: dict[str, str] = {}  # the names of all profiles by id, also of those whose keys are lost
        self.owner: dict[tuple[int, int], int] = {}  # seats that a profile plays

    @rule(who=person, name=st.sampled_from(["Ada", "Ben", "Zoé", "Eve"]))
    def save(self, who: int, name: str) -> None:
        if any(each == name for other, each in self.called.items() if other != self.known.get(who, ("", ""))[0]):
            with pytest.raises(BridgeheadError, match="its name looks the same"):
                self.run(self.profiles.save(self.keys[who], Profile(name)))
            return
        found = self.run(self.profiles.save(self.keys[who], Profile(name)))
        assert found.id == self.known.get(who, (found.id, ""))[0], "a profile keeps its id"
        self.known[who] = found.id, name
        self.called[found.id] = name

    @precondition(lambda self: self.known)
    @rule(who=person, again=st.booleans())
    def renew(self, who: int, again: bool) -> None:
        """A new key. Where the answer was lost, the page sends the same request again."""
        fresh = secrets.token_urlsafe(32)
        if who not in self.known:
            with pytest.raises(NoProfile):
                self.run(self.profiles.renew(self.keys[who], fresh))
            return
        for _ in range(1 + again):
            assert self.run(self.profiles.renew(self.keys[who], fresh)).id == self.known[who][0]
        self.ended.append(self.keys[who])
        self.keys[who] = fresh

    @rule(who=person)
    def delete(self, who: int) -> None:
        if who not in self.known:
            with pytest.raises(NoProfile):
                self.run(self.profiles.delete(self.keys[who]))
            return
        self.run(self.profiles.leave(self.known[who][0]))
        self.run(self.profiles.delete(self.keys[who]))
        self.ended.append(self.keys[who])
        del self.called[self.known[who][0]]
        self._forget(who)
        for place in [place for place, owner in self.owner.items() if owner == who]:
            del self.owner[place]

    @rule(who=person)
    def lose(self, who: int) -> None:
        """A key is lost, and with it the profile: nobody can find it again. Its seats are played by their links."""
        if who in self.known:
            self._forget(who)
            self.owner = {place: -1 if owner == who else owner for place, owner in self.owner.items()}

    def _forget(self, who: int) -> None:
        del self.known[who]
        self.keys[who] = secrets.token_urlsafe(32)

    @rule(who=person, at=table, which=seat)
    def take(self, who: int, at: int, which: int) -> None:
        """Somebody who has the link of a seat notes that their profile plays it."""
        work = self.profiles.take(self.keys[who], self.tables[at].id, [self.links[at][which]], "here")
        if who not in self.known:
            with pytest.raises(NoProfile):
                self.run(work)
            return
        assert self.run(work)[1] == [which]
        self.owner[at, which] = who

    @precondition(lambda self: self.known)
    @rule(who=person, other=person, at=table)
    def steal(self, who: int, other: int, at: int) -> None:
        """The id, the name, the table's id or a made-up key give no seat."""
        if who not in self.known:
            return
        for token in (
            self.known.get(other, ("", ""))[0],
            self.tables[at].id,
            seat_token(secrets.token_urlsafe(32), self.tables[at].id),
        ):
            with pytest.raises(BridgeheadError):
                self.run(self.profiles.take(self.keys[who], self.tables[at].id, [token], "here"))

    @invariant()
    def a_key_opens_its_profile_and_no_other(self) -> None:
        for who, key in enumerate(self.keys):
            if who in self.known:
                found = self.run(self.profiles.of_key(key))
                assert (found.id, found.body.name) == self.known[who]
            else:
                with pytest.raises(NoProfile):
                    self.run(self.profiles.of_key(key))

    @invariant()
    def a_key_that_has_ended_opens_nothing(self) -> None:
        for key in self.ended[-3:]:
            with pytest.raises(NoProfile):
                self.run(self.profiles.of_key(key))
            assert not any(each.holding([digest(seat_token(key, each.id))]).you for each in self.tables)

    @invariant()
    def a_key_plays_its_seats_and_no_others(self) -> None:
        for at, each in enumerate(self.tables):
            for who, key in enumerate(self.keys):
                mine = {which for which in range(SEATS) if self.owner.get((at, which)) == who}
                assert each.holding([digest(seat_token(key, each.id))]).you == mine
            for which, link in enumerate(self.links[at]):
                assert each.holding([digest(link)]).you == {which}, "a link always plays its seat"


TestManyProfiles = ManyProfiles.TestCase
TestManyProfiles.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
