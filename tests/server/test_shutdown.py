"""A server that stops: every page hears when to come back, not all at once, and does so."""

from collections import Counter
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from bridgehead import client
from bridgehead.client import PERSON, Host, Unreachable
from bridgehead.server.run import LATEST, SOONEST
from server.live import Live, Page
from waiting import least

pytestmark = pytest.mark.wide


def test_everybody_is_told_when_to_come_back_and_not_all_at_once(tmp_path: Path) -> None:
    pages: list[Page] = []

    def stopping() -> float:
        own = Live(tmp_path)
        table = own.table()
        pages[:] = [own.page(table, *seats, lang=lang) for seats, lang in [((0,), "de"), *[((), "en")] * 139]]
        took = own.stop()
        assert [page.closed() for page in pages] == [1012] * len(pages)
        return took

    assert least(stopping, 1.5) < 1.5
    told = [message for page in pages for message in page.heard if message["t"] == "bye"]
    assert len(told) == len(pages) and {bye["code"] for bye in told} == {"restart"}
    assert told[0]["text"] == "Der Server hört jetzt auf und ist bald wieder da."
    assert all(SOONEST <= bye["retry"] <= LATEST for bye in told)
    quarters = Counter(bye["retry"] // 250 for bye in told)
    assert len(quarters) >= 7 and max(quarters.values()) <= 2 * len(pages) / 7


def test_the_client_comes_back_when_the_server_said(monkeypatch: pytest.MonkeyPatch, own: Live) -> None:
    with Host(own.url).create("forty_bridges", [PERSON, PERSON]) as table:
        own.stop()
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                table._receive(5)
        wanted, slept = table._later, list[float]()
        assert SOONEST / 1000 <= wanted <= LATEST / 1000
        monkeypatch.setattr(client.time, "sleep", slept.append)
        with pytest.raises(Unreachable):
            table._return(closed.value)
        assert slept[0] == wanted and len(slept) == client.RETRIES
        assert all(0.125 * 2**n <= pause <= 0.25 * 2**n for n, pause in enumerate(slept) if n), "then as after any loss"
