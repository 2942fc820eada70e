"""Everything that the server sends is constructed as its struct, and events are stored as the same bytes as ever."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

import bridgehead
from bridgehead.server import messages
from bridgehead.server.tables import event_bodies as bodies
from bridgehead.server.tables.event_bodies import EventBody, SeatEvent

SOURCE = Path(bridgehead.__file__).parent
SENDING = {"tell", "send", "answer", "reject", "encode", "dumps", "JSONResponse"}
# Sent in pieces, because the whole may be larger than memory: a `ReplayHead`, then each `ReplayFrame`.
STREAMED = {"Replay", "ReplayPiece"}
KEPT = {"MendNumbers", "MendProposal", "RulesFound"}  # parts of an answer that is kept as JSON: read, not constructed


def calls(folder: Path) -> Iterator[tuple[Path, ast.Call, str]]:
    """Every call in a folder's modules, with the name of its function."""
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                function = node.func
                if isinstance(function, ast.Name | ast.Attribute):
                    yield file, node, function.id if isinstance(function, ast.Name) else function.attr


def is_transport(sent: ast.expr) -> bool:
    """Is it an event of ASGI, which is a dictionary by its standard?"""
    kinds = [value.value for value in getattr(sent, "values", []) if isinstance(value, ast.Constant)]
    return any(str(kind).startswith(("websocket.", "http.")) for kind in kinds)


def test_no_payload_is_a_dictionary() -> None:
    found = [
        f"{file.relative_to(SOURCE)}:{node.lineno} {name}"
        for file, node, name in calls(SOURCE / "server")
        for argument in [*node.args, *(each.value for each in node.keywords)]
        if name in SENDING and isinstance(argument, ast.Dict) and not is_transport(argument)
    ]
    assert found == []


def test_no_module_of_the_server_answers_without_a_struct() -> None:
    used = [str(file) for file in (SOURCE / "server").rglob("*.py") if "JSONResponse" in file.read_text("utf-8")]
    assert used == []


def test_dictionaries_of_anything_are_few() -> None:
    lines = [line for file in (SOURCE / "server").rglob("*.py") for line in file.read_text("utf-8").splitlines()]
    assert sum("dict[str, Any]" in line for line in lines) <= 10


def list_declared() -> set[str]:
    """The structs that the server sends; those that it only decodes refuse unknown fields."""
    modules = [importlib.import_module(f"{messages.__name__}.{each.name}") for each in pkgutil.iter_modules(messages.__path__)]
    kinds = [kind for module in modules for kind in vars(module).values() if isinstance(kind, type)]
    structs = [kind for kind in kinds if issubclass(kind, msgspec.Struct) and kind.__module__.startswith(messages.__name__)]
    return {kind.__name__ for kind in structs if not kind.__struct_config__.forbid_unknown_fields}


def test_every_declared_struct_is_constructed() -> None:
    made = {name for _, _, name in calls(SOURCE)}
    assert len(list_declared()) >= 110 and list_declared() - made - STREAMED - KEPT == set()


