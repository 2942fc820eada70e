"""What a server holds in memory is what its log says, and a game that is over stays over: see `live_is_log`."""

import contextlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from bridgehead.core.errors import BridgeheadError
from bridgehead.core.match import Match
from bridgehead.core.phrases import Phrase
from bridgehead.fairness.seals import Seals
from bridgehead.server.connections.connection import Connection
from bridgehead.server.messages.client import ALWAYS, Phase, Role
from bridgehead.server.rooms import dispatcher, permissions
from bridgehead.server.rooms.chat import Chat
from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.event_log import Event
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables import sealing
from bridgehead.server.tables.seats import TableNote
from bridgehead.server.tables.table import Table
from server.interleaving import Page, World, driven
from server.live_is_log import MINI, PERSON, TYPES, filled, run, sealing_messages

DOCUMENT = Path(__file__).parents[2] / "docs" / "lookup" / "protocol.md"


def test_live_is_log_after_every_message() -> None:
    run(12, 25)


def seal_all(world: World, pages: list[Page], but: Any = None) -> None:
    """Let pages answer sealed chance until nothing is owed but by the page `but`."""
    while owed := [(page, message) for page in pages if page is not but for message in sealing_messages(page)]:
        for page, message in owed:
            page.say(**message)
        world.quiet()


def begun(world: World, level: int) -> tuple[Any, list[Page], str]:
    """A sealed table of two with its first draws, its pages, and the host's token."""
    table, tokens, host = world.table(game="barricade", options={**MINI, "seats": 2}, seats=[PERSON] * 2, level=level)
    pages = [world.come(table.id, str(token), brief=False) for token in tokens]
    world.quiet()
    seal_all(world, pages)
    return table, pages, host


def stays_over(world: World, pages: list[Page], late: Page, message: dict[str, Any]) -> None:
    """The late message is refused, the end stands in every view, and after a restart the table opens with it."""
    assert all(page.view["outcome"]["reason"] == "resigned" for page in pages)
    call = late.say(**message)
    world.quiet(6)
    assert call.answer is not None and (call.answer["t"], call.answer["code"]) == ("rej", "closed"), call.answer
    world.kill(0)
    world.start(0)
    again = [world.come(page.hello.message["table"], *page.tokens, brief=False) for page in pages]
    world.quiet(6)
    assert [page.bye for page in again] == [{}, {}]
    assert all(page.view["outcome"] == pages[0].view["outcome"] and page.view["actor"] == -2 for page in again)


def test_a_link_that_comes_after_the_end_does_not_bring_a_live_game_back(tmp_path: Path) -> None:
    with driven(tmp_path / "log") as world:
        _, pages, _ = begun(world, 2)
        while not (late := next((page for page in pages if sealing_messages(page)), None)):
            acting = next(page for page in pages if page.view.get("choices"))
            acting.act(acting.view["choices"][0]["action"])
            world.quiet()
        other = pages[1 - pages.index(late)]
        seal_all(world, pages, but=late)
        message = sealing_messages(late)[0]
        assert message["t"] == "reveal" and message["e"] >= 0, "a link for a draw is under way"
        other.say(t="ask", what="resign", v=other.view["v"])
        world.quiet()
        stays_over(world, pages, late, message)


def test_an_opening_that_comes_after_the_end_does_not_bring_a_game_back(tmp_path: Path) -> None:
    with driven(tmp_path / "log") as world:
        _, (first, second), _ = begun(world, 1)
        second.seat(1, "computer", level="random")
        world.quiet()
        second.seat(1, "back")
        world.quiet()
        seal_all(world, [first])
        while sealing_messages(second)[0]["t"] == "seal":
            second.say(**sealing_messages(second)[0])
            world.quiet()
            seal_all(world, [first])
        message = sealing_messages(second)[0]
        while acting := next((page for page in (first, second) if page.view.get("choices")), None):
            acting.act(acting.view["choices"][0]["action"])
            world.quiet()
        assert first.view["actor"] == -1, "the next die waits for the opening"
        second.say(t="ask", what="resign", v=second.view["v"])
        world.quiet()
        stays_over(world, [first, second], second, message)


