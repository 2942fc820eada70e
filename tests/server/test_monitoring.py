"""What the server tells those who run it: health, figures, and logs in which no secret can stand."""

import asyncio
import contextlib
import json
import logging
import os
import random
import re
import secrets
import signal
import sys
import time
from pathlib import Path
from typing import Any

import apsw
import httpx
import prometheus_client
import pytest
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosed

from bridgehead.server import logging as server_logging
from bridgehead.server.app import build
from bridgehead.server.http import openapi
from bridgehead.server.storage.group_commit import durations
from processes import children, wait_until_gone
from server.live import PATIENCE, PEOPLE, Live, Page, computers
from server.test_storage import Process, made
from waiting import least, wait_for

TOKEN = "metrics-token-of-the-host"


def figures(own: Live, **headers: str) -> Any:
    return own.http.get("/metrics", headers=headers)


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("server.live.build", lambda *args, **named: build(*args, **named, metrics_token=TOKEN))
    own = Live(tmp_path)
    yield own
    own.stop()


def test_figures_are_for_whoever_has_the_token(watched: Live) -> None:
    table = watched.table()
    page = watched.page(table, 0, 1)
    page.act("a2-a3")
    page.send_act(10**6, version=77)
    page.refused("stale")
    answer = figures(watched, Authorization=f"Bearer {TOKEN}")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/plain")
    # The writes: the table, its code, the action, and the end of the code when everybody was there.
    for line in (
        "bridgehead_sockets 1.0", "bridgehead_rooms 1.0", "bridgehead_tables 1.0", "bridgehead_writes_waiting 0.0",
        "bridgehead_writes_total 4.0", 'bridgehead_answers_total{code="stale",kind="rej"} 1.0', "bridgehead_storage_failing 0.0",
        'bridgehead_answers_total{code="",kind="ack"} 1.0', 'bridgehead_commit_seconds_bucket{le="+Inf"} 4.0',
    ):  # fmt: skip
        assert line in answer.text.splitlines(), line
    assert "process_resident_memory_bytes" in answer.text and "bridgehead_loop_late_seconds_count" in answer.text
    assert table["table"] not in answer.text and not any(token in answer.text for token in table["tokens"])


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer wrong", f"Basic {TOKEN}", f"Bearer {TOKEN}x", TOKEN])
def test_figures_are_nothing_to_strangers(header: str, watched: Live, live: Live) -> None:
    for own in (watched, live):  # with a token, and with none: no token opens it then
        answer = figures(own, **({"Authorization": header} if header else {}))
        assert answer.status_code == 404 and "bridgehead_" not in answer.text


def test_no_route_shows_or_changes_the_server_without_a_token(live: Live) -> None:
    known = {route.path for route in openapi.ALL}
    assert not any(re.search("admin|debug|state|docs|openapi", path) for path in known)
    for path in ("admin", "debug", "metrics", "state", "docs", "openapi.json", "server-status", ".env", "api", "api/tables"):
        assert live.http.get(f"/{path}").status_code in (404, 405), path


def samples(metric: Any) -> dict[str, float]:
    """The samples of a histogram, by bound or name."""
    (family,) = metric.collect()
    return {each.labels.get("le", each.name.removeprefix(family.name)): each.value for each in family.samples}


def test_a_histogram_counts_up_to_and_with_its_bounds() -> None:
    times = durations("test_seconds", "A test")
    assert isinstance(times, prometheus_client.Histogram)
    for seconds in (0.0005, 0.001, 0.0011, 99.0):
        times.observe(seconds)
    found = samples(times)
    assert (found["0.001"], found["0.002"], found["5.0"], found["+Inf"]) == (2, 3, 3, 4)
    assert found["_sum"] == pytest.approx(99.0026)


def test_the_loop_is_seen_to_be_late(watched: Live) -> None:
    before = samples(watched.app.state.late)["_sum"]
    watched.loop.call_soon_threadsafe(time.sleep, 0.6)
    wait_for(lambda: samples(watched.app.state.late)["_sum"] - before >= 0.2)