CLOCK = (0, 5, 1)
STORED: list[tuple[EventBody, str]] = [
    (bodies.Charged(), ""),
    (bodies.Charged(CLOCK), '{"clock":[0,5,1]}'),
    (bodies.Charged(several=True), '{"several":true}'),
    (bodies.RecordImported("ab" * 32, 5), f'{{"hash":"{"ab" * 32}","actions":5}}'),
    (bodies.MatchRewound(3), '{"to":3}'),
    (replace(bodies.MatchRewound(3), clock=CLOCK), '{"to":3,"clock":[0,5,1]}'),
    (bodies.MatchEnded("draw", -1, UNSET), '{"how":"draw","seat":-1}'),
    (bodies.MatchEnded("time", 1, CLOCK), '{"how":"time","seat":1,"clock":[0,5,1]}'),
    (bodies.PersonsArrived([1, 2]), '{"seats":[1,2]}'),
    (bodies.HolidayTaken(7), '{"days":7}'),
    (bodies.ProposalMade("draw", [0], [1]), '{"what":"draw","seats":[0],"need":[1]}'),
    (bodies.ProposalMade("takeback", [0], [1], 4), '{"what":"takeback","seats":[0],"need":[1],"to":4}'),
    (bodies.ProposalAnswered(3, True, [1]), '{"about":3,"yes":true,"seats":[1]}'),
    (bodies.ProposalClosed(3), '{"about":3}'),
    (bodies.SettingsChanged(), ""),
    (bodies.SettingsChanged(listed=True, hints=False), '{"listed":true,"hints":false}'),
    (bodies.SettingsChanged(chat=False, webhook="x", language="de"), '{"chat":false,"webhook":"x","language":"de"}'),
    (bodies.RematchStarted("ABCDE"), '{"table":"ABCDE"}'),
    (bodies.PersonSeated("t"), '{"do":"sit","token":"t"}'),
    (bodies.SeatClaimed("Zoë", False, "t"), '{"do":"claim","name":"Zoë","keeps":false,"token":"t"}'),
    (bodies.SeatTakenBack("t"), '{"do":"back","token":"t","keeps":false}'),
    (bodies.LinkRevoked(True, "t"), '{"do":"revoke","keeps":true,"token":"t"}'),
    (bodies.LinkRenewed("o", "t", "k"), '{"do":"renew","old":"o","token":"t","key":"k"}'),
    (bodies.SeatLeft(), '{"do":"leave","keeps":false}'),
    (bodies.ComputerSeated("scout", UNSET, True), '{"do":"computer","level":"scout","keeps":true}'),
    (bodies.ComputerSeated("scout", CLOCK, True), '{"do":"computer","level":"scout","clock":[0,5,1],"keeps":true}'),
    (bodies.SubstituteSeated(True, "t"), '{"do":"substitute","keeps":true,"token":"t"}'),
    (bodies.SeatOpened(True), '{"do":"open","keeps":true}'),
    (bodies.ProfileAttached("p", "t"), '{"do":"profile","profile":"p","own":"t","keeps":false}'),
    (bodies.ProfileAttached("p", "t", browser="b"), '{"do":"profile","profile":"p","own":"t","keeps":false,"browser":"b"}'),
    (bodies.AdviceTaken(), '{"do":"advised"}'),
    (bodies.SeatNamed("Ben"), '{"do":"name","name":"Ben","keeps":false}'),
    (
        bodies.EraSealed("g", "r", 3, 1, [None, (1, "h")]),
        '{"gid":"g","root":"r","depth":3,"level":1,"heads":[null,[1,"h"]]}',
    ),
    (bodies.HeadCommitted(1, "h", "x"), '{"source":1,"head":"h","holder":"x"}'),
    (bodies.EraFrozen("t", "s"), '{"transcript":"t","signature":"s"}'),
    (bodies.LinkRevealed("g", 1, "v"), '{"gid":"g","n":1,"value":"v"}'),
    (bodies.LinksRequested("g", 1, [0]), '{"gid":"g","event":1,"seats":[0]}'),
    (bodies.LinksDefaulted("g"), '{"gid":"g"}'),
    (bodies.SealingCompleted(), ""),
    (
        bodies.EraSealed("g", "r", 3, 1, [None, (1, "h")], 2, "s"),
        '{"gid":"g","root":"r","depth":3,"level":1,"heads":[null,[1,"h"]],"number":2,"sources":"s"}',
    ),
    (bodies.EraFrozen("t", "s", "g", 2, 0), '{"transcript":"t","signature":"s","gid":"g","number":2,"first":0}'),
    (bodies.LinkRevealed("g", 1, "v", 2), '{"gid":"g","n":1,"value":"v","number":2}'),
    (bodies.LinksRequested("g", 0, [0], 2), '{"gid":"g","event":0,"seats":[0],"number":2}'),
    (bodies.LinksDefaulted("g", 2), '{"gid":"g","number":2}'),
]


@pytest.mark.parametrize(("body", "stored"), STORED)
def test_an_event_body_is_stored_as_ever_and_reads_back(body: EventBody, stored: str) -> None:
    assert body.json == stored
    assert (bodies.decode_seat(stored) if isinstance(body, SeatEvent) else type(body).of(stored)) == body


def test_every_event_body_is_among_them() -> None:
    def below(kind: type) -> set[type]:
        return {kind, *(each for sub in kind.__subclasses__() if sub.__module__ == bodies.__name__ for each in below(sub))}

    assert below(EventBody) - {EventBody, SeatEvent} == {type(body) for body, _ in STORED}


def test_a_body_with_fields_of_another_version_is_read() -> None:
    assert bodies.MatchRewound.of('{"to":3,"more":true}') == bodies.MatchRewound(3)
    assert bodies.decode_seat('{"do":"leave"}') == bodies.SeatLeft()
    assert bodies.SealingCompleted.of("") == bodies.SealingCompleted()
