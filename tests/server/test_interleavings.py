"""The table's protocol, explored: every await of one or two servers is a choice, with kills, cuts, lost words and lost answers.

Pages come with all kinds of secrets, valid or not any more, and ask for all kinds of things. The log is held against an account
of the seats that is kept apart from the server: each event of a person was asked for by a page that had the right to it then.
"""

import json
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables.stored_seats import digest
from server.interleaving import Call, Page, driven

pytestmark = pytest.mark.wide
NUMBER = st.integers(0, 10_000)
DOS = ("claim", "computer", "back", "substitute", "open", "leave", "revoke", "name")
VOTES = ("computer", "substitute", "open")
PERSONAL = ("action", "undo", "ask", "answer", "withdraw", "seat")
CLOCKS: list[dict[str, Any]] = [{}, {}, {"clock": {"nudge": 90}}, {"clock": {"bank": 100, "increment": 5}}]


class Account:
    """Whose secret gives each seat, event by event: of the log's events about seats alone."""

    def __init__(self, seats: list[dict[str, Any]]) -> None:
        self.seats = [{"offer": "", "past": [], "keeps": False, "free": False, "left": False, **seat} for seat in seats]
        self.taken: set[int] = set()
        self.given: dict[Page, set[str]] = {}  # hashes of what each page got on its connection; it may not have heard of it yet
        self.claimed: dict[Page, set[str]] = {}  # those of them that it got for a claim

    def plays(self, seat: int, hashes: set[str]) -> bool:
        return self.seats[seat]["kind"] == "person" and self.seats[seat]["token"] in hashes

    def may_return(self, seat: int, hashes: set[str]) -> bool:
        kept = self.seats[seat]
        return bool(hashes & {kept["token"], *kept["past"]}) and not self.plays(seat, hashes)

    def held(self, hashes: set[str]) -> list[int]:
        return [seat for seat in range(len(self.seats)) if self.plays(seat, hashes)]

    def follow(self, event: Event) -> None:
        if event.by == "person":
            self.taken.add(event.actor)
        if event.kind != "seat":
            return
        body, seat = json.loads(event.body), self.seats[event.actor]
        do, token = body["do"], body.get("token", "")
        if do in ("sit", "claim"):
            past = [*seat["past"], seat["token"]] if seat["keeps"] and seat["token"] else []
            seat |= {"past": [each for each in past if each != token][-4:]}
        if do in ("sit", "claim", "back", "revoke", "leave"):
            past = seat["past"] if do in ("sit", "claim") else []
            seat |= {
                "token": token,
                "past": past,
                "offer": "",
                "keeps": False,
                "free": False,
                "kind": "person",
                "left": do == "leave",
            }
        elif do == "renew":
            seat |= {"offer": token} if seat["offer"] == body["old"] else {"token": token}
        elif do == "computer":
            seat |= {"kind": "computer", "free": False}
        elif do == "substitute":
            seat |= {"offer": token, "keeps": body.get("keeps", False)}
        elif do == "open":
            seat |= {"free": True, "keeps": body.get("keeps", False)}

    def shown(self, page: Page) -> set[str]:
        """The secrets that the server knows this page by: of its hello, and of what it has claimed. Links for others are none."""
        claims = {call.message["k"] for call in page.calls if call.message.get("do") == "claim"}
        return {digest(token) for token in page.hello.message["tokens"]} | page.given(claims) | self.claimed.get(page, set())

    def allows(self, call: Call, event: Event) -> bool:
        """Was this event within the rights of the page that asked for it, at its place in the log?"""
        page, seat, hashes = call.page, event.actor, call.hashes | self.given.get(call.page, set())
        if event.kind != "seat":
            return self.plays(seat, hashes)
        kept, do = self.seats[seat], json.loads(event.body)["do"]
        if event.by == "host":
            vacant = seat not in self.taken and not kept["left"]
            return bool(page.host) and (do == "computer" or vacant)
        if event.by == "others":
            return bool(self.held(hashes)) and not self.plays(seat, hashes) and do in ("computer", "substitute", "open")
        if do == "claim":
            return bool(kept["free"]) and not self.held(self.shown(page) - {json.loads(event.body)["token"]})
        if do == "back":
            return self.may_return(seat, hashes)
        return self.plays(seat, hashes)


