"""Opponents: who waits for the same game gets one opponent and one seat, whatever others do; a state machine and attacks."""

from __future__ import annotations

import asyncio
import secrets
from typing import Any, cast

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule

from bridgehead.server.connections.rate_limits import Limits
from bridgehead.server.messages.lobby import OpponentWait
from bridgehead.server.people import matchmaking, opponents
from bridgehead.server.people.blocks import Blocks
from bridgehead.server.people.matchmaking import Seeker, opponent, rating_reach
from bridgehead.server.people.opponents import SILENT, NoWait, Opponents
from bridgehead.server.people.profiles import Profile, Profiles
from bridgehead.server.people.result_store import ResultStore
from bridgehead.server.rooms.room import Tasks
from bridgehead.server.tables.repository import GameCache, Repository
from bridgehead.server.tables.stored_seats import digest
from server.clubs import Person, StoreMachine
from server.live import ROOMY, Live, Page, Serve

GAME = "forty_bridges"


def wait(live: Live, status: int = 201, **wish: Any) -> str:
    """Begin to wait; the secret of the wait, or the refusal."""
    answer = live.http.post("/api/opponents", json={"game": GAME, **wish})
    assert answer.status_code == status, answer.text
    return str(answer.json()["wait"] if status == 201 else answer.json()["error"])


def ask(live: Live, secret: str, status: int = 200) -> dict[str, Any]:
    return live.ask("/api/opponents/ask", {"wait": secret}, status)


