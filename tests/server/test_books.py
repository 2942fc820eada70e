"""The book of a host: finished tables get into it by themselves, and the page and the command read it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bridgehead.core import record
from bridgehead.server import run
from records import recorded
from server.live import Live, Serve
from waiting import in_thread, wait_for

TEXT = recorded("forty_bridges-1")


def asked(own: Live, at: str = "0", players: str = "", text: str = TEXT, status: int = 200) -> dict[str, Any]:
    return own.ask("/api/book?lang=en", {"record": text, "at": at, "players": players}, status)


def test_a_finished_table_gets_into_the_book_and_stays_among_its_people(tmp_path: Path, own: Live) -> None:
    match, _ = record.load(TEXT)
    names = [match.positions[at].name(entry.action) for at, entry in enumerate(match.log)]
    table = own.table()
    pages = [own.page(table, seat) for seat in range(2)]
    for at, name in enumerate(names):
        page = pages[match.log[at].actor]
        page.until(lambda view, at=at: view["v"] == at)  # type: ignore[misc]
        page.act(name)
    wait_for(lambda: asked(own)["count"] == 1)
    first = asked(own)
    (move,) = first["moves"]
    assert first["decided"] and (move["label"], move["count"], move["people"], move["best"]) == (names[0], 1, 1, "")
    assert move["won"] == int(match.outcome is not None and match.outcome.returns[0] > 0) and first["games"] == []
    assert asked(own, players="master")["moves"] == [] and asked(own, at=str(len(names)))["decided"] is False
    assert "unknown players 'nobody'" in asked(own, players="nobody", status=400)["error"]
    for page in pages:
        page.socket.close()
    own.stop()
    noted = in_thread(lambda: _again(tmp_path))
    assert noted == 1, "a host of an older release puts its tables in by the command"
    with run.kept_book(tmp_path, "") as kept:
        assert kept.read("select count(*) from book_move where game = ?", table["table"]) == [(len(names),)]


def _again(folder: Path) -> int:
    """Tables of a folder that are in the book after it was emptied."""
    with run.kept_book(folder, "") as kept:
        kept.write([("delete from book_move", ()), ("delete from book_game", ())])
        return kept.add_tables("forty_bridges")


def test_games_that_may_be_seen_open_at_the_position(tmp_path: Path, serve: Serve) -> None:
    from bridgehead.core import link
    from bridgehead.players import book

    own = serve()
    match, _ = record.load(TEXT)
    made = book.statements(match, "levels:1", ["master", "scout"], True, 1.0, link.pack(match, ["", ""]))

    def write() -> None:
        with run.kept_book(tmp_path, "") as kept:
            kept.write(made)

    in_thread(write)
    found = asked(own, "3")
    (game,) = found["games"]
    assert game["table"] == "" and game["at"] == 3 and game["players"] == ["master", "scout"] and game["result"].endswith(".")
    assert link.read(game["link"])[0].actions == match.actions
    assert found["moves"][0]["best"] in ("master", "scout") and found["moves"][0]["text"]
