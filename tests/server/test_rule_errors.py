"""Rules with a mistake in them: it costs one action, is written down, and the third one pauses the table."""

import asyncio
import json
import secrets
import stat
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.core.game import Game
from bridgehead.core.match import Match
from bridgehead.core.options import build
from bridgehead.server.cluster.peers import ClusterPeers
from bridgehead.server.rooms import rule_errors
from server.live import PATIENCE, ROOMY, Live, Page, Serve
from server.test_computer_players import by_whom
from server.test_sealing import inside, new

PAUSED = "the rules of this game failed here three times"
PEOPLE = [{"kind": "person", "name": "Ada"}, {"kind": "person", "name": "Ben"}]


@pytest.fixture
def own(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Live:
    monkeypatch.setattr("bridgehead.server.rooms.computer_turns.AGAIN", 0.01)
    return serve(ROOMY._replace(answer=0.05))


class Faulty:
    """A rule of a game that goes wrong where it is told to, and else does what is right."""

    def __init__(self, patch: pytest.MonkeyPatch, game: str, rule: str) -> None:
        rules = registry.spec(game).rules
        self.right: Callable[..., Any] = getattr(rules, rule)
        self.when: Callable[..., bool] = lambda *_: False
        self.before: Callable[[], None] = lambda: None
        patch.setattr(rules, rule, self)

    def __call__(self, *given: Any) -> Any:
        if self.when(*given):
            self.before()
            raise ZeroDivisionError("a rule that nobody tried")
        return self.right(*given)


def written(own: Live) -> list[Path]:
    return sorted((own.file.parent / "mistakes").glob("*"))


def try_it(page: Page, action: int) -> None:
    before = page.view["v"]
    page.send_act(action)
    assert page.refused("internal")["v"] == before


def paused(page: Page) -> str:
    """What a page is told when its table is paused."""
    while "paused" not in page.hear("view"):
        pass
    return page.view["paused"]


def test_a_mistake_costs_the_action_and_the_third_pauses_the_table(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    table = own.table(seats=PEOPLE)
    page, german = own.page(table, 0, 1), own.page(table, lang="de")
    page.act("a2-a3")
    bad = page.view["choices"][0]["action"]
    Faulty(monkeypatch, "forty_bridges", "apply").when = lambda state, law, action: action == bad
    for _ in range(3):
        assert len(own.store.events(table["table"])) == 1
        try_it(page, bad)
    assert PAUSED in paused(page) and "dreimal versagt" in paused(german) and "choices" not in page.view
    page.hear("people")
    german.hear("people")
    page.send_act(bad)
    page.refused("closed")
    event = own.store.events(table["table"])[-1]
    assert (event.version, event.kind, event.by) == (2, "pause", "mistake")
    assert "failed here three times" in page.people["marks"][-1]["text"] and "versagt" in german.people["marks"][-1]["text"]
    assert "failed here three times" in own.http.get(f"/api/tables/{table['table']}/record").text
    again = Live(own.file.parent)
    assert PAUSED in again.page(table, 0).view["paused"], "it stands in the log"
    again.stop()
    page.say(t="ask", k=secrets.token_hex(16), v=page.view["v"], what="resume")
    page.hear("ack")
    assert "paused" not in page.hear("view")
    assert len(page.view["choices"]) > 1, "though to say what they would bring, each is tried"
    assert page.act(page.view["choices"][1]["text"])["actor"] == 0, "what the rules can do is played on"


def test_where_the_rules_went_wrong_people_may_go_back(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    table = own.table(seats=PEOPLE)
    page = own.page(table, 0, 1)
    page.act("a2-a3")
    rule = Faulty(monkeypatch, "forty_bridges", "apply")
    rule.when = lambda state, law, action: int(state.turns) == 1
    for _ in range(3):
        try_it(page, page.view["choices"][0]["action"])
    assert PAUSED in paused(page) and set(page.view["may"]) >= {"takeback", "resume"}
    page.say(t="ask", k=secrets.token_hex(16), v=page.view["v"], what="takeback")
    page.hear("ack")
    assert "paused" not in page.hear("view") and page.view["choices"] and page.view["log"] == []
    assert page.act("a2-a3")["actor"] == 1


def test_what_is_written_down_meets_the_mistake_again_and_holds_no_secret(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    table = own.table("barricade", PEOPLE, board="mini")
    page = own.page(table, 0, 1, host=True)
    for _ in range(4):
        page.act(page.view["choices"][0]["text"])
    page.say(t="ask", k=secrets.token_hex(16), v=page.view["v"], what="takeback")
    page.hear("ack")
    page.hear("view")
    bad = page.view["choices"][-1]["action"]
    Faulty(monkeypatch, "barricade", "apply").when = lambda state, law, action: action == bad
    position = inside(own, table).match.position
    try_it(page, bad)
    try_it(page, bad)
    (file,) = written(own)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600 and stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    text = file.read_text("utf-8")
    told = json.loads(text)
    assert told["error"] == "ZeroDivisionError" and told["tried"] == {"what": "act", "action": bad} and told["seed"] == "1"
    match = Match(Game(registry.spec(told["game"]), build(registry.spec(told["game"]), "", told["options"])))
    for _, kind, _, action, _, more in told["log"]:
        if kind == "action":
            match.play(action)
        elif kind == "back":
            match.rewind(more["to"])
    assert match.position == position
    with pytest.raises(ZeroDivisionError):
        match.play(told["tried"]["action"])
    body = inside(own, table).body
    for secret in [*table["tokens"], table["host"], body.host, *[seat.token for seat in body.seats], "Ada", "nobody tried"]:
        assert secret not in text


def test_after_a_mistake_the_table_is_what_its_log_says(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    table = own.table("barricade", PEOPLE, board="mini")
    page = own.page(table, 0, 1)
    page.act(page.view["choices"][0]["text"])
    bad = page.view["choices"][0]["action"]
    held = inside(own, table)
    match, version, chances, done = held.match, held.version, held.match.chances, dict(held.done)
    rule = Faulty(monkeypatch, "barricade", "apply")
    rule.when = lambda state, law, action: action == bad and int(state.turns) == match.position.turn

    def spoil() -> None:
        match.chances += 5
        held.done.clear()

    rule.before = spoil
    try_it(page, bad)
    rule.when = lambda *_: False
    assert held.match is not match and held.match.chances == chances
    assert (held.version, held.done) == (version, done)
    assert page.act(page.view["choices"][0]["text"])["v"] > version


def test_an_action_after_which_nobody_could_play_on_is_not_stored(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    table = own.table(seats=PEOPLE)
    page = own.page(table, 0, 1)
    Faulty(monkeypatch, "forty_bridges", "legal").when = lambda state, *_: int(state.turns) == 1
    try_it(page, page.action("a2-a3"))
    assert own.store.events(table["table"]) == [] and own.page(table, 0).view["choices"]


def test_a_computer_that_meets_a_mistake_does_not_leave_people_waiting(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    table = own.table(seats=[PEOPLE[0], {"kind": "computer", "level": "random"}])
    page = own.page(table, 0)
    mine = page.action("a2-a3")
    Faulty(monkeypatch, "forty_bridges", "apply").when = lambda state, law, action: action != mine
    page.act("a2-a3")
    assert PAUSED in paused(page) and not page.view["thinking"]
    assert by_whom(own, table) == ["person", "mistake"] and len(written(own)) == 1


def test_chance_that_meets_a_mistake_does_not_leave_people_waiting(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    table = new(own, PEOPLE)
    page = own.page(table, 0, 1)

    def mistaken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("bridgehead.server.rooms.sealing_tasks.new_era", mistaken)
    page.say(t="seat", k=secrets.token_hex(16), seat=1, do="computer", level="random")
    assert PAUSED in paused(page)
    own.page(table)  # whoever comes is no reason to try again
    assert [event.kind for event in own.store.events(table["table"])].count("pause") == 1


def test_only_the_newest_mistakes_are_kept(own: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rule_errors, "FILES", 2)
    pages = [(table, own.page(table, 0)) for table in (own.table(seats=PEOPLE) for _ in range(4))]
    Faulty(monkeypatch, "forty_bridges", "apply").when = lambda *_: True
    for _, page in pages:
        try_it(page, page.view["choices"][0]["action"])
    assert len(written(own)) == 2
    assert any(file.name.startswith(pages[-1][0]["table"]) for file in written(own))


def test_a_table_that_cannot_be_followed_stops_no_worker_from_following_others(
    own: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [own.table(seats=PEOPLE) for _ in range(2)]
    pages = [own.page(table, 0) for table in tables]
    names, manager, right = [table["table"] for table in tables], own.app.state.manager, own.app.state.manager.updates.take
    others = ClusterPeers(SimpleNamespace(newer=lambda known: {name: [] for name in names}))  # type: ignore[arg-type]
    others._rooms, others._updates, others._errors = manager.rooms, manager.updates, manager.rule_errors
    taken = []

    async def take(room: Any, events: Any) -> None:
        if room.table.id == names[0]:
            raise ZeroDivisionError
        taken.append(room.table.id)
        await right(room, events)

    monkeypatch.setattr(manager.updates, "take", take)
    for _ in range(3):
        asyncio.run_coroutine_threadsafe(others._catch_up(set(names)), own.loop).result(PATIENCE)
    assert taken == [names[1]] * 3 and PAUSED in paused(pages[0])
    assert [json.loads(file.read_text("utf-8"))["tried"]["what"] for file in written(own)] == ["follow"]
