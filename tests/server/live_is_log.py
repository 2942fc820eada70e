"""A state machine over one table: what the server holds in memory is, after every message, what its log says.

Its messages come from the schema: every type of `ClientMessage`, by every role, in every phase of a game, late, repeated, in
another order, with kills of the server and commits that fail. Fields are filled by their names and types, mostly with what a page
could mean.
"""

from __future__ import annotations

import json
import random
import secrets
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, get_args
from unittest import mock

import msgspec
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from bridgehead.core.spec import CHANCE, OVER
from bridgehead.fairness import bgf2
from bridgehead.server.connections.connection import Viewer
from bridgehead.server.jobs.worker_pool import WorkerPool
from bridgehead.server.messages.client import AnswerProposal, ClientMessage, MakeProposal, PlayAction, UndoAction
from bridgehead.server.people.profiles import Profile, Profiles, seat_token
from bridgehead.server.people.result_store import ResultStore
from bridgehead.server.people.results import result_of
from bridgehead.server.rooms import views
from bridgehead.server.rooms.classroom import Classroom
from bridgehead.server.rooms.timers import next_due
from bridgehead.server.rooms.views import News, TableText
from bridgehead.server.tables.table import Table
from server.interleaving import Page, driven

NUMBER = st.integers(0, 10**6)
TYPES: tuple[type[msgspec.Struct], ...] = get_args(ClientMessage)
OFTEN = (PlayAction, PlayAction, MakeProposal, AnswerProposal, UndoAction)  # types that carry a game on
PERSON, COMPUTER = {"kind": "person"}, {"kind": "computer", "level": "random"}
MINI = {"board": "mini", "turnLimit": 6}
TWO: dict[str, Any] = {"game": "barricade", "options": {**MINI, "seats": 2}, "seats": [PERSON, PERSON]}
TABLES: tuple[dict[str, Any], ...] = (
    {**TWO, "level": 2},
    {**TWO, "level": 1},
    {**TWO, "level": 2, "clock": {"bank": 60, "increment": 5}},
    {**TWO, "typed": True},
    {"game": "barricade", "options": {"seats": 3, "turnLimit": 6}, "seats": [PERSON, PERSON, COMPUTER], "level": 1},
    {"game": "front_lines", "options": {"seats": 4}, "seats": [PERSON] * 4, "level": 2},
    {"game": "forty_bridges", "seats": [PERSON, PERSON], "clock": {"bank": 60}},
    {"game": "burning_bridges", "seats": [PERSON, {**PERSON, "open": True}, COMPUTER], "clock": {"nudge": 30}},
)  # fmt: skip


@contextmanager
def repeatable_secrets() -> Iterator[None]:
    """The server draws the same secrets each time, so a failure can be repeated."""
    lot = random.Random(1)
    drawn = {
        "token_bytes": lambda size=32: lot.randbytes(size),
        "token_hex": lambda size=32: lot.randbytes(size).hex(),
        "token_urlsafe": lambda size=32: lot.randbytes(size).hex(),
        "choice": lot.choice,
        "randbelow": lot.randrange,
    }
    with ExitStack() as stack:
        for name, draw in drawn.items():
            stack.enter_context(mock.patch.object(secrets, name, draw))
        yield


def phase_of(table: Table) -> str:
    """The phase of a table's game."""
    if table.actor == OVER:
        return "over"
    if table.stopped:
        return "paused"
    return "waiting" if table.actor == CHANCE else "playing"


