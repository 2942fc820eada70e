"""The server gives pages the rules to follow a record by: a module, the law, the first position."""

import base64
import zlib
from types import SimpleNamespace
from typing import Any

import pytest

from bridgehead.core import registry
from bridgehead.core.errors import BridgeheadError
from bridgehead.players.wasm import RULES
from fairness.referees import describe_module
from server.live import PEOPLE, Live
from server.test_board_editor import edit


def sealed(live: Live, game: str, **options: Any) -> dict[str, Any]:
    return live.ask("/api/tables", {"game": game, "options": options, "seats": PEOPLE}, 201)


def test_a_sealed_table_tells_what_its_record_is_followed_by(live: Live) -> None:
    table = sealed(live, "barricade", board="mini", seats=2)["table"]
    told = live.ask(f"/api/tables/{table}/referee")
    game = registry.game("barricade", board="mini", seats=2)
    assert (told["game"], told["version"], told["most"]) == ("barricade", game.spec.version, game.max_legal)
    assert zlib.decompress(base64.b64decode(told["law"])) == game.law.tobytes()
    assert base64.b64decode(told["start"]) == game.start().state.tobytes()
    other = sealed(live, "barricade", board="mini", seats=2, turnLimit=9)["table"]
    also = live.ask(f"/api/tables/{other}/referee")
    assert also["law"] != told["law"] and also["module"].rpartition("/")[2] == told["module"].rpartition("/")[2]


def test_unsealed_tables_and_concealed_house_rules_have_none(live: Live) -> None:
    laid_out = edit(live, "front_lines", board=edit(live, "front_lines")["board"], tool="fill", touch=["4711"])["rules"]
    assert "seal" in live.ask(f"/api/tables/{live.table('barricade')['table']}/referee", status=400)["error"]
    table = sealed(live, "front_lines", **laid_out)["table"]
    for path in ("referee", f"rules/{'0' * 32}"):
        assert "hidden" in live.ask(f"/api/tables/{table}/{path}", status=400)["error"]
    table = sealed(live, "barricade")["table"]
    assert live.ask(f"/api/tables/{table}/rules/{'0' * 32}", status=404)


def test_rules_that_cannot_be_compiled_are_refused_with_the_reason(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[str]()

    async def ask(*request: Any, asker: str, patience: float) -> bytes:
        asked.append(asker)
        raise BridgeheadError("error.wasm_not_compiled", "apply", why="no such type")

    monkeypatch.setattr(live.app.state.referees, "_workers", SimpleNamespace(ask=ask))
    module = live.ask(f"/api/tables/{sealed(live, 'barricade', board='mini', seats=2)['table']}/referee")["module"]
    for _ in range(2):
        assert "no such type" in live.ask(module, status=400)["error"]
    assert len(asked) == 1, "and not tried again and again"
    live.app.state.referees._made.clear()


@pytest.mark.wide
def test_the_module_says_nothing_about_its_table_and_is_cached_for_ever(live: Live) -> None:
    table = sealed(live, "front_lines", lives=3)["table"]
    answer = live.http.get(live.ask(f"/api/tables/{table}/referee")["module"])
    assert answer.status_code == 200 and answer.headers["content-type"] == "application/wasm"
    assert "immutable" in answer.headers["cache-control"]
    about = describe_module(answer.content)
    assert set(about["entries"]) == set(RULES)
    assert about["law"]["house_rules"] == {}
