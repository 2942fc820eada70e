"""A request has one length: one that can be read in two ways is refused, and its connection closes."""

from __future__ import annotations

import h11
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bridgehead.server.connections.http_protocol import FIELDS, HEAD, check_head
from server.live import Live

NAMES = [
    "Content-Length",
    "content-length",
    "CONTENT-LENGTH",
    "Transfer-Encoding",
    "transfer-encoding",
    "X-Length",
    "Content-Length ",
]
VALUES = ["5", "05", "5,5", "5, 5", "6", "5,6", "+5", "-5", "5 ", " 5", "5\r\n 5", "5\r\n\t,5", "0x5", "", "chunked", "Chunked",
          "gzip, chunked", "chunked, chunked", "identity", "5_0", "٥"]  # fmt: skip
fields = st.tuples(st.sampled_from(NAMES), st.sampled_from(["", " ", "\t"]), st.sampled_from(VALUES))


def head(lines: list[tuple[str, str, str]], version: str = "1.1") -> bytes:
    own = "".join(f"{name}:{space}{value}\r\n" for name, space, value in lines)
    return f"POST /api/check HTTP/{version}\r\nHost: localhost\r\n{own}".encode()


def is_refused(text: bytes) -> bool:
    """By the server: its own check, or h11's."""
    try:
        check_head(text)
        connection = h11.Connection(h11.SERVER)
        connection.receive_data(text + b"\r\n")
        connection.next_event()
    except h11.RemoteProtocolError:
        return True
    return False


def has_one_length(lines: list[tuple[str, str, str]], version: str) -> bool:
    """As RFC 9112, 6.3 wants it: no length, one number, or chunks without a length and not by HTTP/1.0."""
    sized = [(name.lower(), value.strip()) for name, _, value in lines if name.lower() != "x-length"]
    if any("\r\n" in value for _, _, value in lines) or any(name.endswith(" ") for name, _ in sized):
        return False
    if not sized:
        return True
    (name, value), *more = sized
    if name == "content-length":
        return not more and value.isascii() and value.isdigit()
    return not more and value.lower() == "chunked" and version == "1.1"


@given(st.lists(fields, max_size=4), st.sampled_from(["1.1", "1.0"]))
@example([("Content-Length", " ", "5,5")], "1.1")
@example([("Content-Length", " ", "5"), ("content-length", " ", "5")], "1.1")
@example([("Content-Length", " ", "5"), ("Transfer-Encoding", " ", "chunked")], "1.1")
def test_exactly_the_requests_with_one_length_are_accepted(lines: list[tuple[str, str, str]], version: str) -> None:
    if any("٥" in value and name == "X-Length" for name, _, value in lines):
        return  # any text may stand there
    assert is_refused(head(lines, version)) is not has_one_length(lines, version)


@pytest.mark.parametrize(
    "lines",
    [
        [("Content-Length", " ", "2,2")], [("Content-Length", " ", "2"), ("Content-Length", " ", "2")],
        [("Content-Length", " ", "2"), ("Transfer-Encoding", " ", "chunked")],
        [("Transfer-Encoding", " ", "chunked"), ("content-length", "", "2")],
        [("X", " ", str(n)) for n in range(FIELDS + 1)], [("X", " ", "x" * HEAD)],
    ],
)  # fmt: skip
def test_the_server_refuses_it_and_closes_the_connection(lines: list[tuple[str, str, str]], live: Live) -> None:
    after = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for before in (b"", after):  # on a new connection, and behind a request on one that is open
        with live.raw(before + head(lines) + b"\r\n{}" + after) as line:
            answer = b"".join(iter(lambda: line.recv(65_536), b""))
        assert answer.count(b"HTTP/1.1 400") == 1 and answer.count(b"HTTP/1.1 200") == (before != b"")


def test_a_head_that_comes_in_pieces_is_checked_whole(live: Live) -> None:
    # without a body: the server closes after the head, and what is sent to a closed connection may fail
    text = head([("Content-Length", " ", "2"), ("Content-Length", " ", "2")]) + b"\r\n"
    with live.raw(text[:60]) as line:
        for n in range(60, len(text)):
            line.sendall(text[n : n + 1])
        assert line.recv(100).startswith(b"HTTP/1.1 400")


def test_requests_with_one_length_go_on(live: Live) -> None:
    body = b'{"game": "forty_bridges"}'
    one = head([("Content-Length", " ", str(len(body))), ("Content-Type", " ", "application/json")]) + b"\r\n" + body
    chunks = (
        head([("Transfer-Encoding", " ", "chunked")]) + b"\r\n" + f"{len(body):x}".encode() + b"\r\n" + body + b"\r\n0\r\n\r\n"
    )
    with live.raw(one + chunks) as line:
        answer = b""
        while answer.count(b"HTTP/1.1 200") < 2:
            more = line.recv(65_536)
            assert more, answer
            answer += more
