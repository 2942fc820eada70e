"""Receipts: what the server signs of a log, that it holds against the file, and that nothing is signed unasked."""

import json
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest
from typer.testing import CliRunner

from bridgehead.cli import app
from bridgehead.client import PERSON, Host
from bridgehead.core.errors import BridgeheadError, RecordError
from bridgehead.fairness import receipt, signatures
from bridgehead.server.http import proofs
from bridgehead.server.run import _signing_key
from bridgehead.server.storage import hash_chain
from bridgehead.server.storage.sqlite import Event, Store
from server.live import Live


def played(live: Live, actions: int = 4) -> Any:
    """A table at which some actions were played by one who has all seats."""
    table = Host(live.url).create("forty_bridges", [PERSON, PERSON])
    for _ in range(actions):
        table.play(table.choices[0]["action"])
    return table


def run(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, done.stdout


def test_a_receipt_is_signed_by_the_key_that_is_published_and_binds_everything_in_it(live: Live) -> None:
    with played(live) as table:
        kept = table.host.receipt(table.table)
        assert kept.holds and kept.version == table.view["v"] == 4 and kept.table == table.table
        assert kept.server == live.http.get("/api/sealed").json()["server"] == live.store.shown
        assert live.store.events(kept.table)[-1].link.hex() == kept.head
        table.play(table.choices[0]["action"])
        later = table.host.receipt(table.table)
        assert later.version == 5 and later.head != kept.head and later.holds
    told = json.loads(json.dumps({name: getattr(kept, name) for name in kept.__struct_fields__}))
    other = signatures.public_key(b"o" * 32).hex()
    for name, value in (("version", 3), ("table", "XXXXX"), ("head", "0" * 64), ("server", other), ("signature", "0" * 128)):
        assert not receipt.read(json.dumps({**told, name: value}).encode()).holds, name
    for wrong in ({**told, "more": 1}, {**told, "head": "0"}, {**told, "protocol": "bgf1"}, []):
        with pytest.raises(RecordError, match="not a receipt"):
            receipt.read(json.dumps(wrong).encode())


def test_nothing_is_signed_unasked_and_a_version_once(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    signed: list[bytes] = []
    sign = signatures.sign
    monkeypatch.setattr(proofs.signatures, "sign", lambda key, text: signed.append(text) or sign(key, text))
    with played(live) as table:
        assert signed == []
        assert table.host.receipt(table.table) == table.host.receipt(table.table)
        assert len(signed) == 1


def rewritten(file: Path, table: str, keep: int, change: dict[int, dict[str, Any]]) -> None:
    """Another log for a table, with a chain that is whole: what only somebody can do who has the file."""
    with apsw.Connection(str(file)) as connection:
        rows = connection.execute(f"select {', '.join(Event._fields)} from event where game = ? order by version", (table,))
        events = [Event(*row)._replace(**change.get(row[0], {})) for row in rows.fetchall()[:keep]]
        body = connection.execute("select body from game where id = ?", (table,)).fetchone()[0]
        connection.execute("delete from event where game = ?", (table,))
        made = hash_chain.chain_events(
            hash_chain.first_link(table, body), [event._replace(nonce=b"", link=b"") for event in events]
        )
        places = ", ".join("?" * (1 + len(Event._fields)))
        columns = ", ".join(("game", *Event._fields))
        connection.executemany(f"insert into event ({columns}) values ({places})", [(table, *event) for event in made])


def by_another_key(kept: Path) -> bytes:
    """The same receipt, rightly signed by a key that anybody may make."""
    told = receipt.read(kept.read_bytes())
    text = receipt.signed_text(told.table, told.version, bytes.fromhex(told.head))
    server, signature = signatures.public_key(b"x" * 32).hex(), signatures.sign(b"x" * 32, text).hex()
    return msgspec.json.encode(msgspec.structs.replace(told, server=server, signature=signature))


@pytest.mark.parametrize(
    ("keep", "change", "said"),
    [
        (4, {}, "after 4 events the log is another one than was signed"),
        (4, {3: {"time": 1.0}}, "after 4 events the log is another one than was signed"),
        (3, {}, "the log has no event 4 any more, which was signed"),
    ],
)
def test_an_audit_holds_a_file_against_the_receipts_of_players(
    keep: int, change: dict[int, dict[str, Any]], said: str, tmp_path: Path, own: Live
) -> None:
    with played(own) as table:
        kept, file = tmp_path / "receipt.json", str(own.file)
        kept.write_bytes(own.http.get(f"/api/tables/{table.table}/receipt").content)
    own.stop()
    assert run("audit", file, "--receipt", str(kept))[0] == run("verify", str(kept), "--key", own.store.shown)[0] == 0
    status, told = run("verify", str(kept))
    assert status == 1 and "the key is not known here" in told
    other = tmp_path / "other.json"
    other.write_bytes(by_another_key(kept))
    assert run("verify", str(other), "--key", own.store.shown)[0] == 1
    status, told = run("audit", file, "--receipt", str(other))
    assert status == 1 and "signed by a key that is not this server's" in told
    rewritten(own.file, table.table, keep, change)
    status, told = run("audit", file)
    assert status == 0, "its own chain is whole: without a receipt nobody would see it"
    status, told = run("audit", file, "--receipt", str(kept))
    assert status == 1 and said in told
    forged = tmp_path / "forged.json"
    forged.write_text(json.dumps({**json.loads(kept.read_text()), "version": 2}))
    for command in (("audit", file, "--receipt", str(forged)), ("verify", str(forged))):
        status, told = run(*command)
        assert status == 1 and "its signature is not valid" in told
    with apsw.Connection(file) as connection:
        connection.execute("delete from event; delete from game")
    status, told = run("audit", file, "--receipt", str(kept))
    assert status == 1 and "there is no such table here" in told


def test_what_is_signed_with_is_kept_beside_the_file_and_not_in_it(tmp_path: Path) -> None:
    store = Store(tmp_path / "tables.sqlite")
    store.close()
    written = [file.read_bytes() for file in tmp_path.iterdir() if file.suffix != ".key"]
    assert written and not any(store.key in data or store.key.hex().encode() in data for data in written)
    assert (tmp_path / "tables.key").read_bytes() == store.key and signatures.public_key(store.key).hex() == store.shown


def test_workers_over_a_database_sign_with_a_key_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRIDGEHEAD_KEY", raising=False)
    assert _signing_key() == b""
    monkeypatch.setenv("BRIDGEHEAD_KEY", "0a" * 32)
    assert _signing_key() == b"\n" * 32
    for wrong in ("0a" * 31, "0A" * 32, "zz" * 32):
        monkeypatch.setenv("BRIDGEHEAD_KEY", wrong)
        with pytest.raises(BridgeheadError, match="64 digits"):
            _signing_key()