@pytest.mark.parametrize("fails", ["link", "anything"])
def test_a_log_that_cannot_be_folded_keeps_no_other_table_waiting(
    fails: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link of an era that never was raised StopIteration in a thread, and the address's turn to fold was never given back."""
    with driven(tmp_path / "log") as world:
        tables = [begun(world, 2)[0] for _ in range(2)]
        damaged, last = tables[0], world.store.events(tables[0].id)[-1]
        body = bodies.LinkRevealed("0" * 32, 1, "0" * 64, 9).json
        wrong = Event(last.version + 1, "0" * 32, "link", 0, -1, "person", last.time, body)
        world.do(world.store.append(damaged.id, hash_chain.chain_events(last.link, [wrong])))
        world.kill(0)
        world.start(0)
        if fails == "anything":
            monkeypatch.setattr(Seals, "open_link", lambda *_: next(iter(())))
        find = world.worker(0).manager.repository.find
        found = world.do(find(damaged.id, "10.0.0.1"))
        assert found.version < last.version + 1 == found.damage.event or fails == "anything"
        monkeypatch.undo()
        assert world.do(find(tables[1].id, "10.0.0.1")).id == tables[1].id


def test_every_message_is_refused_in_the_phases_and_from_the_pages_that_its_struct_does_not_name(tmp_path: Path) -> None:
    """The documents list the same phases and senders, which they have from the structs."""
    lines = DOCUMENT.read_text("utf-8").split("\n")
    for kind in TYPES:
        phases = "always" if kind.phases == ALWAYS else ", ".join(phase for phase in get_args(Phase) if phase in kind.phases)
        senders = "anybody" if "watcher" in kind.senders else ", ".join(role for role in get_args(Role) if role in kind.senders)
        assert f"| `{kind.__struct_config__.tag}` | {phases} | {senders} |" in lines
    with driven(tmp_path / "log") as world:
        table, (first, second), _ = begun(world, 1)
        watcher = world.come(table.id, brief=False)
        world.quiet()
        for phase in ("playing", "over"):
            if phase == "over":
                first.say(t="ask", what="resign", v=first.view["v"])
                world.quiet()
            for page, role in ((watcher, "watcher"), (second, "seat")):
                for kind in (each for each in TYPES if "k" in each.__struct_fields__):
                    if phase not in kind.phases or kind.senders.isdisjoint({"watcher", role}):
                        before = world.store.events(table.id)
                        call = page.say(**filled(kind, page, random.Random(1)))
                        world.quiet()
                        assert call.answer is not None and call.answer["t"] == "rej", (kind, role, phase)
                        assert world.store.events(table.id) == before


@pytest.mark.parametrize("level", [None, 1, 2], ids=["nobody seals", "level 1", "level 2"])
def test_no_message_fails_inside_at_any_kind_of_table(level: int | None, tmp_path: Path) -> None:
    """A failure pauses the table: a link for chance that is not sealed was one that anybody at a seat could send."""
    lot, more = random.Random(7), {"level": level} if level else {"seed": 5}
    with driven(tmp_path / "log") as world:
        for kind in TYPES:
            table, tokens, host = world.table(game="barricade", options={**MINI, "seats": 2}, seats=[PERSON] * 2, **more)
            pages = [world.come(table.id, str(token), brief=False) for token in tokens]
            pages += [world.come(table.id, brief=False), world.come(table.id, host=host, brief=False)]
            world.quiet()
            for page in (page for page in pages for _ in range(4) if page.alive and page.view):
                call = page.say(**filled(kind, page, lot))
                world.quiet()
                assert not call.answer or call.answer.get("code") != "internal", (kind, call.message)


# Faults that are put into the server, one for each family of messages. The machine has to find each.


def _forgets_the_phase(patch: pytest.MonkeyPatch) -> None:
    """The server as it was when a late link could bring a game back."""
    patch.setattr(dispatcher, "_refuse", lambda *_: None)
    patch.setattr(Table, "_check_phase", lambda *_: None)
    patch.setattr(sealing, "_seals", lambda table: table.dealer)

    @contextlib.contextmanager
    def restore_after(match: Match) -> Iterator[None]:
        length = len(match.log)
        yield
        match.reopen()
        match.rewind(length)

    patch.setattr(Match, "restore_after", restore_after)


def _act_moves_more(patch: pytest.MonkeyPatch) -> None:
    act = Table.act

    async def acted(table: Table, *given: Any, **more: Any) -> int:
        version = await act(table, *given, **more)
        if len(table.match.log) % 5 == 0 and table.actor >= 0:
            table.match.play(table.match.position.legal[0])
        return version

    patch.setattr(Table, "act", acted)


def _ask_pauses_unstored(patch: pytest.MonkeyPatch) -> None:
    written = Table.write

    async def write(table: Table, key: str, *new: Any) -> int:
        version = await written(table, key, *new)
        if new[0].kind == "ask":
            table.paused = True
        return version

    patch.setattr(Table, "write", write)


def _seat_changes_unstored(patch: pytest.MonkeyPatch) -> None:
    def read(connection: Connection, table: Table) -> frozenset[int]:
        if table.version > 12:
            table.seats = [replace(seat, name="X") for seat in table.seats]
        return kept(connection, table)

    kept = Connection.read
    patch.setattr(Connection, "read", read)


def _house_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    async def house(settings: Any, session: Any, message: Any) -> int:
        session.table.people.chat = not session.table.people.chat
        return int(session.table.version)

    patch.setattr(permissions.HostSettings, "house", house)


def _rematch_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    async def rematch(service: Any, session: Any, message: Any) -> int:
        session.table.people.rematch = "ABC"
        return int(session.table.version)

    patch.setattr(permissions.Rematches, "rematch", rematch)


def _clock_is_charged_unstored(patch: pytest.MonkeyPatch) -> None:
    advance = Table._advance

    def advanced(table: Table, events: list[Event], common: int) -> None:
        advance(table, events, common)
        if events[0].kind == "came" and table.lock.locked():
            table.clock = replace(table.clock, left=tuple(max(0, left - 1000) for left in table.clock.left))

    patch.setattr(Table, "_advance", advanced)


def _chat_moves_the_game(patch: pytest.MonkeyPatch) -> None:
    async def say(chat: Any, session: Any, message: Any) -> int:
        session.table.people.notes.append(TableNote(0, Phrase("mark.hints")))
        session.table.version += 1
        return int(session.table.version)

    patch.setattr(Chat, "say", say)


PLANTED = {
    "sealing": _forgets_the_phase, "game": _act_moves_more, "proposals": _ask_pauses_unstored, "seats": _seat_changes_unstored,
    "host": _house_is_forgotten, "rematch": _rematch_is_forgotten, "clocks": _clock_is_charged_unstored,
    "chat": _chat_moves_the_game,
}  # fmt: skip


@pytest.mark.wide
@pytest.mark.timeout(900)
@pytest.mark.parametrize("family", PLANTED)
def test_the_machine_finds_a_fault_in_each_family_of_messages(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTED[family](monkeypatch)
    with pytest.raises((AssertionError, BridgeheadError, ExceptionGroup)):
        run(2000, 40, shrinks=False)  # it stops at the first find


@pytest.mark.wide
@pytest.mark.timeout(900)
def test_live_is_log_after_every_message_of_many_games() -> None:
    run(150, 40, shrinks=False)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_live_is_log_after_every_message_for_long() -> None:
    run(5000, 60)
