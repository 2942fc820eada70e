"""Misbehaving pages at a table that they watch: `trouble.py flood|slow|large HOST PORT TABLE`.

flood: as many messages as the connection takes, with a reconnection after each close; slow: twenty pages that never
read; large: frames of 8,193 bytes, repeatedly. It continues until its input ends, then prints one line of JSON: how
often it was disconnected, and the median and longest time until then in milliseconds.
"""

from __future__ import annotations

import json
import socket
import struct
import sys
import threading
import time

UPGRADE = (
    "GET /ws HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
OWN = ("127.0.0.3", 0)


def frame(text: bytes) -> bytes:
    size = len(text)
    head = struct.pack("!BB", 0x81, 0x80 | size) if size < 126 else struct.pack("!BBH", 0x81, 0xFE, size)
    return head + b"\0\0\0\0" + text


def come(host: str, port: int, table: str, buffer: int = 0) -> socket.socket:
    """A socket that has sent hello and received its first bytes."""
    line = socket.socket()
    if buffer:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    line.bind(OWN)
    line.connect((host, port))
    line.settimeout(30)
    line.sendall(UPGRADE.format(f"{host}:{port}").encode())
    assert line.recv(12).startswith(b"HTTP/1.1 101")
    line.sendall(frame(json.dumps({"t": "hello", "p": 1, "table": table}).encode()))
    return line


def until_gone(line: socket.socket, message: bytes) -> float:
    """Send until the server disconnects; milliseconds."""
    begun, more = time.perf_counter(), message * 200
    reader = threading.Thread(target=drain, args=(line,), daemon=True)
    reader.start()
    try:
        while reader.is_alive():
            line.sendall(more)
    except OSError:
        pass
    reader.join(30)
    line.close()
    return (time.perf_counter() - begun) * 1000


def drain(line: socket.socket) -> None:
    try:
        while line.recv(65_536):
            pass
    except OSError:
        pass


def main(kind: str, host: str, port: int, table: str) -> None:
    over, took = threading.Event(), list[float]()
    threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
    print("begun", flush=True)
    if kind == "slow":
        lazy = [come(host, port, table, 4096) for _ in range(20)]
        over.wait()
        for line in lazy:
            line.close()
    message = frame(b'{"t":"ping","n":1}') if kind == "flood" else frame(b"x" * 8193)
    while not over.is_set():
        took.append(until_gone(come(host, port, table), message))
    took.sort()
    figures = {"sent away": len(took), "median": took[len(took) // 2], "longest": took[-1]} if took else {"sent away": 0}
    print(json.dumps(figures), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4])