def test_metrics_are_one_text_that_prometheus_reads(watched: Live) -> None:
    """Every metric once, with its type; and nothing registered globally, where a second server would collide with it."""
    text = figures(watched, Authorization=f"Bearer {TOKEN}").text
    families = {each.name: each.type for each in text_string_to_metric_families(text)}
    assert families["bridgehead_commit_seconds"] == families["bridgehead_loop_late_seconds"] == "histogram"
    assert families["bridgehead_writes"] == families["bridgehead_commit_failures"] == "counter"
    assert not [name for name in families if name.endswith("_created")]
    assert text.count("# TYPE bridgehead_") == len([name for name in families if name.startswith("bridgehead_")])
    assert "bridgehead" not in str(list(prometheus_client.REGISTRY._names_to_collectors))


# Logs


def line(record: logging.LogRecord) -> dict[str, Any]:
    return json.loads(server_logging.LogFormatter(True).format(record))


def test_a_log_line_holds_allowed_fields_and_nothing_else() -> None:
    record = logging.LogRecord("bridgehead", logging.WARNING, "x.py", 7, "it is so", (), None)
    record.__dict__ |= {"table": "ABCDE", "token": "secret", "seconds": 0.5, "level": "x" * 500}
    told = line(record)
    assert {name: told[name] for name in ("event", "table", "seconds")} == {"event": "it is so", "table": "ABCDE", "seconds": 0.5}
    assert set(told) <= {"time", "event"} | server_logging.FIELDS and len(told["level"]) <= 64
    assert server_logging.LogFormatter(False).format(record).endswith("table=ABCDE")


@pytest.mark.parametrize("name", ["bridgehead", "uvicorn.error"])
def test_what_an_exception_quotes_stands_in_no_log(name: str) -> None:
    try:
        try:
            raise ValueError("canary-in-the-cause")
        except ValueError as error:
            raise KeyError("canary") from error
    except KeyError:
        record = logging.LogRecord(name, logging.ERROR, "x.py", 7, "failed with %s", ("canary",), sys.exc_info())
    told = server_logging.LogFormatter(True).format(record)
    assert "canary" not in told and "KeyError < ValueError" in told and "test_monitoring.py" in told
    assert "canary" not in server_logging.LogFormatter(False).format(record)


def test_bad_requests_of_one_address_make_one_line_a_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, passed = [100.0], server_logging.OncePerSecond(lambda: now[0])

    def told(address: str = "", name: str = "bridgehead", line: int = 7) -> Any:
        record = logging.LogRecord(name, logging.WARNING, "x.py", line, "bad", (), None)
        if address:
            record.address = address
        return passed.filter(record) and (getattr(record, "omitted", 0) or True)

    assert told("a") and told("b") and not any(told("a") for _ in range(500)) and not told("b")
    assert told() and told(), "what names no address is no bad request"
    assert told(name="uvicorn.error") and not told(name="uvicorn.error") and told(name="uvicorn.error", line=8)
    now[0] += 1
    assert told("a") == 500 and told("b") == 1 and not told("a")
    monkeypatch.setattr(server_logging, "ADDRESSES", 10)
    passed = server_logging.OncePerSecond(lambda: now[0])
    assert all(told(f"10.0.0.{n}") for n in range(100)) and len(passed._last) == 10


def test_a_line_about_a_bad_request_names_its_address(caplog: pytest.LogCaptureFixture, own: Live) -> None:
    for source in ("127.0.0.1", "127.0.0.2"):
        with own.raw(b"NO REQUEST AT ALL\r\n\r\n", source_address=(source, 0)) as line:
            assert line.recv(100).startswith(b"HTTP/1.1 400")
    own.stop()
    told = [getattr(each, "address", "") for each in caplog.records if each.name == "uvicorn.error" and "Invalid" in each.message]
    assert told == ["127.0.0.1", "127.0.0.2"]


def test_what_is_ended_by_a_stop_is_no_error(capfd: pytest.CaptureFixture[str]) -> None:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    try:
        server_logging.start_logging()
        for kind in (asyncio.CancelledError, ValueError):
            try:
                raise kind("canary")
            except BaseException:
                logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
    finally:
        root.handlers[:], root.level = before
    said = capfd.readouterr().err
    assert "ValueError" in said and "Cancelled" not in said and "canary" not in said


def test_what_the_disk_says_stands_in_the_log() -> None:
    try:
        raise OSError(28, "No space left on device")
    except OSError:
        record = logging.LogRecord("bridgehead", logging.ERROR, "x.py", 7, "failed", (), sys.exc_info())
    assert "No space left" in line(record)["error"]


