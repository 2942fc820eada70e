"""The written protocol is the one that is spoken: its schemas are up to date, and hold on both sides."""

import contextlib
import json
import re
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bridgehead.server.http import openapi
from bridgehead.server.messages import schema
from bridgehead.server.messages.client import ClientMessage, decode_message
from server.live import ROOMY, Live
from server.spoken import SCHEMA, is_in_protocol

DOCS = Path(__file__).parents[2] / "docs" / "lookup"


def test_the_written_schema_is_up_to_date() -> None:
    assert json.loads(json.dumps(schema.socket())) == SCHEMA, "run tools/protocol_schema.py"


def test_every_message_and_request_stands_in_the_written_protocol() -> None:
    told = (DOCS / "protocol.md").read_text("utf-8")
    for side in ("ClientMessage", "ServerMessage"):
        for tag in SCHEMA["$defs"][side]["discriminator"]["mapping"]:
            assert f'"t":"{tag}"' in told, tag
    for request in openapi.API:
        path = re.sub(r"{(\w+)}", lambda name: name[1].upper(), request.path)
        assert f"`{request.method} {path}" in told, path


def test_every_request_is_described() -> None:
    there = {each.path for each in openapi.ALL if each.path.startswith("/api/")}
    assert there - {"/api/schema.json"} == set(openapi.describe_requests()["paths"]) and "/api/schema.json" in there


def test_what_is_not_written_down_is_noticed() -> None:
    good = {"t": "ack", "k": "0" * 32, "v": 1}
    assert is_in_protocol("ServerMessage", good) is good
    for wrong in (good | {"seed": 1}, good | {"v": "1"}, good | {"v": -1}, {"t": "ack"}, {"t": "secret"}):
        with pytest.raises(AssertionError):
            is_in_protocol("ServerMessage", wrong)
    with pytest.raises(AssertionError):
        is_in_protocol("ClientMessage", good)


def shapes(kind: str) -> Any:
    """Strategies for messages that nearly are of the protocol: each field right, odd or missing."""
    odd = st.one_of(
        st.none(), st.integers(-(2**70), 2**70), st.text(max_size=70), st.lists(st.integers(), max_size=9), st.floats()
    )
    right: dict[str, Any] = {
        "p": st.just(1), "table": st.from_regex("[A-Z]{5}", fullmatch=True), "lang": st.sampled_from(["en", "de", "xx"]),
        "tokens": st.lists(st.from_regex("[A-Za-z0-9_-]{1,64}", fullmatch=True), max_size=9), "v": st.integers(-1, 2**40),
        "k": st.from_regex("[0-9a-f]{32}", fullmatch=True), "a": st.integers(-1, 2**32), "n": st.integers(-1, 2**54),
        "touch": st.lists(st.text(max_size=66), max_size=9),
    }  # fmt: skip
    names = [name for name in SCHEMA["$defs"][kind]["properties"] if name != "t"]
    fields = {name: st.one_of(right.get(name, odd), odd) for name in [*names, "more"]}
    return st.fixed_dictionaries({}, optional=fields)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_the_schema_and_the_decoder_agree_on_what_may_be_said(data: st.DataObject) -> None:
    tag, place = data.draw(st.sampled_from(sorted(SCHEMA["$defs"]["ClientMessage"]["discriminator"]["mapping"].items())))
    message = {"t": tag, **data.draw(shapes(place.rpartition("/")[2]))}
    try:
        raw = json.dumps(message, allow_nan=False)
    except ValueError:
        return
    try:
        decoded = decode_message(raw)
    except (msgspec.DecodeError, UnicodeEncodeError):
        decoded = None
    written = jsonschema_rs.validator_for({"$ref": place, "$defs": SCHEMA["$defs"]}).is_valid(message)
    assert (decoded is not None) == written or _is_whole_number(message), message
    if decoded is not None:
        assert isinstance(decoded, ClientMessage) and msgspec.json.decode(msgspec.json.encode(decoded))["t"] == tag


def _is_whole_number(message: dict[str, Any]) -> bool:
    """1.0 is an integer to a schema, and none to the decoder, which may be stricter."""
    return any(isinstance(value, float) for value in message.values())


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))))
def test_any_bytes_are_a_message_or_are_refused(raw: bytes) -> None:
    with contextlib.suppress(msgspec.DecodeError, RecursionError):
        assert isinstance(decode_message(raw), ClientMessage)


def test_requests_are_answered_as_described_whatever_is_asked(tmp_path: Path) -> None:
    import schemathesis  # takes seconds, so only here
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

    checks = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
    own = Live(tmp_path, ROOMY._replace(misses=100_000))
    described = schemathesis.openapi.from_url(f"{own.url}/api/schema.json")
    answered: set[tuple[str, int]] = set()

    for operation in described.get_all_operations():

        @settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        @given(operation.ok().as_strategy())
        def ask(case: schemathesis.Case) -> None:
            answer = case.call()
            assert answer.status_code < 500, answer.text
            case.validate_response(answer, checks=checks)
            answered.add((case.operation.path, answer.status_code))

        ask()
    own.stop()
    assert {path for path, _ in answered} == {each.path for each in openapi.API}
    assert {200, 400, 404} <= {status for _, status in answered}, answered
