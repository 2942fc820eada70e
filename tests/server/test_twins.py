"""Twin worlds: two tables that differ in every secret and agree in what is public send the same bytes to everybody.

These games hide nothing from a seat: what nobody has seen is drawn when it is turned up. So what a viewer is sent is a
function of the public log and of who is here; the seed, the tokens, the keys, the clock and the chain have no part in it.
One thing has: the `mark` of a view, which nobody can make who was not told of it, and which is of one length.
Where somebody who does not play has laid out The Front Lines' cards face down, their order is one more secret.
"""

import asyncio
import contextlib
import random
import re
import secrets
from itertools import groupby
from typing import Any

import msgspec
import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError, IllegalAction
from bridgehead.server.rooms import views
from bridgehead.server.rooms.views import News, Viewer
from bridgehead.server.storage.sqlite import Event
from bridgehead.server.tables.stored_seats import StoredTable, digest
from bridgehead.server.tables.table import Table
from server.live import PATIENCE, Live, Page, Serve

pytestmark = pytest.mark.wide
GAMES = ["barricade", "burning_bridges", "forty_bridges", "front_lines"]


class Listener(Page):
    """A page that keeps what it hears as it came."""

    def __init__(self, url: str, table: dict[str, Any], *seats: int, plain: bool = False, brief: bool = False) -> None:
        super().__init__(url)
        self.raw: list[str] = []
        self.viewer = Viewer("en", frozenset(seats), plain, brief)
        tokens = [table["tokens"][seat] for seat in seats]
        self.say(t="hello", p=1, table=table["table"], tokens=tokens, lang="en", plain=plain, brief=brief)

    def hear_views(self, version: int) -> None:
        while not self.view or self.view["v"] < version:
            raw = self.socket.recv(PATIENCE)
            message = msgspec.json.decode(raw)
            if message["t"] == "view":
                self.view = message
                self.raw.append(unmarked(str(raw)))


def unmarked(raw: str) -> str:
    """A view without its mark, which has to be there."""
    bare, marks = re.subn('"mark":"[0-9a-f]{16}"', '"mark":""', raw)
    assert marks == 1, raw
    return bare


def is_change(view: dict[str, Any]) -> bool:
    """Not only somebody who came or went."""
    return bool(view["since"] < view["v"])


def changes(events: list[Event]) -> list[list[Event]]:
    """Events as they came to be: a decision, and the chance that answers it."""
    return [list(group) for _, group in groupby(events, key=lambda event: event.key.partition(".")[0])]


def twin(own: Live, code: str) -> Table:
    """A table of the same public facts and of other secrets, in which nothing has happened yet."""
    body = msgspec.json.decode(own.store.body(code) or "", type=StoredTable)
    seats = [msgspec.structs.replace(seat, token=digest(secrets.token_urlsafe(24))) for seat in body.seats]
    other = msgspec.structs.replace(body, seats=seats, seed=secrets.token_hex(16))
    return Table(code, other, registry.game(body.game, **body.options), own.store, secrets.token_bytes(32))


def with_other_secrets(group: list[Event]) -> list[Event]:
    key = secrets.token_hex(16)
    return [
        event._replace(key=f"{key}.{n}" if n else key, time=n * 1e6, nonce=secrets.token_bytes(16), link=secrets.token_bytes(32))
        for n, event in enumerate(group)
    ]


def told(table: Table, groups: list[list[Event]], begun: int, viewer: Viewer, here: frozenset[int]) -> list[str]:
    """What a viewer of this table is told who comes when `begun` changes have happened, and stays."""
    table.attendance.here = here
    narrator, heard, shown = views.TableText(table.match, table.names, "en"), [], None
    for n, group in enumerate([[], *groups]):
        if group:
            table._apply(group)
            narrator.match = table.match
        if n >= begun:
            news = News.FRESH if n == begun else News.CHANGE
            heard.append(unmarked(views.view(table, narrator, viewer, here, news, shown).decode()))
            shown = narrator.present_snapshot.things
    return heard


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_viewers_bytes_follow_from_the_public_log(game: str, seed: int, serve: Serve) -> None:
    own, lot = serve(), random.Random(seed)
    table = own.table(game, **({"board": "mini"} if game == "barricade" else {}))
    code = table["table"]
    player = own.page(table, 0, 1)
    begun = len(changes(own.store.events(code)))
    listeners = [Listener(own.url, table), *(Listener(own.url, table, seat, plain=p) for seat in (0, 1) for p in (False, True))]
    listeners.append(Listener(own.url, table, 0, brief=True))
    for listener in listeners:
        listener.hear_views(0)
    for _ in range(25):
        if player.view["outcome"]:
            break
        player.act(lot.choice(player.view["choices"])["text"])
    for listener in listeners:
        listener.hear_views(player.view["v"])
    groups = changes(own.store.events(code))
    for listener in listeners:
        hidden = [with_other_secrets(group) for group in groups]
        expected = told(twin(own, code), hidden, begun, listener.viewer, frozenset([0, 1]))
        heard = [
            raw
            for n, raw in enumerate(listener.raw)
            if n == 0 or msgspec.json.decode(raw)["since"] < msgspec.json.decode(raw)["v"]
        ]
        assert heard == expected, "content, order, number and length"


