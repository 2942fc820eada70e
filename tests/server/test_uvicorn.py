"""The private parts of uvicorn that the server builds on: each one is named here, and has to be there."""

import ast
import importlib
import inspect
import re
import textwrap
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

import bridgehead

ROOT = Path(bridgehead.__file__).parent
PRIVATE: dict[type, set[str]] = {
    uvicorn.Server: {"config", "force_exit", "lifespan", "server_state", "servers", "shutdown", "startup"},
    H11Protocol: {
        "client", "conn", "connection_lost", "connection_made", "cycle", "data_received", "handle_events",
        "handle_websocket_upgrade", "logger", "loop", "on_response_complete", "pause_writing", "resume_writing", "scope",
        "send_400_response", "transport",
    },
    WebSocketsSansIOProtocol: {
        "close_sent", "conn", "connection_lost", "data_received", "disconnected", "frames", "handle_cont", "handle_ping",
        "handle_pong", "handshake_complete", "loop", "pending_ping_payload", "queue", "read_paused", "receive", "request",
        "response", "scope", "send", "send_receive_event_to_app", "transport", "writable",
    },
}  # fmt: skip


def names(of: type) -> set[str]:
    """What a class defines: methods, attributes of the class, and those that its methods give to `self`."""
    found = set(vars(of))
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(of)))):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self":
            found.add(node.attr)
    return found


def used(of: type) -> set[str]:
    """Every attribute of `self` and `super()` in a class."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(of)))
    places = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    return {node.attr for node in places if ast.unparse(node.value) in ("self", "super()")}


def subclasses() -> Iterator[tuple[type, type]]:
    """The server's classes that are built on one of uvicorn's, with the latter."""
    for file in sorted((ROOT / "server").rglob("*.py")):
        if "uvicorn" in file.read_text("utf-8").lower():
            module: Any = importlib.import_module(".".join(("bridgehead", *file.relative_to(ROOT).with_suffix("").parts)))
            for each in vars(module).values():
                if isinstance(each, type) and each.__module__ == module.__name__:
                    yield from ((each, base) for base in PRIVATE if issubclass(each, base))


def test_uvicorn_still_has_each_private_part_in_use() -> None:
    for of, wanted in PRIVATE.items():
        missing = sorted(wanted - names(of))
        assert not missing, (
            f"uvicorn {version('uvicorn')}: {of.__name__} has no {', '.join(missing)} any more. "
            "Adapt bridgehead.server.connections and run, or pin an earlier uvicorn."
        )


def test_each_private_part_in_use_is_named_here() -> None:
    """And nothing is named that nobody uses, so that the table stays what it says."""
    found = {of: set[str]() for of in PRIVATE}
    for own, base in subclasses():
        found[base] |= (used(own) | set(vars(own))) & names(base) - {"__init__", "__module__", "__doc__"}
    for of, wanted in PRIVATE.items():
        assert found[of] == wanted, f"{of.__name__}: add {sorted(found[of] - wanted)}, remove {sorted(wanted - found[of])}"


def test_uvicorn_is_pinned_to_one_minor_version() -> None:
    """Private parts may change with any of them: a new one is allowed after the tests have passed with it."""
    project = tomllib.loads((ROOT.parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
    (pin,) = [each for each in project["dependencies"] if each.startswith("uvicorn")]
    low, high = (int(each) for each in re.findall(r"0\.(\d+)", pin))
    assert high == low + 1 and low == int(version("uvicorn").split(".")[1])