class Protocol(RuleBasedStateMachine):
    """A table, its servers, and those who come to it."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        self.answers: dict[str, str] = {}  # the tokens that messages about seats were answered with, by their stored keys

    @initialize(
        workers=st.integers(1, 2),
        persons=st.integers(2, 3),
        computer=st.booleans(),
        clock=st.sampled_from(CLOCKS),
        free=st.booleans(),
    )
    def begin(self, workers: int, persons: int, computer: bool, clock: dict[str, Any], free: bool) -> None:
        folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.world = self.stack.enter_context(driven(folder / "log", workers))
        seats: list[dict[str, Any]] = [{"kind": "person"} for _ in range(persons)]
        seats[-1]["open"] = free
        seats += [{"kind": "computer", "level": "random"}] * computer
        wish = {"game": "burning_bridges", "options": {"firstPlayer": "seat0"}, "seed": 1, "seats": seats, **clock}
        table, tokens, self.host = self.world.table(**wish)
        self.table, self.secrets = table.id, [str(token) for token in tokens if token]
        self.account = Account([{"kind": s.kind, "token": s.token, "free": s.free} for s in table.body.seats])
        self.events: list[Event] = []
        for seat in range(2):
            self.world.come(self.table, self.secrets[seat], host="" if seat else self.host, worker=seat % workers)
        self.world.quiet()

    # What pages do

    @property
    def alive(self) -> list[Page]:
        return [page for page in self.world.pages if page.alive]

    def page(self, number: int) -> Page | None:
        return self.alive[number % len(self.alive)] if self.alive else None

    @rule(which=st.lists(NUMBER, max_size=2), host=st.booleans(), worker=NUMBER)
    def come(self, which: list[int], host: bool, worker: int) -> None:
        """Somebody comes with secrets that were valid at some time."""
        for page in self.world.pages:
            self.secrets += [token for token in page.tokens if token not in self.secrets]
        tokens = list({self.secrets[number % len(self.secrets)]: 0 for number in which})
        place = worker % len(self.world.workers)
        if self.world.workers[place] is not None and len(self.alive) < 6:
            self.world.come(self.table, *tokens, host=self.host if host else "", worker=place)

    @rule(number=NUMBER, action=NUMBER, late=st.sampled_from([0, 0, 0, 1]))
    def act(self, number: int, action: int, late: int) -> None:
        holders = [page for page in self.alive if "choices" in page.view]
        page = holders[number % len(holders)] if holders else self.page(number)
        if page is not None:
            choices = page.view.get("choices") or [{"action": action % 50}]
            page.act(choices[action % len(choices)]["action"], max(0, page.view.get("v", 0) - late))

    @rule(number=NUMBER, seat=st.integers(0, 3), do=st.sampled_from(DOS), own=st.booleans())
    def seat(self, number: int, seat: int, do: str, own: bool) -> None:
        page = self.page(number)
        if page is not None:
            mine = page.people.get("you") or page.people.get("back") if own else None
            page.seat(mine[0] if mine else seat, do, level="random", name="N")

    @rule(number=NUMBER, what=st.sampled_from(["takeback", "pause", "resume", "draw", "resign", "undo", "yes", "no", "withdraw"]))
    def propose(self, number: int, what: str) -> None:
        page = self.page(number)
        if page is None:
            return
        version, about = page.view.get("v", 0), (page.view.get("ask") or {}).get("v", 0)
        if what == "undo":
            page.say(t="undo", v=version)
        elif what in ("yes", "no"):
            page.say(t="answer", about=about, yes=what == "yes")
        elif what == "withdraw":
            page.say(t="withdraw", about=about)
        else:
            page.say(t="ask", v=version, what=what)

    @rule(number=NUMBER, which=NUMBER)
    def again(self, number: int, which: int) -> None:
        """A page sends a message again that it, or another page, has sent."""
        page = self.page(number)
        if page is not None and self.world.calls:
            message = dict(self.world.calls[which % len(self.world.calls)].message)
            page.say(message.pop("k"), **message)

    # What happens

    @rule(choices=st.lists(NUMBER, min_size=1, max_size=12))
    def go_on(self, choices: list[int]) -> None:
        for choice in choices:
            self.world.step(choice)

    @rule(seconds=st.sampled_from([0.3, 3.0, 6.0, 65.0, 120.0]))
    def wait(self, seconds: float) -> None:
        self.world.wait(seconds)

    @rule()
    def rest(self) -> None:
        self.world.quiet(6)

    @rule(number=NUMBER)
    def cut(self, number: int) -> None:
        page = self.page(number)
        if page is not None and len(self.alive) > 1:
            page.cut()

    @precondition(lambda self: self.world.loop.gates)
    @rule(number=NUMBER)
    def fail(self, number: int) -> None:
        """A commit fails, or its answer is lost; a word on the bus is lost."""
        gates = [gate for gate in self.world.loop.gates if gate.fail]
        if gates:
            self.world.pass_gate(gates[number % len(gates)], fails=True)
            self.world.loop.run()

    @rule(number=NUMBER)
    def kill(self, number: int) -> None:
        place = number % len(self.world.workers)
        if number % 3 == 0:
            self.world.kill(place)
            self.world.start(place)

    # What has to be so

    @invariant()
    def each_event_was_within_the_rights_of_who_asked(self) -> None:
        stored = self.world.store.events(self.table, len(self.events))
        for call in self.world.calls:  # whoever repeats a message with its key gets its answer again
            for key in (call.message["k"], digest(call.message["k"])[:32]):
                if key in self.answers:
                    self.account.given.setdefault(call.page, set()).add(self.answers[key])
        for event in stored:
            do = json.loads(event.body)["do"] if event.kind == "seat" else ""
            if event.by in ("person", "host", "others") and event.kind in PERSONAL and do not in ("sit", "renew"):
                calls = [call for call in self.world.calls if event.key in (call.message["k"], digest(call.message["k"])[:32])]
                assert calls or "." in event.key, event
                allowed = [call.page for call in calls if self.account.allows(call, event)]
                assert allowed or not calls, (event, [call.message for call in calls])
                if token := json.loads(event.body).get("token") if do else "":
                    self.answers[event.key] = token
                    for page in allowed:
                        self.account.given.setdefault(page, set()).add(token)
                        if do == "claim":
                            self.account.claimed.setdefault(page, set()).add(token)
            self.account.follow(event)
            self.events.append(event)

    @invariant()
    def nothing_broke(self) -> None:
        assert not self.world.loop.broken, self.world.loop.broken

    def teardown(self) -> None:
        try:
            if hasattr(self, "events"):
                self.world.quiet(20)
                self.each_event_was_within_the_rights_of_who_asked()
                self.nothing_broke()
                self._pages_know_how_it_stands()
                self._answers_are_in_the_log()
        finally:
            self.stack.close()

    def _pages_know_how_it_stands(self) -> None:
        body = self.world.store.body(self.table)
        assert body is not None and hash_chain.find_broken_link(hash_chain.first_link(self.table, body), self.events) is None
        for page in self.alive:
            if page.hello.answer is None:
                continue
            assert page.view["v"] == len(self.events), (page.number, page.view["v"], len(self.events))
            hashes = {digest(token) for token in page.tokens}
            held = self.account.held(hashes & self.account.shown(page))
            assert page.people["you"] == page.view["you"] == held, (page.number, page.people, held)
        for worker in self.world.workers:
            for room in worker.manager.rooms.values() if worker else ():
                assert not room.table.lock.locked()
                table = room.table
                before = table.version, table.seats, table.match.position.text, table.occupied, table.people.notes
                table.reload()
                assert before == (table.version, table.seats, table.match.position.text, table.occupied, table.people.notes)

    def _answers_are_in_the_log(self) -> None:
        where = {event.key: event.version for event in self.events}
        done = []
        keys = [call.message["k"] for call in self.world.calls]
        for call in self.world.calls:
            key = digest(call.message["k"])[:32] if call.message["t"] == "seat" else call.message["k"]
            assert call.answer is not None or not call.page.alive, call.message
            if call.answer is None or call.answer["t"] != "ack":
                continue
            if key not in where or (where[key] > call.answer["v"] and keys.count(call.message["k"]) > 1):  # of a later one's key
                assert call.message.get("do") in VOTES, "only a vote is confirmed without an event"
                continue
            assert where[key] <= call.answer["v"]
            if keys.count(call.message["k"]) == 1:
                done.append((call.invoked, call.answered, where[key]))
        for _, answered, version in done:
            assert all(later > version for invoked, _, later in done if invoked > answered), "the log keeps the order of answers"


def run(examples: int, steps: int) -> None:
    quiet = list(HealthCheck)
    chosen = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=quiet, print_blob=True
    )
    run_state_machine_as_test(Protocol, settings=chosen)  # type: ignore[no-untyped-call]


def test_workers_that_wait_for_the_lease_of_a_dead_one_come_to_rest(tmp_path: Path) -> None:
    """Each asked for the lease in vain, let go of what it did not have, and woke the other: as fast as the database answered."""
    with driven(tmp_path / "log", 2) as world:
        seats = [{"kind": "computer", "level": "random"}, {"kind": "person"}, {"kind": "person"}]
        wish = {"game": "burning_bridges", "options": {"firstPlayer": "seat0"}, "seed": 1, "seats": seats}
        table, tokens, _ = world.table(**wish)
        world.come(table.id, str(tokens[1]))
        world.quiet()
        assert world.store.leases, "a computer thinks"
        world.kill(0)
        world.start(0)
        for worker in range(2):
            world.come(table.id, str(tokens[1 + worker]), worker=worker)
        world.quiet(3)
        assert world.store.leases and not world.store.events(table.id, 0), "the lease of the dead still holds"


def test_a_new_link_opens_at_a_worker_that_has_not_heard_of_it(tmp_path: Path) -> None:
    """It was refused as unknown until the word of the change came, or the next look at the log."""
    with driven(tmp_path / "log", 2) as world:
        table, tokens, _ = world.table(game="burning_bridges", seed=1, seats=[{"kind": "person"}] * 3)
        pages = [world.come(table.id, str(tokens[worker]), worker=worker) for worker in range(2)]
        world.quiet()
        pages[0].seat(0, "substitute")
        while len(pages[0].tokens) < 2:
            moves = [i for i, (label, _) in enumerate(world.moves) if label != "word"]
            world.step(moves[0])
        world.loop.gates = [gate for gate in world.loop.gates if gate.label != "word"]  # all words are lost
        late = world.come(table.id, pages[0].tokens[1], worker=1)
        world.quiet(1)
        assert not late.bye and late.view["you"] == [0]


def test_no_order_of_what_happens_lets_anybody_act_without_the_right_to() -> None:
    run(60, 40)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_no_order_of_what_happens_lets_anybody_act_without_the_right_to_for_long() -> None:
    run(3000, 80)