def fuzz(http: httpx.Client, url: str, tables: list[dict[str, Any]], lot: random.Random, secret: list[str]) -> None:
    """Say right and wrong things, with secrets where they belong and where they do not."""
    for n in range(40):
        table, canary = lot.choice(tables), lot.choice(secret)
        with contextlib.suppress(ConnectionClosed, TimeoutError, OSError):
            page = Page(url, additional_headers={"X-Canary": canary} if n % 7 == 0 else {})
            tokens = lot.choice([table["tokens"], [canary[:60]], [canary] * 3, []])
            page.say(t="hello", p=1, table=lot.choice([table["table"], canary[:20], "QQQQQ"]), tokens=tokens, lang="en")
            page.hear("view")
            for message in (
                {"t": "act", "k": secrets.token_hex(16), "v": page.view["v"], "a": lot.randrange(2000)},
                {"t": "act", "k": canary, "v": 0, "a": 1}, {"t": canary}, {"t": "why", "k": "0" * 32, "touch": [canary[:60]]},
            ):  # fmt: skip
                page.say(**message)
            page.socket.send(canary)
            page.hear("rej")
        for path in ("t/%s", "nothing?s=%s", "api/games/%s/picture", "api/games/barricade/picture?options=%s"):
            http.get(path % canary)
        http.post("api/tables", json={"game": lot.choice(["barricade", canary]), "options": {canary: canary}, "seed": canary})
        http.post("api/records", content=canary.encode())


@pytest.mark.parametrize("kind", ["json", ""])
def test_after_a_fuzz_no_secret_stands_in_any_log(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRIDGEHEAD_LOG", kind)
    monkeypatch.setenv("BRIDGEHEAD_METRICS_TOKEN", TOKEN)
    before = Live(tmp_path)
    hurt = before.table()
    before.stop()
    with apsw.Connection(str(before.file)) as file:
        file.execute("update game set body = replace(body, '\"rules\"', '\"canary\"')")
    server = Process(tmp_path)
    seed = "canary-seed-of-all-the-dice"
    tables = [made(server.url, "barricade") for _ in range(3)]
    http = httpx.Client(base_url=server.url, timeout=PATIENCE)
    body = {"game": "forty_bridges", "seats": [{**PEOPLE[0], "name": "canary-name"}, PEOPLE[1]], "seed": seed}
    tables.append(http.post("/api/tables", json=body).json())
    secret = [seed, "canary-name", TOKEN, *(token for table in tables for token in table["tokens"])]
    fuzz(http, server.url, tables, random.Random(5), secret)
    assert http.get(f"/t/{hurt['table']}").status_code == 400, "so that something is written down at all"
    _, status, said = server.end(signal.SIGTERM)
    said = "".join(server.said) + said
    assert not [each for each in secret if each in said] and "canary" not in said
    written = [json.loads(each) for each in said.splitlines() if each.startswith("{")]
    assert [each["event"] for each in written] == (["what is stored of this table is damaged"] if kind else [])
    assert all(set(each) <= {"time", "level", "event", "error", "at"} | server_logging.FIELDS for each in written)


# The end


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_the_server_is_gone_within_a_second_with_people_and_computers_at_it(tmp_path: Path) -> None:
    def going() -> float:
        server = Process(tmp_path)
        table = made(server.url, "barricade")
        pages = []
        for _ in range(20):
            page = Page(server.url)
            page.say(t="hello", p=1, table=table["table"], tokens=table["tokens"], lang="en")
            page.hear("view")
            pages.append(page)
        workers = children(server.process.pid)
        assert workers
        took, status, _ = server.end(signal.SIGTERM)
        assert status == 0
        assert [page.closed() for page in pages] == [1012] * 20
        wait_until_gone(workers)
        return took

    assert least(going, 1.0) <= 1.0


def test_bots_and_files_do_not_outlive_the_server(tmp_path: Path) -> None:
    bots = computers()
    own = Live(tmp_path, bots=bots)
    own.table()
    own.stop()
    assert bots.workers.processes == []
    assert not any(name.endswith(("-wal", "-shm")) for name in os.listdir(tmp_path)), "the log is checked in and whole"  # noqa: PTH208
