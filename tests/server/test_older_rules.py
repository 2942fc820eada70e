"""A server that is updated while tables made under older rules run: they are played on under the rules that they began with."""

from dataclasses import replace

import pytest

from bridgehead.core.spec import Spec
from made_up_change import ROW, install
from server.live import Live, Serve


def played(live: Live, table: dict[str, object], texts: tuple[str, ...], first: int = 0) -> list[str]:
    """Play these actions, the seats in turn; returns the sentences of the whole log."""
    for n, text in enumerate(texts, first):
        live.page(table, n % 2).act(text)
    return [line["text"] for line in live.page(table, 0).view["log"]]


def test_a_table_that_began_under_older_rules_is_played_to_its_end_under_them(
    misere: Spec, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = misere.of_rules("1")
    assert older is not None
    install(monkeypatch, older)
    live = serve()
    begun, other = live.table("misere"), live.table("forty_bridges")
    played(live, begun, ROW[:3])
    live.stop()
    install(monkeypatch, misere)  # the update
    live = serve()
    new = live.table("misere")
    for table, rules in ((begun, "1"), (new, "2")):
        played(live, table, ROW[3:] if table is begun else ROW, 3 if table is begun else 0)
        text = live.http.get(f"/api/tables/{table['table']}/record").text
        winner = "seat 1 wins" if rules == "1" else "seat 2 wins"
        assert f"\nrules: {rules}\n" in text and winner in text
        page = live.http.get(f"/rules/misere?table={table['table']}")
        assert page.status_code == 200 and f'id="T-{3 if rules == "1" else 4}"' in page.text
    live.stop()
    install(monkeypatch, replace(misere, older=()))  # a release that has rules 1 no longer
    live = serve()
    refused = live.http.get(f"/api/tables/{begun['table']}/record")
    assert refused.status_code < 500
    assert "this table was made under rules 1, installed are rules 2 of Misere" in refused.json()["error"]
    for table in (new, other):
        assert live.http.get(f"/api/tables/{table['table']}/record").status_code == 200
    live.stop()
    install(monkeypatch, misere)  # nothing was lost
    live = serve()
    assert "seat 1 wins" in live.http.get(f"/api/tables/{begun['table']}/record").text