def layout(live: Live, number: int) -> list[list[str]]:
    """Cards laid out for The Front Lines, as the editor fills the field by that number."""
    board = None
    for stroke in ({}, {"tool": "fill", "touch": [str(number)]}):
        answer = live.http.post("/api/games/front_lines/edit", json={**stroke, "board": board} if board else stroke)
        board = answer.json()["board"]
    return answer.json()["rules"]["layout"]


def swapped(cards: list[list[str]], lot: random.Random) -> list[list[str]]:
    """The same cards with two of them changed about."""
    other = [list(row) for row in cards]
    (a, b), (c, d) = ((lot.randrange(len(cards)), lot.randrange(len(cards[0]))) for _ in range(2))
    other[a][b], other[c][d] = other[c][d], other[a][b]
    return other


def test_what_lies_face_down_is_in_nobodys_bytes(live: Live) -> None:
    lot, compared = random.Random(4), 0
    cards = layout(live, 7)
    table = live.table("front_lines", layout=cards)
    page = live.page(table, 0, 1)
    for _ in range(10):
        page.act(lot.choice(page.view["choices"])["text"])
    code, groups = table["table"], changes(live.store.events(table["table"]))
    viewers = [Viewer(), Viewer(you=frozenset([0])), Viewer(you=frozenset([1])), Viewer(you=frozenset([1]), brief=True)]
    seen = [told(twin(live, code), groups, 0, viewer, frozenset([0, 1])) for viewer in viewers]
    for _ in range(60):
        other = swapped(cards, lot)
        if other == cards:
            continue
        world = twin(live, code)
        game = registry.game("front_lines", **{**world.body.options, "layout": other})
        world = Table(code, world.body, game, live.store, world.root)
        with contextlib.suppress(IllegalAction, BridgeheadError):  # a card that was turned up lies elsewhere in this world
            for viewer, expected in zip(viewers, seen, strict=True):
                assert told(_fresh(world), groups, 0, viewer, frozenset([0, 1])) == expected
            assert _after(world, groups).record() == _after(twin(live, code), groups).record()
            compared += 1
    assert compared > 10, compared


def _after(table: Table, groups: list[list[Event]]) -> Table:
    for group in groups:
        table._apply(group)
    return table


def public_bytes(table: Table, groups: list[list[Event]]) -> list[str]:
    seats = frozenset(range(table.game.seats))
    viewers = [Viewer(), Viewer(you=frozenset([0])), Viewer(you=seats), Viewer(you=seats, plain=True)]
    return [each for viewer in viewers for each in told(_fresh(table), groups, 0, viewer, seats)]


def _fresh(table: Table) -> Table:
    return Table(table.id, table.body, table.match.game, table.store, table.root)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_many_games_tell_nothing_but_the_public_log(game: str, serve: Serve) -> None:
    own, lot = serve(), random.Random(9)
    rules = {"board": "mini"} if game == "barricade" else {}
    for _ in range(150):
        table = own.table(game, **rules)
        one = own.app.state.tables._open[table["table"]].result()
        seats = frozenset(range(one.game.seats))
        while one.actor >= 0 and one.version < 120:
            action = lot.choice(one.match.position.legal)
            work = one.act(seats, secrets.token_hex(16), one.version, action)
            asyncio.run_coroutine_threadsafe(work, own.loop).result(PATIENCE)
        groups = changes(own.store.events(one.id))
        other = [with_other_secrets(group) for group in groups]
        assert public_bytes(one, groups) == public_bytes(twin(own, one.id), other)


def test_no_canary_in_what_is_told(own: Live) -> None:
    body = {"game": "barricade", "options": {"board": "mini"}, "seats": [{"kind": "person"}] * 2, "seed": "canary-seed"}
    table = own.http.post("/api/tables", json=body).json()
    pages = [own.page(table, 0, 1), own.page(table)]
    for _ in range(10):
        pages[0].act(pages[0].view["choices"][0]["text"])
    pages[1].hear("view")
    events = own.store.events(table["table"])
    secret = ["canary-seed", *table["tokens"], *(value.hex() for event in events for value in (event.nonce, event.link))]
    heard = str([page.heard for page in pages]) + own.http.get(f"/api/tables/{table['table']}/frames").text
    assert len(events) > 10 and not [each for each in secret if each in heard]