def paired(live: Live, one: str, other: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Two who wait ask in turn until both have their seats."""
    assert not ask(live, one)["table"], "nobody gets a table before both have asked"
    second = ask(live, other)
    return ask(live, one), second


def names(live: Live, table: str) -> set[str]:
    page = Page(live.url)
    page.say(t="hello", p=1, table=table, lang="en")
    page.hear("view")
    return {seat["name"] for seat in page.view["seats"]}


def expire(live: Live, secret: str) -> None:
    """Let a wait be silent for too long."""
    change = "update seek set seen = seen - 1000 where key = ?"
    asyncio.run_coroutine_threadsafe(live.store.write((change, (digest(secret),))), live.loop).result()


# Who plays whom


def test_the_nearest_rating_plays_and_the_range_grows_with_waiting() -> None:
    me = Seeker("me", 100.0, "ME", 1500)
    near, far = Seeker("near", 90.0, "NEAR", 1560), Seeker("far", 20.0, "FAR", 1300)
    assert opponent(me, [far, near], (), 100.0) == near
    assert opponent(me, [Seeker("best", 99.0, "BEST", 2100)], (), 100.0) is None
    assert opponent(me, [Seeker("best", 99.0, "BEST", 2100)], (), 190.0) is not None, "600 points are near enough now"
    assert rating_reach(0) < rating_reach(30) < rating_reach(matchmaking.ANYONE) == float("inf")


def test_without_a_profile_whoever_came_first_plays() -> None:
    me = Seeker("me", 100.0)
    assert opponent(me, [Seeker("b", 60.0), Seeker("a", 50.0, "A", 2400), Seeker("c", 70.0)], (), 100.0).name == "a"  # type: ignore[union-attr]


def test_nobody_plays_oneself_or_somebody_blocked() -> None:
    me = Seeker("me", 100.0, "ME")
    assert opponent(me, [me, Seeker("tab", 90.0, "ME"), Seeker("foe", 90.0, "FOE")], {"FOE"}, 100.0) is None


# At a server


def test_two_who_wait_for_the_same_game_get_one_table_and_a_seat_each(own: Live) -> None:
    ada, ben = wait(own, name="Ada"), wait(own, name="Ben")
    elsewhere = [wait(own, pace="none"), wait(own, game="barricade")]
    one, other = paired(own, ada, ben)
    assert one["table"] == other["table"] and one["token"] != other["token"]
    seats = []
    for each in (one, other):
        page = Page(own.url)
        page.say(t="hello", p=1, table=each["table"], tokens=[each["token"]], lang="en")
        page.hear("view")
        assert page.view["clock"], "a live clock was asked for"
        seats += page.view["you"]
    assert sorted(seats) == [0, 1] and names(own, one["table"]) == {"Ada", "Ben"}
    again = ask(own, ada)
    assert (again["table"], again["token"]) == (one["table"], one["token"]), "whoever missed the answer asks again"
    assert one["waited"] <= again["waited"] < 60
    assert not any(ask(own, each)["table"] for each in elsewhere)


@pytest.mark.parametrize("game", ["barricade", "burning_bridges", "forty_bridges", "front_lines"])
def test_two_who_meet_play_by_the_rules_as_written(game: str, own: Live) -> None:
    table, _ = paired(own, wait(own, game=game), wait(own, game=game))
    assert set(own.http.get(f"/api/tables/{table['table']}/likeness").json()["rules"]) <= {"seats"}


def test_the_store_knows_no_secret_and_the_other_one_gets_no_token(own: Live) -> None:
    ada, ben = wait(own), wait(own)
    one, other = paired(own, ada, ben)
    stored = str([own.store.read(f"select * from {each}") for each in ("seek", "matched", "waited", "game", "event")])
    assert all(secret not in stored for secret in (ada, ben, one["token"], other["token"]))
    assert one["token"] not in str(other)


def test_the_usual_time_is_unknown_at_first_and_then_the_median_of_the_day(own: Live) -> None:
    def now() -> dict[str, Any]:
        waits = own.http.get("/api/opponents").json()["waits"]
        return next(each for each in waits if (each["game"], each["pace"]) == (GAME, "live"))

    assert now() == {"game": GAME, "title": "40 Bridges", "pace": "live", "seconds": None, "waiting": 0}
    ada = wait(own)
    assert now()["waiting"] == 1
    paired(own, ada, wait(own))
    assert (now()["seconds"], now()["waiting"]) == (0, 0)


def test_all_games_can_be_waited_for_by_two(own: Live) -> None:
    games = {each["game"] for each in own.http.get("/api/opponents").json()["waits"]}
    assert games >= {"barricade", "burning_bridges", "forty_bridges", "front_lines"}
    for game in games:
        one, other = paired(own, wait(own, game=game), wait(own, game=game))
        assert one["table"] == other["table"] != ""


def test_a_game_with_an_opponent_found_counts_for_both_profiles(own: Live) -> None:
    ada, ben = Person(own, "Ada"), Person(own, "Ben")
    one, other = paired(own, wait(own, key=ada.key), wait(own, key=ben.key))
    rows = own.store.read("select body from game where id = ?", one["table"])
    assert ada.id in rows[0][0] and ben.id in rows[0][0] and names(own, other["table"]) == {"Ada", "Ben"}


# Attacks


def test_whoever_waits_twice_with_a_profile_waits_once_and_never_plays_oneself(own: Live) -> None:
    ada = Person(own, "Ada")
    first, second = wait(own, key=ada.key), wait(own, key=ada.key)
    assert "no longer waiting" in ask(own, first, 404)["error"]
    assert ask(own, second)["table"] == "" and ask(own, second)["table"] == ""


def test_a_profile_that_waits_again_while_it_is_matched_leaves_the_other_waiting(own: Live) -> None:
    ada = Person(own, "Ada")
    first, ben = wait(own, key=ada.key), wait(own)
    ask(own, ben)
    second = wait(own, key=ada.key)
    assert ask(own, first, 404)
    one, other = ask(own, ben), ask(own, second)
    assert one["table"] == "" and (other["table"] or ask(own, ben)["table"])


def test_nobody_waits_with_the_key_of_another_profile_or_with_anothers_wait(own: Live) -> None:
    ada = Person(own, "Ada")
    assert "no profile with this key" in wait(own, 400, key=secrets.token_urlsafe(32))
    assert wait(own, 400, key=ada.id)
    mine, ben = wait(own), wait(own)
    paired(own, mine, ben)
    for guess in (secrets.token_urlsafe(24), digest(mine), ada.id, "x"):
        assert "token" not in ask(own, guess, 404)
    own.http.post("/api/opponents/leave", json={"wait": digest(mine)})
    assert ask(own, mine)["token"], "a hash from a stolen database ends nothing"


def test_a_flood_of_waits_is_bounded_and_leaves_room_for_others(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opponents, "OF_ONE", 3)
    own = serve(ROOMY._replace(claims=1000))
    for _ in range(3):
        wait(own)
    assert "Too many" in wait(own, 400)
    assert own.store.read("select count(*) from seek") == [(3,)]
    own.stop()
    own = serve(Limits(claims=2))
    expired = "update seek set seen = 0"
    asyncio.run_coroutine_threadsafe(own.store.write((expired, ())), own.loop).result()
    wait(own), wait(own)
    assert own.http.post("/api/opponents", json={"game": GAME}).status_code == 429


def test_somebody_who_vanishes_when_matched_is_dropped_and_the_other_goes_on_waiting(own: Live) -> None:
    ghost, ada = wait(own), wait(own)
    assert ask(own, ada)["table"] == ""
    expire(own, ghost)
    assert ask(own, ada)["table"] == "" and own.store.read("select count(*) from matched") == [(0,)]
    assert ask(own, ghost, 404)
    one, other = paired(own, ada, wait(own))
    assert one["table"] == other["table"] != ""
    assert own.store.read("select count(*) from game") == [(1,)], "no table was made for the ghost"


def test_cancelling_or_silence_ends_a_wait(own: Live) -> None:
    ada, ben = wait(own), wait(own)
    own.http.post("/api/opponents/leave", json={"wait": ada})
    assert ask(own, ada, 404) and ask(own, ben)["table"] == ""
    expire(own, ben)
    assert ask(own, ben, 404) and ask(own, wait(own))["table"] == ""


def test_blocked_profiles_are_never_paired_whichever_of_them_blocked(own: Live) -> None:
    ada, eve = Person(own, "Ada"), Person(own, "Eve")
    ada.ask("blocks", profile=eve.id)
    one, other = wait(own, key=ada.key), wait(own, key=eve.key)
    assert not any(ask(own, each)["table"] for each in (one, other, one, other))
    ada.ask("blocks", profile=eve.id, blocked=False)
    assert paired(own, one, other)[0]["table"]


def test_bad_wishes_get_a_sentence(own: Live) -> None:
    assert own.http.post("/api/opponents", json={"game": "chess"}).status_code == 404
    assert own.http.post("/api/opponents", json={"game": GAME, "pace": "blitz"}).status_code == 400
    assert own.http.post("/api/opponents", json={"game": GAME, "seats": 5}).status_code == 400
    assert names(own, paired(own, wait(own, name="<b>\u202e"), wait(own, name=" "))[0]["table"]) & {"<b>"}


# A state machine


class WaitingPeople(StoreMachine):
    """People with and without profiles who wait, ask, leave, fall silent and block each other, over one store."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = 1000.0
        repository = Repository(self.store, GameCache(self.boards))
        self.profiles = Profiles(repository, cast(Any, None), lambda table: None)
        self.blocks = Blocks(self.store, self.profiles)
        results = ResultStore(repository, Tasks())
        self.service = Opponents(repository, self.profiles, results, self.blocks, lambda: self.clock)
        self.keys = [secrets.token_urlsafe(32) for _ in range(3)]
        self.ids = [self.run(self.profiles.save(key, Profile(f"Person {i}"))).id for i, key in enumerate(self.keys)]
        self.who: dict[str, int] = {}  # the person of each wait, -1 without a profile
        self.seen: dict[str, float] = {}  # waits that have not ended, and when they asked last
        self.given: dict[str, OpponentWait] = {}
        self.apart: dict[frozenset[int], float] = {}  # when two were blocked

    @rule(person=st.integers(-1, 2))
    def join(self, person: int) -> None:
        secret = self.run(self.service.wait(GAME, "none", "", self.keys[person] if person >= 0 else "", "here"))
        for other in [each for each in self.seen if person >= 0 and self.who[each] == person]:
            self.seen.pop(other)
        self.who[secret], self.seen[secret] = person, self.clock

    @precondition(lambda self: self.who)
    @rule(data=st.data())
    def ask(self, data: Any) -> None:
        self.follow(data.draw(st.sampled_from(sorted(self.who, key=list(self.who).index))))

    def follow(self, secret: str) -> None:
        """A page asks. Whoever asks often enough keeps the place; whoever has got a seat gets the same one again."""
        fresh = secret in self.seen and self.seen[secret] > self.clock - SILENT
        try:
            state = self.run(self.service.ask(secret))
        except NoWait:
            assert not fresh or secret in self.given
            self.seen.pop(secret, None)
            return
        if secret in self.seen:
            self.seen[secret] = self.clock
        if state.table:
            given = self.given.setdefault(secret, state)
            assert (given.table, given.token) == (state.table, state.token)

    @precondition(lambda self: self.seen)
    @rule(data=st.data())
    def leave(self, data: Any) -> None:
        secret = data.draw(st.sampled_from(list(self.seen)))
        self.run(self.service.leave(secret))
        self.seen.pop(secret)

    @rule(seconds=st.sampled_from([1.0, 3.0, 7.0, SILENT]))
    def time_passes(self, seconds: float) -> None:
        self.clock += seconds

    @rule(pair=st.sampled_from([(0, 1), (1, 2), (2, 0)]))
    def block(self, pair: tuple[int, int]) -> None:
        one, other = pair
        matched = self.store.read("select 1 from matched where game = '' and time > ?", self.clock - SILENT)
        if not matched:  # who is matched already, is
            self.run(self.blocks.change(self.keys[one], self.ids[other], True))
            self.apart.setdefault(frozenset(pair), self.clock)

    @invariant()
    def tables_have_two_people_who_may_meet(self) -> None:
        tables: dict[str, list[str]] = {}
        for secret, state in self.given.items():
            tables.setdefault(state.table, []).append(secret)
        for table, secrets_there in tables.items():
            assert len(secrets_there) <= 2 and len({self.given[each].token for each in secrets_there}) == len(secrets_there)
            [(when,)] = self.store.read("select min(time) from matched where game = ?", table) or [(None,)]
            people = [self.who[each] for each in secrets_there if self.who[each] >= 0]
            assert len(set(people)) == len(people), "nobody plays oneself"
            if when is not None and len(people) == 2 and frozenset(people) in self.apart:
                assert when <= self.apart[frozenset(people)], "nobody plays somebody blocked before"

    @invariant()
    def matches_are_mutual(self) -> None:
        rows = self.store.read("select key, other, pair, game from matched")
        by_key = {key: (other, pair, game) for key, other, pair, game in rows}
        assert all(by_key[other] == (key, pair, game) for key, (other, pair, game) in by_key.items())

    @precondition(lambda self: len(self.seen) > 1)
    @rule()
    def everybody_asks_until_nobody_suits(self) -> None:
        """Two without profiles who go on asking do not wait beside each other for ever."""
        for _ in range(3):
            for secret in list(self.seen):
                if secret in self.seen:
                    self.follow(secret)
        alone = [each for each in self.seen if each not in self.given and self.who[each] < 0]
        assert len(alone) < 2


TestWaitingPeople = WaitingPeople.TestCase
TestWaitingPeople.settings = settings(max_examples=12, stateful_step_count=20, deadline=None)