class LiveIsLog(RuleBasedStateMachine):
    """One table, the pages at it, and what they have sent. counts: (type, role, phase, answer) of all runs."""

    counts: ClassVar[Counter[tuple[str, str, str, str]]] = Counter()
    events: ClassVar[Counter[str]] = Counter()
    kills: ClassVar[int] = 0

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()

    @initialize(number=st.integers(0, len(TABLES) - 1), profiles=st.booleans(), sealed=st.sampled_from((True, True, False)))
    def begin(self, number: int, profiles: bool, sealed: bool) -> None:
        self.stack.enter_context(repeatable_secrets())
        folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.world = self.stack.enter_context(driven(folder / "log"))
        self.wish, self.over = TABLES[number], ""
        self.checked: tuple[object, ...] = ()  # what the invariant has looked at
        self.read = 0  # events of the log that were looked at
        self.waiting: list[tuple[Page, dict[str, Any]]] = []  # messages that honest pages have made and not sent yet
        self.asked: list[tuple[Any, str, str]] = []  # a call, the role of its page, the phase when it was sent
        self._serve()
        table, tokens, self.host = self.world.table(**self.wish)
        self.table, self.secrets = table.id, [str(token) for token in tokens if token]
        for seat in range(len(self.secrets)):
            self.world.come(self.table, self.secrets[seat], host="" if seat else self.host, brief=False)
        self.world.quiet()
        if profiles:
            self._give_profiles()
        if sealed:
            self.all_seal()
        self.rest()

    def _serve(self) -> None:
        """Add the services that follow a table's end, as the application does."""
        manager = self.world.worker(0).manager
        self.results = ResultStore(manager.repository, manager.tasks)
        manager.updates.due.append(self.results.follow)
        self.profiles = Profiles(manager.repository, manager.updates, manager.rooms.get)
        self.classroom = Classroom(manager, "key")
        self.pool = WorkerPool(1, 1.0)

    def _give_profiles(self) -> None:
        for seat, token in enumerate(self.secrets):
            key = "K" * 42 + "ABCDE"[seat]
            self.world.do(self.profiles.save(key, Profile(f"N{seat}", "a", 0)))
            self.world.do(self.profiles.take(key, self.table, [token], ""))
            self.secrets.append(seat_token(key, self.table)) if seat == 0 else None

    # What pages send

    @property
    def alive(self) -> list[Page]:
        return [page for page in self.world.pages if page.alive and page.view]

    def page(self, number: int) -> Page | None:
        """A page; more often one that has to act."""
        acting = [page for page in self.alive if "choices" in page.view or "faces" in page.view]
        choice = acting if acting and number % 3 else self.alive
        return choice[number // 3 % len(choice)] if choice else None

    def send(self, page: Page, message: dict[str, Any]) -> None:
        """Put a message on its way."""
        role = "host" if page.host else "seat" if page.view["you"] else "watcher"
        key = message.pop("k", "")
        if message["t"] in ("hello", "ping", "lag", "point"):
            page.sent.append(json.dumps(message))
            self.counts[message["t"], role, self._phase(), "sent"] += 1
        else:
            self.asked.append((page.say(key, **message), role, self._phase()))

    def _phase(self) -> str:
        table = self.live()
        return phase_of(table) if table else "closed"

    @rule(seed=NUMBER, number=NUMBER)
    def any_message(self, seed: int, number: int) -> None:
        """A message of any type, filled by the schema."""
        page, lot = self.page(number), random.Random(f"{seed} {len(self.asked)}")
        if page is not None:
            kind = lot.choice(TYPES if lot.random() < 0.6 else OFTEN)
            message = {field.encode_name: self._value(field, kind, page, lot) for field in msgspec.structs.fields(kind)}
            tag = str(kind.__struct_config__.tag)
            self.send(page, {"t": tag, **{name: value for name, value in message.items() if value is not None}})
        if seed % 2:
            self.rest()

    @rule(number=NUMBER)
    def honest_message(self, number: int) -> None:
        """A page makes the messages of sealed chance that it owes. They may be sent much later."""
        page = self.page(number)
        if page is not None:
            made = [message for message in sealing_messages(page) if (page, message) not in self.waiting]
            self.waiting += [(page, message) for message in made]

    @rule(number=NUMBER, keep=st.booleans())
    def waiting_message(self, number: int, keep: bool) -> None:
        """One of the messages that were made is sent, perhaps not for the last time."""
        if self.waiting:
            page, message = self.waiting[number % len(self.waiting)]
            if not keep:
                self.waiting.remove((page, message))
            if page.alive:
                self.send(page, dict(message))

    @rule()
    def all_seal(self) -> None:
        """All pages send what sealed chance waits for, until it waits for nothing."""
        while owed := [(page, message) for page in self.alive for message in sealing_messages(page)]:
            for page, message in owed:
                self.send(page, message)
            before = len(self.world.store.events(self.table))
            self.world.quiet()
            if len(self.world.store.events(self.table)) == before:
                break
        self.rest()

    @rule(numbers=st.lists(NUMBER, min_size=1, max_size=8))
    def play_on(self, numbers: list[int]) -> None:
        """Whoever has to act does."""
        for number in numbers:
            acting = [page for page in self.alive if page.view.get("choices") or page.view.get("faces")]
            if acting:
                page = acting[0]
                offered = page.view.get("choices") or page.view["faces"]
                self.send(page, {"t": "act", "v": page.view["v"], "a": offered[number % len(offered)]["action"]})
            self.world.quiet()
            for page in self.alive:
                for message in sealing_messages(page):
                    if number % 4:
                        self.send(page, message)
                    elif (page, message) not in self.waiting:
                        self.waiting.append((page, message))
            self.world.quiet()
        self.rest()

    @rule(number=NUMBER, what=st.sampled_from(("resign", "draw", "takeback", "pause", "resume")))
    def agree(self, number: int, what: str) -> None:
        """Somebody proposes something, and all others agree."""
        seated = [page for page in self.alive if page.view["you"]]
        if seated:
            page = seated[number % len(seated)]
            self.send(page, {"t": "ask", "v": page.view["v"], "what": what})
            self.world.quiet()
        for page in seated:
            if (asked := page.view.get("ask")) and asked["open"] and set(asked["need"]) & set(page.view["you"]):
                self.send(page, {"t": "answer", "about": asked["v"], "yes": True})
                self.world.quiet()
        self.rest()

    @rule(number=NUMBER)
    def again(self, number: int) -> None:
        """A page sends a message again that it, or another page, has sent."""
        page = self.page(number)
        if page is not None and self.world.calls:
            message = dict(self.world.calls[number % len(self.world.calls)].message)
            self.send(page, message)

    def _value(self, field: Any, kind: type, page: Page, lot: random.Random) -> Any:
        """A value for a field: by its name what a page could mean, else anything of its type."""
        smart = getattr(self, f"_value_{field.encode_name}", None)
        if smart is not None:
            return smart(kind, page, lot)
        return any_value(msgspec.inspect.type_info(field.type), lot)

    def _value_p(self, kind: type, page: Page, lot: random.Random) -> int:
        return 1

    def _value_table(self, kind: type, page: Page, lot: random.Random) -> str:
        return self.table

    def _value_tokens(self, kind: type, page: Page, lot: random.Random) -> list[str]:
        return list(page.tokens)

    def _value_k(self, kind: type, page: Page, lot: random.Random) -> str:
        used = [call.message["k"] for call in self.world.calls]
        return lot.choice(used) if used and lot.random() < 0.1 else secrets.token_hex(16)

    def _value_v(self, kind: type, page: Page, lot: random.Random) -> int:
        return max(0, page.view["v"] - lot.choice((0, 0, 0, 0, 1, 5)) + lot.choice((0, 0, 0, 0, 0, 1)))

    def _value_a(self, kind: type, page: Page, lot: random.Random) -> int:
        offered = page.view.get("choices") or page.view.get("faces")
        return lot.choice(offered)["action"] if offered else lot.randrange(60)

    def _value_about(self, kind: type, page: Page, lot: random.Random) -> int:
        return (page.view.get("ask") or {}).get("v", lot.randrange(30))

    def _value_yes(self, kind: type, page: Page, lot: random.Random) -> bool:
        return lot.random() < 0.8

    def _value_seat(self, kind: type, page: Page, lot: random.Random) -> int:
        return lot.choice([*page.view["you"], lot.randrange(4)])

    def _value_level(self, kind: type, page: Page, lot: random.Random) -> str:
        return "random"

    def _value_webhook(self, kind: type, page: Page, lot: random.Random) -> None:
        return None

    def _value_gid(self, kind: type, page: Page, lot: random.Random) -> str:
        return str(page.sealed.get("gid", "0" * 32))

    def _value_era(self, kind: type, page: Page, lot: random.Random) -> int:
        return int(lot.choice([each["number"] for each in page.sealed.get("eras", ())] or [1]))

    def _value_e(self, kind: type, page: Page, lot: random.Random) -> int:
        return lot.choice([-1, 0, 1, *(each["asked"]["e"] for each in page.sealed.get("eras", ()) if each["asked"])])

    def _value_heads(self, kind: type, page: Page, lot: random.Random) -> list[dict[str, Any]]:
        made = [message for message in sealing_messages(page) if message["t"] == "seal"]
        return made[0]["heads"] if made else [{"seat": lot.randrange(3), "head": lot.randbytes(32).hex()}]

    def _value_links(self, kind: type, page: Page, lot: random.Random) -> list[dict[str, Any]]:
        made = [message for message in sealing_messages(page) if message["t"] == "reveal"]
        return made[0]["links"] if made else [{"seat": lot.randrange(3), "value": lot.randbytes(32).hex()}]

    # What happens

    @rule(seats=st.lists(st.integers(0, 4), max_size=2), host=st.booleans())
    def come(self, seats: list[int], host: bool) -> None:
        """Another page comes, with secrets that were given to somebody at some time."""
        for page in self.world.pages:
            self.secrets += [token for token in page.tokens if token not in self.secrets]
        if len(self.alive) < 6:
            tokens = {self.secrets[number % len(self.secrets)] for number in seats}
            self.world.come(self.table, *sorted(tokens), host=self.host if host else "", brief=False)
            self.rest()

    @rule(number=NUMBER)
    def cut(self, number: int) -> None:
        if len(self.alive) > 2:
            self.alive[number % len(self.alive)].cut()

    @rule(choices=st.lists(NUMBER, min_size=1, max_size=8))
    def go_on(self, choices: list[int]) -> None:
        """Some of what is under way happens, in this order."""
        for choice in choices:
            self.world.step(choice)

    @rule(seconds=st.sampled_from([0.5, 4.0, 7.0, 65.0]))
    def wait(self, seconds: float) -> None:
        self.world.wait(seconds)

    @rule()
    def rest(self) -> None:
        self.world.quiet(1)
        while any(gate.label == "thought" for gate in self.world.loop.gates):
            self.world.open("thought")
            self.world.quiet(1)

    @rule(hold=st.booleans())
    def host_pauses_all(self, hold: bool) -> None:
        self.world.do(self.classroom.hold() if hold else self.classroom.release())
        self.rest()

    @rule(number=NUMBER)
    def commit_fails(self, number: int) -> None:
        gates = [gate for gate in self.world.loop.gates if gate.label == "commit" and gate.fail]
        if gates:
            self.world.pass_gate(gates[number % len(gates)], fails=True)
            self.world.loop.run()

    @rule(number=st.integers(0, 3))
    def kill(self, number: int) -> None:
        """The server ends at once, with what is under way. Its pages come back."""
        if number:
            return
        type(self).kills += 1
        before = [page for page in self.alive if page.tokens or page.host][:4]
        self.world.kill(0)
        self.world.start(0)
        self._serve()
        for page in before:
            self.world.come(self.table, *page.tokens, host=page.host, brief=False)
        self.rest()

    # What has to be so

    def live(self) -> Table | None:
        """The table as the server holds it; None while it holds none, or while something is under way."""
        opened = self.world.worker(0).manager.repository._open.get(self.table)
        if opened is None or not opened.done() or opened.exception() is not None:
            return None
        table = opened.result()
        assert isinstance(table, Table)
        return table

    def folded(self, table: Table) -> Table:
        """The same table, folded from the store."""
        again = Table(table.id, table.body, table.game, self.world.store, table.root)
        again.reload()
        again.attendance.here, again.code = table.attendance.here, table.code
        return again

    @invariant()
    def live_is_log(self) -> None:
        if not hasattr(self, "table"):
            return
        table = self.live()
        if table is None or table.lock.locked():
            return
        now = id(table), table.version, len(self.asked), table.attendance.here
        if now == self.checked:
            return
        self.checked = now
        self._follow(table)
        again = self.folded(table)
        assert state_of(again) == state_of(table)
        assert table.phase == again.phase == phase_of(table)
        for viewer in viewers(table):
            assert shown(again, viewer) == shown(table, viewer), viewer
        is_late = next_due(again) == 0  # what is due could not be stored yet: pages hear of it then
        for page in self.alive:
            if page.view["v"] == again.version and not page.sent and not is_late:
                mine = shown(again, Viewer("en", frozenset(page.view["you"]), plain=True))
                assert bool(page.view["outcome"]) == bool(mine["outcome"]) and ("paused" in page.view) == ("paused" in mine)
                names = ("actor", "may", "undo", "moved")
                differing = {
                    name: (page.view.get(name), mine.get(name)) for name in names if page.view.get(name) != mine.get(name)
                }
                assert not differing, differing

    def _follow(self, table: Table) -> None:
        """Once a game is over it stays over, unless people correct the draw that they typed last."""
        for event in self.world.store.events(self.table, self.read):
            self.events[event.kind] += 1
            self.read = event.version
            if event.kind == "undo" and event.actor == CHANCE:
                self.over = ""
        now = str(table.match.outcome) if table.actor == OVER else ""
        assert not self.over or now == self.over, f"the end is gone, or another one: {self.over} became {now or 'no end'}"
        self.over = now

    @invariant()
    def nothing_broke(self) -> None:
        if hasattr(self, "world"):
            assert not self.world.loop.broken, self.world.loop.broken
            failed = [call.message for call, *_ in self.asked if call.answer and call.answer.get("code") == "internal"]
            assert not failed, failed

    @invariant()
    def the_result_is_that_of_the_log(self) -> None:
        table = self.live() if hasattr(self, "table") else None
        if table is None or table.lock.locked() or self.world.loop.gates or (table.actor != OVER and not table.version % 5):
            return
        stored = self.results.results([self.table]).get(self.table)
        assert stored == result_of(self.folded(table), self.world.store.events(self.table))

    def teardown(self) -> None:
        try:
            if hasattr(self, "table"):
                self.rest()
                self.live_is_log()
                self.the_result_is_that_of_the_log()
                self._count()
                self._a_reopened_server_goes_on()
        finally:
            self.stack.close()

    def _count(self) -> None:
        for call, role, phase in self.asked:
            answer = call.answer and (call.answer["t"] if call.answer["t"] != "rej" else call.answer["code"])
            self.counts[call.message["t"], role, phase, answer or "none"] += 1

    def _a_reopened_server_goes_on(self) -> None:
        self.world.kill(0)
        self.world.start(0)
        self._serve()
        pages = [self.world.come(self.table, token, brief=False) for token in self.secrets[: len(self.wish["seats"])]]
        self.world.quiet(1)
        assert any(page.view for page in pages) or all(page.bye.get("code") == "token" for page in pages), "it opens"
        for page in pages:
            if page.view and page.view.get("choices") and "paused" not in page.view:
                call = page.act(page.view["choices"][0]["action"])
                self.world.quiet(1)
                assert call.answer is not None and call.answer["t"] == "ack", call.answer
                break


def sealing_messages(page: Page) -> list[dict[str, Any]]:
    """What an honest page owes to sealed chance now. Its seeds follow from the seats."""
    found: list[dict[str, Any]] = []
    sealed = page.sealed
    for era in sealed.get("eras", ()) if sealed.get("gid") else ():
        where = {"gid": sealed["gid"], "era": era["number"]}
        chains = {seat: chain(sealed["gid"], era["number"], seat, era["level"]) for seat in page.view["you"]}
        if not era["transcript"]:
            heads = [{"seat": seat, "head": chains[seat][0].hex()} for seat in chains if era["seats"][seat] is None]
            found += [{"t": "seal", **where, "heads": heads, "source": 0}] if heads else []
            continue
        asked = era["asked"] or {"e": -1, "missing": []}
        for event, seats in ((-1, era["unopened"]), (asked["e"], asked["missing"])):
            number = event + bgf2.ASK_FIRST if event >= 0 else 1
            links = [{"seat": seat, "value": chains[seat][number].hex()} for seat in seats if seat in chains]
            found += [{"t": "reveal", **where, "e": event, "links": links}] if links else []
    return found


@lru_cache(64)
def chain(gid: str, era: int, seat: int, level: int) -> list[bytes]:
    """The chain of a seat in an era."""
    return bgf2.chain(bytes([seat + 1]) * 32, bytes.fromhex(gid), era, seat, bgf2.chain_length(level, 0))


def filled(kind: type[msgspec.Struct], page: Page, lot: random.Random) -> dict[str, Any]:
    """A message of this type with values that the schema allows, in the present view of a page."""
    made: dict[str, Any] = {"t": str(kind.__struct_config__.tag)}
    for field in msgspec.structs.fields(kind):
        known = {
            "v": page.view["v"],
            "gid": "0" * 32,
            "heads": [{"seat": 0, "head": "0" * 64}],
            "links": [{"seat": 0, "value": "0" * 64}],
        }
        if field.encode_name in known:
            made[field.encode_name] = known[field.encode_name]
        elif field.encode_name != "k" and (value := any_value(msgspec.inspect.type_info(field.type), lot)) is not None:
            made[field.encode_name] = value
    return made


def any_value(kind: msgspec.inspect.Type, lot: random.Random) -> Any:
    """A value of a type; None leaves its field out."""
    match kind:
        case msgspec.inspect.Metadata(type=inner):
            return any_value(inner, lot)
        case msgspec.inspect.BoolType():
            return lot.random() < 0.5
        case msgspec.inspect.IntType(ge=least, lt=most):
            return lot.randrange(least or 0, min(most or 40, (least or 0) + 40))
        case msgspec.inspect.LiteralType(values=values):
            return lot.choice(values)
        case msgspec.inspect.StrType(max_length=most):
            return lot.choice(("", "N", "hello"))[: most or 5]  # a pattern, as of a key, has a name that is known
        case msgspec.inspect.ListType(item_type=item):
            return [any_value(item, lot) for _ in range(lot.randint(1, 2))]
        case msgspec.inspect.UnionType(types=types):
            return any_value(lot.choice(types), lot)
        case msgspec.inspect.NoneType():
            return None
    raise AssertionError(f"the schema has a type that this test cannot fill: {kind}")


def state_of(table: Table) -> dict[str, Any]:
    """What of a table follows from its log."""
    clock, asked, people = table.clock, table.proposals.last, table.people
    return {
        "version": table.version, "moved": table.last_move_version, "log": table.match.log, "position": table.match.position.text,
        "ended": table.match.ended, "outcome": table.match.outcome, "chances": table.match.chances, "seats": table.seats,
        "paused": (table.paused, table.frozen_by_host, table.rules_failed),
        "begun": (table.begun, table.taken), "head": table.head,
        "left": clock.left, "late": clock.late, "came": table.came, "credit": clock.credit, "running": clock.running,
        "holidays": table.days.holidays, "ask": asked and asked._replace(until=0.0), "done": table.done, "sealed": table.sealed,
        "people": (people.listed, people.public, people.chat, people.watchers, people.hints, people.rematch, people.notes,
                   people.changes, people.given, people.webhook, people.language),
        "eras": getattr(table.dealer, "eras", ()), "dealt": getattr(table.dealer, "dealt", 0), "occupied": table.occupied,
        "record": table.record(),
    }  # fmt: skip


def viewers(table: Table) -> list[Viewer]:
    """All kinds of viewers of a table: each seat, all seats, a spectator, the host."""
    seats = range(len(table.seats))
    held = [frozenset[int](), frozenset(seats), *(frozenset([seat]) for seat in seats)]
    return [Viewer("en", you, plain=True) for you in held] + [Viewer("de", host=True)]


def shown(table: Table, viewer: Viewer) -> dict[str, Any]:
    """A whole view without what is measured by this process's clock."""
    narrator = TableText(table.match, table.names, viewer.language)
    made: dict[str, Any] = json.loads(views.view(table, narrator, viewer, table.attendance.here, News.FRESH))
    made.pop("preparing", None)
    if "clock" in made:
        made["clock"].pop("elapsed")
    return made


def run(examples: int, steps: int, machine: type[LiveIsLog] = LiveIsLog, shrinks: bool = True) -> None:
    """Run the machine. shrinks: make a failure as short as possible, which takes a while."""
    chosen = settings(
        phases=[phase for phase in Phase if shrinks or phase not in (Phase.shrink, Phase.explain)],
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
    run_state_machine_as_test(machine, settings=chosen)  # type: ignore[no-untyped-call]
